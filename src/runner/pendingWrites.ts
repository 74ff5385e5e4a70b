import type { CallId } from '../../contract/calls.ts'
import type { WriteOptions } from '../data/api.ts'
import { type PendingCall, pendingCalls } from '../data/apiClient.ts'
import { wait } from '../ui/wait.ts'

type Handler = NonNullable<WriteOptions['undoable']>

/** How a pending write ended: its entry or change sets for the undo stack, and its error. */
export interface Ending {
  /** The entry that a command has posted. */
  key?: number
  /** The change sets of other writes, which their caller posts a moment later. */
  steps?: readonly number[]
  failed?: unknown
}
/** A step that isn't done yet: a command, a form's writes or a single write. */
export interface PendingWrite {
  /** Identifies the step across calls. */
  is: object
  title: string
  /** When it began, by performance.now(). */
  at: number
  ended(): Promise<Ending>
}

const commands = new Map<Handler, PendingWrite>()

/** Records that a command began, with its handler of change sets; returns a function that ends it, once. */
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

/** Returns the pending steps, latest first; `titleOf` names a write made without a command. */
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

/** Waits for a write and, if it is one of several in a step, for those that follow. */
async function endOf(first: PendingCall): Promise<Ending> {
  const steps: number[] = []
  let failed: unknown
  for (let writes: readonly PendingCall[] = [first]; writes.length; ) {
    for (const write of writes) {
      failed = (await write.ended) ?? failed
      if (write.id) steps.push(write.id)
    }
    if (!first.undoable) break
    // The next write of the step begins as soon as the response is read.
    await wait()
    writes = pendingCalls().filter((write) => write.undoable === first.undoable)
  }
  return { steps, failed }
}
