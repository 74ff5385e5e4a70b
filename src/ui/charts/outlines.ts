import type { Feature, FeatureCollection, MultiPolygon, Polygon, Position } from 'geojson'
import { feature, merge, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import atlas from 'us-atlas/counties-10m.json'
import type { City } from './map-view.ts'

type Named = { name: string }
const topology = atlas as unknown as Topology<Record<'counties' | 'states' | 'nation', GeometryCollection<Named>>>

/** Land, state and county borders as GeoJSON (us-atlas, from the Census Bureau, 1:10 million). */
export const nation = feature(topology, topology.objects.nation)
export const stateLines = mesh(topology, topology.objects.states)
export const countyLines = mesh(topology, topology.objects.counties, (a, b) => a !== b)

type Area = Feature<Polygon | MultiPolygon, Named> & { box: [number, number, number, number] }
let counties: Area[] | undefined
const states = new Map(
  topology.objects.states.geometries.map((state) => [
    String(state.id),
    state.properties && 'name' in state.properties ? state.properties.name : '',
  ]),
)

const boxed = (): Area[] => {
  counties ??= (feature(topology, topology.objects.counties) as FeatureCollection<Polygon | MultiPolygon, Named>).features.map(
    (each) => ({ ...each, box: boxOf(each) }),
  )
  return counties
}

const known = new WeakMap<readonly City[], FeatureCollection<MultiPolygon, { code: number }>>()
/** Returns the counties nearest to each city as one area: roughly its market area, whose borders aren't public. */
export function areasOfCities(cities: readonly City[]): FeatureCollection<MultiPolygon, { code: number }> {
  const before = known.get(cities)
  if (before) return before
  const geometries = topology.objects.counties.geometries
  const of = new Map<number, (typeof geometries)[number][]>()
  boxed().forEach(({ box: [west, south, east, north] }, at) => {
    const [lng, lat] = [(west + east) / 2, (south + north) / 2]
    const narrow = Math.cos((lat * Math.PI) / 180)
    let nearest: City | undefined
    let least = Number.POSITIVE_INFINITY
    for (const city of cities) {
      const distance = ((city.lng - lng) * narrow) ** 2 + (city.lat - lat) ** 2
      if (distance < least) [nearest, least] = [city, distance]
    }
    if (nearest) of.set(nearest.code, [...(of.get(nearest.code) ?? []), geometries[at]!])
  })
  const features = [...of].map(
    ([code, parts]): Feature<MultiPolygon, { code: number }> => ({
      type: 'Feature',
      properties: { code },
      geometry: merge(topology, parts as Parameters<typeof merge>[1]),
    }),
  )
  const areas: FeatureCollection<MultiPolygon, { code: number }> = { type: 'FeatureCollection', features }
  known.set(cities, areas)
  return areas
}

/** Returns a point's county and state ("Cook, Illinois"), or null outside them. Indexes the counties on first call. */
export function placeName(lng: number, lat: number): string | null {
  for (const county of boxed()) {
    const [west, south, east, north] = county.box
    if (lng < west || lng > east || lat < south || lat > north) continue
    const polygons = county.geometry.type === 'Polygon' ? [county.geometry.coordinates] : county.geometry.coordinates
    if (polygons.some((rings) => rings.reduce((inside, ring) => inside !== within(ring, lng, lat), false)))
      return `${county.properties.name}, ${states.get(String(county.id).slice(0, 2)) ?? ''}`
  }
  return null
}

function boxOf({ geometry }: Feature<Polygon | MultiPolygon>): Area['box'] {
  const points = (geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat()).flat()
  return points.reduce<Area['box']>(
    ([west, south, east, north], [lng = 0, lat = 0]) => [
      Math.min(west, lng),
      Math.min(south, lat),
      Math.max(east, lng),
      Math.max(north, lat),
    ],
    [180, 90, -180, -90],
  )
}

/** True if a ray from the point crosses the ring an odd number of times. */
function within(ring: readonly Position[], lng: number, lat: number): boolean {
  let inside = false
  for (let at = 0, before = ring.length - 1; at < ring.length; before = at++) {
    const [x1 = 0, y1 = 0] = ring[at]!
    const [x2 = 0, y2 = 0] = ring[before]!
    if (y1 > lat !== y2 > lat && lng < ((x2 - x1) * (lat - y1)) / (y2 - y1) + x1) inside = !inside
  }
  return inside
}
