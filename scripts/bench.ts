// `npm run bench [-- name …]`: runs benchmarks one after another, so that they don't disturb each other.
// `--in=tests/peers` runs those beside other products: `npm run bench -w tests/peers [-- name …]`.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const words = process.argv.slice(2)
const place = words.find((word) => word.startsWith('--in='))?.slice('--in='.length) ?? 'tests/bench'
const folder = join(root, place)
const wanted = words.filter((word) => !word.startsWith('-'))
const flags = words.filter((word) => word.startsWith('-') && !word.startsWith('--in='))
const files = (existsSync(folder) ? readdirSync(folder) : [])
  .filter((file) => file.endsWith('.bench.ts'))
  .filter((file) => wanted.length === 0 || wanted.includes(file.replace('.bench.ts', '')))
  .sort()

if (flags.includes('--help')) {
  console.log(`npm run bench [-- name …]\n\n${files.map((file) => `  ${file.replace('.bench.ts', '')}`).join('\n')}`)
  process.exit(0)
}
if (files.length === 0) {
  console.error(wanted.length ? `No benchmark is called ${wanted.join(' or ')}.` : `There are no benchmarks in ${place}.`)
  process.exit(1)
}

const failed = files.filter((file) => {
  console.log(`\n── ${file.replace('.bench.ts', '')} ${'─'.repeat(Math.max(0, 70 - file.length))}`)
  return spawnSync(process.execPath, [join(folder, file), ...flags], { cwd: root, stdio: 'inherit' }).status !== 0
})
if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join(', ')}`)
  process.exit(1)
}
