import type { Output } from '../../../contract/calls.ts'
import type { Bar } from '../../ui/charts/Bars.tsx'
import { spanOf, type TrendAxis, type TrendPoint, topOf } from '../../ui/charts/days.ts'
import type { FunnelStep } from '../../ui/charts/Funnel.tsx'

/** The Overview's answer: everything it shows, from one moment. */
export type Figures = Output<'runtime.overview'>['data']
type Slices = Figures['age']
/** The widgets that are bars. */
export const BAR_WIDGETS = ['age', 'gender', 'hhi', 'ethnicity', 'marital_status', 'children'] as const
export type BarWidget = (typeof BAR_WIDGETS)[number]

/** What an Overview shows the compared ones: its figures, and of which filters they are. */
export interface Published {
  figures: Figures
  trend: readonly TrendPoint[]
  /** The filters as a text: figures of other filters are no measure of a difference. */
  of: string
}

/** The trend's days as the chart takes them. */
export const trendOf = (figures: Figures | undefined): TrendPoint[] =>
  (figures?.delivery_trend ?? []).map((day) => ({ date: day.date, value: day.cumulative, plan: day.expected }))

/** Bars of a widget; beside a first column's each has the difference of the shares as they are shown, in points. */
export function barsOf(slices: Slices | undefined, base?: Slices): Bar[] {
  const theirs = base && new Map(base.map((slice) => [slice.label, Math.round(slice.percent)]))
  return (slices ?? []).map((slice) => {
    const percent = Math.round(slice.percent)
    const other = theirs?.get(slice.label)
    return {
      label: slice.label,
      value: slice.count,
      percent,
      ...(theirs ? { difference: other === undefined ? null : percent - other } : {}),
    }
  })
}

/** Top to bottom with the loss at each step; the losses are disjoint and add up to the entrants (decisions.md 9). */
export function funnelSteps({ entrants, terminates_value, overquota_value, completes_value }: Figures['funnel']): FunnelStep[] {
  return [
    { label: 'Entrants', value: entrants },
    { label: 'Qualified', value: entrants - terminates_value, lost: 'terminates', tone: 'grey' as const },
    { label: 'Within quota', value: entrants - terminates_value - overquota_value, lost: 'overquota', tone: 'amber' as const },
    { label: 'Completes', value: completes_value, lost: 'partials', tone: 'green' as const },
  ]
}

/** One scale for all compared Overviews. Bars are of shares, in percent; the trend and the funnel of pieces. */
export interface Scales {
  trendTop: number
  trendSpan: readonly [number, number] | null
  bars: Readonly<Record<BarWidget, number>>
  entrants: number
}

/** The scales that hold every compared Overview; null of fewer than two. */
export function scalesOf(all: readonly Published[], axis: TrendAxis): Scales | null {
  if (all.length < 2) return null
  const trends = all.map(({ trend }) => trend)
  const longest = (widget: BarWidget) =>
    Math.max(1, ...all.flatMap(({ figures }) => figures[widget].map((slice) => Math.round(slice.percent))))
  return {
    trendTop: topOf(trends),
    trendSpan: spanOf(trends, axis),
    bars: Object.fromEntries(BAR_WIDGETS.map((widget) => [widget, longest(widget)])) as Record<BarWidget, number>,
    entrants: Math.max(...all.map(({ figures }) => figures.funnel.entrants)),
  }
}

/** How a figure differs from the first column's: in pieces, and in whole percent of the first, null where that is nothing. */
export const differs = (mine: number, theirs: number): { value: number; percent: number | null } => ({
  value: mine - theirs,
  percent: theirs === 0 ? null : Math.round((100 * (mine - theirs)) / theirs),
})
