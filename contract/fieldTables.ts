import { activityFields, wholeFields } from './activityFields.ts'
import type { Fields } from './fieldKinds.ts'
import { groupFields } from './groupFields.ts'
import { landingFields } from './landingFields.ts'
import { locationFields } from './locationFields.ts'
import { noteFields } from './noteFields.ts'
import { notificationFields } from './notificationFields.ts'
import { organizationFields } from './organizationFields.ts'
import { projectFields } from './projectFields.ts'
import { questionFields } from './questionFields.ts'
import { rewardFields } from './rewardFields.ts'
import { surveyFields } from './surveyFields.ts'
import { targetFields } from './targetFields.ts'
import { teamFields } from './teamFields.ts'
import { vipFields } from './vipFields.ts'
import { brandFields, newServiceFields, serviceFields } from './visitationFields.ts'

/** TABLE  the fields of records, by noun. The workspace imports a noun's own, so that each loads with its area. */
export const fieldTables: Readonly<Record<string, Fields>> = {
  activity: activityFields,
  'activity.whole': wholeFields,
  brand: brandFields,
  group: groupFields,
  location: locationFields,
  landing: landingFields,
  note: noteFields,
  notification: notificationFields,
  organization: organizationFields,
  project: projectFields,
  reward: rewardFields,
  question: questionFields,
  survey: surveyFields,
  service: serviceFields,
  'service.create': newServiceFields,
  target: targetFields,
  team: teamFields,
  vip: vipFields,
}
