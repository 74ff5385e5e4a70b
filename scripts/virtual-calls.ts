import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { Plugin } from 'vite'

const ID = 'virtual:calls'
const RESOLVED = `\0${ID}`
const REST = `${ID}/rest`
/** The calls of the partners' pages, which load without the others. */
const PARTNERS = 'virtual:partner-calls'

/** Entry files of the first load. */
const FIRST = [
  ...['src/main.tsx', 'src/shell/Workspace.tsx', 'src/panes/project/ProjectsPane.tsx', 'src/data/live.ts'],
  ...['src/shell/PublicShell.tsx', 'src/panes/outside/LoginPane.tsx'],
]
/** Tables that name calls that aren't needed at first: the keymap's and the nouns'. */
const TABLES = /[\\/](src[\\/]commands[\\/]keymap\.ts|contract[\\/]\w+\.ts)$/

/** Columns of nouns.ts that the first screen doesn't need, or only the server does. */
const LATE = ['list', 'tokens', 'secrets', 'parent', 'unique', 'restores', 'scopes', 'webhooks']

// Reads the table in its own process, because Node keeps modules loaded after they change.
const READ = `
const [{ calls }, { ACCESS }, { nouns }, { lists }, { webhookNouns }, { PROJECT_COLUMNS }] = await Promise.all(process.argv.slice(1).map((file) => import(file)))
const closed = Object.entries(ACCESS).filter(([, { who }]) => who !== 'client' && who !== 'public')
const who = Object.fromEntries(closed.map(([id, rule]) => [id, [rule.who]]))
const rows = Object.entries(calls).map(([id, call]) => [id, [call.method, call.path, call.keepsNothing ? null : (call.refreshes ?? []), ...(who[id] ?? [])]])
const more = closed.filter(([id]) => !(id in calls)).map(([id, { who, says }]) => [id, { who, says }])
const late = ${JSON.stringify(LATE)}
const plain = Object.entries(nouns).map(([noun, row]) => [noun, Object.fromEntries(Object.entries(row).filter(([column]) => !late.includes(column)))])
process.stdout.write(JSON.stringify({ calls: Object.fromEntries(rows), more: Object.fromEntries(more), closed: Object.fromEntries(closed.map(([id, { who, says }]) => [id, { who, says }])), nouns: Object.fromEntries(plain), lists, webhookNouns, PROJECT_COLUMNS }))
`

// A build's access.ts: a call's row says who may make it; all other actions are open to signed-in users.
const accessOf = (more: string) => `
import { calls } from 'virtual:calls'
import { asking } from './actor.ts'
const more = ${more}
export const refusedTo = asking((id) => more[id] ?? (calls[id]?.[3] && { who: calls[id][3] }))
`

/**
 * Serves the calls table to the browser without zod: id → [method, path, refreshed nouns, access if restricted].
 * It is built from contract/, and rebuilt whenever a file there changes.
 * A build drops calls that no file in src/ names, which are spellings for other programs.
 * Calls the first load doesn't name go into a separate chunk (`loadCalls`).
 * Of access.ts, a build keeps the access levels of what src/ names; rules on records stay on the server.
 * Lists move from nouns.ts, which is in the first load, to listRows.ts; columns that only the server reads are dropped.
 * Of webhookNouns.ts, it keeps the nouns, and of projectHeadings.ts the headings.
 */
export function virtualCalls(root = process.cwd()): Plugin {
  const contract = resolve(root, 'contract')
  let builds = false
  return {
    name: 'fieldwork:virtual-calls',
    configResolved({ command }) {
      builds = command === 'build'
    },
    resolveId: (id) => (id === ID || id === REST || id === PARTNERS ? `\0${id}` : undefined),
    async load(id) {
      const table = builds ? TABLES_OF_BUILD.find((name) => id === resolve(contract, name)) : undefined
      if (id !== RESOLVED && id !== `\0${REST}` && id !== `\0${PARTNERS}` && !table) return undefined
      const { calls, more, closed, nouns, lists, webhookNouns, PROJECT_COLUMNS } = await readTables(contract)
      if (id === `\0${PARTNERS}`)
        return `export const paths = ${pathsOfPartners(calls)}\nexport const rules = ${rulesOfPartners(closed, root)}\n`
      if (table === 'nouns.ts') return `export const nouns = ${JSON.stringify(nouns)}\n`
      if (table === 'listRows.ts') return `export const lists = ${JSON.stringify(lists)}\n`
      if (table === 'webhookNouns.ts') return `export const webhookNouns = ${JSON.stringify(webhookNouns)}\n`
      if (table === 'projectHeadings.ts') return `export const PROJECT_COLUMNS = ${JSON.stringify(PROJECT_COLUMNS)}\n`
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
      const tables = [RESOLVED, `\0${PARTNERS}`].map((id) => this.environment.moduleGraph.getModuleById(id))
      return tables.some(Boolean) ? [...modules, ...tables.filter((table) => table !== undefined)] : undefined
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

/** Tables that a build shortens. */
const TABLES_OF_BUILD = ['access.ts', 'nouns.ts', 'listRows.ts', 'webhookNouns.ts', 'projectHeadings.ts'] as const

async function readTables(
  contract: string,
): Promise<Record<'calls' | 'more' | 'closed' | 'nouns' | 'lists' | 'webhookNouns' | 'PROJECT_COLUMNS', object>> {
  const files = ['calls.ts', ...TABLES_OF_BUILD].map((name) => pathToFileURL(resolve(contract, name)).href)
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', READ, '--', ...files],
    { maxBuffer: 16 * 1024 * 1024 },
  )
  return JSON.parse(stdout) as Awaited<ReturnType<typeof readTables>>
}

/** Method and path of the calls in the partners' pages, and of the one that recognizes an administrator. */
const pathsOfPartners = (table: object): string =>
  JSON.stringify(
    Object.fromEntries(
      (Object.entries(table) as [string, [string, string, string[], string?]][])
        .filter(([id, [, , , who]]) => who === 'partner' || id === 'session.validate')
        .map(([id, [method, path]]) => [id, [method, path]]),
    ),
  )

/** The access rules that the partners' pages use, by the names in their sources. */
function rulesOfPartners(closed: object, root: string): string {
  const named = namedIn(filesBelow(resolve(root, 'src/panes/partner')))
  return rows(closed, (id) => named.has(id))
}

const rows = (table: object, keep: (id: string) => boolean): string =>
  JSON.stringify(Object.fromEntries(Object.entries(table).filter(([id]) => keep(id))))

/** Strings in files that may be a call's id. */
function namedIn(files: Iterable<string>): Set<string> {
  const named = new Set<string>()
  for (const file of files)
    for (const [, id] of readFileSync(file, 'utf8').matchAll(/['"`]([a-z]\w*\.\w+)['"`]/gi)) named.add(id!)
  return named
}

/** Rows whose id is a literal in src/, or a read in the nouns table; only writes of fields are named by their noun. */
export function onlyNamed(table: object, root: string): object {
  const named = namedIn([...filesBelow(resolve(root, 'src')), resolve(root, 'contract/nouns.ts')])
  const ofFields = writesOfFields(root)
  return Object.fromEntries(Object.entries(table).filter(([id]) => named.has(id) || ofFields.has(id)))
}

/** The calls that `writeFields` makes, of each noun in its types. */
function writesOfFields(root: string): Set<string> {
  const source = readFileSync(resolve(root, 'src/data/writeFields.ts'), 'utf8')
  const unions = source.matchAll(/type (?:Field|Edit)Noun =([^\n]*(?:\n {2}\|[^\n]*)*)/g)
  const nouns = [...unions].flatMap(([, union]) => [...union!.matchAll(/'(\w+)'/g)].map(([, noun]) => noun))
  return new Set(nouns.flatMap((noun) => [`${noun}.create`, `${noun}.edit`]))
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && /\.tsx?$/.test(file.name))
    .map((file) => resolve(file.parentPath, file.name))

/** Files of the first load: everything FIRST imports, except lazily or only as types. */
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
