import { knownPosition } from '../../../contract/position.ts'
import { marketPlaces, nearestMarket } from '../../db/markets.ts'

/** A venue's position as stored. */
export interface Placed {
  latitude: number | null
  longitude: number | null
  /** 0 if no market area is near. */
  dma: number
  placed: 'given' | 'market'
}

interface SentPlace {
  latitude?: number | null | undefined
  longitude?: number | null | undefined
  dma?: number | null | undefined
}

/**
 * Places a venue in its given market area, or in the one with the nearest main city.
 * Without a position it is placed at its market's main city; null without either, or for an unknown market.
 */
export function placeOf(venue: SentPlace): Placed | null {
  const { dma } = venue
  const position = knownPosition(venue)
  const city = dma == null ? undefined : marketPlaces().get(dma)
  if (dma != null && !city) return null
  if (position) return { ...position, dma: dma ?? nearestMarket(position) ?? 0, placed: 'given' }
  return city ? { ...city, dma: dma!, placed: 'market' } : null
}
