import { Worker } from 'node:worker_threads'
import { foldText, nameKey } from '../../../contract/foldText.ts'
import { counted } from '../../../contract/format.ts'
import { type Degrees, isNowhere, milesBetween, slipsOf, written } from '../../../contract/position.ts'
import { slipOf } from '../../db/markets.ts'
import { getOrInsert } from '../runtime/getOrInsert.ts'
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
  /** Its own coordinates unless they are doubtful, else the center of its ZIP, else that of its city, else none. */
  positionOf(where: Addressed): Positioned
  /** Why its own coordinates are doubtful, with those that were probably meant; null if they aren't. */
  doubtOf(where: Addressed): string | null
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

/** The farthest that a place is taken to be from the center of its ZIP or city, or the nearest ZIP of its state. */
const FAR_MILES = 60
/** In Alaska, where a ZIP code can be as large as a state. */
const FAR_IN_ALASKA = 300
/** Post offices of the armed forces are where the forces are. */
const FORCES = new Set(['AA', 'AE', 'AP'])

function geocoderOf({ zips, latitudes, longitudes, cities }: ZipTable): Geocoder {
  const centers = new Map<string, { north: number; east: number; count: number }>()
  const states = new Map<number, string>()
  const inState = new Map<string, Degrees[]>()
  for (const [at, city] of cities.split('\n').entries()) {
    const comma = city.lastIndexOf(', ')
    const state = city.slice(comma + 2)
    states.set(zips[at]!, state)
    getOrInsert(inState, state, () => []).push({ latitude: latitudes[at]!, longitude: longitudes[at]! })
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
  const zipCenter = ({ zip }: Addressed): Degrees | null => {
    const at = indexOf(zip)
    return at < 0 ? null : { latitude: latitudes[at]!, longitude: longitudes[at]! }
  }
  const cityCenter = ({ city, state }: Addressed): Degrees | null => {
    const center = city && state ? centers.get(cityKey(city, state)) : undefined
    return center ? { latitude: rounded(center.north / center.count), longitude: rounded(center.east / center.count) } : null
  }
  /** What an address says about its position: centers of its ZIP and city, else the ZIPs of its state. */
  const hintsOf = (where: Addressed): { name: string; centers: readonly Degrees[] } | null => {
    const { zip, city, state } = where
    const [ofZip, ofCity] = [zipCenter(where), cityCenter(where)]
    if (ofZip) return { name: `ZIP ${zip.slice(0, 5)}`, centers: ofCity ? [ofZip, ofCity] : [ofZip] }
    // A city is known by its letters, whatever else is in its text.
    if (ofCity) return { name: `${city.replace(/\p{C}/gu, '')}, ${state.toUpperCase()}`, centers: [ofCity] }
    const all = inState.get(state.toUpperCase())
    return all ? { name: state, centers: all } : null
  }
  const doubtOf = (where: Addressed): string | null => {
    const { latitude, longitude, state } = where
    if (latitude === null || longitude === null) return null
    const sent = { latitude, longitude }
    if (isNowhere(sent)) return '0, 0 is no position'
    const hints = FORCES.has(state.toUpperCase()) ? null : hintsOf(where)
    // Without a hint, only a position that another one is probably meant by is doubtful.
    if (!hints) return state ? null : slipOf(sent)
    const far = (one: Degrees) => Math.min(...hints.centers.map((center) => milesBetween(center, one)))
    const most = state.toUpperCase() === 'AK' ? FAR_IN_ALASKA : FAR_MILES
    const miles = far(sent)
    if (miles <= most) return null
    const [likely] = slipsOf(sent)
      .filter((slip) => far(slip) <= most)
      .sort((a, b) => far(a) - far(b))
    const meant = likely ? `${written(likely)} is probably meant: ` : ''
    return `${meant}${written(sent)} is ${counted(Math.round(miles), 'mile')} from ${hints.name}`
  }
  return {
    positionOf(where) {
      const { latitude, longitude } = where
      const [ofZip, ofCity] = [zipCenter(where), cityCenter(where)]
      // A center that was read and is written back doesn't become exact.
      const isAt = (one: Degrees | null) => one !== null && one.latitude === latitude && one.longitude === longitude
      if (latitude !== null && longitude !== null && !isAt(ofZip) && !isAt(ofCity) && !doubtOf(where))
        return { latitude, longitude, position: 'exact' }
      if (ofZip) return { ...ofZip, position: 'zip' }
      if (ofCity) return { ...ofCity, position: 'city' }
      return { latitude: null, longitude: null, position: 'none' }
    },
    doubtOf,
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
