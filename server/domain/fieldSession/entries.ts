import { sql } from 'kysely'
import type { Admission } from '../../../contract/quota.ts'
import { DEFAULT_HOLD_MINUTES, decideEntry, type SessionOutcome, type SessionState } from '../../../contract/sessionRules.ts'
import type { Database, Tx } from '../../db/connect.ts'
import { locked } from '../../db/locked.ts'
import { among } from '../quota/quotaLedger.ts'
import { insertBulk } from '../runtime/insertBulk.ts'

/** Someone who opened an entry link, as the door read them. */
export interface Entry {
  link_id: number
  project_id: number
  /** What the checks before the batch found. */
  live: boolean
  signature: 'fine' | 'missing' | 'wrong' | 'stale'
  most: number
  excludes: readonly number[]
  test: boolean
  ip: string
  device_hash: string
  cpi_cents: number | null
  profile: string
}
/** An arrival at an entry link. */
export interface Entrant {
  survey_id: number
  partner_id: number
  pid: string
  rid: string
  entry: Entry
}
/** How an entry ended: let in with a session, sent away with an outcome, or told to wait. */
export interface EntryDecision {
  rid: string
  outcome: 'admitted' | 'wait' | Exclude<SessionOutcome, 'complete'>
  reason: string
}

interface KnownSession {
  rid: string
  survey_id: number
  partner_id: number
  pid: string
  early: string
  state: SessionState
  until_at: string | null
  entries: number
}

const personOf = ({ survey_id, partner_id, pid }: Pick<Entrant, 'survey_id' | 'partner_id' | 'pid'>): string =>
  `${survey_id} ${partner_id} ${pid}`
/** Steps of one session that repeats add; later ones are only counted. */
const MOST_REPEATS = 20
const MINUTE_MS = 60_000

/** The door of one batch: the checks before the quotas, and the sessions afterwards, in the batch's transaction. */
export class Door {
  readonly #database: Database
  readonly #tx: Tx
  readonly #now: Date
  readonly #known = new Map<string, KnownSession>()
  readonly #minutes = new Map<number, { entrants: number; early: number }>()
  readonly #completed = new Set<string>()
  readonly #here = new Set<string>()
  readonly #decided = new Map<number, EntryDecision>()
  readonly #sessions: unknown[][] = []
  readonly #steps: unknown[][] = []
  readonly #again: string[] = []

  private constructor(database: Database, tx: Tx, now: Date) {
    this.#database = database
    this.#tx = tx
    this.#now = now
  }

  /** Reads what the checks need to know of some entrants. */
  static async open(database: Database, tx: Tx, now: Date, entrants: readonly Entrant[]): Promise<Door> {
    const door = new Door(database, tx, now)
    const pids = [...new Set(entrants.map(({ pid }) => pid))]
    const surveys = [...new Set(entrants.map(({ survey_id }) => survey_id))]
    const { rows } = await sql<KnownSession>`select s.rid, s.survey_id, s.partner_id, s.pid, s.early, s.state,
        coalesce(h.until_at, s.until_at) as until_at, s.entries
      from field_sessions s left join quota_holds h on h.rid = s.rid and h.state = 'held'
      where s.pid ${among(database, pids)} and s.survey_id ${among(database, surveys)} and s.test = 0`.execute(tx)
    for (const row of rows) door.#known.set(`${personOf(row)} ${row.early}`, row)
    const links = [...new Set(entrants.map(({ entry }) => entry.link_id))]
    const since = new Date(now.getTime() - MINUTE_MS).toISOString()
    const minute = await sql<{ link_id: number; entrants: number; early: number }>`select link_id,
      sum(case when early = '' then 1 else 0 end) as entrants, sum(case when early = '' then 0 else 1 end) as early
      from field_sessions where link_id ${among(database, links)} and entered_at > ${since} group by link_id`.execute(tx)
    for (const row of minute.rows)
      door.#minutes.set(Number(row.link_id), { entrants: Number(row.entrants), early: Number(row.early) })
    const excluded = [...new Set(entrants.flatMap(({ entry }) => entry.excludes))]
    if (excluded.length) {
      const done = await sql<{ project_id: number; partner_id: number; pid: string }>`select project_id, partner_id, pid
        from field_sessions where pid ${among(database, pids)} and project_id ${among(database, excluded)}
        and state = 'complete' and test = 0`.execute(tx)
      for (const { project_id, partner_id, pid } of done.rows) door.#completed.add(`${project_id} ${partner_id} ${pid}`)
    }
    return door
  }

  /** Decides an entrant as far as the quotas aren't needed; true if they are to decide now. */
  screen(nth: number, entrant: Entrant): boolean {
    const { entry, partner_id, pid, rid } = entrant
    const minute = this.#minutes.get(entry.link_id) ?? { entrants: 0, early: 0 }
    this.#minutes.set(entry.link_id, minute)
    const known = entry.test ? undefined : this.#known.get(`${personOf(entrant)} `)
    const isInside = known?.state === 'admitted' && (known.until_at === null || known.until_at > this.#now.toISOString())
    const failed = decideEntry({
      live: entry.live,
      signature: entry.signature,
      // Who is inside already isn't another entrant.
      minute: known ? 0 : minute.entrants,
      most: entry.most,
      excluded: entry.excludes.some((project) => this.#completed.has(`${project} ${partner_id} ${pid}`)),
      repeat: known ? (isInside ? 'inside' : 'over') : 'none',
      quota: null,
    })
    if (!failed) {
      minute.entrants++
      return true
    }
    const { outcome, reason } = failed
    if (outcome === 'wait') this.#decided.set(nth, { rid: '', outcome, reason })
    else if (outcome === 'resume') this.#repeat(nth, known!, { outcome: 'admitted', reason })
    else if (reason === 'duplicate') this.#repeat(nth, known!, { outcome, reason })
    else {
      const before = this.#known.get(`${personOf(entrant)} ${reason}`)
      if (before && !entry.test) this.#repeat(nth, before, { outcome, reason })
      else {
        this.#decided.set(nth, { rid, outcome, reason })
        // So that strangers can't fill the table, no more of them are stored than people are let in.
        if (minute.early++ < entry.most) this.#add(entrant, { rid, state: outcome, reason, early: reason, until_at: null })
      }
    }
    return false
  }

  /** A session that is known already: its step, and the answer. */
  #repeat(nth: number, known: KnownSession, { outcome, reason }: Omit<EntryDecision, 'rid'>): void {
    this.#decided.set(nth, { rid: known.rid, outcome, reason })
    this.#again.push(known.rid)
    if (known.entries++ < MOST_REPEATS)
      this.#steps.push([known.rid, outcome === 'admitted' ? 'resumed' : 'refused', reason, 'none', this.#now.toISOString()])
  }

  /** Takes an entrant as the quotas decided, or lets them in where there are none. */
  take(nth: number, entrant: Entrant, admission: Admission | null): void {
    const person = personOf(entrant)
    const rid = admission?.rid ?? entrant.rid
    if (admission && !admission.admit) {
      const reason = admission.cell
        ? `cell:${admission.cell.id}`
        : admission.reason === 'closed'
          ? 'cell_closed'
          : admission.reason
      const outcome = admission.reason === 'duplicate' || admission.reason === 'rid_taken' ? 'security' : 'quota_full'
      this.#decided.set(nth, { rid, outcome, reason })
      this.#add(entrant, { rid, state: outcome, reason, early: '', until_at: null })
    } else {
      const hold = new Date(this.#now.getTime() + DEFAULT_HOLD_MINUTES * MINUTE_MS).toISOString()
      this.#decided.set(nth, { rid, outcome: 'admitted', reason: '' })
      this.#add(entrant, { rid, state: 'admitted', reason: '', early: '', until_at: admission?.hold_until ?? hold })
    }
    const { outcome } = this.#decided.get(nth)!
    if (!entrant.entry.test)
      this.#known.set(`${person} `, {
        ...{ rid, survey_id: entrant.survey_id, partner_id: entrant.partner_id, pid: entrant.pid, early: '', entries: 1 },
        ...{ state: outcome === 'admitted' ? 'admitted' : (outcome as SessionState), until_at: null },
      })
  }

  /** True for who came before in this batch, and is still to be decided; they are screened when that is done. */
  waitsFor(entrant: Entrant): boolean {
    if (entrant.entry.test) return false
    const person = personOf(entrant)
    if (this.#here.has(person)) return true
    this.#here.add(person)
    return false
  }

  #add(
    { survey_id, partner_id, pid, entry }: Entrant,
    {
      rid,
      state,
      reason,
      early,
      until_at,
    }: { rid: string; state: string; reason: string; early: string; until_at: string | null },
  ): void {
    const at = this.#now.toISOString()
    const isIn = state === 'admitted'
    this.#sessions.push([
      ...[rid, survey_id, entry.project_id, entry.link_id, partner_id, pid, early, entry.test ? 1 : 0, state, reason],
      ...[at, isIn ? at : null, until_at, isIn ? null : at, at, entry.ip, entry.device_hash, entry.profile, entry.cpi_cents],
    ])
    this.#steps.push([rid, isIn ? 'entered' : 'refused', reason, 'none', at])
  }

  /** Writes sessions and steps; returns how each entrant ended. */
  async close(): Promise<ReadonlyMap<number, EntryDecision>> {
    await insertBulk(this.#database, this.#tx, {
      table: 'field_sessions',
      columns: {
        ...{ rid: 'text', survey_id: 'int', project_id: 'int', link_id: 'int', partner_id: 'int', pid: 'text', early: 'text' },
        ...{ test: 'int', state: 'text', reason: 'text', entered_at: 'text', admitted_at: 'text', until_at: 'text' },
        ...{ ended_at: 'text', updated_at: 'text', ip: 'text', device_hash: 'text', profile: 'text', cpi_cents: 'int' },
      },
      rows: this.#sessions,
    })
    if (this.#again.length) await this.#countAgain([...new Set(this.#again)])
    await addSteps(this.#database, this.#tx, this.#steps)
    return this.#decided
  }

  /** Counts who came again, but for sessions that are ended meanwhile: their writers wait for our places. */
  async #countAgain(rids: readonly string[]): Promise<void> {
    const free = this.#tx
      .selectFrom('field_sessions')
      .select('id')
      .where(sql<boolean>`rid ${among(this.#database, rids)}`)
    const rows = await locked(this.#database, free, 'skip').execute()
    if (rows.length)
      await sql`update field_sessions set entries = entries + 1 where id ${among(
        this.#database,
        rows.map(({ id }) => id),
      )}`.execute(this.#tx)
  }
}

/** Adds steps: the session, what it is, its reason and proof, and when. */
export const addSteps = (database: Database, tx: Tx, rows: readonly (readonly unknown[])[]): Promise<void> =>
  insertBulk(database, tx, {
    table: 'session_steps',
    columns: { rid: 'text', kind: 'text', reason: 'text', proof: 'text', at: 'text' },
    rows,
  })
