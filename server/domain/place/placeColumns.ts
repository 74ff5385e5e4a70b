import { normalizeAddress, stateCode } from '../../../contract/address.ts'
import type { Position } from '../../../contract/location.ts'
import { nearestMarket } from '../../db/markets.ts'
import { positionOf } from './geocode.ts'

/** What is known about a place's location. */
export interface Where {
  address: string
  city: string
  state: string
  zip: string
  latitude: number | null
  longitude: number | null
}
/** The location with the columns derived from it. */
export interface PlaceColumns extends Where {
  position: Position
  dma: number | null
  address_key: string
}

/** A place's columns, with its position, the nearest market area, and the key that duplicates are found by. */
export async function placeColumns(where: Where): Promise<PlaceColumns> {
  const { address, city, zip } = where
  const state = stateCode(where.state) ?? where.state
  const found = await positionOf({ ...where, state })
  const { latitude, longitude } = found
  const dma = latitude === null || longitude === null ? null : nearestMarket(latitude, longitude)
  return { address, city, state, zip, ...found, dma, address_key: normalizeAddress(address, zip) }
}
