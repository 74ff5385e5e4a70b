import type { z } from 'zod'
import type { Sentence } from '../../../contract/effectText.ts'
import { count as figure } from '../../../contract/format.ts'
import { NOWHERE, nowhereNote, slipNote } from '../../../contract/position.ts'
import type { runtimeCalls } from '../../../contract/runtime.ts'
import { SPELLING, type Status } from '../../../contract/status.ts'
import type { Ctx } from '../../core/context.ts'
import { describeEffect } from '../../core/describeEffect.ts'
import { HttpError, notFound } from '../../core/errors.ts'
import { keyOpens } from '../../core/keyScope.ts'
import { inSurveyTurn } from '../../core/surveyTurn.ts'
import { yieldTurn } from '../../core/yieldTurn.ts'
import { emitCounted } from '../../domain/quota/quotaEvents.ts'
import {
  type IntakeResult,
  type IntakeSurvey,
  leftOut,
  onlyNew,
  openReader,
  POSITION,
  type RowReader,
  take,
} from '../../domain/runtime/intake.ts'
import { linesOf } from '../../domain/runtime/ndjson.ts'
import type { Respondent } from '../../domain/runtime/respondent.ts'
import { brokenOff, byKey, isAborted, listed } from '../batch.ts'

type Ingest = z.output<(typeof runtimeCalls)['runtime.ingest']['input']>
/** A readable row with its line or index. */
interface ReadRow {
  row: number
  read: Respondent
}
type Report = z.input<(typeof runtimeCalls)['runtime.ingest']['output']>['data']

/** Rows in one transaction: limits memory, and blocks other writers only for tens of milliseconds. */
const CHUNK = 2000
/** Rows of withdrawn respondents that a report names. */
const TOLD = 1000

/** The longest time rows are read in one turn of the event loop. */
const SLICE_MS = 5

/** A survey the caller may send respondents to; throws 404. */
export async function intakeSurvey(
  ctx: Pick<Ctx, 'db' | 'caller'>,
  surveyId: number,
): Promise<IntakeSurvey & { status: Status }> {
  const survey = await ctx.db
    .selectFrom('surveys')
    .innerJoin('projects', 'projects.id', 'surveys.project_id')
    .select(['surveys.id', 'project_id', 'parent_id', 'client_id', 'projects.status'])
    .where('surveys.id', '=', surveyId)
    .where('surveys.deleted_at', 'is', null)
    .where('projects.deleted_at', 'is', null)
    .executeTakeFirst()
  const { apiKey } = ctx.caller
  if (!survey || (apiKey && !keyOpens(apiKey.scope, survey)))
    throw apiKey
      ? new HttpError(404, 'not_found', `Survey ${surveyId} was not found, or this key is not for it.`)
      : notFound(`Survey ${surveyId}`)
  return { id: survey.id, project_id: survey.project_id, status: survey.status }
}

/**
 * Imports a batch: JSON in one transaction, NDJSON in chunks of two thousand rows.
 * Committed chunks stay if the upload is interrupted; sending the batch again counts nothing twice.
 * Throws 422 with the report if no row was readable.
 */
export async function receive(ctx: Ctx<Ingest>) {
  const { surveyId, strict, dry } = ctx.input
  const lines = ctx.lines ? linesOf(ctx.lines) : listed(ctx.input.rows ?? ctx.input.responses)
  const survey = await intakeSurvey(ctx as Ctx, surveyId)
  const reader = await openReader(ctx.db, survey, { now: new Date(ctx.now), strict, scope: ctx.caller.apiKey?.scope ?? null })
  const taking = new Taking(ctx, survey, dry)
  const report = (): Report => ({
    added: taking.added,
    repeated: taking.repeated,
    withdrawn: taking.withdrawn,
    withdrawn_rows: taking.withdrawnRows,
    beyond: taking.beyond,
    refused: reader.refused,
    errors: reader.errors,
    warnings: reader.warnings(),
    dry,
    in_field: survey.status === 'active',
    status: SPELLING[survey.status].v3,
    stored_status: survey.status,
  })
  try {
    let chunk: ReadRow[] = []
    let began = performance.now()
    for await (const { number, row } of lines) {
      // Reading buffered rows never yields by itself, so other requests get a turn between slices.
      if (performance.now() - began > SLICE_MS) {
        await yieldTurn()
        began = performance.now()
      }
      if (reader.needsPartners(row)) await reader.readPartners()
      const read = reader.read(row, number)
      if (read) chunk.push({ row: number, read })
      if (chunk.length === CHUNK) {
        await taking.take(chunk, reader)
        chunk = []
      }
    }
    await taking.take(chunk, reader)
  } catch (error) {
    throw taking.added || taking.repeated || taking.withdrawn || isAborted(error)
      ? brokenOff(ctx as Ctx, error, report(), 'rows')
      : error
  }
  const data = report()
  if (!dry) ctx.services.metrics?.took('respondents', data.added)
  const message = messageOf(data)
  if (data.refused && !data.added && !data.repeated && !data.withdrawn)
    throw new HttpError(422, 'all_refused', message, { fields: { rows: data.errors[0]?.message ?? message }, data })
  return { data, message }
}

function messageOf({ added, repeated, withdrawn, beyond, refused, warnings, dry, in_field, status }: Report): Sentence {
  const out = withdrawn ? `, ${figure(withdrawn)} withdrawn earlier and left out` : ''
  const outOfField = in_field || !added ? '' : `; the project isn’t in field (${status})`
  const past = beyond ? `, ${figure(beyond)} beyond the quotas` : ''
  const counts = `, ${figure(repeated)} already known, ${figure(refused)} refused${out}${past}`
  const names = warnings.filter(({ field }) => field !== POSITION).map(({ field }) => field)
  const positions = warnings.filter(({ field }) => field === POSITION)
  const nowhere = positions.find(({ message }) => message === NOWHERE)
  const doubt = positions.find(({ message }) => message !== NOWHERE)
  const rest = `${counts}${names.length ? `; unknown fields: ${names.join(', ')}` : ''}${nowhereNote(nowhere?.count ?? 0)}${slipNote(doubt?.count ?? 0, doubt?.message ?? '')}${outOfField}`
  return describeEffect({ dry }, 'runtime.ingest', { count: added, noun: 'respondent', rest })
}

/** The transactions of one batch, which share one line of the history. */
class Taking {
  added = 0
  repeated = 0
  withdrawn = 0
  /** Completes that found no place, where the survey has live quotas. */
  beyond: number | undefined
  /** The first rows of withdrawn respondents. */
  readonly withdrawnRows: { row: number; respondent_id: string }[] = []
  readonly #ctx: Ctx<Ingest>
  readonly #survey: IntakeSurvey
  readonly #dry: boolean
  #line: number | null = null
  /** Ids seen by a dry run, which stores nothing. */
  readonly #seen = new Set<string>()

  constructor(ctx: Ctx<Ingest>, survey: IntakeSurvey, dry: boolean) {
    this.#ctx = ctx
    this.#survey = survey
    this.#dry = dry
  }

  async take(chunk: readonly ReadRow[], reader: RowReader): Promise<void> {
    if (!chunk.length) return
    const rows = chunk.map(({ read }) => read)
    if (this.#dry) return this.#look(chunk, rows)
    const { services } = this.#ctx
    const taken = await inSurveyTurn(services, this.#survey.id, () => this.#keep(rows, reader))
    this.added += taken.added
    if (taken.placed) this.beyond = (this.beyond ?? 0) + taken.placed.beyond
    this.#leaveOut(chunk, taken)
    this.#line = taken.line
  }

  /** Stores a chunk in one transaction, with its line of the history. */
  #keep(rows: readonly Respondent[], reader: RowReader) {
    const { services } = this.#ctx
    return this.#ctx.write(async (writing) => {
      const result = await take(
        services.database,
        writing.tx,
        this.#survey,
        rows,
        services.settings.timeZone,
        undefined,
        services.now(),
      )
      if (!result.added) return { ...result, line: this.#line }
      const after = {
        added: this.added + result.added,
        repeated: this.repeated + result.repeated,
        ...(result.withdrawn || this.withdrawn ? { withdrawn: this.withdrawn + result.withdrawn } : {}),
        ...(result.placed?.beyond || this.beyond ? { beyond: (this.beyond ?? 0) + (result.placed?.beyond ?? 0) } : {}),
        errors: reader.refused,
        ...byKey(writing.caller),
      }
      const line = await this.#note(writing as Ctx, after)
      writing.emit({ noun: 'runtime', id: this.#survey.id, project_id: this.#survey.project_id, kind: 'counters' })
      writing.emit({ noun: 'project', id: this.#survey.project_id, project_id: this.#survey.project_id, kind: 'counters' })
      if (result.placed) emitCounted(writing as Ctx, result.placed.plan_id, this.#survey.project_id)
      return { ...result, line }
    })
  }

  #leaveOut(chunk: readonly ReadRow[], left: Pick<IntakeResult, 'repeated' | 'withdrawn' | 'withdrawnIds'>): void {
    this.repeated += left.repeated
    this.withdrawn += left.withdrawn
    if (left.withdrawn)
      for (const { row, read } of chunk)
        if (left.withdrawnIds.has(read.id) && this.withdrawnRows.length < TOLD)
          this.withdrawnRows.push({ row, respondent_id: read.id })
  }

  /** Counts the rows that would be new. */
  async #look(chunk: readonly ReadRow[], rows: readonly Respondent[]): Promise<void> {
    const unseen = rows.filter(({ id }) => !this.#seen.has(id))
    const { fresh, withdrawnIds } = await onlyNew(this.#ctx.services.database, this.#ctx.db, this.#survey, unseen)
    for (const { id } of rows) if (!withdrawnIds.has(id)) this.#seen.add(id)
    this.added += fresh.length
    this.#leaveOut(chunk, { withdrawnIds, ...leftOut(rows, fresh, withdrawnIds) })
  }

  /** Writes the batch's line of the history, or updates it. */
  async #note(writing: Ctx, after: object): Promise<number> {
    const { id: survey, project_id } = this.#survey
    if (this.#line !== null) {
      await writing.tx
        .updateTable('history')
        .set({ after: JSON.stringify(after) })
        .where('id', '=', this.#line)
        .execute()
      return this.#line
    }
    await writing.record({ subject: 'survey', subject_id: survey, project_id, after })
    // The survey is locked until the commit, so its latest line is the one just written.
    const { id } = await writing.tx
      .selectFrom('history')
      .select((eb) => eb.fn.max('id').as('id'))
      .where('subject', '=', 'survey')
      .where('subject_id', '=', survey)
      .where('action', '=', 'runtime.ingest')
      .executeTakeFirstOrThrow()
    return Number(id)
  }
}
