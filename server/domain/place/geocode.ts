import { Worker } from 'node:worker_threads'
import { foldText, nameKey } from '../../../contract/foldText.ts'
import type { ZipTable } from './zipTable.ts'

/** The parts of an address that locate it. */
interface Addressed {
  city: string
  /** Two letters. */
  state: string
  zip: string
  latitude: number | null
  longitude: number | null
}
/** A position, and how precise it is (screens-people-places-rewards.md, Locations from a file). */
export interface Positioned {
  latitude: number | null
  longitude: number | null
  position: 'exact' | 'zip' | 'city' | 'none'
}
/** Finds positions by the table of ZIP codes. */
export interface Geocoder {
  /** Its own coordinates, else the center of its ZIP, else the center of its city, else none. */
  positionOf(where: Addressed): Positioned
  /** The state of a ZIP code; null for an unknown one. */
  stateOf(zip: string): string | null
}

/** A city's key for comparison: "St. Louis" equals "Saint Louis". */
const cityKey = (city: string, state: string): string =>
  `${foldText(city)
    .replace(/[^a-z]+/g, ' ')
    .trim()
    .replace(
      /^(st|ste|mt|ft) /,
      (_, word: string) => `${{ st: 'saint', ste: 'sainte', mt: 'mount', ft: 'fort' }[word]} `,
    )}|${state.toUpperCase()}`

/** Four decimals, about ten meters: a center is no more precise. */
const rounded = (degrees: number): number => Math.round(degrees * 10_000) / 10_000

function geocoderOf({ zips, latitudes, longitudes, cities }: ZipTable): Geocoder {
  const centers = new Map<string, { north: number; east: number; count: number }>()
  const states = new Map<number, string>()
  for (const [at, city] of cities.split('\n').entries()) {
    const comma = city.lastIndexOf(', ')
    const state = city.slice(comma + 2)
    states.set(zips[at]!, state)
    const key = cityKey(city.slice(0, comma), state)
    const center = centers.get(key) ?? { north: 0, east: 0, count: 0 }
    centers.set(key, center)
    center.north += latitudes[at]!
    center.east += longitudes[at]!
    center.count++
  }
  const indexOf = (zip: string): number => {
    const digits = nameKey(zip)
    const wanted = /^\d{5}/.test(digits) ? Number(digits.slice(0, 5)) : -1
    let [low, high] = [0, zips.length - 1]
    while (low <= high) {
      const middle = (low + high) >> 1
      if (zips[middle] === wanted) return middle
      if (zips[middle]! < wanted) low = middle + 1
      else high = middle - 1
    }
    return -1
  }
  return {
    positionOf({ latitude, longitude, zip, city, state }) {
      if (latitude !== null && longitude !== null) return { latitude, longitude, position: 'exact' }
      const at = indexOf(zip)
      if (at >= 0) return { latitude: latitudes[at]!, longitude: longitudes[at]!, position: 'zip' }
      const center = city && state ? centers.get(cityKey(city, state)) : undefined
      if (!center) return { latitude: null, longitude: null, position: 'none' }
      const { north, east, count } = center
      return { latitude: rounded(north / count), longitude: rounded(east / count), position: 'city' }
    },
    stateOf: (zip) => states.get(zips[indexOf(zip)] ?? -1) ?? null,
  }
}

let loaded: Promise<Geocoder> | undefined

/** This process's geocoder, loaded on first use; a failed load is retried by the next call. */
export function geocoder(): Promise<Geocoder> {
  loaded ??= new Promise<ZipTable>((resolve, reject) => {
    const worker = new Worker(new URL('./zipWorker.ts', import.meta.url))
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The table of ZIP codes could not be read.')))
    worker.unref()
  })
    .then(geocoderOf)
    .catch((error: unknown) => {
      loaded = undefined
      throw error
    })
  return loaded
}

/** The position of an address, from its most precise part. */
export async function positionOf(where: Addressed): Promise<Positioned> {
  const { latitude, longitude } = where
  if (latitude !== null && longitude !== null) return { latitude, longitude, position: 'exact' }
  return (await geocoder()).positionOf(where)
}
