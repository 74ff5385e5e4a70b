import { isolateBidi, stripBidi } from './bidi.ts'
import type { CallId } from './calls.ts'
import { count, counted } from './format.ts'
import { nounOf, wordOf } from './nounOf.ts'
import type { NounId, nouns } from './nouns.ts'
import type { Sentence } from './sentence.ts'
import { STEP, type Status } from './status.ts'
import { joinSentences, withStop } from './textEnds.ts'

/** When a sentence is said: of a dry run, of what starts in some seconds, or of what happened. */
export type When = 'before' | 'soon' | 'after'

/** What a write does, in each voice. */
export interface Effect {
  /** After "would" and "will": "be paused". */
  readonly be: string
  /** Afterwards, of one record and of several: "is paused", "are paused". */
  readonly now: readonly [one: string, many: string]
  /** In the history, after who did it: "paused it"; null if the history has no line of it. */
  readonly did: string | null
}

/** An effect before its noun is known, which its history names. */
type Declared = Omit<Effect, 'did'> & { verb: string; object: string | null | undefined }

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
/** Something that the records themselves do: "gets", "get". */
const does = (verb: string, rest: string, object: string | null, did: string): Declared => ({
  be: `${verb}${rest}`,
  now: [`${verb}s${rest}`, `${verb}${rest}`],
  verb: did,
  object,
})

/** TABLE  call → its effect, where its noun's plain verbs below don't say it. A name without a call has no history. */
const EFFECTS = {
  'project.goLive': is('live', 'it', 'launched'),
  'project.pause': is('paused', 'it'),
  'project.resume': is('back in field', 'it', 'resumed'),
  'project.complete': is('completed', 'it'),
  'project.reopen': is('open again, at requirements', 'it', 'reopened'),
  'project.approve': is('approved', 'the quote'),
  'project.rejectQuote': is('back on quote', 'the quote', 'rejected'),
  'project.reject': is('rejected', 'the quote or project'),
  'project.withdraw': is('withdrawn', null),
  'project.setOwner': is('assigned', 'the owner'),
  'project.askAgain': { ...is('quoted again', null), now: ['will be quoted again', 'will be quoted again'] },
  'project.quote': is('quoted to the client', null),
  'project.quotes': is('quoted to their clients', null),
  'project.notifyCost': is('quoted to the client by email', 'the client about the cost', 'emailed'),
  'project.assignPartner': {
    ...is('', 'a partner', 'invited'),
    be: 'invite its partners',
    now: ['has invited its partners', 'have invited their partners'],
  },
  'invitation.remind': {
    ...is('', 'a partner', 'reminded'),
    be: 'remind its silent partners',
    now: ['has reminded its silent partners', 'have reminded their silent partners'],
  },
  'project.export': is('being exported', null),
  'note.create': { ...is('', 'a note', 'added'), be: 'have your note', now: ['has your note', 'have your note'] },
  'note.remove': was('deleted', 'a note'),
  'file.remove': was('deleted', 'an asset'),
  'file.removeSigned': was('removed', null),
  'audience.edit': is('switched', null),
  'brand.activate': is('active', null),
  'brand.deactivate': is('inactive', null),
  'account.endSession': is('signed out', 'a device', 'signed out'),
  'job.retry': is('running again', null),
  'job.cancel': is('cancelled', null),
  'outbox.retry': { ...is('sent again', null), now: ['is on its way', 'are on their way'] },
  'outbox.withdraw': is('cancelled', null),
  'user.resendActivation': {
    ...was('sent', 'an invitation again'),
    be: 'be sent a new activation email',
    now: ['was sent a new activation email', 'were sent new activation emails'],
  },
  'user.resetPassword': {
    ...was('sent', 'a temporary password'),
    be: 'be sent a temporary password',
    now: ['was sent a temporary password', 'were sent temporary passwords'],
  },
  'entry.redeem': short('paid', 'rewards'),
  'entry.paying': short('on the way', null),
  'entry.reject': short('rejected', 'rewards'),
  'entry.secondChance': short('pending again', 'rewards', 'reinstated'),
  'entry.clear': short('cleared', 'the pending rewards'),
  'reward.copy': short('copied', 'rewards'),
  'award.create': does('get', '', 'a VIP experience', 'awarded'),
  'notification.send': does('go', '', 'the notification', 'sent'),
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
  const { be, now, verb: did, object = `the ${wordOf(noun)}` } = row
  return { be, now, did: object === null ? null : `${did} ${object}` }
}

/** Returns the effect of a call. */
export const effectOf = (id: EffectId): Effect => findEffect(id)!

/** The effect of a change to a status: "is now approved". */
export const statusEffect = (status: Status): Effect => {
  const { be, now, verb, object } = is(`now ${STEP[status]}`, 'the status', 'changed')
  return { be: be.replace('now ', ''), now, did: `${verb} ${object}` }
}

/** What a sentence is about: a record by its name, one without a name, or how many of a noun. */
export type Subjects =
  | { name: string; kind?: string }
  | { noun: string }
  | { count: number; noun: string; nouns?: string }

/** The facts of an effect. */
export type Facts = Subjects & {
  /** What follows the verb: "to 12 people". */
  rest?: string
  /** Records that stay as they are. */
  left?: number
  /** What is said of those, if not "left as they were": "skipped". */
  leftWords?: string
  /** In how many seconds it starts; for `soon`. */
  seconds?: number
  /** Sentences that follow. */
  also?: readonly string[]
}

/** Quotes a name, so that it doesn't read as part of the sentence. Names of people and addresses stay unquoted. */
export const quotedName = (name: string, kind?: string): string =>
  kind === 'user' || kind === 'entry' ? isolateBidi(name) : `“${isolateBidi(name)}”`

const subjectsOf = (facts: Subjects): string => {
  if ('name' in facts) return quotedName(facts.name, facts.kind)
  if ('count' in facts) return counted(facts.count, wordIn(facts.noun), facts.nouns ?? wordIn(facts.noun, true))
  const word = wordOf(facts.noun)
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`
}
const wordIn = (noun: string, many = false): string => (nounOf(noun)?.words ? wordOf(noun, many) : many ? `${noun}s` : noun)

const isOne = (facts: Subjects): boolean => !('count' in facts) || facts.count === 1

/** The verb of an effect at a time, of one record or several: "would be paused", "are paused". */
export function verbOf({ be, now }: Effect, when: When, one = true): string {
  if (when === 'before') return `would ${be}`
  return when === 'soon' ? `will ${be}` : now[one ? 0 : 1]
}

/** Describes an effect without a full stop: "“Wave 12” is paused", "2 rewards would be paid, 1 left as it was". */
export function clauseOf(effect: Effect, facts: Facts, when: When): Sentence {
  const { rest = '', left = 0, leftWords = `left as ${left === 1 ? 'it was' : 'they were'}`, seconds } = facts
  const start = [subjectsOf(facts), verbOf(effect, when, isOne(facts)), rest].filter(Boolean).join(' ')
  const soon = when === 'soon' && seconds !== undefined ? ` in ${counted(seconds, 'second')}` : ''
  return stripBidi(`${start}${soon}${left ? `, ${count(left)} ${leftWords}` : ''}`) as Sentence
}

/** Describes an effect: "“Wave 12” is paused.", "2 rewards would be paid, 1 left as it was." */
export const sentenceOf = (effect: Effect, facts: Facts, when: When): Sentence =>
  withStop(joinSentences([clauseOf(effect, facts, when), ...(facts.also ?? []).filter(Boolean)])) as Sentence
