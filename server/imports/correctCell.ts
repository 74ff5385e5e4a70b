import type { Selectable } from 'kysely'
import type { Ctx } from '../core/context.ts'
import { checkedLine } from '../core/csvTable.ts'
import { invalid, notFound } from '../core/errors.ts'
import type { Tx } from '../db/connect.ts'
import type { ImportRowTable } from '../db/schema.ts'
import { valuesOf } from './fileColumns.ts'
import { type ImportRecord, mappingOf } from './importFile.ts'
import { type ImportKind, type Problem, writeLines } from './importJob.ts'

type FileLine = Selectable<ImportRowTable>

/** A missing column can only be added in the file. */
const NO_COLUMN = 'The file has no column for this. Correct it in the file, and send it again.'

/** A line of an import's file with its notes or errors; throws 404. */
export async function lineOf(tx: Tx, imported: Pick<ImportRecord, 'id'>, id: number): Promise<FileLine> {
  const rows = tx.selectFrom('import_rows').selectAll().where('import_id', '=', imported.id)
  const line = await rows.where('id', '=', id).executeTakeFirst()
  if (!line) throw notFound('This line')
  return line
}

/**
 * Corrects one cell of a line with errors; if none remain, the line is imported as the job would have.
 * Returns whether it was imported; throws 422 with the cell's remaining error.
 */
export async function correctCell<Row, State>(
  ctx: Ctx,
  how: ImportKind<Row, State>,
  imported: ImportRecord,
  error: FileLine,
  value: string,
): Promise<boolean> {
  const mapping = mappingOf(imported)
  const at = mapping.headings.findIndex((heading, at) => heading === error.column && mapping.columns[at])
  const field = mapping.columns[at]
  if (!field) throw invalid('value', NO_COLUMN)
  const found = JSON.parse(error.raw) as string[]
  // The last cells of a line may be missing.
  const before = mapping.columns.map((_, nth) => found[nth] ?? '')
  const cells = before.with(at, value)
  const state = await how.begin(ctx.tx, imported)
  const read = how.read(valuesOf(cells, mapping, how.fields), error.line, state)
  const faults = await faultsBeside(ctx, how, imported, { error, cells: before })
  const problems = [...faults, ...(Array.isArray(read) ? read : [])]
  const [unread] = checkedLine(error.line, [value]).faults ?? []
  const still = unread ?? problems.find((problem) => problem.field === field)
  if (still) throw invalid('value', still.message)
  await ctx.tx
    .deleteFrom('import_rows')
    .where('import_id', '=', imported.id)
    .where('kind', '=', 'error')
    .where('line', '=', error.line)
    .execute()
  const added = await writeLines(
    ctx,
    how,
    imported,
    { mapping, state },
    {
      lines: Array.isArray(read) || problems.length ? [] : [{ line: error.line, row: read }],
      bad: problems.length ? [{ line: error.line, cells, problems }] : [],
    },
  )
  const taken = !problems.length
  if (taken)
    await ctx.tx
      .updateTable('imports')
      .set({
        created: imported.created + added.created,
        reused: imported.reused + added.reused,
        repeated: imported.repeated + added.repeated,
        failed: imported.failed - 1,
        updated_at: ctx.now,
      })
      .where('id', '=', imported.id)
      .execute()
  return taken
}

/**
 * What couldn't be read in the line's other cells, such as an error of a spreadsheet.
 * Their texts alone don't tell, so these are the errors that reading the texts doesn't find.
 */
async function faultsBeside<Row, State>(
  { tx }: Ctx,
  how: ImportKind<Row, State>,
  imported: ImportRecord,
  { error, cells }: { error: FileLine; cells: readonly string[] },
): Promise<Problem[]> {
  const mapping = mappingOf(imported)
  const all = tx.selectFrom('import_rows').select(['column', 'value', 'code', 'message']).where('import_id', '=', imported.id)
  const rows = await all.where('kind', '=', 'error').where('line', '=', error.line).where('column', '!=', error.column).execute()
  if (!rows.length) return []
  const read = how.read(valuesOf(cells, mapping, how.fields), error.line, await how.begin(tx, imported))
  const found = new Set(Array.isArray(read) ? read.map(({ message }) => message) : [])
  return rows.flatMap(({ column, value, code, message }) =>
    found.has(message)
      ? []
      : [{ field: mapping.columns[mapping.headings.indexOf(column)] ?? '', value, code: code || 'invalid', message }],
  )
}
