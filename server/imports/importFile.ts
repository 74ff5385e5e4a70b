import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { type Selectable, sql } from 'kysely'
import { allowedActions, denialOf } from '../../contract/access.ts'
import { count } from '../../contract/format.ts'
import type { Import, Preview } from '../../contract/import.ts'
import type { Delimiter, ImportRowKind } from '../../contract/importWords.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { pointed } from '../../contract/money.ts'
import type { FileLineFacts, ImportFacts } from '../../contract/recordAccess.ts'
import { UPLOAD_LIMIT } from '../../contract/vocabulary.ts'
import type { Ctx, Services } from '../core/context.ts'
import { BOM, csvLine, fileName } from '../core/csv.ts'
import { assertAllowed, invalid, notFound } from '../core/errors.ts'
import { type Paged, pageOf } from '../core/keyset.ts'
import { linkTo } from '../core/signedLink.ts'
import type { Db } from '../db/connect.ts'
import type { ImportTable } from '../db/schema.ts'
import { addExport } from '../domain/file/fileRows.ts'
import { extensionOf } from '../files/checkContent.ts'
import { newKey } from '../files/fileStore.ts'
import { bytesOf } from '../files/thumbnail.ts'
import { commaColumns, type Field, type Mapping, recognize } from './fileColumns.ts'
import { NotATable, openTable, type TableFile, type TableLine } from './tableFile.ts'

export type ImportRecord = Selectable<ImportTable>
type Kind = ImportRecord['kind']

/** Lines of a file shown as a preview, and used to recognize its columns. */
const SAMPLE = 20
const RECOGNIZED_BY = 200

/** Options for reading a file; missing ones are detected. */
export interface ReadOptions {
  sheet?: string | undefined
  delimiter?: Delimiter | '' | undefined
  headed?: boolean | undefined
  mapping?: readonly string[] | undefined
}
/** A stored file with its bytes. */
export interface SentFile {
  id: number
  original_name: string
  project_id: number | null
  bytes: Buffer
  hash: string
}

const isWorkbook = (name: string) => extensionOf(name) === 'xlsx'
const unreadable = () => invalid('file_id', 'This file can’t be read as a table.')

/** The uploaded file, checked by name and size; throws 404 and 422. */
export async function sentFile(ctx: Pick<Ctx, 'db' | 'services'>, id: number, types: readonly string[]): Promise<SentFile> {
  const file = await ctx.db
    .selectFrom('files')
    .select(['id', 'original_name', 'storage_key', 'size', 'project_id', 'kind'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!file || file.kind === 'export') throw notFound(`File ${id}`)
  if (!types.includes(extensionOf(file.original_name))) throw invalid('file_id', MESSAGES.fileType(types.join(', ')))
  if (file.size >= UPLOAD_LIMIT) throw invalid('file_id', MESSAGES.fileTooLarge(Math.round(UPLOAD_LIMIT / 1_048_576)))
  const bytes = await bytesOf(await ctx.services.files.read(file.storage_key))
  return { ...file, bytes, hash: createHash('sha256').update(bytes).digest('hex') }
}

/** Opens a file as a table with an import's options; throws 422 for other files. */
async function tableOf(
  file: Pick<SentFile, 'bytes' | 'original_name'>,
  options: Pick<ReadOptions, 'sheet' | 'delimiter'>,
): Promise<TableFile> {
  try {
    const { sheet = '', delimiter = '' } = options
    return await openTable(file.bytes, { workbook: isWorkbook(file.original_name), sheet, delimiter })
  } catch (error) {
    throw error instanceof NotATable ? unreadable() : error
  }
}

/** A file's data lines by an import's mapping, without the headings; throws 422 if it isn't a table. */
export async function* linesBy(file: Pick<SentFile, 'bytes' | 'original_name'>, mapping: Mapping): AsyncGenerator<TableLine> {
  let first = true
  try {
    for await (const line of (await tableOf(file, mapping)).rows()) {
      if (!first || !mapping.headed) yield line
      first = false
    }
  } catch (error) {
    throw error instanceof NotATable ? unreadable() : error
  }
}

/** Reads a whole file once to detect its options and count its rows; throws 422 above `most` rows. */
export async function inspect(
  file: Pick<SentFile, 'bytes' | 'original_name'>,
  { fields, most }: { fields: readonly Field[]; most: number },
  options: ReadOptions = {},
): Promise<{ mapping: Mapping; rows: number }> {
  try {
    const table = await tableOf(file, options)
    const head: TableLine[] = []
    let lines = 0
    for await (const line of table.rows()) if (++lines <= RECOGNIZED_BY) head.push(line)
    const columns = recognize(head, fields, { headed: options.headed, columns: options.mapping })
    const rows = lines - (columns.headed ? 1 : 0)
    if (rows < 1) throw unreadable()
    if (rows > most) throw invalid('file_id', `This file has ${count(rows)} rows. The limit is ${count(most)}.`)
    const mapping = { sheet: table.sheet, delimiter: table.delimiter, ...columns }
    return { mapping: { ...mapping, commas: await commaColumns(table.rows(), fields, mapping) }, rows }
  } catch (error) {
    throw error instanceof NotATable ? unreadable() : error
  }
}

/** The first lines of an import's file with its current mapping. */
export async function previewOf(file: Pick<SentFile, 'bytes' | 'original_name'>, mapping: Mapping): Promise<Preview> {
  const { sheets } = await tableOf(file, mapping)
  const sample: TableLine[] = []
  for await (const line of linesBy(file, mapping)) if (sample.push(line) >= SAMPLE) break
  const { commas: _, ...shown } = mapping
  return { sheets: [...sheets], ...shown, sample }
}

export const mappingOf = ({ mapping }: Pick<ImportRecord, 'mapping'>): Mapping => JSON.parse(mapping) as Mapping

/** Imports with the names of related records. */
export const importsOf = (db: Db) =>
  db
    .selectFrom('imports')
    .leftJoin('files', 'files.id', 'imports.file_id')
    .leftJoin('clients', 'clients.id', 'imports.client_id')
    .leftJoin('projects', 'projects.id', 'imports.project_id')
    .leftJoin('users', 'users.id', 'imports.created_by')
    .leftJoin('jobs', 'jobs.id', 'imports.job_id')
    .selectAll('imports')
    .select([
      'files.original_name',
      'clients.name as client_name',
      'projects.name as project_name',
      'users.first_name',
      'users.last_name',
      'jobs.status as job_status',
      'jobs.done as job_done',
      'jobs.error as job_error',
    ])
export type ImportBy = Awaited<ReturnType<ReturnType<typeof importsOf>['execute']>>[number]

/** An import of this kind, or of any; throws 404. */
export async function oneImport(db: Db, kind: Kind | null, id: number): Promise<ImportBy> {
  const found = await importsOf(db).where('imports.id', '=', id).executeTakeFirst()
  if (!found || (kind && found.kind !== kind)) throw notFound(`Import ${id}`)
  return found
}

/** True for an import whose job has failed or was cancelled, so that the import counts as failed. */
const died = ({ status, job_status }: Pick<ImportBy, 'status' | 'job_status'>): boolean =>
  status === 'running' && (job_status === 'failed' || job_status === 'cancelled')
/** The facts about an import that the access rules need. */
export const importFacts = (row: ImportBy): ImportFacts => ({
  kind: row.kind,
  status: died(row) ? 'failed' : row.status,
  created: row.created,
  failed: row.failed,
})
/** The facts about a line of an import's file that the access rules need. */
export const lineFacts = (
  { status, group_id }: Pick<ImportRecord, 'status' | 'group_id'>,
  { kind }: { kind: ImportRowKind },
): FileLineFacts => ({ kind, status, grouped: group_id !== null })
/** Who uploaded a file. */
export const uploaderOf = ({ first_name, last_name }: Pick<ImportBy, 'first_name' | 'last_name'>): string =>
  `${first_name ?? ''} ${last_name ?? ''}`.trim()

/** An import as both kinds return it. */
export function onWire({ actor }: Pick<Ctx, 'actor'>, row: ImportBy): Import {
  const { id, kind, name, file_id, project_id, client_id, rows, created, reused, repeated, failed } = row
  const facts = importFacts(row)
  return {
    id,
    kind,
    name,
    file_id,
    file_name: row.original_name ?? '',
    status: facts.status,
    error: row.error || (died(row) ? (row.job_error ?? '') : ''),
    project_id,
    project_name: row.project_name ?? '',
    client_id,
    client_name: row.client_name ?? '',
    rows,
    created,
    reused,
    repeated,
    failed,
    done: row.status === 'running' ? Math.min(rows, row.job_done ?? 0) : row.status === 'checked' ? 0 : rows,
    job_id: row.job_id,
    created_by: row.created_by,
    created_by_name: uploaderOf(row),
    created_at: row.created_at,
    ended_at: row.ended_at,
    lock_version: row.lock_version,
    ...allowedActions('import', actor, facts),
  }
}

/** A page of notes and errors about an import's lines, in the order of the file. */
export async function rowsPage(
  ctx: Ctx,
  { id, updated_at }: Pick<ImportBy, 'id' | 'updated_at'>,
  { kinds, updated_since, ...paged }: Paged & { kinds: readonly ImportRowKind[]; updated_since?: string | undefined },
) {
  // Lines have no time of their own: they change with their import.
  const isOlder = updated_since !== undefined && updated_at < updated_since
  const all = ctx.db
    .selectFrom('import_rows')
    .where('import_id', '=', isOlder ? 0 : id)
    .where('kind', 'in', kinds)
  const { count } = await all.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const data = await pageOf(
    ctx,
    all.select(['id', 'line', 'kind', 'column', 'value', 'message', 'place_id', 'entry_id']),
    [
      { by: sql.ref('line'), way: 'asc', full: true },
      { by: sql.ref('id'), way: 'asc', full: true },
    ],
    paged,
  )
  return { data, count: Number(count), page: paged.page }
}

/** The number of lines of each kind. */
export async function rowCounts(db: Db, id: number): Promise<Record<ImportRowKind, number>> {
  const rows = await db
    .selectFrom('import_rows')
    .select((eb) => ['kind', eb.fn.countAll<number>().as('count')])
    .where('import_id', '=', id)
    .groupBy('kind')
    .execute()
  return { error: 0, repeat: 0, approximate: 0, ...Object.fromEntries(rows.map(({ kind, count }) => [kind, Number(count)])) }
}

/** The earlier import of the same content and kind; undefined without one. */
export const sameFile = (db: Db, kind: Kind, hash: string, within: { project_id?: number; client_id?: number }) => {
  let rows = importsOf(db)
    .where('imports.kind', '=', kind)
    .where('file_hash', '=', hash)
    .where('imports.status', 'in', ['running', 'done'])
  if (within.project_id) rows = rows.where('imports.project_id', '=', within.project_id)
  if (within.client_id) rows = rows.where('imports.client_id', '=', within.client_id)
  return rows.orderBy('imports.id', 'desc').executeTakeFirst()
}

/** Lines with errors in one read. */
const SOME = 1000

/** Errors in the order of the file, page by page. */
async function* errorsOf(db: Db, import_id: number) {
  let after = { line: 0, id: 0 }
  for (;;) {
    const { line, id } = after
    const rows = await db
      .selectFrom('import_rows')
      .select(['id', 'line', 'message', 'raw'])
      .where('import_id', '=', import_id)
      .where('kind', '=', 'error')
      .where((eb) => eb.or([eb('line', '>', line), eb.and([eb('line', '=', line), eb('id', '>', id)])]))
      .orderBy('line')
      .orderBy('id')
      .limit(SOME)
      .execute()
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < SOME) return
    after = last
  }
}

async function* errorLines(db: Db, row: ImportRecord): AsyncGenerator<string> {
  const { headings, commas = [] } = mappingOf(row)
  yield BOM + csvLine([...headings, 'error'])
  let held = { line: 0, raw: '[]', messages: [] as string[] }
  const text = () => {
    const cells = JSON.parse(held.raw) as string[]
    // This file has commas between its cells, so its numbers have points.
    const cell = (at: number) => (commas.includes(at) ? pointed(cells[at] ?? '') : (cells[at] ?? ''))
    return csvLine([...headings.map((_, at) => cell(at)), held.messages.join('; ')])
  }
  // A line with two errors is one line of the file.
  for await (const { line, message, raw } of errorsOf(db, row.id)) {
    if (held.line === line) held.messages.push(message)
    else {
      if (held.line) yield text()
      held = { line, raw, messages: [message] }
    }
  }
  if (held.line) yield text()
}

/** A signed link to an import's errors as CSV: all columns of the file and `error`. */
export async function errorsLink(ctx: Ctx, row: ImportBy) {
  assertAllowed(denialOf('import.errors', ctx.actor, importFacts(row)))
  const { files, now } = ctx.services
  const original_name = fileName(`${(row.original_name ?? 'file').replace(/\.\w+$/, '')} errors`, 'csv', ctx.today)
  const storage_key = newKey('exports', 'csv', now())
  const size = await files.put(
    storage_key,
    Readable.from(errorLines(ctx.db, row), { highWaterMark: 1 }),
    'text/csv; charset=utf-8',
  )
  const id = await ctx.write(({ tx, now: at }) =>
    addExport(tx, at, {
      original_name,
      storage_key,
      mime: 'text/csv; charset=utf-8',
      size,
      uploaded_by: ctx.actor.id,
      holds: null,
    }),
  )
  return linkTo(ctx, { id, original_name })
}

/** An import's file with its bytes; in a transaction, `db` must be the transaction. */
export async function fileOf({ files }: Pick<Services, 'files'>, db: Db, row: Pick<ImportRecord, 'file_id'>) {
  const file = await db
    .selectFrom('files')
    .select(['original_name', 'storage_key'])
    .where('id', '=', row.file_id)
    .executeTakeFirst()
  if (!file) throw notFound('The file of this import')
  return { original_name: file.original_name, bytes: await bytesOf(await files.read(file.storage_key)) }
}
