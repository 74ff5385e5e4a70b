import type { PackedPoint } from './cluster.worker.ts'

/** A direction of the arrow keys, in steps to the east and to the north. */
export type Heading = readonly [east: number, north: number]
/** A box in degrees. */
export type Box = { west: number; south: number; east: number; north: number }

/** The heading of an arrow key; undefined for other keys. */
export const headingOf = (key: string): Heading | undefined =>
  ({ ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] })[key] as Heading | undefined

/** The web map's height of a latitude in degrees of longitude, so that directions are those on the screen. */
const height = (lat: number): number => (Math.asinh(Math.tan((lat * Math.PI) / 180)) * 180) / Math.PI

/** The index of the point nearest to a place in degrees; -1 without points. */
export function nearest(points: readonly PackedPoint[], lng: number, lat: number): number {
  const y = height(lat)
  let found = -1
  let least = Number.POSITIVE_INFINITY
  for (let at = 0; at < points.length; at++) {
    const [east, north] = points[at]!
    const distance = (east - lng) ** 2 + (height(north) - y) ** 2
    if (distance < least) [found, least] = [at, distance]
  }
  return found
}

/**
 * The index of the next point in a direction, the one it was at if there is none.
 * Points of one place, such as those of a ZIP, are gone through one by one before the next place.
 */
export function nextPoint(points: readonly PackedPoint[], from: number, [east, north]: Heading): number {
  const start = points[from]
  if (!start) return -1
  const forward = east + north > 0
  const same = (at: number) => points[at]![0] === start[0] && points[at]![1] === start[1]
  const step = forward ? 1 : -1
  for (let at = from + step; at >= 0 && at < points.length; at += step) if (same(at)) return at
  const y = height(start[1])
  let found = from
  let least = Number.POSITIVE_INFINITY
  for (let at = 0; at < points.length; at++) {
    const dx = points[at]![0] - start[0]
    const dy = height(points[at]![1]) - y
    const ahead = dx * east + dy * north
    const aside = Math.abs(dx * north) + Math.abs(dy * east)
    // Within 63° to either side, so that every point lies in some direction.
    if (ahead <= 0 || aside > 2 * ahead) continue
    const far = ahead + 2 * aside
    // A place is entered at its first point, or going back at its last one.
    if (far < least || (far === least && !forward)) [found, least] = [at, far]
  }
  return found
}

/** The indices of the points in a box. */
export const pointsIn = (points: readonly PackedPoint[], { west, south, east, north }: Box): number[] =>
  points.flatMap(([lng, lat], at) => (lng >= west && lng <= east && lat >= south && lat <= north ? [at] : []))
