import { interviewSeconds, isLeftOpen } from '../../../contract/interview.ts'

/** TABLE  columns without a question: the ids they are stored under. */
export const CELLS = 0
export const HOUSEHOLD = -1
export const PLACES = -2
export const SECONDS = -3
/** Market areas by code, 0 without one. */
export const AREAS = -4

/** Stored codes, by width. */
export type Codes = Uint8Array | Uint16Array | Uint32Array

/** Views stored bytes as codes of 1, 2 or 4 bytes. */
export function viewOf(bytes: Uint8Array, width: number): Codes {
  if (width === 1) return bytes
  // A typed array must start at a multiple of its width.
  const own = bytes.byteOffset % width ? bytes.slice() : bytes
  const length = Math.floor(own.byteLength / width)
  return width === 2 ? new Uint16Array(own.buffer, own.byteOffset, length) : new Uint32Array(own.buffer, own.byteOffset, length)
}

/** The bytes needed for a code. */
export const widthOf = (code: number): 1 | 2 | 4 => (code < 256 ? 1 : code < 65_536 ? 2 : 4)

/** Marital status and number of children in one byte; 0 in either half is unknown. */
export const householdOf = ({ marital, children }: { marital: number; children: number }): number =>
  (marital + 1) * 8 + children + 1

/** Unpacks `householdOf`; −1 is unknown. */
export const householdIn = (code: number): { marital: number; children: number } => ({
  marital: (code >> 3) - 1,
  children: (code & 7) - 1,
})

/** A place in tenths of a degree as one number; 0 is unknown. */
export const placeOf = ({ latitude, longitude }: { latitude: number | null; longitude: number | null }): number =>
  latitude === null || longitude === null ? 0 : (Math.round(latitude * 10) + 900) * 3601 + Math.round(longitude * 10) + 1801
/** A place's tenths of a degree. */
export const tenthsOf = (place: number): { lat: number; lon: number } => ({
  lat: Math.floor((place - 1) / 3601) - 900,
  lon: ((place - 1) % 3601) - 1800,
})

/** The code of an interview that was left open; releases before stored it for 18 hours and more. */
const OPEN = 65_535
/** The code of an interview's length: one more than its seconds; 0 is unknown. */
export const secondsOf = (interview: { started_at: string | null; at: string }): number => {
  const seconds = interviewSeconds(interview)
  return seconds === null ? 0 : isLeftOpen(seconds) ? OPEN : 1 + seconds
}
