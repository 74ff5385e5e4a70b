import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Services } from '../../core/context.ts'
import { transact } from '../../db/connect.ts'
import { getOrInsert } from '../runtime/getOrInsert.ts'
import { bytesOf, ROLLUP_MOST, readSet } from './deviceSet.ts'
import { addHours, hoursBytes, weekHour } from './hours.ts'
import { notePacked } from './mergedRuns.ts'
import { type PackEntry, type PackRow, packOf, writePacks } from './packs.ts'
import { marketOf, monthAfter } from './range.ts'
import { rowsBy } from './reading.ts'
import { sameSince, timesRebuilt } from './rebuilt.ts'
import { packedOfAll, packedOfService, Roll, writeRollups } from './rollDay.ts'

/** A row that a month's roll-up is built from. */
interface Part {
  market: number
  day: number
  visits: number
  hours: Uint8Array
  devices: Uint8Array
}

/** Writes a month's pack and removes its mark; throws if its input was rebuilt meanwhile. */
async function finish(services: Services, pack: PackRow & { period: 'm' }, times: number): Promise<void> {
  await transact(services.database, async (tx) => {
    await writePacks(services, tx, [pack])
    if (pack.scope === 'all') await notePacked(tx, { from: pack.start, to: monthAfter(pack.start) - 1 })
    await tx
      .deleteFrom('visit_stale_months')
      .where('scope', '=', pack.scope)
      .where('scope_id', '=', pack.id)
      .where('month', '=', pack.start)
      .execute()
    await sameSince(tx, times)
  })
}

/** Rolls up a month of a service by market area. */
export async function rollServiceMonth(services: Services, id: number, month: number): Promise<void> {
  const { db } = services.database
  const times = await timesRebuilt(db)
  const { rows } = await sql<Part>`select c.dma as market, c.day, c.visits, c.hours, l.devices from visit_cells c
    join visit_leaves l on l.service_id = c.service_id and l.dma = c.dma and l.day = c.day
    where c.service_id = ${id} and c.day >= ${month} and c.day < ${monthAfter(month)}`.execute(db)
  const rolls = new Map<number, Roll>()
  for (const { market, day, visits, hours, devices } of rows) {
    const roll = getOrInsert(rolls, marketOf(Number(market)), () => new Roll(168))
    roll.add(Number(visits), readSet(devices))
    addHours(roll.hours, hours, weekHour(Number(day)))
  }
  const bytes = packOf([...rolls].map(([market, roll]) => packedOfService(market, roll)))
  await finish(services, { scope: 'service', id, period: 'm', start: month, bytes }, times)
  await turn()
}

/** Rolls up a month of all brands from its days, one market at a time. */
export async function rollAllMonth(services: Services, month: number): Promise<void> {
  const { database } = services
  const times = await timesRebuilt(database.db)
  const { rows: markets } = await sql<{ market: number }>`select distinct market from visit_rollups
    where scope = 'all' and scope_id = 0`.execute(database.db)
  const entries: PackEntry[] = []
  for (const { market } of markets) {
    const roll = new Roll(168)
    const rows = await rowsBy<Part>(
      { db: database.db, engine: database.engine },
      { scope: 'all', period: 'd' },
      [[0, Number(market), month, monthAfter(month) - 1]],
      sql`t.start_day as day, t.visits, t.hours, t.sketch as devices`,
    )
    for (const { day, visits, hours, devices } of rows) {
      roll.add(Number(visits), readSet(devices))
      addHours(roll.hours, hours, weekHour(Number(day)))
    }
    const { set, size } = roll.union()
    const [hours, sketch] = [hoursBytes(roll.hours), bytesOf(set, ROLLUP_MOST)]
    const { visits } = roll
    if (rows.length) entries.push(packedOfAll({ market: Number(market), visits, hours, devices: sketch }))
    await transact(database, async (tx) => {
      if (rows.length) {
        const exact = size.exact ? 1 : 0
        return writeRollups(services, tx, [['all', 0, Number(market), 'm', month, visits, size.unique, exact, hours, sketch]])
      }
      await tx
        .deleteFrom('visit_rollups')
        .where('scope', '=', 'all')
        .where('scope_id', '=', 0)
        .where('market', '=', Number(market))
        .where('period', '=', 'm')
        .where('start_day', '=', month)
        .execute()
    })
    await turn()
  }
  await finish(services, { scope: 'all', id: 0, period: 'm', start: month, bytes: packOf(entries) }, times)
}
