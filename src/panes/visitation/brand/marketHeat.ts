import type { VisitCounts, VisitPoint } from '../../../../contract/visit.ts'
import type { Shade } from '../../../ui/charts/map-view.ts'

export type Market = VisitCounts['by_market'][number]
/** What the shades of market areas show. */
export type HeatBy = 'visits' | 'venue' | 'change'

export const HEAT_WORDS: Readonly<Record<HeatBy, string>> = { visits: 'Visits', venue: 'Per venue', change: 'Change' }

/** Returns the relative change; null without visits before. */
const changeOf = ({ total, before }: Pick<Market, 'total' | 'before'>): number | null =>
  before === null || before === 0 ? null : (total - before) / before

/** Returns each market area's shade; for changes, ±50 % or more is the strongest. */
export function shadesOf(markets: readonly Market[], by: HeatBy): Map<number, Shade> {
  if (by === 'change')
    return new Map(
      markets.flatMap((market): [number, Shade][] => {
        const change = changeOf(market)
        return change === null
          ? []
          : [[market.dma, { tone: change < 0 ? 'red' : 'green', strength: Math.min(1, Math.abs(change) * 2) }]]
      }),
    )
  const value = ({ total, venues }: Market) => (by === 'visits' ? total : venues ? total / venues : 0)
  const most = Math.max(1, ...markets.map(value))
  // Square root, or a few large areas would leave the rest blank.
  return new Map(
    markets.flatMap((market): [number, Shade][] => {
      const mine = value(market)
      return mine > 0 ? [[market.dma, { tone: 'accent', strength: Math.sqrt(mine / most) }]] : []
    }),
  )
}

/** Toggles one market area. An empty list means all, so the first one toggled is selected alone. */
export function toggled(chosen: readonly number[], code: number): number[] {
  return chosen.includes(code) ? chosen.filter((one) => one !== code) : [...chosen, code]
}

/** Groups venues by market area, most visits first. */
export function venuesByMarket(points: readonly VisitPoint[]): Map<number, (VisitPoint & { at: number })[]> {
  const by = new Map<number, (VisitPoint & { at: number })[]>()
  points.forEach((point, at) => {
    const all = by.get(point.dma)
    if (all) all.push({ ...point, at })
    else by.set(point.dma, [{ ...point, at }])
  })
  for (const all of by.values()) all.sort((a, b) => b.visits - a.visits)
  return by
}
