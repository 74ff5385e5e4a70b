import type { z } from 'zod'
import type { Call } from '../../contract/call.ts'
import type { Ctx } from './context.ts'

/** What a handler with its own transactions does with an `Idempotency-Key`: honors it, or says why it takes none. */
export type Keyed = 'writeIdempotent' | { noKey: string }
/** Any call's handler, as the unit of work and the routes see it. */
export type AnyHandler = ((ctx: Ctx<never>) => Promise<unknown>) & Timing
interface Timing {
  ownTransaction?: Keyed
  /** Runs before the write's transaction. */
  before?: (ctx: Ctx<never>) => Promise<void>
}
/** The handler of one call; tsc checks its input and output against the calls table. */
type Handler<C extends Call> = ((ctx: Ctx<z.output<C['input']>>) => Promise<z.input<C['output']>>) & Timing
/** One handler for each of a noun's calls; tsc names a missing one. */
export type HandlersOf<Rows extends Record<string, Call>> = { [Id in keyof Rows & string]: Handler<Rows[Id]> }

/** Marks a write that opens its own transactions (slow hashing, uploads, streams), and how it treats a key. */
export function ownTransaction<I, O>(
  keyed: Keyed,
  handler: (ctx: Ctx<I>) => Promise<O>,
): ((ctx: Ctx<I>) => Promise<O>) & { ownTransaction: Keyed } {
  return Object.assign(handler, { ownTransaction: keyed })
}

/** Does something slow or throttled before a write's transaction, such as checking a password. */
export const preceded = <I, O>(
  before: (ctx: Ctx<never>) => Promise<void>,
  handler: (ctx: Ctx<I>) => Promise<O>,
): ((ctx: Ctx<I>) => Promise<O>) & { before: (ctx: Ctx<never>) => Promise<void> } => Object.assign(handler, { before })
