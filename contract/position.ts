import { counted } from './format.ts'

/** A position in degrees. */
export interface Degrees {
  latitude: number
  longitude: number
}

const AXES = { latitude: ['Latitude', 90], longitude: ['Longitude', 180] } as const
export type Axis = keyof typeof AXES
/** Reads degrees as people, programs and files write them: plain digits, without an exponent. */
export function readDegrees(
  axis: Axis,
  typed: unknown,
): { readonly value: number } | { readonly code: 'format' | 'range'; readonly fault: string } {
  const [label, most] = AXES[axis]
  const text = typeof typed === 'string' ? typed.trim() : ''
  const degrees = typeof typed === 'number' ? typed : /^[+-]?\d{1,3}(?:\.\d{0,20})?$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isFinite(degrees)) return { code: 'format', fault: `${label} must be a number` }
  return Math.abs(degrees) <= most ? { value: degrees } : { code: 'range', fault: `${label} ${typed} is out of range` }
}

/** About a hundred meters. */
const NEXT_TO = 0.001

/** True for 0, 0, which lists and devices write for an unknown position: nobody lives in the sea off Africa. */
export const isNowhere = ({ latitude, longitude }: Degrees): boolean =>
  Math.abs(latitude) < NEXT_TO && Math.abs(longitude) < NEXT_TO

interface MaybeDegrees {
  latitude?: number | null | undefined
  longitude?: number | null | undefined
}
/** A position that was sent, or that is stored: null without one, and for 0, 0, which earlier releases stored. */
export function knownPosition({ latitude, longitude }: MaybeDegrees): Degrees | null {
  if (latitude == null || longitude == null) return null
  return isNowhere({ latitude, longitude }) ? null : { latitude, longitude }
}

/** Why 0, 0 isn't stored. */
export const NOWHERE = '0, 0 is no position, and is taken as unknown'

/** The end of an intake's message about rows at 0, 0; empty without any. */
export const nowhereNote = (rows: number): string =>
  rows ? `; ${counted(rows, 'row')} at 0, 0 ${rows === 1 ? 'has' : 'have'} no position` : ''

const RADIANS = Math.PI / 180
/** The miles between two positions on a sphere. */
export function milesBetween(one: Degrees, other: Degrees): number {
  const north = Math.sin(((other.latitude - one.latitude) * RADIANS) / 2)
  const east = Math.sin(((other.longitude - one.longitude) * RADIANS) / 2)
  const wide = Math.cos(one.latitude * RADIANS) * Math.cos(other.latitude * RADIANS)
  return 2 * 3958.8 * Math.asin(Math.min(1, Math.sqrt(north * north + wide * east * east)))
}

/** Coordinates as they are read, "42.36, -71.06". */
export const written = ({ latitude, longitude }: Degrees): string => `${latitude}, ${longitude}`

/** Coordinates that somebody may have meant: with the other sign, or changed over. */
export const slipsOf = ({ latitude: a, longitude: b }: Degrees): Degrees[] =>
  [
    ...[
      [a, -b],
      [-a, b],
      [-a, -b],
    ],
    ...[
      [b, a],
      [b, -a],
      [-b, a],
      [-b, -a],
    ],
  ].flatMap(([latitude, longitude]) => (Math.abs(latitude!) > 90 ? [] : [{ latitude: latitude!, longitude: longitude! }]))

/** The end of an intake's message about rows whose position is doubtful, with the first; empty without any. */
export const slipNote = (rows: number, first: string): string =>
  rows ? `; ${counted(rows, 'row')} ${rows === 1 ? 'has' : 'have'} a doubtful position (${first})` : ''
