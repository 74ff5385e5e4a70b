import Supercluster from 'supercluster'

/** A point as sent: longitude, latitude, and how many it represents. */
export type PackedPoint = [lng: number, lat: number, weight: number]
/** What the map asks: take these points; what is in this view; which places are the largest. */
export type ClusterAsk =
  | { kind: 'load'; points: PackedPoint[] }
  | { kind: 'view'; id: number; bounds: [number, number, number, number]; zoom: number }
  | { kind: 'largest'; id: number; most: number }
/** A place on the map: several points in one while zoomed out; `expand` is the zoom where it falls apart. */
export type Place = { key: string; lng: number; lat: number; weight: number; expand: number | null }
/** The answer to `view` and `largest`, by the id of the question. */
export type ClusterAnswer = { id: number; places: Place[] }

type Weight = { weight: number }
/** Clusters up to zoom 8 (people-and-catalogue-area.md); beyond it every point is drawn by itself. */
const index = new Supercluster<Weight, Weight>({
  maxZoom: 8,
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
    if (!('cluster' in feature.properties)) return { key: `p${lng},${lat}`, lng, lat, weight, expand: null }
    const id = feature.properties.cluster_id as number
    return { key: `c${id}`, lng, lat, weight, expand: index.getClusterExpansionZoom(id) }
  })

self.onmessage = ({ data }: MessageEvent<ClusterAsk>) => {
  if (data.kind === 'load') {
    index.load(
      data.points.map(([lng, lat, weight]) => ({
        type: 'Feature',
        properties: { weight },
        geometry: { type: 'Point', coordinates: [lng, lat] },
      })),
    )
    return
  }
  const found =
    data.kind === 'view'
      ? places(data.bounds, data.zoom)
      : places([-180, -85, 180, 85], 6)
          .sort((a, b) => b.weight - a.weight)
          .slice(0, data.most)
  self.postMessage({ id: data.id, places: found } satisfies ClusterAnswer)
}
