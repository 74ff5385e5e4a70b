import type { FastifyReply } from 'fastify'
import type { Call } from '../../contract/call.ts'
import type { CallId } from '../../contract/calls.ts'
import { takesDry } from '../../contract/dry.ts'
import { DRY_HEADER } from '../../contract/headers.ts'
import { invalid } from '../core/errors.ts'
import { namesOf } from '../core/input.ts'

const YES = /^(1|true|yes)$/i
const NO = /^(0|false|no|)$/i
/** Names that programs give to `dry`. */
const NEARLY_DRY = /^(?:is_?)?(?:dry_?run|dry_?mode|dryrun_?mode|preview_?only|simulate)$/i

/** Marks every answer of a dry run, an error's too, in its header. */
export const markDry = (reply: Pick<FastifyReply, 'header'>): unknown => reply.header(DRY_HEADER, '1')
export const isMarkedDry = (reply: Pick<FastifyReply, 'hasHeader'>): boolean => reply.hasHeader(DRY_HEADER)

/** The answer of a dry run, which says so in its body, too. */
export const sayDry = (answer: unknown): unknown =>
  typeof answer === 'object' && answer !== null && !Array.isArray(answer) ? { ...answer, dry: true } : answer

/** True for the words that mean yes. */
export const isYes = (value: unknown): boolean => YES.test(String(value ?? '').trim())

/**
 * Whether a write is a dry run, and its input without `dry`.
 * Throws a 422 for an unclear value and for `dry_run` and its like.
 * It refuses calls without dry runs, too: a dry run must never write.
 */
export function withoutDry(
  id: CallId,
  row: Call,
  input: Record<string, unknown>,
): { dry: boolean; input: Record<string, unknown> } {
  const writes = row.method !== 'GET' || row.unsafe === true
  const nearly = writes && Object.keys(input).find((name) => NEARLY_DRY.test(name) && !namesOf(row.input).includes(name))
  if (nearly) throw invalid(nearly, `${nearly} is not a field of this call. Did you mean dry?`, 'unknown_field')
  if (!writes || input.dry === undefined || namesOf(row.input).includes('dry')) return { dry: false, input }
  const { dry, ...rest } = input
  const word = typeof dry === 'object' ? 'neither' : String(dry).trim()
  if (!YES.test(word) && !NO.test(word)) throw invalid('dry', 'dry must be 1 or 0')
  if (!YES.test(word)) return { dry: false, input: rest }
  if (!takesDry(id, row)) throw invalid('dry', 'This call has no dry run: leave out dry')
  return { dry: true, input: rest }
}
