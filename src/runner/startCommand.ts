import { withStop } from '../../contract/textEnds.ts'
import { type Availability, actsOn, evaluate, needsReview, resolveTargets } from '../commands/availability.ts'
import type { Command } from '../commands/command.ts'
import { initialAnswers, isAnswered, optionsOf, promptFor, wrongWith } from '../commands/commandQuestions.ts'
import type { Subject } from '../commands/subject.ts'
import { type CommandId, commandOf } from '../commands/table.ts'
import { plain } from '../commands/words.ts'
import { store } from '../data/jotaiStore.ts'
import { commandHistoryOptions } from '../workspace/commandHistory.ts'
import { registerRunnerParts, workspace } from '../workspace/currentWorkspace.ts'
import { findInPane } from '../workspace/findInPane.ts'
import { jumpTargetsOf, jumpTo } from '../workspace/jumpTargets.ts'
import { bufferKeys, discardWithNotice, flush } from '../workspace/keys/typeahead.ts'
import { focusedPane } from '../workspace/navigation.ts'
import { openTabs } from '../workspace/openTabs.ts'
import { paneStateAtom, paneStateOf } from '../workspace/paneState.ts'
import { filesController } from '../workspace/readyFiles.ts'
import { kindToCome } from './keys/activeContext.ts'
import { refuseWithNotice, swallow } from './keys/keyNotices.ts'
import { openQuestions } from './openQuestions.ts'
import { prepared } from './prepare.ts'
import { doneSoFar, run } from './runCommand.ts'
import type { How, Invocation } from './runnerState.ts'
import { toast } from './toast.tsx'

registerRunnerParts({
  commandHistory: commandHistoryOptions,
  places: jumpTargetsOf,
  goToPlace: jumpTo,
  find: findInPane,
  openTabs,
  files: filesController,
})

/** The runner's part of `start`: refuses with a reason, asks, reviews or runs. Returns which. */
export function start(
  id: CommandId,
  subjects: readonly Subject[],
  how: Omit<How, 'subjects'>,
  late = false,
): 'refused' | 'asks' | 'runs' {
  const command = commandOf(id)
  const availability = evaluate(id, command, subjects, workspace)
  if (availability.reason !== null) {
    if (!late && !subjects.length && how.via === 'key' && waitsForRecord(id, how)) return 'asks'
    // Basic moves of lists do nothing where there is no list.
    const sentence = withStop(`“${plain(command)}” can’t run now: ${availability.reason}`)
    if (asksFor(command, subjects.length || 1)) refuseWithNotice(sentence)
    else if (!command.hidden) void toast(sentence)
    return 'refused'
  }
  if (command.prepare && !how.prepared) return prepares(id, availability, how)
  return proceed(id, availability, how)
}

/** Reads what the questions need; keys typed meanwhile are buffered for the first one. */
function prepares(id: CommandId, { able, left }: Availability, how: Omit<How, 'subjects'>): 'asks' {
  const command = commandOf(id)
  const pane = focusedPane().id
  const kept = bufferKeys()
  const because = (reason: string) => refuseWithNotice(withStop(`“${plain(command)}” can’t run now: ${reason}`))
  prepared(command, able, kept).then(
    (ready) => {
      if (kept.aborted) return
      // The user has clicked elsewhere, so nothing opens over that.
      if (focusedPane().id !== pane) return discardWithNotice()
      const missing = [...left, ...ready.left]
      const [first] = missing
      if (ready.able.length) {
        const came = proceed(id, { able: ready.able, left: missing, reason: null }, { ...how, prepared: true })
        if (came === 'runs') flush()
      } else if (first) {
        because(missing.length === 1 ? first.reason : `none of the ${missing.length} can, the first because ${first.reason}`)
        if (ready.leadsTo) workspace.open(ready.leadsTo, 'tab')
      }
    },
    (error: Error) => {
      if (kept.aborted) return
      because(error.message)
    },
  )
  return 'asks'
}

/** Asks, reviews or runs, with subjects that allow it. */
function proceed(id: CommandId, availability: Availability, how: Omit<How, 'subjects'>): 'refused' | 'asks' | 'runs' {
  const command = commandOf(id)
  const prefilled = how.answers ?? {}
  const answers = initialAnswers(command, prefilled, availability.able, workspace)
  const invocation: Invocation = { id, subjects: availability.able, answers, via: how.via }
  const asks = command.asks ?? {}
  // Shows a link's long texts in full, and its invalid answers with the error.
  const settled = Object.keys(prefilled).filter(
    (key) =>
      asks[key] &&
      isAnswered(prefilled[key]) &&
      !(how.via === 'link' && asks[key].type === 'text') &&
      wrongWith(asks[key], prefilled[key], answers, availability.able) === null,
  )
  const possible = promptFor(command, answers, availability.able)
  const open = possible.some(
    ([key, question]) =>
      !settled.includes(key) &&
      !(question.type === 'option' && !question.asksForOne && optionsOf(question, availability.able, workspace).length === 1),
  )
  const reviewed = needsReview(command, availability.able.length + availability.left.length, availability.able, answers)
  if (how.via === 'link' || open || reviewed) {
    openQuestions(invocation, { left: availability.left, settled })
    return 'asks'
  }
  run(invocation)
  // Selected rows may answer a question ("Compare"), so that there is none to type into.
  if (!possible.length || how.via !== 'key' || how.answers) return 'runs'
  // A shortcut's user may already be typing the answer to a question that isn't asked this time.
  swallow(`“${plain(command)}” asked nothing.`)
  return 'refused'
}

/** True for a command that may be followed by a typed answer or Enter. */
export const asksFor = (command: Command, subjects: number): boolean =>
  command.asks !== undefined || needsReview(command, subjects)

const LATE_MS = 3000
/**
 * Holds a shortcut while its pane loads a record, then runs it or, after a while, refuses; keys typed are kept.
 * Escape cancels everything. Returns true if there is a record to wait for.
 */
function waitsForRecord(id: CommandId, how: Omit<How, 'subjects'>): boolean {
  const pane = focusedPane().id
  const kind = kindToCome()
  const known = () => paneStateOf(store.get(paneStateAtom), pane).subject !== null
  if (!kind || known() || !actsOn(commandOf(id), [{ kind, id: 0, name: '' }])) return false
  const kept = bufferKeys()
  const end = () => {
    stop()
    clearTimeout(timer)
    if (kept.aborted) return
    // The user has clicked elsewhere, so nothing opens over that.
    if (focusedPane().id !== pane) return discardWithNotice()
    const came = start(id, resolveTargets(commandOf(id), workspace.subjects()), how, true)
    if (came === 'runs') flush()
  }
  const timer = setTimeout(end, LATE_MS)
  const stop = store.sub(paneStateAtom, () => known() && end())
  return true
}

/** Repeats the last command on the current subjects with the same answers. */
export function repeatLast(): void {
  const last = doneSoFar().at(-1)
  if (!last) return void toast('Nothing to repeat yet.')
  const now = resolveTargets(commandOf(last.id), workspace.subjects())
  start(last.id, now.length ? now : last.subjects, { answers: last.answers, via: 'key' })
}
