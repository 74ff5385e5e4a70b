import type { z } from 'zod'
import type { Call } from '../../contract/call.ts'
import type { Ctx } from './context.ts'

/** A handler of whatever row: what the unit of work and the routes see of it. */
export type AnyHandler = (ctx: Ctx<never>) => Promise<unknown>
/** How a handler with its own transactions treats an `Idempotency-Key`: it writes by `ctx.writeIdempotent`, or takes none, and says why. */
export type Keyed = 'writeIdempotent' | { noKey: string }
/** A handler over one row of the calls table: tsc holds its input and its answer against the row. */
export type Handler<C extends Call> = ((ctx: Ctx<z.output<C['input']>>) => Promise<z.input<C['output']>>) & {
  ownTransaction?: Keyed
}
/** Total over a noun's rows: tsc names the one you forgot. */
export type HandlersOf<Rows extends Record<string, Call>> = { [Id in keyof Rows & string]: Handler<Rows[Id]> }

/** Marks a write that opens its own transactions by `ctx.write` or `ctx.writeIdempotent` (slow hashing, uploads, streams), and says how it treats a key. */
export function ownTransaction<I, O>(
  keyed: Keyed,
  handler: (ctx: Ctx<I>) => Promise<O>,
): ((ctx: Ctx<I>) => Promise<O>) & { ownTransaction: Keyed } {
  return Object.assign(handler, { ownTransaction: keyed })
}
