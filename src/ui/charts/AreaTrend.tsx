import { useMemo, useState } from 'react'
import { count } from '../../../contract/format.ts'
import { type ChartProps, showDifference } from './ChartFrame.tsx'
import { DayPlot } from './DayPlot.tsx'
import { Difference } from './Difference.tsx'
import { readTrend, sayTrend, type TrendAt, toPlan } from './trend-words.ts'
import { placesOf, showPlace, type TrendAxis, type TrendPoint } from './trendDays.ts'
import { trendDrawing } from './trendDrawing.ts'

type Props = ChartProps & {
  /** Pass the same array while nothing changed: a new one triggers a redraw. */
  points: readonly TrendPoint[]
  height?: number
  axis?: TrendAxis
  /** The ordered completes, drawn as a line across; null for none. */
  goal?: number | null
  /** Today's date, whose figures are incomplete. */
  today?: string | undefined
  /** The top of the value scale and the ends of the day scale, shared by several trends. */
  max?: number
  span?: readonly [number, number] | null
  /** The trend of the first column, drawn as a thin line behind, and its name. */
  against?: { points: readonly TrendPoint[]; name: string } | null
  /** The position of a shared crosshair; without one, the trend has its own. */
  at?: number | null
  onAt?: (place: number | null) => void
}

/** A cumulative delivery trend, with plan and goal. */
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
      describe={(place) =>
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
