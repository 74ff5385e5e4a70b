import type { PackedPoint } from './cluster.worker.ts'

/** The direction of an arrow key, as steps to the east and north. */
export type Heading = readonly [east: number, north: number]
/** A box in degrees. */
export type Box = { west: number; south: number; east: number; north: number }

/** Returns the direction of an arrow key; undefined for other keys. */
export const headingOf = (key: string): Heading | undefined =>
  ({ ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] })[key] as Heading | undefined

/** Projects a latitude to web map height in degrees of longitude, so that directions match the screen. */
const height = (lat: number): number => (Math.asinh(Math.tan((lat * Math.PI) / 180)) * 180) / Math.PI

/** Returns the index of the point nearest to a position in degrees; -1 without points. */
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
 * Returns the index of the next point in a direction, or the current one if there is none.
 * Points at the same position, such as those of a ZIP, come one after another before the next position.
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
    // Accepts 63° to either side, so that every point lies in some direction.
    if (ahead <= 0 || aside > 2 * ahead) continue
    const far = ahead + 2 * aside
    // Moving forward enters a position at its first point, moving back at its last.
    if (far < least || (far === least && !forward)) [found, least] = [at, far]
  }
  return found
}

/** Returns the indices of the points in a box. */
export const pointsIn = (points: readonly PackedPoint[], { west, south, east, north }: Box): number[] =>
  points.flatMap(([lng, lat], at) => (lng >= west && lng <= east && lat >= south && lat <= north ? [at] : []))
