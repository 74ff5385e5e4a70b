import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { leftover } from '../../support/leftovers.ts'

/** A group of processes with a limit of memory, as a container has. */
export interface Cgroup {
  /** Starts processes in it: what this process starts meanwhile stays there. */
  within<T>(start: () => Promise<T>): Promise<T>
  /** How often the system has ended a process of it. */
  killed(): number
}

/** TABLE  both versions of the system's interface: where groups are, their limit, and where their count is. */
const VERSIONS = [
  { root: '/sys/fs/cgroup', has: 'cgroup.controllers', limit: 'memory.max', count: 'memory.events' },
  { root: '/sys/fs/cgroup/memory', has: 'memory.limit_in_bytes', limit: 'memory.limit_in_bytes', count: 'memory.oom_control' },
] as const

/** Removes a group once its last process has ended, which takes a moment. */
async function removeWhenEmpty(folder: string): Promise<void> {
  for (let tried = 0; ; tried++)
    try {
      return rmdirSync(folder)
    } catch (error) {
      if (tried === 50) throw error
      await delay(100)
    }
}

/** Makes a group of this many bytes; returns why it can't be made, without root or in a container. */
export function makeCgroup(bytes: number): Cgroup | string {
  const version = VERSIONS.find(({ root, has }) => existsSync(join(root, has)))
  if (!version) return 'there are no groups of processes with a limit of memory here'
  const folder = join(version.root, `fieldwork-torture-${process.pid}`)
  try {
    mkdirSync(folder)
    leftover(() => removeWhenEmpty(folder))
    writeFileSync(join(folder, version.limit), String(bytes))
    // The group of this process, to return to.
    const lines = readFileSync('/proc/self/cgroup', 'utf8').split('\n')
    const own = (lines.find((line) => line.includes(':memory:')) ?? lines.find((line) => line.startsWith('0::')))!.split(':')[2]!
    const enter = (group: string) => writeFileSync(join(group, 'cgroup.procs'), String(process.pid))
    return {
      async within(start) {
        enter(folder)
        try {
          return await start()
        } finally {
          enter(join(version.root, own))
        }
      },
      killed: () => Number(/oom_kill (\d+)/.exec(readFileSync(join(folder, version.count), 'utf8'))?.[1] ?? 0),
    }
  } catch (error) {
    return (error as Error).message
  }
}
