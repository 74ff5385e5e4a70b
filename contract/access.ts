import { type Actor, ADMIN_ONLY, asking, type Denial } from './actor.ts'
import type { CallId } from './calls.ts'
import type { PaletteNoun, SubjectKind } from './nouns.ts'
import { type OlderId, TWIN_OF } from './olderCalls.ts'
import { NOT_A_CLIENT, PROJECT_RULES, REQUESTER_ONLY } from './projectAccess.ts'
import {
  ACTIVITY_RULES,
  ADMIN_SECRET,
  AUDIENCE_RULES,
  AWARD_RULES,
  BRAND_RULES,
  CLIENT_RULES,
  CONTENT_RULES,
  DELIVERY_RULES,
  DESK_RECORD_RULES,
  ENTRY_LINK_RULES,
  ENTRY_RULES,
  FILE_LINE_RULES,
  FILE_RULES,
  GROUP_RULES,
  IMPORT_RULES,
  JOB_RULES,
  LANDING_RULES,
  LOCATION_RULES,
  MAIL_RULES,
  MEMBER_RULES,
  NOTE_RULES,
  NOTICE_RULES,
  NOTIFICATION_RULES,
  OTHERS_WEBHOOK,
  OWNER_ONLY,
  PARTNER_RULES,
  PROFFER_RULES,
  QUESTION_RULES,
  QUOTA_RULES,
  REPORT_RULES,
  REWARD_RULES,
  SCOPE_CHANGED,
  SERVICE_RULES,
  SURVEY_RULES,
  TEAM_PROJECT_RULES,
  TEAM_RULES,
  TOKEN_RULES,
  USER_RULES,
  VIEW_RULES,
  VIP_RULES,
  WEBHOOK_RULES,
} from './recordAccess.ts'
import { RESTORED, type RestoredNoun } from './restored.ts'
import { admin, anyone, byLink, denialBy, type Rule, type SubjectOf, signedIn } from './rule.ts'

/*
 * TABLE  who may do what: every call, and every command that changes more than the caller's own screen.
 * The server enforces it, the workspace shows and disables by it, and the tests' matrix of roles is built from it.
 * A rule's `when` decides what only the record knows.
 * The browser's build gets only the access levels of what it names (scripts/virtual-calls.ts).
 */

/**
 * The rules on one record of each kind. They make up its `allowed_actions` and `refused_actions`.
 * A noun without a row doesn't compile. An empty row means that the role alone decides, whatever the record.
 */
export const RECORD_RULES = {
  project: PROJECT_RULES,
  entry: ENTRY_RULES,
  reward: REWARD_RULES,
  user: USER_RULES,
  client: CLIENT_RULES,
  team: TEAM_RULES,
  member: MEMBER_RULES,
  teamProject: TEAM_PROJECT_RULES,
  partner: PARTNER_RULES,
  proffer: PROFFER_RULES,
  view: VIEW_RULES,
  token: TOKEN_RULES,
  webhook: WEBHOOK_RULES,
  delivery: DELIVERY_RULES,
  note: NOTE_RULES,
  message: {},
  file: FILE_RULES,
  content: CONTENT_RULES,
  activity: ACTIVITY_RULES,
  survey: SURVEY_RULES,
  question: QUESTION_RULES,
  job: JOB_RULES,
  mail: MAIL_RULES,
  report: REPORT_RULES,
  landing: LANDING_RULES,
  audience: AUDIENCE_RULES,
  offer: {},
  quota: QUOTA_RULES,
  entryLink: ENTRY_LINK_RULES,
  quotaCell: {},
  vip: VIP_RULES,
  award: AWARD_RULES,
  notification: NOTIFICATION_RULES,
  notice: NOTICE_RULES,
  desk: DESK_RECORD_RULES,
  location: LOCATION_RULES,
  group: GROUP_RULES,
  brand: BRAND_RULES,
  service: SERVICE_RULES,
  campaign: PROJECT_RULES,
  invitation: PROFFER_RULES,
  receiver: ENTRY_RULES,
  groupLocation: {},
  activityGroup: {},
  target: {},
  occasion: {},
  event: {},
  promo: {},
  post: {},
  category: {},
  respondent: {},
  import: IMPORT_RULES,
  fileLine: FILE_LINE_RULES,
  filter: {},
  key: {},
  history: {},
  session: {},
} as const satisfies Readonly<Record<SubjectKind, object>>

type Merged<T> = (T extends unknown ? (one: T) => void : never) extends (all: infer All) => void ? All : never
const recordRules = Object.assign({}, ...Object.values(RECORD_RULES)) as Merged<(typeof RECORD_RULES)[keyof typeof RECORD_RULES]>

/** A call without a rule doesn't compile; an older one has its twin's. */
const RULES = {
  ...recordRules,

  'session.signIn': anyone,
  'session.signOut': anyone,
  'session.validate': { ...signedIn, whileLocked: true },
  'session.forgot': anyone,
  'session.setPassword': anyone,
  'session.invitation': anyone,
  'session.register': anyone,
  'session.confirmEmail': anyone,
  'session.requestAccount': anyone,
  'session.switchBack': anyone,

  'account.get': signedIn,
  'account.edit': { ...signedIn, own: true },
  'account.sessions': signedIn,
  'account.favourites': signedIn,
  'account.signIn': { ...signedIn, own: true },
  'account.resendEmail': { ...signedIn, own: true },
  'account.cancelEmail': { ...signedIn, own: true },
  'account.endSession': { ...signedIn, own: true },
  'account.endOtherSessions': { ...signedIn, own: true },

  'key.list': admin,
  'key.create': admin,
  /** `token.revoke` under the older path of keys; the same rules apply. */
  'key.revoke': admin,

  'token.list': signedIn,
  'token.current': { ...signedIn, token: true },
  'token.create': { ...signedIn, own: true },
  /** `token.create` for a program's token. */
  'token.createService': admin,

  'webhook.list': signedIn,
  'webhook.get': signedIn,
  'webhook.create': { ...signedIn, own: true },
  'webhook.open': signedIn,
  'delivery.list': signedIn,
  'delivery.get': signedIn,

  'organization.config': anyone,
  'organization.get': admin,
  'organization.health': admin,
  'organization.edit': admin,
  'organization.testMail': admin,

  'history.list': admin,
  'outbox.list': admin,
  'outbox.get': admin,
  'outbox.goTo': admin,

  'user.list': admin,
  'user.dropdown': admin,
  'user.listOfClient': admin,
  'user.get': admin,
  'user.invite': admin,
  'user.inviteMany': admin,
  'user.setCompany': { ...signedIn, own: true },
  'user.teams': admin,

  'client.list': admin,
  'client.dropdown': admin,
  'client.doubles': admin,
  'client.get': signedIn,
  'client.groups': admin,
  'client.locationGroups': admin,
  'client.teams': admin,
  'client.users': admin,
  'client.create': admin,
  'client.restore': admin,
  'client.removeUser': admin,
  'client.colleagues': signedIn,
  'client.open': admin,

  'team.list': admin,
  'team.get': admin,
  'team.grid': admin,
  'project.addTeams': admin,
  'team.choices': admin,
  'team.open': admin,
  'team.rename': admin,
  'team.copy': admin,
  'team.history': admin,
  'team.users': admin,
  'team.projects': signedIn,
  'team.create': admin,

  'partner.list': admin,
  'partner.dropdown': admin,
  'partner.get': admin,
  'partner.create': admin,
  /** Invites to several projects at once. */
  'partner.invite': admin,
  'partner.mail': admin,
  'partner.copyEmail': admin,

  'project.list': signedIn,
  'project.get': signedIn,
  'project.dropdown': signedIn,
  'project.ofClient': signedIn,
  'project.create': admin,
  'project.setOwner': admin,
  'project.follow': signedIn,
  'project.unfollow': signedIn,
  'project.followers': admin,
  'project.restore': admin,
  /** Sees every record and command; users without it see their own, and decide on quotes. */
  'project.seeAll': admin,
  'project.history': signedIn,
  'project.goToChange': signedIn,
  'note.goTo': admin,
  'project.teams': signedIn,
  'project.attributes': signedIn,
  'project.createChild': admin,
  'project.open': signedIn,
  'project.print': signedIn,
  'project.narrow': signedIn,
  'project.funnel': signedIn,
  'project.setEnd': admin,
  'project.setGoal': admin,
  'project.setParent': admin,
  'project.addAsset': admin,
  /** Approves or rejects a quote in the client's name, with a reason. */
  'project.approveForClient': admin,
  /** Sets a status out of order (decisions.md 2). */
  'project.force': { ...admin, says: 'only an administrator can force a status' },
  'project.assign': admin,
  'project.invitePartners': admin,
  'project.remind': admin,
  'project.writeClient': admin,
  'project.writePartner': admin,
  'project.sendQuote': admin,
  'project.waiting': signedIn,
  'project.proffers': admin,

  'request.create': signedIn,
  'request.check': signedIn,

  'campaign.requestInfo': signedIn,
  'campaign.requestList': signedIn,
  'campaign.authorization': signedIn,
  'campaign.exportCsv': signedIn,
  /** Starts a new request with the values of an earlier one. */
  'campaign.startFrom': signedIn,

  'project.quote': admin,
  /** Finds a partner's answer under its project. */
  'proffer.open': admin,
  'project.quoteOpened': signedIn,
  'proffer.list': admin,
  'proffer.create': byLink,
  'proffer.quote': byLink,

  'invitation.get': byLink,
  'invitation.opened': byLink,
  'invitation.requestLink': byLink,
  'invitation.create': admin,
  'invitation.copyLink': admin,
  'invitation.newLink': admin,
  'invitation.preview': admin,

  'invitation.messages': byLink,
  'invitation.ask': byLink,

  'message.list': signedIn,
  'message.get': signedIn,
  'message.conversations': signedIn,
  'message.send': signedIn,

  'note.list': admin,
  'note.get': admin,

  'activity.list': admin,
  'activity.get': signedIn,
  'activity.target': signedIn,
  'activity.ofProject': signedIn,
  'activity.project': signedIn,
  'activity.getOlder': admin,
  'activity.whole': admin,
  'activity.previous': admin,
  'activity.next': admin,

  'category.list': signedIn,
  'category.ofProject': signedIn,
  'category.ofBrand': admin,
  'category.check': signedIn,

  'survey.list': admin,
  'survey.open': admin,
  'survey.vendors': admin,
  'survey.create': admin,
  'survey.comparison': admin,
  'survey.applyComparison': admin,
  'survey.get': signedIn,
  'survey.length': signedIn,
  'survey.ofActivity': signedIn,
  'survey.ofProject': signedIn,
  'survey.questions': admin,

  'question.list': admin,
  'question.get': admin,
  'question.create': admin,
  'question.bulk': admin,
  'question.paste': admin,
  'question.reorder': admin,

  'runtime.respondent': { ...admin, key: true },
  'runtime.correct': { ...admin, key: true },
  'runtime.withdraw': { ...admin, key: true },
  'runtime.putBack': { ...admin, key: true },
  'runtime.intake': { ...admin, key: 'reads' },
  'runtime.intakeSurveys': { ...admin, key: 'reads' },
  'runtime.overview': signedIn,
  'runtime.summary': signedIn,
  'runtime.gender': signedIn,
  'runtime.age': signedIn,
  'runtime.hhi': signedIn,
  'runtime.children': signedIn,
  'runtime.ethnicity': signedIn,
  'runtime.maritalStatus': signedIn,
  'runtime.geoaddress': signedIn,
  'runtime.deliveryTrend': signedIn,
  'runtime.funnel': signedIn,
  'runtime.questions': signedIn,
  'runtime.userResponses': signedIn,
  'runtime.crosstab': signedIn,
  'runtime.openAnswers': signedIn,
  'runtime.rewards': admin,

  'reward.list': admin,
  'reward.get': admin,
  'reward.ofProject': admin,
  'reward.create': admin,
  'reward.copy': admin,
  'reward.upload': admin,
  'reward.imports': admin,
  'reward.import': admin,
  'reward.importRows': admin,
  'reward.importErrors': admin,

  'reward.open': admin,
  'reward.copyTo': admin,
  'reward.copyFrom': admin,

  'receivers.chooseProject': admin,
  'project.showReceivers': admin,
  'receiver.list': admin,
  'receiver.all': admin,

  'entry.list': admin,
  'entry.cluster': admin,
  'entry.person': admin,
  'entry.nextFlagged': admin,
  'entry.goTo': admin,
  'entry.selectFlagged': admin,
  'entry.selectCluster': admin,

  'file.upload': signedIn,
  'file.uploadDocument': signedIn,
  'docsign.remove': admin,
  'file.attach': admin,
  'file.addAssets': admin,
  'file.detach': admin,
  'file.assets': signedIn,
  'file.documents': signedIn,
  'file.media': signedIn,
  'file.get': signedIn,
  'file.edit': admin,
  'file.download': anyone,
  'file.addSigned': { ...admin, says: 'only an administrator can add a signed document without a project' },

  'content.list': signedIn,
  'content.get': signedIn,
  'content.place': signedIn,
  'content.summary': signedIn,
  'content.comments': signedIn,
  'content.actors': admin,
  'content.respondents': admin,
  'content.listOlder': admin,
  'content.review': admin,
  'content.reviewMany': admin,
  'content.import': { ...admin, key: true },
  'content.add': admin,
  'content.downloadAll': signedIn,
  'content.showNew': signedIn,
  'content.zoomIn': signedIn,
  'content.zoomOut': signedIn,

  'job.list': { ...signedIn, token: 'own' },
  'job.get': { ...signedIn, token: 'own' },

  /** Lists jobs that other users started. */
  'job.ofEverybody': admin,
  'job.fetchLatest': signedIn,
  'job.fetchReady': signedIn,

  // With the scope that reads its source (server/exports/start.ts).
  'export.start': { ...signedIn, token: 'own' },

  'report.questions': admin,
  'report.templates': admin,
  'report.createTemplate': admin,
  'report.datamap': admin,
  'report.export': admin,
  'report.download': anyone,
  /** Changes columns locally; `report.save` sends them. */
  'report.include': admin,
  'report.moveUp': admin,
  'report.moveDown': admin,
  'report.moveTo': admin,
  'report.discard': admin,
  'report.applyTemplate': admin,
  'report.saveTemplate': admin,
  'report.refresh': admin,

  'landing.get': admin,
  'landing.copyChannel': admin,
  'landing.undoCopy': admin,
  'landing.useSurveyUrl': admin,
  'landing.preview': admin,

  'audience.get': admin,

  'quota.ofProject': signedIn,
  'quota.get': signedIn,
  'quota.plans': signedIn,
  'quota.arrivals': admin,
  'quota.create': admin,
  'quota.admit': { ...admin, key: true },
  'quota.decisions': admin,
  // What the Quotas tab does by the calls above.
  'quota.open': admin,
  'quota.fill': admin,
  'quota.compare': admin,
  'quota.setTarget': admin,
  'quota.move': admin,
  'quota.close': admin,
  'quota.nextStarving': admin,
  'quota.right': admin,
  'quota.left': admin,

  'entryLink.ofProject': admin,
  'entryLink.get': admin,
  'entryLink.create': admin,
  'fieldSession.traffic': signedIn,
  'fieldSession.list': admin,
  'fieldSession.get': admin,
  'fieldSession.own': byLink,
  'fieldSession.ownOne': byLink,
  /** A key of the survey, an administrator, or anybody with the signature of the session's link. */
  'fieldSession.outcome': anyone,
  'fieldSession.seen': anyone,

  'offer.list': admin,
  'offer.get': admin,
  'offer.show': admin,
  'offer.find': admin,

  'vip.list': admin,
  /** One field of several records, each of which is an edit. */
  'project.editField': admin,
  'activity.editField': admin,
  'survey.editField': admin,
  'question.editField': admin,
  'reward.editField': admin,
  'user.editField': admin,
  'partner.editField': admin,
  'location.editField': admin,
  'brand.editField': admin,
  'service.editField': admin,
  'notification.editField': admin,

  'vip.searchInProject': admin,
  'vip.search': admin,
  'vip.get': admin,
  'vip.create': admin,
  'award.list': admin,
  'award.create': admin,

  'notification.list': admin,
  'notification.get': admin,
  'notification.readers': admin,
  'notification.audience': admin,
  'notification.create': admin,

  /** What needs the caller. */
  'desk.list': signedIn,
  'desk.count': signedIn,

  /** The caller's own inbox. */
  'notice.list': signedIn,
  'notice.unread': signedIn,
  'notice.mark': { ...signedIn, own: true },
  'notice.mailKinds': anyone,
  'notice.stopMail': anyone,
  'notice.readAll': { ...signedIn, own: true },

  'dma.list': signedIn,

  'event.get': admin,
  'event.edit': admin,
  'promo.get': admin,
  'promo.edit': admin,
  'post.get': admin,
  'post.edit': admin,
  'target.list': signedIn,
  'target.create': admin,
  'target.edit': admin,
  'target.check': admin,
  'target.copy': admin,
  'target.restore': admin,
  'target.copyFrom': admin,
  'activity.copyTarget': admin,
  'market.copy': admin,
  'market.invert': admin,
  'target.versions': admin,
  'target.completes': admin,

  'location.dropdown': admin,
  'location.list': admin,
  'location.points': admin,
  'location.find': admin,
  'location.get': admin,
  'location.create': admin,
  'group.list': admin,
  'group.get': admin,
  'group.history': admin,
  'group.locations': admin,
  'group.searchLocations': admin,
  'group.create': admin,
  'activity.groups': signedIn,
  'activity.availableGroups': admin,
  'activity.linkGroups': admin,
  'activity.unlinkGroup': admin,
  'location.open': admin,
  'location.showMap': admin,
  'location.removeFromGroup': admin,
  'group.open': admin,
  'group.rename': admin,
  'group.export': admin,
  'group.linkActivities': admin,

  'import.process': admin,
  'import.list': admin,
  'import.get': admin,
  'import.check': admin,
  'import.rows': admin,
  'group.fromFile': admin,

  'brand.list': signedIn,
  'brand.get': signedIn,
  'brand.history': admin,
  'brand.create': admin,
  'brand.newService': admin,
  'brand.giveAll': admin,
  'brand.compare': signedIn,
  'brand.compactView': signedIn,
  'service.list': signedIn,
  'service.get': signedIn,
  'service.history': admin,
  'service.getBySid': signedIn,
  'service.ofUser': admin,
  'service.usersOf': admin,
  'service.create': admin,
  'service.readVenues': admin,
  'service.addUser': admin,
  'service.removeUser': admin,
  'service.setUsers': admin,
  'service.request': signedIn,
  'service.requested': signedIn,
  // What the screen of a brand's visits shows; the server checks each of its reads.
  'brand.period': signedIn,
  'brand.markets': signedIn,
  'brand.service': signedIn,
  'brand.before': signedIn,
  'brand.widen': signedIn,
  'filter.open': signedIn,
  'visit.export': signedIn,
  'visit.exportVenues': admin,
  'visit.picture': signedIn,
  'visit.copy': signedIn,
  'visit.counts': signedIn,
  'visit.dailyGraph': signedIn,
  'visit.locations': signedIn,
  'visit.state': admin,
  'visit.rebuild': admin,
  'visit.ingest': { ...admin, key: true },
  'filter.list': signedIn,
  'filter.save': signedIn,
  'filter.remove': signedIn,

  'palette.index': signedIn,

  'live.stream': signedIn,

  'snapshot.create': signedIn,
  'snapshot.get': signedIn,

  'usage.record': signedIn,

  'view.list': signedIn,
  'view.pin': signedIn,
  'view.moveFavourite': signedIn,
  'view.dropMissing': signedIn,
  'view.create': signedIn,
  'view.save': signedIn,
  'view.open': signedIn,
  'view.back': signedIn,
  'view.update': signedIn,
  'view.rename': signedIn,
  'view.share': signedIn,
  'view.shareWithEveryone': { ...admin, says: 'only an administrator can share a view with everyone' },
  'view.copyLink': signedIn,

  'list.selection': signedIn,

  ...(Object.fromEntries(RESTORED.map((noun) => [`${noun}.restore`, admin])) as Readonly<
    Record<`${RestoredNoun}.restore`, typeof admin>
  >),

  'undo.deletion': admin,
  // A token's own writes alone, with the scopes of what it undoes (server/calls/undo.ts).
  'undo.take': { ...signedIn, token: true },
  'undo.redo': { ...signedIn, token: true },
} as const satisfies Readonly<Record<Exclude<CallId, OlderId>, Rule>> & Readonly<Record<string, Rule>>

/** The rule of an older call's twin; what only the record knows, its handler decides. */
function ruleOfTwin(twin: keyof typeof RULES): Omit<Rule, 'when'> {
  const { when: _, ...rule }: Rule = RULES[twin]
  return rule
}
const older = Object.fromEntries(Object.entries(TWIN_OF).map(([id, twin]) => [id, ruleOfTwin(twin)]))

/** The access table. */
export const ACCESS = { ...(older as Readonly<Record<OlderId, Omit<Rule, 'when'>>>), ...RULES } as const

/** TABLE  whose palette finds a noun's records by name. Within that, the scope decides which records. */
export const FINDS = {
  project: signedIn,
  client: signedIn,
  user: admin,
  partner: admin,
  team: admin,
  survey: admin,
  activity: admin,
  view: signedIn,
  vip: admin,
  notification: admin,
  notice: signedIn,
  location: admin,
  group: admin,
  brand: signedIn,
  service: signedIn,
  filter: signedIn,
} as const satisfies Readonly<Record<PaletteNoun, Rule>>

/** Nouns whose commands change only the user's own screen, so every signed-in user may run them. */
export const ON_SCREEN = [
  'arrange',
  'charts',
  'column',
  'command',
  'compare',
  'copy',
  'density',
  'form',
  'help',
  'list',
  'notices',
  'palette',
  'pane',
  'responses',
  'row',
  'sidebar',
  'tab',
  'theme',
] as const

/** Every id that has a rule. */
export type ActionId = keyof typeof ACCESS
type Table = typeof ACCESS
/** The facts about a record that an action's rule reads; `never` when it reads none. */
export type FactsOf<Id extends ActionId> = SubjectOf<Table[Id]>

/** Returns an action's rule with its optional fields. */
export const ruleOf = (id: ActionId): Rule => ACCESS[id]

/** Returns why a role can't do something with any record, or null. */
export const refusedTo: (id: ActionId, actor: Pick<Actor, 'role'>) => Denial = asking(
  (id) => (ACCESS as Readonly<Record<string, Rule>>)[id],
)

/** Returns why a user can't do something with this record now, or null. */
export const denialOf = <Id extends ActionId>(
  id: Id,
  actor: Actor,
  ...[subject]: [FactsOf<Id>] extends [never] ? [] : [FactsOf<Id>]
): Denial => denialBy(ruleOf(id), actor, subject as never)

/** The kinds of records that have rules. */
export type RecordKind = keyof typeof RECORD_RULES
type Rules<K extends RecordKind> = (typeof RECORD_RULES)[K]
type Facts<K extends RecordKind> = K extends RecordKind ? SubjectOf<Rules<K>[keyof Rules<K>]> : never

const rulesOf = Object.fromEntries(Object.entries(RECORD_RULES).map(([kind, rules]) => [kind, Object.entries<Rule>(rules)]))

/** Returns what the actor may do with one record, and why not the rest. */
export function allowedActions<K extends RecordKind>(
  kind: K,
  actor: Actor,
  ...[subject]: [Facts<K>] extends [never] ? [] : [Facts<K>]
): { allowed_actions: string[]; refused_actions: Record<string, string> } {
  const allowed_actions: string[] = []
  const refused_actions: Record<string, string> = {}
  for (const [id, rule] of rulesOf[kind]!) {
    const denial = denialBy(rule, actor, subject as never)
    if (denial === null) allowed_actions.push(id)
    else refused_actions[id] = denial
  }
  return { allowed_actions, refused_actions }
}

const CALLER_DENIALS: ReadonlySet<string> = new Set([
  ADMIN_ONLY,
  REQUESTER_ONLY,
  NOT_A_CLIENT,
  OWNER_ONLY,
  OTHERS_WEBHOOK,
  SCOPE_CHANGED,
  ADMIN_SECRET,
  ...Object.values(ACCESS as Record<string, Rule>).flatMap(({ says }) => says ?? []),
])
/** True for a denial about the caller (403); false for one about the record's state (409). */
export const isAboutCaller = (denial: string): boolean => CALLER_DENIALS.has(denial)
