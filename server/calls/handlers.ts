import { type CallId, calls } from '../../contract/calls.ts'
import { OLDER_CALLS } from '../../contract/olderCalls.ts'
import { type OlderCall, olderCalls } from '../../contract/olderRows.ts'
import type { Ctx } from '../core/context.ts'
import type { AnyHandler } from '../core/handler.ts'
import { modulesIn } from '../db/modulesIn.ts'

const rows = (await modulesIn(new URL('./', import.meta.url), import.meta.url)).flatMap(([, module]) =>
  Object.entries(module).flatMap(([name, handlers]) => (name.endsWith('Handlers') ? Object.entries(handlers as object) : [])),
)
const found = new Map<string, AnyHandler>(rows)

/** An older call's handler: its twin's, between what the row makes of input and answer. */
function adapted(id: string, row: Pick<OlderCall, 'in' | 'out'>): AnyHandler | undefined {
  const handler = found.get(OLDER_CALLS[id]!)
  const { in: read, out: spell } = row as { in?: (input: unknown) => unknown; out?: (answer: unknown) => unknown }
  if (!handler || (!read && !spell)) return handler
  // Its own transactions would read the request's input again.
  if (read && handler.ownTransaction) throw new Error(`${id} can’t change the input of its twin, which has its own transactions`)
  const work = async (ctx: Ctx<never>) => {
    // A context has getters, which a copy would call.
    const answer = await handler(read ? Object.create(ctx, { input: { value: read(ctx.input) } }) : ctx)
    return spell ? spell(answer) : answer
  }
  return Object.assign(work, handler)
}
for (const [id, row] of Object.entries(olderCalls)) {
  const handler = adapted(id, row)
  if (handler) found.set(id, handler)
}
const without = Object.keys(calls).filter((id) => !found.has(id))
if (without.length) throw new Error(`No file in server/calls/ has a handler for ${without.join(', ')}`)

/** A handler for each call, from this folder's `…Handlers` exports; startup fails and names a missing one. */
export const handlers = Object.fromEntries(Object.keys(calls).map((id) => [id, found.get(id)])) as Record<CallId, AnyHandler>
