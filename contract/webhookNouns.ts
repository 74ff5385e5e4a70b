import { nounOf, nounsWith } from './nounOf.ts'
import type { NounId } from './nouns.ts'

/** The nouns that a webhook can follow: those whose records are read by id. */
export const webhookNouns: readonly NounId[] = nounsWith((row) => row.words && !row.of).filter(
  (noun) => !nounOf(noun)?.webhooks?.none && readOfNoun(noun) !== null,
)

/** The call whose response is the body of a message; null for a noun that webhooks can't follow. */
export function readOfNoun(noun: string): string | null {
  const row = nounOf(noun)
  return row?.webhooks?.reads ?? row?.reads ?? null
}

/** The verb of a message's type, by the live event's kind. */
export const WEBHOOK_VERBS = { put: 'updated', drop: 'removed', counters: 'counted' } as const

/** The type of a message: `project.updated`. */
export const webhookType = (noun: string, kind: string): string =>
  `${noun}.${WEBHOOK_VERBS[kind as keyof typeof WEBHOOK_VERBS] ?? 'updated'}`

/** Every type of message except the test, with its noun. */
export const webhookTypes: readonly { type: string; noun: NounId; verb: keyof typeof WEBHOOK_VERBS }[] = webhookNouns.flatMap(
  (noun) =>
    (['put', 'drop', 'counters'] as const)
      .filter((kind) => kind !== 'counters' || nounOf(noun)?.webhooks?.counts)
      .map((verb) => ({ type: webhookType(noun, verb), noun, verb })),
)
