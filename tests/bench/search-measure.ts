import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { budget } from './search-ours.ts'
import type { Query } from './search-queries.ts'

/** Keystrokes and results of one class, or of all. */
export type Sample = {
  times: number[]
  queries: number
  wanted: number
  found: number
  /** Wanted names found only by continuing after the cut. */
  foundLate: number
  /** Keystrokes whose search was cut by the budget. */
  cut: number
  /** Processor time by keystroke, because on a busy machine the clock includes other programs. */
  processor: number[]
}
export type Row = { names: number; engine: string; class: string } & Omit<Sample, 'times' | 'processor'> & {
    keystrokes: number
    p50: number
    p99: number
    max: number
    processor99: number
    processorMax: number
  }

/** Slower engines aren't typed letter by letter. */
const LONG_MS = 50

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Megabytes in use after garbage collection. */
export function memory(): number {
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 1e6
}

const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0

/** One query of each class, then the next of each. */
function* inTurns(queries: Record<string, Query[]>): Iterable<[string, Query]> {
  const most = Math.max(...Object.values(queries).map((list) => list.length))
  for (let i = 0; i < most; i++) for (const [group, list] of Object.entries(queries)) if (i < list.length) yield [group, list[i]!]
}

/** Types queries until they or the seconds run out. */
export function measure(
  find: (text: string) => string[],
  queries: Record<string, Query[]>,
  seconds: number,
): Map<string, Sample> {
  const samples = new Map<string, Sample>()
  const end = performance.now() + seconds * 1000
  let long = false
  for (const [group, { text, wanted }] of inTurns(queries)) {
    if (performance.now() > end) break
    let sample = samples.get(group)
    if (sample === undefined) {
      sample = { times: [], queries: 0, wanted: 0, found: 0, foundLate: 0, cut: 0, processor: [] }
      samples.set(group, sample)
    }
    let names: string[] = []
    for (let length = long ? text.length : 1; length <= text.length; length++) {
      const used = process.cpuUsage()
      const start = performance.now()
      names = find(text.slice(0, length))
      const took = performance.now() - start
      const { user, system } = process.cpuUsage(used)
      sample.processor.push(Math.min(took, (user + system) / 1000))
      sample.times.push(took)
      if (budget.cut) sample.cut++
      budget.cut = false
      // Tries letter by letter again now and then, because a slow keystroke may have been the machine's fault.
      if (took > LONG_MS && length < text.length) length = text.length - 1
      long = took > LONG_MS
    }
    sample.queries++
    if (wanted === null) continue
    sample.wanted++
    if (names.slice(0, 5).includes(wanted)) sample.found++
    if ([...names, ...budget.late()].slice(0, 5).includes(wanted)) sample.foundLate++
  }
  return samples
}

/** A row of results for a class's sample. */
export function rowOf(names: number, engine: string, group: string, { times, processor, ...rest }: Sample): Row {
  const sorted = times.toSorted((a, b) => a - b)
  const [p50, p99, max] = [quantile(sorted, 0.5), quantile(sorted, 0.99), sorted.at(-1) ?? 0]
  const used = processor.toSorted((a, b) => a - b)
  const [processor99, processorMax] = [quantile(used, 0.99), used.at(-1) ?? 0]
  return { names, engine, class: group, ...rest, keystrokes: times.length, p50, p99, max, processor99, processorMax }
}

/** Merges all classes. */
export function together(samples: Iterable<Sample>): Sample {
  const all: Sample = { times: [], queries: 0, wanted: 0, found: 0, foundLate: 0, cut: 0, processor: [] }
  for (const sample of samples) {
    for (const time of sample.times) all.times.push(time)
    for (const time of sample.processor) all.processor.push(time)
    for (const key of ['queries', 'wanted', 'found', 'foundLate', 'cut'] as const) all[key] += sample[key]
  }
  return all
}
