import type { CallId } from '../../contract/calls.ts'
import type { WriteOptions } from '../data/api.ts'
import { type PendingCall, pendingCalls } from '../data/apiClient.ts'
import { wait } from '../ui/wait.ts'

type Handler = NonNullable<WriteOptions['undoable']>

/** How something under way ended: its entry or its change sets for the undo stack, and why it failed. */
export interface Ending {
  /** The entry that a command has posted. */
  key?: number
  /** The change sets of other writes; who made them posts them a moment later. */
  steps?: readonly number[]
  failed?: unknown
}
/** A step that is not done yet: a command, a form's writes or a single write. */
export interface PendingWrite {
  /** The same at each look. */
  is: object
  title: string
  /** When it began, by performance.now(). */
  at: number
  ended(): Promise<Ending>
}

const commands = new Map<Handler, PendingWrite>()

/** Says that a command began, with the handler of its change sets; returns the function that ends it, once. */
export function trackCommand(title: string, undoable: Handler): (ending: Ending) => void {
  let end: (ending: Ending) => void = () => {}
  const ended = new Promise<Ending>((resolve) => {
    end = resolve
  })
  commands.set(undoable, { is: undoable, title, at: performance.now(), ended: () => ended })
  return (ending) => {
    commands.delete(undoable)
    end(ending)
  }
}

/** What is under way now, the latest first; `titleOf` names a write that no command makes. */
export function pendingWrites(titleOf: (call: CallId) => string): readonly PendingWrite[] {
  const steps = [...commands.values()]
  const seen = new Set<object>(commands.keys())
  for (const write of pendingCalls()) {
    const is = write.undoable ?? write
    if (seen.has(is)) continue
    seen.add(is)
    steps.push({ is, title: titleOf(write.call), at: write.at, ended: () => endOf(write) })
  }
  return steps.sort((a, b) => b.at - a.at)
}

/** Waits for a write and, where it is one of several of a step, for those that follow it. */
async function endOf(first: PendingCall): Promise<Ending> {
  const steps: number[] = []
  let failed: unknown
  for (let writes: readonly PendingCall[] = [first]; writes.length; ) {
    for (const write of writes) {
      failed = (await write.ended) ?? failed
      if (write.id) steps.push(write.id)
    }
    if (!first.undoable) break
    // The next write of the step begins as soon as the answer is read.
    await wait()
    writes = pendingCalls().filter((write) => write.undoable === first.undoable)
  }
  return { steps, failed }
}
