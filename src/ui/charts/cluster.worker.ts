import Supercluster from 'supercluster'
import { CLUSTERED_TO } from './map-view.ts'
import { placeNames } from './outlines.ts'

/** A point as sent: longitude, latitude, and how many it represents. */
export type PackedPoint = [lng: number, lat: number, weight: number]
/** Messages to the worker: load these points, query a view, find the largest places, name places. */
export type ClusterAsk =
  | { kind: 'load'; points: PackedPoint[] }
  | { kind: 'view'; id: number; bounds: [number, number, number, number]; zoom: number }
  | { kind: 'largest'; id: number; most: number }
  | { kind: 'name'; id: number; places: Place[] }
/**
 * A place on the map: a cluster or a single point. `expand` is the zoom at which a cluster splits.
 * `at` is the index of a single point, null for a cluster. `name` is the county at its center, once it was asked for.
 */
export type Place = {
  key: string
  lng: number
  lat: number
  weight: number
  expand: number | null
  at: number | null
  name?: string
}
/** The response to all but `load`, with the request's id. */
export type ClusterAnswer = { id: number; places: Place[] }

type Weight = { weight: number }
type Point = Weight & { at: number }
const index = new Supercluster<Point, Weight>({
  maxZoom: CLUSTERED_TO,
  radius: 56,
  map: ({ weight }) => ({ weight }),
  reduce: (sum, { weight }) => {
    sum.weight += weight
  },
})

const places = (bounds: [number, number, number, number], zoom: number): Place[] =>
  index.getClusters(bounds, zoom).map((feature) => {
    const [lng, lat] = feature.geometry.coordinates as [number, number]
    const { weight } = feature.properties
    if (!('cluster' in feature.properties)) {
      const { at } = feature.properties as Point
      return { key: `p${at}`, lng, lat, weight, expand: null, at }
    }
    const id = feature.properties.cluster_id as number
    return { key: `c${id}`, lng, lat, weight, expand: index.getClusterExpansionZoom(id), at: null }
  })

async function answer(data: Exclude<ClusterAsk, { kind: 'load' }>): Promise<Place[]> {
  if (data.kind === 'view') return places(data.bounds, data.zoom)
  if (data.kind === 'name') return named(data.places)
  const largest = places([-180, -85, 180, 85], 6)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, data.most)
  return named(largest)
}

/** Names places; without the counties they go by their positions. */
async function named(places: readonly Place[]): Promise<Place[]> {
  const nameOf = await placeNames().catch(() => () => undefined)
  return places.map((place) => ({ ...place, name: nameOf(place.lng, place.lat) }))
}

self.onmessage = async ({ data }: MessageEvent<ClusterAsk>) => {
  if (data.kind === 'load') {
    index.load(
      data.points.map(([lng, lat, weight], at) => ({
        type: 'Feature',
        properties: { weight, at },
        geometry: { type: 'Point', coordinates: [lng, lat] },
      })),
    )
    return
  }
  self.postMessage({ id: data.id, places: await answer(data) } satisfies ClusterAnswer)
}
