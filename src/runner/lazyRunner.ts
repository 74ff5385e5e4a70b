import { needsReview, resolveTargets } from '../commands/availability.ts'
import type { Command } from '../commands/command.ts'
import { loadAreas } from '../commands/commandAreas.ts'
import { areasWith, type CommandId, commandOf, isCommandId } from '../commands/table.ts'
import { api } from '../data/apiClient.ts'
import { takeClipboard } from '../data/clipboard.ts'
import { workspace } from '../workspace/currentWorkspace.ts'
import { bufferKeys, discardWithNotice, flush, keptFor } from '../workspace/keys/typeahead.ts'
import type { How } from './runnerState.ts'

type Runner = typeof import('./startCommand.ts')
let runner: Runner | null = null
let loading: Promise<Runner> | null = null

/** Loads the code that runs commands, which isn't in the first load. */
export const loadRunner = (): Promise<Runner> => {
  loading ??= import('./startCommand.ts').then(
    (module) => {
      runner = module
      return module
    },
    (error) => {
      // The next call tries again.
      loading = null
      throw error
    },
  )
  return loading
}
/** Calls `ask` with the runner: at once if loaded, otherwise in the order of calls. */
export const withRunner = (ask: (runner: Runner) => void): void => {
  if (runner) ask(runner)
  else void loadRunner().then(ask, notLoaded)
}
/** Reports that code failed to load, and offers the keys typed for it. */
export const notLoaded = (): void => {
  discardWithNotice()
  workspace.notice('This part of the workspace couldn’t be loaded. Try again.', 'bad')
}

/**
 * Starts a command, the only way to do so: refuses with a reason, asks, confirms and runs it. Subjects are fixed now.
 * A link's command is only filled in: `via: 'link'` always ends in the palette.
 */
export function start(id: CommandId, how: How): void {
  const at = workspace.subjects()
  if (isCommandId(id)) begin(id, how, at)
  else {
    const kept = how.via === 'link' ? null : bufferKeys()
    void loadAreas(areasWith(id)).then(() => kept?.aborted || begin(id, how, at, kept), notLoaded)
  }
}

/** Starts a loaded command; `before` is set if keys are already buffered for it. */
function begin(id: CommandId, how: How, at: ReturnType<typeof workspace.subjects>, before: AbortSignal | null = null): void {
  const command = commandOf(id)
  const subjects = how.subjects ?? resolveTargets(command, at)
  if (command.copies && !command.asks) takeClipboard()
  if (!runner && !before && command.hidden && command.on === 'nothing' && command.run) mechanic(command as Mechanic)
  else {
    // From here on keys are buffered for the question, or for the screen that a loading command will open.
    const asks = command.asks !== undefined || needsReview(command, subjects.length, subjects)
    const kept = before ?? ((asks || !runner) && how.via !== 'link' ? bufferKeys() : null)
    const mine = keptFor()
    withRunner((loaded) => {
      if (kept?.aborted) return
      const came = loaded.start(id, subjects, how)
      // A sheet or palette that it opens keeps them for its own field.
      if (kept && came === 'runs' && keptFor() === mine) flush()
      // Swallows the words typed for it, except for basic moves, for which nobody types any.
      if (kept && came === 'refused' && !asks) flush()
    })
  }
}

type Mechanic = Command & { run: NonNullable<Command['run']> }
/** Basic moves (the palette, a list's cursor) ask nothing and leave no trace, so they don't wait for the runner. */
function mechanic(command: Mechanic): void {
  if (command.disabledReason?.(workspace, [])) return
  const { signal } = new AbortController()
  void command.run({ api, workspace, subjects: [], subject: undefined as never, answers: {}, progress: () => {}, signal })
}
