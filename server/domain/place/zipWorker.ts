import { parentPort } from 'node:worker_threads'
import { codes } from 'zipcodes/lib/codes.js'
import type { ZipTable } from './zipTable.ts'

/* Reads the package's 5 MB in a worker thread, so that no request waits for it, and passes on 3 MB. */

const rows = Object.values(codes)
  .filter(({ zip, latitude, longitude }) => /^\d{5}$/.test(zip) && latitude && longitude)
  .sort((a, b) => Number(a.zip) - Number(b.zip))
/** Armed forces, and islands across the date line; the package lost the sign of one center elsewhere. */
const EAST = new Set(['AE', 'AP', 'GU', 'MP', 'PW', 'FM', 'MH'])
const table: ZipTable = {
  zips: Int32Array.from(rows, ({ zip }) => Number(zip)),
  latitudes: Float64Array.from(rows, ({ latitude }) => latitude),
  longitudes: Float64Array.from(rows, ({ longitude, state }) => (EAST.has(state) ? longitude : -Math.abs(longitude))),
  cities: rows.map(({ city, state }) => `${city}, ${state}`).join('\n'),
}
parentPort?.postMessage(table, [table.zips.buffer, table.latitudes.buffer, table.longitudes.buffer] as ArrayBuffer[])
