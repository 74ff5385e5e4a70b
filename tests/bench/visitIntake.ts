import { type Database, transact } from '../../server/db/connect.ts'
import { parseNdjson } from '../../server/domain/runtime/ndjson.ts'
import { deviceSalt } from '../../server/domain/visit/device.ts'
import { BATCH_MOST, VisitBatch } from '../../server/domain/visit/intake.ts'
import { storeVisits } from '../../server/domain/visit/store.ts'

const ZONE = 'America/New_York'
const NOW = new Date('2026-11-20T12:00:00Z')
const VENUES = 20
const DMAS = [501, 803, 602, 504, 511, 623]

/** A service with venues, written directly. */
async function world(database: Database): Promise<{ service: number; venues: number[] }> {
  const at = NOW.toISOString()
  const stamps = { created_at: at, updated_at: at, start_dt: '2025-01-01' }
  return transact(database, async (tx) => {
    const name = `Bench ${performance.now()}`
    const named = { name, name_key: name.toLowerCase(), ...stamps }
    const brand = await tx.insertInto('brands').values(named).returning('id').executeTakeFirstOrThrow()
    const service = await tx
      .insertInto('services')
      .values({ brand_id: brand.id, ...named })
      .returning('id')
      .executeTakeFirstOrThrow()
    const rows = Array.from({ length: VENUES }, (_, nth) => ({
      ...{ service_id: service.id, code: `v${nth}`, dma: DMAS[nth % DMAS.length]! },
      ...{ placed: 'given' as const, since: stamps.start_dt, created_at: at, updated_at: at },
    }))
    const venues = await tx.insertInto('venues').values(rows).returning('id').execute()
    return { service: service.id, venues: venues.map(({ id }) => id) }
  })
}

/** Visits of a service over two months, in order of days, as suppliers send them. */
function rowsOf(service: number, count: number, from: number, total: number) {
  const first = Date.parse('2026-09-15T00:00:00Z') / 1000
  return Array.from({ length: count }, (_, at) => {
    const nth = from + at
    return {
      ...{ service_id: service, venue: `v${(nth * 7) % VENUES}`, device: `device-${(nth * 7919) % Math.ceil(total / 3)}` },
      at: new Date((first + Math.floor((nth / total) * 60 * 86_400) + ((nth * 613) % 3600)) * 1000).toISOString(),
    }
  })
}

/** Intake of visits: rows a second, and the additional memory. */
export async function intake(database: Database, rows: number): Promise<object[]> {
  const salt = await deviceSalt(database)
  const send = async (text: string) => {
    const batch = new VisitBatch({
      ...{ strict: false, now: NOW, timeZone: ZONE, salt, closedBefore: null },
      ...{ opens: () => true, missing: String },
    })
    for (const [at, row] of parseNdjson(text).entries()) batch.add(row, at + 1)
    const visits = await batch.visits(database, database.db)
    for (let from = 0; from < visits.length; from += 5000)
      await transact(database, (tx) => batch.store(database, tx, visits.slice(from, from + 5000)))
  }
  const line = async (path: string, work: (from: number, count: number) => Promise<() => Promise<unknown>>) => {
    globalThis.gc?.()
    const before = process.memoryUsage().rss
    let [spent, busy, peak] = [0, 0, before]
    for (let from = 0; from < rows; from += BATCH_MOST) {
      const run = await work(from, Math.min(BATCH_MOST, rows - from))
      const [began, cpu] = [performance.now(), process.cpuUsage()]
      await run()
      spent += performance.now() - began
      const { user, system } = process.cpuUsage(cpu)
      busy += user + system
      peak = Math.max(peak, process.memoryUsage().rss)
    }
    return {
      engine: database.engine,
      path,
      'visits/s': Math.round((rows / spent) * 1000),
      'visits/CPU s': Math.round((rows / busy) * 1_000_000),
      '+MB': Math.round((peak - before) / 1_048_576),
    }
  }
  const text = (service: number, from: number, count: number) =>
    rowsOf(service, count, from, rows)
      .map((row) => JSON.stringify(row))
      .join('\n')
  const sent = await world(database)
  const scattered = await world(database)
  const stored = await world(database)
  return [
    await line('NDJSON, day by day', async (from, count) => {
      const body = text(sent.service, from, count)
      return () => send(body)
    }),
    await line('the same a second time', async (from, count) => {
      const body = text(sent.service, from, count)
      return () => send(body)
    }),
    // Each batch touches every day, so every counter is read and rewritten.
    await line('NDJSON, all days in every batch', async (from, count) => {
      const body = rowsOf(scattered.service, rows, 0, rows)
        .filter((_, at) => at % Math.ceil(rows / BATCH_MOST) === from / BATCH_MOST)
        .slice(0, count)
        .map((row) => JSON.stringify(row))
        .join('\n')
      return () => send(body)
    }),
    await line('stored without checks (demo)', async (from, count) => {
      const visits = rowsOf(stored.service, count, from, rows).map(({ venue, device, at }) => ({
        ...{ venue_id: stored.venues[Number(venue.slice(1))]!, at: Date.parse(at) / 1000 },
        device: Number(device.slice(7)) * 1_000_003,
      }))
      return () => transact(database, (tx) => storeVisits(database, tx, visits, ZONE))
    }),
  ]
}
