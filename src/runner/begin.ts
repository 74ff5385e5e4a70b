import { asked, begin, isAnswered, optionsOf, wrongWith } from '../commands/asked.ts'
import { actsOn, aim, isReviewed, judge } from '../commands/can.ts'
import type { Command } from '../commands/command.ts'
import type { Subject } from '../commands/subject.ts'
import { type CommandId, commandOf } from '../commands/table.ts'
import { plain } from '../commands/words.ts'
import { store } from '../data/store.ts'
import { factsAtom, factsOf } from '../workspace/facts.ts'
import { dropKeys, keepKeys, letGo } from '../workspace/keys/early.ts'
import { focusedPane } from '../workspace/navigation.ts'
import { desk } from '../workspace/theDesk.ts'
import { ask } from './ask.ts'
import { kindToCome } from './keys/now.ts'
import { refuse, swallow } from './keys/refused.ts'
import { doneSoFar, run } from './run.ts'
import { say } from './say.tsx'
import type { How, Invocation } from './state.ts'

/** What `start` does once the runner is there: says why a command can't run, asks, reviews, runs. Answers which of these. */
export function start(
  id: CommandId,
  subjects: readonly Subject[],
  how: Omit<How, 'subjects'>,
  late = false,
): 'refused' | 'asks' | 'runs' {
  const command = commandOf(id)
  const verdict = judge(id, command, subjects, desk)
  if (verdict.reason !== null) {
    if (!late && !subjects.length && how.via === 'key' && waitsForRecord(id, how)) return 'asks'
    // The mechanics of lists say nothing where there is no list: a key pressed for nothing.
    const sentence = `“${plain(command)}” can’t run now: ${verdict.reason}.`
    if (asksFor(command, subjects.length || 1)) refuse(sentence)
    else if (!command.hidden) void say(sentence)
    return 'refused'
  }
  const given = how.answers ?? {}
  const answers = begin(command, given, verdict.able, desk)
  const invocation: Invocation = { id, subjects: verdict.able, answers, via: how.via }
  const asks = command.asks ?? {}
  // A link's texts are shown where they can be read whole, and its wrong answers with what is wrong.
  const settled = Object.keys(given).filter(
    (key) =>
      asks[key] &&
      isAnswered(given[key]) &&
      !(how.via === 'link' && asks[key].type === 'text') &&
      wrongWith(asks[key], given[key], answers, verdict.able) === null,
  )
  const possible = asked(command, answers, verdict.able)
  const open = possible.some(
    ([key, question]) =>
      !settled.includes(key) && !(question.type === 'option' && optionsOf(question, verdict.able, desk).length === 1),
  )
  const reviewed = isReviewed(command, verdict.able.length + verdict.left.length)
  if (how.via === 'link' || open || reviewed) {
    ask(invocation, { left: verdict.left, settled })
    return 'asks'
  }
  run(invocation)
  // Several records leave some questions out by themselves ("Compare" of marked rows): nobody types an answer to those.
  if (!possible.length || how.via !== 'key' || how.answers) return 'runs'
  // Somebody who used the shortcut may already be typing an answer to a question that isn't asked this time.
  swallow(`“${plain(command)}” asked nothing.`)
  return 'refused'
}

/** True for a command that somebody may type an answer for, or an Enter. */
export const asksFor = (command: Command, subjects: number): boolean =>
  command.asks !== undefined || isReviewed(command, subjects)

const LATE_MS = 3000
/**
 * A key that was pressed while its pane was still reading its record: done when the record is there, or refused after a while. What is typed meanwhile is
 * kept, and Escape takes it all back. True when there is a record to wait for.
 */
function waitsForRecord(id: CommandId, how: Omit<How, 'subjects'>): boolean {
  const pane = focusedPane().id
  const kind = kindToCome()
  const known = () => factsOf(store.get(factsAtom), pane).subject !== null
  if (!kind || known() || !actsOn(commandOf(id), [{ kind, id: 0, name: '' }])) return false
  const kept = keepKeys()
  const end = () => {
    stop()
    clearTimeout(timer)
    if (kept.aborted) return
    // They have gone elsewhere by a click: it is not opened over that.
    if (focusedPane().id !== pane) return dropKeys()
    const came = start(id, aim(commandOf(id), desk.subjects()), how, true)
    if (came === 'runs') letGo()
  }
  const timer = setTimeout(end, LATE_MS)
  const stop = store.sub(factsAtom, () => known() && end())
  return true
}

/** Does the last command again, to what stands before the person now; its answers are kept. */
export function again(): void {
  const last = doneSoFar().at(-1)
  if (!last) return void say('Nothing was done yet that could be repeated.')
  const now = aim(commandOf(last.id), desk.subjects())
  start(last.id, now.length ? now : last.subjects, { answers: last.answers, via: 'key' })
}
