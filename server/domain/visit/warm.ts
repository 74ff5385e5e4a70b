import { MESSAGES } from '../../../contract/messages.ts'
import { addDays, civilToday } from '../../../contract/pacing.ts'
import type { Services } from '../../core/context.ts'
import { HttpError } from '../../core/errors.ts'
import type { Database } from '../../db/connect.ts'
import { COUNTED } from './countLimits.ts'
import { coverOf } from './cover.ts'
import { isPreset, mergedRun, pin, timesPacked, wholeOf } from './mergedRuns.ts'
import { inTime } from './reading.ts'
import { worldOf } from './rollDay.ts'
import { dayNumberOf } from './sums.ts'
import { venueVisits } from './venueSums.ts'

/** The last merge of a process: the day, and the version of the packs. */
const merged = new WeakMap<Database, string>()
/** The most seconds for a merge. */
const AT_MOST = 120
/** How long a start may wait for it, in ms; some 8 s are needed for 400 brands with a billion visits. */
const START_MS = 10_000
/** The periods up to today to merge, in days; the longest first, because it takes longest. */
const PERIODS = [365, 30, 7]

/**
 * Merges all brands' last 365, 30 and 7 days in advance, so that no reader has to wait for it.
 * Each process does so at its start, and after days or months of that year were packed again.
 */
export async function warmPeriods(services: Services, today: string, signal: AbortSignal): Promise<void> {
  const { database, log } = services
  const packed = await timesPacked(database.db)
  const state = `${today} ${[...packed.values()].reduce((sum, times) => sum + times, 0)}`
  if (!packed.size || merged.get(database) === state) return
  await inTime(
    { services, db: database.db, call: 'visit rollups' },
    async (one) => {
      const reading = {
        ...one,
        async turn() {
          await one.turn()
          // Not a failure: nobody waits for it any more.
          if (signal.aborted) throw new HttpError(504, 'timed_out', MESSAGES.visitsTimedOut)
        },
      }
      const world = await worldOf(reading.db)
      const range = {
        ...{ services: new Set(world.brands.keys()), whole: true, unit: null, markets: null, preset: 0 as const },
        ...{ areas: new Map(), firstDay: null, today },
      }
      merged.set(database, state)
      const cores = []
      for (const length of PERIODS) {
        const days = { from: dayNumberOf(addDays(today, 1 - length)), to: dayNumberOf(today) }
        const { core } = await coverOf(reading, range, days)
        if (core) cores.push(core)
        await venueVisits(reading, days, days.to)
      }
      pin(database, cores)
      for (const core of cores) {
        const run = await mergedRun(reading, core, () => false)
        let total = 0
        for (const [market, { visits }] of run.markets) if (!isPreset(market)) total += visits
        // A small number of visits is counted from lists.
        if (total <= COUNTED.exact) continue
        await wholeOf(reading, await mergedRun(reading, core, (market) => !isPreset(market) || market === 0))
      }
    },
    AT_MOST,
  ).catch((error: unknown) => {
    if (signal.aborted) merged.delete(database)
    else log.warn({ err: error }, 'merging visits in advance failed')
  })
}

/** The same before a server listens, within some seconds; the job merges what is left. */
export const warmAtStart = (services: Services): Promise<void> =>
  warmPeriods(services, civilToday(services.settings.timeZone, services.now()), AbortSignal.timeout(START_MS))
