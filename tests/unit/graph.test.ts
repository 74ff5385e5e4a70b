import { dirname, join } from 'node:path/posix'
import { expect, test } from 'vitest'
import { cyclesOf, type Graph, importGraph, importsOf, type Order, placeOf, sourceOf, upwardOf } from '../support/graph.ts'

const graph = importGraph()
const filesOf = (side: string) => [...graph.keys()].filter((file) => file.startsWith(`${side}/`))

/** The server's folders from lowest to highest (ARCHITECTURE.md). */
const SERVER: Order = [
  ['db'],
  ['core'],
  ['domain'],
  ['files'],
  ['live'],
  ['jobs'],
  ['mail'],
  ['exports'],
  ['imports'],
  ['search-index'],
  ['calls', 'demo', 'backup'],
  ['webhooks'],
  ['http'],
  ['main'],
  ['cli'],
]

test('no file is part of an import cycle, types and lazy imports included', () => {
  expect(cyclesOf(graph)).toEqual([])
})

/** The workspace's folders, and the files above them. */
const SRC: Order = [
  ['ui'],
  ['data'],
  ['routing'],
  ['commands'],
  ['workspace'],
  ['runner'],
  ['compare'],
  ['list', 'search'],
  ['palette'],
  ['shell'],
  ['panes', 'apiDocs'],
  ['screens.ts'],
  ['App.tsx'],
  ['main.tsx', 'partner.tsx', 'apiDocs.tsx'],
]

test('imports go down the folders of the server', () => {
  expect(upwardOf(graph, 'server', SERVER)).toEqual([])
})

test('imports go down the folders of the workspace', () => {
  expect(upwardOf(graph, 'src', SRC)).toEqual([])
})

test('an area of panes imports only itself and shared code, and no pane imports a pane', () => {
  const areaOf = (file: string) => file.split('/')[2]
  const across = filesOf('src/panes').flatMap((file) =>
    graph.get(file)!.flatMap((target) => {
      if (!target.startsWith('src/panes/')) return []
      const away = areaOf(target) !== areaOf(file) && areaOf(target) !== 'shared'
      return away || target.endsWith('Pane.tsx') ? [`${file} → ${target}`] : []
    }),
  )
  expect(across).toEqual([])
})

test('the search imports nothing of the palette, and the palette only its entry point', () => {
  // The frame starts the reading of stored names without the code of the search.
  const entryPoints = ['src/search/entities.ts', 'src/search/readAhead.ts']
  const below = /^(?:contract|src\/(?:data|routing|search|ui))\//
  const known = filesOf('src/search').flatMap((file) => graph.get(file)!.filter((target) => !below.test(target)))
  const entries = filesOf('src')
    .filter((file) => !file.startsWith('src/search/'))
    .flatMap((file) => graph.get(file)!.filter((target) => target.startsWith('src/search/')))
  expect(known).toEqual([])
  expect([...new Set(entries)].sort()).toEqual(entryPoints)
  expect(graph.get('src/search/readAhead.ts')).toEqual(['src/search/workerClient.ts'])
})

test('the tables of routes and commands are plain data, without React', () => {
  const withReact = [...filesOf('src/routing'), ...filesOf('src/commands')].filter((file) =>
    /from '(?:react|jotai|lucide-react)[^']*'/.test(sourceOf(file)),
  )
  expect(withReact).toEqual([])
})

test('every file has a place in the order of its side', () => {
  const lost = (side: string, order: Order) => filesOf(side).filter((file) => placeOf(file, order).step < 0)
  expect([...lost('server', SERVER), ...lost('src', SRC)]).toEqual([])
})

test('the contract is below both sides, which don’t import each other; only http imports the verbs', () => {
  const sides = (side: string) =>
    [...new Set(filesOf(side).flatMap((file) => graph.get(file)!.map((to) => to.split('/')[0])))].sort()
  expect(sides('contract')).toEqual(['contract'])
  expect(sides('server')).toEqual(['contract', 'server', 'verbs'])
  expect(sides('src')).toEqual(['contract', 'src'])
  const users = [...graph].filter(([, to]) => to.some((one) => one.startsWith('verbs/'))).map(([file]) => file)
  expect(users.filter((file) => !/^(?:cli|verbs|server\/http)\//.test(file))).toEqual([])
})

/** What a folder imports beside itself. */
const beside = (folder: string) =>
  [...new Set(filesOf(folder).flatMap((file) => graph.get(file)!.filter((to) => !to.startsWith(`${folder}/`))))].sort()

test('the verbs, which the command line and assistants share, import the contract and the words of commands', () => {
  const above = beside('verbs').filter((file) => !/^(?:contract\/|src\/commands\/|src\/data\/api\.ts)/.test(file))
  expect(above).toEqual([])
})

test('the command line for other machines imports the contract and the verbs, and nobody imports it', () => {
  expect(beside('cli').filter((file) => !/^(?:contract|verbs)\//.test(file))).toEqual([])
  const users = [...graph].filter(([file, to]) => !file.startsWith('cli/') && to.some((one) => one.startsWith('cli/')))
  expect(users).toEqual([])
})

test('an upward import is found, and a sideways one', () => {
  const order: Order = [['low'], ['left', 'right'], ['main']]
  const small: Graph = new Map([
    ['x/low/a.ts', ['x/left/b.ts']],
    ['x/left/b.ts', ['x/low/c.ts', 'x/right/d.ts']],
    ['x/right/d.ts', ['x/top.ts']],
    ['x/top.ts', ['x/right/d.ts']],
  ])
  expect(upwardOf(small, 'x', order)).toEqual([
    'x/low/a.ts → x/left/b.ts',
    'x/left/b.ts → x/right/d.ts',
    'x/right/d.ts → x/top.ts',
  ])
})

test('a cycle is found, however long', () => {
  const ring: Graph = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', ['a']],
    ['d', ['d', 'e']],
    ['e', []],
  ])
  expect(cyclesOf(ring)).toEqual([['a', 'b', 'c'], ['d']])
})

test('imports in every spelling are found', () => {
  // Checks values, types, a lazy pane and a worker's url.
  expect(graph.get('server/main.ts')).toContain('server/http/app.ts')
  expect(graph.get('server/core/handler.ts')).toContain('contract/call.ts')
  expect(graph.get('src/screens.ts')).toContain('src/panes/people/ClientsPane.tsx')
  expect(graph.get('src/ui/charts/clusters.ts')).toContain('src/ui/charts/cluster.worker.ts')
  // Checks folders that are imported as a whole, and by pattern.
  expect(graph.get('server/calls/handlers.ts')).toContain('server/calls/client.ts')
  expect(graph.get('src/commands/areas/people.ts')).toContain('src/commands/people/client.ts')
})

test('an import of a missing file is named', () => {
  const known = new Set(['x/a.ts', 'x/b.ts'])
  expect(importsOf('x/a.ts', "import './b.ts'", known)).toEqual(['x/b.ts'])
  expect(() => importsOf('x/a.ts', "import './gone.ts'", known)).toThrow('x/a.ts imports ./gone.ts')
})

test('no file of the workspace loads zod with itself: contract modules that carry it are imported as types, or lazily', () => {
  const loads = /^(?:import|export)\s+(?!type\s)(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm
  const loadedBy = (file: string) =>
    [...sourceOf(file).matchAll(loads)].map(([, path]) => (path!.startsWith('.') ? join(dirname(file), path!) : path!))
  const carrying = new Map<string, boolean>([['zod', true]])
  const carriesZod = (file: string): boolean => {
    if (!carrying.has(file)) carrying.set(file, file.startsWith('contract/') && loadedBy(file).some(carriesZod))
    return carrying.get(file)!
  }
  expect(carriesZod('contract/call.ts')).toBe(true)
  expect(filesOf('src').filter((file) => loadedBy(file).some(carriesZod))).toEqual(['src/panes/shared/form/noEval.ts'])
})
