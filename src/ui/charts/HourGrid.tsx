import { type KeyboardEvent, useMemo, useState } from 'react'
import { count, showRounded } from '../../../contract/format.ts'
import { sharesOf } from '../../../contract/percentages.ts'
import { cx } from '../cx.ts'
import { ChartBlank, type ChartProps, ChartTable } from './ChartFrame.tsx'

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
const HEIGHT = 7 * 22 + 24

/** Formats an hour: "8 AM", "12 PM". */
const clock = (hour: number): string => `${hour % 12 || 12} ${hour % 24 < 12 ? 'AM' : 'PM'}`
const span = (hour: number): string => `${clock(hour)} to ${clock(hour + 1)}`
/** Returns the key of a cell, shared by compared grids: "Monday 8". */
const keyOf = (day: number, hour: number): string => `${DAYS[day]} ${hour}`

type Props = ChartProps & {
  /** Visits by weekday, Monday first, and hour. */
  hours: readonly (readonly number[])[] | undefined
  /** The hours of the first column, whose shares are compared at the crosshair. */
  against?: { hours: readonly (readonly number[])[]; name: string } | null
  /** The highest share of any cell, for a scale shared by several grids. */
  max?: number | undefined
  at?: string | null
  onAt?: (key: string | null) => void
}

/** The shares of all cells in percent, which add up to 100. */
const percentsOf = (hours: readonly (readonly number[])[]): readonly number[] =>
  sharesOf(DAYS.flatMap((_, day) => HOURS.map((hour) => hours[day]?.[hour] ?? 0)))

const sum = (hours: readonly (readonly number[])[]): number => hours.reduce((all, row) => row.reduce((a, b) => a + b, all), 0)
/** Returns the highest share of a grid's cells, from 0 to 1. */
export const topShare = (hours: readonly (readonly number[])[]): number => Math.max(0, ...hours.flat()) / Math.max(1, sum(hours))

/** A heat map of visits by weekday and hour. Arrow keys move between cells, whose figures are announced. */
export function HourGrid({
  label,
  hours,
  against,
  max,
  at: shared,
  onAt,
  loading,
  asTable,
  empty = 'No visits',
  className,
}: Props) {
  const [own, setOwn] = useState<string | null>(null)
  const key = onAt ? (shared ?? null) : own
  const setKey = onAt ?? setOwn
  const all = hours ? sum(hours) : 0
  const percents = useMemo(() => (hours ? percentsOf(hours) : []), [hours])
  const theirs = useMemo(() => (against && sum(against.hours) ? percentsOf(against.hours) : null), [against])
  if (loading || !hours || all === 0)
    return (
      <ChartBlank
        loading={Boolean(loading)}
        label={label}
        height={HEIGHT}
        ghost={<div className="rounded-md bg-land" style={{ height: HEIGHT }} />}
      >
        {empty}
      </ChartBlank>
    )
  if (asTable)
    return (
      <ChartTable
        label={label}
        head={['Hour', ...DAYS.map((day) => day.slice(0, 3))]}
        rows={HOURS.map((hour) => [span(hour), ...DAYS.map((_, day) => count(hours[day]?.[hour] ?? 0))])}
      />
    )
  const [dayName, hourName] = key?.split(' ') ?? []
  const [day, hour] = key ? [DAYS.indexOf(dayName as (typeof DAYS)[number]), Number(hourName)] : [-1, -1]
  const top = Math.max(max ?? topShare(hours), 1e-9)
  const value = (d: number, h: number) => hours[d]?.[h] ?? 0
  const share = (d: number, h: number) => value(d, h) / all
  const goTo = (d: number, h: number) => setKey(keyOf(Math.min(6, Math.max(0, d)), Math.min(23, Math.max(0, h))))
  const walk = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key]
    if (step) day < 0 ? goTo(...peakOf(hours)) : goTo(day + step[0]!, hour + step[1]!)
    else if (event.key === 'Home') goTo(Math.max(0, day), 0)
    else if (event.key === 'End') goTo(Math.max(0, day), 23)
    else if (event.key === 'Escape' && day >= 0) setKey(null)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const words = (d: number, h: number): string => {
    const cell = d * HOURS.length + h
    const percent = percents[cell]!
    const points = theirs && Math.round(10 * (percent - theirs[cell]!)) / 10
    const differs =
      points === null ? '' : `, ${points === 0 ? '=' : `${points > 0 ? '+' : '−'}${Math.abs(points)} pts`} to ${against!.name}`
    return `${count(value(d, h))} visits, ${showRounded(percent, value(d, h), all, 1)}${differs}`
  }
  const [peakDay, peakHour] = peakOf(hours)
  const shown = day >= 0 ? ([day, hour] as const) : ([peakDay, peakHour] as const)
  return (
    <div className={className}>
      <div
        role="slider"
        tabIndex={0}
        data-view=""
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={7 * 24 - 1}
        aria-valuenow={shown[0] * 24 + shown[1]}
        aria-valuetext={`${day < 0 ? 'Most: ' : ''}${DAYS[shown[0]]}, ${span(shown[1])}: ${words(...shown)}`}
        onKeyDown={walk}
        onBlur={() => setKey(null)}
        onPointerLeave={() => setKey(null)}
        className="grid select-none grid-cols-[32px_repeat(24,minmax(0,1fr))] gap-px rounded-sm outline-offset-2"
      >
        {DAYS.map((name, d) => (
          <div key={name} aria-hidden="true" className="contents">
            <span className="flex h-[21px] items-center text-meta text-muted">{name.slice(0, 3)}</span>
            {HOURS.map((h) => {
              const is = d === day && h === hour
              return (
                <span
                  key={h}
                  onPointerEnter={() => setKey(keyOf(d, h))}
                  className={cx('h-[21px] rounded-[2px] bg-land', is && 'outline-2 outline-ink -outline-offset-1')}
                  style={
                    value(d, h)
                      ? {
                          background: `color-mix(in oklab, var(--accent) ${Math.round(8 + 88 * (share(d, h) / top))}%, var(--land))`,
                        }
                      : undefined
                  }
                />
              )
            })}
          </div>
        ))}
      </div>
      <div aria-hidden="true" className="mt-0.5 ml-8 grid grid-cols-8 text-meta text-faint tabular-nums">
        {[0, 3, 6, 9, 12, 15, 18, 21].map((hour) => (
          <span key={hour} className="truncate">
            {clock(hour).replace(' ', '\u202f')}
          </span>
        ))}
      </div>
      <p aria-hidden="true" data-readout="" className="mt-1 h-4 truncate text-meta text-muted tabular-nums">
        {day >= 0 ? '' : 'Most: '}
        {DAYS[shown[0]]}, {span(shown[1])} · {words(...shown)}
      </p>
    </div>
  )
}

/** Returns the weekday and hour with the most visits. */
function peakOf(hours: readonly (readonly number[])[]): [day: number, hour: number] {
  let best: [number, number] = [0, 0]
  hours.forEach((row, day) => {
    row.forEach((value, hour) => {
      if (value > (hours[best[0]]?.[best[1]] ?? 0)) best = [day, hour]
    })
  })
  return best
}
