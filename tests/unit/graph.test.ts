import { expect, test } from 'vitest'
import { cyclesOf, type Graph, importGraph } from '../support/graph.ts'

const graph = importGraph()

test('no file is part of a cycle of imports, of types and lazy ones too', () => {
  expect(cyclesOf(graph)).toEqual([])
})

test('a cycle is found, however far around it goes', () => {
  const ring: Graph = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', ['a']],
    ['d', ['d', 'e']],
    ['e', []],
  ])
  expect(cyclesOf(ring)).toEqual([['a', 'b', 'c'], ['d']])
})

test('imports of every spelling are seen', () => {
  // Values, types, a lazy pane, a worker's url.
  expect(graph.get('server/main.ts')).toContain('server/http/app.ts')
  expect(graph.get('server/core/handler.ts')).toContain('contract/call.ts')
  expect(graph.get('src/screens.ts')).toContain('src/panes/ClientsPane.tsx')
  expect(graph.get('src/ui/charts/clusters.ts')).toContain('src/ui/charts/cluster.worker.ts')
})
