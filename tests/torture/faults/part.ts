import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { type Part, partsOf } from '../../../scripts/test/parts.ts'
import type { How, Outcome } from '../../../scripts/torture/parts.ts'
import { drawFaults } from './draw.ts'
import { EVERY } from './every.ts'
import type { Fault } from './faults.ts'
import { changeOf, here, isSince, keep, type Result, readResults, tally } from './results.ts'
import { execute, type Failure, failuresOf, filesOf, must, openTree, plant, refused, TYPES } from './tree.ts'

const root = resolve(import.meta.dirname, '../../..')
const logs = join(root, 'test-results/faults')

/** TABLE  the parts that can see a fault of a folder, cheapest first; one that isn't named here comes last, for all. */
const SEEN_BY: Record<string, readonly string[]> = {
  server: ['unit', 'sqlite', 'postgres', 'e2e', 'waiting'],
  contract: ['unit', 'screens', 'sqlite', 'postgres', 'component', 'e2e', 'waiting'],
  src: ['unit', 'screens', 'component', 'e2e', 'waiting'],
}
const NAMED = Object.values(SEEN_BY).flat()

/** This test fails for every fault, as its text is gone. */
const OWN = 'tests/unit/faults.test.ts'

/** Files of a part that run first because they have the fault's words, where it isn't known which call its function. */
const LIKELY = 8

/** A part with the files of its tests, and which of these call a function of the product (`file#name`). */
type Listed = { part: Part; files: string[]; callersOf: ReadonlyMap<string, ReadonlySet<string>> }

/** The part `faults` of `npm run torture`; with `--draw 20 --seed N` it draws the faults of drawn.json instead. */
export async function tortureFaults(how: How): Promise<Outcome> {
  if (how.number('draw', 0)) return await drawFaults(how, root, join(logs, 'types.log'))
  const only = how.word('only', 'all')
  const unknown = only.split(',').filter((id) => id !== 'all' && !EVERY.some((fault) => fault.id === id))
  if (unknown.length > 0) throw new Error(`There is no fault ${unknown.join(', ')}.`)
  const named = only === 'all' ? EVERY : EVERY.filter(({ id }) => only.split(',').includes(id))
  const due = named.filter((fault) => isDue(fault, how))
  how.say(`${due.length} of ${named.length} faults at ${here.commit}; what isn't committed isn't in the copies`)
  if (due.length > 0) await tryAll(due, how)
  return tally(how, named)
}

/** True if a fault has no result that holds, or is to run again; with `--whole 1`, if it slipped through. */
function isDue(fault: Fault, how: How): boolean {
  const earlier = readResults().faults[fault.id]
  const [again, since] = [how.word('again', 'none'), how.word('since', 'none')]
  if (!earlier || earlier.fault !== changeOf(fault)) return !how.number('whole', 0)
  if (how.number('whole', 0)) return earlier.end === 'slipped'
  if (again === 'all' || again === earlier.end) return true
  return earlier.tree !== here.tree && (since === 'none' || !isSince(since, earlier.commit))
}

/** Tries faults in as many copies as there are lanes, and keeps each result. */
async function tryAll(due: readonly Fault[], how: How): Promise<void> {
  // With some of the tests only, neither what passes nor what slips through is known.
  const everyTest = how.word('part', 'all') === 'all' && !how.number('likely', 0)
  const whole = how.number('whole', 0) > 0
  const trees = Array.from({ length: Math.min(Math.max(1, how.number('lanes', 2)), due.length) }, () => openTree(root))
  const first = trees[0]!
  await Promise.all(trees.map((tree, lane) => must(tree, ['scripts/build.ts'], join(logs, `build-${lane}.log`))))
  if (!whole && !how.number('trust', 0) && readResults().clean !== here.tree) {
    await must(first, ['scripts/test.ts', ...chosenParts(how).map(({ name }) => name)], join(logs, 'clean.log'))
    if (everyTest) keep({ clean: here.tree })
  }
  const parts: Listed[] = []
  for (const part of chosenParts(how)) parts.push(await listed(first, part, trees.length))
  const note = (fault: Fault, found: Pick<Result, 'end' | 'part' | 'test' | 'seconds'>) => {
    how.say(`${found.end} ${fault.id} by ${found.part} after ${found.seconds} s: ${found.test}`)
    if (found.end !== 'slipped' || everyTest) keep({ faults: { [fault.id]: { ...found, ...here, fault: changeOf(fault) } } })
  }
  await must(first, TYPES, join(logs, 'types.log'))
  const errors = await refused(first, due, join(logs, 'types.log'))
  const queue = due.filter(({ id }) => !errors.has(id))
  for (const fault of due.filter(({ id }) => errors.has(id)))
    note(fault, { end: 'void', part: 'types', test: errors.get(fault.id)!, seconds: 0 })
  const work = async (tree: string) => {
    for (let fault = queue.shift(); fault; fault = queue.shift()) {
      const began = performance.now()
      const seen = seenBy(fault, parts)
      const found = await firstFailure(tree, fault, seen, how)
      const seconds = Math.round((performance.now() - began) / 1000)
      const by = found ? `${found.part}${whole ? ' of test:all' : ''}` : seen.map(({ part }) => part.name).join(' ')
      note(fault, { end: found ? 'caught' : 'slipped', part: by, test: found ? testOf(found) : '', seconds })
    }
  }
  await Promise.all(trees.map(work))
}

/** Plants a fault, and returns the first test that fails with it, fails again alone, and passes without it. */
async function firstFailure(
  tree: string,
  fault: Fault,
  parts: Listed[],
  how: How,
): Promise<(Failure & { part: string }) | undefined> {
  const minutes = how.number('minutes', 20)
  const restore = plant(tree, [fault])
  try {
    for (const { part, files } of inTurn(tree, fault, parts, how.number('likely', 0) > 0)) {
      for (let rest = files; rest.length > 0; ) {
        const log = (what: string) => join(logs, `${fault.id}-${part.name}-${what}.log`)
        const [failure] = await failuresOf(tree, { part, select: rest, bail: true, minutes, log: log('first') })
        if (!failure) break
        const select = failure.file ? [failure.file] : rest
        const alone = await failuresOf(tree, { part, select, bail: false, minutes, log: log('again') })
        restore()
        const clean = alone.length ? await failuresOf(tree, { part, select, bail: false, minutes, log: log('clean') }) : []
        plant(tree, [fault])
        const same = (one: Failure) => clean.some(({ file, title }) => !file || title === one.title)
        const found = alone.find((one) => !same(one))
        if (found) return { ...found, part: part.name }
        how.say(`${fault.id}: ${testOf(failure)} failed once, or fails without the fault, and doesn't count`)
        // All other tests of its file passed, or fail without the fault as well.
        const others = rest.filter((file) => !file.endsWith(failure.file ?? ''))
        rest = others.length < rest.length ? others : []
      }
    }
  } finally {
    restore()
  }
  return undefined
}

/** The likeliest files of every part, and then the others unless these are left to a later call. */
function inTurn(tree: string, fault: Fault, parts: readonly Listed[], likelyOnly: boolean): Listed[] {
  const halves = parts.map(({ part, files, callersOf }) => {
    const sorted = likeliest(tree, fault, files)
    const callers = callersOf.get(`${fault.file}#${fault.symbol}`) ?? callersOf.get(fault.file)
    const likely = callers ? sorted.filter((file) => callers.has(file)) : sorted.slice(0, LIKELY)
    return [likely, sorted.filter((file) => !likely.includes(file))].map((some) => ({ part, files: some, callersOf }))
  })
  const first = halves.map(([likely]) => likely!)
  return likelyOnly ? first : [...first, ...halves.map(([, others]) => others!)]
}

function testOf({ file, title }: Failure): string {
  return file ? `${basename(file)} › ${title}` : title
}

/** The parts of `npm test`, or with `--whole 1` of `npm run test:all`, that list their tests; or those of `--part`. */
function chosenParts(how: How): Part[] {
  const asked = how.word('part', 'all')
  const parts = partsOf(how.number('whole', 0) > 0).filter(({ report }) => report !== 'none')
  return asked === 'all' ? parts : parts.filter(({ name }) => asked.split(',').includes(name))
}

/** A part as it runs here, with the files of its tests: beside another lane browsers have one worker. */
async function listed(tree: string, part: Part, lanes: number): Promise<Listed> {
  const files = await filesOf(tree, part, join(logs, `files-${part.name}.log`))
  const args = part.report === 'playwright' && lanes > 1 ? [...part.args, '--workers=1'] : part.args
  return { part: { ...part, args }, files: files.filter((file) => file !== OWN), callersOf: await callersIn(tree, part) }
}

/** Runs a part once for each state of the tree, to see which of its files call what. */
async function callersIn(tree: string, part: Part): Promise<Listed['callersOf']> {
  const callersOf = new Map<string, Set<string>>()
  if (part.report !== 'vitest') return callersOf
  const lines = join(logs, `executed-${part.name}-${here.tree}.jsonl`)
  if (!existsSync(lines)) {
    const env = { ...part.env, EXECUTED: `${lines}.part` }
    rmSync(env.EXECUTED, { force: true })
    await execute(tree, [part.program, ...part.args], { log: join(logs, `executed-${part.name}.log`), env })
    renameSync(env.EXECUTED, lines)
  }
  for (const line of readFileSync(lines, 'utf8').trim().split('\n')) {
    const { test, functions } = JSON.parse(line) as { test: string; functions: string[] }
    // Those of a file itself are for what is no function, such as a table.
    for (const name of [...functions, ...functions.map((one) => one.split('#')[0]!)])
      callersOf.set(name, (callersOf.get(name) ?? new Set()).add(test))
  }
  return callersOf
}

function seenBy({ file }: Fault, parts: Listed[]): Listed[] {
  const order = SEEN_BY[file.split('/')[0]!]
  if (!order) throw new Error(`No part is known to see ${file}.`)
  const of = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length)
  return parts
    .filter(({ part: { name } }) => order.includes(name) || !NAMED.includes(name))
    .sort((a, b) => of(a.part.name) - of(b.part.name))
}

/** Sorts files by how likely they test a fault: by its words in their names and contents. */
function likeliest(tree: string, { file, symbol, about }: Fault, files: readonly string[]): string[] {
  const words = wordsOf(`${file.split('/').slice(1).join(' ')} ${symbol} ${about}`)
  const module = file.split('/').slice(-2).join('/')
  const scored = files.map((test) => {
    const text = readFileSync(join(tree, test), 'utf8')
    const inText = new Set(wordsOf(text))
    const inName = wordsOf(basename(test))
    const shared = words.filter((word) => inName.includes(word)).length * 4 + words.filter((word) => inText.has(word)).length
    return { test, score: shared + (text.includes(module) ? 8 : 0) + (text.includes(symbol) ? 4 : 0) }
  })
  return scored.sort((a, b) => b.score - a.score).map(({ test }) => test)
}

/** The words of a name or text, in small letters and the singular. */
function wordsOf(text: string): string[] {
  const words =
    text
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z]{3,}/g) ?? []
  return [...new Set(words.map((word) => word.replace(/s$/, '')))].filter((word) => !['test', 'spec', 'tsx'].includes(word))
}
