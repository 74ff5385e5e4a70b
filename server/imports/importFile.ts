import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { type Selectable, sql } from 'kysely'
import { allowedActions } from '../../contract/access.ts'
import { count } from '../../contract/format.ts'
import type { Import, Preview } from '../../contract/import.ts'
import type { Delimiter, Encoding, ImportRowKind } from '../../contract/importWords.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { FileLineFacts, ImportFacts } from '../../contract/recordAccess.ts'
import { UPLOAD_LIMIT } from '../../contract/vocabulary.ts'
import type { Ctx, Services } from '../core/context.ts'
import { invalid, notFound } from '../core/errors.ts'
import { type Paged, pageOf } from '../core/keyset.ts'
import { type Readers, Unreadable } from '../core/readers.ts'
import type { TableLine } from '../core/tableLine.ts'
import type { Db } from '../db/connect.ts'
import type { ImportTable } from '../db/schema.ts'
import { extensionOf } from '../files/checkContent.ts'
import { commaColumns, type Field, type Mapping, recognize } from './fileColumns.ts'

export type ImportRecord = Selectable<ImportTable>
type Kind = ImportRecord['kind']

/** Lines of a file shown as a preview, and used to recognize its columns. */
const SAMPLE = 20
const RECOGNIZED_BY = 200

/** Options for reading a file; missing ones are detected. */
export interface ReadOptions {
  sheet?: string | undefined
  delimiter?: Delimiter | '' | undefined
  encoding?: Encoding | '' | undefined
  /** The line of the headings; 0 says that there are none. */
  heading_line?: number | undefined
  headed?: boolean | undefined
  mapping?: readonly string[] | undefined
}
/** A stored file to be read as a table. */
export interface TableSource {
  original_name: string
  storage_key: string
  readers: Readers
}
/** A file that somebody sent for an import, with the hash of its content. */
export interface SentFile extends TableSource {
  id: number
  project_id: number | null
  hash: string
}

const isWorkbook = (name: string) => extensionOf(name) === 'xlsx'
const unreadable = (why = '') => invalid('file_id', `This file can’t be read as a table${why && `: ${why}`}.`)

/** The uploaded file, checked by name and size; throws 404 and 422. */
export async function sentFile(
  { db, services }: Pick<Ctx, 'db' | 'services'>,
  id: number,
  types: readonly string[],
): Promise<SentFile> {
  const file = await db
    .selectFrom('files')
    .select(['id', 'original_name', 'storage_key', 'size', 'project_id', 'kind'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!file || file.kind === 'export') throw notFound(`File ${id}`)
  if (!types.includes(extensionOf(file.original_name))) throw invalid('file_id', MESSAGES.fileType(types.join(', ')))
  if (file.size >= UPLOAD_LIMIT) throw invalid('file_id', MESSAGES.fileTooLarge(Math.round(UPLOAD_LIMIT / 1_048_576)))
  const hash = createHash('sha256')
  await pipeline(await services.files.read(file.storage_key), hash)
  return { ...file, readers: services.readers, hash: hash.digest('hex') }
}

type HowRead = Pick<ReadOptions, 'sheet' | 'delimiter' | 'encoding'>

/** The pieces of a file's table by an import's options; throws 422 if it isn't one, or is too much to read. */
async function* piecesOf({ readers, storage_key, original_name }: TableSource, how: HowRead) {
  const { sheet = '', delimiter = '', encoding = '' } = how
  try {
    yield* readers.read('table', storage_key, { workbook: isWorkbook(original_name), sheet, delimiter, encoding })
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    throw unreadable(error.fault === 'broken' ? '' : error.message)
  }
}

/** A file's data lines by an import's mapping, without the headings; throws 422 if it isn't a table. */
export async function* linesBy(file: TableSource, mapping: Mapping): AsyncGenerator<TableLine> {
  let above = mapping.heading_line
  for await (const { lines } of piecesOf(file, mapping))
    for (const line of lines) {
      // Imports of earlier releases have their headings in the first line that isn't empty.
      above ??= mapping.headed ? line.line : 0
      if (line.line > above) yield line
    }
}

/** Throws 422 for options that this file can't have. */
function refuseOptions({ original_name }: TableSource, { sheet, delimiter, encoding }: ReadOptions, sheets: readonly string[]) {
  const workbook = isWorkbook(original_name)
  if (sheet && !workbook) throw invalid('sheet', 'A CSV file has no sheets. Leave sheet out.')
  if (sheet && !sheets.includes(sheet))
    throw invalid('sheet', `This workbook has no sheet “${sheet}”. Use one of ${sheets.map((name) => `“${name}”`).join(', ')}.`)
  if (delimiter && workbook) throw invalid('delimiter', 'A workbook has no delimiter. Leave delimiter out.')
  if (encoding && workbook) throw invalid('encoding', 'A workbook has no encoding. Leave encoding out.')
}

/** Reads a whole file once to detect its options and count its rows; throws 422 above `most` rows. */
export async function inspect(
  file: TableSource,
  { fields, most }: { fields: readonly Field[]; most: number },
  options: ReadOptions = {},
): Promise<{ mapping: Mapping; rows: number }> {
  const head: TableLine[] = []
  let lines = 0
  let how: Pick<Mapping, 'sheet' | 'delimiter' | 'encoding'> = { sheet: '', delimiter: '' }
  for await (const { sheets, sheet, delimiter, encoding, lines: some } of piecesOf(file, options)) {
    if (!lines) refuseOptions(file, options, sheets)
    how = { sheet, delimiter, encoding }
    lines += some.length
    if (head.length < RECOGNIZED_BY) head.push(...some.slice(0, RECOGNIZED_BY - head.length))
  }
  const { headed, heading_line, mapping: chosen } = options
  if (heading_line && !head.some(({ line }) => line === heading_line))
    throw invalid('heading_line', `Line ${heading_line} isn’t one of the first ${RECOGNIZED_BY} lines with text.`)
  const columns = recognize(head, fields, { headed, heading_line, columns: chosen })
  const rows = lines - head.filter(({ line }) => line <= columns.heading_line).length
  if (rows < 1) throw invalid('file_id', 'This file has headings, and no rows below them.')
  if (rows > most) throw invalid('file_id', `This file has ${count(rows)} rows. The limit is ${count(most)}.`)
  const mapping = { ...how, ...columns }
  return { mapping: { ...mapping, commas: await commaColumns(linesBy(file, mapping), fields, mapping) }, rows }
}

/** Lines at the top of a file that are shown to choose the headings from. */
const HEAD = 20
/** Characters of them. */
const SHORT = 120

/** The first lines of an import's file with its current mapping. */
export async function previewOf(file: TableSource, mapping: Mapping): Promise<Preview> {
  const all: TableLine[] = []
  let sheets: readonly string[] = []
  let encoding = mapping.encoding ?? ''
  const { commas: _, headed, headings, columns, ...how } = mapping
  let heading_line = how.heading_line
  for await (const piece of piecesOf(file, mapping)) {
    sheets = piece.sheets
    encoding = piece.encoding
    for (const line of piece.lines) if (all.length < RECOGNIZED_BY + SAMPLE) all.push(line)
    heading_line ??= headed ? all[0]?.line : undefined
    if (all.filter(({ line }) => line > (heading_line ?? 0)).length >= SAMPLE) break
  }
  heading_line ??= 0
  const shown = all.filter(({ line }) => line > heading_line).slice(0, SAMPLE)
  return {
    sheets: [...sheets],
    ...{ sheet: how.sheet, delimiter: how.delimiter, encoding, headed, heading_line, headings, columns },
    head: all.slice(0, HEAD).map(({ line, cells }) => ({ line, text: cells.filter(Boolean).join(', ').slice(0, SHORT) })),
    sample: shown.map(({ line, cells }) => ({ line, cells })),
  }
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
    all.select(['id', 'line', 'kind', 'column', 'value', 'code', 'message', 'place_id', 'entry_id']),
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

/** An import's file, to be read; in a transaction, `db` must be the transaction. */
export async function fileOf(
  { readers }: Pick<Services, 'readers'>,
  db: Db,
  row: Pick<ImportRecord, 'file_id'>,
): Promise<TableSource> {
  const file = await db
    .selectFrom('files')
    .select(['original_name', 'storage_key'])
    .where('id', '=', row.file_id)
    .executeTakeFirst()
  if (!file) throw notFound('The file of this import')
  return { ...file, readers }
}
