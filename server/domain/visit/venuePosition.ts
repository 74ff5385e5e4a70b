import { counted } from '../../../contract/format.ts'
import { knownPosition, milesBetween, slipsOf, written } from '../../../contract/position.ts'
import { marketPlaces, nearestMarket, slipOf } from '../../db/markets.ts'

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

/** The farthest that a venue is taken to be from its market's main city; a market reaches 220 miles. */
const FAR_MILES = 400

/** Why a venue's position is doubtful, with the one that was probably meant; null if it isn't. */
export function doubtOf(venue: SentPlace): string | null {
  const position = knownPosition(venue)
  const city = marketPlaces().get(venue.dma ?? 0)
  if (!position) return null
  if (!city) return slipOf(position)
  const miles = milesBetween(city, position)
  if (miles <= FAR_MILES) return null
  const likely = slipsOf(position).find((slip) => milesBetween(city, slip) <= FAR_MILES)
  const meant = likely ? `${written(likely)} is probably meant: ` : ''
  return `${meant}${written(position)} is ${counted(Math.round(miles), 'mile')} from market area ${venue.dma}`
}
