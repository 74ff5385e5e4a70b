import { aim, asked, begin, isAnswered, isReviewed, judge, optionsOf, wrongWith } from '../../commands/can.ts'
import type { Subject } from '../../commands/command.ts'
import { type CommandId, commandOf } from '../../commands/table.ts'
import { plain } from '../../commands/words.ts'
import { desk } from '../theDesk.ts'
import { ask } from './ask.ts'
import { doneSoFar, run } from './run.ts'
import { say } from './say.tsx'
import type { How } from './start.ts'
import type { Invocation } from './state.ts'

/** What `start` does once the runner is there: says why a command can't run, asks, reviews, runs. Answers which of these. */
export function start(id: CommandId, subjects: readonly Subject[], how: Omit<How, 'subjects'>): 'refused' | 'asks' | 'runs' {
  const command = commandOf(id)
  const verdict = judge(id, command, subjects, desk)
  if (verdict.reason !== null) {
    // The mechanics of lists say nothing where there is no list: a key pressed for nothing.
    if (!command.hidden) void say(`${plain(command)}: ${verdict.reason}`)
    return 'refused'
  }
  const given = how.answers ?? {}
  const answers = begin(command, given, verdict.able)
  const invocation: Invocation = { id, subjects: verdict.able, answers, via: how.via }
  const asks = command.asks ?? {}
  // A link's texts are shown where they can be read whole, and its wrong answers with what is wrong.
  const settled = Object.keys(given).filter(
    (key) =>
      asks[key] &&
      isAnswered(given[key]) &&
      !(how.via === 'link' && asks[key].type === 'text') &&
      wrongWith(asks[key], given[key], answers) === null,
  )
  const open = asked(command, answers, verdict.able).some(
    ([key, question]) =>
      !settled.includes(key) && !(question.type === 'option' && optionsOf(question, verdict.able).length === 1),
  )
  const reviewed = isReviewed(command, verdict.able.length + verdict.left.length)
  if (how.via === 'link' || open || reviewed) {
    ask(invocation, { left: verdict.left, settled })
    return 'asks'
  }
  run(invocation)
  return 'runs'
}

/** Does the last command again, to what stands before the person now; its answers are kept. */
export function again(): void {
  const last = doneSoFar().at(-1)
  if (!last) return void say('Nothing was done yet that could be repeated.')
  const now = aim(commandOf(last.id), desk.subjects())
  start(last.id, now.length ? now : last.subjects, { answers: last.answers, via: 'key' })
}
