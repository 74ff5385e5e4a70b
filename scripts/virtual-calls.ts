import { execFile } from 'node:child_process'
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
 * read from contract/calls.ts at build time and again whenever a file of contract/ changes.
 */
export function virtualCalls(root = process.cwd()): Plugin {
  const contract = resolve(root, 'contract')
  return {
    name: 'fieldwork:virtual-calls',
    resolveId: (id) => (id === ID ? RESOLVED : undefined),
    async load(id) {
      if (id !== RESOLVED) return undefined
      return `export const calls = ${await readCalls(resolve(contract, 'calls.ts'))}\n`
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
