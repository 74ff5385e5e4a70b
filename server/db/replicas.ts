import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { connect, type Database } from './connect.ts'

/** What a reader must not miss: a place in the primary's log (WAL), and the id of an event. */
export interface Position {
  lsn: string | null
  event: number
}

/** The read replicas of a process (docs/decisions/replicas.md). */
export interface Replicas {
  /** A replica that has everything up to a position, within `waitMs`; null if there is none. */
  at(position: Position, waitMs?: number): Promise<Database | null>
  /** Counts a read that a replica could not finish. */
  failed(): void
  /** Every replica's database, for what each process prepares at its start. */
  all: readonly Database[]
  /** Counts reads: by a replica, by the primary as none was far enough, and repeated ones. */
  reads(): Readonly<Record<'replica' | 'behind' | 'failed', number>>
  close(): Promise<void>
}

/** A check of the position that takes longer than this (ms) isn't worth waiting for. */
const CHECK_MS = 1000
const LOOK_MS = 50

/**
 * Opens a pool for each replica; one that is missing is used as soon as it responds, and `report` hears of both.
 * A URL must lead to one server, as a position says nothing about another.
 */
export async function openReplicas(
  urls: readonly string[],
  patience: number,
  report: (index: number, available: boolean) => void,
): Promise<Replicas> {
  const replicas = await Promise.all(
    urls.map(async (url, index) => {
      const database = connect({ url, patience, standby: true })
      const replica = { database, available: true, stop: async () => {} }
      replica.stop = await database.listen(
        () => {},
        (available) => {
          replica.available = available
          report(index, available)
        },
      )
      return replica
    }),
  )
  let next = 0
  const reads = { replica: 0, behind: 0, failed: 0 }
  return {
    all: replicas.map(({ database }) => database),
    reads: () => reads,
    failed: () => void reads.failed++,
    async at(position, waitMs = 0) {
      const end = performance.now() + waitMs
      for (;;) {
        for (let tried = 0; tried < replicas.length; tried++) {
          const { database, available } = replicas[next++ % replicas.length]!
          if (!available || !(await hasReached(database, position))) continue
          reads.replica++
          return database
        }
        if (performance.now() >= end) break
        await delay(LOOK_MS)
      }
      reads.behind++
      return null
    },
    async close() {
      for (const { database, stop } of replicas) {
        await stop()
        await database.close()
      }
    },
  }
}

/** True if a replica has replayed a position; false if it can't say so soon. A promoted one is no longer behind. */
async function hasReached({ db }: Database, { lsn, event }: Position): Promise<boolean> {
  const check = sql<{ reached: boolean }>`select
    (${lsn}::text is null or not pg_is_in_recovery() or coalesce(pg_last_wal_replay_lsn() >= ${lsn}::text::pg_lsn, false))
    and (${event}::bigint = 0 or coalesce((select max(id) from events) >= ${event}::bigint, false)) as reached`.execute(db)
  const timeout = new AbortController()
  try {
    const late = delay(CHECK_MS, null, { signal: timeout.signal, ref: false })
    late.catch(() => {})
    return (await Promise.race([check, late]))?.rows[0]?.reached === true
  } catch {
    // Whatever is wrong with a replica, the primary responds instead.
    return false
  } finally {
    timeout.abort()
    check.catch(() => {})
  }
}
