import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Services } from '../../core/context.ts'
import { type Db, type Tx, transact } from '../../db/connect.ts'
import { getOrInsert } from '../runtime/getOrInsert.ts'
import { insertBulk } from '../runtime/insertBulk.ts'
import { COUNTED } from './countLimits.ts'
import {
  bytesOf,
  type DeviceSet,
  DeviceUnion,
  LEAF_MOST,
  ROLLUP_MOST,
  readSet,
  type SetSize,
  SketchUnion,
  sizeOf,
} from './deviceSet.ts'
import { addHours, hoursBytes } from './hours.ts'
import { noteRemade } from './leftServices.ts'
import { notePacked } from './mergedRuns.ts'
import { NO_DEVICES, PACKED_BYTES, type PackEntry, type PackRow, packOf, writePacks } from './packs.ts'
import { marketOf, monthOf, type Preset, ranked } from './range.ts'
import { sameSince, timesRebuilt } from './rebuilt.ts'
import { venuesOfDay } from './venuePacks.ts'

/** The input of roll-ups: active services with their brands, and the presets' market areas. */
export interface World {
  brands: ReadonlyMap<number, number>
  presets: readonly { market: Preset; codes: ReadonlySet<number> | null }[]
}

/** Reads the current input of roll-ups. */
export async function worldOf(db: Db): Promise<World> {
  const rows = await db
    .selectFrom('services')
    .innerJoin('brands', 'brands.id', 'services.brand_id')
    .select(['services.id', 'services.brand_id'])
    .where('services.deleted_at', 'is', null)
    .where('brands.deleted_at', 'is', null)
    .orderBy('services.id')
    .execute()
  const areas = new Map((await db.selectFrom('dmas').selectAll().execute()).map((area) => [Number(area.code), area]))
  return {
    brands: new Map(rows.map(({ id, brand_id }) => [id, brand_id])),
    presets: [
      { market: 0, codes: null },
      ...([-10, -25, -50] as const).map((market) => ({ market, codes: new Set(ranked(areas, -market)) })),
    ],
  }
}

/** A roll-up's row in the order of its columns. */
export type RollupRow = readonly [
  scope: 'all' | 'brand' | 'service',
  id: number,
  market: number,
  period: 'd' | 'm',
  start: number,
  visits: number,
  uniques: number,
  exact: number,
  hours: Uint8Array | null,
  sketch: Uint8Array | null,
]
const COLUMNS = {
  scope: 'text',
  scope_id: 'int',
  market: 'int',
  period: 'text',
  start_day: 'int',
  visits: 'int',
  uniques: 'int',
  exact: 'int',
  hours: 'bytes',
  sketch: 'bytes',
} as const
const KEY = '(scope, scope_id, market, period, start_day) do update set'
const OTHERS = ['visits', 'uniques', 'exact', 'hours', 'sketch'].map((name) => `${name} = excluded.${name}`).join(', ')

/** Writes roll-ups, replacing existing ones. */
export async function writeRollups({ database }: Pick<Services, 'database'>, tx: Tx, rows: readonly RollupRow[]): Promise<void> {
  // A sketch may have 96 KB, so rows are written in batches.
  for (let at = 0; at < rows.length; at += 100) {
    const part = rows.slice(at, at + 100).map((row) => row.map((cell) => (cell instanceof Uint8Array ? Buffer.from(cell) : cell)))
    await insertBulk(database, tx, {
      table: 'visit_rollups',
      columns: COLUMNS,
      rows: part,
      onConflict: `${KEY} ${OTHERS}`,
    })
    await turn()
  }
}

/** A market's part of a pack of all brands: large sets, and those of presets, are read from roll-ups instead. */
export const packedOfAll = (entry: PackEntry): PackEntry =>
  entry.devices.length > PACKED_BYTES || entry.market === 0 || entry.market <= -10 ? { ...entry, devices: NO_DEVICES } : entry

/** A market's part of a service's pack. */
export function packedOfService(market: number, roll: Roll): PackEntry {
  return { market, visits: roll.visits, hours: hoursBytes(roll.hours), devices: bytesOf(roll.union().set, LEAF_MOST) }
}

/** Collects the contents of a roll-up. */
export class Roll {
  visits = 0
  readonly hours: number[]
  readonly #sets: DeviceSet[] = []
  constructor(hours: 24 | 168) {
    this.hours = new Array<number>(hours).fill(0)
  }
  add(visits: number, set: DeviceSet): void {
    this.visits += visits
    this.#sets.push(set)
  }
  /** The union; with many visits its size is an estimate, whatever the forms of its sets. */
  union(): { set: DeviceSet; size: SetSize } {
    const all = new DeviceUnion()
    if (this.visits <= COUNTED.exact) {
      for (const set of this.#sets) all.add(set)
      const set = all.set()
      return { set, size: sizeOf(set) }
    }
    const sketch = new SketchUnion()
    for (const set of this.#sets) sketch.addSet(set)
    return { set: sketch.set(), size: sketch.size() }
  }
}

const exactly = ({ exact }: SetSize): number => (exact ? 1 : 0)

/** A day's cell with its devices. */
interface Leaf {
  service_id: number
  dma: number
  visits: number
  hours: Uint8Array
  devices: Uint8Array
}

/**
 * Rolls up one day: all brands by market and preset, and the numbers of services and brands that changed.
 * Visits added meanwhile stay marked, so that reads include their leaves and the next run rolls them up.
 * Throws if counters are rebuilt meanwhile, because other visits may add up to the same numbers.
 * With `again`, for brands whose services changed, existing rows are deleted first.
 */
export async function rollDay(
  services: Services,
  world: World,
  day: number,
  again: ReadonlySet<number> | null = null,
): Promise<void> {
  const { database } = services
  const { db } = database
  const times = await timesRebuilt(db)
  const marked = (await db.selectFrom('visit_stale').select('service_id').where('day', '=', day).execute()).map(
    ({ service_id }) => service_id,
  )
  const before = await visitsOn(db, day, marked)
  const changed = new Set(marked)
  const affected = new Set([...(again ?? []), ...marked.flatMap((id) => world.brands.get(id) ?? [])])
  const { rows, packs } = await rowsOfDay(db, world, day, changed, affected)
  const venues = await venuesOfDay(services, day, marked)
  const month = monthOf(day)
  await transact(database, async (tx) => {
    if (again) await dropDay(tx, day, again)
    await writeRollups(services, tx, rows)
    await writePacks(services, tx, venues ? [...packs, venues] : packs)
    await notePacked(tx, { from: day, to: day })
    await noteRemade(tx, { day })
    await noteRolled(tx, services.now().toISOString())
    await tx
      .deleteFrom('visit_stale')
      .where('day', '=', day)
      .where('service_id', 'in', [...marked, 0])
      .execute()
    await sameSince(tx, times)
    const after = await visitsOn(tx, day, marked)
    const late = marked.filter((id) => before.get(id) !== after.get(id))
    await insertBulk(database, tx, {
      table: 'visit_stale',
      columns: { service_id: 'int', day: 'int' },
      rows: late.map((id) => [id, day]),
      onConflict: '(service_id, day) do nothing',
    })
    await insertBulk(database, tx, {
      table: 'visit_stale_months',
      columns: { scope: 'text', scope_id: 'int', month: 'int' },
      rows: [['all', 0, month], ['venues', 0, month], ...marked.map((id) => ['service', id, month])],
      onConflict: '(scope, scope_id, month) do nothing',
    })
  })
}

/** The key of `meta` for when roll-ups were last written. */
export const ROLLED = 'visits.rolled'

const noteRolled = (tx: Tx, value: string) =>
  tx
    .insertInto('meta')
    .values({ key: ROLLED, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()

const dropDay = (tx: Tx, day: number, brands: ReadonlySet<number>) =>
  tx
    .deleteFrom('visit_rollups')
    .where('period', '=', 'd')
    .where('start_day', '=', day)
    .where((eb) => eb.or([eb('scope', '=', 'all'), eb.and([eb('scope', '=', 'brand'), eb('scope_id', 'in', [...brands, 0])])]))
    .execute()

async function visitsOn(db: Db | Tx, day: number, ids: readonly number[]): Promise<Map<number, number>> {
  const visits = new Map<number, number>()
  for (let at = 0; at < ids.length; at += 500) {
    const rows = await db
      .selectFrom('visit_days')
      .select(['service_id', 'visits'])
      .where('day', '=', day)
      .where('service_id', 'in', ids.slice(at, at + 500))
      .execute()
    for (const row of rows) visits.set(row.service_id, Number(row.visits))
  }
  return visits
}

async function rowsOfDay(
  db: Db,
  { brands, presets }: World,
  day: number,
  changed: ReadonlySet<number>,
  affected: ReadonlySet<number>,
): Promise<{ rows: RollupRow[]; packs: PackRow[] }> {
  const all = new Map<number, Roll>()
  const numbers = new Map<string, { scope: 'brand' | 'service'; id: number; market: number; roll: Roll }>()
  const number = (scope: 'brand' | 'service', id: number, market: number) =>
    getOrInsert(numbers, `${scope} ${id} ${market}`, () => ({ scope, id, market, roll: new Roll(24) })).roll
  const { rows } = await sql<Leaf>`select c.service_id, c.dma, c.visits, c.hours, l.devices from visit_cells c
    join visit_leaves l on l.service_id = c.service_id and l.dma = c.dma and l.day = c.day
    where c.day = ${day}`.execute(db)
  const own = new Map([...changed].map((id): [number, PackEntry[]] => [id, []]))
  let done = 0
  for (const { service_id, dma, visits, hours, devices } of rows) {
    const brand = brands.get(service_id)
    // A deleted service keeps numbers of its own, for when it is restored.
    const gone = brand === undefined
    if (gone && !changed.has(service_id)) continue
    own.get(service_id)?.push({ market: marketOf(Number(dma)), visits: Number(visits), hours, devices })
    const set = readSet(devices)
    const rolls = gone ? [] : [getOrInsert(all, marketOf(Number(dma)), () => new Roll(24))]
    for (const { market, codes } of presets) {
      if (codes && !codes.has(Number(dma))) continue
      if (!gone) rolls.push(getOrInsert(all, market, () => new Roll(24)))
      if (!gone && affected.has(brand)) rolls.push(number('brand', brand, market))
      if (changed.has(service_id)) rolls.push(number('service', service_id, market))
    }
    for (const roll of rolls) {
      roll.add(Number(visits), set)
      addHours(roll.hours, hours)
    }
    if (++done % 500 === 0) await turn()
  }
  const written: RollupRow[] = []
  const entries: PackEntry[] = []
  for (const [market, roll] of all) {
    const { set, size } = roll.union()
    const hours = hoursBytes(roll.hours)
    const devices = bytesOf(set, ROLLUP_MOST)
    entries.push(packedOfAll({ market, visits: roll.visits, hours, devices }))
    written.push(['all', 0, market, 'd', day, roll.visits, size.unique, exactly(size), hours, devices])
    await turn()
  }
  for (const { scope, id, market, roll } of numbers.values()) {
    const { size } = roll.union()
    written.push([scope, id, market, 'd', day, roll.visits, size.unique, exactly(size), null, null])
  }
  const packs = [...own].map(([id, of]): PackRow => ({ scope: 'service', id, period: 'd', start: day, bytes: packOf(of) }))
  return { rows: written, packs: [...packs, { scope: 'all', id: 0, period: 'd', start: day, bytes: packOf(entries) }] }
}
