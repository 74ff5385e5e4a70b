import { readFileSync } from 'node:fs'

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

let places: ReadonlyMap<number, { latitude: number; longitude: number }> | null = null
/** The position of each market area's main city, by code (server/db/data/cities.tsv). */
export function marketPlaces(): ReadonlyMap<number, { latitude: number; longitude: number }> {
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

/** The market area whose main city is nearest to a position. */
export function nearestMarket(latitude: number, longitude: number): number {
  // A degree of longitude is shorter the farther from the equator.
  const wide = Math.cos((latitude * Math.PI) / 180)
  let nearest = 0
  let least = Number.POSITIVE_INFINITY
  for (const [code, city] of marketPlaces()) {
    const north = city.latitude - latitude
    const east = (city.longitude - longitude) * wide
    const distance = north * north + east * east
    if (distance >= least) continue
    least = distance
    nearest = code
  }
  return nearest
}
