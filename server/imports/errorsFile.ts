import { Readable } from 'node:stream'
import { denialOf } from '../../contract/access.ts'
import type { FileFormat } from '../../contract/importWords.ts'
import type { Ctx } from '../core/context.ts'
import { type Cell, fileName } from '../core/csv.ts'
import { assertAllowed } from '../core/errors.ts'
import { linkTo } from '../core/signedLink.ts'
import type { Db } from '../db/connect.ts'
import { addExport } from '../domain/file/fileRows.ts'
import { csvOf, type Listing } from '../exports/exportSource.ts'
import { XLSX, xlsxOf } from '../exports/xlsx.ts'
import { newKey } from '../files/fileStore.ts'
import type { Field } from './fileColumns.ts'
import { type ImportBy, type ImportRecord, importFacts, mappingOf } from './importFile.ts'

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

/** An import's errors as a table: all columns of the file, and why each line was refused. */
function errorsOfFile(db: Db, row: ImportRecord, title: string, fields: readonly Field[]): Listing {
  const { headings, columns, commas = [] } = mappingOf(row)
  async function* pages() {
    let page: Cell[][] = []
    let read = { line: 0, raw: '[]', messages: [] as string[] }
    const cellsOf = () => {
      const cells = JSON.parse(read.raw) as string[]
      // These files have points in numbers, as commas separate the cells of a CSV.
      const cell = (at: number) => {
        const ofComma = commas.includes(at) ? fields.find(({ id }) => id === columns[at])?.ofComma : undefined
        return ofComma?.(cells[at]?.trim() ?? '') ?? cells[at] ?? ''
      }
      return [...headings.map((_, at) => cell(at)), read.messages.join('; ')]
    }
    // A line with two errors is one line of the file.
    for await (const { line, message, raw } of errorsOf(db, row.id)) {
      if (read.line === line) {
        read.messages.push(message)
        continue
      }
      if (read.line) page.push(cellsOf())
      if (page.length === SOME) {
        yield page
        page = []
      }
      read = { line, raw, messages: [message] }
    }
    if (read.line) page.push(cellsOf())
    yield page
  }
  return { title, count: row.failed, columns: [...headings, 'error'], pages }
}

/** A signed link to an import's errors, to correct them and send them again. */
export async function errorsLink(ctx: Ctx, row: ImportBy, { format, fields }: { format: FileFormat; fields: readonly Field[] }) {
  assertAllowed(denialOf('import.errors', ctx.actor, importFacts(row)))
  const { files, now } = ctx.services
  const title = `${(row.original_name ?? 'file').replace(/\.\w+$/, '')} errors`
  const original_name = fileName(title, format, ctx.today)
  const storage_key = newKey('exports', format, now())
  const listing = errorsOfFile(ctx.db, row, title, fields)
  const [pieces, mime] = format === 'xlsx' ? [xlsxOf(listing), XLSX] : [csvOf(listing), 'text/csv; charset=utf-8']
  const content = Readable.from(pieces as AsyncIterable<string | Uint8Array>, { highWaterMark: 1 })
  const { size, sha256 } = await files.put(storage_key, content, mime)
  const id = await ctx.write(({ tx, now: at }) =>
    addExport(tx, at, { original_name, storage_key, mime, size, sha256, uploaded_by: ctx.actor.id, holds: null }),
  )
  return linkTo(ctx, { id, original_name })
}
