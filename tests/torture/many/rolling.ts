import { setTimeout as pause } from 'node:timers/promises'
import type { Outcome } from '../../../scripts/torture/parts.ts'
import { newerMigrations } from '../../../server/db/migrate.ts'
import type { Random } from '../random.ts'
import { type Fleet, PROGRAM } from './fleet.ts'
import { NEXT } from './release.ts'
import { holdTogether } from './together.ts'
import { beginTraffic } from './traffic.ts'

/** How long (ms) the tables that the migration changes are being read, as by a backup. */
const HELD_MS = 5000

/**
 * Replaces the servers one by one with the next release, whose first one migrates, under steady traffic:
 * no request fails, no stream misses anything, no job is lost. Then one is rolled back, and old and new act as one.
 */
export async function rollOn(fleet: Fleet, next: string, random: Random, say: (line: string) => void): Promise<Outcome> {
  const traffic = await beginTraffic(fleet, random)
  const faults: string[] = []
  const since = new Date().toISOString()
  const [left, began]: [number[], number[]] = [[], []]
  const before = fleet.proxy.figures()
  await pause(1500)
  const reading = fleet.database.db.transaction().execute(async (tx) => {
    await tx.selectFrom('projects').innerJoin('notes', 'notes.project_id', 'projects.id').select('notes.id').limit(1).execute()
    await pause(HELD_MS)
  })
  for (const [nth, old] of [...fleet.servers.entries()]) {
    const stopping = performance.now()
    await old.stop()
    left.push(Math.round(performance.now() - stopping))
    if (left.at(-1)! > 9500) faults.push(`server ${nth} did not end by itself`)
    if (/"level":50/.test(old.log())) faults.push(`server ${nth} logged errors: ${errorsOf(old.log())}`)
    const starting = performance.now()
    await fleet.start(nth, next)
    began.push(Math.round(performance.now() - starting))
    say(`server ${nth} replaced; ${traffic.torn()} requests failed so far`)
    await pause(700)
  }
  await reading
  if (!(await newerMigrations(fleet.database)).includes(NEXT)) faults.push('the migration of the next release did not run')

  // One server is rolled back to the older release.
  await fleet.servers[0]!.stop()
  await fleet.start(0, PROGRAM)
  if (!fleet.servers[0]!.log().includes('newer release')) faults.push('the older release says nothing of the newer schema')
  await pause(700)
  const ended = await traffic.end()
  faults.push(...ended.faults)
  if (traffic.torn()) faults.push(`${traffic.torn()} requests failed during the rolling restart`)
  const jobs = await fleet.database.db.selectFrom('jobs').select(['id', 'attempts']).where('created_at', '>', since).execute()
  for (const job of jobs)
    if (job.attempts > 1) faults.push(`job ${job.id} was left behind by a server that ended: ${job.attempts} tries`)
  faults.push(...(await holdTogether(fleet)).map((fault) => `old and new side by side: ${fault}`))
  for (const server of fleet.servers)
    if (/"level":50/.test(server.log())) faults.push(`a server logged errors: ${errorsOf(server.log())}`)
  const { refused } = fleet.proxy.figures()
  return {
    figures: {
      ...traffic.figures(),
      'connections refused, tried at another': refused - before.refused,
      'streams that were told to come back': traffic.ears.reduce((sum, ear) => sum + ear.hinted, 0),
      'a server left within (ms)': left.join(', '),
      'its successor answered after (ms)': `${began.join(', ')} (the first waited for a reader of ${HELD_MS} ms and migrated)`,
      'all settled after (ms)': Math.round(ended.settled),
    },
    faults,
  }
}

const errorsOf = (log: string) =>
  log
    .split('\n')
    .filter((line) => line.includes('"level":50'))
    .slice(0, 3)
    .join(' ')
    .slice(0, 600)
