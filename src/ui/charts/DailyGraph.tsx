import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { count, showDay } from '../../../contract/format.ts'
import { afterPaint } from '../afterPaint.ts'
import { cx } from '../cx.ts'
import { useTokenVersion } from '../useTokens.ts'
import { ChartBlank, type ChartProps, ChartTable } from './ChartFrame.tsx'
import type { DailyPlot } from './daily-plot.ts'
import { about, type Day, type Measure, readDay, sayDay, showChange } from './dailyWords.ts'

/** The days of another period or record beside these. */
export interface Behind {
  days: readonly (Pick<Day, 'total' | 'unique'> | undefined)[]
  name: string
  short: string
}

type Props = ChartProps & {
  /** Pass the same array while nothing changed: a new one triggers a redraw. */
  days: readonly Day[]
  /** The date of today, whose figures are not whole. */
  today: string
  height?: number
  /** Other days by their place, drawn behind as a thin line: what they are called, and shortly at the line's end. */
  behind?: Behind | null
  /** The top of the scale, shared by several graphs. */
  max?: number | undefined
  /** A crosshair shared with others, as a date; without it the graph has its own. */
  at?: string | null
  onAt?: (date: string | null) => void
  /** Enter or a click on a day. */
  onOpen?: (date: string) => void
  /** The pointer or the crosshair came into the graph, or left it. */
  onHeld?: (held: boolean) => void
}

const DAY_BEFORE = 'the day before'

/** The highest figure of the days and of what is behind them. */
export const topOfDays = (days: readonly Day[], behind: readonly (Pick<Day, 'total'> | undefined)[] = []): number =>
  Math.max(1, ...days.map(({ total }) => total), ...behind.map((day) => day?.total ?? 0))

/** Visits and unique devices by day, with a crosshair for pointer and arrow keys. uPlot loads with the first one. */
export function DailyGraph({
  label,
  days,
  today,
  height = 220,
  behind = null,
  max,
  at: shared,
  onAt,
  onOpen,
  onHeld,
  loading,
  asTable,
  empty = 'No visits',
  className,
}: Props) {
  const host = useRef<HTMLDivElement>(null)
  const readout = useRef<HTMLDivElement>(null)
  const plot = useRef<DailyPlot>(null)
  const theme = useTokenVersion()
  const [failed, setFailed] = useState(false)
  const [own, setOwn] = useState<string | null>(null)
  const date = onAt ? (shared ?? null) : own
  const found = date === null ? -1 : days.findIndex((day) => day.date === date)
  const at = found < 0 ? null : found
  const partial = days.findIndex((day) => day.date === today)
  const measured = useMemo(
    () =>
      (place: number): Measure =>
        behind ? { day: behind.days[place], name: behind.name } : { day: days[place - 1], name: DAY_BEFORE },
    [days, behind],
  )
  const hold = useRef({ pointer: false, at: false, told: false })
  const tellHeld = (patch: Partial<{ pointer: boolean; at: boolean }>) => {
    const now = Object.assign(hold.current, patch)
    const held = now.pointer || now.at
    if (held === now.told) return
    now.told = held
    onHeld?.(held)
  }
  const setAt = useRef<(place: number | null) => void>(() => {})
  setAt.current = (place) => {
    tellHeld({ at: place !== null })
    ;(onAt ?? setOwn)(place === null ? null : (days[place]?.date ?? null))
  }
  const drawn = !loading && !asTable && days.length > 0
  const wanted = useRef(at)
  wanted.current = at
  const top = max ?? topOfDays(days, behind?.days)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has to be drawn again
  useEffect(() => {
    if (!drawn) return
    let gone = false
    let cancel = () => {}
    import('./daily-plot.ts').then(
      ({ drawDays }) => {
        if (gone) return
        cancel = afterPaint(() => {
          if (!host.current || !readout.current) return
          plot.current = drawDays({
            host: host.current,
            readout: readout.current,
            ...{ days, partial, height, top },
            behind: behind && { short: behind.short, values: days.map((_, place) => behind.days[place]?.total ?? null) },
            read: (place) => readDay(days[place]!, measured(place), place === partial),
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
  }, [drawn, days, partial, height, top, behind, measured, theme])

  useEffect(() => plot.current?.showAt(at), [at])

  if (loading || days.length === 0)
    return (
      <ChartBlank
        loading={loading}
        label={label}
        height={height}
        ghost={
          <svg viewBox="0 0 100 40" preserveAspectRatio="none" width="100%" height={height} aria-hidden="true">
            <path d="M0 26 14 22 28 25 42 14 56 18 70 10 84 16 100 8V40H0Z" className="fill-track" opacity=".6" />
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
        head={['Day', 'Visits', 'Change', 'Unique', 'Change of unique']}
        rows={days.map((day, place) => {
          const { day: before } = measured(place)
          return [
            `${showDay(day.date, 'weekday')}, ${showDay(day.date, 'day and year')}${place === partial ? ', so far' : ''}`,
            count(day.total),
            showChange(day.total, before?.total),
            about(day.unique, day.error),
            showChange(day.unique, before?.unique),
          ]
        })}
      />
    )
  const last = days.length - 1
  const now = at ?? last
  const walk = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: -7, PageDown: 7 }[event.key]
    if (event.key === 'Enter' && onOpen) onOpen(days[now]!.date)
    else if (event.key === 'Escape' && at !== null) setAt.current(null)
    else if (event.key === 'Home') setAt.current(0)
    else if (event.key === 'End') setAt.current(last)
    else if (steps !== undefined) setAt.current(Math.min(last, Math.max(0, now + steps)))
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      data-view=""
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={now}
      aria-valuetext={`${sayDay(days[now]!, measured(now), now === partial)}${onOpen ? '. Enter shows this day' : ''}`}
      onKeyDown={walk}
      onClick={() => at !== null && onOpen?.(days[at]!.date)}
      onBlur={() => setAt.current(null)}
      onPointerEnter={() => tellHeld({ pointer: true })}
      onPointerLeave={() => tellHeld({ pointer: false })}
      className={cx('relative rounded-sm outline-offset-2', onOpen && 'cursor-pointer', className)}
      style={{ height }}
    >
      <div ref={host} className="absolute inset-0" />
      <div
        ref={readout}
        hidden
        data-readout
        className="pointer-events-none absolute top-0 max-w-full truncate whitespace-nowrap rounded-sm bg-raised px-1 text-meta tabular-nums"
      />
    </div>
  )
}
