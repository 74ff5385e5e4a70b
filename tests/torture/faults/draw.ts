import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import type { How, Outcome } from '../../../scripts/torture/parts.ts'
import { sourcesOf } from '../../support/graph.ts'
import { randomOf } from '../random.ts'
import type { Fault } from './faults.ts'
import { must, openTree, refused, TYPES } from './tree.ts'

/** Faults are drawn from these folders in turn. */
const FOLDERS = [
  ...['server/domain', 'server/calls', 'server/core', 'contract'],
  ...['src/list', 'src/palette', 'src/runner', 'src/workspace', 'src/panes'],
]

const OTHER: Record<string, string> = {
  ...{ '<': '<=', '<=': '<', '>': '>=', '>=': '>' },
  ...{ '===': '!==', '!==': '===' },
}

/** Lines that a fault's text may have. */
const MOST_LINES = 8

type Node = { type: string; start: number; end: number; [key: string]: unknown }
type Change = { start: number; end: number; to: string; about: string; symbol: string }

/** Draws `--draw` faults that compile from `--seed`, each of another file, and writes drawn.json. */
export async function drawFaults(how: How, root: string, log: string): Promise<Outcome> {
  const seed = how.number('seed', 0) || Math.floor(Math.random() * 1e9)
  const count = how.number('draw', 0)
  const tree = openTree(root)
  await must(tree, TYPES, log)
  const source = drawn(tree, seed)
  const faults: Fault[] = []
  while (faults.length < count) {
    const next: Fault[] = []
    while (faults.length + next.length < count) {
      const fault = source.next().value as Fault
      if (![...faults, ...next].some(({ file }) => file === fault.file))
        next.push({ ...fault, id: `drawn-${faults.length + next.length + 1}` })
    }
    const errors = await refused(tree, next, log)
    faults.push(...next.filter(({ id }) => !errors.has(id)))
    how.say(`${faults.length} faults compile, ${errors.size} didn't`)
  }
  const numbered = faults.map((fault, at) => ({ ...fault, id: `drawn-${at + 1}` }))
  writeFileSync(join(import.meta.dirname, 'drawn.json'), `${JSON.stringify({ seed, faults: numbered }, null, 2)}\n`)
  return { figures: { seed, 'faults drawn': numbered.length }, faults: [] }
}

/** Draws faults without end, the same ones from a seed: a folder in turn, then one change of all that it offers. */
function* drawn(root: string, seed: number): Generator<Fault> {
  const random = randomOf(seed)
  const folders = FOLDERS.map((folder) => ({ folder, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ folder }) => sourcesOf(folder).flatMap((file) => faultsIn(file, readFileSync(join(root, file), 'utf8'))))
  for (let turn = 0; ; turn++) yield random.pick(folders[turn % folders.length]!)
}

/** Every fault that a file offers: a condition negated, an operand dropped, a comparison changed. */
function faultsIn(file: string, text: string): Fault[] {
  const changes: Change[] = []
  const walk = (node: Node, above: readonly Node[]) => {
    if (hidden(node, text)) return
    const symbol = nameOf([...above, node])
    if (symbol && !/cache|memo/i.test(symbol)) changes.push(...changesOf(node, text).map((change) => ({ ...change, symbol })))
    for (const child of Object.values(node).flat()) if (isNode(child)) walk(child, [...above, node])
  }
  walk(parseSync(file, text).program as unknown as Node, [])
  return changes.flatMap((change) => faultOf(file, text, change) ?? [])
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

/** What no test looks at: types, log lines and looks. */
function hidden(node: Node, text: string): boolean {
  const begin = text.slice(node.start, node.start + 60)
  if (node.type === 'CallExpression') return /^[\w.?]*\b(console|log|logger)\b[\w.?]*\(/.test(begin)
  if (node.type === 'JSXAttribute') return /^(className|style)\b/.test(begin)
  return /^TS(Type|Interface|Conditional)/.test(node.type)
}

function changesOf(node: Node, text: string): Omit<Change, 'symbol'>[] {
  const of = ({ start, end }: Pick<Node, 'start' | 'end'>) => text.slice(start, end)
  const { test, left, right, operator } = node as Node & Record<'test' | 'left' | 'right', Node> & { operator: string }
  if (node.type === 'IfStatement' || node.type === 'ConditionalExpression') {
    const to = test.operator === '!' ? of(test.argument as Node) : `!(${of(test)})`
    return [{ ...test, to, about: `${of(test)} is negated` }]
  }
  if (node.type === 'LogicalExpression')
    return [left, right].map((operand) => ({ ...node, to: of(operand), about: `of ${of(node)} only ${of(operand)} is left` }))
  if (node.type !== 'BinaryExpression' || !OTHER[operator]) return []
  const between = { start: left.end, end: right.start }
  return [{ ...between, to: of(between).replace(operator, OTHER[operator]), about: `${of(node)} with ${OTHER[operator]}` }]
}

/** The name of the nearest function around a node, or of the value at the top of the file. */
function nameOf(path: readonly Node[]): string | undefined {
  const isFunction = (init: unknown) => isNode(init) && /Function/.test(init.type)
  const named = path.filter(
    ({ type, init }, at) =>
      type === 'FunctionDeclaration' ||
      type === 'MethodDefinition' ||
      (type === 'VariableDeclarator' && (isFunction(init) || at < 4)),
  )
  const last = named.at(-1)
  return ((last?.id ?? last?.key) as { name?: string } | undefined)?.name
}

/** A change as a fault whose text is whole lines, as many as it takes for it to occur once. */
function faultOf(file: string, text: string, { start, end, to, symbol, about }: Change): Fault | undefined {
  const after = text.indexOf('\n', end)
  for (let from = start; from > 0; ) {
    from = text.lastIndexOf('\n', from - 1)
    const begin = from + 1 + text.slice(from + 1).search(/\S/)
    const original = text.slice(begin, after)
    if (original.split('\n').length > MOST_LINES) return undefined
    if (text.split(original).length > 2) continue
    const changed = text.slice(begin, start) + to + text.slice(end, after)
    return { id: '', about: about.replace(/\s+/g, ' '), file, symbol, from: original, to: changed }
  }
  return undefined
}
