import { cx } from '../cx.ts'
import type { Tone } from '../Pill.tsx'
import { ChartBlank, type ChartProps, ChartTable, shorten, showDifference, showFigure } from './ChartFrame.tsx'
import { Difference } from './Donut.tsx'

/** One bar: its figure, its share in percent if it has one, and the difference of that share to another's, in points. */
export type Bar = { label: string; value: number; percent?: number; difference?: number; tone?: Tone | 'accent' }

const fills: Record<Tone | 'accent', string> = {
  accent: 'bg-accent',
  grey: 'bg-grey',
  red: 'bg-red',
  amber: 'bg-amber',
  green: 'bg-green',
  blue: 'bg-blue',
}

/** Horizontal bars with their labels and figures beside them. `max` makes several charts share a scale; else the longest bar fills it. */
export function Bars({
  label,
  bars,
  max,
  loading,
  asTable,
  empty = 'No responses yet',
  className,
}: ChartProps & { bars: readonly Bar[]; max?: number }) {
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
          showFigure(bar.value),
          ...(percents ? [`${bar.percent ?? 0}%`] : []),
          ...(differences ? [showDifference(bar.difference ?? 0)] : []),
        ])}
      />
    )
  const longest = max ?? Math.max(...bars.map((bar) => bar.value))
  return (
    <ul
      aria-label={label}
      className={cx('grid items-center gap-x-2 text-meta', className)}
      style={{
        gridTemplateColumns: `minmax(56px, max-content) minmax(40px, 1fr) max-content${percents ? ' 4ch' : ''}${differences ? ' 4ch' : ''}`,
      }}
    >
      {bars.map((bar) => (
        <li key={bar.label} className="col-span-full grid h-5 grid-cols-subgrid items-center">
          <span className="whitespace-nowrap text-muted" title={bar.label.length > 15 ? bar.label : undefined}>
            {shorten(bar.label)}
          </span>
          <span className="block h-2 overflow-hidden rounded-sm bg-track" aria-hidden="true">
            <span
              className={cx('block h-full rounded-sm', fills[bar.tone ?? 'accent'])}
              style={{ width: `${longest > 0 ? Math.min(100, (bar.value / longest) * 100) : 0}%` }}
            />
          </span>
          <span className={cx('text-right tabular-nums', percents && 'text-faint')}>{showFigure(bar.value)}</span>
          {percents && <span className="text-right tabular-nums">{bar.percent ?? 0}%</span>}
          {differences && <Difference value={bar.difference ?? 0} className="text-right" />}
        </li>
      ))}
    </ul>
  )
}
