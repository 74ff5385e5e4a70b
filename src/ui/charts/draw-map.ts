import {
  type ExpressionSpecification,
  type GeoJSONSource,
  LngLatBounds,
  Map as MapLibre,
  Marker,
  prewarm,
  setWorkerUrl,
} from 'maplibre-gl'
import { decimal } from '../../../contract/decimals.ts'
import { count } from '../../../contract/format.ts'
import 'maplibre-gl/dist/maplibre-gl.css'
import { onResized } from '../afterPaint.ts'
import type { PackedPoint, Place } from './cluster.worker.ts'
import { Clusters } from './clusters.ts'
import workerUrl from './map.worker.ts?worker&url'
import { outlineStyle, rgb } from './map-style.ts'
import { areasAddress, FIRST_VIEW, type Heat } from './map-view.ts'
import type { Box } from './nearPoints.ts'

setWorkerUrl(workerUrl)
// Kept between maps: its script and the outlines that it has unpacked.
prewarm()

/** A drawn map; `paint` applies the theme's current colors. */
export type DrawnMap = {
  zoomBy: (steps: number) => void
  /** Moves to another map's view without calling `onView`. */
  lookAt: (view: MapView) => void
  paint: () => void
  /** Replaces the points and keeps the view. */
  setPoints: (points: PackedPoint[], looks: readonly string[]) => void
  /** Highlights one point by index and outlines the selected ones; `follow` scrolls the highlighted one into view. */
  mark: (lit: number | null, chosen: ReadonlySet<number>, follow: boolean) => void
  /** Shades areas below the points; null removes them. */
  heat: (heat: Heat | null) => void
  /** The center of the view in degrees. */
  middle: () => readonly [lng: number, lat: number]
  /** Covers the map with a printable copy, because WebGL content doesn't print. Returns a function that removes it. */
  freeze: () => () => void
  destroy: () => void
}

/** A map's view: center in degrees, and zoom. */
export type MapView = { centre: readonly [lng: number, lat: number]; zoom: number }

/** Returns the zoom that fits the contiguous states, which are 60° wide and a tenth of the world high. */
const wholeCountry = ({ clientWidth, clientHeight }: HTMLElement): number =>
  Math.min(Math.log2((clientWidth * 360) / (60 * 512)), Math.log2((clientHeight * 10) / 512))

/** Draws outlines or a tile server's style into `host`, with each view's clusters as markers. */
export function drawMap(of: {
  host: HTMLElement
  points: PackedPoint[]
  /** How to draw each point, by index: a class suffix after `point-map-`, `dot` by default. */
  looks?: readonly string[]
  /** Enables selecting points: a click highlights, Shift+drag selects a box. The caller then handles arrow keys. */
  choice?: { onPoint(at: number): void; onBox(box: Box): void }
  zoom: number
  /** Starts at `zoom` even where the whole country doesn't fit. */
  exact?: boolean
  styleUrl?: string
  label: string
  onProblem: (sentence: string) => void
  /** Called once everything in view is drawn. */
  onDrawn: () => void
  /** Called with an area's code on a click. */
  onArea?: (code: number) => void
  /** Called with every view the user moves to. */
  onView?: (view: MapView) => void
}): DrawnMap {
  const map = new MapLibre({
    container: of.host,
    style: of.styleUrl ?? outlineStyle(),
    center: FIRST_VIEW.centre,
    // MapLibre counts zoom by 512 px tiles, the specification by 256 px tiles.
    zoom: of.exact ? of.zoom - 1 : Math.min(of.zoom - 1, wholeCountry(of.host)),
    minZoom: 1.5,
    maxZoom: 14,
    maxBounds: new LngLatBounds([-190, -5], [-30, 75]),
    attributionControl: of.styleUrl ? {} : false,
    cooperativeGestures: true,
    dragRotate: false,
    pitchWithRotate: false,
    fadeDuration: 0,
  })
  map.touchZoomRotate.disableRotation()
  const { choice } = of
  if (choice) {
    map.keyboard.disable()
    map.boxZoom.disable()
  }
  map
    .getCanvas()
    .setAttribute(
      'aria-label',
      choice
        ? `${of.label}: arrow keys go from point to point, X selects, Enter opens, plus and minus zoom`
        : `${of.label}: arrow keys move the map, plus and minus zoom`,
    )
  let shown = false
  let gone = false
  map.on('error', ({ error }) => {
    if (of.styleUrl ? !map.isStyleLoaded() : !shown) of.onProblem(error.message)
  })

  let { points, looks = [] } = of
  let clusters = new Clusters(points)
  const markers = new Map<string, Marker>()
  let chosen: ReadonlySet<number> = new Set()
  let requested = 0
  const outline = (key: string, marker: Marker) =>
    marker.getElement().classList.toggle('point-map-chosen', key.startsWith('p') && chosen.has(Number(key.slice(1))))
  const refresh = async () => {
    const bounds = map.getBounds()
    const mine = ++requested
    const places = await clusters.ask({
      kind: 'view',
      bounds: [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()],
      zoom: Math.round(map.getZoom()),
    })
    // Only the latest view counts; drop results of earlier ones.
    if (mine !== requested) return
    const kept = new Set(places.map((place) => place.key))
    for (const [key, marker] of markers) {
      if (kept.has(key)) continue
      marker.remove()
      markers.delete(key)
    }
    for (const place of places) {
      if (markers.has(place.key)) continue
      const element = place.at === null ? bubble(place, map) : dot(place, looks[place.at] ?? 'dot')
      if (choice && place.at !== null) element.addEventListener('click', () => choice.onPoint(place.at!))
      const marker = new Marker({ element }).setLngLat([place.lng, place.lat]).addTo(map)
      markers.set(place.key, marker)
      outline(place.key, marker)
    }
    // Named after they are drawn: the counties take a while to unpack.
    const named = await clusters.ask({ kind: 'name', places: places.filter(({ expand }) => expand !== null) })
    if (mine !== requested) return
    for (const place of named) markers.get(place.key)?.getElement().setAttribute('aria-label', clusterWords(place))
  }
  const light = new Marker({ element: lightOf() })
  /** Announces the place at the center after a move by keyboard. */
  const announcePlace = () => {
    const { lng, lat } = map.getCenter()
    map.getCanvas().setAttribute('aria-description', placeWords(lat, lng, map.getZoom()))
  }
  announcePlace()
  map.on('moveend', announcePlace)
  // Where WebGL is software, a frame that shows makes the page wait until it is drawn. Unlike hidden, it takes focus.
  if (!of.styleUrl) map.getCanvas().style.opacity = '0'
  map.once('idle', async () => {
    await drawn(map.getCanvas())
    if (gone) return
    shown = true
    map.getCanvas().style.opacity = ''
    of.onDrawn()
  })
  map.on('load', refresh)
  map.on('moveend', refresh)
  // Our own moves are marked and not reported, or two linked maps would move each other forever.
  map.on('move', (event) => {
    if ('ours' in event) return
    const { lng, lat } = map.getCenter()
    of.onView?.({ centre: [lng, lat], zoom: map.getZoom() })
  })
  let heat: Heat | null = null
  /** Draws the areas as soon as the style takes them. */
  const drawAreas = () => {
    if (heat && map.isStyleLoaded()) drawHeat(map, heat)
  }
  map.on('load', drawAreas)
  map.on('styledata', () => heat && !map.getSource(AREAS) && drawAreas())
  if (of.onArea) {
    const areaAt = (event: { point: { x: number; y: number }; originalEvent: MouseEvent }) =>
      map.getLayer(AREAS) && event.originalEvent.target === map.getCanvas()
        ? map.queryRenderedFeatures([event.point.x, event.point.y], { layers: [AREAS] })[0]
        : undefined
    map.on('click', (event) => {
      const found = areaAt(event)
      if (found) of.onArea!(Number(found.properties.code))
    })
    map.on('mousemove', (event) => {
      map.getCanvas().style.cursor = areaAt(event) ? 'pointer' : ''
    })
  }
  // Without a drag, a click on an empty place moves it to the middle (WCAG 2.5.7).
  map.on('click', ({ originalEvent: { target, shiftKey }, lngLat }) => {
    if (!shiftKey && !of.onArea && target === map.getCanvas()) map.easeTo({ center: lngLat, duration: 240 })
  })
  const unbox = choice && boxes(map, choice.onBox)
  // Opening a column resizes every map; redraw after the column has painted.
  const unsubscribe = onResized(of.host, () => map.resize({ ours: true }))

  return {
    zoomBy: (steps) => map.zoomTo(map.getZoom() + steps, { duration: 120 }),
    lookAt: ({ centre, zoom }) => map.jumpTo({ center: [...centre], zoom }, { ours: true }),
    paint() {
      // Not as another style, which would read the outlines again.
      for (const { id, paint } of of.styleUrl || !map.getLayer('land') ? [] : outlineStyle().layers)
        for (const [name, value] of Object.entries(paint ?? {})) map.setPaintProperty(id, name as never, value as never)
      if (heat && map.getSource(AREAS)) drawHeat(map, heat)
    },
    setPoints(next, nextLooks) {
      points = next
      looks = nextLooks
      clusters.close()
      clusters = new Clusters(points)
      for (const marker of markers.values()) marker.remove()
      markers.clear()
      void refresh()
    },
    mark(lit, all, follow) {
      chosen = all
      for (const [key, marker] of markers) outline(key, marker)
      const at = lit === null ? undefined : points[lit]
      if (!at) return void light.remove()
      const [lng, lat] = at
      light.setLngLat([lng, lat]).addTo(map)
      if (follow && !map.getBounds().contains([lng, lat])) map.easeTo({ center: [lng, lat], duration: 120 })
    },
    heat(next) {
      heat = next
      if (heat) drawAreas()
      else if (map.getLayer(AREAS)) for (const id of [AREAS, CHOSEN]) map.setLayoutProperty(id, 'visibility', 'none')
    },
    middle: () => map.getCenter().toArray(),
    freeze() {
      const canvas = map.getCanvas()
      const copy = document.createElement('canvas')
      copy.width = canvas.width
      copy.height = canvas.height
      copy.style.cssText = `position: absolute; inset: 0; width: ${canvas.style.width}; height: ${canvas.style.height}`
      // The canvas can only be read in the task that draws it.
      map.redraw()
      copy.getContext('2d')?.drawImage(canvas, 0, 0)
      canvas.after(copy)
      return () => copy.remove()
    },
    destroy() {
      gone = true
      unsubscribe()
      unbox?.()
      clusters.close()
      map.remove()
    },
  }
}

/** The name of the area source and layers. */
const AREAS = 'areas'
const CHOSEN = 'areas-chosen'

function drawHeat(map: MapLibre, { cities, shades, chosen }: Heat): void {
  const source = map.getSource<GeoJSONSource>(AREAS)
  if (!source) {
    const above = ['counties', 'states'].find((id) => map.getLayer(id))
    map.addSource(AREAS, { type: 'geojson', data: areasAddress(cities) })
    map.addLayer({ id: AREAS, type: 'fill', source: AREAS }, above)
    map.addLayer({ id: CHOSEN, type: 'line', source: AREAS, paint: { 'line-width': 1.5 } })
  }
  const match = <T extends string | number>(of: readonly (readonly [code: number, value: T])[], other: T) =>
    (of.length ? ['match', ['get', 'code'], ...of.flat(), other] : other) as unknown as ExpressionSpecification
  const all = [...shades]
  const tones = { accent: rgb('accent'), green: rgb('green'), red: rgb('red') }
  map.setPaintProperty(
    AREAS,
    'fill-color',
    match(
      all.map(([code, { tone }]) => [code, tones[tone]]),
      tones.accent,
    ),
  )
  map.setPaintProperty(
    AREAS,
    'fill-opacity',
    match(
      all.map(([code, { strength }]) => [code, 0.06 + 0.5 * strength]),
      0,
    ),
  )
  map.setPaintProperty(CHOSEN, 'line-color', rgb('ink'))
  map.setFilter(CHOSEN, ['in', ['get', 'code'], ['literal', [...chosen]]])
  for (const id of [AREAS, CHOSEN]) map.setLayoutProperty(id, 'visibility', 'visible')
}

/** How often the graphics processor is asked whether it is done, in ms. */
const OFTEN = 8

/** Resolves once the graphics processor has drawn everything it was given; asks instead of waiting for it. */
function drawn(canvas: HTMLCanvasElement): Promise<void> {
  const gl = canvas.getContext('webgl2')
  const fence = gl?.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
  gl?.flush()
  return new Promise((done) => {
    const look = () => {
      if (gl && fence && gl.clientWaitSync(fence, 0, 0) === gl.TIMEOUT_EXPIRED) return void setTimeout(look, OFTEN)
      done()
    }
    look()
  })
}

const placeWords = (lat: number, lng: number, zoom: number): string =>
  `The center is ${decimal(Math.abs(lat), 1, 1)}° ${lat < 0 ? 'south' : 'north'}, ${decimal(Math.abs(lng), 1, 1)}° ${lng < 0 ? 'west' : 'east'}, at zoom ${decimal(zoom + 1, 1, 1)}`

/** Draws a single point of weight 1 by its look. */
function dot(place: Place, look: string): HTMLElement {
  if (place.weight > 1) return sized(document.createElement('span'), place)
  const element = document.createElement('span')
  element.className = `point-map-point point-map-${look}`
  element.dataset.point = String(place.at)
  return element
}

/** Draws the ring around the highlighted point. */
function lightOf(): HTMLElement {
  const element = document.createElement('span')
  element.className = 'point-map-lit'
  return element
}

/** Lets the user select a box with Shift+drag; returns a function that stops it. */
function boxes(map: MapLibre, onBox: (box: Box) => void): () => void {
  const host = map.getContainer()
  let end: (() => void) | null = null
  const begin = (event: MouseEvent) => {
    if (!event.shiftKey || event.button !== 0) return
    // Keep the map from moving with the drag.
    event.stopPropagation()
    event.preventDefault()
    const frame = host.getBoundingClientRect()
    const place = ({ clientX, clientY }: MouseEvent) => [clientX - frame.left, clientY - frame.top] as const
    const [x, y] = place(event)
    const box = document.createElement('div')
    box.className = 'point-map-box'
    host.append(box)
    const draw = (to: MouseEvent) => {
      const [right, bottom] = place(to)
      Object.assign(box.style, {
        left: `${Math.min(x, right)}px`,
        top: `${Math.min(y, bottom)}px`,
        width: `${Math.abs(right - x)}px`,
        height: `${Math.abs(bottom - y)}px`,
      })
    }
    const finish = (to: MouseEvent) => {
      end?.()
      const [right, bottom] = place(to)
      if (Math.abs(right - x) < 4 && Math.abs(bottom - y) < 4) return
      const [west, south] = map.unproject([Math.min(x, right), Math.max(y, bottom)]).toArray()
      const [east, north] = map.unproject([Math.max(x, right), Math.min(y, bottom)]).toArray()
      onBox({ west, south, east, north })
    }
    addEventListener('mousemove', draw)
    addEventListener('mouseup', finish)
    end = () => {
      removeEventListener('mousemove', draw)
      removeEventListener('mouseup', finish)
      box.remove()
      end = null
    }
  }
  host.addEventListener('mousedown', begin, true)
  return () => {
    host.removeEventListener('mousedown', begin, true)
    end?.()
  }
}

/** Sets a marker's size and count. */
function sized(element: HTMLElement, { weight }: Place): HTMLElement {
  const size = weight <= 1 ? 9 : Math.round(Math.min(52, 20 + 5.5 * Math.log10(weight) ** 1.6))
  element.className = 'point-map-bubble'
  element.style.width = element.style.height = `${size}px`
  if (weight > 1) element.textContent = weight < 10_000 ? count(weight) : `${Math.round(weight / 1000)}k`
  return element
}

/** Formats a position: "40.7° N, 74.0° W". */
const degrees = ({ lat, lng }: Place): string =>
  `${decimal(Math.abs(lat), 1, 1)}° ${lat < 0 ? 'S' : 'N'}, ${decimal(Math.abs(lng), 1, 1)}° ${lng < 0 ? 'W' : 'E'}`

/** Says what a cluster is and does: "60 around Hudson, New Jersey, zoom in". */
const clusterWords = (place: Place): string => `${count(place.weight)} around ${place.name ?? degrees(place)}, zoom in`

/** Draws a cluster as a bubble with its count. A click zooms to where it splits. */
function bubble(place: Place, map: MapLibre): HTMLElement {
  const element = sized(document.createElement(place.expand === null ? 'span' : 'button'), place)
  if (element instanceof HTMLButtonElement && place.expand !== null) {
    const target = place.expand
    element.type = 'button'
    // Not focusable: keys move and zoom the map itself, and the table lists the places.
    element.tabIndex = -1
    element.dataset.view = ''
    element.setAttribute('aria-label', clusterWords(place))
    element.addEventListener('click', () => map.easeTo({ center: [place.lng, place.lat], zoom: target, duration: 240 }))
  }
  return element
}
