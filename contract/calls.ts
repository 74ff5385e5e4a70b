import { accountCalls } from './account.ts'
import { activityCalls } from './activity.ts'
import { assetCalls } from './asset.ts'
import { audienceCalls } from './audienceOption.ts'
import { awardCalls } from './award.ts'
import { brandCalls } from './brand.ts'
import { campaignCalls } from './campaign.ts'
import { categoryCalls } from './category.ts'
import { clientCalls } from './client.ts'
import { contentCalls } from './content.ts'
import { deskCalls } from './desk.ts'
import { entryCalls } from './entry.ts'
import { entryLinkCalls } from './entryLink.ts'
import { fieldSessionCalls } from './fieldSession.ts'
import { fileCalls } from './file.ts'
import { healthCalls } from './health.ts'
import { historyCalls } from './historyLine.ts'
import { importCalls } from './import.ts'
import { invitationCalls } from './invitation.ts'
import { jobCalls } from './job.ts'
import { landingCalls } from './landing.ts'
import { locationCalls } from './location.ts'
import { locationGroupCalls } from './locationGroup.ts'
import { messageCalls } from './message.ts'
import { noteCalls } from './note.ts'
import { noticeCalls } from './notice.ts'
import { notificationCalls } from './notification.ts'
import { occasionCalls } from './occasion.ts'
import { offerCalls } from './offer.ts'
import { olderCalls } from './olderRows.ts'
import { partnerCalls } from './partner.ts'
import { placeCalls } from './place.ts'
import { profferCalls } from './proffer.ts'
import { projectCalls } from './project.ts'
import { projectChildCalls } from './projectChild.ts'
import { questionCalls } from './question.ts'
import { quotaCalls } from './quota.ts'
import { quoteCalls } from './quote.ts'
import { receiverCalls } from './receiver.ts'
import { reportCalls } from './report.ts'
import { requestCalls } from './request.ts'
import { responseCalls } from './responses.ts'
import { restoreCalls } from './restore.ts'
import { rewardCalls } from './reward.ts'
import { rewardImportCalls } from './rewardImport.ts'
import { runtimeCalls } from './runtime.ts'
import { serviceCalls } from './service.ts'
import { sessionCalls } from './session.ts'
import { surveyCalls } from './survey.ts'
import { targetCalls } from './target.ts'
import { teamCalls } from './team.ts'
import { teamChoiceCalls } from './teamChoice.ts'
import { tokenCalls } from './token.ts'
import { undoCalls } from './undo.ts'
import { userCalls } from './user.ts'
import { viewCalls } from './view.ts'
import { vipCalls } from './vip.ts'
import { visitCalls } from './visit.ts'
import { visitFilterCalls } from './visitFilter.ts'
import { visitStateCalls } from './visitState.ts'
import { webhookCalls } from './webhook.ts'
import { workspaceCalls } from './workspace.ts'

/** TABLE  the calls: noun.verb → method, path, input, output. Access rules are in access.ts. */
export const calls = {
  ...sessionCalls,
  ...accountCalls,
  ...tokenCalls,
  ...historyCalls,
  ...webhookCalls,
  ...userCalls,
  ...clientCalls,
  ...teamCalls,
  ...teamChoiceCalls,
  ...partnerCalls,
  ...projectCalls,
  ...projectChildCalls,
  ...requestCalls,
  ...campaignCalls,
  ...quoteCalls,
  ...invitationCalls,
  ...profferCalls,
  ...noteCalls,
  ...messageCalls,
  ...activityCalls,
  ...surveyCalls,
  ...categoryCalls,
  ...questionCalls,
  ...runtimeCalls,
  ...responseCalls,
  ...quotaCalls,
  ...entryLinkCalls,
  ...fieldSessionCalls,
  ...rewardCalls,
  ...rewardImportCalls,
  ...entryCalls,
  ...receiverCalls,
  ...contentCalls,
  ...fileCalls,
  ...assetCalls,
  ...jobCalls,
  ...reportCalls,
  ...landingCalls,
  ...audienceCalls,
  ...offerCalls,
  ...occasionCalls,
  ...placeCalls,
  ...locationCalls,
  ...locationGroupCalls,
  ...importCalls,
  ...targetCalls,
  ...vipCalls,
  ...awardCalls,
  ...notificationCalls,
  ...noticeCalls,
  ...deskCalls,
  ...brandCalls,
  ...serviceCalls,
  ...visitCalls,
  ...visitFilterCalls,
  ...visitStateCalls,
  ...healthCalls,
  ...workspaceCalls,
  ...viewCalls,
  ...undoCalls,
  ...restoreCalls,
  ...olderCalls,
} as const

type Calls = typeof calls
export type CallId = keyof Calls & string
/** The input of a call, before parsing. By index, as the conditional `z.input` makes more types for each call. */
export type Input<Id extends CallId> = Calls[Id]['input']['_zod']['input']
/** What the server returns. */
export type Output<Id extends CallId> = Calls[Id]['output']['_zod']['output']
/** Ids of calls that only read. Using a read as a write doesn't compile, and vice versa. */
export type ReadId = {
  [Id in CallId]: Calls[Id]['method'] extends 'GET' ? (Calls[Id] extends { unsafe: true } ? never : Id) : never
}[CallId]
export type WriteId = Exclude<CallId, ReadId>
