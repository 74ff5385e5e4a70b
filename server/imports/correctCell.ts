import type { Selectable } from 'kysely'
import type { Ctx } from '../core/context.ts'
import { invalid, notFound } from '../core/errors.ts'
import type { Tx } from '../db/connect.ts'
import type { ImportRowTable } from '../db/schema.ts'
import { valuesOf } from './fileColumns.ts'
import { type ImportRecord, mappingOf } from './importFile.ts'
import { type ImportKind, writeLines } from './importJob.ts'

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
  const cells = (JSON.parse(error.raw) as string[]).with(at, value)
  const state = await how.begin(ctx.tx, imported)
  const read = how.read(valuesOf(cells, mapping, how.fields), error.line, state)
  const problems = Array.isArray(read) ? read : []
  const still = problems.find((problem) => problem.field === field)
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
      lines: Array.isArray(read) ? [] : [{ line: error.line, row: read }],
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
