import type { z } from 'zod'
import type { runtimeCalls } from '../../../contract/runtime.ts'
import type { Ctx } from '../../core/context.ts'
import { HttpError, notFound } from '../../core/errors.ts'
import { keyOpens } from '../../core/keyScope.ts'
import { yieldTurn } from '../../core/yieldTurn.ts'
import { type IntakeSurvey, onlyNew, openReader, type RowReader, take } from '../../domain/runtime/intake.ts'
import { linesOf } from '../../domain/runtime/ndjson.ts'
import type { Respondent } from '../../domain/runtime/respondent.ts'
import { brokenOff, byKey, isAborted, listed } from '../batch.ts'

type Ingest = z.output<(typeof runtimeCalls)['runtime.ingest']['input']>
type Report = z.input<(typeof runtimeCalls)['runtime.ingest']['output']>['data']

/** Rows in one transaction: limits memory, and blocks other writers only for tens of milliseconds. */
const CHUNK = 2000

/** The longest time rows are read in one turn of the event loop. */
const SLICE_MS = 5

/** A survey the caller may send respondents to; throws 404. */
export async function intakeSurvey(ctx: Pick<Ctx, 'db' | 'caller'>, surveyId: number): Promise<IntakeSurvey> {
  const survey = await ctx.db
    .selectFrom('surveys')
    .innerJoin('projects', 'projects.id', 'surveys.project_id')
    .select(['surveys.id', 'project_id', 'parent_id', 'client_id'])
    .where('surveys.id', '=', surveyId)
    .where('surveys.deleted_at', 'is', null)
    .where('projects.deleted_at', 'is', null)
    .executeTakeFirst()
  const { apiKey } = ctx.caller
  if (!survey || (apiKey && !keyOpens(apiKey.scope, survey)))
    throw apiKey
      ? new HttpError(404, 'not_found', `Survey ${surveyId} was not found, or this key is not for it.`)
      : notFound(`Survey ${surveyId}`)
  return { id: survey.id, project_id: survey.project_id }
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
  const reader = await openReader(ctx.db, survey, { now: new Date(ctx.now), strict })
  const taking = new Taking(ctx, survey, dry)
  const report = (): Report => ({
    added: taking.added,
    repeated: taking.repeated,
    refused: reader.refused,
    errors: reader.errors,
    warnings: reader.warnings(),
    dry,
  })
  try {
    let chunk: Respondent[] = []
    let began = performance.now()
    for await (const { number, row } of lines) {
      // Reading buffered rows never yields by itself, so other requests get a turn between slices.
      if (performance.now() - began > SLICE_MS) {
        await yieldTurn()
        began = performance.now()
      }
      const read = reader.read(row, number)
      if (read) chunk.push(read)
      if (chunk.length === CHUNK) {
        await taking.take(chunk, reader)
        chunk = []
      }
    }
    await taking.take(chunk, reader)
  } catch (error) {
    throw taking.added || taking.repeated || isAborted(error) ? brokenOff(ctx as Ctx, error, report(), 'rows') : error
  }
  const data = report()
  if (!dry) ctx.services.metrics?.took('respondents', data.added)
  const message = messageOf(data)
  if (data.refused && !data.added && !data.repeated)
    throw new HttpError(422, 'all_refused', message, { fields: { rows: data.errors[0]?.message ?? message }, data })
  return { data, message }
}

function messageOf({ added, repeated, refused, warnings, dry }: Report): string {
  const counts = `${dry ? 'Dry run, nothing was kept: ' : ''}${added} added, ${repeated} already known, ${refused} refused`
  return warnings.length ? `${counts}; unknown fields: ${warnings.map(({ field }) => field).join(', ')}` : counts
}

/** The transactions of one batch, which share one line of the history. */
class Taking {
  added = 0
  repeated = 0
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

  async take(rows: readonly Respondent[], reader: RowReader): Promise<void> {
    if (!rows.length) return
    if (this.#dry) return this.#look(rows)
    const { services } = this.#ctx
    const taken = await this.#ctx.write(async (writing) => {
      const result = await take(services.database, writing.tx, this.#survey, rows, services.settings.timeZone)
      if (!result.added) return { ...result, line: this.#line }
      const after = {
        added: this.added + result.added,
        repeated: this.repeated + result.repeated,
        errors: reader.refused,
        ...byKey(writing.caller),
      }
      const line = await this.#note(writing as Ctx, after)
      writing.emit({ noun: 'runtime', id: this.#survey.id, project_id: this.#survey.project_id, kind: 'counters' })
      writing.emit({ noun: 'project', id: this.#survey.project_id, project_id: this.#survey.project_id, kind: 'counters' })
      return { ...result, line }
    })
    this.added += taken.added
    this.repeated += taken.repeated
    this.#line = taken.line
  }

  /** Counts the rows that would be new. */
  async #look(rows: readonly Respondent[]): Promise<void> {
    const unseen = rows.filter(({ id }) => !this.#seen.has(id))
    const fresh = await onlyNew(this.#ctx.services.database, this.#ctx.db, this.#survey, unseen)
    for (const { id } of rows) this.#seen.add(id)
    this.added += fresh.length
    this.repeated += rows.length - fresh.length
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
