import { cx } from '../cx.ts'

/**
 * A line of `values` without axes in a table cell; null values leave gaps.
 * `label` describes it; without one it is decorative.
 */
export function Sparkline({
  values: all,
  today,
  label,
  width = 80,
  height = 20,
  className,
}: {
  values: readonly number[]
  /** The last value is today's and incomplete: end at yesterday, or the line would seem to fall. */
  today?: boolean
  label?: string
  width?: number
  height?: number
  className?: string
}) {
  const whole = today ? all.slice(0, -1) : all
  const values = whole.some((value) => value !== 0) ? whole : []
  const low = Math.min(0, ...values)
  const high = Math.max(...values, low + 1)
  const place = (value: number, at: number) => {
    const x = values.length > 1 ? 1 + (at * (width - 4)) / (values.length - 1) : width / 2
    return `${x.toFixed(1)},${(height - 2.5 - ((value - low) / (high - low)) * (height - 5)).toFixed(1)}`
  }
  const last = values.length - 1
  const [endX, endY] = last >= 0 ? place(values[last]!, last).split(',') : []
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : 'true'}
      className={cx('inline-block align-middle text-muted', className)}
    >
      {last >= 0 && (
        <>
          <polyline
            points={values.map(place).join(' ')}
            fill="none"
            stroke="currentColor"
            strokeWidth="1.25"
            strokeLinejoin="round"
          />
          <circle cx={endX} cy={endY} r="1.75" fill="currentColor" />
        </>
      )}
    </svg>
  )
}
