import { sql } from 'kysely'
import type { FieldCode } from '../../../contract/errorCodes.ts'
import { spellingsOfId } from '../../../contract/externalId.ts'
import { onlyColumns } from '../../core/onlyColumns.ts'
import { yieldTurn } from '../../core/yieldTurn.ts'
import type { Database, Db, Tx } from '../../db/connect.ts'
import { advisoryLock } from '../../db/locked.ts'
import { marketPlaces, nearestMarket } from '../../db/markets.ts'
import { clockOf, dateOf } from './clock.ts'
import { deviceOf } from './device.ts'
import { dayNumberOf } from './serviceList.ts'
import { knownVisits, listed, type Stored, storeVisits, type Visit } from './store.ts'
import { readVisit, type SentVisit, unknownNames } from './visitRow.ts'

/** The most visits of one batch. */
export const BATCH_MOST = 10_000
/** The most errors and unknown names reported; the rest is only counted. */
const TOLD = 1000
const NAMES_TOLD = 100
/** The longest time rows are read in one turn of the event loop. */
const SLICE_MS = 5

/** The options a batch is checked with. */
export interface IntakeOptions {
  /** The service of rows that don't name one. */
  service?: number | undefined
  strict: boolean
  now: Date
  timeZone: string
  salt: string
  /** Whether the sender may add visits to a service. */
  opens: (service: number) => boolean
  /** The error for a service that doesn't exist, or isn't covered. */
  missing: (service: number) => string
  /** Visits before this day are refused; null if none are. */
  closedBefore: string | null
}

export interface RowErrors {
  line: number
  row: number
  fields: Record<string, string>
  field_codes: Record<string, FieldCode>
}

/** Notes what is wrong with a field of a row, unless something is already. */
function refuse({ fields, codes }: SentVisit, field: string, code: FieldCode, sentence: string): void {
  if (Object.hasOwn(fields, field)) return
  fields[field] = sentence
  codes[field] = code
}

interface Service {
  id: number
  brand_id: number
  start_dt: string
}
interface KnownVenue {
  id: number
  service_id: number
  code: string
  placed: 'given' | 'visits' | 'market'
  dma: number
}
/** A venue that a batch adds; its id is negative until it is stored. */
interface NewVenue {
  id: number
  service_id: number
  code: string
  name: string
  address: string
  position: SentVisit['position']
  dma: number | null
  day: number
}
type Position = NonNullable<SentVisit['position']>

/** Reads a batch of visits: first its rows one by one, then all of them against services and venues. */
export class VisitBatch {
  refused = 0
  /** Rows at 0, 0. */
  nowhere = 0
  /** Rows whose position is doubtful, and why the first one is. */
  doubts = { rows: 0, first: '' }
  readonly errors: RowErrors[] = []
  readonly services = new Map<number, Service>()
  readonly #options: IntakeOptions
  readonly #ignored = new Map<string, number>()
  readonly #venues = new Map<string, KnownVenue>()
  readonly #added = new Map<string, NewVenue>()
  /** Positions for venues that don't have one. */
  readonly #places = new Map<number, Position>()
  #sent: SentVisit[] = []
  #rows = 0

  constructor(options: IntakeOptions) {
    this.#options = options
  }

  /** The number of rows so far, good or bad. */
  get rows(): number {
    return this.#rows
  }

  /** Reads one row of the body. */
  add(raw: unknown, line: number): void {
    const { service, now, strict } = this.#options
    const sent = readVisit(raw, line, ++this.#rows, { service, now: now.getTime() / 1000 })
    for (const name of unknownNames(raw)) {
      if (strict) refuse(sent, name, 'unknown_field', `${name} is not a field of a visit`)
      else if (this.#ignored.size < NAMES_TOLD || this.#ignored.has(name))
        this.#ignored.set(name, (this.#ignored.get(name) ?? 0) + 1)
    }
    if (sent.nowhere) this.nowhere++
    if (sent.doubt && !this.doubts.rows++) this.doubts.first = sent.doubt
    this.#sent.push(sent)
  }

  /** Unknown fields, each with its number of rows; none in strict mode, where they are errors. */
  ignored(): Record<string, number> {
    return Object.fromEntries(this.#ignored)
  }

  /** Compares the rows with services and venues, and returns the good ones; new venues have negative ids. */
  async visits(database: Database, db: Db): Promise<Visit[]> {
    const sent = this.#sent
    this.#sent = []
    await this.#findServices(database, db, sent)
    await this.#findVenues(database, db, sent)
    const clock = clockOf(this.#options.timeZone)
    this.#collectVenues(sent)
    const visits: Visit[] = []
    let began = performance.now()
    for (const row of sent) {
      if (performance.now() - began > SLICE_MS) {
        await yieldTurn()
        began = performance.now()
      }
      const day = clock.dayOf(row.at)
      this.#check(row, day)
      if (Object.keys(row.fields).length) {
        this.refused++
        if (this.errors.length < TOLD)
          this.errors.push({ line: row.line, row: row.row, fields: row.fields, field_codes: row.codes })
        continue
      }
      const venue = this.#venueOf(row)!
      if (venue.id < 0) {
        const added = venue as NewVenue
        added.day = Math.min(added.day, day)
      } else if (row.position && (venue as KnownVenue).placed === 'market') this.#places.set(venue.id, row.position)
      visits.push({ venue_id: venue.id, at: row.at, device: deviceOf(this.#options.salt, row.device) })
    }
    return visits
  }

  /** Stores some of the good rows, with the venues they add. */
  async store(database: Database, tx: Tx, visits: readonly Visit[]): Promise<Stored & { venues: number }> {
    const services = new Set<number>()
    const ofKnown = new Map(Array.from(this.#venues.values(), (venue) => [venue.id, venue.service_id]))
    const added = new Map(Array.from(this.#added.values(), (venue) => [venue.id, venue]))
    const [fresh, places] = [new Map<number, NewVenue>(), new Map<number, Position>()]
    for (const { venue_id } of visits) {
      const venue = added.get(venue_id)
      services.add(venue?.service_id ?? ofKnown.get(venue_id)!)
      if (venue) fresh.set(venue_id, venue)
      const place = this.#places.get(venue_id)
      if (place) places.set(venue_id, place)
    }
    for (const id of [...services].sort((a, b) => a - b)) await advisoryLock(database, tx, 'visits', id)
    const ids = await this.#addVenues(database, tx, [...fresh.values()])
    await this.#placeVenues(tx, places)
    const stored = await storeVisits(
      database,
      tx,
      ids.of.size
        ? visits.map((visit) => (visit.venue_id < 0 ? { ...visit, venue_id: ids.of.get(visit.venue_id)! } : visit))
        : visits,
      this.#options.timeZone,
    )
    return { ...stored, venues: ids.added }
  }

  /** What a dry run returns: how many rows and venues are new. */
  async look(database: Database, db: Db, visits: readonly Visit[]): Promise<{ added: number; repeated: number; venues: number }> {
    const repeated = await knownVisits(database, db, visits)
    const venues = new Set(visits.flatMap(({ venue_id }) => (venue_id < 0 ? [venue_id] : []))).size
    return { added: visits.length - repeated, repeated, venues }
  }

  async #findServices(database: Database, db: Db, sent: readonly SentVisit[]): Promise<void> {
    const ids = [...new Set(sent.flatMap(({ service_id, fields }) => (fields.service_id ? [] : [service_id])))]
    const opened = ids.filter((id) => this.#options.opens(id))
    if (!opened.length) return
    const { rows } = await sql<Service>`select services.id, services.brand_id, services.start_dt from ${listed(
      database,
      opened.map((id) => [id]),
      ['wanted'],
    )} join services on services.id = wanted join brands on brands.id = services.brand_id
      where services.deleted_at is null and brands.deleted_at is null`.execute(db)
    for (const row of rows) this.services.set(row.id, row)
  }

  async #findVenues(database: Database, db: Db, sent: readonly SentVisit[]): Promise<void> {
    const wanted = new Map<string, SentVisit>()
    for (const row of sent) if (row.venue && this.services.has(row.service_id)) wanted.set(keyOf(row.service_id, row.venue), row)
    const rows = [...wanted.values()]
    for (const venue of await venuesByCode(database, db, rows)) this.#venues.set(keyOf(venue.service_id, venue.code), venue)
    // Codes are matched first, so that a code that looks like an id never means another venue.
    const numbered = rows.filter(
      ({ service_id, venue }) => /^\d{1,9}$/.test(venue) && !this.#venues.has(keyOf(service_id, venue)),
    )
    for (const venue of await venuesById(database, db, numbered))
      this.#venues.set(keyOf(venue.service_id, String(venue.id)), venue)
  }

  /** Collects venues to add: each code once, and any of its rows may give the position. */
  #collectVenues(sent: readonly SentVisit[]): void {
    if (this.#options.strict) return
    for (const { service_id, venue, position, dma, name, address, fields } of sent) {
      const key = keyOf(service_id, venue)
      if (!venue || fields.latitude || fields.longitude || fields.dma || !this.services.has(service_id) || this.#venues.has(key))
        continue
      const known = this.#added.get(key)
      if (known) {
        known.position ??= position
        known.dma ??= dma
        known.name ||= name
        known.address ||= address
      } else {
        const id = -1 - this.#added.size
        const day = Number.POSITIVE_INFINITY
        this.#added.set(key, { id, service_id, code: venue, name, address, position, dma, day })
      }
    }
  }

  #venueOf({ service_id, venue }: SentVisit): KnownVenue | NewVenue | undefined {
    const key = keyOf(service_id, venue)
    return this.#venues.get(key) ?? this.#added.get(key)
  }

  /** Collects errors of a row that depend on stored data. */
  #check(row: SentVisit, day: number): void {
    const { fields, service_id, venue } = row
    const { closedBefore, missing } = this.#options
    const service = this.services.get(service_id)
    if (!service) {
      if (service_id) refuse(row, 'service_id', 'choice', missing(service_id))
      return
    }
    if (!fields.at) {
      if (day < dayNumberOf(service.start_dt))
        refuse(row, 'at', 'range', `Visits before ${service.start_dt} can't be added: the service starts on that day.`)
      else if (closedBefore && day < dayNumberOf(closedBefore))
        refuse(row, 'at', 'range', `Visits before ${closedBefore} can't be added: that month is closed.`)
    }
    if (fields.venue) return
    const found = this.#venueOf(row)
    if (!found) refuse(row, 'venue', 'choice', `There is no venue ${venue} in service ${service_id}`)
    else if (found.id < 0 && !(found as NewVenue).position && !(found as NewVenue).dma)
      refuse(
        row,
        'venue',
        'invalid',
        row.doubt
          ? `Venue ${venue} is new, and has a doubtful position (${row.doubt})`
          : `Venue ${venue} is new: send its latitude and longitude, or its dma`,
      )
  }

  /** Stores new venues; another batch may have added one meanwhile. */
  async #addVenues(database: Database, tx: Tx, venues: readonly NewVenue[]) {
    const of = new Map<number, number>()
    if (!venues.length) return { of, added: 0 }
    const at = this.#options.now.toISOString()
    const wanted = venues.map(({ service_id, code }) => ({ service_id, venue: code }))
    const there = new Set((await venuesByCode(database, tx, wanted)).map(({ service_id, code }) => keyOf(service_id, code)))
    const fresh = venues.filter(({ service_id, code }) => !there.has(keyOf(service_id, code)))
    for (let from = 0; from < fresh.length; from += 500)
      await tx
        .insertInto('venues')
        .values(
          fresh.slice(from, from + 500).map(({ service_id, code, name, address, position, dma, day }) =>
            onlyColumns('venues', {
              ...{ service_id, code, name, address },
              ...(position ?? marketPlaces().get(dma!)!),
              dma: dma ?? nearestMarket(position!) ?? 0,
              placed: position ? ('visits' as const) : ('market' as const),
              since: dateOf(day),
              ...{ created_at: at, updated_at: at },
            }),
          ),
        )
        .execute()
    const stored = new Map(
      (await venuesByCode(database, tx, wanted)).map(({ id, service_id, code }) => [keyOf(service_id, code), id]),
    )
    for (const { id, service_id, code } of venues) of.set(id, stored.get(keyOf(service_id, code))!)
    return { of, added: fresh.length }
  }

  /** Sets the position of venues from a visit, unless they got one meanwhile. */
  async #placeVenues(tx: Tx, places: ReadonlyMap<number, Position>): Promise<void> {
    for (const [id, { latitude, longitude }] of places) {
      await tx
        .updateTable('venues')
        .set((eb) => ({
          ...{ latitude, longitude, placed: 'visits' as const, updated_at: this.#options.now.toISOString() },
          dma: eb
            .case()
            .when('dma', '=', 0)
            .then(nearestMarket({ latitude, longitude }) ?? 0)
            .else(eb.ref('dma'))
            .end(),
          lock_version: eb('lock_version', '+', 1),
        }))
        .where('id', '=', id)
        .where('placed', '=', 'market')
        .execute()
    }
  }
}

const keyOf = (service: number, venue: string): string => `${service} ${venue}`

type Wanted = Pick<SentVisit, 'service_id' | 'venue'>
const COLUMNS = sql`venues.id, venues.service_id, venues.code, venues.placed, venues.dma`

/** The venues of these codes, in whatever form of Unicode an earlier release stored them. */
async function venuesByCode(database: Database, db: Db | Tx, codes: readonly Wanted[]): Promise<KnownVenue[]> {
  if (!codes.length) return []
  const wanted = codes.flatMap(({ service_id, venue }) =>
    (/^[!-~]*$/.test(venue) ? [venue] : spellingsOfId(venue)).map((one) => ({ service_id, venue: one })),
  )
  const list =
    database.engine === 'postgres'
      ? sql`unnest(${wanted.map(({ service_id }) => service_id)}::bigint[], ${wanted.map(({ venue }) => venue)}::text[]) as listed(service, name)`
      : sql`(select value ->> 0 as service, value ->> 1 as name from json_each(${JSON.stringify(
          wanted.map(({ service_id, venue }) => [service_id, venue]),
        )})) as listed`
  const { rows } = await sql<KnownVenue>`select ${COLUMNS} from ${list}
    join venues on venues.service_id = service and venues.code = listed.name where venues.deleted_at is null`.execute(db)
  return rows.map((venue) => ({ ...venue, code: venue.code.normalize() }))
}

async function venuesById(database: Database, db: Db, wanted: readonly Wanted[]): Promise<KnownVenue[]> {
  if (!wanted.length) return []
  const { rows } = await sql<KnownVenue>`select ${COLUMNS} from ${listed(
    database,
    wanted.map(({ service_id, venue }) => [service_id, Number(venue)]),
    ['service', 'wanted'],
  )} join venues on venues.id = wanted and venues.service_id = service where venues.deleted_at is null`.execute(db)
  return rows
}
