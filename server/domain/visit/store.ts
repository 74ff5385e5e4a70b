import { setImmediate as breathe } from 'node:timers/promises'
import { CompiledQuery, sql } from 'kysely'
import type { Database, Db, Tx } from '../../db/connect.ts'
import { advisoryLock } from '../../db/locked.ts'
import { getOrInsert } from '../runtime/getOrInsert.ts'
import { addingUp, insertBulk } from '../runtime/insertBulk.ts'
import { type Clock, clockOf, dateOf } from './clock.ts'
import { LEAF_MOST, readSet, sizeOf, withDevices } from './deviceSet.ts'
import { addHours, hoursBytes } from './hours.ts'
import { monthsMissing, openMonths } from './months.ts'
import { dayNumberOf } from './serviceList.ts'

/** A visit as stored. */
export interface Visit {
  venue_id: number
  /** Seconds since 1970. */
  at: number
  /** 48 bits of a hash (device.ts). */
  device: number
}

/** The outcome of a batch; `services` are those with new visits, with the number for each. */
export interface Stored {
  added: number
  repeated: number
  services: Map<number, number>
}

interface Venue {
  id: number
  service_id: number
  dma: number
  since: string
}

/** A venue's visits on one day, as indexes into the batch: `from` up to but not including `to`. */
interface VenueDay {
  venue: Venue
  day: number
  from: number
  to: number
}

/** The additions of a batch to a cell. */
interface Cell {
  service_id: number
  dma: number
  day: number
  visits: number
  hours: number[]
  devices: number[]
}

/**
 * Stores visits of known venues and counts the new ones; a device counts once at a venue in a second.
 * Needs a transaction. Batches of one service run one after another, so that repeats and uniques are exact.
 * Without `raw` they are counted but not stored, for demo data of days past the retention.
 */
export async function storeVisits(
  database: Database,
  tx: Tx,
  visits: readonly Visit[],
  timeZone: string,
  { raw = true }: { raw?: boolean } = {},
): Promise<Stored> {
  const stored: Stored = { added: 0, repeated: 0, services: new Map() }
  if (!visits.length) return stored
  if (raw) await openMonths(database, tx, await monthsMissing(database, tx, momentsOf(visits)))
  const venues = await venuesOf(database, tx, visits)
  for (const id of [...new Set(Array.from(venues.values(), ({ service_id }) => service_id))].sort((a, b) => a - b))
    await advisoryLock(database, tx, 'visits', id)
  const clock = clockOf(timeZone)
  const batch = inOrder(visits)
  const groups = venueDaysOf(batch, venues, clock)
  const known = await knownOf(database, tx, groups)
  const fresh = groups.filter((group) => !known.has(group))
  if (raw) await insertFresh(database, tx, batch, fresh)
  const added = await insertOther(database, tx, batch, [...known])
  const tally = new Tally(clock)
  for (const group of fresh) for (let at = group.from; at < group.to; at++) tally.add(group, batch[at]!)
  const changed = [...known].filter((group) => {
    let news = 0
    for (let at = group.from; at < group.to; at++)
      if (added.has(batch[at]!)) {
        tally.add(group, batch[at]!)
        news++
      }
    return news > 0
  })
  if (!tally.added) return { ...stored, repeated: visits.length }
  await countFresh(database, tx, batch, fresh)
  await recount(database, tx, changed, clock)
  await countCells(database, tx, [...tally.cells.values()])
  await countServices(database, tx, tally)
  await sinceThen(tx, [...fresh, ...changed])
  return { added: tally.added, repeated: visits.length - tally.added, services: tally.services }
}

/** How many of these visits are already known, for a dry run. */
export async function knownVisits(database: Database, db: Db | Tx, visits: readonly Visit[]): Promise<number> {
  const batch = inOrder(visits)
  let known = visits.length - batch.length
  for (let from = 0; from < batch.length; from += 5000) {
    const part = batch.slice(from, from + 5000)
    const { rows } = await sql<{ known: number }>`select count(*) as known from ${listed(
      database,
      part.map(({ venue_id, at, device }) => [venue_id, at, device]),
      ['venue', 'moment', 'who'],
    )} join visits on venue_id = venue and at = moment and device = who`.execute(db)
    known += Number(rows[0]!.known)
  }
  return known
}

/** Rows of numbers as a table expression. */
export function listed(database: Pick<Database, 'engine'>, rows: readonly (readonly number[])[], names: readonly string[]) {
  if (database.engine === 'postgres') {
    const arrays = names.map((_, at) => sql`${rows.map((row) => row[at])}::bigint[]`)
    return sql`unnest(${sql.join(arrays)}) as listed(${sql.join(names.map((name) => sql.ref(name)))})`
  }
  const columns = names.map((name, at) => sql`value ->> ${sql.lit(at)} as ${sql.ref(name)}`)
  return sql`(select ${sql.join(columns)} from json_each(${JSON.stringify(rows)})) as listed`
}

function* momentsOf(visits: readonly Visit[]): Generator<number> {
  for (const { at } of visits) yield at
}

/** Sorts the visits by venue and moment, and removes duplicates. */
function inOrder(visits: readonly Visit[]): Visit[] {
  const order = [...visits].sort((a, b) => a.venue_id - b.venue_id || a.at - b.at || a.device - b.device)
  return order.filter((visit, at) => {
    const before = order[at - 1]
    return !before || before.venue_id !== visit.venue_id || before.at !== visit.at || before.device !== visit.device
  })
}

async function venuesOf(database: Database, tx: Tx, visits: readonly Visit[]): Promise<Map<number, Venue>> {
  const ids = [...new Set(visits.map(({ venue_id }) => venue_id))]
  const { rows } = await sql<Venue>`select venues.id, service_id, dma, since from ${listed(
    database,
    ids.map((id) => [id]),
    ['wanted'],
  )} join venues on venues.id = wanted`.execute(tx)
  return new Map(rows.map((venue) => [venue.id, venue]))
}

function venueDaysOf(batch: readonly Visit[], venues: ReadonlyMap<number, Venue>, clock: Clock): VenueDay[] {
  const groups: VenueDay[] = []
  for (const [at, visit] of batch.entries()) {
    const day = clock.dayOf(visit.at)
    const last = groups.at(-1)
    if (last?.venue.id === visit.venue_id && last.day === day) last.to = at + 1
    else groups.push({ venue: venues.get(visit.venue_id)!, day, from: at, to: at + 1 })
  }
  return groups
}

/** The groups whose venue already has visits on that day. */
async function knownOf(database: Database, tx: Tx, groups: readonly VenueDay[]): Promise<Set<VenueDay>> {
  const known = new Set<VenueDay>()
  for (let from = 0; from < groups.length; from += 5000) {
    const part = groups.slice(from, from + 5000)
    const { rows } = await sql<{ place: number }>`select place from ${listed(
      database,
      part.map(({ venue, day }, at) => [from + at, venue.id, day]),
      ['place', 'venue', 'civil'],
    )} join visit_venue_days on venue_id = venue and day = civil`.execute(tx)
    for (const { place } of rows) known.add(groups[place]!)
  }
  return known
}

function* rowsOf(batch: readonly Visit[], groups: readonly VenueDay[]): Generator<number[]> {
  for (const { from, to } of groups)
    for (let at = from; at < to; at++) yield [batch[at]!.venue_id, batch[at]!.at, batch[at]!.device]
}

const COLUMNS = { venue_id: 'int', at: 'int', device: 'int' } as const

/** Stores visits for days that had none, so that none can be a duplicate. */
async function insertFresh(database: Database, tx: Tx, batch: readonly Visit[], groups: readonly VenueDay[]): Promise<void> {
  await insertBulk(database, tx, { table: 'visits', columns: COLUMNS, rows: [...rowsOf(batch, groups)] })
}

/** Stores visits for other days; returns the new ones. */
async function insertOther(
  database: Database,
  tx: Tx,
  batch: readonly Visit[],
  groups: readonly VenueDay[],
): Promise<Set<Visit>> {
  const added = new Set<Visit>()
  const places = groups.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at))
  const size = database.engine === 'sqlite' ? 400 : 5000
  for (let from = 0; from < places.length; from += size) {
    const part = places.slice(from, from + size).map((place) => batch[place]!)
    const rows = await insertNew(database, tx, part)
    if (rows.length === part.length) for (const visit of part) added.add(visit)
    else {
      const news = new Set(rows.map(({ venue_id, at, device }) => `${venue_id} ${at} ${device}`))
      for (const visit of part) if (news.has(`${visit.venue_id} ${visit.at} ${visit.device}`)) added.add(visit)
    }
    if (from && from % 8000 === 0) await breathe()
  }
  return added
}

/** Inserts visits, and returns those that weren't stored before. */
async function insertNew(database: Database, tx: Tx, part: readonly Visit[]): Promise<Visit[]> {
  const tail = 'on conflict do nothing returning venue_id, at, device'
  const text =
    database.engine === 'postgres'
      ? `insert into visits (venue_id, at, device) select * from unnest($1::bigint[], $2::bigint[], $3::bigint[]) ${tail}`
      : `insert into visits (venue_id, at, device) values ${Array(part.length).fill('(?,?,?)').join(',')} ${tail}`
  const values =
    database.engine === 'postgres'
      ? [part.map(({ venue_id }) => venue_id), part.map(({ at }) => at), part.map(({ device }) => device)]
      : part.flatMap(({ venue_id, at, device }) => [venue_id, at, device])
  return (await tx.executeQuery<Visit>(CompiledQuery.raw(text, values))).rows
}

/** Counts a batch's new visits in memory, before they are added to the tables. */
class Tally {
  added = 0
  readonly cells = new Map<string, Cell>()
  readonly services = new Map<number, number>()
  /** By service: the visits of each day, and the first and last moment. */
  readonly days = new Map<number, Map<number, number>>()
  readonly last = new Map<number, number>()
  readonly #clock: Clock
  #group: VenueDay | null = null
  #cell: Cell | null = null
  #days: Map<number, number> | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(group: VenueDay, { at, device }: Visit): void {
    const { service_id, dma } = group.venue
    if (group !== this.#group) {
      this.#group = group
      this.#cell = getOrInsert(this.cells, `${service_id} ${dma} ${group.day}`, () => ({
        service_id,
        dma,
        day: group.day,
        visits: 0,
        hours: new Array<number>(24).fill(0),
        devices: [],
      }))
      this.#days = getOrInsert(this.days, service_id, () => new Map<number, number>())
    }
    this.added++
    this.#cell!.visits++
    this.#cell!.hours[this.#clock.hourOf(at)]!++
    this.#cell!.devices.push(device)
    this.#days!.set(group.day, (this.#days!.get(group.day) ?? 0) + 1)
    this.services.set(service_id, (this.services.get(service_id) ?? 0) + 1)
    if (at > (this.last.get(service_id) ?? 0)) this.last.set(service_id, at)
  }
}

/** Counts by venue, for days that had no visits. */
async function countFresh(database: Database, tx: Tx, batch: readonly Visit[], groups: readonly VenueDay[]): Promise<void> {
  await insertBulk(database, tx, {
    table: 'visit_venue_days',
    columns: { venue_id: 'int', day: 'int', visits: 'int', uniques: 'int' },
    rows: groups.map(({ venue, day, from, to }) => [venue.id, day, to - from, differentIn(batch, from, to)]),
  })
}

function differentIn(batch: readonly Visit[], from: number, to: number): number {
  const devices = new Set<number>()
  for (let at = from; at < to; at++) devices.add(batch[at]!.device)
  return devices.size
}

/** Recounts venues for days that had visits, because only the visits show which devices came twice. */
async function recount(database: Database, tx: Tx, groups: readonly VenueDay[], clock: Clock): Promise<void> {
  for (let from = 0; from < groups.length; from += 2000) {
    const part = listed(
      database,
      groups.slice(from, from + 2000).map(({ venue, day }) => [venue.id, day, clock.startOf(day), clock.startOf(day + 1)]),
      ['venue', 'civil', 'since', 'until'],
    )
    const counts = (what: ReturnType<typeof sql>) =>
      sql`(select ${what} from visits where venue_id = venue and at >= since and at < until)`
    await sql`insert into visit_venue_days (venue_id, day, visits, uniques)
      select venue, civil, ${counts(sql`count(*)`)}, ${counts(sql`count(distinct device)`)} from ${part} where true
      on conflict (venue_id, day) do update set visits = excluded.visits, uniques = excluded.uniques`.execute(tx)
    if (from + 2000 < groups.length) await breathe()
  }
}

/** Counts days of a service from its visits, after their counters were deleted. */
export async function recountDays(
  database: Database,
  tx: Tx,
  service_id: number,
  { first, last }: { first: number; last: number },
  clock: Clock,
): Promise<void> {
  const venues = await tx
    .selectFrom('venues')
    .select(['id', 'service_id', 'dma', 'since'])
    .where('service_id', '=', service_id)
    .orderBy('id')
    .execute()
  const tally = new Tally(clock)
  for (const venue of venues) {
    const visits = await tx
      .selectFrom('visits')
      .selectAll()
      .where('venue_id', '=', venue.id)
      .where('at', '>=', clock.startOf(first))
      .where('at', '<', clock.startOf(last + 1))
      .orderBy('at')
      .execute()
    const groups = venueDaysOf(visits, new Map([[venue.id, venue]]), clock)
    for (const group of groups) for (let at = group.from; at < group.to; at++) tally.add(group, visits[at]!)
    await countFresh(database, tx, visits, groups)
  }
  await countCells(database, tx, [...tally.cells.values()])
  await countDays(database, tx, tally.days)
}

/** The most leaves in memory at a time; a sketch has 96 KB. */
const LEAVES = 128

/** Adds counts to cells, and devices to their leaves. */
async function countCells(database: Database, tx: Tx, cells: readonly Cell[]): Promise<void> {
  const order = [...cells].sort((a, b) => a.service_id - b.service_id || a.dma - b.dma || a.day - b.day)
  for (let from = 0; from < order.length; from += LEAVES) {
    const part = order.slice(from, from + LEAVES)
    const { rows } = await sql<{ place: number; visits: number; uniques: number; hours: Uint8Array; devices: Uint8Array }>`
      select place, cells.visits, cells.uniques, cells.hours, leaves.devices from ${listed(
        database,
        part.map(({ service_id, dma, day }, at) => [at, service_id, dma, day]),
        ['place', 'service', 'market', 'civil'],
      )} join visit_cells cells on cells.service_id = service and cells.dma = market and cells.day = civil
        join visit_leaves leaves on leaves.service_id = service and leaves.dma = market and leaves.day = civil`.execute(tx)
    const before = new Map(rows.map((row) => [row.place, row]))
    const counts: unknown[][] = []
    const leaves: unknown[][] = []
    for (const [at, { service_id, dma, day, visits, hours, devices }] of part.entries()) {
      const old = before.get(at)
      if (old) addHours(hours, old.hours)
      const bytes = withDevices(old?.devices ?? null, devices, LEAF_MOST)
      const uniques = bytes ? uniquesOf(bytes) : old!.uniques
      counts.push([service_id, dma, day, visits + (old?.visits ?? 0), uniques, Buffer.from(hoursBytes(hours))])
      if (bytes) leaves.push([service_id, dma, day, Buffer.from(bytes)])
    }
    const cell = { service_id: 'int', dma: 'int', day: 'int' } as const
    const key = '(service_id, dma, day) do update set'
    await insertBulk(database, tx, {
      table: 'visit_cells',
      columns: { ...cell, visits: 'int', uniques: 'int', hours: 'bytes' },
      rows: counts,
      onConflict: `${key} visits = excluded.visits, uniques = excluded.uniques, hours = excluded.hours`,
    })
    await insertBulk(database, tx, {
      table: 'visit_leaves',
      columns: { ...cell, devices: 'bytes' },
      rows: leaves,
      onConflict: `${key} devices = excluded.devices`,
    })
    if (from + LEAVES < order.length) await breathe()
  }
}

/** The number of devices in a leaf; an estimate always exceeds the longest list. */
function uniquesOf(bytes: Uint8Array): number {
  const { unique, exact } = sizeOf(readSet(bytes))
  return exact ? unique : Math.max(unique, LEAF_MOST + 1)
}

/** Adds to the sums by service and day, and marks the days for the roll-up job. */
async function countDays(database: Database, tx: Tx, days: Tally['days']): Promise<void> {
  const rows = [...days].flatMap(([service, byDay]) => Array.from(byDay, ([day, visits]) => [service, day, visits]))
  await insertBulk(database, tx, {
    table: 'visit_days',
    columns: { service_id: 'int', day: 'int', visits: 'int' },
    rows,
    onConflict: addingUp('visit_days', ['service_id', 'day'], ['visits']),
  })
  // Updates a mark even if it exists, so that this transaction and a job that removes the mark wait for each other.
  await insertBulk(database, tx, {
    table: 'visit_stale',
    columns: { service_id: 'int', day: 'int' },
    rows: rows.map(([service, day]) => [service, day]),
    onConflict: '(service_id, day) do update set day = excluded.day',
  })
}

/** Adds to the sums of services. */
async function countServices(database: Database, tx: Tx, { days, last }: Tally): Promise<void> {
  await countDays(database, tx, days)
  const terms = await tx
    .selectFrom('services')
    .select(['id', 'start_dt', 'end_dt', 'first_day', 'last_at'])
    .where('id', 'in', [...days.keys()])
    .execute()
  for (const { id, start_dt, end_dt, first_day, last_at } of terms.sort((a, b) => a.id - b.id)) {
    const byDay = days.get(id)!
    const [start, end] = [dayNumberOf(start_dt), end_dt === null ? Number.POSITIVE_INFINITY : dayNumberOf(end_dt)]
    let within = 0
    for (const [day, visits] of byDay) if (day >= start && day <= end) within += visits
    const first = Math.min(...byDay.keys(), first_day ?? Number.POSITIVE_INFINITY)
    await tx
      .updateTable('services')
      .set((eb) => ({
        completed: eb('completed', '+', within),
        first_day: first,
        last_at: Math.max(last.get(id)!, last_at ?? 0),
      }))
      .where('id', '=', id)
      .execute()
  }
}

/** Moves a venue's `since` back to its first visit. */
async function sinceThen(tx: Tx, groups: readonly VenueDay[]): Promise<void> {
  const first = new Map<number, { venue: Venue; day: number }>()
  for (const { venue, day } of groups)
    if (day < (first.get(venue.id)?.day ?? dayNumberOf(venue.since))) first.set(venue.id, { venue, day })
  for (const [id, { day }] of first)
    await tx
      .updateTable('venues')
      .set({ since: dateOf(day) })
      .where('id', '=', id)
      .execute()
}
