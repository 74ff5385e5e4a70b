import { marketPlaces, nearestMarket } from '../../db/markets.ts'

/** A venue's position as stored. */
export interface Placed {
  latitude: number | null
  longitude: number | null
  dma: number
  placed: 'given' | 'market'
}

/**
 * Places a venue in its given market area, or in the one with the nearest main city.
 * Without a position it is placed at its market's main city; null without either, or for an unknown market.
 */
export function placeOf(venue: {
  latitude?: number | null | undefined
  longitude?: number | null | undefined
  dma?: number | null | undefined
}): Placed | null {
  const { latitude = null, longitude = null, dma } = venue
  const city = dma == null ? undefined : marketPlaces().get(dma)
  if (dma != null && !city) return null
  if (latitude !== null && longitude !== null)
    return { latitude, longitude, dma: dma ?? nearestMarket(latitude, longitude), placed: 'given' }
  return city ? { ...city, dma: dma!, placed: 'market' } : null
}
