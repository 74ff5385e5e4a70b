import { percent } from '../../../contract/format.ts'
import { cx } from '../cx.ts'
import type { Tone } from '../Pill.tsx'

const fills: Record<Tone, string> = { grey: 'bg-grey', red: 'bg-red', amber: 'bg-amber', green: 'bg-green', blue: 'bg-blue' }
const inks: Record<Tone, string> = {
  grey: 'text-muted',
  red: 'text-red-ink',
  amber: 'text-amber-ink',
  green: 'text-green-ink',
  blue: 'text-blue-ink',
}

/** Pacing in percent: a thin bar capped at 100, none at 0, and a number that isn't. `title` explains the number. */
export function PaceBar({ value, tone, title, className }: { value: number; tone: Tone; title?: string; className?: string }) {
  return (
    <span className={cx('inline-grid grid-cols-[56px_6ch] items-center gap-2 align-middle', className)} title={title}>
      <span aria-hidden="true" className={cx('block h-1 overflow-hidden rounded-full', value > 0 && 'bg-track')}>
        <span
          className={cx('block h-full rounded-full', fills[tone])}
          style={{ width: `${Math.min(100, Math.max(0, value))}%` }}
        />
      </span>
      <span className={cx('text-left whitespace-nowrap tabular-nums', inks[tone])}>{percent(value)}</span>
    </span>
  )
}
