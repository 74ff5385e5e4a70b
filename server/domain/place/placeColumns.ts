import { normalizeAddress, stateCode } from '../../../contract/address.ts'
import type { Position } from '../../../contract/location.ts'
import { nearestMarket } from '../../db/markets.ts'
import { geocoder } from './geocode.ts'

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

/** The market area of a position; null without either. */
export const marketOf = ({ latitude, longitude }: Pick<Where, 'latitude' | 'longitude'>): number | null =>
  latitude === null || longitude === null ? null : nearestMarket({ latitude, longitude })

const stated = (where: Where) => ({ ...where, state: stateCode(where.state) ?? where.state })
/** Why a place's own coordinates aren't taken, as a warning; null if they are. */
export async function doubtOf(where: Where): Promise<string | null> {
  const doubt = (await geocoder()).doubtOf(stated(where))
  return doubt && `${doubt}. The location is placed by its address.`
}

/** A place's columns, with its position, the nearest market area, and the key that duplicates are found by. */
export async function placeColumns(where: Where): Promise<PlaceColumns> {
  const { address, city, state, zip } = stated(where)
  const found = (await geocoder()).positionOf({ ...where, state })
  return { address, city, state, zip, ...found, dma: marketOf(found), address_key: normalizeAddress(address, zip) }
}
