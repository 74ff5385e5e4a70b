import { setTimeout as after } from 'node:timers/promises'
import type { How, Outcome } from '../../../scripts/torture/parts.ts'
import { reckon, untilSettled } from '../crash/reckoning.ts'
import { reckonEars } from '../many/ear.ts'
import { type Fleet, startFleet } from '../many/fleet.ts'
import { randomOf } from '../random.ts'
import { DISTURBANCES, type Disturbance } from './disturbances.ts'
import { type Load, openLoad, type Seen } from './load.ts'
import { type Cluster, startCluster, whyNot } from './nodes.ts'

const BACK_MS = 90_000
const SETTLE_MS = 60_000
/** What a replica without synchronous replication may lack after a failover; nothing else may be broken. */
const LOST =
  /was acknowledged( later)? and is (lost|there 0 times|pending)|"text \d+" was acknowledged later|is pending and was paid 1 times|the mail to|times to read everything anew/

/**
 * The part `cluster` of `npm run torture`: three servers on PostgreSQL under Patroni, disturbed one way after another.
 * `--synchronous 0` shows what is lost without synchronous replication, which is then a figure and no broken promise.
 */
export async function tortureCluster(how: How): Promise<Outcome> {
  const reason = whyNot()
  if (reason) {
    how.say(`can't run: ${reason}`)
    return { figures: {}, faults: [] }
  }
  const random = randomOf(how.number('seed', 0) || 20_261_127)
  const synchronous = how.number('synchronous', 1) > 0
  const only = how.word('only', 'all')
  const chosen = DISTURBANCES.filter(({ name }) => only === 'all' || only.split(',').includes(name))
  const began = performance.now()
  const cluster = await startCluster(synchronous)
  const figures: Outcome['figures'] = {
    versions: cluster.versions,
    'commits wait for a replica': synchronous ? 'yes' : 'no',
    'set up (s)': ((performance.now() - began) / 1000).toFixed(0),
  }
  const faults: string[] = []
  let fleet: Fleet | undefined
  try {
    const { DATA_DIR = '', LIMITS = '' } = await how.database()
    fleet = await startFleet({ ...cluster.env, DATA_DIR, LIMITS })
    const load = await openLoad(fleet, random)
    const known = new Set<string>()
    for (const disturbance of chosen) {
      const run = { cluster, fleet, load, synchronous, known }
      const outcome = await disturb(disturbance, run, how.say)
      figures[disturbance.name] = outcome.line
      how.say(`${disturbance.name}: ${outcome.line}`)
      for (const fault of outcome.faults.slice(0, 6)) how.say(`  ${fault.slice(0, 300)}`)
      faults.push(...outcome.faults.map((fault) => `${disturbance.name}: ${fault}`))
    }
    for (const ear of load.ears) ear.stop()
    for (const [nth, server] of fleet.servers.entries())
      if (/unhandled|uncaught/i.test(server.log())) faults.push(`server ${nth} said: ${server.log().slice(-1500)}`)
  } finally {
    await fleet?.stop()
    await cluster.stop()
  }
  return { figures, faults }
}

interface Run {
  cluster: Cluster
  fleet: Fleet
  load: Load
  synchronous: boolean
  /** Broken promises that were told for an earlier disturbance. */
  known: Set<string>
}

/** Disturbs the cluster under load; returns what callers saw, what was lost, and what came back by itself. */
async function disturb(
  { does }: Disturbance,
  run: Run,
  say: (line: string) => void,
): Promise<{ line: string; faults: string[] }> {
  const { cluster, fleet, load, synchronous, known } = run
  const faults: string[] = []
  if (!(await cluster.whole(BACK_MS))) faults.push('the cluster wasn’t whole before it')
  const from = await cluster.primary()
  const anew = load.ears.reduce((sum, ear) => sum + ear.missed, 0)
  load.begin()
  if ((await load.flowing(30_000)) === null) faults.push('no writes were acknowledged before it')
  const note = await does(cluster).catch((error: Error) => {
    faults.push(`it could not be done: ${error.message}`)
    return ''
  })
  const began = performance.now()
  const flows = await load.flowing(BACK_MS)
  if (flows === null) faults.push(`no writes were acknowledged ${BACK_MS / 1000} s after it`)
  const whole = await cluster.whole(BACK_MS)
  if (!whole) say(`the last that Patroni wrote:\n${cluster.logs()}`)
  const wholeAfter = (performance.now() - began) / 1000
  if (!whole) faults.push(`not one primary and two streaming replicas ${BACK_MS / 1000} s after it`)
  await after(1000)
  const seen = await load.rest()
  faults.push(...seen.faults)
  const [lost, broken] = await judge(run, say)
  faults.push(...broken)
  if (synchronous) faults.push(...lost)
  for (const fault of [...lost, ...broken]) known.add(fault)
  const to = await cluster.primary()
  const again = load.ears.reduce((sum, ear) => sum + ear.missed, 0) - anew
  const ready = await Promise.all(fleet.servers.map(async (server) => (await fetch(`${server.url}/healthz`)).status))
  if (ready.some((status) => status !== 200)) faults.push(`servers answer ${ready} to /healthz afterwards`)
  return { line: lineOf(seen, { note, moved: from?.name !== to?.name, lost: lost.length, again, wholeAfter }), faults }
}

/** What is newly lost, and every other promise that is newly broken. */
async function judge({ fleet, load, known }: Run, say: (line: string) => void): Promise<[string[], string[]]> {
  for (let attempt = 0; ; attempt++)
    try {
      await untilSettled(fleet.database, SETTLE_MS)
      const all = [
        ...(await reckon(fleet.database, load.promised, fleet.ledger, fleet.smtp)),
        ...(await reckonEars(fleet.database, fleet.admin.id, load.ears)),
      ].filter((fault) => !known.has(fault))
      return [all.filter((fault) => LOST.test(fault)), all.filter((fault) => !LOST.test(fault))]
    } catch (error) {
      if (attempt === 3) return [[], [`nothing could be compared: ${(error as Error).message}`]]
      say(`the reckoning is repeated: ${(error as Error).message}`)
      await after(2000)
    }
}

function lineOf(seen: Seen, more: { note: string; moved: boolean; lost: number; again: number; wholeAfter: number }): string {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  const refused = [...seen.refused].map(([kind, count]) => `${count} × ${kind}`).join(', ') || 'none refused'
  return [
    more.note,
    more.moved ? 'another primary' : 'the same primary',
    `writes stood still ${seconds(seen.writeGap)}, reads ${seconds(seen.readGap)}`,
    `${seen.answers} responses: ${refused}, the slowest ${seconds(seen.slowest)} (${seen.slowestOf})`,
    `${more.lost} acknowledged lost`,
    `streams told ${more.again} times to read anew`,
    `whole ${more.wholeAfter.toFixed(0)} s after`,
  ]
    .filter(Boolean)
    .join('; ')
}
