// Shared by the benches with many callers: the same calls from several callers at once.
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** The results of a run in ms; `cpu` is the server's processor time for each call, if its process is known. */
export interface Loaded {
  p50: number
  p95: number
  perSecond: number
  cpu: number | null
}

/** The processor time of each thread of a process so far, in ms (Linux). */
const threadsOf = (pid: number): Map<string, number> =>
  new Map(
    readdirSync(`/proc/${pid}/task`).map((thread) => [
      thread,
      Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6,
    ]),
  )

/** The processor time of a process so far, in ms, of all its threads. */
export const cpuOf = (pid: number): number => [...threadsOf(pid).values()].reduce((sum, ms) => sum + ms, 0)

/** The processor time (ms) that a process spends on some work; null if a thread ended meanwhile, with its time. */
export async function cpuDuring(pid: number, work: () => Promise<unknown>): Promise<number | null> {
  const before = threadsOf(pid)
  await work()
  const after = threadsOf(pid)
  if ([...before.keys()].some((thread) => !after.has(thread))) return null
  return [...after].reduce((sum, [thread, ms]) => sum + ms - (before.get(thread) ?? 0), 0)
}

/** A started server adds up visits some 12 and 45 seconds later, each time for half a minute at mid. */
const REST = 20_000

/** Resolves once a server has been idle for some time after its start, or after four minutes. */
export async function atRest(pid: number): Promise<void> {
  let idleSince = Date.now()
  for (const until = Date.now() + 240_000; Date.now() < until && Date.now() - idleSince < REST; ) {
    const before = cpuOf(pid)
    await delay(2000)
    if (cpuOf(pid) - before >= 60) idleSince = Date.now()
  }
}

/** Makes `total` calls from several callers, each of whom waits for a response before the next call. */
export async function underLoad(
  callers: number,
  total: number,
  call: (nth: number) => Promise<unknown>,
  pid?: number,
): Promise<Loaded> {
  const times: number[] = []
  let next = 0
  const spent = pid === undefined ? 0 : cpuOf(pid)
  const began = performance.now()
  const caller = async () => {
    while (next < total) {
      const nth = next++
      const from = performance.now()
      await call(nth)
      times.push(performance.now() - from)
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  const seconds = (performance.now() - began) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number) => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))]! * 100) / 100
  return {
    p50: at(0.5),
    p95: at(0.95),
    perSecond: Math.round(total / seconds),
    cpu: pid === undefined ? null : Math.round(((cpuOf(pid) - spent) / total) * 100) / 100,
  }
}
