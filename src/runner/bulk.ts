import type { Sentence } from '../../contract/effectText.ts'
import { count as number } from '../../contract/format.ts'
import { andThen, clauseOf, type Effect, effectOf } from '../../contract/writeEffects.ts'
import type { Each, RawAnswers, Result } from '../commands/command.ts'
import type { Subject } from '../commands/subject.ts'
import { nounOf } from '../commands/words.ts'
import { type Api, ApiError } from '../data/api.ts'
import { wait } from '../ui/wait.ts'

/** The reason of a record that was left when work ended early. */
export const NOT_TRIED = 'not tried'
/** How many records are written concurrently. */
export const AT_ONCE = 4
/** How often to wait after "too many requests", per record. */
const MOST_RETRIES = 5

interface Hooks {
  /** Receives the work's result for each record. */
  made?: unknown[]
  api: Api
  signal: AbortSignal
  progress(done: number, total: number, note?: string): void
}
/** The result of work done record by record. */
export interface Outcome<T> {
  done: { subject: T; made: unknown }[]
  refused: { subject: T; reason: string }[]
  /** Records not reached, after a cancel or a lost connection. */
  rest: T[]
  /** Why it ended early, unless it was cancelled. */
  lost: ApiError | null
}

/**
 * Runs work on records in order, a few concurrently. An error affects only its record; canceling stops in between.
 * A lost connection or session ends the rest.
 */
export async function mapConcurrent<T extends { name: string }>(
  records: readonly T[],
  { signal, progress }: Omit<Hooks, 'api' | 'made'>,
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
        outcome.done.push({ subject, made: await withRetries(() => work(subject), signal) })
      } catch (error) {
        if (error instanceof ApiError && error.status !== 0 && error.status !== 401)
          outcome.refused.push({ subject, reason: error.message })
        else {
          // Whatever failed, report what was done, so that it can be undone.
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
  return new ApiError(0, 'broken', 'Something went wrong in the workspace. Try again.')
}

/** Waits and retries when the server says "too many requests". */
async function withRetries(work: () => Promise<unknown>, signal: AbortSignal): Promise<unknown> {
  for (let tried = 1; ; tried++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429 || tried === MOST_RETRIES || signal.aborted) throw error
      const seconds = Math.min(60, Number(error.more.retry_after) || 2)
      await wait(seconds * 1000)
    }
  }
}

/** Runs a command on each record; for a single one it throws, so that the runner can return to the answers. */
export async function doEach(
  { each }: { each: Each<never> },
  subjects: readonly Subject[],
  answers: RawAnswers,
  hooks: Hooks,
): Promise<Result> {
  const { api, signal } = hooks
  // Canceling stops between records; a running write finishes, so that its outcome is known.
  const contextOf = (subject: Subject) => ({ api, subject, answers: answers as never, signal: NEVER })
  const done = typeof each.done === 'function' ? each.done(answers as never) : each.done
  const effect = typeof done === 'string' ? effectOf(done) : done
  const seconds = each.undoFor?.(answers as never)
  const undoing = seconds === undefined ? {} : { undoUntil: Date.now() + seconds * 1000 }
  if (subjects.length === 1) {
    const [subject] = subjects as [Subject]
    const made = await each.one({ ...contextOf(subject), signal })
    hooks.made?.push(made)
    const dialog = (await each.leads?.({ ...contextOf(subject), signal })) ?? each.dialog
    const own = each.answers && (made as { message?: Sentence }).message
    return {
      message: andThen(own || clauseOf(effect, { name: subject.name, kind: subject.kind }, 'after'), each.adds?.(made) ?? ''),
      ...(dialog ? { dialog } : {}),
      ...undoing,
    }
  }
  const outcome = await mapConcurrent(subjects, hooks, (subject) => each.one(contextOf(subject)))
  hooks.made?.push(...outcome.done.map(({ made }) => made))
  const refused = outcome.refused.map(({ subject, reason }) => ({ id: subject.id, name: subject.name, reason }))
  const lost = outcome.lost ? outcome.rest.map(({ id, name }) => ({ id, name, reason: NOT_TRIED })) : []
  return {
    message: sentence(outcome, subjects, effect),
    ...(refused.length + lost.length ? { refused: [...refused, ...lost] } : {}),
    ...(!outcome.lost && outcome.rest.length ? { rest: outcome.rest } : {}),
    ...undoing,
  }
}

const NEVER = new AbortController().signal

function sentence({ done, rest, lost, refused }: Outcome<Subject>, all: readonly Subject[], effect: Effect): Sentence {
  const part = lost || rest.length || refused.length
  const noun = `${part ? `of ${number(all.length)} ` : ''}${nounOf(all)}`
  const some = { count: done.length, words: [noun, noun] } as const
  if (lost) return clauseOf(effect, { ...some, rest: `. Then: ${lost.message}` }, 'after')
  if (rest.length) return clauseOf(effect, { ...some, lead: 'Stopped: ', rest: '; the rest didn’t change' }, 'after')
  return clauseOf(effect, some, 'after')
}
