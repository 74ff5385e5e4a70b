import { setImmediate as breathe } from 'node:timers/promises'
import { sql } from 'kysely'
import { spellingsOfId } from '../../../contract/externalId.ts'
import { nameKey } from '../../../contract/foldText.ts'
import { knownPosition, NOWHERE } from '../../../contract/position.ts'
import type { KeyScope } from '../../core/keyScope.ts'
import type { Database, Db, Tx } from '../../db/connect.ts'
import { advisoryLock } from '../../db/locked.ts'
import { slipOf } from '../../db/markets.ts'
import { endByIntake, replaceBare } from '../fieldSession/intakeSessions.ts'
import { type SentPartners, sentPartners } from '../partner/sentPartners.ts'
import { type Placed, takePlaces } from '../quota/quotaPlaces.ts'
import { placeCompletes } from '../responses/columnWrites.ts'
import { Tally } from './counters.ts'
import { count, type IntakeSurvey, orderOf } from './countRows.ts'
import { insertBulk } from './insertBulk.ts'
import {
  type Against,
  idOf,
  isAtNowhere,
  packRespondent,
  type Respondent,
  type RespondentInput,
  type RowError,
  readRespondent,
  unknownFields,
  unknownSentence,
} from './respondent.ts'

export type { IntakeSurvey } from './countRows.ts'
export type { RespondentInput, RowError } from './respondent.ts'

export interface IntakeOptions {
  /** Skips validation, for rows known to be well formed. */
  trusted?: boolean
  /** The display zone that defines days (decisions.md 3). */
  timeZone?: string
  now?: Date
}
export interface IntakeResult {
  added: number
  /** Already known, or a repeat within the batch. */
  repeated: number
  /** Rows of withdrawn respondents, which stay out; their ids. */
  withdrawn: number
  withdrawnIds: ReadonlySet<string>
  /** What it did to the survey's quotas, if these are live. */
  placed: Placed | null
  errors: RowError[]
}

const ZONE = 'America/New_York'

/**
 * Imports a batch of one survey's respondents (decisions.md 10): stores and counts valid rows once, reports bad ones.
 * Needs a transaction; with two surveys in one transaction, start with the lower id.
 */
export async function ingest(
  database: Database,
  tx: Tx,
  survey: IntakeSurvey,
  rows: readonly RespondentInput[],
  options: IntakeOptions = {},
): Promise<IntakeResult> {
  const { good, errors } = options.trusted
    ? { good: rows.map(packRespondent), errors: [] }
    : await readRows(tx, survey, rows, options.now)
  // Demo respondents have no arrival, so their own time decides how long they can be corrected.
  const arrived = options.trusted ? null : dayNumber(options.now ?? new Date())
  return { ...(await take(database, tx, survey, good, options.timeZone ?? ZONE, arrived)), errors }
}

/** An unknown field, and the number of rows that have it. */
export interface Warning {
  field: string
  count: number
  message: string
}

/** The most errors and unknown names reported; the rest is only counted. */
const TOLD = 1000
const NAMES_TOLD = 100

/** The field of the warning about 0, 0. */
export const POSITION = 'latitude, longitude'

/** Checks rows one by one, and collects their errors. */
export class RowReader {
  /** The number of rows with errors, and the first thousand errors. */
  refused = 0
  readonly errors: RowError[] = []
  readonly #against: Against
  readonly #strict: boolean
  readonly #partners: () => Promise<SentPartners>
  readonly #unknown = new Map<string, number>()
  #nowhere = 0
  #doubts = { rows: 0, first: '' }

  constructor(against: Against, partners: () => Promise<SentPartners>, strict = false) {
    this.#against = against
    this.#partners = partners
    this.#strict = strict
  }

  /** True for the first row that names a partner: `readPartners` comes before `read`. */
  needsPartners(raw: unknown): boolean {
    return !this.#against.partners && raw !== null && typeof raw === 'object' && 'partner_id' in raw
  }

  async readPartners(): Promise<void> {
    this.#against.partners = await this.#partners()
  }

  /** A row's respondent, or null if it has errors; `row` is its line or index. */
  read(raw: unknown, row: number): Respondent | null {
    if (this.needsPartners(raw)) throw new Error('the partners that a row may name were not read')
    const unknown = unknownFields(raw)
    for (const name of unknown)
      if (this.#unknown.size < NAMES_TOLD || this.#unknown.has(name)) this.#unknown.set(name, (this.#unknown.get(name) ?? 0) + 1)
    const found = readRespondent(raw, this.#against)
    const strange = this.#strict
      ? unknown.slice(0, NAMES_TOLD).map((field) => ({ field, code: 'unknown_field' as const, message: unknownSentence(field) }))
      : []
    if (!('errors' in found) && !strange.length) {
      if (isAtNowhere(raw)) this.#nowhere++
      const position = knownPosition(found)
      const doubt = position && slipOf(position)
      if (doubt && !this.#doubts.rows++) this.#doubts.first = doubt
      return found
    }
    this.refused++
    const respondent_id = idOf(raw)
    for (const error of [...('errors' in found ? found.errors : []), ...strange])
      if (this.errors.length < TOLD) this.errors.push({ row, respondent_id, ...error })
    return null
  }

  /** Unknown names, most frequent first, unless strict, where they are errors; then doubtful positions. */
  warnings(): Warning[] {
    const unknown = [...this.#unknown]
      .sort(([, one], [, other]) => other - one)
      .map(([field, count]) => ({ field, count, message: unknownSentence(field) }))
    const nowhere = this.#nowhere ? [{ field: POSITION, count: this.#nowhere, message: NOWHERE }] : []
    const { rows, first } = this.#doubts
    return [...(this.#strict ? [] : unknown), ...nowhere, ...(rows ? [{ field: POSITION, count: rows, message: first }] : [])]
  }
}

/** A question's options by the key of each, and by themselves; the first of two that are alike is meant by both. */
function optionBook(stored: string): ReadonlyMap<string, string> {
  const options = (JSON.parse(stored) as unknown[]).map(String)
  const byKey = options.toReversed().map((option) => [nameKey(option), option] as const)
  return new Map([...byKey, ...options.map((option) => [option, option] as const)])
}

interface Reading {
  now?: Date
  strict?: boolean
  /** What the sender's key opens; null without one. */
  scope?: KeyScope | null
}

/** A reader for rows of one survey. */
export async function openReader(
  db: Db,
  survey: IntakeSurvey,
  { now = new Date(), strict = false, scope = null }: Reading = {},
): Promise<RowReader> {
  const known = await db
    .selectFrom('questions')
    .select(['id', 'answer_type', 'options'])
    .where('survey_id', '=', survey.id)
    .execute()
  const questions = new Set(known.map(({ id }) => id))
  const open = new Set(known.flatMap(({ id, answer_type }) => (answer_type === 'open' ? [id] : [])))
  const options = new Map(known.flatMap(({ id, options }) => (options === '[]' ? [] : [[id, optionBook(options)] as const])))
  return new RowReader({ questions, open, options, now }, () => sentPartners(db, survey, scope), strict)
}

/** Checks a batch row by row; needs no transaction. */
export async function readRows(
  db: Db,
  survey: IntakeSurvey,
  rows: readonly unknown[],
  now = new Date(),
): Promise<{ good: Respondent[]; errors: RowError[] }> {
  const reader = await openReader(db, survey, { now })
  const good: Respondent[] = []
  for (const [at, row] of rows.entries()) {
    if (reader.needsPartners(row)) await reader.readPartners()
    const read = reader.read(row, at + 1)
    if (read) good.push(read)
    if (at % 2000 === 1999) await breathe()
  }
  return { good, errors: reader.errors }
}

/**
 * Stores checked respondents and counts the new ones.
 * Batches of one survey run one after another, so that repeats are exact and batches can't deadlock.
 */
export async function take(
  database: Database,
  tx: Tx,
  survey: IntakeSurvey,
  rows: readonly Respondent[],
  timeZone = ZONE,
  arrived: number | null = dayNumber(new Date()),
  now = new Date(),
): Promise<Omit<IntakeResult, 'errors'>> {
  if (!rows.length) return { added: 0, repeated: 0, withdrawn: 0, withdrawnIds: new Set(), placed: null }
  await lockSurvey(database, tx, survey)
  const { fresh: unknown, withdrawnIds } = await onlyNew(database, tx, survey, rows)
  const bare = await replaceBare(database, tx, survey, unknown, timeZone)
  const fresh = bare.contradict.size ? unknown.filter((row) => !bare.contradict.has(row)) : unknown
  let placed: Placed | null = null
  if (fresh.length) {
    const tally = new Tally(timeZone, await orderOf(tx, survey, fresh))
    for (const [at, row] of fresh.entries()) {
      tally.add(row)
      if (at % 5000 === 4999) await breathe()
    }
    const first = await placeCompletes(database, tx, survey.id, fresh.filter(isComplete))
    await store(database, tx, survey, fresh, { arrived, first })
    await count(database, tx, survey, tally)
    const asking = bare.placed.size ? fresh.filter((row) => !bare.placed.has(row)) : fresh
    placed = await takePlaces(database, tx, survey, asking, now)
    await endByIntake(database, tx, survey, asking, now)
  }
  return { added: fresh.length, placed, withdrawnIds, ...leftOut(rows, fresh, withdrawnIds) }
}

const isComplete = ({ outcome }: Respondent): boolean => outcome === 'completes'

/** Locks a survey's respondents against other writers until the transaction ends. */
export async function lockSurvey(database: Database, tx: Tx, survey: IntakeSurvey): Promise<void> {
  await advisoryLock(database, tx, 'survey', survey.id)
}

/** How many rows of a batch aren't added: of withdrawn respondents, and repeats. */
export function leftOut(rows: readonly Respondent[], fresh: readonly Respondent[], withdrawnIds: ReadonlySet<string>) {
  const withdrawn = rows.filter(({ id }) => withdrawnIds.has(id)).length
  return { withdrawn, repeated: rows.length - fresh.length - withdrawn }
}

/** Rows not stored yet, each id once, sorted by key, without those of withdrawn respondents. */
export async function onlyNew(
  database: Database,
  tx: Db | Tx,
  survey: IntakeSurvey,
  rows: readonly Respondent[],
): Promise<{ fresh: Respondent[]; withdrawnIds: Set<string> }> {
  const byId = new Map<string, Respondent>()
  for (const row of rows) if (!byId.has(row.id)) byId.set(row.id, row)
  const withdrawnIds = await idsIn(database, tx, 'withdrawn_respondents', survey, [...byId.keys()])
  for (const id of withdrawnIds) byId.delete(id)
  for (const id of await idsIn(database, tx, 'respondents', survey, [...byId.keys()])) byId.delete(id)
  return { fresh: [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1)), withdrawnIds }
}

/** Those of some ids that a table has of a survey. */
async function idsIn(
  database: Database,
  tx: Db | Tx,
  table: 'respondents' | 'withdrawn_respondents',
  survey: IntakeSurvey,
  all: readonly string[],
): Promise<Set<string>> {
  const any = await tx.selectFrom(table).select('respondent_id').where('survey_id', '=', survey.id).limit(1).executeTakeFirst()
  // What isn't ASCII may have been stored in another form.
  const ids = any ? all.flatMap((id) => (/^[!-~]*$/.test(id) ? id : spellingsOfId(id))) : []
  const found = new Set<string>()
  for (let from = 0; from < ids.length; from += 5000) {
    const part = ids.slice(from, from + 5000)
    const among =
      database.engine === 'postgres'
        ? sql`= any(${part}::text[])`
        : sql`in (select value from json_each(${JSON.stringify(part)}))`
    const { rows } = await sql<{ respondent_id: string }>`select respondent_id from ${sql.table(table)}
      where survey_id = ${survey.id} and respondent_id ${among}`.execute(tx)
    for (const { respondent_id } of rows) found.add(respondent_id.normalize())
  }
  return found
}

/** Whole days since 1970, in UTC. */
export const dayNumber = (moment: Date): number => Math.floor(moment.getTime() / 86_400_000)

/** Records the questions that respondents other than completes answered, because these have no counters. */
async function recordAnswered(database: Database, tx: Tx, survey: IntakeSurvey, rows: readonly Respondent[]): Promise<void> {
  const answeredIds = new Set<string>()
  for (const row of rows) if (!isComplete(row)) for (const question in row.answers) answeredIds.add(question)
  await insertBulk(database, tx, {
    table: 'question_given',
    columns: { survey_id: 'int', question_id: 'int' },
    rows: Array.from(answeredIds, (question) => [survey.id, Number(question)]),
    onConflict: 'do nothing',
  })
}

/** Stores respondents; completes get the positions from `first` on, or none yet. */
export async function store(
  database: Database,
  tx: Tx,
  survey: IntakeSurvey,
  rows: readonly Respondent[],
  { arrived, first }: { arrived: number | null; first: number | null },
): Promise<void> {
  let next = first
  const placeOf = (row: Respondent) => (next !== null && isComplete(row) ? next++ : null)
  await recordAnswered(database, tx, survey, rows)
  await insertBulk(database, tx, {
    table: 'respondents',
    columns: {
      survey_id: 'int',
      respondent_id: 'text',
      project_id: 'int',
      outcome: 'text',
      at: 'text',
      cell: 'int',
      marital: 'int',
      children: 'int',
      latitude: 'real',
      longitude: 'real',
      dma: 'int',
      dwell: 'real',
      notice: 'int',
      answers: 'text',
      email_hash: 'text',
      ip: 'text',
      fraud: 'int',
      taken_on: 'int',
      ordinal: 'int',
      started_at: 'text',
      rid: 'text',
      partner_id: 'int',
    },
    rows: rows.map((row) => [
      survey.id,
      row.id,
      survey.project_id,
      row.outcome,
      row.at,
      row.cell,
      row.marital,
      row.children,
      row.latitude,
      row.longitude,
      row.dma,
      row.minutes,
      row.notice === 0 ? null : row.notice === 1 ? 1 : 0,
      row.answers ? JSON.stringify(row.answers) : '',
      row.email_hash,
      row.ip,
      row.fraud,
      arrived,
      placeOf(row),
      row.started_at,
      row.rid,
      row.partner_id,
    ]),
  })
}
