import { count as number } from '../../contract/format.ts'
import type { Command, DoneWords, Each, Result } from '../commands/command.ts'
import type { Subject } from '../commands/subject.ts'
import { named, nounOf } from '../commands/words.ts'
import { type Api, ApiError } from '../data/api.ts'

/** Why a record is left of a work that ended early. */
export const NOT_TRIED = 'not tried'
/** How many records are written at a time. */
export const AT_ONCE = 4
/** Times that "too often" is waited for, a record. */
const PATIENCE = 5

interface Hooks {
  api: Api
  signal: AbortSignal
  progress(done: number, total: number, note?: string): void
}
/** What came of records done one by one. */
export interface Outcome<T> {
  done: { subject: T; made: unknown }[]
  refused: { subject: T; reason: string }[]
  /** Those it never came to: it was cancelled, or the server was lost. */
  rest: T[]
  /** Why it ended early, when it was not cancelled. */
  lost: ApiError | null
}

/** Does work to records, some at a time, in order. A refusal concerns its record alone; a lost server or session ends the rest; cancelled, it stops between two. */
export async function mapConcurrent<T extends { name: string }>(
  records: readonly T[],
  { signal, progress }: Omit<Hooks, 'api'>,
  work: (record: T) => Promise<unknown>,
): Promise<Outcome<T>> {
  const outcome: Outcome<T> = { done: [], refused: [], rest: [], lost: null }
  let next = 0
  let ended = 0
  const one = async (): Promise<void> => {
    while (next < records.length && !signal.aborted && !outcome.lost) {
      const subject = records[next++]!
      progress(ended, records.length, subject.name)
      try {
        outcome.done.push({ subject, made: await patiently(() => work(subject), signal) })
      } catch (error) {
        if (error instanceof ApiError && error.status !== 0 && error.status !== 401)
          outcome.refused.push({ subject, reason: error.message })
        else {
          // Whatever broke, what was done is told, and can be taken back.
          outcome.lost ??= error instanceof ApiError ? error : broken(error)
          outcome.rest.push(subject)
        }
      }
      progress(++ended, records.length, subject.name)
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, records.length) }, one))
  outcome.rest.push(...records.slice(next))
  return outcome
}

function broken(error: unknown): ApiError {
  console.error(error)
  return new ApiError(0, 'broken', 'Something went wrong in the workspace. Please try again.')
}

/** Waits where the server says that it was too often, and goes on. */
async function patiently(work: () => Promise<unknown>, signal: AbortSignal): Promise<unknown> {
  for (let tried = 1; ; tried++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429 || tried === PATIENCE || signal.aborted) throw error
      const seconds = Math.min(60, Number(error.more.retry_after) || 2)
      await new Promise((later) => setTimeout(later, seconds * 1000))
    }
  }
}

/** Does a command to each of its records; one alone throws, so that the runner can lead back to its answers. */
export async function doEach(
  command: Command & { each: Each<never> },
  subjects: readonly Subject[],
  answers: Readonly<Record<string, unknown>>,
  hooks: Hooks,
): Promise<Result> {
  const { each } = command
  const { api, signal } = hooks
  // Cancelled, it stops between two records: a write that is under way ends, so that it is known what was done.
  const given = (subject: Subject) => ({ api, subject, answers: answers as never, signal: NEVER })
  const done = typeof each.done === 'function' ? each.done(answers as never) : each.done
  if (subjects.length === 1) {
    const [subject] = subjects as [Subject]
    const made = await each.one({ ...given(subject), signal })
    const own = each.answers && (made as { message?: unknown }).message
    return {
      message: typeof own === 'string' ? own : `${named(subject)} ${done[0]}`,
      ...(each.dialog ? { dialog: each.dialog } : {}),
    }
  }
  const outcome = await mapConcurrent(subjects, hooks, (subject) => each.one(given(subject)))
  const refused = outcome.refused.map(({ subject, reason }) => ({ id: subject.id, name: subject.name, reason }))
  const lost = outcome.lost ? outcome.rest.map(({ id, name }) => ({ id, name, reason: NOT_TRIED })) : []
  return {
    message: sentence(outcome, subjects, done),
    ...(refused.length + lost.length ? { refused: [...refused, ...lost] } : {}),
    ...(!outcome.lost && outcome.rest.length ? { rest: outcome.rest } : {}),
  }
}

const NEVER = new AbortController().signal

function sentence({ done, rest, lost, refused }: Outcome<Subject>, all: readonly Subject[], words: DoneWords): string {
  const noun = nounOf(all)
  const word = words[done.length === 1 ? 0 : 1]
  if (lost) return `${number(done.length)} of ${number(all.length)} ${noun} ${word}. Then: ${lost.message}`
  if (rest.length)
    return `Stopped: ${number(done.length)} of ${number(all.length)} ${noun} ${word}; the rest ${rest.length === 1 ? 'didn’t change' : 'didn’t change'}`
  return refused.length
    ? `${number(done.length)} of ${number(all.length)} ${noun} ${word}`
    : `${number(all.length)} ${noun} ${word}`
}
