import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Services } from '../../core/context.ts'
import { transact } from '../../db/connect.ts'
import { getOrInsert } from '../runtime/getOrInsert.ts'
import { bytesOf, ROLLUP_MOST, readSet } from './deviceSet.ts'
import { addHours, hoursBytes, weekHour } from './hours.ts'
import { marketOf, monthAfter } from './range.ts'
import { type Key, rowsBy } from './reading.ts'
import { Roll, type RollupRow, type World, writeRollups } from './rollDay.ts'

/** A row that a month's roll-up is made of. */
interface Part {
  market: number
  day: number
  visits: number
  hours: Uint8Array
  devices: Uint8Array
}

const rowOf = (scope: 'all' | 'brand' | 'service', id: number, market: number, month: number, roll: Roll): RollupRow => {
  const { set, size } = roll.union()
  return [
    scope,
    id,
    market,
    'm',
    month,
    roll.visits,
    size.unique,
    size.exact ? 1 : 0,
    hoursBytes(roll.hours),
    bytesOf(set, ROLLUP_MOST),
  ]
}

/** Writes a month's roll-ups and takes its mark away. */
async function finish(
  services: Services,
  scope: 'all' | 'brand' | 'service',
  id: number,
  month: number,
  rows: readonly RollupRow[],
): Promise<void> {
  await transact(services.database, async (tx) => {
    await writeRollups(services, tx, rows)
    await tx
      .deleteFrom('visit_stale_months')
      .where('scope', '=', scope)
      .where('scope_id', '=', id)
      .where('month', '=', month)
      .execute()
  })
}

/** Rolls up a month of a service, by market area and in all. */
export async function rollServiceMonth(services: Services, id: number, month: number): Promise<void> {
  const { db } = services.database
  const { rows } = await sql<Part>`select c.dma as market, c.day, c.visits, c.hours, l.devices from visit_cells c
    join visit_leaves l on l.service_id = c.service_id and l.dma = c.dma and l.day = c.day
    where c.service_id = ${id} and c.day >= ${month} and c.day < ${monthAfter(month)}`.execute(db)
  const rolls = new Map<number, Roll>()
  for (const { market, day, visits, hours, devices } of rows) {
    const set = readSet(devices)
    for (const at of [0, marketOf(Number(market))]) {
      const roll = getOrInsert(rolls, at, () => new Roll(168))
      roll.add(Number(visits), set)
      addHours(roll.hours, hours, weekHour(Number(day)))
    }
  }
  await finish(
    services,
    'service',
    id,
    month,
    [...rolls].map(([market, roll]) => rowOf('service', id, market, month, roll)),
  )
  await turn()
}

/** Rolls up a month of a brand, from those of its living services. */
export async function rollBrandMonth(services: Services, { brands }: World, id: number, month: number): Promise<void> {
  const roll = new Roll(168)
  const keys = [...brands].flatMap(([service, brand]): Key[] => (brand === id ? [[service, 0, month, month]] : []))
  const rows = await rowsBy<Part>(
    { db: services.database.db, engine: services.database.engine },
    { scope: 'service', period: 'm' },
    keys,
    sql`t.visits, t.hours, t.sketch as devices`,
  )
  for (const { visits, hours, devices } of rows) {
    roll.add(Number(visits), readSet(devices))
    addHours(roll.hours, hours)
  }
  await finish(services, 'brand', id, month, [rowOf('brand', id, 0, month, roll)])
}

/** Rolls up a month of all brands, a market at a time, from its days. */
export async function rollAllMonth(services: Services, month: number): Promise<void> {
  const { database } = services
  const { rows: markets } = await sql<{ market: number }>`select distinct market from visit_rollups
    where scope = 'all' and scope_id = 0`.execute(database.db)
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
    await transact(database, async (tx) => {
      if (rows.length) return writeRollups(services, tx, [rowOf('all', 0, Number(market), month, roll)])
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
  await finish(services, 'all', 0, month, [])
}
