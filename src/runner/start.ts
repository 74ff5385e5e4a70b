import { loadAreas } from '../commands/areas.ts'
import { needsReview, resolveTargets } from '../commands/availability.ts'
import type { Command } from '../commands/command.ts'
import { areasWith, type CommandId, commandOf, isCommandId } from '../commands/table.ts'
import { api } from '../data/apiClient.ts'
import { workspace } from '../workspace/currentWorkspace.ts'
import { bufferKeys, discardWithNotice, flush, keptFor } from '../workspace/keys/typeahead.ts'
import type { How } from './runnerState.ts'

type Runner = typeof import('./begin.ts')
let runner: Runner | null = null
let coming: Promise<Runner> | null = null

/** What runs commands: not part of the first load, and there before anybody needs it. */
export const loadRunner = (): Promise<Runner> => {
  coming ??= import('./begin.ts').then(
    (module) => {
      runner = module
      return module
    },
    (error) => {
      // The next asking tries again.
      coming = null
      throw error
    },
  )
  return coming
}
/** With the runner: at once where it is there, else in the order of asking. */
export const withRunner = (ask: (runner: Runner) => void): void => {
  if (runner) ask(runner)
  else void loadRunner().then(ask, notLoaded)
}
/** Says that a part of the code could not be fetched, and gives back what was typed for it. */
export const notLoaded = (): void => {
  discardWithNotice()
  workspace.notice('This part of the workspace couldn’t be loaded. Please try again.', 'bad')
}

/**
 * The one way to start a command, from wherever: says why it can't run, asks what it needs to know, has it confirmed, and runs it.
 * What it acts on is settled now. A link's command is only filled in: `via: 'link'` always ends in the palette.
 */
export function start(id: CommandId, how: How): void {
  const at = workspace.subjects()
  if (isCommandId(id)) begin(id, how, at)
  else {
    const kept = how.via === 'link' ? null : bufferKeys()
    void loadAreas(areasWith(id)).then(() => kept?.aborted || begin(id, how, at, kept), notLoaded)
  }
}

/** The same with its row at hand; `before`: keys are kept for it already. */
function begin(id: CommandId, how: How, at: ReturnType<typeof workspace.subjects>, before: AbortSignal | null = null): void {
  const command = commandOf(id)
  const subjects = how.subjects ?? resolveTargets(command, at)
  if (!runner && !before && command.hidden && command.on === 'nothing' && command.run) mechanic(command as Mechanic)
  else {
    // What is typed from here on is for the question, also while the code that asks it is still on its way; and of a command that is still on its way, for what it will have done.
    const asks = command.asks !== undefined || needsReview(command, subjects.length)
    const kept = before ?? ((asks || !runner) && how.via !== 'link' ? bufferKeys() : null)
    const mine = keptFor()
    withRunner((loaded) => {
      if (kept?.aborted) return
      const came = loaded.start(id, subjects, how)
      // A sheet or a palette that it opens keeps them for its own field.
      if (kept && came === 'runs' && keptFor() === mine) flush()
      // Its words are swallowed, unless it was a mechanic that nobody types any for.
      if (kept && came === 'refused' && !asks) flush()
    })
  }
}

type Mechanic = Command & { run: NonNullable<Command['run']> }
/** The mechanics of the workspace (the palette itself, a list's cursor) ask nothing and leave nothing behind: their keys wait for no runner. */
function mechanic(command: Mechanic): void {
  if (command.disabledReason?.(workspace, [])) return
  const { signal } = new AbortController()
  void command.run({ api, workspace, subjects: [], subject: undefined as never, answers: {}, progress: () => {}, signal })
}
