import { readFileSync } from 'node:fs'
import { type Degrees, milesBetween, slipsOf, written } from '../../contract/position.ts'

export interface MarketArea {
  code: number
  name: string
  /** By television homes; null outside the top 50. */
  rank: number | null
}

let known: MarketArea[] | null = null
/** The 210 market areas (DMA) of server/db/data/dma.tsv; the presets Top 10, 25 and 50 follow the rank. */
export function marketAreas(): readonly MarketArea[] {
  known ??= readFileSync(new URL('./data/dma.tsv', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => {
      const [code, name, rank] = line.split('\t')
      return { code: Number(code), name: name!.trim(), rank: rank?.trim() ? Number(rank) : null }
    })
  return known
}

let places: ReadonlyMap<number, Degrees> | null = null
/** The position of each market area's main city, by code (server/db/data/cities.tsv). */
export function marketPlaces(): ReadonlyMap<number, Degrees> {
  places ??= new Map(
    readFileSync(new URL('./data/cities.tsv', import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => line && !line.startsWith('#'))
      .map((line) => {
        const [code, latitude, longitude] = line.split('\t')
        return [Number(code), { latitude: Number(latitude), longitude: Number(longitude) }]
      }),
  )
  return places
}

/** The most miles from a market's main city to its edge: Page, Arizona, is 213 from Salt Lake City. */
const REACH_MILES = 220

/** The market area whose main city is nearest to a position; null beyond its reach, as in Europe or at sea. */
export function nearestMarket(position: Degrees): number | null {
  let nearest: number | null = null
  let least = REACH_MILES
  for (const [code, city] of marketPlaces()) {
    // A degree of latitude is 69 miles, which rules most cities out.
    if (Math.abs(city.latitude - position.latitude) * 69 > least) continue
    const miles = milesBetween(city, position)
    if (miles >= least) continue
    least = miles
    nearest = code
  }
  return nearest
}

/** Why a position that no market area reaches is doubtful: one does with the other sign, or changed over; else null. */
export function slipOf(position: Degrees): string | null {
  if (nearestMarket(position) !== null) return null
  const likely = slipsOf(position).find((slip) => nearestMarket(slip) !== null)
  return likely ? `${written(likely)} is probably meant: no market area is near ${written(position)}` : null
}
