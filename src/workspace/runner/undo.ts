import type { Result } from '../../commands/command.ts'
import { ApiError } from '../../data/api.ts'
import { api } from '../../data/client.ts'
import { say } from './say.tsx'

interface Step {
  what: string
  undo: NonNullable<Result['undo']>
  key: number
}
const MOST = 30
const steps: Step[] = []
let keys = 0

/** Remembers how to take something back; returns the way to do it, once. */
export function postUndo(what: string, undo: Step['undo']): () => void {
  const step = { what, undo, key: ++keys }
  steps.push(step)
  if (steps.length > MOST) steps.shift()
  return () => void take(step)
}

/** Forgets a step: what it would take back has happened, or was taken back. */
export function dropUndo(what: Step['undo']['run']): void {
  const at = steps.findIndex((step) => step.undo.run === what)
  if (at >= 0) steps.splice(at, 1)
}

/** Takes back the last thing that can be. */
export function undoLast(): void {
  const step = steps.at(-1)
  if (step) void take(step)
  else void say('There is nothing to undo.')
}

async function take(step: Step): Promise<void> {
  const at = steps.indexOf(step)
  if (at < 0) return
  steps.splice(at, 1)
  try {
    await step.undo.run(api)
    void say(`Undone: ${step.what}`)
  } catch (error) {
    const failed = error instanceof ApiError ? error.message : 'It could not be undone just now.'
    // It stays the next to be undone: the network may be back in a moment.
    if (error instanceof ApiError && (error.status === 0 || error.status >= 500)) steps.push(step)
    void say(`Not undone: ${step.what}`, { tone: 'bad', detail: failed })
  }
}
