import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { getOrInsert } from '../runtime/getOrInsert.ts'
import { type SetSize, SketchUnion } from './deviceSet.ts'
import { monthOf, type VisitRange } from './range.ts'
import { chunks, type Key, type Reading, rowsBy } from './reading.ts'

/**
 * A service that left since all brands were rolled up: at 400 brands the job takes minutes to do that again.
 * Until then reads take its visits away from the roll-ups, by the days noted here.
 */
interface LeftService {
  /** Days whose roll-ups still contain it. */
  days: Set<number>
  /** The first days of months whose roll-ups still contain it. */
  months: Set<number>
}

/** The key of `meta` for services that left, each with its days and months. */
const LEFT = 'visits.left'

type Stored = [service: number, days: number[], months: number[]]

/** Services that left as the job noted them; the newest ones aren't noted yet. */
export async function leftServices(db: Reading['db'] | Tx): Promise<Map<number, LeftService>> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', LEFT).executeTakeFirst()
  const stored = row ? (JSON.parse(row.value) as Stored[]) : []
  return new Map(stored.map(([service, days, months]) => [service, { days: new Set(days), months: new Set(months) }]))
}

async function write(tx: Tx, left: ReadonlyMap<number, LeftService>): Promise<void> {
  const stored = [...left].flatMap(([service, { days, months }]): Stored[] =>
    days.size || months.size ? [[service, [...days], [...months]]] : [],
  )
  const value = JSON.stringify(stored)
  await tx
    .insertInto('meta')
    .values({ key: LEFT, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

/** Notes the days of services that left, and forgets those that came back. */
export async function noteLeft(
  tx: Tx,
  gone: readonly { service_id: number; day: number }[],
  came: readonly number[],
): Promise<void> {
  const left = await leftServices(tx)
  for (const service of came) left.delete(service)
  for (const { service_id, day } of gone) {
    const { days, months } = getOrInsert(left, service_id, (): LeftService => ({ days: new Set(), months: new Set() }))
    days.add(Number(day))
    months.add(monthOf(Number(day)))
  }
  await write(tx, left)
}

/** Notes that a day or month was rolled up without them, in the transaction that does it. */
export async function noteRemade(tx: Tx, { day, month }: { day?: number; month?: number }): Promise<void> {
  const left = await leftServices(tx)
  if (!left.size) return
  for (const { days, months } of left.values()) {
    if (day !== undefined) days.delete(day)
    if (month !== undefined) months.delete(month)
  }
  await write(tx, left)
}

/** The part of a cover that says so: days by service, and days whose sums are made from cells anyway. */
interface LeftIn {
  left: ReadonlyMap<number, ReadonlySet<number>>
  stale: ReadonlyMap<number, unknown>
}

/** The cells and leaves of services that left, by market area. */
async function keysOf(reading: Reading, { left }: LeftIn, range: VisitRange): Promise<Key[]> {
  const keys: Key[] = []
  for (const [service, days] of left) {
    const { rows } = await sql<{ dma: number }>`
      with recursive held(dma) as (
        select (select min(c.dma) from visit_cells c where c.service_id = ${service})
        union all
        select (select min(c.dma) from visit_cells c where c.service_id = ${service} and c.dma > held.dma)
        from held where held.dma is not null
      ) select dma from held where dma is not null`.execute(reading.db)
    const [from, to] = [Math.min(...days), Math.max(...days)]
    for (const { dma } of rows) if (!range.markets || range.markets.has(Number(dma))) keys.push([service, Number(dma), from, to])
    await reading.turn()
  }
  return keys
}

interface Cell {
  service_id: number
  dma: number
  day: number
  visits: number
  uniques: number
  hours: Uint8Array
}

/** What roll-ups hold of services that left, cell by cell; `isSum` if sums of that day come from roll-ups. */
export async function* leftCells(reading: Reading, range: VisitRange, cover: LeftIn): AsyncGenerator<Cell & { isSum: boolean }> {
  if (!cover.left.size) return
  const columns = sql`t.service_id, t.dma, t.day, t.visits, t.uniques, t.hours`
  for (const part of chunks(await keysOf(reading, cover, range))) {
    for (const row of await rowsBy<Cell>(reading, 'visit_cells', part, columns)) {
      const day = Number(row.day)
      if (!cover.left.get(row.service_id)?.has(day)) continue
      const [dma, visits, uniques] = [Number(row.dma), Number(row.visits), Number(row.uniques)]
      yield { ...row, day, dma, visits, uniques, isSum: !cover.stale.has(day) }
    }
    await reading.turn()
  }
}

/** How many devices these services had: at most so many are missing once they left. */
export async function leftDevices(
  reading: Reading,
  range: VisitRange,
  cover: LeftIn,
): Promise<{ whole: number; markets: ReadonlyMap<number, number> }> {
  const whole = new SketchUnion()
  const sets = new Map<number, SketchUnion>()
  const columns = sql`t.service_id, t.dma, t.day, t.devices as bytes`
  for (const part of chunks(await keysOf(reading, cover, range))) {
    const rows = await rowsBy<{ service_id: number; dma: number; day: number; bytes: Uint8Array }>(
      reading,
      'visit_leaves',
      part,
      columns,
    )
    for (const { service_id, dma, day, bytes } of rows)
      if (cover.left.get(service_id)?.has(Number(day)))
        getOrInsert(sets, Number(dma), () => new SketchUnion()).addBytes(bytes, whole)
    await reading.turn()
  }
  return { whole: whole.size().unique, markets: new Map([...sets].map(([dma, set]) => [dma, set.size().unique])) }
}

/**
 * A count of devices of which up to `gone` were only at services that left.
 * A sketch can't be subtracted from another: this is the middle of what is possible, and its error says how wide.
 */
export function without({ unique, exact, error }: SetSize, gone: number): SetSize {
  if (!gone) return { unique, exact, error }
  const least = Math.max(0, unique - gone)
  const middle = Math.round((unique + least) / 2)
  return { unique: middle, exact: false, error: middle ? (unique - least) / 2 / middle + error : 1 }
}
