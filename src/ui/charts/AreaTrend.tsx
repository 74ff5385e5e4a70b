import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { count } from '../../../contract/format.ts'
import { afterPaint } from '../afterPaint.ts'
import { cx } from '../cx.ts'
import { useTokenVersion } from '../useTokens.ts'
import { ChartBlank, type ChartProps, ChartTable, showDifference } from './ChartFrame.tsx'
import { Difference } from './Difference.tsx'
import { placesOf, showPlace, type TrendAxis, type TrendPoint } from './days.ts'
import type { TrendPlot } from './trend-plot.ts'
import { readTrend, sayTrend, type TrendAt } from './trend-words.ts'

type Props = ChartProps & {
  /** Pass the same array while nothing changed: a new one triggers a redraw. */
  points: readonly TrendPoint[]
  height?: number
  axis?: TrendAxis
  /** The top of the scale and its first and last place, shared by several trends. */
  max?: number
  span?: readonly [number, number] | null
  /** The first column's trend, drawn behind as a thin line, and its name. */
  against?: { points: readonly TrendPoint[]; name: string } | null
  /** A crosshair shared with others; without it the trend has its own. */
  at?: number | null
  onAt?: (place: number | null) => void
}

/** Delivered against plan, cumulative, with a crosshair for pointer and arrow keys. uPlot loads with the first one. */
export function AreaTrend({
  label,
  points,
  height = 148,
  axis = 'date',
  max,
  span,
  against,
  at: shared,
  onAt,
  loading,
  asTable,
  empty = 'Nothing delivered yet',
  className,
}: Props) {
  const host = useRef<HTMLDivElement>(null)
  const readout = useRef<HTMLDivElement>(null)
  const plot = useRef<TrendPlot>(null)
  const theme = useTokenVersion()
  const [failed, setFailed] = useState(false)
  const [own, setOwn] = useState<number | null>(null)
  const at = onAt ? (shared ?? null) : own
  const setAt = useRef<(place: number | null) => void>(setOwn)
  setAt.current = onAt ?? setOwn
  const drawn = !loading && !asTable && points.length > 0
  const places = useMemo(() => placesOf(points, axis), [points, axis])
  const first = span?.[0] ?? places[0] ?? 0
  const final = span?.[1] ?? places.at(-1) ?? 0
  const wanted = useRef(at)
  wanted.current = at

  const base = against?.points
  const standing = useMemo(() => {
    const byPlace = new Map(places.map((place, i) => [place, points[i]!]))
    const theirs = base && new Map(placesOf(base, axis).map((place, i) => [place, base[i]!]))
    return (place: number): TrendAt => ({
      place,
      axis,
      point: byPlace.get(place),
      ...(theirs ? { base: theirs.get(place) ?? null } : {}),
    })
  }, [places, points, base, axis])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has to be drawn again
  useEffect(() => {
    if (!drawn) return
    let gone = false
    let cancel = () => {}
    import('./trend-plot.ts').then(
      ({ drawTrend }) => {
        if (gone) return
        cancel = afterPaint(() => {
          if (!host.current || !readout.current) return
          plot.current = drawTrend({
            host: host.current,
            readout: readout.current,
            points,
            height,
            axis,
            max,
            span: [first, final],
            base,
            read: (place) => readTrend(standing(place)),
            onAt: (place) => setAt.current(place),
          })
          plot.current.showAt(wanted.current)
        })
      },
      () => setFailed(true),
    )
    return () => {
      gone = true
      cancel()
      plot.current?.destroy()
      plot.current = null
    }
  }, [drawn, points, height, axis, max, first, final, base, standing, theme])

  useEffect(() => plot.current?.showAt(at), [at])

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
        head={['Day', 'Delivered', 'Plan', 'To plan', ...(against ? ['To first'] : [])]}
        rows={points.map(({ value, plan }, i) => {
          const there = standing(places[i]!).base
          return [
            showPlace(places[i]!, axis),
            value === null ? '–' : count(value),
            plan == null ? '–' : count(Math.round(plan)),
            value === null || plan == null ? '–' : showDifference(Math.round(value - plan)),
            ...(against
              ? [
                  value === null || there?.value == null ? (
                    '–'
                  ) : (
                    <Difference key="base" value={value - there.value} to={against.name} />
                  ),
                ]
              : []),
          ]
        })}
      />
    )
  const lastAt = points.findLastIndex((point) => point.value !== null)
  const now = at ?? places[lastAt] ?? first
  const walk = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: -7, PageDown: 7 }[event.key]
    const next = event.key === 'Home' ? first : event.key === 'End' ? final : steps === undefined ? null : now + steps
    if (next === null) {
      if (event.key !== 'Escape' || at === null) return
      event.stopPropagation()
      setAt.current(null)
      return
    }
    event.preventDefault()
    event.stopPropagation()
    setAt.current(Math.min(final, Math.max(first, next)))
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={first}
      aria-valuemax={final}
      aria-valuenow={now}
      aria-valuetext={lastAt < 0 && at === null ? 'nothing delivered yet' : sayTrend(standing(now), against?.name ?? 'the first')}
      onKeyDown={walk}
      onBlur={() => setAt.current(null)}
      className={cx('relative rounded-sm outline-offset-2', className)}
      style={{ height }}
    >
      <div ref={host} className="absolute inset-0" />
      <div
        ref={readout}
        hidden
        data-readout
        className="pointer-events-none absolute top-0 whitespace-nowrap rounded-sm bg-raised px-1 text-meta tabular-nums"
      />
    </div>
  )
}
