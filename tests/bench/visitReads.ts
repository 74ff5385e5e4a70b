import { performance } from 'node:perf_hooks'
import { sql } from 'kysely'
import type { Ctx, Services } from '../../server/core/context.ts'
import { type Database, transact } from '../../server/db/connect.ts'
import { marketAreas } from '../../server/db/markets.ts'
import { insertBulk } from '../../server/domain/runtime/insertBulk.ts'
import { bytesOf, deviceSet, LEAF_MOST } from '../../server/domain/visit/deviceSet.ts'
import { hoursBytes } from '../../server/domain/visit/hours.ts'
import { visitPoints } from '../../server/domain/visit/points.ts'
import { isBehind, rollUp } from '../../server/domain/visit/rollups.ts'
import { dayNumberOf } from '../../server/domain/visit/sums.ts'
import { visitCounts, visitGraph } from '../../server/domain/visit/visitFigures.ts'
import { fillCounters } from './visitCounters.ts'

const TODAY = '2026-11-20'
/**
 * TABLE  sizes: brands, services of each, markets of a service, days, visits of a cell and venues of a service.
 * `counters` are filled as the job would leave them (visitCounters.ts), because drawing so many visits takes hours.
 */
const SIZES = {
  demo: { brands: 6, services: 3, markets: 6, days: 120, visits: 10, venues: 8, counters: false },
  mid: { brands: 60, services: 3, markets: 11, days: 365, visits: 10, venues: 13, counters: true },
  large: { brands: 400, services: 3, markets: 22, days: 365, visits: 53, venues: 33, counters: true },
} as const
export type Size = keyof typeof SIZES

/** Cells, leaves and venue days written directly, as intake would leave them. */
async function fill(database: Database, size: (typeof SIZES)[Size]): Promise<void> {
  const stamps = { created_at: TODAY, updated_at: TODAY, start_dt: '2025-01-01' }
  const areas = marketAreas()
  const last = dayNumberOf(TODAY)
  const first = last - size.days + 1
  let seed = 14
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((seed / 2 ** 32) * below)
  }
  for (let brand = 0; brand < size.brands; brand++)
    await transact(database, async (tx) => {
      const named = (name: string) => ({ name, name_key: name.toLowerCase(), ...stamps })
      const { id: brand_id } = await tx
        .insertInto('brands')
        .values(named(`Brand ${brand}`))
        .returning('id')
        .executeTakeFirstOrThrow()
      for (let nth = 0; nth < size.services; nth++) {
        const service = { brand_id, first_day: first, ...named(`Service ${nth}`) }
        const { id } = await tx.insertInto('services').values(service).returning('id').executeTakeFirstOrThrow()
        const dmas = new Set<number>()
        while (dmas.size < size.markets) dmas.add(areas[random(areas.length)]!.code)
        const cells: unknown[][] = []
        const leaves: unknown[][] = []
        const days: [number, number, number][] = []
        const stale: unknown[][] = []
        const perDay = size.visits * size.markets
        const pool = perDay * 60
        for (let day = first; day <= last; day++) {
          for (const dma of dmas) {
            const devices = Array.from({ length: size.visits }, () => id * 2 ** 24 + random(pool) * 2_654_435_761)
            const set = deviceSet(devices)
            const hours = new Array<number>(24).fill(0)
            for (let visit = 0; visit < size.visits; visit++) hours[random(24)]!++
            cells.push([id, dma, day, size.visits, 'devices' in set ? set.devices.length : 0, Buffer.from(hoursBytes(hours))])
            leaves.push([id, dma, day, Buffer.from(bytesOf(set, LEAF_MOST))])
          }
          days.push([id, day, perDay])
          stale.push([id, day])
        }
        const cell = { service_id: 'int', dma: 'int', day: 'int' } as const
        await insertBulk(database, tx, {
          table: 'visit_cells',
          columns: { ...cell, visits: 'int', uniques: 'int', hours: 'bytes' },
          rows: cells,
        })
        await insertBulk(database, tx, { table: 'visit_leaves', columns: { ...cell, devices: 'bytes' }, rows: leaves })
        await insertBulk(database, tx, {
          table: 'visit_days',
          columns: { service_id: 'int', day: 'int', visits: 'int' },
          rows: days,
        })
        await insertBulk(database, tx, { table: 'visit_stale', columns: { service_id: 'int', day: 'int' }, rows: stale })
        const codes = [...dmas]
        const venues = Array.from({ length: size.venues }, (_, at) => ({
          ...{ service_id: id, code: `v${at}`, dma: codes[at % codes.length]!, placed: 'given' as const, since: '2025-01-01' },
          ...{ latitude: 25 + random(2400) / 100, longitude: -124 + random(5700) / 100, created_at: TODAY, updated_at: TODAY },
        }))
        const made = await tx.insertInto('venues').values(venues).returning('id').execute()
        await insertBulk(database, tx, {
          table: 'visit_venue_days',
          columns: { venue_id: 'int', day: 'int', visits: 'int', uniques: 'int' },
          rows: made.flatMap((venue) => days.map(([, day]) => [venue.id, day, Math.round(perDay / size.venues), 1])),
        })
      }
    })
}

const PERIODS = { day: TODAY, week: '2026-11-14', month: '2026-10-22', year: '2025-11-21' } as const

/** Reads of figures: p50 and p95 in milliseconds, and this process's CPU time for each and for the first. */
export async function reads(database: Database, size: Size): Promise<object[]> {
  const began = performance.now()
  const sized = SIZES[size]
  await (sized.counters ? fillCounters(database, sized, TODAY) : fill(database, sized))
  const filled = Math.round((performance.now() - began) / 100) / 10
  const services = { database, log: console, settings: {}, now: () => new Date() } as unknown as Services
  while (await isBehind(services, TODAY)) await rollUp(services, TODAY)
  const rolled = Math.round((performance.now() - began) / 100) / 10 - filled
  if (database.engine === 'postgres') await sql`analyze`.execute(database.db)
  const ctx = {
    db: database.db,
    actor: { id: 1, role: 'admin', admin_id: null },
    services,
    today: TODAY,
    call: 'bench',
  } as unknown as Ctx
  const { id: bid } = await database.db.selectFrom('brands').select('id').orderBy('id').executeTakeFirstOrThrow()
  const picked = marketAreas()
    .filter((_, at) => at % 42 === 0)
    .map(({ code }) => String(code))
  const selections = {
    'one brand': { bid },
    'all brands': {},
    'all brands, Top 25': { dmas: ['Top 25'] },
    'all brands, 5 markets': { dmas: picked },
  } as const
  const lines: object[] = []
  for (const [selection, asked] of Object.entries(selections))
    for (const [period, start] of Object.entries(PERIODS)) {
      const query = { ...asked, date: 'custom', start, end: TODAY } as const
      const of = async (work: () => Promise<unknown>) => {
        const times: number[] = []
        // The first read merges whole months, which later ones find cached.
        const idle = process.cpuUsage()
        await work()
        const { user: firstUser, system: firstSystem } = process.cpuUsage(idle)
        const first = Math.round((firstUser + firstSystem) / 1000)
        const cpu = process.cpuUsage()
        const until = performance.now() + 800
        for (let run = 0; run < 3 || (run < 20 && performance.now() < until); run++) {
          const from = performance.now()
          await work()
          times.push(performance.now() - from)
        }
        const { user, system } = process.cpuUsage(cpu)
        const each = Math.round((user + system) / times.length / 100) / 10
        times.sort((a, b) => a - b)
        const at = (share: number) => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))]! * 10) / 10
        return `${at(0.5)} / ${at(0.95)} (${each}, first ${first})`
      }
      lines.push({
        engine: database.engine,
        size,
        selection,
        period,
        counts: await of(() => visitCounts(ctx, { ...query, compare_before: false } as never)),
        // At this size, each day's sketches of hand-picked market areas need leaves, which aren't filled.
        graph: size === 'large' && selection === 'all brands, 5 markets' ? '' : await of(() => visitGraph(ctx, query as never)),
        map: await of(() => visitPoints(ctx, query as never)),
      })
    }
  return [
    ...lines,
    { engine: database.engine, size, selection: `filled in ${filled} s, rolled up in ${Math.round(rolled * 10) / 10} s` },
  ]
}
