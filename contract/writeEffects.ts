import { isolateBidi, stripBidi } from './bidi.ts'
import type { CallId } from './calls.ts'
import type { Sentence } from './effectText.ts'
import { count, counted } from './format.ts'
import { MESSAGES } from './messages.ts'
import { nounOf, wordOf } from './nounOf.ts'
import type { NounId, nouns } from './nouns.ts'
import { OLDER_CALLS } from './olderCalls.ts'
import { STEP, type Status } from './status.ts'
import { joinSentences, withStop } from './textEnds.ts'

/** When a sentence is said: of a dry run, of what starts in some seconds, or of what happened. */
export type When = 'before' | 'soon' | 'after'

declare const own: unique symbol

/** What a write does, in each voice; only this file makes one. */
export interface Effect {
  readonly [own]: true
  /** After "would" and "will": "be paused". */
  readonly be: string
  /** Afterwards, of one record and of several: "is paused", "are paused". */
  readonly now: readonly [one: string, many: string]
  /** In the history, after who did it: "paused it"; null if the history has no line of it. */
  readonly did: string | null
  /** The sentence afterwards, if the specification quotes one, or it needs no subject. */
  readonly quoted?: string
}

/** An effect before its noun is known, which its history names; `unchanged` is the sentence if nothing changed. */
type Declared = Pick<Effect, 'be' | 'now' | 'quoted'> & { verb: string; object: string | null | undefined; unchanged?: string }

/** A state that lasts, with its object in the history, and the history's verb if it is another: "launched it". */
const is = (state: string, object?: string | null, verb = state): Declared => ({
  be: `be ${state}`,
  now: [`is ${state}`, `are ${state}`],
  verb,
  object,
})
/** Something that happened: "was deleted". */
const was = (participle: string, object?: string | null, verb = participle): Declared => ({
  ...is(participle, object, verb),
  now: [`was ${participle}`, `were ${participle}`],
})
/** A short result after what it counts: "18 rewards paid". */
const short = (participle: string, object?: string | null, verb = participle): Declared => ({
  ...is(participle, object, verb),
  now: [participle, participle],
})
/** Something that the subjects themselves do, in any other form; the history has its own phrase. */
const does = (be: string, now: Effect['now'] | string, object: string | null, verb = ''): Declared => ({
  ...{ be, verb, object },
  now: typeof now === 'string' ? [now, now] : now,
})

/** TABLE  call → its effect, where its noun's plain verbs below don't say it. A name without a call has no history. */
const EFFECTS = {
  'project.goLive': { ...is('live', 'it', 'launched'), quoted: MESSAGES.goLiveBody },
  'project.pause': is('paused', 'it'),
  'project.resume': is('back in field', 'it', 'resumed'),
  'project.complete': is('completed', 'it'),
  'project.reopen': is('open again, at requirements', 'it', 'reopened'),
  'project.approve': is('approved', 'the quote'),
  'project.rejectQuote': is('back on quote', 'the quote', 'rejected'),
  'project.reject': is('rejected', 'the quote or project'),
  'project.withdraw': is('withdrawn', null),
  'project.setOwner': is('assigned', 'the owner'),
  'project.follow': { ...is('followed', 'whether they follow it', 'changed'), unchanged: 'You follow it already.' },
  'project.unfollow': { ...is('no longer followed', null), unchanged: 'You don’t follow it.' },
  'project.setStatus': is('at another status', 'the status', 'changed'),
  'project.assign': { ...is('assigned', 'quotes', 'asked for'), quoted: 'Project assigned' },
  'project.setCost': does('be', ['is', 'are'], 'the cost', 'set'),
  'project.reprice': is('quoted again', null),
  'project.removeTeam': { ...was('removed', 'the team'), quoted: 'Team removed' },
  'project.createChild': short('created', 'a child project', 'added'),
  'project.quoteOpened': { ...does('be noted', ['is noted', 'are noted'], 'opened the quote'), quoted: 'Noted' },
  'project.askQuote': {
    ...does('be sent to you', 'will be sent to you', 'asked for a new quote'),
    quoted: 'We’ll send you a new quote',
  },
  'message.send': does('be sent', ['is on its way', 'are on their way'], 'a message', 'wrote'),
  'invitation.ask': does('be sent', ['is on its way', 'are on their way'], 'a message', 'wrote'),
  'project.ask': does('be sent', ['is on its way', 'are on their way'], 'asked a question'),
  'project.mailPartner': does('be sent', ['is on its way', 'are on their way'], 'emailed a partner'),
  'project.askAgain': does('be quoted again', ['will be quoted again', 'will be quoted again'], null),
  'project.quote': does('be quoted to the client', ['is quoted to the client', 'are quoted to their clients'], null),
  'project.notifyCost': does(
    'be quoted to the client by email',
    ['is quoted to the client by email', 'are quoted to their clients by email'],
    'the client about the cost',
    'emailed',
  ),
  'project.assignPartner': does(
    'invite its partners',
    ['has invited its partners', 'have invited their partners'],
    'a partner',
    'invited',
  ),
  'project.remindPartners': does(
    'remind its silent partners',
    ['has reminded its silent partners', 'have reminded their silent partners'],
    null,
  ),
  'invitation.remind': short('reminded', 'a partner'),
  'invitation.edit': does('see it', ['sees it now', 'see it now'], 'changed the invitation'),
  'invitation.opened': { ...does('be noted', ['is noted', 'are noted'], 'opened the request'), quoted: 'Noted' },
  'invitation.requestLink': {
    ...does('be sent to you', ['is on its way to you', 'are on their way to you'], 'asked for a new link'),
    quoted: 'If your request is open, a new link is on its way to you.',
  },
  'invitation.link': short('created', 'a partner’s link', 'copied'),
  'invitation.copyLink': was('copied', null),
  'invitation.sameLink': does('stay valid', ['stays valid', 'stay valid'], null),
  'invitation.revoke': is('revoked', 'a partner’s invitation'),
  'request.create': { ...short('created', 'the project', 'requested'), quoted: 'Request created' },
  'request.correct': short('corrected', 'the request'),
  'request.setPo': is('set', 'the PO number'),
  'request.clearPo': is('removed', null),
  'project.create': short('created', 'the project', 'requested'),
  'project.edit': short('updated', 'the project', 'edited'),
  'project.clone': short('cloned', 'it'),
  'project.export': is('being exported', null),
  'campaign.edit': { ...short('updated', 'the project', 'edited'), quoted: 'Survey Project Updated' },
  'proffer.create': short('sent', 'the feasibility request', 'answered'),
  'proffer.quote': short('sent', 'with a binding quote', 'answered'),
  'proffer.draft': short('kept', null),
  'invitation.create': short('invited', 'a partner'),
  'target.create': { ...short('created', 'the audience', 'set'), quoted: 'Target Created' },
  'target.copy': { ...short('copied', 'an audience'), unchanged: 'They already have this audience.' },
  'target.edit': { ...short('updated', 'the audience', 'changed'), quoted: 'Target Updated' },
  'brand.edit': short('updated', 'the brand', 'edited'),
  'service.edit': short('updated', 'the service', 'edited'),
  'location.create': { ...short('created', 'the location', 'added'), quoted: 'Location created' },
  'location.edit': short('updated', 'the location', 'edited'),
  'import.process': does('be imported', ['is being imported', 'are being imported'], 'imported a location file'),
  'import.hold': does('wait for its columns', ['waits for its columns', 'wait for their columns'], null),
  'import.mapColumn': does('be', ['is', 'are'], null),
  'import.map': short('saved', 'a file’s columns', 'changed'),
  'import.run': does('be imported', ['is being imported', 'are being imported'], 'added locations from a file'),
  'import.correct': {
    ...was('added', 'a line of a file', 'corrected'),
    unchanged: 'Something else is still wrong with this line.',
  },
  'import.undo': was('undone', 'a location file', 'undid'),
  'note.edit': short('updated', 'a note', 'changed'),
  'user.edit': short('updated', 'a user', 'changed'),
  'user.invite': short('sent', 'a user', 'invited'),
  'user.account': short('created', null),
  'user.setCompany': short('updated', 'their company', 'changed'),
  'user.approveEmail': does('be sent', 'was sent', 'approved a new email'),
  'user.resendEmail': does('be sent', 'was sent', 'sent a new email’s link again'),
  'user.cancelEmail': does('stay', ['stays', 'stay'], 'cancelled a new email'),
  'user.noMailServer': does('be kept from', 'can’t reach', null),
  'user.setTeams': was('added', 'a user’s teams', 'changed'),
  'user.leaveTeams': was('removed', null),
  'user.onTeams': does('stay on these teams', ['is already on these teams', 'are already on these teams'], null),
  'client.addUser': was('added', 'users'),
  'client.hasUser': does('stay with', ['already belongs to', 'already belong to'], null),
  'client.removeUser': was('removed', 'users'),
  'client.hasNoUser': does('stay apart from', ['doesn’t belong to', 'don’t belong to'], null),
  'client.setApprovers': does('decide', ['decides', 'decide'], 'who decides on its quotes', 'changed'),
  'account.edit': short('updated', 'their account', 'changed'),
  'account.resendEmail': does('be sent', 'was sent', 'had a new email’s link sent again'),
  'account.cancelEmail': does('stay', ['stays', 'stay'], 'cancelled a new email'),
  'account.endOtherSessions': is('signed out', 'all other devices'),
  'organization.edit': short('updated', 'the organization', 'changed'),
  'session.signOut': { ...is('signed out', ''), quoted: 'You are signed out.' },
  'session.forgot': {
    ...does('be sent', ['is on its way', 'are on their way'], 'asked for a link to the account'),
    quoted: 'If this email has an account, a message with instructions is on its way.',
  },
  'session.setPassword': { ...was('changed', 'a new password', 'set'), quoted: MESSAGES.passwordChanged },
  'session.register': { ...is('ready', '', 'registered'), quoted: 'Your account is ready, please go to Login page' },
  'session.confirmEmail': does('be', ['is', 'are'], 'confirmed a new email'),
  'session.requestAccount': short('sent', 'an account', 'requested'),
  'session.actAs': does('act', 'are acting', 'began acting as a user'),
  'session.switchBack': {
    ...does('stop acting', 'stopped acting', 'stopped acting as a user'),
    quoted: 'You’re no longer acting as anyone.',
  },
  'user.remove': was('deleted', 'a user'),
  'activity.create': { ...short('created', 'the activity', 'added'), quoted: 'Activity Created' },
  'activity.edit': { ...short('updated', 'the activity', 'changed'), quoted: 'Activity Updated' },
  'activity.duplicate': { ...short('duplicated', 'the activity'), quoted: 'Activity Created' },
  'activity.linkSurvey': short('linked', 'a survey'),
  'activity.unlinkSurvey': short('unlinked', null),
  'activity.hasSurvey': does('stay linked', ['is already linked', 'are already linked'], null),
  'activity.linkGroups': { ...short('linked', 'location groups'), quoted: 'Location Group added' },
  'activity.unlinkGroup': short('unlinked', 'a location group'),
  'event.edit': { ...short('updated', 'the event', 'changed'), quoted: 'Event Updated' },
  'promo.edit': { ...short('updated', 'the promotion', 'changed'), quoted: 'Promo Updated' },
  'post.edit': { ...short('updated', 'the post', 'changed'), quoted: 'Post Updated' },
  'category.check': short('added', 'a category'),
  'category.uncheck': short('removed', null),
  'category.set': short('updated', 'the categories', 'changed'),
  'landing.save': { ...short('updated', 'the landing page', 'saved'), quoted: 'Landing Page Updated' },
  'survey.create': { ...short('created', 'the survey', 'added'), quoted: 'Survey Created' },
  'survey.edit': { ...short('updated', 'the survey', 'changed'), quoted: 'Survey Updated' },
  'survey.refreshMany': short('started', null),
  'survey.compare': short('compared', null),
  'survey.match': does('match their source', 'match their source', null),
  'survey.refresh': does('be compared with their source', 'are being compared with their source', 'refreshed the questions'),
  'survey.applyComparison': short('refreshed', 'changed questions', 'applied'),
  'question.reorder': short('moved', 'questions'),
  'question.bulk': short('added', 'questions'),
  'question.refuse': was('refused', null),
  'question.retire': was('retired', null),
  'question.create': { ...short('created', 'the question', 'added'), quoted: 'Question Created' },
  'question.edit': { ...short('updated', 'the question', 'changed'), quoted: 'Question Updated' },
  'note.create': {
    ...does('have your note', ['has your note', 'have your note'], 'a note', 'added'),
    quoted: 'Note created',
  },
  'note.remove': was('deleted', 'a note'),
  'file.upload': was('added', 'an asset'),
  'file.uploadDocument': was('added', 'a signed document'),
  'file.attach': was('added', 'an asset'),
  'file.attachToActivity': was('added', 'an asset to an activity'),
  'file.addAssets': short('added', 'assets'),
  'file.detach': was('deleted', 'an asset', 'removed'),
  'file.remove': was('deleted', 'an asset'),
  'file.removeSigned': was('removed', null),
  'audience.edit': is('switched', 'the channels'),
  'audience.enable': short('enabled', null),
  'audience.disable': short('disabled', null),
  'brand.activate': is('active', null),
  'brand.deactivate': is('inactive', null),
  'account.endSession': is('signed out', 'a device', 'signed out'),
  'job.retry': is('running again', null),
  'job.cancel': is('cancelled', null),
  'export.start': does('be made', ['is on its way', 'are on their way'], 'exported it'),
  'report.save': short('saved', 'columns of the report'),
  'report.createTemplate': short('saved', 'a report template'),
  'report.removeTemplate': short('deleted', 'a report template'),
  'report.export': does('be made', ['is on its way', 'are on their way'], 'the report', 'exported'),
  'report.datamap': does('be made', ['is on its way', 'are on their way'], 'the data map', 'exported'),
  'outbox.retry': does('be sent again', ['is on its way', 'are on their way'], null),
  'outbox.withdraw': is('cancelled', null),
  'user.resendActivation': does(
    'be sent a new activation email',
    ['was sent a new activation email', 'were sent new activation emails'],
    'an invitation again',
    'sent',
  ),
  'user.resetPassword': does(
    'be sent a temporary password',
    ['was sent a temporary password', 'were sent temporary passwords'],
    'a temporary password',
    'sent',
  ),
  'entry.redeem': short('paid', 'rewards'),
  'entry.paying': short('on the way', null),
  'entry.reject': short('rejected', 'rewards'),
  'entry.secondChance': short('pending again', 'rewards', 'reinstated'),
  'entry.clear': short('cleared', 'the pending rewards'),
  'reward.upload': does('be added', ['is being added', 'are being added'], 'uploaded people to reward'),
  'quota.cells': short('changed', 'cells of the quota plan'),
  'quota.live': is('live', 'the quota plan', 'started'),
  'quota.end': does('end', ['has ended', 'have ended'], 'ended the quota plan'),
  'entryLink.rotate': is('replaced', 'its secret', 'replaced'),
  'entryLink.pause': is('paused', 'it'),
  'entryLink.resume': is('active', 'it', 'activated'),
  'fieldSession.outcome': does('end', ['has ended', 'have ended'], null),
  'runtime.ingest': short('added', 'responses', 'imported'),
  'runtime.correct': is('corrected', 'a response'),
  'runtime.withdraw': is('withdrawn', 'a response', 'withdrew'),
  'runtime.putBack': is('back', 'a response', 'restored'),
  'runtime.accept': does('count once it is sent again', ['counts once it is sent again', 'count once they are sent again'], null),
  'runtime.clearFraud': short('cleared', 'the fraud flags'),
  'visit.ingest': short('added', 'visits'),
  'visit.rebuild': does('be counted again', 'are being counted again', 'recounted visits'),
  'content.import': short('added', 'content', 'imported'),
  'content.review': is('reviewed', 'content'),
  'content.accept': is('accepted', null),
  'content.reject': is('rejected', null),
  'content.restore': is('new again', null),
  'content.rotate': short('rotated', 'photos'),
  'content.download': does(
    'be packed as a ZIP file',
    ['is on its way as a ZIP file', 'are on their way as a ZIP file'],
    'content',
    'downloaded',
  ),
  'reward.copy': short('copied', 'rewards'),
  'award.create': does('get', ['gets', 'get'], 'a VIP experience', 'awarded'),
  'award.withdraw': short('withdrawn', 'VIP awards', 'withdrew'),
  'notification.copy': short('copied', null),
  'notification.send': does('go', ['goes', 'go'], 'the notification', 'sent'),
  'service.addUser': does('get', ['got', 'got'], 'access to a service', 'gave'),
  'service.removeUser': does('lose', ['lost', 'lost'], 'access to a service', 'removed'),
  'service.setUsers': is('changed', 'access to services'),
  'service.request': {
    ...does('be asked', 'were asked', 'asked for access to visitation'),
    unchanged: 'You’ve already asked. The administrators have your email.',
  },
  'service.loseAll': does(
    'have no services left and see the viewer',
    ['has no services left and sees the viewer', 'have no services left and see the viewer'],
    null,
  ),
  'team.create': { ...short('created', 'the team', 'added'), quoted: 'Team created' },
  'team.unchanged': does('stay', 'are', null),
  'team.addUsers': short('added', 'users'),
  'team.removeUsers': was('removed', 'users'),
  'team.addProjects': short('linked', 'projects'),
  'team.removeProjects': was('unlinked', 'projects'),
  'group.create': { ...short('created', 'the group'), quoted: 'Location Group created' },
  'group.edit': short('updated', 'it', 'renamed'),
  'group.remove': was('deleted', 'the group'),
  'group.copy': was('created', 'the group', 'copied'),
  'group.merge': short('merged', 'groups into it'),
  'group.moveLocations': short('moved', 'locations'),
  'location.merge': short('merged', 'duplicates'),
  'location.addToGroups': { ...short('added', 'locations'), unchanged: 'They’re already in these groups.' },
  'partner.invite': short('sent', null),
  'partner.merge': was('merged', 'a partner'),
  'webhook.rotate': does('get a new secret', ['has a new secret', 'have new secrets'], 'made a new secret for the webhook'),
  'webhook.replayFailed': {
    ...does('be sent again', ['is on the way again', 'are on the way again'], 'sent failed messages again'),
    unchanged: 'Nothing failed since then.',
  },
  'webhook.test': does('be sent', ['is on its way', 'are on their way'], null),
  'delivery.replay': does('be sent again', ['is on its way again', 'are on their way again'], null),
  'group.addLocations': { ...short('added', 'locations'), quoted: 'Location added' },
  'reward.create': { ...short('created', 'the catalogue reward', 'added'), quoted: 'Reward created' },
  'group.removeLocations': does('leave', ['left', 'left'], 'locations', 'removed'),
  'desk.acknowledge': short('acknowledged', 'a line of the desk'),
  'desk.snooze': short('snoozed', 'a line of the desk'),
  'view.pin': is('pinned', null),
  'view.unpin': is('no longer pinned', null),
  'view.moveFavourite': is('moved', null),
  'view.dropMissing': is('removed from the sidebar', null),
  'desk.reopen': short('opened again', 'a line of the desk again', 'opened'),
  'desk.handOver': short('handed over', 'a line of the desk'),
  'notice.stopMail': {
    ...is('no longer mailed', 'emails about what they follow', 'stopped'),
    unchanged: 'They are not mailed any more.',
  },
  'notice.mark': { ...short('marked', null), unchanged: 'Nothing to mark.' },
  'filter.save': was('saved', 'a filter'),
  'view.create': short('saved', 'the saved view', 'added'),
  'view.edit': short('updated', 'the saved view', 'changed'),
  'view.own': is('private now', null),
  'view.colleagues': is('shared with colleagues', null),
  'view.everyone': is('shared with everyone', null),
  'view.remove': short('deleted', 'the saved view'),
  'undo.take': { ...short('undone', null), quoted: 'Undone.' },
  'undo.redo': { ...short('redone', null), quoted: 'Redone.' },
  'webhook.pause': is('paused'),
  'webhook.resume': is('active again', undefined, 'resumed'),
  'key.revoke': is('revoked', 'the API key'),
  'token.revoke': is('revoked'),
} as const satisfies Partial<Record<CallId | `${NounId}.${string}`, Declared>>

/** TABLE  call → the one whose effect it has, where it isn't an older call. */
const SPELLED = {
  'user.inviteMany': 'user.invite',
  'campaign.editProject': 'campaign.edit',
  'activity.whole': 'activity.create',
  'content.reviewMany': 'content.review',
} as const satisfies Partial<Record<CallId, EffectId>>

/** TABLE  verb → its effect on a record of any noun that has words. */
const PLAIN = {
  create: short('created', undefined, 'added'),
  edit: short('updated', undefined, 'changed'),
  remove: was('deleted'),
  restore: was('restored'),
} as const satisfies Record<string, Declared>

type Worded = { [N in NounId]: (typeof nouns)[N] extends { words: readonly unknown[] } ? N : never }[NounId]
/** An effect by its call: its own, or a plain one. */
export type EffectId = keyof typeof EFFECTS | `${Worded}.${keyof typeof PLAIN}`

/** The ids of the effects that have a row of their own. */
export const OWN_EFFECTS = Object.keys(EFFECTS) as (keyof typeof EFFECTS)[]

/** Returns the row of an effect and the noun in its id; undefined for a call without one. */
function rowOf(call: string): { noun: string; row: Declared } | undefined {
  const id = Object.hasOwn(SPELLED, call) ? SPELLED[call as keyof typeof SPELLED] : call
  const twin = !Object.hasOwn(EFFECTS, id) && Object.hasOwn(OLDER_CALLS, id) ? OLDER_CALLS[id] : undefined
  if (twin) return rowOf(twin)
  const [noun = '', verb = ''] = id.split('.')
  if (Object.hasOwn(EFFECTS, id)) return { noun, row: EFFECTS[id as keyof typeof EFFECTS] }
  if (nounOf(noun)?.words && Object.hasOwn(PLAIN, verb)) return { noun, row: PLAIN[verb as keyof typeof PLAIN] }
  return
}

/** Returns the effect of a call; undefined for a call without one. */
export function findEffect(id: string): Effect | undefined {
  const found = rowOf(id)
  if (!found) return
  const { noun, row } = found
  const { be, now, verb: did, object = `the ${wordOf(noun)}`, quoted } = row
  return {
    be,
    now,
    ...(quoted ? { quoted } : {}),
    did: object === null ? null : [did, object].filter(Boolean).join(' '),
  } as Effect
}

/** Returns the effect of a call. */
export const effectOf = (id: EffectId): Effect => findEffect(id)!

/** The effect of a change to a status: "is now approved". */
export const statusEffect = (status: Status): Effect => {
  const { be, now } = is(`now ${STEP[status]}`)
  return { be: be.replace('now ', ''), now, did: effectOf('project.setStatus').did } as Effect
}

/** What a sentence is about: a record or `several` by name, one of a noun, or how many; `words` replace the noun. */
type Subjects =
  | { name: string; kind?: string; noun?: NounId; several?: boolean }
  | ({ count?: number } & ({ noun: NounId } | { words: readonly [one: string, many: string] }))

/** The facts of an effect. */
export type Facts = Subjects & {
  /** What precedes the sentence: "Stopped: ". */
  lead?: string
  /** What follows the verb, with the sign before it: " to 12 people", ", with 3 users". */
  rest?: string
  /** Records that stay as they are. */
  left?: number
  /** The words for those, if not "left as they were": "skipped". */
  leftWords?: string
  /** In how many seconds it starts, if not at once. */
  seconds?: number
  /** Sentences that follow. */
  also?: readonly (string | null)[]
}

/** Quotes a name, so that it doesn't read as part of the sentence. Names of people and addresses stay unquoted. */
export const quotedName = (name: string, kind?: string): string =>
  kind === 'user' || kind === 'entry' ? isolateBidi(name) : `“${isolateBidi(name)}”`

const capital = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`
const subjectsOf = (facts: Subjects): string => {
  if ('name' in facts) return `${facts.noun ? `${capital(wordOf(facts.noun))} ` : ''}${quotedName(facts.name, facts.kind)}`
  const [one, many] = 'words' in facts ? facts.words : [wordOf(facts.noun), wordOf(facts.noun, true)]
  return facts.count === undefined ? capital(one) : counted(facts.count, one, many)
}
const isOne = (facts: Subjects): boolean => ('name' in facts ? !facts.several : facts.count === undefined || facts.count === 1)

/** The verb of an effect at a time, of one record or several: "would be paused", "are paused". */
export function verbOf({ be, now }: Effect, when: When, one = true): string {
  if (when === 'before') return `would ${be}`
  return when === 'soon' ? `will ${be}` : now[one ? 0 : 1]
}

/** Describes an effect without a full stop: "“Wave 12” is paused", "2 rewards would be paid, 1 left as it was". */
export function clauseOf(effect: Effect, facts: Facts, when: When): Sentence {
  const { lead = '', rest = '', left = 0, leftWords = `left as ${left === 1 ? 'it was' : 'they were'}`, seconds } = facts
  const start = `${lead}${subjectsOf(facts)} ${verbOf(effect, when, isOne(facts))}${rest}`
  const soon = when !== 'after' && seconds ? ` in ${counted(seconds, 'second')}` : ''
  return stripBidi(`${start}${soon}${left ? `, ${count(left)} ${leftWords}` : ''}`) as Sentence
}

/** Describes an effect: "“Wave 12” is paused.", "2 rewards would be paid, 1 left as it was." */
export const sentenceOf = (effect: Effect, facts: Facts, when: When): Sentence =>
  when === 'after' && effect.quoted
    ? (effect.quoted as Sentence)
    : (withStop(joinSentences([clauseOf(effect, facts, when), ...(facts.also ?? []).flatMap((one) => one || [])])) as Sentence)

/** How people name rewards of the catalogue where no others are meant, and who receives something. */
export const REWARD = ['reward', 'rewards'] as const
export const PEOPLE = ['person', 'people'] as const
/** The facts of copying rewards: how many are made, and how many their projects have already. */
export const copyFacts = (made: number, left: number): Facts => ({
  ...{ count: made, words: REWARD, left },
  leftWords: 'skipped: the project already has one with this name',
})

/** Says that a write found everything as it was to be. */
export const NOTHING_CHANGED = 'Nothing changed.' as Sentence
/** Says it in the words of the effect, where it has some. */
export const unchangedOf = (id: EffectId): Sentence => (rowOf(id)?.row.unchanged as Sentence | undefined) ?? NOTHING_CHANGED
/** True for a message that says already, in any effect's words, that nothing changed. */
export const saysUnchanged = (message: string): boolean =>
  message === NOTHING_CHANGED || Object.values(EFFECTS as Record<string, Declared>).some(({ unchanged }) => unchanged === message)

/** A sentence and what follows from it, such as who sees more or less. */
export const andThen = (sentence: Sentence, also: string | readonly string[]): Sentence =>
  stripBidi(joinSentences([sentence as string].concat(also).filter(Boolean))) as Sentence

/** Says which fields of a record lost their values, because they no longer apply beside its others. */
export const clearedNote = (labels: readonly string[], when: When): Sentence =>
  `${when === 'before' ? 'Would be cleared' : 'Cleared'}, as no longer applicable: ${labels.join(', ')}.` as Sentence

/** Says that there is nothing left to undo or redo. */
export const ALREADY_UNDONE = 'It was already undone.' as Sentence
export const ALREADY_REDONE = 'It was already redone.' as Sentence

/** Says that everyone has an award already, which awarding it again doesn't change. */
export const hadAlready = (people: number): Sentence => `All ${count(people)} have it already.` as Sentence

/** Joins the effects of one write: "2 users got 1 service; 1 user lost 1 service." */
export const joinClauses = (clauses: readonly Sentence[]): Sentence => withStop(clauses.join('; ')) as Sentence
