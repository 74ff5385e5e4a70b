import type { StyleSpecification } from 'maplibre-gl'
import { token } from '../useTokens.ts'

/** Converts a token to rgb: the map's style language can't read oklch. */
export function rgb(name: string): string {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 1
  const context = canvas.getContext('2d', { willReadFrequently: true })!
  context.fillStyle = token(name)
  context.fillRect(0, 0, 1, 1)
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data
  return `rgb(${red},${green},${blue})`
}

/** The map style without a tile server: land, states, and counties from zoom 5, in the theme's colors. */
export function outlineStyle(): StyleSpecification {
  return {
    version: 8,
    sources: {
      // By address, as their worker unpacks them (map.worker.ts): the counties, which take longest, last.
      nation: { type: 'geojson', data: 'outlines://nation' },
      states: { type: 'geojson', data: 'outlines://states' },
      counties: { type: 'geojson', data: 'outlines://counties' },
    },
    layers: [
      { id: 'water', type: 'background', paint: { 'background-color': rgb('surface') } },
      { id: 'land', type: 'fill', source: 'nation', paint: { 'fill-color': rgb('land') } },
      {
        id: 'counties',
        type: 'line',
        source: 'counties',
        minzoom: 4.5,
        paint: {
          'line-color': rgb('line'),
          'line-width': 0.75,
          'line-opacity': ['interpolate', ['linear'], ['zoom'], 4.5, 0, 5.5, 1],
        },
      },
      { id: 'states', type: 'line', source: 'states', paint: { 'line-color': rgb('edge'), 'line-width': 1 } },
    ],
  }
}
