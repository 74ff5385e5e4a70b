import type { Result } from '../../commands/command.ts'
import { ApiError } from '../../data/api.ts'
import { api } from '../../data/client.ts'
import { PartlyUndone } from './each.ts'
import { say } from './say.tsx'
import { working } from './works.ts'

interface Step {
  what: string
  undo: NonNullable<Result['undo']>
  /** It was tried and refused: what was done before it comes first then, and the toast tries it again. */
  refused: boolean
}
const MOST = 30
const steps: Step[] = []

/** Remembers how to take something back; returns the way to do it, once. */
export function postUndo(what: string, undo: Step['undo']): () => void {
  const step = { what, undo, refused: false }
  steps.push(step)
  if (steps.length > MOST) steps.shift()
  return () => void take(step)
}

/** Forgets a step: what it would take back has happened, or was taken back. */
export function dropUndo(what: Step['undo']['run']): void {
  const at = steps.findIndex((step) => step.undo.run === what)
  if (at >= 0) steps.splice(at, 1)
}

/** Takes back the last thing that can be; what was refused waits behind the others. */
export function undoLast(): void {
  const step = steps.findLast((one) => !one.refused) ?? steps.at(-1)
  if (step) void take(step)
  else void say('There is nothing to undo.')
}

async function take(step: Step): Promise<void> {
  const at = steps.indexOf(step)
  if (at < 0) return
  steps.splice(at, 1)
  try {
    await working(`Undo: ${step.what}`, (hooks) => step.undo.run(api, hooks))
    void say(`Undone: ${step.what}`)
  } catch (error) {
    const partly = error instanceof PartlyUndone ? error : null
    // It stays to be undone: the network may be back in a moment, the record free again.
    const left: Step = {
      ...step,
      undo: partly ? { ...step.undo, run: partly.again } : step.undo,
      refused: error instanceof ApiError && error.status >= 400 && error.status < 500,
    }
    steps.splice(Math.min(at, steps.length), 0, left)
    if (!(error instanceof ApiError) && !partly) console.error(error)
    void say(`Not ${partly ? 'all ' : ''}undone: ${step.what}`, {
      tone: 'bad',
      detail: partly || error instanceof ApiError ? (error as Error).message : 'It could not be undone just now.',
      lasts: 12_000,
      action: { label: 'Try again', run: () => void take(left) },
    })
  }
}
