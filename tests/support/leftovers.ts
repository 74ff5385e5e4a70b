import { execFileSync } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'

/** How long one thing may take to be removed, and all of them together (ms). */
const ONE_MS = 15_000
const ALL_MS = 40_000

const leftovers = new Set<() => Promise<void>>()

/**
 * Registers how to remove what would outlive this process: another process, a mount, a folder, a rule of the network.
 * Returns the function that removes it, once, however often it is called.
 */
export function leftover(remove: () => Promise<unknown> | unknown): () => Promise<void> {
  let removed: Promise<void> | undefined
  const once = () => {
    removed ??= (async () => void (await remove()))().finally(() => leftovers.delete(once))
    return removed
  }
  leftovers.add(once)
  return once
}

/**
 * Removes all that is registered, latest first, and ends every process below this one.
 * Returns a sentence for each thing that could not be removed.
 */
export async function removeLeftovers(): Promise<string[]> {
  const problems: string[] = []
  const until = performance.now() + ALL_MS
  // What still runs may start something while the rest is removed.
  while (performance.now() < until) {
    const last = [...leftovers].at(-1)
    if (last) {
      const timer = new AbortController()
      const late = delay(ONE_MS, 'late', { signal: timer.signal }).catch(() => 'late')
      const outcome = await Promise.race([last().catch((error: Error) => error), late])
      timer.abort()
      if (outcome instanceof Error) problems.push(outcome.message)
      if (outcome === 'late') problems.push(`something was not removed within ${ONE_MS / 1000} s`)
      leftovers.delete(last)
    } else if (endProcesses()) await delay(50)
    else if (!leftovers.size) return problems
  }
  return [...problems, `not everything was removed within ${ALL_MS / 1000} s`]
}

/** Kills every process below this one, or below another; returns how many there were. */
export function endProcesses(of = process.pid): number {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,comm='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , state, name]) => state && !state.startsWith('Z') && name !== 'ps')
    .map(([pid, parent]) => ({ pid: Number(pid), parent: Number(parent) }))
  const below = (parent: number): number[] =>
    rows.filter((row) => row.parent === parent).flatMap(({ pid }) => [pid, ...below(pid)])
  const pids = below(of)
  for (const pid of pids)
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended meanwhile.
    }
  return pids.length
}
