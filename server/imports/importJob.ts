import type { Insertable } from 'kysely'
import type { FieldCode } from '../../contract/errorCodes.ts'
import type { ImportCheck } from '../../contract/import.ts'
import type { Noun } from '../../contract/nouns.ts'
import type { Ctx, JobKind, JobRow, RunningJob, Services } from '../core/context.ts'
import { HttpError } from '../core/errors.ts'
import { toHttpError } from '../core/httpErrors.ts'
import { onlyColumns } from '../core/onlyColumns.ts'
import type { TableLine } from '../core/tableLine.ts'
import { type Db, insertMany } from '../db/connect.ts'
import { locked } from '../db/locked.ts'
import type { ImportRowTable } from '../db/schema.ts'
import { commaHeadings, type Field, ignoredHeadings, type Mapping, valuesOf } from './fileColumns.ts'
import { fileOf, type ImportRecord, linesBy, mappingOf, previewOf } from './importFile.ts'

/** An error in a cell. */
export interface Problem {
  /** The field; its column's heading is shown. Empty for a fault of the whole line. */
  field: string
  value: string
  code: FieldCode
  message: string
}
/** A line that can be imported, as parsed by its kind. */
export interface Line<Row> {
  line: number
  row: Row
}
/** The outcome of a line, with notes on it. */
export interface CheckedLine<Row> extends Line<Row> {
  is: 'new' | 'known' | 'repeat'
  notes: (Omit<Problem, 'field' | 'code'> & { field?: string; kind: 'repeat' | 'approximate'; isDoubt?: boolean })[]
  /** The existing record that it matches or repeats. */
  record_id?: number
}
/** A kind of file: its columns, and how its lines become records. */
export interface ImportKind<Row, State> {
  kind: ImportRecord['kind']
  fields: readonly Field[]
  /** The most rows of a file. */
  most: number
  /** Why a mapping can't run; null if it can. */
  blocked(mapping: Mapping): string | null
  /** Prepares the state that lines share. */
  begin(db: Db, imported: ImportRecord): Promise<State>
  /** Parses one line; called for every line from the first, also by a job that continues further down. */
  read(values: Record<string, string>, line: number, state: State): Row | Problem[]
  /** Determines the outcome of lines, without writing. */
  check(db: Db, lines: readonly Line<Row>[], state: State): Promise<CheckedLine<Row>[]>
  /** Writes lines that are new or known, in their batch's transaction; returns record ids by line. */
  write(ctx: Ctx, imported: ImportRecord, checked: readonly CheckedLine<Row>[]): Promise<ReadonlyMap<number, number>>
  /** Additional figures of a check, by name. */
  tally?(checked: readonly CheckedLine<Row>[]): Record<string, number>
  /** Runs in the last transaction: writes the history line and events. */
  ended(ctx: Ctx, imported: ImportRecord): Promise<void>
  /** Deletes every row that a cancelled import wrote, in the cancelling transaction. */
  discard(ctx: Ctx, imported: ImportRecord): Promise<void>
  /** Undoes a finished import; returns how many records were removed, and how many stayed because they are in use. */
  takeBack(ctx: Ctx, imported: ImportRecord): Promise<{ removed: number; kept: number }>
  noun: Noun
}

/** How one line of a kind of file is read. */
type ReadsLines<Row, State> = Pick<ImportKind<Row, State>, 'fields' | 'read'>

/** Lines written in one transaction (screens-people-places-rewards.md, Locations from a file). */
const BATCH = 1000
/** Errors that a check lists; more are only counted. */
export const NAMED = 50

/** Lines in batches: those that can be imported, and those that can't with all their cells. */
interface Batch<Row> {
  lines: Line<Row>[]
  bad: { line: number; cells: string[]; problems: Problem[] }[]
  last: number
  /** Lines in another encoding than the file's. */
  others: number[]
}

/** What can't be read in a line: all of it, or a cell of a column that is taken. */
const unreadable = ({ cells, faults = [] }: TableLine, { columns, headings }: Mapping): Problem[] =>
  faults.flatMap(({ at, message }) => {
    if (at < 0) return [{ field: '', value: '', code: 'format', message }]
    const field = columns[at]
    return field
      ? [{ field, value: (cells[at] ?? '').slice(0, 100), code: 'format' as const, message: `${headings[at]} ${message}` }]
      : []
  })

export async function* batchesOf<Row, State>(
  how: ReadsLines<Row, State>,
  file: Parameters<typeof linesBy>[0],
  mapping: Mapping,
  state: State,
  after = 0,
): AsyncGenerator<Batch<Row>> {
  let batch: Batch<Row> = { lines: [], bad: [], last: 0, others: [] }
  for await (const one of linesBy(file, mapping)) {
    const { line, cells } = one
    const faults = unreadable(one, mapping)
    const read = faults.length ? faults : how.read(valuesOf(cells, mapping, how.fields), line, state)
    if (line <= after) continue
    if (one.other) batch.others.push(line)
    if (Array.isArray(read)) batch.bad.push({ line, cells, problems: read })
    else batch.lines.push({ line, row: read })
    batch.last = line
    if (batch.lines.length + batch.bad.length < BATCH) continue
    yield batch
    batch = { lines: [], bad: [], last: 0, others: [] }
  }
  if (batch.last) yield batch
}

export const headingOf = ({ headings, columns }: Mapping, field: string): string =>
  field ? (headings[columns.indexOf(field)] ?? '') : ''

/** Checks a whole file as its import would, without writing. */
export async function checkImport<Row, State>(
  services: Services,
  how: ImportKind<Row, State>,
  imported: ImportRecord,
  file?: Parameters<typeof linesBy>[0],
): Promise<
  Omit<ImportCheck, 'approximate' | 'no_position' | 'doubtful'> & { more: Record<string, number>; repeats: ImportCheck['errors'] }
> {
  const mapping = mappingOf(imported)
  const found = { rows: 0, created: 0, reused: 0, repeated: 0, failed: 0 }
  const errors: ImportCheck['errors'] = []
  const repeats: ImportCheck['errors'] = []
  const doubts: ImportCheck['doubts'] = []
  const more: Record<string, number> = {}
  const blocked = how.blocked(mapping) ?? ''
  const other_encoding = { lines: 0, first: [] as number[] }
  const source = file ?? (await fileOf(services, services.database.db, imported))
  const { sheet, delimiter, encoding, heading_line } = await previewOf(source, mapping)
  const as = {
    taken: { sheet, delimiter, encoding, heading_line },
    ignored_columns: ignoredHeadings(mapping),
    ...{ other_encoding, blocked, decimal_commas: commaHeadings(mapping) },
  }
  if (blocked) return { ...found, ...as, rows: imported.rows, errors, repeats, doubts, more }
  const { db } = services.database
  const state = await how.begin(db, imported)
  for await (const { lines, bad, others } of batchesOf(how, source, mapping, state)) {
    other_encoding.lines += others.length
    other_encoding.first.push(...others.slice(0, NAMED - other_encoding.first.length))
    const checked = await how.check(db, lines, state)
    found.rows += lines.length + bad.length
    found.failed += bad.length
    for (const { is } of checked) found[is === 'new' ? 'created' : is === 'known' ? 'reused' : 'repeated']++
    for (const [name, count] of Object.entries(how.tally?.(checked) ?? {})) more[name] = (more[name] ?? 0) + count
    for (const { line, problems } of bad)
      for (const { field, value, code, message } of problems)
        if (errors.length < NAMED) errors.push({ line, column: headingOf(mapping, field), value, code, message })
    for (const { line, notes } of checked)
      for (const { kind, field, value, message, isDoubt } of notes) {
        const list = kind === 'repeat' ? repeats : isDoubt ? doubts : null
        if (list && list.length < NAMED)
          list.push({
            line,
            column: field ? headingOf(mapping, field) : '',
            value,
            code: kind === 'repeat' ? 'taken' : 'invalid',
            message,
          })
      }
  }
  return { ...found, ...as, errors, repeats, doubts, more }
}

/** Thrown by a batch whose import was cancelled, or is written by another process. */
class Superseded extends Error {}

/**
 * The job of a kind: reads its file from the first line and continues writing where it stopped, 1,000 lines at a time.
 * It writes a batch only if the import hasn't moved on since, so that no line is imported twice.
 */
export const importJob = <Row, State>(how: ImportKind<Row, State>): JobKind => ({
  news: 'import',
  async run(job) {
    const { import_id } = job.input as { import_id: number }
    try {
      return await take(job, how, import_id)
    } catch (error) {
      // A job that is stopped, lost or waiting for the database continues later.
      if (!job.signal.aborted && !(error instanceof Superseded) && !toHttpError(job.services.database, error))
        await fail(job, import_id, error instanceof HttpError ? error.message : 'Something went wrong on the server.')
      if (error instanceof Superseded) throw new HttpError(409, 'not_now', 'Someone else changed the file meanwhile.')
      throw error
    }
  },
  async cancelled(ctx, job) {
    await cancelImport(ctx, how, job)
  },
})

async function take<Row, State>(job: RunningJob, how: ImportKind<Row, State>, id: number): Promise<object> {
  const { db } = job.services.database
  const imported = await db.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  if (imported.status !== 'running') throw new Superseded()
  const mapping = mappingOf(imported)
  const state = await how.begin(db, imported)
  let { done_line: at } = imported
  let done = imported.created + imported.reused + imported.repeated + imported.failed
  job.progress(done, imported.rows)
  for await (const batch of batchesOf(how, await fileOf(job.services, db, imported), mapping, state, at)) {
    job.signal.throwIfAborted()
    const from = at
    await job.write(async (ctx) => writeBatch(ctx as Ctx, { job, how, id, from, mapping, state }, batch))
    at = batch.last
    done += batch.lines.length + batch.bad.length
    job.progress(done, imported.rows)
  }
  return job.write(async (ctx) => {
    const row = await held(ctx as Ctx, job, id, at)
    await ctx.tx
      .updateTable('imports')
      .set({ status: 'done', ended_at: ctx.now, updated_at: ctx.now, lock_version: row.lock_version + 1 })
      .where('id', '=', id)
      .execute()
    await how.ended(ctx as Ctx, row)
    ctx.emit({ noun: how.noun, id: row.group_id ?? row.id, audience: 'admin' })
    ctx.emit({ noun: 'import', id, audience: 'admin' })
    const { created, reused, repeated, failed, rows, name, group_id } = row
    return { import_id: id, name, group_id: group_id ?? 0, rows, created, reused, repeated, failed }
  })
}

/** The import, locked, if it hasn't moved on since this job's last batch. */
async function held(ctx: Ctx, job: Pick<RunningJob, 'id' | 'services'>, id: number, at: number): Promise<ImportRecord> {
  const query = ctx.tx.selectFrom('imports').selectAll().where('id', '=', id)
  const row = await locked(job.services.database, query).executeTakeFirst()
  if (row?.status !== 'running' || row.job_id !== job.id || row.done_line !== at) throw new Superseded()
  return row
}

async function writeBatch<Row, State>(
  ctx: Ctx,
  at: { job: RunningJob; how: ImportKind<Row, State>; id: number; from: number; mapping: Mapping; state: State },
  batch: Batch<Row>,
): Promise<void> {
  const { job, how, id, from, mapping, state } = at
  const imported = await held(ctx, job, id, from)
  const added = await writeLines(ctx, how, imported, { mapping, state }, batch)
  await ctx.tx
    .updateTable('imports')
    .set({
      created: imported.created + added.created,
      reused: imported.reused + added.reused,
      repeated: imported.repeated + added.repeated,
      failed: imported.failed + batch.bad.length,
      done_line: batch.last,
      updated_at: ctx.now,
    })
    .where('id', '=', id)
    .execute()
  ctx.emit({ noun: 'import', id, audience: 'admin' })
}

/** Writes lines and their notes; returns the outcome of those that could be parsed. */
export async function writeLines<Row, State>(
  ctx: Ctx,
  how: ImportKind<Row, State>,
  imported: ImportRecord,
  { mapping, state }: { mapping: Mapping; state: State },
  { lines, bad }: Pick<Batch<Row>, 'lines' | 'bad'>,
): Promise<{ created: number; reused: number; repeated: number }> {
  const { id } = imported
  const checked = await how.check(ctx.tx, lines, state)
  const records = await how.write(ctx, imported, checked)
  const count = (is: CheckedLine<Row>['is']) => checked.filter((one) => one.is === is).length
  const record = (record_id: number | null) =>
    how.kind === 'location' ? { place_id: record_id, entry_id: null } : { place_id: null, entry_id: record_id }
  const rows: Insertable<ImportRowTable>[] = [
    ...bad.flatMap(({ line, cells, problems }) =>
      problems.map(({ field, value, code, message }) => ({
        ...{ import_id: id, line, kind: 'error' as const, column: headingOf(mapping, field) || field },
        ...{ value, code, message, raw: JSON.stringify(cells), ...record(null) },
      })),
    ),
    ...checked.flatMap(({ line, notes, record_id }) =>
      notes.map(({ field, kind, value, message }) => ({
        ...{ import_id: id, line, kind, column: field ? headingOf(mapping, field) || field : '' },
        ...{ value, code: '' as const, message, raw: '', ...record(record_id ?? records.get(line) ?? null) },
      })),
    ),
  ]
  await insertMany(ctx.tx, 'import_rows', rows, 'skip')
  return { created: count('new'), reused: count('known'), repeated: count('repeat') }
}

async function fail(job: RunningJob, id: number, error: string): Promise<void> {
  await job.write(async (ctx) => {
    await ctx.tx
      .updateTable('imports')
      .set({ status: 'failed', error, ended_at: ctx.now, updated_at: ctx.now })
      .where('id', '=', id)
      .where('status', '=', 'running')
      .execute()
    ctx.emit({ noun: 'import', id, audience: 'admin' })
  })
}

/** The state of an import none of whose lines are kept. */
export const AS_CHECKED = {
  status: 'checked',
  created: 0,
  reused: 0,
  repeated: 0,
  failed: 0,
  done_line: 0,
  error: '',
  job_id: null,
  ended_at: null,
} as const

/** Deletes everything a cancelled job wrote; its import returns to its mapping. */
async function cancelImport<Row, State>(ctx: Ctx, how: ImportKind<Row, State>, job: JobRow): Promise<void> {
  const { import_id } = JSON.parse(job.input) as { import_id: number }
  const query = ctx.tx.selectFrom('imports').selectAll().where('id', '=', import_id)
  const imported = await locked(ctx.services.database, query).executeTakeFirst()
  if (imported?.status !== 'running' || imported.job_id !== job.id) return
  await how.discard(ctx, imported)
  await ctx.tx.deleteFrom('import_rows').where('import_id', '=', import_id).execute()
  await ctx.tx
    .updateTable('imports')
    .set(onlyColumns('imports', { ...AS_CHECKED, updated_at: ctx.now, lock_version: imported.lock_version + 1 }))
    .where('id', '=', import_id)
    .execute()
  ctx.emit({ noun: 'import', id: import_id, audience: 'admin' })
  ctx.emit({ noun: how.noun, id: imported.group_id ?? imported.id, audience: 'admin' })
}
