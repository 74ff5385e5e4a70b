import { sql } from 'kysely'
import type { Cover } from './cover.ts'
import { mergedRun } from './mergedRuns.ts'
import type { Days, VisitRange } from './range.ts'
import { chunks, type Key, type Reading, rowsBy } from './reading.ts'

/** The leaves of one market area. */
export async function leavesIn(reading: Reading, range: VisitRange, cover: Cover, dma: number): Promise<Uint8Array[]> {
  const keys = (await cover.keys('all')).get(dma)
  const only = new Map(keys ? [[dma, keys]] : [])
  const leaves: Uint8Array[] = []
  const of = { ...cover, keys: () => Promise.resolve(only) }
  for await (const { bytes } of leavesOf(reading, { ...range, markets: new Set([dma]) }, of)) leaves.push(bytes)
  return leaves
}

interface SetRow {
  dma: number
  bytes: Uint8Array
}

export interface LeafRow extends SetRow {
  day: number
}

/** All leaves in the range. */
export async function* leavesOf(reading: Reading, range: VisitRange, cover: Cover, days?: Days): AsyncGenerator<LeafRow> {
  for (const run of [...cover.all.months, ...cover.all.days]) {
    const within = overlap(run, days)
    if (within) yield* leavesOfDays(reading, range, within)
  }
  const keys: Key[] = []
  for (const ofMarket of (await cover.keys('all')).values())
    for (const [service, dma, from, to] of ofMarket) {
      const within = overlap({ from, to }, days)
      if (within) keys.push([service, dma, within.from, within.to])
    }
  for (const some of chunks(keys)) {
    const rows = await rowsBy<LeafRow>(reading, 'visit_leaves', some, sql`t.dma as dma, t.day as day, t.devices as bytes`)
    for (const row of rows) yield { dma: Number(row.dma), day: Number(row.day), bytes: row.bytes }
    await reading.turn()
  }
}

function overlap(run: Days, days: Days | undefined): Days | null {
  if (!days) return run
  const both = { from: Math.max(run.from, days.from), to: Math.min(run.to, days.to) }
  return both.from <= both.to ? both : null
}

/** Leaves of all active services by day; the few of deleted services are filtered out here. */
async function* leavesOfDays(reading: Reading, { services, markets }: VisitRange, { from, to }: Days): AsyncGenerator<LeafRow> {
  const within = markets ? sql`and c.dma in (${sql.join([...markets])})` : sql``
  for (let day = from; day <= to; day++) {
    const { rows } = await sql<LeafRow & { service_id: number }>`
      select c.service_id, c.dma, c.day, l.devices as bytes from visit_cells c
      join visit_leaves l on l.service_id = c.service_id and l.dma = c.dma and l.day = c.day
      where c.day = ${day} ${within}`.execute(reading.db)
    for (const row of rows)
      if (services.has(row.service_id)) yield { dma: Number(row.dma), day: Number(row.day), bytes: row.bytes }
    await reading.turn()
  }
}

/** Leaves of services with visits that aren't rolled up, on days covered by the roll-ups of `all`. */
export async function staleLeaves(reading: Reading, cover: Cover, dmas: ReadonlySet<number> | null): Promise<SetRow[]> {
  const found: SetRow[] = []
  for (const { from, to } of cover.all.days)
    for (const day of cover.stale.keys())
      if (day >= from && day <= to) for (const row of await staleLeavesOn(reading, cover, day, dmas)) found.push(row)
  return found
}

/** The same for one day. */
export async function staleLeavesOn(
  reading: Reading,
  { stale }: Cover,
  day: number,
  dmas: ReadonlySet<number> | null,
): Promise<SetRow[]> {
  const found: SetRow[] = []
  const within = dmas ? sql`and c.dma in (${sql.join([...dmas])})` : sql``
  const ids = [...(stale.get(day) ?? [])]
  for (let at = 0; at < ids.length; at += 500) {
    const { rows } = await sql<SetRow>`select c.dma, l.devices as bytes from visit_cells c
      join visit_leaves l on l.service_id = c.service_id and l.dma = c.dma and l.day = c.day
      where c.day = ${day} ${within} and c.service_id in (${sql.join(ids.slice(at, at + 500))})`.execute(reading.db)
    for (const { dma, bytes } of rows) found.push({ dma: Number(dma), bytes })
    await reading.turn()
  }
  return found
}

/** A preset's roll-ups of `all`, and the leaves of services that aren't rolled up. */
export async function* presetOf(
  reading: Reading,
  preset: number,
  range: VisitRange,
  cover: Cover,
): AsyncGenerator<{ bytes: Uint8Array }> {
  const { core } = cover
  if (core) {
    const devices = (await mergedRun(reading, core, (market) => market === preset)).markets.get(preset)?.devices
    if (devices) yield { bytes: devices }
  }
  for (const [period, runs] of [['m', cover.rest.months] as const, ['d', cover.rest.days] as const])
    for (const part of chunks(
      runs.map(({ from, to }): Key => [0, preset, from, to]),
      400,
    )) {
      yield* await rowsBy<{ bytes: Uint8Array }>(reading, { scope: 'all', period }, part, sql`t.sketch as bytes`)
      await reading.turn()
    }
  yield* await staleLeaves(reading, cover, range.markets)
}
