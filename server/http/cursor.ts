import { createHash } from 'node:crypto'
import type { Ctx, CursorValue, Services } from '../core/context.ts'
import { invalid } from '../core/errors.ts'

type Caller = Ctx['caller']
type Fields = Record<string, unknown>
const PURPOSE = 'cursor'
/** What the list's order and matches don't depend on. */
const PAGE_FIELDS = ['page', 'per_page', 'cursor']

/** What a cursor belongs to: the caller, the list, its filters and its order. */
function listKey(id: string, caller: Caller, input: unknown): string {
  const filter = Object.entries((input ?? {}) as Fields).filter(([name]) => !PAGE_FIELDS.includes(name))
  const who = caller.actor ? `user ${caller.actor.id}` : `key ${caller.apiKey?.id ?? ''}`
  const text = JSON.stringify([id, who, filter.sort(([a], [b]) => (a < b ? -1 : 1))])
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}

/** A cursor to the rows behind these values. It is encrypted, as a list may sort by what a caller doesn't see. */
export const sealCursor = ({ secrets }: Services, id: string, caller: Caller, input: unknown, values: readonly CursorValue[]) =>
  secrets.seal(PURPOSE, JSON.stringify([listKey(id, caller, input), ...values]))

/** The values of the cursor in a list's input; null without one. Throws a 422 for an unknown or foreign one. */
export function openCursor({ secrets }: Services, id: string, caller: Caller, input: unknown): readonly CursorValue[] | null {
  const { cursor, page } = (input ?? {}) as { cursor?: string; page?: number }
  if (cursor === undefined) return null
  const opened = secrets.unseal(PURPOSE, cursor)
  if (!opened) throw invalid('cursor', 'cursor is not one that this server made; begin again without it')
  if (page !== undefined && page > 1) throw invalid('cursor', 'cursor can’t be sent with a page; send one of the two')
  const [key, ...values] = JSON.parse(opened.text) as [string, ...CursorValue[]]
  if (key !== listKey(id, caller, input))
    throw invalid('cursor', 'cursor belongs to another list, other filters or another order; begin again without it')
  return values
}
