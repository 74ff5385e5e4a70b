import { count } from '../../../contract/format.ts'
import { cx } from '../cx.ts'
import type { Tone } from '../Pill.tsx'
import { ChartBlank, type ChartProps, ChartTable, shorten } from './ChartFrame.tsx'
import { Difference } from './Difference.tsx'
import { type Hover, useHover } from './hover.ts'

/** A bar: value, share in percent, and difference from the first column's share in points (null: it has none). */
export type Bar = { label: string; value: number; percent?: number; difference?: number | null; tone?: Tone | 'accent' }

const fills: Record<Tone | 'accent', string> = {
  accent: 'bg-accent',
  grey: 'bg-grey',
  red: 'bg-red',
  amber: 'bg-amber',
  green: 'bg-green',
  blue: 'bg-blue',
}

/**
 * Horizontal bars. `max` shares a scale between charts, `byPercent` draws shares.
 * `hover` is a shared crosshair, `to` names what differences are relative to.
 */
export function Bars({
  label,
  bars,
  max,
  loading,
  asTable,
  empty = 'No responses yet',
  className,
  byPercent,
  hover,
  to,
  tall,
}: ChartProps & {
  bars: readonly Bar[]
  max?: number
  byPercent?: boolean
  hover?: Hover
  to?: string
  /** Bars of 30 px. */
  tall?: boolean
}) {
  const { list, row } = useHover(
    bars.map((bar) => bar.label),
    hover,
  )
  const lengthOf = (bar: Bar) => (byPercent ? (bar.percent ?? 0) : bar.value)
  const total = bars.reduce((sum, bar) => sum + bar.value, 0)
  if (loading || total === 0) {
    const ghosts = loading || bars.length === 0 ? 5 : bars.length
    return (
      <ChartBlank
        loading={loading}
        label={label}
        height={ghosts * 20}
        ghost={Array.from({ length: ghosts }, (_, at) => (
          <div key={at} className="flex h-5 items-center gap-2">
            <span className="h-2 w-16 rounded-sm bg-track" />
            <span className="h-2 flex-1 rounded-sm bg-track" />
          </div>
        ))}
      >
        {empty}
      </ChartBlank>
    )
  }
  const percents = bars.some((bar) => bar.percent !== undefined)
  const differences = bars.some((bar) => bar.difference !== undefined)
  if (asTable)
    return (
      <ChartTable
        label={label}
        head={[label, 'Count', ...(percents ? ['Share'] : []), ...(differences ? ['Difference'] : [])]}
        rows={bars.map((bar) => [
          bar.label,
          count(bar.value),
          ...(percents ? [`${bar.percent ?? 0}%`] : []),
          ...(differences ? [<Difference key="difference" value={bar.difference ?? null} unit="points" to={to} />] : []),
        ])}
      />
    )
  const longest = max ?? Math.max(...bars.map(lengthOf))
  return (
    <ul
      {...list}
      aria-label={label}
      className={cx('grid items-center gap-x-2 text-meta outline-offset-4', className)}
      style={{
        gridTemplateColumns: `minmax(56px, max-content) minmax(40px, 1fr) max-content${percents ? ' 4ch' : ''}${differences ? ' 4ch' : ''}`,
      }}
    >
      {bars.map((bar) => (
        <li
          key={bar.label}
          {...row(bar.label)}
          className={cx(
            'col-span-full -mx-1.5 grid grid-cols-subgrid items-center rounded-sm px-1.5 data-hovered:bg-cursor data-hovered:shadow-[inset_2px_0_var(--accent)]',
            tall ? 'h-[30px]' : 'h-5',
          )}
        >
          <span className="whitespace-nowrap text-muted" title={bar.label.length > 15 ? bar.label : undefined}>
            {shorten(bar.label)}
          </span>
          <span className="block h-2 overflow-hidden rounded-sm bg-track" aria-hidden="true">
            <span
              className={cx('block h-full rounded-sm', fills[bar.tone ?? 'accent'])}
              style={{ width: `${longest > 0 ? Math.min(100, (lengthOf(bar) / longest) * 100) : 0}%` }}
            />
          </span>
          <span className={cx('text-right tabular-nums', percents && 'text-faint')}>{count(bar.value)}</span>
          {percents && <span className="text-right tabular-nums">{bar.percent ?? 0}%</span>}
          {differences && <Difference value={bar.difference ?? null} unit="points" bare to={to} className="text-right" />}
        </li>
      ))}
    </ul>
  )
}
