import { count } from '../../../contract/format.ts'
import { showShares } from '../../../contract/percentages.ts'
import { cx } from '../cx.ts'
import type { Tone } from '../Pill.tsx'
import { ChartBlank, type ChartProps, ChartTable } from './ChartFrame.tsx'
import { cutLabel } from './cutLabel.ts'
import { Difference } from './Difference.tsx'
import { type Hover, useHover } from './hover.ts'

/** A bar: its value, and its difference in points from the first column's share (null if that has none). */
export type Bar = { label: string; value: number; difference?: number | null; tone?: Tone | 'accent' }

const fills: Record<Tone | 'accent', string> = {
  accent: 'bg-accent',
  grey: 'bg-grey',
  red: 'bg-red',
  amber: 'bg-amber',
  green: 'bg-green',
  blue: 'bg-blue',
}

/**
 * Horizontal bars: `shares` are drawn to the whole of 100 %, counts to the largest.
 * `hover` is a shared crosshair, `to` names what differences are relative to.
 */
export function Bars({
  label,
  bars,
  shares,
  loading,
  asTable,
  empty = 'No responses yet',
  className,
  hover,
  to,
  tall,
}: ChartProps & {
  bars: readonly Bar[]
  /** The bars are parts of a whole. */
  shares?: boolean
  hover?: Hover
  to?: string
  /** Makes the bars 30 px high. */
  tall?: boolean
}) {
  const { list, row } = useHover(
    bars.map((bar) => bar.label),
    hover,
  )
  const total = bars.reduce((sum, bar) => sum + bar.value, 0)
  if (loading || total === 0) {
    const ghosts = loading || bars.length === 0 ? 5 : bars.length
    return (
      <ChartBlank
        loading={loading}
        label={label}
        height={ghosts * (hover ? 24 : 20)}
        ghost={Array.from({ length: ghosts }, (_, at) => (
          <div key={at} className={cx('flex items-center gap-2', hover ? 'h-6' : 'h-5')}>
            <span className="h-2 w-16 rounded-sm bg-track" />
            <span className="h-2 flex-1 rounded-sm bg-track" />
          </div>
        ))}
      >
        {empty}
      </ChartBlank>
    )
  }
  const percents = showShares(bars.map(({ value }) => value))
  const differences = bars.some((bar) => bar.difference !== undefined)
  if (asTable)
    return (
      <ChartTable
        label={label}
        head={[label, 'Count', ...(shares ? ['Share'] : []), ...(differences ? ['Difference'] : [])]}
        rows={bars.map((bar, at) => [
          bar.label,
          count(bar.value),
          ...(shares ? [percents[at]!] : []),
          ...(differences ? [<Difference key="difference" value={bar.difference ?? null} unit="points" to={to} />] : []),
        ])}
      />
    )
  const full = shares ? total : Math.max(...bars.map(({ value }) => value))
  return (
    <ul
      {...list}
      aria-label={label}
      className={cx('grid items-center gap-x-2 text-meta outline-offset-4', className)}
      style={{
        gridTemplateColumns: `fit-content(45%) minmax(40px, 1fr) max-content${shares ? ' max-content' : ''}${differences ? ' minmax(4ch, max-content)' : ''}`,
      }}
    >
      {bars.map((bar, at) => (
        <li
          key={bar.label}
          {...row(bar.label)}
          className={cx(
            'col-span-full -mx-1.5 grid grid-cols-subgrid items-center rounded-sm px-1.5 data-hovered:bg-cursor data-hovered:shadow-[inset_2px_0_var(--accent)]',
            // A bar that can be chosen is large enough for a finger (WCAG 2.5.8).
            tall ? 'h-[30px]' : hover ? 'h-6' : 'h-5',
          )}
        >
          <span dir="auto" className="min-w-14 truncate text-muted sm:min-w-28" title={bar.label}>
            {cutLabel(bar.label) === bar.label ? (
              bar.label
            ) : (
              <>
                <span aria-hidden="true">{cutLabel(bar.label)}</span>
                <span className="sr-only">{bar.label}</span>
              </>
            )}
          </span>
          <span className="block h-2" aria-hidden="true">
            <span
              className={cx('block h-full rounded-sm', fills[bar.tone ?? 'accent'])}
              style={{ width: `${(100 * bar.value) / full}%` }}
            />
          </span>
          <span className={cx('text-right tabular-nums', shares && 'text-faint')}>{count(bar.value)}</span>
          {shares && <span className="text-right whitespace-nowrap tabular-nums">{percents[at]}</span>}
          {differences && <Difference value={bar.difference ?? null} unit="points" bare to={to} className="text-right" />}
        </li>
      ))}
    </ul>
  )
}
