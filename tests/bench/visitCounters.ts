import { sql } from 'kysely'
import { type Database, transact } from '../../server/db/connect.ts'
import { marketAreas } from '../../server/db/markets.ts'
import { insertBulk } from '../../server/domain/runtime/insertBulk.ts'
import { HELD } from '../../server/domain/visit/cover.ts'
import { bytesOf, deviceSet, LEAF_MOST, ROLLUP_MOST, SketchUnion, sizeOf } from '../../server/domain/visit/deviceSet.ts'
import { hoursBytes } from '../../server/domain/visit/hours.ts'
import { notePacked } from '../../server/domain/visit/mergedRuns.ts'
import { type PackEntry, type PackRow, packOf, writePacks } from '../../server/domain/visit/packs.ts'
import { monthAfter, monthOf } from '../../server/domain/visit/range.ts'
import { packedOfAll, type RollupRow, worldOf, writeRollups } from '../../server/domain/visit/rollDay.ts'
import { dayNumberOf } from '../../server/domain/visit/sums.ts'
import { VENUES, venuePack } from '../../server/domain/visit/venuePacks.ts'

interface Shape {
  brands: number
  services: number
  markets: number
  days: number
  visits: number
  venues: number
}

const REGISTERS = 2 ** 17
/** After about this many days, a market's devices visit again. */
const AGAIN = 60

/**
 * Fills the tables that reads use once everything is rolled up, as the job would leave them:
 * roll-ups and packs of all brands and of the first brand, venue days, and the leaves of the last day.
 * Sets of days in past months are left out, except for hand-picked market areas.
 */
export async function fillCounters(database: Database, shape: Shape, today: string): Promise<void> {
  const last = dayNumberOf(today)
  const first = last - shape.days + 1
  let seed = 14
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((seed / 2 ** 32) * below)
  }
  const areas = marketAreas()
  const { services, bid } = await catalogue(database, shape, first, today)
  const codes = new Map(services.map((id, nth) => [id, codesOf(areas, nth, shape.markets)]))
  const visitsOf = new Map<number, number>()
  for (const of of codes.values()) for (const dma of of) visitsOf.set(dma, (visitsOf.get(dma) ?? 0) + shape.visits)
  const { presets } = await worldOf(database.db)
  const hoursOf = (count: number, visits: number) => hoursBytes(Array.from({ length: count }, () => Math.round(visits / count)))
  /** The set of the devices of this many visits. */
  const setOf = (visits: number, daily: number, most: number) => {
    const pool = daily * AGAIN
    if (visits <= most * 2) {
      const set = deviceSet(Array.from({ length: visits }, () => random(pool) * 4_294_967_291 + 2 ** 20))
      return { bytes: bytesOf(set, most), size: sizeOf(set) }
    }
    const union = new SketchUnion()
    const devices = Math.round(pool * (1 - Math.exp(-visits / pool)))
    if (devices < 4 * REGISTERS) for (let nth = 0; nth < devices; nth++) union.note(random(2 ** 24), random(2 ** 24))
    // With many devices, each register's rank is drawn: the highest of its share.
    else
      for (let index = 0; index < REGISTERS; index++) {
        const share = (random(2 ** 24) + 1) / (2 ** 24 + 1)
        const rank = Math.min(31, Math.max(1, Math.ceil(-Math.log2((-Math.log(share) * REGISTERS) / devices))))
        const rest = 2 ** (31 - rank)
        union.note(index * 128 + Math.floor(rest / 2 ** 24), rest % 2 ** 24)
      }
    return { bytes: bytesOf(union.set(), most), size: union.size() }
  }
  const picked = new Set(areas.flatMap(({ code }, at) => (at % 42 === 0 ? [code] : [])))
  const allOf = async (period: 'd' | 'm', start: number, length: number, withSets: boolean) => {
    const rows: RollupRow[] = []
    const entries: PackEntry[] = []
    const count = period === 'm' ? 168 : 24
    const note = (market: number, daily: number, sets: boolean) => {
      const visits = daily * length
      const hours = hoursOf(count, visits)
      const { bytes, size } = sets ? setOf(visits, daily, ROLLUP_MOST) : NO_SET(visits)
      rows.push(['all', 0, market, period, start, visits, size.unique, size.exact ? 1 : 0, hours, bytes])
      if (sets) entries.push(packedOfAll({ market, visits, hours, devices: bytes }))
    }
    for (const [dma, daily] of visitsOf) note(dma, daily, withSets || picked.has(dma))
    for (const { market, codes: of } of presets) {
      let daily = 0
      for (const [dma, more] of visitsOf) if (!of || of.has(dma)) daily += more
      note(market, daily, withSets)
    }
    await transact(database, async (tx) => {
      await writeRollups({ database }, tx, rows)
      await writePacks({ database }, tx, [{ scope: 'all', id: 0, period, start, bytes: packOf(entries) }])
    })
  }
  const own = services.slice(0, shape.services)
  const ownOf = async (period: 'd' | 'm', start: number, length: number) => {
    const packs = own.map((id): PackRow => {
      const entries = codes.get(id)!.map((dma): PackEntry => {
        const visits = shape.visits * length
        const hours = hoursOf(period === 'm' ? 168 : 24, visits)
        return { market: dma, visits, hours, devices: setOf(visits, shape.visits, LEAF_MOST).bytes }
      })
      return { scope: 'service', id, period, start, bytes: packOf(entries) }
    })
    await transact(database, (tx) => writePacks({ database }, tx, packs))
  }
  for (let month = monthOf(first); monthAfter(month) <= monthOf(last); month = monthAfter(month)) {
    if (month < first) continue
    await allOf('m', month, monthAfter(month) - month, true)
    await ownOf('m', month, monthAfter(month) - month)
  }
  const numbers: RollupRow[] = []
  const ofBrand = new Set(own.flatMap((id) => codes.get(id)!))
  for (let day = first; day <= last; day++) {
    const edge = monthOf(day) < first || day > last - 35
    await allOf('d', day, 1, edge)
    await ownOf('d', day, 1)
    for (const { market, codes: of } of presets) {
      const visits = [...ofBrand].filter((dma) => !of || of.has(dma)).length * shape.visits
      numbers.push(['brand', bid, market, 'd', day, visits, visits, 1, null, null])
    }
  }
  await transact(database, async (tx) => {
    await writeRollups({ database }, tx, numbers)
    const value = JSON.stringify(services.map((id, nth) => [id, bid + Math.floor(nth / shape.services)]))
    await tx.insertInto('meta').values({ key: HELD, value }).execute()
    await notePacked(tx, { from: first, to: last })
  })
  await leavesOf(database, codes, last, (visits) => setOf(visits, shape.visits, LEAF_MOST).bytes, hoursOf, shape.visits)
  await venues(database, codes, shape, [first, last], random)
}

const NO_SET = (visits: number) => ({ bytes: deviceSetBytes, size: { unique: visits, exact: false, error: 0 } })
const deviceSetBytes = bytesOf(deviceSet([]), 0)

const codesOf = (areas: ReturnType<typeof marketAreas>, nth: number, count: number): number[] => [
  ...new Set(Array.from({ length: count }, (_, at) => areas[(nth * 17 + at * 9) % areas.length]!.code)),
]

/** Brands with their services. */
async function catalogue(database: Database, shape: Shape, first: number, today: string) {
  const stamps = { created_at: today, updated_at: today, start_dt: '2025-01-01' }
  return transact(database, async (tx) => {
    const named = (name: string) => ({ name, name_key: name.toLowerCase(), ...stamps })
    const brands: number[] = []
    const services: number[] = []
    for (let brand = 0; brand < shape.brands; brand++) {
      const { id } = await tx
        .insertInto('brands')
        .values(named(`Brand ${brand}`))
        .returning('id')
        .executeTakeFirstOrThrow()
      brands.push(id)
      for (let nth = 0; nth < shape.services; nth++) {
        const row = { brand_id: id, first_day: first, ...named(`Service ${nth}`) }
        services.push((await tx.insertInto('services').values(row).returning('id').executeTakeFirstOrThrow()).id)
      }
    }
    return { services, bid: brands[0]! }
  })
}

/** Cells and leaves of a day, which exact counts of few market areas need. */
async function leavesOf(
  database: Database,
  codes: ReadonlyMap<number, readonly number[]>,
  day: number,
  devices: (visits: number) => Uint8Array,
  hours: (count: number, visits: number) => Uint8Array,
  visits: number,
): Promise<void> {
  const cell = { service_id: 'int', dma: 'int', day: 'int' } as const
  const keys = [...codes].flatMap(([id, of]) => of.map((dma) => [id, dma, day]))
  await transact(database, async (tx) => {
    await insertBulk(database, tx, {
      table: 'visit_cells',
      columns: { ...cell, visits: 'int', uniques: 'int', hours: 'bytes' },
      rows: keys.map((key) => [...key, visits, visits, Buffer.from(hours(24, visits))]),
    })
    await insertBulk(database, tx, {
      table: 'visit_leaves',
      columns: { ...cell, devices: 'bytes' },
      rows: keys.map((key) => [...key, Buffer.from(devices(visits))]),
    })
  })
}

/** Venues, with the visits of each on every day. */
async function venues(
  database: Database,
  codes: ReadonlyMap<number, readonly number[]>,
  shape: Shape,
  [first, last]: readonly [number, number],
  random: (below: number) => number,
): Promise<void> {
  const at = '2025-01-01'
  await transact(database, async (tx) => {
    await insertBulk(database, tx, {
      table: 'venues',
      columns: {
        ...{ service_id: 'int', code: 'text', dma: 'int', placed: 'text', since: 'text' },
        ...{ latitude: 'real', longitude: 'real', created_at: 'text', updated_at: 'text' },
      },
      rows: [...codes].flatMap(([id, of]) =>
        Array.from({ length: shape.venues }, (_, nth) => [
          ...[id, `v${nth}`, of[nth % of.length], 'given', at],
          ...[25 + random(2400) / 100, -124 + random(5700) / 100, at, at],
        ]),
      ),
    })
    const visits = Math.round((shape.visits * shape.markets) / shape.venues)
    const days =
      database.engine === 'sqlite'
        ? sql`(with recursive days(day) as (select ${first} union all select day + 1 from days where day < ${last}) select day from days) d`
        : sql`generate_series(${first}::int, ${last}::int) d(day)`
    await sql`insert into visit_venue_days (venue_id, day, visits, uniques)
      select v.id, d.day, ${visits}, ${visits} from venues v cross join ${days} order by v.id, d.day`.execute(tx)
    const { rows } = await sql<{ id: number }>`select id from venues order by id`.execute(tx)
    const packs: PackRow[] = []
    const pack = (period: 'd' | 'm', start: number, length: number) => {
      const bytes = venuePack(rows.map(({ id }) => [id, visits * length]))
      packs.push({ ...VENUES, period, start, bytes })
    }
    for (let day = first; day <= last; day++) pack('d', day, 1)
    for (let month = monthOf(first); monthAfter(month) <= monthOf(last); month = monthAfter(month))
      if (month >= first) pack('m', month, monthAfter(month) - month)
    await writePacks({ database }, tx, packs)
  })
}
