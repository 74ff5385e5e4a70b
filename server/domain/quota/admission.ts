import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Admission, AdmissionReason } from '../../../contract/quota.ts'
import { type CellCount, freeOf, fullestOf, type Match, type Profile, seatOf } from '../../../contract/quotaRules.ts'
import { ANONYMOUS } from '../../core/caller.ts'
import type { Services } from '../../core/context.ts'
import { HttpError } from '../../core/errors.ts'
import { toHttpError } from '../../core/httpErrors.ts'
import { asSystem } from '../../core/unitOfWork.ts'
import { type Database, type Tx, transact } from '../../db/connect.ts'
import { locked } from '../../db/locked.ts'
import { Door, type Entry, type EntryDecision } from '../fieldSession/entries.ts'
import { announceTraffic } from '../fieldSession/trafficNews.ts'
import { insertBulk } from '../runtime/insertBulk.ts'
import { emitCounted } from './quotaEvents.ts'
import { among, cellsIn, dueHolds, type HoldRow, Ledger, lapseDue } from './quotaLedger.ts'
import { livePlans, type QuotaPlan } from './quotaPlans.ts'
import { newRid } from './rid.ts'

/** A person at the door of a survey with a live plan. */
export interface Arrival {
  survey_id: number
  pid: string
  /** 0 without a partner. */
  partner_id: number
  rid: string | null
  profile: Profile
  /** How they came to an entry link, which has sessions; also where the survey has no plan. */
  entry?: Entry
}
/** An admission, and for who came by an entry link how they ended there. */
interface Decision extends Admission {
  door?: EntryDecision
}

/** A full or closed cell refuses without a lock for this long after it was read. */
const COPY_MS = 100
/** An arrival that isn't decided by then is told so. */
const PATIENCE_MS = 2000
/** The time between two announcements of a plan's new figures. */
const ANNOUNCED_MS = 1000
/** Arrivals decided in one transaction, and those that may wait in a process. */
const AT_ONCE = 1000
const MOST_WAITING = 10_000
/** Transactions at a time. Arrivals of one survey are always decided in one lane, one batch after another. */
const LANES = { sqlite: 1, postgres: 4 } as const
/** Tries after an edit of the plan that a batch met. */
const TRIES = 4

const busy = () => new HttpError(503, 'busy', 'This arrival was not decided in time. Send it again.', { retry_after: 1 })

export const withoutPlan = (survey_id: number) => new HttpError(404, 'not_found', `Survey ${survey_id} has no live quota plan.`)

interface Waiting {
  arrival: Arrival
  /** Its sender was told that it wasn't decided. */
  isGone: boolean
  answer(admission: Decision): void
  fail(error: unknown): void
}

/** Thrown for plans that were changed after they were read. */
class PlansChanged extends Error {}

/** Decides arrivals of one process: those that come while a batch commits are the next batch. */
class AdmissionDesk {
  readonly #services: Services
  readonly #lanes: Waiting[][]
  readonly #busy: boolean[]
  readonly #plans = new Map<number, { plan: QuotaPlan | null; at: number }>()
  /** Counts of cells as the last batch left them. */
  readonly #copies = new Map<number, { count: CellCount; at: number }>()
  /** Plans whose new figures are still to be announced. */
  readonly #unannounced = new Set<number>()
  readonly #announcedAt = new Map<number, number>()

  constructor(services: Services) {
    this.#services = services
    const lanes = LANES[services.database.engine]
    this.#lanes = Array.from({ length: lanes }, () => [])
    this.#busy = this.#lanes.map(() => false)
  }

  /** The live plan of a survey, at most as old as the copies. */
  async planOf(survey_id: number): Promise<QuotaPlan | null> {
    return (await this.#plansOf([survey_id])).get(survey_id) ?? null
  }

  async #plansOf(surveys: readonly number[], fresh = false): Promise<Map<number, QuotaPlan>> {
    const now = performance.now()
    const old = surveys.filter((id) => fresh || now - (this.#plans.get(id)?.at ?? Number.NEGATIVE_INFINITY) > COPY_MS)
    if (old.length) {
      const read = await this.#refreshed(old)
      for (const id of old) this.#plans.set(id, { plan: read.get(id) ?? null, at: now })
    }
    return new Map(
      surveys.flatMap((id) => {
        const plan = this.#plans.get(id)?.plan
        return plan ? [[id, plan] as const] : []
      }),
    )
  }

  /** Reads plans again; one whose version hasn't changed stays as it is. */
  async #refreshed(surveys: readonly number[]): Promise<Map<number, QuotaPlan>> {
    const { db } = this.#services.database
    const rows = await db
      .selectFrom('quota_plans')
      .select(['survey_id', 'id', 'lock_version'])
      .where('survey_id', 'in', [...surveys])
      .where('state', '=', 'live')
      .execute()
    const same = new Map<number, QuotaPlan>()
    const changed: number[] = []
    for (const { survey_id, id, lock_version } of rows) {
      const known = this.#plans.get(survey_id)?.plan
      if (known?.row.id === id && known.row.lock_version === lock_version) same.set(survey_id, known)
      else changed.push(survey_id)
    }
    return changed.length ? new Map([...same, ...(await livePlans(db, changed))]) : same
  }

  /** Decides arrivals; each has an answer within two seconds, or a 503 `busy`. */
  admit(arrivals: readonly Arrival[]): Promise<Decision[]> {
    return Promise.all(arrivals.map((arrival) => this.#admitOne(arrival)))
  }

  #admitOne(arrival: Arrival): Promise<Decision> {
    const at = arrival.survey_id % this.#lanes.length
    const lane = this.#lanes[at]!
    if (lane.length >= MOST_WAITING) return Promise.reject(busy())
    return new Promise<Decision>((resolve, reject) => {
      const patience = new AbortController()
      const waiting: Waiting = {
        arrival,
        isGone: false,
        answer(admission) {
          patience.abort()
          resolve(admission)
        },
        fail: (error) => {
          waiting.isGone = true
          patience.abort()
          const open = this.#letIn(arrival, error)
          if (open) resolve(open)
          else reject(error)
        },
      }
      lane.push(waiting)
      delay(PATIENCE_MS, undefined, { signal: patience.signal }).then(
        () => {
          const place = lane.indexOf(waiting)
          if (place >= 0) lane.splice(place, 1)
          waiting.fail(busy())
        },
        () => {},
      )
      if (!this.#busy[at]) void this.#work(at)
    })
  }

  /** Without a database, a plan that is open admits everybody; their completes find a place, or count beyond it. */
  #letIn({ survey_id, pid, rid, entry }: Arrival, error: unknown): Admission | null {
    // A session can’t be stored either, so who comes by a link is asked to try again.
    if (entry) return null
    const plan = this.#plans.get(survey_id)?.plan
    if (plan?.row.mode !== 'open' || !(error instanceof HttpError) || error.status !== 503) return null
    const base = { pid, rid: rid ?? newRid(this.#services.now()), hold_until: null, cell: null, concepts: [] }
    return { ...base, admit: true, reason: 'open' }
  }

  async #work(at: number): Promise<void> {
    const lane = this.#lanes[at]!
    this.#busy[at] = true
    // Requests that arrive in the same turn are decided together.
    await nextTurn()
    while (lane.length) {
      const batch = lane.splice(0, AT_ONCE)
      try {
        const admissions = await this.#decide(batch)
        for (const [nth, { arrival, isGone, answer, fail }] of batch.entries()) {
          const admission = admissions.get(nth)
          if (admission) answer(admission)
          else if (!isGone) fail(withoutPlan(arrival.survey_id))
        }
      } catch (error) {
        const unavailable = toHttpError(this.#services.database, error)
        for (const waiting of batch) waiting.fail(unavailable?.status === 503 ? busy() : error)
      }
    }
    this.#busy[at] = false
  }

  /** The admissions by the places of their arrivals; those whose survey has no plan any more are missing. */
  async #decide(batch: readonly Waiting[]): Promise<ReadonlyMap<number, Decision>> {
    const surveys = [...new Set(batch.map(({ arrival }) => arrival.survey_id))]
    for (let left = TRIES; ; left--) {
      const plans = await this.#plansOf(surveys, left < TRIES)
      try {
        return await this.#batch(batch, plans)
      } catch (error) {
        // Another process let the same person in meanwhile.
        const isAgain = error instanceof PlansChanged || this.#services.database.isUnique(error)
        if (!isAgain || left === 1) throw isAgain ? busy() : error
      }
    }
  }

  async #batch(batch: readonly Waiting[], plans: ReadonlyMap<number, QuotaPlan>): Promise<ReadonlyMap<number, Decision>> {
    const { database } = this.#services
    const now = this.#services.now()
    const isGone = (nth: number) => batch[nth]!.isGone
    const people = batch.flatMap(({ arrival }, nth) => {
      const plan = arrival.entry?.test ? undefined : plans.get(arrival.survey_id)
      return plan ? [{ ...arrival, nth, plan, match: plan.matcher.match(arrival.profile) }] : []
    })
    const entrants = batch.flatMap(({ arrival, isGone }, nth) => {
      const { entry, survey_id, partner_id, pid } = arrival
      return entry && !isGone ? [{ nth, survey_id, partner_id, pid, entry, rid: arrival.rid ?? newRid(now) }] : []
    })
    const read = performance.now()
    const fresh = (id: number) => {
      const copy = this.#copies.get(id)
      return copy && read - copy.at < COPY_MS ? copy.count : null
    }
    if (!people.length && !entrants.length) return new Map()
    const { decided, doors } = await transact(database, async (tx) => {
      const decide = (chosen: readonly Person[]) =>
        chosen.length ? decideBatch(database, tx, chosen, { fresh, now, isGone }) : UNDECIDED
      if (!entrants.length) return { decided: await decide(people), doors: null }
      const door = await Door.open(database, tx, now, entrants)
      const asking = new Map<number, string>()
      const again: typeof entrants = []
      for (const entrant of entrants) {
        if (door.waitsFor(entrant)) again.push(entrant)
        else if (door.screen(entrant.nth, entrant)) asking.set(entrant.nth, entrant.rid)
      }
      const chosen = people.flatMap((person) =>
        !person.entry ? [person] : asking.has(person.nth) ? [{ ...person, rid: asking.get(person.nth)! }] : [],
      )
      const decided = await decide(chosen)
      const planned = new Set(people.map(({ nth }) => nth))
      for (const entrant of entrants) {
        if (!asking.has(entrant.nth)) continue
        const admission = decided.admissions.get(entrant.nth) ?? null
        // Without an admission, a person of a plan was told to come again while the locks were waited for.
        if (admission || !planned.has(entrant.nth)) door.take(entrant.nth, entrant, admission)
      }
      for (const entrant of again) if (door.screen(entrant.nth, entrant)) door.take(entrant.nth, entrant, null)
      return { decided, doors: await door.close() }
    })
    for (const [id, count] of decided.counts) this.#copies.set(id, { count, at: read })
    for (const { plan } of people) if (decided.changed.has(plan.row.id)) this.#announce(plan)
    if (!doors) return decided.admissions
    for (const { entry, survey_id } of entrants) announceTraffic(this.#services, { project_id: entry.project_id, survey_id })
    const admissions = new Map<number, Decision>(decided.admissions)
    for (const [nth, door] of doors) admissions.set(nth, { ...(decided.admissions.get(nth) ?? NOBODY), door })
    return admissions
  }

  /** Tells open workspaces and webhooks of new figures: at once, and at most once a second for each plan. */
  #announce({ row }: QuotaPlan): void {
    if (this.#unannounced.has(row.id)) return
    this.#unannounced.add(row.id)
    const announceInTurn = async () => {
      const wait = (this.#announcedAt.get(row.id) ?? Number.NEGATIVE_INFINITY) + ANNOUNCED_MS - performance.now()
      if (wait > 0) await delay(wait, undefined, { ref: false })
      this.#unannounced.delete(row.id)
      this.#announcedAt.set(row.id, performance.now())
      if (this.#services.stopping) return
      await announce(this.#services, row).catch((error: unknown) => {
        this.#services.log.warn({ err: error }, 'new figures of a quota plan were not announced')
      })
    }
    void announceInTurn()
  }
}

/** Emits that a plan has new figures. */
export const announce = (services: Services, { id, project_id }: { id: number; project_id: number }): Promise<void> =>
  asSystem(services, 'quota.admit', ANONYMOUS, async (ctx) => emitCounted(ctx, id, project_id))

/** An admission of somebody who was decided before the quotas. */
const NOBODY: Admission = { admit: false, rid: '', pid: '', reason: '', hold_until: null, cell: null, concepts: [] }

const desks = new WeakMap<Services, AdmissionDesk>()
/** The desk of a process. */
export function admissionDesk(services: Services): AdmissionDesk {
  const known = desks.get(services)
  if (known) return known
  const desk = new AdmissionDesk(services)
  desks.set(services, desk)
  return desk
}

interface Person extends Arrival {
  /** Its place among the answers. */
  nth: number
  plan: QuotaPlan
  match: Match
}
interface DatedHold extends HoldRow {
  until_at: string
}
const UNDECIDED: Decided = { admissions: new Map(), counts: new Map(), changed: new Set() }
interface Decided {
  admissions: ReadonlyMap<number, Admission>
  /** The counts afterwards of cells that were locked. */
  counts: ReadonlyMap<number, CellCount>
  /** Plans with other figures than before. */
  changed: ReadonlySet<number>
}

const keyOf = ({ plan_id, partner_id, pid }: { plan_id: number; partner_id: number; pid: string }) =>
  `${plan_id} ${partner_id} ${pid}`
const allCells = ({ cells, concepts }: Match): number[] => [...cells, ...concepts.flat()]
const later = (now: Date, minutes: number) => new Date(now.getTime() + minutes * 60_000).toISOString()

/** Decides a batch in its transaction; those whom a fresh copy refuses need no lock. */
async function decideBatch(
  database: Database,
  tx: Tx,
  people: readonly Person[],
  { fresh, now, isGone }: { fresh(id: number): CellCount | null; now: Date; isGone(nth: number): boolean },
): Promise<Decided> {
  const at = now.toISOString()
  const plans = new Map(people.map(({ plan }) => [plan.row.id, plan]))
  const due = await dueHolds(database, tx, [...plans.keys()], at)
  const withDue = new Set(due.map(({ plan_id }) => plan_id))
  const blockedBy = ({ plan, match }: Person): CellCount | null =>
    withDue.has(plan.row.id) || match.mismatch ? null : fullestOf(match.cells.flatMap((id) => fresh(id) ?? []))
  const refused = new Map(people.map((person) => [person, blockedBy(person)]))
  const undecided = people.filter((person) => !refused.get(person))

  const ids = new Set<number>(due.flatMap(({ cells }) => cellsIn(cells)))
  for (const { match, plan } of undecided) for (const id of [plan.total, ...allCells(match)]) ids.add(id)
  const ledger = new Ledger(await lockedCounts(database, tx, ids))
  if (undecided.length) await assertUnchanged(database, tx, undecided)
  const lapsed = await lapseDue(
    database,
    tx,
    ledger,
    due.map(({ id }) => id),
    at,
  )
  const { byPerson, byRid } = await holdsOf(database, tx, people, [...plans.keys()])

  const admissions = new Map<number, Admission>()
  const holds: unknown[][] = []
  const decisions: unknown[][] = []
  const beats: number[] = []
  const changed = new Set<number>(lapsed ? withDue : [])
  for (const person of people) {
    const { plan, pid, partner_id, profile, match, nth } = person
    // Its sender was told to send it again while the locks were waited for.
    if (isGone(nth)) continue
    const key = keyOf({ plan_id: plan.row.id, partner_id, pid })
    const known = byPerson.get(key)
    const decide = (
      outcome: 'admitted' | 'refused',
      reason: AdmissionReason,
      rid: string,
      cell: CellCount | null,
      free: object,
    ) =>
      decisions.push([
        ...[plan.row.id, plan.row.lock_version, rid, partner_id, outcome, reason, cell?.id ?? null],
        ...[JSON.stringify(free), JSON.stringify(profile), at],
      ])
    const answer = (admit: boolean, reason: AdmissionReason, rid: string, more: Partial<Admission> = {}) =>
      admissions.set(nth, { ...{ admit, rid, pid, reason, hold_until: null, cell: null, concepts: [] }, ...more })
    if (known?.state === 'held') {
      const beat = person.rid === known.rid
      if (beat) {
        known.until_at = later(now, plan.row.silent_minutes)
        if (known.id) beats.push(known.id)
      }
      answer(true, 'resumed', known.rid, { hold_until: known.until_at, concepts: conceptsOf(plan, cellsIn(known.cells)) })
      continue
    }
    const rid = person.rid ?? newRid(now)
    const free = Object.fromEntries(
      allCells(match).flatMap((id) => {
        const count = ledger.counts.get(id) ?? fresh(id)
        return count ? [[id, freeOf(count)]] : []
      }),
    )
    const refuse = (reason: AdmissionReason, cell: CellCount | null = null) => {
      decide('refused', reason, rid, cell, free)
      answer(false, reason, rid, { cell: cell && { id: cell.id, name: nameOf(plan, cell.id) } })
    }
    if (known) refuse('duplicate')
    else if (byRid.has(rid)) refuse('rid_taken')
    else if (match.mismatch) refuse(match.mismatch.reason)
    else {
      const blocking = refused.get(person)
      const seat = blocking ? { full: blocking } : seatOf(match, ledger.counts)
      if ('full' in seat) refuse(seat.full.closed ? 'closed' : 'full', seat.full)
      else {
        const cells = seat.cells
        const until_at = later(now, plan.row.hold_minutes)
        ledger.add(cells, { held: 1 })
        const text = JSON.stringify(cells)
        byPerson.set(key, { id: 0, rid, plan_id: plan.row.id, partner_id, pid, cells: text, until_at, state: 'held' })
        byRid.add(rid)
        holds.push([
          ...[rid, plan.row.id, plan.row.survey_id, partner_id, pid, text],
          ...[JSON.stringify(profile), at, until_at, 'held'],
        ])
        decide('admitted', '', rid, null, free)
        answer(true, '', rid, { hold_until: until_at, concepts: conceptsOf(plan, cells) })
        changed.add(plan.row.id)
      }
    }
    if (!admissions.get(nth)!.admit) changed.add(plan.row.id)
  }
  await writeAll(database, tx, { ledger, holds, decisions, beats, plans, now })
  return { admissions, counts: new Map(ledger.counts), changed }
}

const nameOf = ({ cells }: QuotaPlan, id: number): string => cells.get(id)?.name ?? ''
const conceptsOf = ({ cells, dimensions }: QuotaPlan, ids: readonly number[]): Admission['concepts'] =>
  ids.flatMap((id) => {
    const dimension = dimensions.find((one) => one.kind === 'concept' && one.id === cells.get(id)?.dimension_id)
    return dimension ? [{ id, name: cells.get(id)!.name, dimension: dimension.name }] : []
  })

/** Locks cells in the order of their ids, and reads them. */
async function lockedCounts(database: Database, tx: Tx, ids: ReadonlySet<number>): Promise<Map<number, CellCount>> {
  if (!ids.size) return new Map()
  const rows = tx
    .selectFrom('quota_cells')
    .select(['id', 'target', 'ceiling', 'completes', 'held', 'closed'])
    .where(sql<boolean>`id ${among(database, [...ids])}`)
    .orderBy('id')
  const counts = await locked(database, rows).execute()
  return new Map(counts.map((row) => [row.id, { ...row, closed: row.closed === 1 }]))
}

/** Throws if a plan was edited or ended since it was read; its total is locked, so that it stays so. */
async function assertUnchanged(database: Database, tx: Tx, people: readonly Person[]): Promise<void> {
  const versions = new Map(people.map(({ plan }) => [plan.row.id, plan.row.lock_version]))
  const rows = await tx
    .selectFrom('quota_plans')
    .select(['id', 'lock_version', 'state'])
    .where(sql<boolean>`id ${among(database, [...versions.keys()])}`)
    .execute()
  if (rows.length < versions.size || rows.some((row) => row.state !== 'live' || row.lock_version !== versions.get(row.id)))
    throw new PlansChanged()
}

/** The holds of these people that are held or used, by person, and the ids of arrivals that exist already. */
async function holdsOf(database: Database, tx: Tx, people: readonly Person[], plans: readonly number[]) {
  const pids = [...new Set(people.map(({ pid }) => pid))]
  const { rows } = await sql<DatedHold>`select id, rid, plan_id, partner_id, pid, cells, until_at, state from quota_holds
    where plan_id ${among(database, plans)} and pid ${among(database, pids)} and state in ('held', 'used') and pid <> ''`.execute(
    tx,
  )
  const rids = people.flatMap(({ rid }) => rid ?? [])
  const taken = rids.length
    ? (await sql<{ rid: string }>`select rid from quota_holds where rid ${among(database, rids)}`.execute(tx)).rows
    : []
  return { byPerson: new Map(rows.map((row) => [keyOf(row), row])), byRid: new Set(taken.map(({ rid }) => rid)) }
}

interface Writes {
  ledger: Ledger
  holds: unknown[][]
  decisions: unknown[][]
  /** Holds that sent a heartbeat. */
  beats: readonly number[]
  plans: ReadonlyMap<number, QuotaPlan>
  now: Date
}

async function writeAll(database: Database, tx: Tx, { ledger, holds, decisions, beats, plans, now }: Writes): Promise<void> {
  const at = now.toISOString()
  await ledger.write(database, tx)
  await insertBulk(database, tx, {
    table: 'quota_holds',
    columns: {
      ...{ rid: 'text', plan_id: 'int', survey_id: 'int', partner_id: 'int', pid: 'text', cells: 'text', profile: 'text' },
      ...{ at: 'text', until_at: 'text', state: 'text' },
    },
    rows: holds,
  })
  await insertBulk(database, tx, {
    table: 'quota_decisions',
    columns: {
      ...{ plan_id: 'int', version: 'int', rid: 'text', partner_id: 'int', outcome: 'text', reason: 'text', cell_id: 'int' },
      ...{ free: 'text', profile: 'text', at: 'text' },
    },
    rows: decisions,
  })
  if (beats.length)
    for (const [id, { row }] of plans)
      await sql`update quota_holds set seen_at = ${at}, until_at = ${later(now, row.silent_minutes)}
        where plan_id = ${id} and id ${among(database, beats)} and state = 'held'`.execute(tx)
}

/** What an arrival would be answered, by the counts of now; nothing is stored. */
export async function foreseeAdmission({ database }: Services, plan: QuotaPlan, arrival: Arrival): Promise<Admission> {
  const match = plan.matcher.match(arrival.profile)
  const rows = await database.db.selectFrom('quota_cells').selectAll().where('plan_id', '=', plan.row.id).execute()
  const counts = new Map(rows.map((row) => [row.id, { ...row, closed: row.closed === 1 }]))
  const base = { rid: arrival.rid ?? '', pid: arrival.pid, hold_until: null, cell: null, concepts: [] }
  if (match.mismatch) return { ...base, admit: false, reason: match.mismatch.reason }
  const seat = seatOf(match, counts)
  if ('cells' in seat) return { ...base, admit: true, reason: '', concepts: conceptsOf(plan, seat.cells) }
  const { full } = seat
  return {
    ...base,
    admit: false,
    reason: full.closed ? 'closed' : 'full',
    cell: { id: full.id, name: nameOf(plan, full.id) },
  }
}
