import type { Output } from '../../../contract/calls.ts'
import { sharesOf } from '../../../contract/percentages.ts'
import type { Bar } from '../../ui/charts/Bars.tsx'
import type { FunnelStep } from '../../ui/charts/Funnel.tsx'
import { spanOf, type TrendAxis, type TrendPoint, topOf } from '../../ui/charts/trendDays.ts'

/** The Overview's response: all figures, read at one moment. */
export type Figures = Output<'runtime.overview'>['data']
type Slices = Figures['age']
/** The widgets drawn as bars. */
export const BAR_WIDGETS = ['age', 'gender', 'hhi', 'ethnicity', 'marital_status', 'children'] as const
export type BarWidget = (typeof BAR_WIDGETS)[number]

/** What an Overview publishes to those beside it. */
export interface Published {
  figures: Figures
  trend: readonly TrendPoint[]
  /** The total order; null under a filter. */
  goal: number | null
  /** The filters as text; only figures under the same filters are compared. */
  of: string
}

/** Converts the trend's days to chart points; without the plan if filtered, because it covers everybody. */
export const trendOf = (figures: Pick<Figures, 'delivery_trend'> | undefined, filtered: boolean): TrendPoint[] =>
  (figures?.delivery_trend ?? []).map((day) => ({ date: day.date, value: day.cumulative, plan: filtered ? null : day.expected }))

/** Builds a widget's bars; with `base`, each has its difference from the first column's share, in points. */
export function barsOf(slices: Slices | undefined, base?: Slices): Bar[] {
  const wholes = (all: Slices) =>
    sharesOf(
      all.map(({ count }) => count),
      undefined,
      0,
    )
  const others = base && wholes(base)
  const theirs = base && new Map(base.map(({ label }, at) => [label, others![at]!]))
  const shares = wholes(slices ?? [])
  return (slices ?? []).map((slice, at) => {
    const percent = shares[at]!
    const other = theirs?.get(slice.label)
    return {
      label: slice.label,
      value: slice.count,
      ...(theirs ? { difference: other === undefined ? null : percent - other } : {}),
    }
  })
}

/** True if no chart has anything to draw. */
export const isEmpty = ({ funnel, total, delivery_trend }: Figures): boolean =>
  funnel.entrants === 0 && total === 0 && delivery_trend.every(({ delivered }) => delivered === 0)

/** Returns funnel levels from top to bottom; their losses are disjoint and add up to the entrants (decisions.md 9). */
export function funnelSteps({ entrants, terminates_value, overquota_value, completes_value }: Figures['funnel']): FunnelStep[] {
  return [
    { label: 'Entrants', value: entrants },
    { label: 'Qualified', value: entrants - terminates_value, lost: 'terminates' },
    { label: 'Within quota', value: entrants - terminates_value - overquota_value, lost: 'overquota' },
    { label: 'Completes', value: completes_value, lost: 'partials' },
  ]
}

/** Scales shared by compared Overviews; bars show shares, which need none. */
export interface Scales {
  trendTop: number
  trendSpan: readonly [number, number] | null
  entrants: number
}

/** Returns scales that fit every compared Overview; null for fewer than two. */
export function scalesOf(all: readonly Published[], axis: TrendAxis): Scales | null {
  if (all.length < 2) return null
  const trends = all.map(({ trend }) => trend)
  return {
    trendTop: topOf(
      trends,
      all.map(({ goal }) => goal ?? 0),
    ),
    trendSpan: spanOf(trends, axis),
    entrants: Math.max(...all.map(({ figures }) => figures.funnel.entrants)),
  }
}

/** Returns the difference from the first column's figure, and in whole percent of it (null when that is zero). */
export const differs = (mine: number, theirs: number): { value: number; percent: number | null } => ({
  value: mine - theirs,
  percent: theirs === 0 ? null : Math.round((100 * (mine - theirs)) / theirs),
})
