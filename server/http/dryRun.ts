import type { Call } from '../../contract/call.ts'
import type { CallId } from '../../contract/calls.ts'
import { takesDry } from '../../contract/dry.ts'
import { invalid } from '../core/errors.ts'
import { namesOf } from '../core/input.ts'

const YES = /^(1|true|yes)$/i
const NO = /^(0|false|no|)$/i

/**
 * Whether a write is a dry run, and its input without `dry`.
 * Throws a 422 for an unclear value, and for calls without dry runs, because a dry run must never write.
 */
export function withoutDry(
  id: CallId,
  row: Call,
  input: Record<string, unknown>,
): { dry: boolean; input: Record<string, unknown> } {
  const writes = row.method !== 'GET' || row.unsafe === true
  if (!writes || input.dry === undefined || namesOf(row.input).includes('dry')) return { dry: false, input }
  const { dry, ...rest } = input
  const word = typeof dry === 'object' ? 'neither' : String(dry).trim()
  if (!YES.test(word) && !NO.test(word)) throw invalid('dry', 'dry must be 1 or 0')
  if (!YES.test(word)) return { dry: false, input: rest }
  if (!takesDry(id, row)) throw invalid('dry', 'This call has no dry run: leave out dry')
  return { dry: true, input: rest }
}
