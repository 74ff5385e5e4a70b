import { accountFields, accountRequestFields } from './accountFields.ts'
import { activityFields, wholeFields } from './activityFields.ts'
import { clientFields } from './clientFields.ts'
import { keyFields, tokenFields } from './credentialFields.ts'
import { entryLinkFields } from './entryLinkFields.ts'
import type { Fields } from './fieldKinds.ts'
import { assetFields, fileFields } from './fileFields.ts'
import { groupFields } from './groupFields.ts'
import { landingFields } from './landingFields.ts'
import { locationFields } from './locationFields.ts'
import { noteFields } from './noteFields.ts'
import { notificationFields } from './notificationFields.ts'
import { eventFields, postFields, promoFields } from './occasionFields.ts'
import { organizationFields } from './organizationFields.ts'
import { partnerFields } from './partnerFields.ts'
import { projectFields } from './projectFields.ts'
import { questionFields } from './questionFields.ts'
import { quotaFields } from './quotaFields.ts'
import { childFields, requestFields } from './requestFields.ts'
import { rewardFields } from './rewardFields.ts'
import { filterFields, templateFields, viewFields } from './savedFields.ts'
import { surveyFields } from './surveyFields.ts'
import { targetFields } from './targetFields.ts'
import { teamFields } from './teamFields.ts'
import { inviteFields, userFields } from './userFields.ts'
import { vipFields } from './vipFields.ts'
import { brandFields, newServiceFields, serviceFields } from './visitationFields.ts'
import { webhookFields } from './webhookFields.ts'

/** TABLE  the fields of records, by noun. The workspace imports a noun's own, so that each loads with its area. */
export const fieldTables: Readonly<Record<string, Fields>> = {
  account: accountFields,
  activity: activityFields,
  'activity.whole': wholeFields,
  brand: brandFields,
  client: clientFields,
  event: eventFields,
  file: fileFields,
  filter: filterFields,
  'file.addAssets': assetFields,
  group: groupFields,
  key: keyFields,
  location: locationFields,
  landing: landingFields,
  note: noteFields,
  notification: notificationFields,
  organization: organizationFields,
  partner: partnerFields,
  post: postFields,
  project: projectFields,
  'project.createChild': childFields,
  promo: promoFields,
  request: requestFields,
  'report.createTemplate': templateFields,
  reward: rewardFields,
  question: questionFields,
  quota: quotaFields,
  entryLink: entryLinkFields,
  survey: surveyFields,
  service: serviceFields,
  'service.create': newServiceFields,
  'session.requestAccount': accountRequestFields,
  target: targetFields,
  team: teamFields,
  token: tokenFields,
  user: userFields,
  'user.invite': inviteFields,
  view: viewFields,
  vip: vipFields,
  webhook: webhookFields,
}
