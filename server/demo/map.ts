import { readFileSync } from 'node:fs'
import { marketAreas } from '../db/markets.ts'
import { draw, sums } from './demography.ts'
import type { Random } from './random.ts'

interface City {
  code: number
  latitude: number
  longitude: number
  /** A unit vector toward open water; null inland. */
  water: [number, number] | null
  /** Television homes in thousands, estimated from the rank. */
  homes: number
  spread: number
}

const SIDES: Record<string, [number, number]> = {
  N: [1, 0],
  S: [-1, 0],
  E: [0, 1],
  W: [0, -1],
  NE: [0.7, 0.7],
  NW: [0.7, -0.7],
  SE: [-0.7, 0.7],
  SW: [-0.7, -0.7],
}

let known: City[] | null = null
function cities(): City[] {
  if (known) return known
  const ranks = new Map(marketAreas().map((area) => [area.code, area.rank]))
  const lines = readFileSync(new URL('../db/data/cities.tsv', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
  known = lines.map((line) => {
    const [code, latitude, longitude, side] = line.split('\t')
    const rank = ranks.get(Number(code))
    const homes = rank ? 7300 * rank ** -0.6 : 80 + ((Number(code) * 37) % 320)
    return {
      code: Number(code),
      latitude: Number(latitude),
      longitude: Number(longitude),
      water: SIDES[side ?? ''] ?? null,
      homes,
      spread: homes > 1200 ? 0.2 : homes > 500 ? 0.15 : 0.11,
    }
  })
  return known
}

export interface Place {
  dma: number
  latitude: number
  longitude: number
}

/** Draws positions around the cities of these market areas (all if empty), weighted by size, never in the sea. */
export function mapOf(codes: readonly number[]): (random: Random) => Place {
  const wanted = new Set(codes)
  const among = cities().filter((city) => !wanted.size || wanted.has(city.code))
  const list = among.length ? among : cities()
  const running = sums(list.map((city) => city.homes))
  return (random) => around(random, list[draw(random, running)]!)
}

function around(random: Random, city: City): Place {
  const reach = random.chance(0.72) ? city.spread : city.spread * 2.4
  let north = random.normal() * reach
  let east = random.normal() * reach * 1.2
  if (city.water) {
    const out = north * city.water[0] + east * city.water[1]
    if (out > 0.04) {
      north -= 2 * out * city.water[0]
      east -= 2 * out * city.water[1]
    }
  }
  const round = (degrees: number) => Math.round(degrees * 10_000) / 10_000
  return { dma: city.code, latitude: round(city.latitude + north), longitude: round(city.longitude + east) }
}

/** Codes of the largest `count` market areas: the presets Top 10, 25 and 50. */
export const topMarkets = (count: number): number[] =>
  marketAreas()
    .filter((area) => area.rank !== null && area.rank <= count)
    .sort((a, b) => a.rank! - b.rank!)
    .map((area) => area.code)
