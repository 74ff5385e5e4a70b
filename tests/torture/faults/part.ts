import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { type Part, partsOf } from '../../../scripts/test/parts.ts'
import type { How, Outcome } from '../../../scripts/torture/parts.ts'
import { drawn } from './draw.ts'
import { EVERY } from './every.ts'
import type { Fault } from './faults.ts'
import { execute, type Failure, failuresOf, filesOf, openTree, plant, refused } from './tree.ts'

const root = resolve(import.meta.dirname, '../../..')
const logs = join(root, 'test-results/faults')
const RESULTS = join(import.meta.dirname, 'results.json')

/** TABLE  the parts that can see a fault of a folder, cheapest first; one that isn't named here comes last, for all. */
const SEEN_BY: Record<string, readonly string[]> = {
  server: ['unit', 'sqlite', 'postgres', 'e2e', 'waiting'],
  contract: ['unit', 'screens', 'sqlite', 'postgres', 'component', 'e2e', 'waiting'],
  src: ['unit', 'screens', 'component', 'e2e', 'waiting'],
}
const NAMED = Object.values(SEEN_BY).flat()

/** This test fails for every fault, as its text is gone. */
const OWN = 'tests/unit/faults.test.ts'

/** Files that run first because their names or contents have the fault's words. */
const LIKELY = 8

/** A fault's last result: which part and test caught it, or that it slipped through all, or doesn't compile. */
type Result = {
  end: 'caught' | 'slipped' | 'void'
  part: string
  test: string
  seconds: number
  commit: string
  /** Of the files that are tested and of the fault itself; the result holds for these. */
  tree: string
  fault: string
}
type Results = { clean: string; faults: Record<string, Result> }

/** The part `faults` of `npm run torture`; with `--draw 20 --seed N` it draws the faults of drawn.json instead. */
export async function tortureFaults(how: How): Promise<Outcome> {
  if (how.number('draw', 0)) return await drawFaults(how)
  const commit = git('rev-parse', '--short=12', 'HEAD')
  const tree = treeOf(commit)
  const whole = how.number('whole', 0) > 0
  const again = how.word('again', 'none')
  const since = how.word('since', 'none')
  const only = how.word('only', 'all')
  const { faults: before, clean } = readResults()
  // With some of the parts only, what passes and what slips isn't known.
  const allParts = how.word('part', 'all') === 'all'
  const holds = (fault: Fault) => {
    const kept = before[fault.id]
    if (whole) return kept?.end !== 'slipped'
    if (!kept || kept.fault !== hashOf(fault) || again === 'all' || (again === 'slipped' && kept.end === 'slipped')) return false
    return kept.tree === tree || (since !== 'none' && isSince(since, kept.commit))
  }
  const named = only === 'all' ? EVERY : EVERY.filter(({ id }) => only.split(',').includes(id))
  const due = named.filter((fault) => !holds(fault))
  how.say(`${due.length} of ${named.length} faults at ${commit}; what isn't committed isn't in the copies`)
  if (due.length > 0) {
    const lanes = Math.max(1, how.number('lanes', 2))
    const trees = Array.from({ length: Math.min(lanes, due.length) }, () => openTree(root))
    await Promise.all(trees.map((folder, lane) => build(folder, join(logs, `build-${lane}.log`))))
    if (!whole && how.number('trust', 0) === 0 && clean !== tree) {
      const code = await execute(trees[0]!, ['scripts/test.ts', ...chosenParts(how).map(({ name }) => name)], {
        log: join(logs, 'clean.log'),
      })
      if (code !== 0) return { figures: {}, faults: [`without a fault the tests don't pass either: ${join(logs, 'clean.log')}`] }
      if (allParts) keep({ clean: tree })
    }
    const parts = await Promise.all(chosenParts(how).map((part) => listed(trees[0]!, part, trees.length)))
    const note = (fault: Fault, result: Omit<Result, 'commit' | 'tree' | 'fault'>) => {
      how.say(`${result.end} ${fault.id} by ${result.part} after ${result.seconds} s: ${result.test}`)
      if (result.end !== 'slipped' || allParts)
        keep({ faults: { [fault.id]: { ...result, commit, tree, fault: hashOf(fault) } } })
    }
    const errors = await refused(trees[0]!, due, join(logs, 'types.log'))
    for (const fault of due.filter(({ id }) => errors.has(id)))
      note(fault, { end: 'void', part: 'types', test: errors.get(fault.id)!, seconds: 0 })
    const queue = due.filter(({ id }) => !errors.has(id))
    const work = async (folder: string) => {
      for (let fault = queue.shift(); fault; fault = queue.shift()) {
        const began = performance.now()
        const seen = seenBy(fault, parts)
        const found = await firstFailure(folder, fault, seen, how)
        const seconds = Math.round((performance.now() - began) / 1000)
        const caught = found && {
          end: 'caught' as const,
          part: whole ? `${found.part} of test:all` : found.part,
          test: testOf(found),
          seconds,
        }
        note(fault, caught ?? { end: 'slipped', part: seen.map(({ part }) => part.name).join(' '), test: '', seconds })
      }
    }
    await Promise.all(trees.map(work))
  }
  return tally(how, named)
}

type Listed = { part: Part; files: string[] }

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
    for (const { part, files } of parts) {
      const sorted = likeliest(tree, fault, files)
      for (const group of [sorted.slice(0, LIKELY), sorted.slice(LIKELY)])
        for (let rest = group; rest.length > 0; ) {
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
          rest = failure.file ? rest.filter((file) => !file.endsWith(failure.file!)) : []
        }
    }
  } finally {
    restore()
  }
  return undefined
}

function testOf({ file, title }: Failure): string {
  return file ? `${basename(file)} › ${title}` : title
}

async function build(folder: string, log: string): Promise<void> {
  if ((await execute(folder, ['scripts/build.ts'], { log })) !== 0) throw new Error(`The workspace can't be built: ${log}`)
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
  return { part: { ...part, args }, files: files.filter((file) => file !== OWN) }
}

function seenBy({ file }: Fault, parts: Listed[]): Listed[] {
  const order = SEEN_BY[file.split('/')[0]!]
  if (!order) throw new Error(`No part is known to see ${file}.`)
  const of = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length)
  return parts
    .filter(({ part: { name } }) => order.includes(name) || !NAMED.includes(name))
    .sort((a, b) => of(a.part.name) - of(b.part.name))
}

/** Sorts files by how likely they test a fault: by the words of its path, symbol and description in their names and contents. */
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

/** Draws `--draw` faults that compile from `--seed`, each of another file, and writes drawn.json. */
async function drawFaults(how: How): Promise<Outcome> {
  const seed = how.number('seed', 0) || Math.floor(Math.random() * 1e9)
  const count = how.number('draw', 0)
  const tree = openTree(root)
  const source = drawn(tree, seed)
  const faults: Fault[] = []
  while (faults.length < count) {
    const next: Fault[] = []
    while (faults.length + next.length < count) {
      const fault = source.next().value as Fault
      if (![...faults, ...next].some(({ file }) => file === fault.file))
        next.push({ ...fault, id: `drawn-${faults.length + next.length + 1}` })
    }
    const errors = await refused(tree, next, join(logs, 'types.log'))
    faults.push(...next.filter(({ id }) => !errors.has(id)))
    how.say(`${faults.length} faults compile, ${errors.size} didn't`)
  }
  const numbered = faults.map((fault, at) => ({ ...fault, id: `drawn-${at + 1}` }))
  writeFileSync(join(import.meta.dirname, 'drawn.json'), `${JSON.stringify({ seed, faults: numbered }, null, 2)}\n`)
  return { figures: { seed, 'faults drawn': numbered.length }, faults: [] }
}

/** Prints the table of all results, and counts them; what slipped through or is void is a broken promise. */
function tally(how: How, faults: readonly Fault[]): Outcome {
  const { faults: results } = readResults()
  const rows = faults.map((fault) => ({ fault, result: results[fault.id] }))
  const cell = (text: string) => text.replaceAll('|', '\\|')
  how.say('')
  for (const line of ['| fault | what | file | caught by | test |', '| --- | --- | --- | --- | --- |']) how.say(line)
  for (const { fault, result } of rows) {
    const by = result ? (result.end === 'caught' ? result.part : result.end) : 'not run'
    how.say(`| ${fault.id} | ${cell(fault.about)} | ${fault.file} | ${by} | ${cell(result?.test ?? '')} |`)
  }
  const figures: Record<string, number> = { faults: rows.length }
  for (const { result } of rows) {
    const what = result ? (result.end === 'caught' ? `caught by ${result.part}` : result.end) : 'not run'
    figures[what] = (figures[what] ?? 0) + 1
  }
  const broken = rows.filter(({ result }) => result && result.end !== 'caught')
  return {
    figures,
    faults: broken.map(
      ({ fault, result }) => `${fault.id} in ${fault.file} ${result!.end === 'void' ? 'is void' : 'slipped through'}`,
    ),
  }
}

function readResults(): Results {
  return existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : { clean: '', faults: {} }
}

/** Adds to the results, which another run may have changed meanwhile. */
function keep({ clean, faults }: Partial<Results>): void {
  const kept = readResults()
  const all = { ...kept.faults, ...faults }
  const sorted = Object.fromEntries(EVERY.flatMap(({ id }) => (all[id] ? [[id, all[id]]] : [])))
  writeFileSync(RESULTS, `${JSON.stringify({ clean: clean ?? kept.clean, faults: sorted }, null, 2)}\n`)
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
}

/** Hashes what a commit's tests run on: everything but pages, benches and the faults. */
function treeOf(commit: string): string {
  const rows = git('ls-tree', '-r', commit).split('\n')
  return hashOf(rows.filter((row) => !/\t(docs\/|tests\/bench\/|tests\/torture\/faults\/)|\.md$/.test(row)))
}

function isSince(since: string, commit: string): boolean {
  try {
    git('merge-base', '--is-ancestor', since, commit)
    return true
  } catch {
    return false
  }
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12)
}
