import { setTimeout as pause } from 'node:timers/promises'
import type { Outcome } from '../../../scripts/torture/parts.ts'
import type { Random } from '../random.ts'
import type { Fleet } from './fleet.ts'
import { beginTraffic } from './traffic.ts'

/** Kills one process after another amid the traffic, now and then two at once, and starts replacements. */
export async function killInTurn(fleet: Fleet, rounds: number, random: Random, say: (line: string) => void): Promise<Outcome> {
  const traffic = await beginTraffic(fleet, random)
  const all = fleet.servers.map((_, nth) => nth)
  let kills = 0
  for (let round = 1; round <= rounds; round++) {
    await pause(random.int(200, 1500))
    const first = random.pick(all)
    const dead = round % 4 === 0 ? [first, (first + 1) % all.length] : [first]
    kills += dead.length
    await Promise.all(dead.map((nth) => fleet.servers[nth]!.kill()))
    await pause(random.int(0, 500))
    await Promise.all(dead.map((nth) => fleet.start(nth)))
    if (round % 5 === 0) say(`${kills} kills, ${traffic.promised.answers + traffic.times.length} answers, ${traffic.torn()} torn`)
  }
  const { faults, settled } = await traffic.end()
  const jobs = await fleet.database.db.selectFrom('jobs').select(['status', 'attempts']).execute()
  // A content without a row is harmless: its server was killed between storing it and writing its row.
  const survivors = new Set(
    (await fleet.database.db.selectFrom('files').select('storage_key').execute()).map((row) => row.storage_key),
  )
  const stored = fleet.s3.keys().map((key) => key.replace(/^files\//, ''))
  return {
    figures: {
      kills,
      ...traffic.figures(),
      'rewards asked for again of the provider': fleet.bank.again(),
      'jobs, and those begun more than once': `${jobs.length}, ${jobs.filter((job) => job.attempts > 1).length}`,
      'jobs that ended with a reason': jobs.filter((job) => job.status === 'failed').length,
      'contents in the store that no file names': stored.filter((key) => key !== '.fieldwork' && !survivors.has(key)).length,
      'all settled after (ms)': Math.round(settled),
    },
    faults,
  }
}
