import { useMemo, useRef, useState } from 'react'
import { count, showDay } from '../../../contract/format.ts'
import type { ChartProps } from './ChartFrame.tsx'
import { DayPlot } from './DayPlot.tsx'
import { about, type Day, type Measure, readDay, sayDay, showChange } from './dailyWords.ts'
import type { Drawing, PlotLine } from './plotLines.ts'

/** The days of another period or record to compare with. */
export interface Behind {
  days: readonly (Pick<Day, 'total' | 'unique'> | undefined)[]
  name: string
  short: string
}

type Props = ChartProps & {
  /** Pass the same array while nothing changed: a new one triggers a redraw. */
  days: readonly Day[]
  /** Today's date, whose figures are incomplete. */
  today: string
  height?: number
  /** Other days by index, drawn as a thin line behind, with their name and a short one for the line's end. */
  behind?: Behind | null
  /** The top of the value scale, shared by several graphs. */
  max?: number | undefined
  /** The date of a shared crosshair; without one, the graph has its own. */
  at?: string | null
  onAt?: (date: string | null) => void
  /** Enter or a click on a day. */
  onOpen?: (date: string) => void
  /** Called when pointer or crosshair enter or leave the graph. */
  onHeld?: (held: boolean) => void
}

const DAY_BEFORE = 'the day before'

/** Returns the highest figure of the days and of those behind them. */
export const topOfDays = (days: readonly Day[], behind: readonly (Pick<Day, 'total'> | undefined)[] = []): number =>
  Math.max(1, ...days.map(({ total }) => total), ...behind.map((day) => day?.total ?? 0))

/** Visits and unique devices by day. */
export function DailyGraph(props: Props) {
  const { days, today, height = 220, behind = null, max, at: shared, onAt, onOpen, onHeld, empty = 'No visits', ...rest } = props
  const [own, setOwn] = useState<string | null>(null)
  const date = onAt ? (shared ?? null) : own
  const found = date === null ? -1 : days.findIndex((day) => day.date === date)
  const partial = days.findIndex((day) => day.date === today)
  const measured = (place: number): Measure =>
    behind ? { day: behind.days[place], name: behind.name } : { day: days[place - 1], name: DAY_BEFORE }
  const hold = useRef({ pointer: false, at: false, told: false })
  const reportHeld = (patch: Partial<{ pointer: boolean; at: boolean }>) => {
    const now = Object.assign(hold.current, patch)
    const held = now.pointer || now.at
    if (held === now.told) return
    now.told = held
    onHeld?.(held)
  }
  const drawing = useMemo((): Drawing | null => {
    if (!days.length) return null
    const line = (colour: 'green' | 'accent', width: number, value: (day: Day) => number, end: string): PlotLine => ({
      ...{ values: days.map(value), colour, width, counts: true, end },
    })
    return {
      places: days.map((_, at) => at),
      lines: [
        ...(behind
          ? [
              {
                values: days.map((_, place) => behind.days[place]?.total ?? null),
                ...({ colour: 'muted', width: 1, end: behind.short } as const),
              },
            ]
          : []),
        line('green', 1.75, ({ unique }) => unique, 'Unique'),
        { ...line('accent', 2, ({ total }) => total, 'Total'), area: 0.1 },
      ],
      span: [0, days.length - 1],
      top: max ?? topOfDays(days, behind?.days),
      unfinished: partial < 0 ? null : partial,
      goal: null,
      showPlace: (place) => (days[place] ? showDay(days[place].date) : ''),
    }
  }, [days, behind, max, partial])
  return (
    <DayPlot
      {...rest}
      {...{ drawing, height, empty }}
      at={found < 0 ? null : found}
      onAt={(place) => {
        reportHeld({ at: place !== null })
        ;(onAt ?? setOwn)(place === null ? null : (days[place]?.date ?? null))
      }}
      rest={days.length - 1}
      read={(place) => readDay(days[place]!, measured(place), place === partial, behind?.short)}
      describe={(place) => sayDay(days[place]!, measured(place), place === partial)}
      table={() => ({
        head: ['Day', 'Visits', 'Change', 'Unique', 'Change of unique'],
        rows: days.map((day, place) => {
          const { day: before } = measured(place)
          return [
            `${showDay(day.date, 'weekday')}, ${showDay(day.date, 'day and year')}${place === partial ? ', so far' : ''}`,
            count(day.total),
            showChange(day.total, before?.total),
            about(day.unique, day.error),
            showChange(day.unique, before?.unique),
          ]
        }),
      })}
      {...(onOpen ? { onOpen: (place: number) => onOpen(days[place]!.date) } : {})}
      onPointer={(pointer) => reportHeld({ pointer })}
    />
  )
}
