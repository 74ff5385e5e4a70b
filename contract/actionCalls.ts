import type { CallId } from './calls.ts'

/** The call that makes an action, with the input that makes it this one. */
interface ActionCall {
  call: CallId
  /** The field that takes the record's id; empty if none does. */
  record: string
  /** Values that make it this action. */
  input?: Readonly<Record<string, unknown>>
  /** Fields that the caller fills in besides. */
  asks?: readonly string[]
}

const status = (value: string, ...asks: string[]): ActionCall => ({
  ...{ call: 'project.setStatus', record: 'id', input: { status: value } },
  ...(asks.length ? { asks } : {}),
})
const project = {
  'project.pause': status('Paused', 'reason'),
  'project.resume': status('Active', 'reason'),
  'project.complete': status('Completed'),
  'project.reopen': status('Pending'),
  'project.reprice': { call: 'project.setCost', record: 'id', asks: ['cost'] },
  'project.takeOffers': { call: 'project.setCost', record: 'id', asks: ['cost', 'shares'] },
  'project.rejectQuote': { call: 'project.reject', record: 'project_id', input: { status: 'OnQuote' }, asks: ['reason'] },
  'project.showPartners': { call: 'invitation.edit', record: 'id', asks: ['partner_ids'] },
  'project.export': { call: 'export.start', record: 'filter.project_id', input: { source: 'responses' } },
  'docsign.add': { call: 'file.uploadDocument', record: 'project_id', asks: ['file'] },
  'proffer.enter': { call: 'proffer.create', record: 'campaign_id', asks: ['partner_id', 'fill_requirements'] },
  'proffer.take': { call: 'project.setCost', record: 'id', asks: ['cost', 'shares'] },
} as const satisfies Readonly<Record<string, ActionCall>>

/**
 * TABLE  actions in `allowed_actions` that aren't calls of the same name, with the call that makes each.
 * The workspace has commands for them, and programs make the call (`x-actions` in /openapi.json).
 */
export const ACTION_CALLS: Readonly<Record<string, ActionCall>> = {
  ...project,
  // A line's `command` is what settles it.
  'desk.review': { call: 'desk.list', record: '' },
  'desk.settle': { call: 'desk.list', record: '' },
  'user.addToClients': { call: 'client.addUser', record: 'user_id', asks: ['client_id'] },
  'user.services': { call: 'service.ofUser', record: 'user_id' },
  'user.history': { call: 'history.list', record: 'user_id' },
  'file.rotate': { call: 'file.edit', record: 'id', asks: ['rotation'] },
  'content.accept': { call: 'content.review', record: 'id', input: { review: 'accepted' } },
  'content.reject': { call: 'content.review', record: 'id', input: { review: 'rejected' }, asks: ['reason'] },
  'content.restore': { call: 'content.review', record: 'id', input: { review: 'open' } },
  'content.preview': { call: 'content.get', record: 'id' },
  'activity.convert': { call: 'activity.edit', record: 'id', asks: ['activity_type'] },
  'activity.unlinkSurvey': { call: 'activity.linkSurvey', record: 'activity_id', input: { survey_id: null } },
  'activity.editTarget': { call: 'target.edit', record: 'activity_id' },
  'activity.editMarket': { call: 'target.edit', record: 'activity_id', asks: ['targeted_locations'] },
  'activity.addAsset': { call: 'file.addAssets', record: 'id', asks: ['assets'] },
  'activity.openUsers': { call: 'content.respondents', record: 'id' },
  'survey.link': { call: 'survey.edit', record: 'id', asks: ['activity_id'] },
  'survey.attachSource': { call: 'survey.edit', record: 'id', asks: ['source_file_id'] },
  'survey.cloneProject': { call: 'project.clone', record: '', asks: ['id'] },
  'question.moveUp': { call: 'question.reorder', record: 'ids' },
  'question.moveDown': { call: 'question.reorder', record: 'ids' },
  'question.moveTo': { call: 'question.reorder', record: 'ids' },
  'audience.enable': { call: 'audience.edit', record: 'projectId', input: { active: true } },
  'audience.disable': { call: 'audience.edit', record: 'projectId', input: { active: false } },
  'audience.switch': { call: 'audience.edit', record: 'projectId', asks: ['active'] },
  'vip.rename': { call: 'vip.edit', record: 'id', asks: ['name'] },
  'vip.award': { call: 'award.create', record: 'experience_id', asks: ['emails'] },
  'vip.withdraw': { call: 'award.withdraw', record: 'ids', asks: ['reason'] },
  'notification.copy': { call: 'notification.create', record: '', asks: ['name', 'message'] },
  'notice.open': { call: 'notice.mark', record: 'ids' },
  'notice.read': { call: 'notice.mark', record: 'ids', input: { read: true } },
  'notice.toggleRead': { call: 'notice.mark', record: 'ids', asks: ['read'] },
  'brand.setActive': { call: 'brand.edit', record: 'id', asks: ['status'] },
  'service.setActive': { call: 'service.edit', record: 'id', asks: ['status'] },
  'service.users': { call: 'service.usersOf', record: 'service_id' },
  'service.takeUsers': { call: 'service.setUsers', record: 'remove', asks: ['user_ids'] },
  'visit.import': { call: 'visit.ingest', record: 'service_id', asks: ['rows'] },
  'import.again': { call: 'import.run', record: 'id', input: { again: true } },
  'import.show': { call: 'import.rows', record: 'id' },
}
