import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { Plugin } from 'vite'

const ID = 'virtual:calls'
const RESOLVED = `\0${ID}`

// The table is read in a process of its own: its modules may have changed since the last time, and Node keeps what it once loaded.
const READ = `
const { calls } = await import(process.argv[1])
const rows = Object.entries(calls).map(([id, call]) => [id, [call.method, call.path, call.refreshes ?? []]])
process.stdout.write(JSON.stringify(Object.fromEntries(rows)))
`

/**
 * Gives the browser the calls table without zod: `virtual:calls` exports id → [method, path, nouns that it refreshes],
 * read from contract/calls.ts at build time and again whenever a file of contract/ changes. A build leaves out the calls that no file of src/
 * names: two fifths are other programs' spellings, and the table is in the first load.
 */
export function virtualCalls(root = process.cwd()): Plugin {
  const contract = resolve(root, 'contract')
  let builds = false
  return {
    name: 'fieldwork:virtual-calls',
    configResolved({ command }) {
      builds = command === 'build'
    },
    resolveId: (id) => (id === ID ? RESOLVED : undefined),
    async load(id) {
      if (id !== RESOLVED) return undefined
      const table = await readCalls(resolve(contract, 'calls.ts'))
      return `export const calls = ${builds ? onlyNamed(table, resolve(root, 'src'), resolve(contract, 'nouns.ts')) : table}\n`
    },
    configureServer({ watcher }) {
      watcher.add(contract)
    },
    hotUpdate({ file, modules }) {
      if (!file.startsWith(contract + sep)) return undefined
      const table = this.environment.moduleGraph.getModuleById(RESOLVED)
      return table ? [...modules, table] : undefined
    },
  }
}

async function readCalls(file: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', READ, '--', pathToFileURL(file).href],
    { maxBuffer: 16 * 1024 * 1024 },
  )
  return stdout
}

/**
 * The table's rows whose id is a literal in a file of a folder, or the read call of a record in the nouns table. Ids
 * are never concatenated (CallId is a union of literals).
 */
function onlyNamed(table: string, folder: string, nouns: string): string {
  const named = new Set<string>()
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && /\.tsx?$/.test(file.name))
    .map((file) => resolve(file.parentPath, file.name))
  for (const file of [...files, nouns])
    for (const [, id] of readFileSync(file, 'utf8').matchAll(/['"`]([a-z]\w*\.\w+)['"`]/gi)) named.add(id!)
  const rows = Object.entries(JSON.parse(table) as Record<string, unknown>)
  return JSON.stringify(Object.fromEntries(rows.filter(([id]) => named.has(id))))
}
