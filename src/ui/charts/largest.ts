import { decimal } from '../../../contract/decimals.ts'
import type { PackedPoint, Place } from './cluster.worker.ts'
import { Clusters } from './clusters.ts'

/** Kept, with the counties that it has unpacked. */
let clusters: Clusters | undefined

/** Returns the largest places, named by the county at their center; places in the same county are merged. */
export async function largestPlaces(points: PackedPoint[], most: number): Promise<(Place & { name: string })[]> {
  if (clusters) clusters.load(points)
  else clusters = new Clusters(points)
  const found = await clusters.ask({ kind: 'largest', most: most * 2 })
  const named = new Map<string, Place & { name: string }>()
  for (const place of found) {
    const name = place.name ?? `${decimal(place.lat, 1, 1)}, ${decimal(place.lng, 1, 1)}`
    const same = named.get(name)
    if (same) same.weight += place.weight
    else named.set(name, { ...place, name })
  }
  return [...named.values()].sort((a, b) => b.weight - a.weight).slice(0, most)
}
