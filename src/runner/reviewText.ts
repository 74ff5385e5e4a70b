import { stripBidi } from '../../contract/bidi.ts'
import { count as number } from '../../contract/format.ts'
import { withStop } from '../../contract/textEnds.ts'
import type { Command, Confirmation } from '../commands/command.ts'
import { ruledOut } from '../commands/commandQuestions.ts'
import { listed, named, plain } from '../commands/words.ts'
import { outsideSeconds } from '../data/outsideSeconds.ts'
import type { Asking } from './runnerState.ts'

interface EffectLine {
  id?: string
  label: string
  value: string
  bad?: boolean
}

/** Returns what a review shows: question, effect, button label, and which subjects are skipped and why. */
export function effectOf(
  command: Command,
  { subjects, answers, left }: Pick<Asking, 'subjects' | 'answers' | 'left'>,
  /** The effect by the server, which replaces the command's own. */
  foreseen: Partial<Confirmation> | null = null,
): { title: string; body: string; bad: boolean; lines: readonly EffectLine[]; action: string; left: string | null } {
  // Without subjects, the skipped ones tell everything.
  const confirm = subjects.length || !left.length ? (command.confirm ?? command.review) : undefined
  const own = confirm?.(subjects, answers as Parameters<NonNullable<typeof confirm>>[1])
  const effect = own && { ...own, ...foreseen }
  const whom = subjects.length ? listed(subjects) : ''
  const title = effect?.title ?? `${plain(command)}${whom && `: ${whom}`}?`
  const body = [effect?.body ?? '']
  if (command.irreversible && !/undone/.test(body[0]!)) body.push('This can’t be undone.')
  if (command.delay && !/undo/.test(body[0]!)) body.push(`It starts in ${outsideSeconds()} seconds. You can undo it until then.`)
  return {
    title: stripBidi(title),
    body: stripBidi(body.filter(Boolean).join(' ')),
    bad: effect?.bad === true,
    lines: effect?.lines ?? [],
    action: effect?.action ?? plain(command),
    left: stripBidi(dryRun(subjects.length, left) ?? '') || null,
  }
}

/**
 * Applies the answers: excluded subjects move to the skipped ones, with the reason.
 * Returns the same object if there are none.
 */
export function afterDryRun(command: Command, asking: Asking): Asking {
  const out = ruledOut(command, asking.subjects, asking.answers)
  if (!out.length) return asking
  const gone = new Set(out.map(({ subject }) => subject))
  return { ...asking, subjects: asking.subjects.filter((subject) => !gone.has(subject)), left: [...asking.left, ...out] }
}

/** Returns why no subject is left to act on, or null. */
export const nobodyLeft = ({ subjects, left }: Pick<Asking, 'subjects' | 'left'>): string | null =>
  subjects.length || !left.length
    ? null
    : left.length === 1
      ? `${named(left[0]!.subject)}: ${left[0]!.reason}`
      : `None of the ${number(left.length)} can, the first because ${left[0]!.reason}`

const MOST = 3

/** Formats "5 of 7 can be done; 2 skipped: “Acme Tracker” – the cost is not set yet; …"; groups many by reason. */
function dryRun(able: number, left: Asking['left']): string | null {
  if (!left.length) return null
  const all = able + left.length
  const head = `${number(able)} of ${number(all)} can be done; ${number(left.length)} skipped: `
  if (left.length <= MOST)
    return withStop(`${head}${left.map(({ subject, reason }) => `${named(subject)} – ${reason}`).join('; ')}`)
  const reasons = [...Map.groupBy(left, ({ reason }) => reason)].sort((a, b) => b[1].length - a[1].length)
  const groups = reasons.slice(0, MOST).map(([reason, ones]) => `${number(ones.length)} – ${reason}`)
  const rest = reasons.slice(MOST).reduce((sum, [, ones]) => sum + ones.length, 0)
  return `${head}${[...groups, ...(rest ? [`${number(rest)} – for other reasons`] : [])].join('; ')}.`
}
