import { type Api, ApiError } from '../data/api.ts'
import type { Result, RunContext, Subject } from './command.ts'

/** "“Summer Snack Tracker”" or "7 projects". */
export const listed = (subjects: readonly Subject[], many = 'projects'): string =>
  subjects.length === 1 ? `“${subjects[0]!.name}”` : `${subjects.length} ${many}`

/** Cents as dollars: $1,250.00. */
export const money = (cents: number): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(cents / 100)

interface More {
  dialog?: Result['dialog']
  /** What the subjects are called together. */
  many?: string
}

/**
 * Runs one write a subject, in order, with progress: what was refused is listed by name with its reason, the rest is done.
 * One subject alone throws instead, so that the runner can lead back to its answers.
 */
export async function each<A>(
  context: RunContext<A>,
  done: string,
  write: (api: Api, subject: Subject, signal: AbortSignal) => Promise<unknown>,
  more: More = {},
): Promise<Result> {
  const { subjects, api, signal, progress } = context
  if (subjects.length === 1) {
    await write(api, subjects[0]!, signal)
    return { said: `${subjects[0]!.name}: ${done}`, ...(more.dialog ? { dialog: more.dialog } : {}) }
  }
  const refused: { id: number; name: string; reason: string }[] = []
  for (const [at, subject] of subjects.entries()) {
    if (signal.aborted) break
    progress(at, subjects.length, subject.name)
    try {
      await write(api, subject, signal)
    } catch (error) {
      // A lost session or network ends the rest; what the server refuses concerns this one alone.
      if (!(error instanceof ApiError) || error.status === 0 || error.status === 401) throw error
      refused.push({ id: subject.id, name: subject.name, reason: error.message })
    }
  }
  progress(subjects.length, subjects.length)
  const good = subjects.length - refused.length
  return { said: `${good} of ${subjects.length} ${more.many ?? 'projects'} ${done}`, ...(refused.length ? { refused } : {}) }
}
