import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { How, Outcome } from '../../../scripts/torture/parts.ts'
import { startFleet } from '../many/fleet.ts'
import { holdTogether, TOGETHER } from '../many/together.ts'
import { beginTraffic } from '../many/traffic.ts'
import { randomOf } from '../random.ts'
import { startPgBouncer } from './pgbouncer.ts'

/** Numbers of processes to measure, with the connections PgBouncer keeps for all of them. */
const PROCESSES = [1, 3, 10]
const POOL = 10
const SAMPLE_MS = 100

/**
 * The part `pooled` of `npm run torture`: servers through PgBouncer in transaction mode act as one.
 * Counts PostgreSQL's connections for 1, 3 and 10 processes, with and without it.
 */
export async function torturePooled(how: How): Promise<Outcome> {
  const random = randomOf(how.number('seed', 0) || 20261125)
  const figures: Outcome['figures'] = {}
  const faults: string[] = []
  for (const pooled of [false, true])
    for (const processes of PROCESSES) {
      const env = await how.database()
      const direct = env.DATABASE_URL!
      const pooler = pooled ? await startPgBouncer(direct, POOL) : null
      if (pooler && 'reason' in pooler) {
        how.say(`can't run: ${pooler.reason}`)
        return { figures, faults: [] }
      }
      if (pooler) figures.PgBouncer = pooler.version
      const where = pooler ? { ...env, DATABASE_URL: pooler.url, DATABASE_LISTEN_URL: direct } : env
      const fleet = await startFleet(where, processes)
      const watch = watchConnections(direct)
      try {
        if (pooler && processes === 3) {
          const broken = await holdTogether(fleet)
          figures['promises held by three through it'] = `${TOGETHER.length - broken.length} of ${TOGETHER.length}`
          faults.push(...broken.map((fault) => `together: ${fault}`))
        }
        const traffic = await beginTraffic(fleet, random)
        await delay(how.number('seconds', 10) * 1000)
        const ended = await traffic.end()
        const name = `${processes} ${processes === 1 ? 'process' : 'processes'}${pooler ? ', pooled' : ''}`
        const sorted = traffic.times.toSorted((a, b) => a - b)
        const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0)
        figures[name] =
          `${await watch.most()} connections at most; ${sorted.length} answers, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`
        how.say(`${name}: ${figures[name]}`)
        faults.push(...ended.faults.map((fault) => `${name}: ${fault}`))
        if (traffic.torn()) faults.push(`${name}: ${traffic.torn()} requests failed`)
        for (const server of fleet.servers)
          for (const line of server
            .log()
            .split('\n')
            .filter((line) => line.includes('"level":50'))
            .slice(0, 2))
            faults.push(`${name}: a server logged ${line.slice(0, 300)}`)
      } finally {
        await watch.stop()
        await fleet.stop()
        await pooler?.stop()
      }
    }
  return { figures, faults }
}

/** Counts the database's connections repeatedly, over a connection that isn't counted. */
function watchConnections(direct: string): { most(): Promise<number>; stop(): Promise<void> } {
  const client = new pg.Client(direct)
  let [most, going] = [0, true]
  const watching = (async () => {
    await client.connect()
    while (going) {
      const { rows } = await client.query<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      )
      most = Math.max(most, rows[0]!.count)
      await delay(SAMPLE_MS)
    }
  })()
  return {
    most: async () => most,
    async stop() {
      going = false
      await watching.finally(() => client.end())
    },
  }
}
