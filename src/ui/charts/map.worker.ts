import 'maplibre-gl/dist/maplibre-gl-worker.mjs'
import type { FeatureCollection } from 'geojson'
import type { AddProtocolAction } from 'maplibre-gl'
import { outline } from './outlines.ts'

/** MapLibre's worker sends what it read from an address back to the page, which needs none of it: hidden, it stays. */
const keptHere = ({ features }: FeatureCollection): FeatureCollection =>
  Object.defineProperty({ type: 'FeatureCollection' } as FeatureCollection, 'features', { value: features })

const worker = self as unknown as { addProtocol(name: string, load: AddProtocolAction): void }
worker.addProtocol('outlines', async ({ url }) => ({ data: keptHere(await outline(url)) }))
