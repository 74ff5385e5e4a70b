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

/** The verbs of types, with what each says. */
export const WEBHOOK_VERBS = {
  created: 'was created',
  updated: 'was changed',
  status_changed: 'got another status',
  removed: 'was deleted',
  counted: 'got other figures',
} as const
export type WebhookVerb = keyof typeof WEBHOOK_VERBS

/** What is known of an event that decides the type of its message. */
interface TypedEvent {
  noun: string
  kind: string
  /** It made the record. */
  isNew?: boolean
  /** Its record's former values. */
  before?: Readonly<Record<string, unknown>>
}

/** The type of a message, the most telling one: `project.status_changed`. */
export function webhookType({ noun, kind, isNew = false, before = {} }: TypedEvent): string {
  const verb: WebhookVerb =
    kind === 'drop'
      ? 'removed'
      : kind === 'counters'
        ? 'counted'
        : isNew
          ? 'created'
          : (statusColumn(noun) ?? '') in before
            ? 'status_changed'
            : 'updated'
  return `${noun}.${verb}`
}

const statusColumn = (noun: string): string | undefined => nounOf(noun)?.webhooks?.status

/** Every type of message except the test, with its noun. */
export const webhookTypes: readonly { type: string; noun: NounId; verb: WebhookVerb }[] = webhookNouns
  .filter((noun) => !nounOf(noun)?.webhooks?.silent)
  .flatMap((noun) =>
    (Object.keys(WEBHOOK_VERBS) as WebhookVerb[])
      .filter((verb) => verb !== 'counted' || nounOf(noun)?.webhooks?.counts)
      .filter((verb) => verb !== 'status_changed' || statusColumn(noun))
      .map((verb) => ({ type: `${noun}.${verb}`, noun, verb })),
  )
