import { nounOf, nounsWith } from './nounOf.ts'
import type { NounId } from './nouns.ts'

/** Reads of nouns whose screens read them otherwise. */
const ALSO: Readonly<Record<string, string>> = { note: 'note.get', file: 'file.get', offer: 'offer.get' }
/** Work under way, which a person watches; and webhooks, whose messages would make messages. */
const NOT: ReadonlySet<string> = new Set(['import', 'webhook', 'delivery'])

/** The nouns that a webhook can follow: those whose records are read by id. */
export const webhookNouns: readonly NounId[] = nounsWith((row) => row.words && !row.of).filter(
  (noun) => !NOT.has(noun) && readOfNoun(noun) !== null,
)

/** The call whose answer a webhook's body carries; null for a noun that none can follow. */
export function readOfNoun(noun: string): string | null {
  return nounOf(noun)?.reads ?? ALSO[noun] ?? null
}

/** What a change of a record is called, by a live event's kind. */
export const WEBHOOK_VERBS = { put: 'updated', drop: 'removed', counters: 'counted' } as const

/** The type of a message: `project.updated`. */
export const webhookType = (noun: string, kind: string): string =>
  `${noun}.${WEBHOOK_VERBS[kind as keyof typeof WEBHOOK_VERBS] ?? 'updated'}`

/** Nouns whose figures move without a change of the record. */
const COUNTED: ReadonlySet<string> = new Set(['project', 'activity', 'service', 'notification'])
/** Every type of message but that of a test, with its noun. */
export const webhookTypes: readonly { type: string; noun: NounId; verb: keyof typeof WEBHOOK_VERBS }[] = webhookNouns.flatMap(
  (noun) =>
    (['put', 'drop', 'counters'] as const)
      .filter((kind) => kind !== 'counters' || COUNTED.has(noun))
      .map((verb) => ({ type: webhookType(noun, verb), noun, verb })),
)
