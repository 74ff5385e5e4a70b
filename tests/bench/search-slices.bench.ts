/*
 * `npm run bench -- search-slices [--size=1000000] [--rounds=3]`: how long one letter's search takes, at most.
 * All of an outsider's queries are typed letter by letter within the page's budget, without pauses.
 * As in the page, the index arrives packed from a worker whose names end with it.
 * With a million objects beside it, each full collection of the garbage takes 100 ms, which no page has.
 * A slice counts as the lesser of clock and processor, so that neither other programs nor the engine's threads count.
 */
import { PerformanceObserver } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { buildIndex } from '../../src/search/build.ts'
import { fromBytes, toBytes } from '../../src/search/bytes.ts'
import { BUDGET_MS } from '../../src/search/searchClient.ts'
import { openIndex } from '../../src/search/searcher.ts'
import { inTurns, outsiderWorld, typedQueries } from './quality.ts'
import { show } from './search-tables.ts'

/** The goals at a million names: ms of the 99th percentile and of the longest slice, and MB of the index. */
const GOAL = { p99: 8, most: 16, index: 260 } as const

function pack(size: number): void {
  const { entities, frecency } = outsiderWorld(size)
  const bytes = toBytes(buildIndex(entities, frecency), 1)
  parentPort!.postMessage(bytes, [bytes])
}

async function packedElsewhere(size: number): Promise<ArrayBuffer> {
  const worker = new Worker(new URL(import.meta.url), { workerData: size, resourceLimits: { maxOldGenerationSizeMb: 6000 } })
  const bytes = await new Promise<ArrayBuffer>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  await worker.terminate()
  return bytes
}

type Slice = { text: string; at: number; clock: number; ms: number }

async function typeAll(bytes: ArrayBuffer): Promise<{ slices: Slice[]; collections: [at: number, ms: number][] }> {
  const collections: [number, number][] = []
  const watch = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) collections.push([startTime, duration])
  })
  watch.observe({ entryTypes: ['gc'] })
  const searcher = openIndex(fromBytes(bytes)!.packed)
  const slices: Slice[] = []
  for (const { q } of inTurns(typedQueries())) {
    searcher.search('')
    for (let end = 1; end <= q.length; end++) {
      const text = q.slice(0, end)
      const before = process.cpuUsage()
      const at = performance.now()
      searcher.search(text, { budgetMs: BUDGET_MS })
      const clock = performance.now() - at
      const { user, system } = process.cpuUsage(before)
      slices.push({ text, at, clock, ms: Math.min(clock, (user + system) / 1000) })
    }
    // The page takes a turn between two queries, too.
    await new Promise((resolve) => setImmediate(resolve))
  }
  watch.disconnect()
  return { slices, collections }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { size: { type: 'string', default: '1000000' }, rounds: { type: 'string', default: '3' } },
  })
  const size = Number(values.size)
  const bytes = await packedElsewhere(size)
  const index = bytes.byteLength / 1e6
  console.log(
    `${size.toLocaleString('en')} names, ${show(index)} MB (goal ${GOAL.index}: ${index <= GOAL.index ? 'hit' : 'MISSED'})`,
  )
  for (let round = 1; round <= Number(values.rounds); round++) {
    const { slices, collections } = await typeAll(bytes)
    const sorted = slices.toSorted((a, b) => a.ms - b.ms)
    const quantile = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)]!.ms
    const most = sorted.at(-1)!.ms
    console.log(
      `${slices.length} slices: p50 ${show(quantile(0.5))}, p95 ${show(quantile(0.95))}, ` +
        `p99 ${show(quantile(0.99))} (goal ${GOAL.p99} ms: ${quantile(0.99) < GOAL.p99 ? 'hit' : 'MISSED'}), ` +
        `most ${show(most)} (goal ${GOAL.most} ms: ${most <= GOAL.most ? 'hit' : 'MISSED'})`,
    )
    for (const { text, at, clock, ms } of sorted.slice(-3).reverse()) {
      const garbage = collections.filter(([from, lasted]) => from < at + clock && from + lasted > at)
      const collected = garbage.reduce((sum, [, lasted]) => sum + lasted, 0)
      console.log(`  ${show(ms)} (clock ${show(clock)}${collected ? `, of it ${show(collected)} collecting` : ''}): "${text}"`)
    }
  }
}

if (isMainThread) await main()
else pack(workerData)
