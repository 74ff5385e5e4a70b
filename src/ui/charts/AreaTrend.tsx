import { useMemo, useState } from 'react'
import { count } from '../../../contract/format.ts'
import { type ChartProps, showDifference } from './ChartFrame.tsx'
import { DayPlot } from './DayPlot.tsx'
import { Difference } from './Difference.tsx'
import { placesOf, showPlace, type TrendAxis, type TrendPoint } from './days.ts'
import { readTrend, sayTrend, type TrendAt, toPlan } from './trend-words.ts'
import { trendDrawing } from './trendDrawing.ts'

type Props = ChartProps & {
  /** Pass the same array while nothing changed: a new one triggers a redraw. */
  points: readonly TrendPoint[]
  height?: number
  axis?: TrendAxis
  /** What is ordered in all, a line across; null without. */
  goal?: number | null
  /** The date of today, whose figures are not whole. */
  today?: string | undefined
  /** The top of the scale and its first and last place, shared by several trends. */
  max?: number
  span?: readonly [number, number] | null
  /** The first column's trend, drawn behind as a thin line, and its name. */
  against?: { points: readonly TrendPoint[]; name: string } | null
  /** A crosshair shared with others; without it the trend has its own. */
  at?: number | null
  onAt?: (place: number | null) => void
}

/** Delivered against plan and goal, cumulative. */
export function AreaTrend(props: Props) {
  const { points, height = 200, axis = 'date', goal = null, today, max, span, against, empty = 'Nothing delivered yet' } = props
  const [own, setOwn] = useState<number | null>(null)
  const at = props.onAt ? (props.at ?? null) : own
  const places = useMemo(() => placesOf(points, axis), [points, axis])
  const first = span?.[0] ?? places[0] ?? 0
  const base = against?.points

  const standing = useMemo(() => {
    const byPlace = new Map(places.map((place, i) => [place, points[i]!]))
    const theirs = base && new Map(placesOf(base, axis).map((place, i) => [place, base[i]!]))
    return (place: number): TrendAt => {
      const point = byPlace.get(place)
      return { place, axis, point, partial: point?.date === today, ...(theirs ? { base: theirs.get(place) ?? null } : {}) }
    }
  }, [places, points, base, axis, today])

  const drawing = useMemo(
    () => (points.length ? trendDrawing({ points, base, axis, goal, today, max, span }) : null),
    [points, base, axis, goal, today, max, span],
  )

  const lastAt = points.findLastIndex((point) => point.value !== null)
  return (
    <DayPlot
      {...props}
      {...{ drawing, height, at, empty }}
      onAt={props.onAt ?? setOwn}
      rest={places[lastAt] ?? first}
      read={(place) => readTrend(standing(place))}
      say={(place) =>
        lastAt < 0 && at === null ? 'nothing delivered yet' : sayTrend(standing(place), against?.name ?? 'the first')
      }
      table={() => ({
        head: ['Day', 'Delivered', 'Plan', 'To plan', ...(against ? ['To first'] : [])],
        rows: points.map((point, i) => {
          const { value, plan } = point
          const { base: there, partial } = standing(places[i]!)
          return [
            `${showPlace(places[i]!, axis)}${partial ? ', so far' : ''}`,
            value === null ? '–' : count(value),
            plan == null ? '–' : count(Math.round(plan)),
            value === null || plan == null ? '–' : showDifference(toPlan(value, plan)),
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
        }),
      })}
    />
  )
}
