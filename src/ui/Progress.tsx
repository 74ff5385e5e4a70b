import { percent as inPercent } from '../../contract/format.ts'
import { cx } from './cx.ts'

/** A progress bar: `value` is 0…1, or null while unknown, which draws a dashed track. */
export function Progress({
  value,
  label,
  showValue,
  className,
}: {
  value: number | null
  label: string
  showValue?: boolean
  className?: string
}) {
  const percent = value === null ? null : Math.round(Math.min(1, Math.max(0, value)) * 100)
  return (
    <span className={cx('inline-flex items-center gap-2', className)}>
      <span
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent ?? undefined}
        className={cx(
          'block h-1 min-w-8 flex-1 overflow-hidden rounded-full',
          percent === null ? 'bg-[repeating-linear-gradient(90deg,var(--accent)_0_6px,var(--track)_6px_12px)]' : 'bg-track',
        )}
      >
        {percent !== null && <span className="block h-full rounded-full bg-accent" style={{ width: `${percent}%` }} />}
      </span>
      {showValue && percent !== null && (
        <span className="text-right whitespace-nowrap text-meta text-muted tabular-nums">{inPercent(percent)}</span>
      )}
    </span>
  )
}
