import { LngLatBounds, Map as MapLibre, Marker, setWorkerUrl } from 'maplibre-gl'
import { count } from '../../../contract/format.ts'
import 'maplibre-gl/dist/maplibre-gl.css'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import { onResized } from '../afterPaint.ts'
import type { PackedPoint, Place } from './cluster.worker.ts'
import { Clusters } from './clusters.ts'
import { outlineStyle } from './map-style.ts'
import { FIRST_VIEW } from './map-view.ts'

setWorkerUrl(workerUrl)

/** The map on the page; `paint` applies the theme's current colours. */
export type DrawnMap = {
  zoomBy: (steps: number) => void
  /** Moves to another map's view without calling `onView`. */
  lookAt: (view: MapView) => void
  paint: () => void
  destroy: () => void
}

/** A map's view: centre in degrees, and zoom. */
export type MapView = { centre: readonly [lng: number, lat: number]; zoom: number }

/** The zoom at which the contiguous states, 60° wide and a tenth of the world high, fit. */
const wholeCountry = ({ clientWidth, clientHeight }: HTMLElement): number =>
  Math.min(Math.log2((clientWidth * 360) / (60 * 512)), Math.log2((clientHeight * 10) / 512))

/** Draws outlines or a tile server's style into `host`, with each view's clusters as markers. */
export function drawMap(of: {
  host: HTMLElement
  points: PackedPoint[]
  zoom: number
  styleUrl?: string
  label: string
  onProblem: (sentence: string) => void
  /** Receives every view the user moves to. */
  onView?: (view: MapView) => void
}): DrawnMap {
  const map = new MapLibre({
    container: of.host,
    style: of.styleUrl ?? outlineStyle(),
    center: FIRST_VIEW.centre,
    // Maplibre counts zoom by 512 px tiles, the specification by 256.
    zoom: Math.min(of.zoom - 1, wholeCountry(of.host)),
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
  map.getCanvas().setAttribute('aria-label', `${of.label}: arrow keys move the map, plus and minus zoom`)
  map.on('error', ({ error }) => {
    if (!map.isStyleLoaded() && of.styleUrl) of.onProblem(error.message)
  })

  const clusters = new Clusters(of.points)
  const markers = new Map<string, Marker>()
  let asked = 0
  const refresh = async () => {
    const bounds = map.getBounds()
    const mine = ++asked
    const places = await clusters.ask({
      kind: 'view',
      bounds: [bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()],
      zoom: Math.round(map.getZoom()),
    })
    // Only the latest view counts; results for earlier ones are dropped.
    if (mine !== asked) return
    const kept = new Set(places.map((place) => place.key))
    for (const [key, marker] of markers) {
      if (kept.has(key)) continue
      marker.remove()
      markers.delete(key)
    }
    for (const place of places) {
      if (markers.has(place.key)) continue
      markers.set(place.key, new Marker({ element: bubble(place, map) }).setLngLat([place.lng, place.lat]).addTo(map))
    }
  }
  /** Announces the current place after a move by keyboard. */
  const tellPlace = () => {
    const { lng, lat } = map.getCenter()
    map.getCanvas().setAttribute('aria-description', placeWords(lat, lng, map.getZoom()))
  }
  tellPlace()
  map.on('moveend', tellPlace)
  map.on('load', refresh)
  map.on('moveend', refresh)
  // Our own moves are marked and not reported, or two linked maps would move each other forever.
  map.on('move', (event) => {
    if ('ours' in event) return
    const { lng, lat } = map.getCenter()
    of.onView?.({ centre: [lng, lat], zoom: map.getZoom() })
  })
  // A new column narrows every map; each redraws after the column itself.
  const unsubscribe = onResized(of.host, () => map.resize({ ours: true }))

  return {
    zoomBy: (steps) => map.zoomTo(map.getZoom() + steps, { duration: 120 }),
    lookAt: ({ centre, zoom }) => map.jumpTo({ center: [...centre], zoom }, { ours: true }),
    paint: () => {
      if (!of.styleUrl) map.setStyle(outlineStyle())
    },
    destroy() {
      unsubscribe()
      clusters.close()
      map.remove()
    },
  }
}

const placeWords = (lat: number, lng: number, zoom: number): string =>
  `The middle is ${Math.abs(lat).toFixed(1)}° ${lat < 0 ? 'south' : 'north'}, ${Math.abs(lng).toFixed(1)}° ${lng < 0 ? 'west' : 'east'}, at zoom ${(zoom + 1).toFixed(1)}`

/** A cluster as a bubble with its count; a single point is a dot. A click zooms to where the cluster splits. */
function bubble(place: Place, map: MapLibre): HTMLElement {
  const element = document.createElement(place.expand === null ? 'span' : 'button')
  const size = place.weight === 1 ? 9 : Math.round(Math.min(52, 20 + 5.5 * Math.log10(place.weight) ** 1.6))
  element.className = place.weight === 1 ? 'point-map-dot' : 'point-map-bubble'
  element.style.width = element.style.height = `${size}px`
  if (place.weight > 1) element.textContent = place.weight < 10_000 ? count(place.weight) : `${Math.round(place.weight / 1000)}k`
  if (element instanceof HTMLButtonElement && place.expand !== null) {
    const target = place.expand
    element.type = 'button'
    // The keyboard moves and zooms the map itself, and the table names the places.
    element.tabIndex = -1
    element.dataset.view = ''
    element.setAttribute('aria-label', `${count(place.weight)} here, zoom in`)
    element.addEventListener('click', () => map.easeTo({ center: [place.lng, place.lat], zoom: target, duration: 240 }))
  }
  return element
}
