import { count as inThousands, roundDollars } from '../../../contract/format.ts'
import { cx } from '../cx.ts'

/** What a difference counts: pieces, points of a percentage, days, or cents of a dollar. */
export type Unit = 'count' | 'points' | 'days' | 'cents'

interface Props {
  /** To the first column's figure; null where the first has none. */
  value: number | null
  unit?: Unit
  /** The same in percent of the first column's figure, where that says more. */
  percent?: number | null
  /** The name of the first column's record. */
  to?: string
  /** More is better and less is worse, as of what was delivered; else no colour judges it. */
  judged?: boolean
  /** Behind its figure the unit is left out, as in a column of them. */
  bare?: boolean
  className?: string
}

const sized = (value: number, unit: Unit): string =>
  unit === 'cents' ? roundDollars(Math.abs(value)) : inThousands(Math.abs(value))
const signed = (value: number, unit: Unit): string => (value === 0 ? '=' : `${value > 0 ? '+' : '−'}${sized(value, unit)}`)
/** The difference after a figure, as shown and as read aloud. */
const BEHIND: Record<Unit, readonly [shown: string, said: string]> = {
  count: ['', ''],
  cents: ['', ''],
  points: [' pts', ' point'],
  days: [' d', ' day'],
}

/** A difference in words: "31 points less than Summer Snack Tracker W3". */
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

/** A difference to the first column: sign and size to see, words to hear, a colour only where more is better. Equal is "=". */
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
        {percent != null && value ? <span className="font-normal @max-3xl:hidden"> {signed(percent, 'count')}%</span> : null}
      </span>
      <span className="sr-only">{words}</span>
    </span>
  )
}
