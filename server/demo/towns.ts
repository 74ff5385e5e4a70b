import { readFileSync } from 'node:fs'
import { normalizeAddress } from '../../contract/address.ts'
import type { Random } from './random.ts'
import { STREETS } from './studies.ts'

interface Town {
  zip: string
  latitude: number
  longitude: number
  city: string
  state: string
}
let known: ReadonlyMap<number, readonly Town[]> | null = null
/** Towns around the main city of each market area (towns.tsv), by its code. */
export function townsByMarket(): ReadonlyMap<number, readonly Town[]> {
  if (known) return known
  const towns = new Map<number, Town[]>()
  for (const line of readFileSync(new URL('./towns.tsv', import.meta.url), 'utf8').split('\n')) {
    if (!line || line.startsWith('#')) continue
    const [code, zip, latitude, longitude, city, state] = line.split('\t') as [string, string, string, string, string, string]
    const mine = towns.get(Number(code)) ?? []
    towns.set(Number(code), mine)
    mine.push({ zip, latitude: Number(latitude), longitude: Number(longitude), city, state })
  }
  known = towns
  return towns
}

/** A demo place's location, as columns of `places`. */
export interface DemoAddress {
  address: string
  city: string
  state: string
  zip: string
  latitude: number | null
  longitude: number | null
  position: 'exact' | 'zip' | 'city' | 'none'
  dma: number | null
  address_key: string
}

const round = (degrees: number) => Math.round(degrees * 10_000) / 10_000
const average = (towns: readonly Town[], of: 'latitude' | 'longitude') =>
  round(towns.reduce((sum, town) => sum + town[of], 0) / towns.length)

/**
 * An address in a market area, usually with its own coordinates.
 * Three in a hundred are located by ZIP, two by city, one not at all.
 * One in a hundred repeats an earlier place's address, spelled differently.
 */
export function addressOf(random: Random, dma: number, earlier: readonly DemoAddress[]): DemoAddress {
  const towns = townsByMarket().get(dma)!
  const town = random.pick(towns)
  const street = `${random.int(10, 9800)} ${random.pick(STREETS)}`
  const kind = random.weigh([0.93, 0.03, 0.02, 0.01, 0.01])
  const shift = () => random.normal() * 0.012
  const near = { latitude: round(town.latitude + shift()), longitude: round(town.longitude + shift()) }
  const written = { address: street, city: town.city, state: town.state, zip: town.zip }
  const keyed = (columns: Omit<DemoAddress, 'address_key'>): DemoAddress => ({
    ...columns,
    address_key: normalizeAddress(columns.address, columns.zip),
  })
  const twin = kind === 4 && earlier.length ? random.pick(earlier) : null
  if (twin) return { ...twin, address: twin.address.toUpperCase() }
  if (kind === 1) return keyed({ ...written, latitude: town.latitude, longitude: town.longitude, position: 'zip', dma })
  if (kind === 2) {
    const there = towns.filter(({ city, state }) => city === town.city && state === town.state)
    // A ZIP code outside the table leaves the center of the city.
    const center = { latitude: average(there, 'latitude'), longitude: average(there, 'longitude') }
    return keyed({ ...written, zip: '00000', ...center, position: 'city', dma })
  }
  if (kind === 3)
    return keyed({ ...written, city: 'Mill Corners', zip: '00000', latitude: null, longitude: null, position: 'none', dma: null })
  return keyed({ ...written, ...near, position: 'exact', dma })
}
