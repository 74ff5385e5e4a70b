import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { Plugin } from 'vite'

const ID = 'virtual:calls'
const RESOLVED = `\0${ID}`
const REST = `${ID}/rest`

/** What the first load consists of, and all that these files import. */
const FIRST = [
  ...['src/main.tsx', 'src/shell/Workspace.tsx', 'src/panes/project/ProjectsPane.tsx', 'src/data/live.ts'],
  ...['src/shell/PublicShell.tsx', 'src/panes/outside/LoginPane.tsx'],
]
/** Tables that name calls for what comes later: the keys of commands, the reads of nouns. */
const TABLES = /[\\/](src[\\/]commands[\\/]keymap\.ts|contract[\\/]\w+\.ts)$/

// The table is read in a process of its own: its modules may have changed since the last time, and Node keeps what it once loaded.
const READ = `
const [{ calls }, { ACCESS }, { nouns }, { lists }] = await Promise.all(process.argv.slice(1).map((file) => import(file)))
const closed = Object.entries(ACCESS).filter(([, { who }]) => who !== 'client' && who !== 'public')
const who = Object.fromEntries(closed.map(([id, rule]) => [id, [rule.who]]))
const rows = Object.entries(calls).map(([id, call]) => [id, [call.method, call.path, call.refreshes ?? [], ...(who[id] ?? [])]])
const more = closed.filter(([id]) => !(id in calls)).map(([id, { who, says }]) => [id, { who, says }])
const plain = Object.entries(nouns).map(([noun, { list, ...row }]) => [noun, row])
process.stdout.write(JSON.stringify({ calls: Object.fromEntries(rows), more: Object.fromEntries(more), nouns: Object.fromEntries(plain), lists }))
`

// A build's own access.ts: who may make a call is in its row, and whoever is signed in may do what neither names.
const accessOf = (more: string) => `
import { calls } from 'virtual:calls'
import { asking } from './who.ts'
const more = ${more}
export const refusedTo = asking((id) => more[id] ?? (calls[id]?.[3] && { who: calls[id][3] }))
`

/**
 * Gives the browser the calls table without zod: `virtual:calls` exports id → [method, path, nouns that it refreshes, who may make
 * it where not everybody who is signed in may], read from contract/ at build time and again whenever a file of contract/ changes. A build leaves out the calls that no file of src/
 * names: two fifths are other programs' spellings. Those that no file of the first load names come in a chunk of their own, by `loadCalls`. Of the access table (contract/access.ts) a build leaves who may
 * do what src/ names: the rules that look at a record are the server's. The lists of the nouns table are left out of nouns.ts, which is in the first load, and
 * stand in listRows.ts alone.
 */
export function virtualCalls(root = process.cwd()): Plugin {
  const contract = resolve(root, 'contract')
  let builds = false
  return {
    name: 'fieldwork:virtual-calls',
    configResolved({ command }) {
      builds = command === 'build'
    },
    resolveId: (id) => (id === ID || id === REST ? `\0${id}` : undefined),
    async load(id) {
      const table = builds ? TABLES_OF_BUILD.find((name) => id === resolve(contract, name)) : undefined
      if (id !== RESOLVED && id !== `\0${REST}` && !table) return undefined
      const { calls, more, nouns, lists } = await readTables(contract)
      if (table === 'nouns.ts') return `export const nouns = ${JSON.stringify(nouns)}\n`
      if (table === 'listRows.ts') return `export const lists = ${JSON.stringify(lists)}\n`
      if (!builds) return `export const calls = ${JSON.stringify(calls)}\nexport const loadCalls = async () => {}\n`
      if (table) return accessOf(JSON.stringify(onlyNamed(more, root)))
      const first = namedIn(filesOfFirstLoad(root).filter((file) => !TABLES.test(file)))
      if (id === RESOLVED) return `export const calls = ${rows(calls, (call) => first.has(call))}\n${LOAD}`
      return `export const calls = ${rows(onlyNamed(calls, root), (call) => !first.has(call))}\n`
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

const LOAD = `
let coming
export const loadCalls = () => coming ??= import('${REST}').then(
  (rest) => void Object.assign(calls, rest.calls),
  (error) => { coming = undefined; throw error },
)
`

/** The tables that a build has a shorter text of. */
const TABLES_OF_BUILD = ['access.ts', 'nouns.ts', 'listRows.ts'] as const

async function readTables(contract: string): Promise<Record<'calls' | 'more' | 'nouns' | 'lists', object>> {
  const files = ['calls.ts', ...TABLES_OF_BUILD].map((name) => pathToFileURL(resolve(contract, name)).href)
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', READ, '--', ...files],
    { maxBuffer: 16 * 1024 * 1024 },
  )
  return JSON.parse(stdout) as Awaited<ReturnType<typeof readTables>>
}

const rows = (table: object, keep: (id: string) => boolean): string =>
  JSON.stringify(Object.fromEntries(Object.entries(table).filter(([id]) => keep(id))))

/** The texts in files that may be the id of a call. */
function namedIn(files: Iterable<string>): Set<string> {
  const named = new Set<string>()
  for (const file of files)
    for (const [, id] of readFileSync(file, 'utf8').matchAll(/['"`]([a-z]\w*\.\w+)['"`]/gi)) named.add(id!)
  return named
}

/**
 * The table's rows whose id is a literal in a file of src/, or the read call of a record or a list in the nouns table.
 * Ids are never concatenated (CallId is a union of literals).
 */
export function onlyNamed(table: object, root: string): object {
  const named = namedIn([...filesBelow(resolve(root, 'src')), resolve(root, 'contract/nouns.ts')])
  return Object.fromEntries(Object.entries(table).filter(([id]) => named.has(id)))
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && /\.tsx?$/.test(file.name))
    .map((file) => resolve(file.parentPath, file.name))

/** The files that the first load is made of: what FIRST imports, directly or not, and neither lazily nor as a type alone. */
function filesOfFirstLoad(root: string): string[] {
  const files = new Set<string>()
  const visit = (file: string) => {
    if (files.has(file) || !existsSync(file)) return
    files.add(file)
    const imports = readFileSync(file, 'utf8').matchAll(/^(?:import|export)\s(?!type\s)(?:[^'"()]*?from\s)?'(\.[^']+\.tsx?)'/gm)
    for (const [, path] of imports) visit(resolve(dirname(file), path!))
  }
  for (const file of FIRST) visit(resolve(root, file))
  return [...files]
}
