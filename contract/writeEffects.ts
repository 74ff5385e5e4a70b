import { isolateBidi, stripBidi } from './bidi.ts'
import type { CallId } from './calls.ts'
import type { Sentence } from './effectText.ts'
import { count, counted } from './format.ts'
import { MESSAGES } from './messages.ts'
import { nounOf, wordOf } from './nounOf.ts'
import type { NounId, nouns } from './nouns.ts'
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

/** An effect before its noun is known, which its history names. */
type Declared = Pick<Effect, 'be' | 'now' | 'quoted'> & { verb: string; object: string | null | undefined }

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
/** Something that the subjects themselves do, in any other form; the history has its own verb. */
const does = (be: string, now: Effect['now'], object: string | null, verb = ''): Declared => ({ be, now, verb, object })

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
  'project.create': short('created', 'the project', 'requested'),
  'project.edit': short('updated', 'the project', 'edited'),
  'project.clone': short('cloned', 'it'),
  'project.export': is('being exported', null),
  'campaign.edit': { ...short('updated', 'the project', 'edited'), quoted: 'Survey Project Updated' },
  'proffer.create': short('answered', 'the feasibility request'),
  'invitation.create': short('invited', 'a partner'),
  'target.create': { ...short('created', 'the audience', 'set'), quoted: 'Target Created' },
  'target.edit': { ...short('updated', 'the audience', 'changed'), quoted: 'Target Updated' },
  'brand.edit': short('updated', 'the brand', 'edited'),
  'service.edit': short('updated', 'the service', 'edited'),
  'location.create': { ...short('created', 'the location', 'added'), quoted: 'Location created' },
  'location.edit': short('updated', 'the location', 'edited'),
  'note.edit': short('updated', 'a note', 'changed'),
  'user.edit': short('updated', 'a user', 'changed'),
  'user.remove': was('deleted', 'a user'),
  'activity.create': { ...short('created', 'the activity', 'added'), quoted: 'Activity Created' },
  'activity.edit': { ...short('updated', 'the activity', 'changed'), quoted: 'Activity Updated' },
  'survey.create': { ...short('created', 'the survey', 'added'), quoted: 'Survey Created' },
  'survey.edit': { ...short('updated', 'the survey', 'changed'), quoted: 'Survey Updated' },
  'question.create': { ...short('created', 'the question', 'added'), quoted: 'Question Created' },
  'question.edit': { ...short('updated', 'the question', 'changed'), quoted: 'Question Updated' },
  'note.create': does('have your note', ['has your note', 'have your note'], 'a note', 'added'),
  'note.remove': was('deleted', 'a note'),
  'file.remove': was('deleted', 'an asset'),
  'file.removeSigned': was('removed', null),
  'audience.edit': is('switched', null),
  'brand.activate': is('active', null),
  'brand.deactivate': is('inactive', null),
  'account.endSession': is('signed out', 'a device', 'signed out'),
  'job.retry': is('running again', null),
  'job.cancel': is('cancelled', null),
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
  'reward.copy': short('copied', 'rewards'),
  'award.create': does('get', ['gets', 'get'], 'a VIP experience', 'awarded'),
  'award.withdraw': short('withdrawn', 'VIP awards', 'withdrew'),
  'notification.send': does('go', ['goes', 'go'], 'the notification', 'sent'),
  'service.addUser': does('get', ['got', 'got'], 'access to a service', 'gave'),
  'service.removeUser': does('lose', ['lost', 'lost'], 'access to a service', 'removed'),
  'service.loseAll': does(
    'have no services left and see the viewer',
    ['has no services left and sees the viewer', 'have no services left and see the viewer'],
    null,
  ),
  'team.create': { ...short('created', 'the team', 'added'), quoted: 'Team created' },
  'team.addUsers': short('added', 'users'),
  'team.removeUsers': was('removed', 'users'),
  'team.addProjects': short('linked', 'projects'),
  'team.removeProjects': was('unlinked', 'projects'),
  'group.create': { ...short('created', 'the group'), quoted: 'Location Group created' },
  'group.edit': short('updated', 'it', 'renamed'),
  'group.remove': was('deleted', 'the group'),
  'group.copy': was('created', 'the group', 'copied'),
  'group.merge': short('merged', 'groups into it'),
  'location.merge': short('merged', 'duplicates'),
  'location.addToGroups': short('added', 'locations'),
  'partner.merge': was('merged', 'a partner'),
  'webhook.test': does('be sent', ['is on its way', 'are on their way'], null),
  'delivery.replay': does('be sent again', ['is on its way again', 'are on their way again'], null),
  'group.addLocations': { ...short('added', 'locations'), quoted: 'Location added' },
  'reward.create': { ...short('created', 'the catalogue reward', 'added'), quoted: 'Reward created' },
  'group.removeLocations': does('leave', ['left', 'left'], 'locations', 'removed'),
  'undo.take': { ...short('undone', null), quoted: 'Undone.' },
  'undo.redo': { ...short('redone', null), quoted: 'Redone.' },
  'webhook.pause': is('paused'),
  'webhook.resume': is('active again', undefined, 'resumed'),
  'key.revoke': is('revoked', 'the API key'),
  'token.revoke': is('revoked'),
} as const satisfies Partial<Record<CallId | `${NounId}.${string}`, Declared>>

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

/** Returns the effect of a call; undefined for a call without one. */
export function findEffect(id: string): Effect | undefined {
  const [noun = '', verb = ''] = id.split('.')
  const row: Declared | undefined = Object.hasOwn(EFFECTS, id)
    ? EFFECTS[id as keyof typeof EFFECTS]
    : nounOf(noun)?.words && Object.hasOwn(PLAIN, verb)
      ? PLAIN[verb as keyof typeof PLAIN]
      : undefined
  if (!row) return
  const { be, now, verb: did, object = `the ${wordOf(noun)}`, quoted } = row
  return { be, now, ...(quoted ? { quoted } : {}), did: object === null ? null : `${did} ${object}` } as Effect
}

/** Returns the effect of a call. */
export const effectOf = (id: EffectId): Effect => findEffect(id)!

/** The effect of a change to a status: "is now approved". */
export const statusEffect = (status: Status): Effect => {
  const { be, now, verb, object } = is(`now ${STEP[status]}`, 'the status', 'changed')
  return { be: be.replace('now ', ''), now, did: `${verb} ${object}` } as Effect
}

/** What a sentence is about: a record by its name, one of a noun, or how many; `words` replace those of the noun. */
type Subjects =
  | { name: string; kind?: string; noun?: NounId }
  | ({ count?: number } & ({ noun: NounId } | { words: readonly [one: string, many: string] }))

/** The facts of an effect. */
export type Facts = Subjects & {
  /** What follows the verb, with the sign before it: " to 12 people", ", with 3 users". */
  rest?: string
  /** Records that stay as they are. */
  left?: number
  /** The words for those, if not "left as they were": "skipped". */
  leftWords?: string
  /** In how many seconds it starts, if not at once. */
  seconds?: number
  /** Sentences that follow. */
  also?: readonly string[]
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
const isOne = (facts: Subjects): boolean => 'name' in facts || facts.count === undefined || facts.count === 1

/** The verb of an effect at a time, of one record or several: "would be paused", "are paused". */
export function verbOf({ be, now }: Effect, when: When, one = true): string {
  if (when === 'before') return `would ${be}`
  return when === 'soon' ? `will ${be}` : now[one ? 0 : 1]
}

/** Describes an effect without a full stop: "“Wave 12” is paused", "2 rewards would be paid, 1 left as it was". */
export function clauseOf(effect: Effect, facts: Facts, when: When): Sentence {
  const { rest = '', left = 0, leftWords = `left as ${left === 1 ? 'it was' : 'they were'}`, seconds } = facts
  const start = `${subjectsOf(facts)} ${verbOf(effect, when, isOne(facts))}${rest}`
  const soon = when !== 'after' && seconds ? ` in ${counted(seconds, 'second')}` : ''
  return stripBidi(`${start}${soon}${left ? `, ${count(left)} ${leftWords}` : ''}`) as Sentence
}

/** Describes an effect: "“Wave 12” is paused.", "2 rewards would be paid, 1 left as it was." */
export const sentenceOf = (effect: Effect, facts: Facts, when: When): Sentence =>
  when === 'after' && effect.quoted
    ? (effect.quoted as Sentence)
    : (withStop(joinSentences([clauseOf(effect, facts, when), ...(facts.also ?? []).filter(Boolean)])) as Sentence)

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

/** Says that there is nothing left to undo or redo. */
export const ALREADY_UNDONE = 'It was already undone.' as Sentence
export const ALREADY_REDONE = 'It was already redone.' as Sentence

/** Says that everyone has an award already, which awarding it again doesn't change. */
export const hadAlready = (people: number): Sentence => `All ${count(people)} have it already.` as Sentence

/** Joins the effects of one write: "2 users got 1 service; 1 user lost 1 service." */
export const joinClauses = (clauses: readonly Sentence[]): Sentence => withStop(clauses.join('; ')) as Sentence
