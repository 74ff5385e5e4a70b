import { readdirSync, statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const PLAIN = /\.(js|css|html|svg|json|geojson)$/
/** Compressing a smaller response gains nothing. */
const LEAST = 256
const zip = promisify(gzip)
const squeeze = promisify(brotliCompress)

/** Writes .gz and .br files beside every text file of a folder, which the server then sends (server/http/web.ts). */
export async function compressBelow(folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => PLAIN.test(name) && !name.startsWith('.vite'))
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).size >= LEAST)
    // Biggest first, to keep the thread pool busy to the end.
    .sort((a, b) => statSync(b).size - statSync(a).size)
  await Promise.all(
    files.map(async (file) => {
      const text = await readFile(file)
      const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: text.length }
      const [gz, br] = await Promise.all([zip(text, { level: 9 }), squeeze(text, { params })])
      await Promise.all([writeFile(`${file}.gz`, gz), writeFile(`${file}.br`, br)])
    }),
  )
}
