import type { Feature, FeatureCollection, MultiLineString, MultiPolygon, Polygon, Position } from 'geojson'
import { feature, merge, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import atlasUrl from 'us-atlas/counties-10m.json?url'
import type { City } from './map-view.ts'

type Named = { name: string }
type Atlas = Topology<Record<'counties' | 'states' | 'nation', GeometryCollection<Named>>>
type Lines = FeatureCollection<MultiLineString>
type Areas = FeatureCollection<MultiPolygon, { code: number }>

let loading: Promise<Atlas> | undefined
/** Fetches the borders once (us-atlas, of the Census Bureau, 1:10 million); for workers, as unpacking takes long. */
const atlas = (): Promise<Atlas> => {
  // biome-ignore lint/style/noRestrictedGlobals: a file of the workspace, not a call
  loading ??= fetch(atlasUrl).then(async (answer) => {
    if (!answer.ok) throw new Error(`the borders didn’t come (${answer.status})`)
    return (await answer.json()) as Atlas
  })
  // The next map tries again.
  loading.catch(() => {
    loading = undefined
  })
  return loading
}

const lines = (geometry: MultiLineString): Lines => ({
  type: 'FeatureCollection',
  features: [{ type: 'Feature', properties: {}, geometry }],
})

const UNPACKED: Record<string, (all: Atlas) => FeatureCollection> = {
  nation: (all) => feature(all, all.objects.nation),
  states: (all) => lines(mesh(all, all.objects.states)),
  counties: (all) => lines(mesh(all, all.objects.counties, (a, b) => a !== b)),
}
const unpacked = new Map<string, FeatureCollection>()

/** Unpacks what an address of `outlines:` names: the land, borders of states or counties, or areas of cities. */
export async function outline(address: string): Promise<FeatureCollection> {
  const all = await atlas()
  const known = unpacked.get(address)
  if (known) return known
  const [name = '', cities] = address.slice('outlines://'.length).split('?')
  const made = cities ? areasOfCities(all, citiesIn(cities)) : UNPACKED[name]?.(all)
  if (!made) throw new Error(`there are no outlines of ${name}`)
  unpacked.set(address, made)
  return made
}

const citiesIn = (text: string): City[] =>
  text.split(';').map((city) => {
    const [code = 0, lng = 0, lat = 0] = city.split(',').map(Number)
    return { code, lng, lat }
  })

type Area = Feature<Polygon | MultiPolygon, Named> & { box: [number, number, number, number] }
let counties: Area[] | undefined

const boxed = (all: Atlas): Area[] => {
  counties ??= (feature(all, all.objects.counties) as FeatureCollection<Polygon | MultiPolygon, Named>).features.map((each) => ({
    ...each,
    box: boxOf(each),
  }))
  return counties
}

/** Returns the counties nearest to each city as one area: roughly its market area, whose borders aren't public. */
function areasOfCities(all: Atlas, cities: readonly City[]): Areas {
  const { geometries } = all.objects.counties
  const of = new Map<number, (typeof geometries)[number][]>()
  boxed(all).forEach(({ box: [west, south, east, north] }, at) => {
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
  const features = [...of].map(([code, parts]): Areas['features'][number] => ({
    type: 'Feature',
    properties: { code },
    geometry: merge(all, parts as Parameters<typeof merge>[1]),
  }))
  return { type: 'FeatureCollection', features }
}

/** Returns what names positions by county and state ("Cook, Illinois"), and those outside them by nothing. */
export async function placeNames(): Promise<(lng: number, lat: number) => string | undefined> {
  const all = await atlas()
  const states = new Map(
    all.objects.states.geometries.map((state) => [
      String(state.id),
      state.properties && 'name' in state.properties ? state.properties.name : '',
    ]),
  )
  const named = boxed(all)
  return (lng, lat) => {
    for (const county of named) {
      const [west, south, east, north] = county.box
      if (lng < west || lng > east || lat < south || lat > north) continue
      const polygons = county.geometry.type === 'Polygon' ? [county.geometry.coordinates] : county.geometry.coordinates
      if (polygons.some((rings) => rings.reduce((inside, ring) => inside !== within(ring, lng, lat), false)))
        return `${county.properties.name}, ${states.get(String(county.id).slice(0, 2)) ?? ''}`
    }
    return undefined
  }
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
