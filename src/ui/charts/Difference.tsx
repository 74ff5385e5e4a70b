import { percent as inPercent, count as inThousands, roundDollars } from '../../../contract/format.ts'
import { cx } from '../cx.ts'

/** The unit of a difference: a count, percentage points, days or cents. */
export type Unit = 'count' | 'points' | 'days' | 'cents'

interface Props {
  /** The difference from the first column's figure; null where that has none. */
  value: number | null
  unit?: Unit
  /** The same in percent of the first column's figure, where that helps. */
  percent?: number | null
  /** The name of the first column's record. */
  to?: string
  /** Colors the difference, for figures where more is better, such as delivery. */
  judged?: boolean
  /** Omits the unit, as in a column of differences. */
  bare?: boolean
  className?: string
}

const sized = (value: number, unit: Unit): string =>
  unit === 'cents' ? roundDollars(Math.abs(value)) : inThousands(Math.abs(value))
const signed = (value: number, unit: Unit): string => (value === 0 ? '=' : `${value > 0 ? '+' : '−'}${sized(value, unit)}`)
/** A unit's suffix, as shown and as read by screen readers. */
const BEHIND: Record<Unit, readonly [shown: string, said: string]> = {
  count: ['', ''],
  cents: ['', ''],
  points: [' pts', ' point'],
  days: [' d', ' day'],
}

/** Describes a difference: "31 points less than Summer Snack Tracker W3". */
export function sayDifference({
  value,
  unit = 'count',
  percent,
  to = 'the first',
}: Omit<Props, 'judged' | 'bare' | 'className'>): string {
  if (value === null) return `${to} doesn’t have this figure`
  if (value === 0) return `as in ${to}`
  const size = sized(value, unit)
  const [, one] = BEHIND[unit]
  const points = one && `${one}${Math.abs(value) === 1 ? '' : 's'}`
  const share = percent == null ? '' : `, ${inThousands(Math.abs(percent))} percent,`
  return `${size}${points}${share} ${value > 0 ? 'more' : 'less'} than ${to}`
}

/** The difference from the first column: sign and amount, "=" if equal, described for screen readers. */
export function Difference(props: Props) {
  const { value, unit = 'count', percent, judged, bare, className } = props
  const words = sayDifference(props)
  return (
    <span
      title={words}
      className={cx(
        'font-medium tabular-nums whitespace-nowrap',
        value === null || value === 0 ? 'text-faint' : !judged ? 'text-muted' : value > 0 ? 'text-green-ink' : 'text-red-ink',
        className,
      )}
    >
      <span aria-hidden="true">
        {value === null ? '–' : signed(value, unit)}
        {!bare && value ? BEHIND[unit][0] : ''}
        {percent != null && value ? (
          <span className="font-normal @max-3xl:hidden"> {`${value > 0 ? '+' : '−'}${inPercent(Math.abs(percent))}`}</span>
        ) : null}
      </span>
      <span className="sr-only">{words}</span>
    </span>
  )
}
