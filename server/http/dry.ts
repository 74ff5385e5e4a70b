import { ruleOf } from '../../contract/access.ts'
import type { Call } from '../../contract/call.ts'
import type { CallId } from '../../contract/calls.ts'
import { invalid } from '../core/errors.ts'
import { namesOf } from '../core/input.ts'

/**
 * True for the writes that take `dry=1`: all but those of strangers, streams and uploads, whose contents are kept before their rows, and those that have a
 * `dry` of their own, as they check more than they would write.
 */
export const takesDry = (id: CallId, row: Call): boolean =>
  (row.method !== 'GET' || row.unsafe === true) &&
  ruleOf(id).who !== 'public' &&
  !row.as &&
  !row.lines &&
  !namesOf(row.input).includes('dry')

const YES = /^(1|true|yes)$/i
const NO = /^(0|false|no|)$/i

/**
 * Whether a write is only to say what it would do, and its input without that. Throws a 422 for what is neither yes nor no, and for a call that can't be
 * tried: nobody who asked for a dry run finds it done.
 */
export function withoutDry(
  id: CallId,
  row: Call,
  given: Record<string, unknown>,
): { dry: boolean; given: Record<string, unknown> } {
  const writes = row.method !== 'GET' || row.unsafe === true
  if (!writes || given.dry === undefined || namesOf(row.input).includes('dry')) return { dry: false, given }
  const { dry: said, ...rest } = given
  const word = typeof said === 'object' ? 'neither' : String(said).trim()
  if (!YES.test(word) && !NO.test(word)) throw invalid('dry', 'dry must be 1 or 0')
  if (!YES.test(word)) return { dry: false, given: rest }
  if (!takesDry(id, row)) throw invalid('dry', 'This call can’t be tried: it takes no dry=1')
  return { dry: true, given: rest }
}
