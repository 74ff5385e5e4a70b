import type { Sentence } from '../../contract/effectText.ts'
import { count as number } from '../../contract/format.ts'
import { andThen, clauseOf, type Effect, effectOf } from '../../contract/writeEffects.ts'
import type { Each, RawAnswers, Result } from '../commands/command.ts'
import type { Subject } from '../commands/subject.ts'
import { nounOf } from '../commands/words.ts'
import type { Api } from '../data/api.ts'
import { mapConcurrent, type Outcome } from '../data/mapConcurrent.ts'

/** The reason of a record that was left when work ended early. */
export const NOT_TRIED = 'not tried'
interface Hooks {
  /** Receives the work's result for each record. */
  made?: unknown[]
  api: Api
  signal: AbortSignal
  progress(done: number, total: number, note?: string): void
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
