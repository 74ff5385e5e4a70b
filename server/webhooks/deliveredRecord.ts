import { refusedTo } from '../../contract/access.ts'
import type { Actor } from '../../contract/actor.ts'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import { readOfNoun } from '../../contract/webhookNouns.ts'
import { handlers } from '../calls/handlers.ts'
import type { Caller, Services } from '../core/context.ts'
import { HttpError } from '../core/errors.ts'
import { readingAs } from '../core/unitOfWork.ts'

/** True if an owner's role may read the records of a noun. */
export const mayRead = (noun: string, actor: Actor): boolean => {
  const read = readOfNoun(noun)
  return read !== null && refusedTo(read as CallId, actor) === null
}

/** The record as its read call returns it to the caller now; null if they can't see it. */
export async function recordFor(services: Services, caller: Caller, noun: string, id: number): Promise<unknown> {
  const read = readOfNoun(noun) as CallId | null
  if (!read || !caller.actor || refusedTo(read, caller.actor) !== null) return null
  const row: Call = calls[read]
  const input = row.input.parse({ id })
  const ctx = Object.create(readingAs(services, read, caller), { input: { value: input } })
  try {
    const answer = await handlers[read](ctx as never)
    return (row.output.parse(answer) as { data: unknown }).data
  } catch (error) {
    if (error instanceof HttpError && (error.status === 404 || error.status === 403)) return null
    throw error
  }
}
