import { useEffect, useRef, useState } from 'react'
import { cx } from '../cx.ts'
import { useTokenVersion } from '../useTokens.ts'
import { ChartBlank, type ChartProps, ChartTable, showDifference, showFigure } from './ChartFrame.tsx'
import { showDay, type TrendPoint } from './days.ts'
import type { TrendPlot } from './trend-plot.ts'

/**
 * Delivered against the plan, cumulative: an area, a dashed line, a crosshair with the day's values. Charts with the same `syncKey` share the
 * crosshair; `max` gives them one scale. uPlot is loaded when the first one is drawn.
 */
export function AreaTrend({
  label,
  points,
  height = 148,
  max,
  syncKey,
  loading,
  asTable,
  empty = 'Nothing delivered yet',
  className,
}: ChartProps & { points: readonly TrendPoint[]; height?: number; max?: number; syncKey?: string }) {
  const host = useRef<HTMLDivElement>(null)
  const readout = useRef<HTMLDivElement>(null)
  const plot = useRef<TrendPlot>(null)
  const theme = useTokenVersion()
  const [failed, setFailed] = useState(false)
  const drawn = !loading && !asTable && points.length > 0

  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme is drawn anew
  useEffect(() => {
    if (!drawn) return
    let gone = false
    import('./trend-plot.ts').then(
      ({ drawTrend }) => {
        if (gone || !host.current || !readout.current) return
        plot.current = drawTrend({ host: host.current, readout: readout.current, points, height, max, syncKey })
      },
      () => setFailed(true),
    )
    return () => {
      gone = true
      plot.current?.destroy()
      plot.current = null
    }
  }, [drawn, points, height, max, syncKey, theme])

  if (loading || points.length === 0)
    return (
      <ChartBlank
        loading={loading}
        label={label}
        height={height}
        ghost={
          <svg viewBox="0 0 100 40" preserveAspectRatio="none" width="100%" height={height} aria-hidden="true">
            <path d="M0 38 25 28 50 22 75 12 100 6V40H0Z" className="fill-track" opacity=".6" />
            <path d="M0 39.7H100M0 26H100M0 13H100" className="stroke-line" vectorEffect="non-scaling-stroke" />
          </svg>
        }
      >
        {empty}
      </ChartBlank>
    )
  if (asTable || failed)
    return (
      <ChartTable
        label={label}
        head={['Day', 'Delivered', 'Plan', 'Difference']}
        rows={points.map(({ date, value, plan }) => [
          showDay(date),
          value === null ? '–' : showFigure(value),
          plan == null ? '–' : showFigure(Math.round(plan)),
          value === null || plan == null ? '–' : showDifference(Math.round(value - plan)),
        ])}
      />
    )
  const last = points.findLast((point) => point.value !== null)
  return (
    <div
      role="img"
      aria-label={`${label}: ${last ? `${showFigure(last.value ?? 0)} delivered by ${showDay(last.date)}` : 'nothing delivered yet'}`}
      className={cx('relative', className)}
      style={{ height }}
    >
      <div ref={host} className="absolute inset-0" />
      <div
        ref={readout}
        hidden
        className="pointer-events-none absolute top-0 whitespace-nowrap rounded-sm bg-raised px-1 text-meta tabular-nums"
      />
    </div>
  )
}
