import { nounOf } from './nounOf.ts'
import { webhookNouns } from './webhookNouns.ts'

/** Verbs of the calls that list a noun's own records. */
const LISTS: ReadonlySet<string> = new Set(['list', 'listAll', 'ofProject', 'ofClient', 'assets', 'documents', 'media'])

/** The noun whose deleted records a list with `updated_since` names; null for other calls. */
export function deletionsListed(call: string): string | null {
  const [noun = '', verb = ''] = call.split('.')
  const own = nounOf(noun)?.of ?? noun
  return LISTS.has(verb) && (webhookNouns as readonly string[]).includes(own) && !LISTED_ELSEWHERE.has(call) ? own : null
}
/** The older spelling's envelopes have no place for them. */
const LISTED_ELSEWHERE: ReadonlySet<string> = new Set(['campaign.list'])
