import { setTimeout as after } from 'node:timers/promises'
import { type Postgres, startPostgres } from '../../support/postgres.ts'
import type { TestServer } from '../../support/server.ts'
import { mountSmallDisk, type SmallDisk } from '../../support/small-disk.ts'
import type { Random } from '../random.ts'

/** What breaks repeatedly while the server works. */
export type Fault = 'server' | 'database' | 'pause' | 'disk'
export const FAULTS: readonly Fault[] = ['server', 'database', 'pause', 'disk']

/** A dependency of the server that can be broken and repaired. */
export interface Ground {
  env: Record<string, string>
  /** Breaks it at a random moment and repairs it; returns when it works again. */
  strike(server: TestServer, random: Random): Promise<void>
  remove(): Promise<void>
}

/** Sets up a fault; returns the reason if this machine or engine doesn't support it. */
export async function layGround(
  fault: Exclude<Fault, 'server'>,
  engine: string,
  env: Record<string, string>,
): Promise<Ground | string> {
  if (fault === 'disk') {
    const disk = engine === 'sqlite' ? mountSmallDisk(96) : null
    if (disk) return ofDisk(disk, env)
    return engine === 'sqlite' ? 'a disk of its own can be mounted by root alone' : 'the disk is filled under SQLite alone here'
  }
  if (engine === 'sqlite') return 'SQLite is no process of its own: the server is the one to kill'
  const postgres = await startPostgres(undefined, { durable: true })
  return 'reason' in postgres ? postgres.reason : await ofPostgres(fault, postgres, env)
}

async function ofPostgres(fault: 'database' | 'pause', postgres: Postgres, env: Record<string, string>): Promise<Ground> {
  return {
    env: { ...env, DATABASE_URL: await postgres.url('crash') },
    async strike(_server, random) {
      await after(random.int(20, 700))
      if (fault === 'pause') {
        await postgres.pause()
        await after(random.int(50, 9000))
        await postgres.resume()
      } else {
        // One in four is an immediate shutdown, the others are crashes.
        await postgres.kill(random.chance(0.25) ? 'immediate' : 'crash')
        await after(random.int(0, 900))
        await postgres.start()
      }
    },
    remove: () => postgres.stop(),
  }
}

function ofDisk(disk: SmallDisk, env: Record<string, string>): Ground {
  return {
    env: { ...env, DATA_DIR: disk.folder },
    async strike(server, random) {
      await after(random.int(20, 400))
      disk.fill(server.pid, random.chance(0.5) ? 0 : random.int(0, 60) * 4096)
      await after(random.int(100, 1200))
      disk.free(server.pid)
    },
    remove: async () => disk.remove(),
  }
}

/** Waits until the server is ready; returns the ms, or null after half a minute. */
export async function untilReady(url: string): Promise<number | null> {
  for (const began = performance.now(); performance.now() - began < 30_000; await after(10)) {
    const answer = await fetch(`${url}/healthz`).catch(() => null)
    if (answer?.status === 200) return performance.now() - began
  }
  return null
}
