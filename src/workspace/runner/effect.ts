import type { Command } from '../../commands/command.ts'
import { plain } from './run.ts'
import type { Asking } from './state.ts'

/** What a command is about to do: the question, the effect, the word on the button, and what is left out. */
export function effectOf(
  command: Command,
  { subjects, answers, left }: Pick<Asking, 'subjects' | 'answers' | 'left'>,
): { title: string; body: string; action: string; left: string | null } {
  const said = command.confirm?.(subjects, answers as Parameters<NonNullable<Command['confirm']>>[1])
  const title = said?.title ?? `${plain(command)}${subjects.length === 1 ? `: ${subjects[0]!.name}` : ''}?`
  const body = [said?.body ?? '']
  if (command.irreversible && !/undone/.test(body[0]!)) body.push('This can’t be undone.')
  if (command.delay && !/undo/.test(body[0]!)) body.push(`It waits ${command.delay} seconds, in which you can undo it.`)
  return { title, body: body.filter(Boolean).join(' '), action: said?.action ?? plain(command), left: leftOut(left) }
}

/** "2 are left out: it is paused, not active." */
function leftOut(left: Asking['left']): string | null {
  if (!left.length) return null
  const reasons = Map.groupBy(left, (one) => one.reason)
  return [...reasons]
    .map(([reason, ones]) => `${ones.length === 1 ? `${ones[0]!.subject.name} is` : `${ones.length} are`} left out: ${reason}.`)
    .join(' ')
}
