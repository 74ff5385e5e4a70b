import type { z } from 'zod'
import type { ReportInput } from '../../contract/report.ts'
import { COLUMN_TYPES } from '../../contract/reportTypes.ts'
import { joinTexts } from '../../contract/severalTexts.ts'
import { labelOf } from '../../contract/vocabulary.ts'
import type { Ctx } from '../core/context.ts'
import { HttpError } from '../core/errors.ts'
import { seenProject } from '../domain/project/detail.ts'
import { partIds } from '../domain/project/family.ts'
import { type Column, columnRead, type Report, readReport } from '../domain/report/readReport.ts'
import { columnsOfFile, countRows, reportRows, valueContext } from '../domain/report/rows.ts'
import { cellFilter } from '../domain/runtime/range.ts'
import type { Listing } from './exportSource.ts'

/** A project's report with its included columns; throws 409 without a survey or a column. */
async function opened(ctx: Ctx, project_id: number): Promise<{ name: string; report: Report; columns: Column[] }> {
  const { name } = await seenProject(ctx, project_id)
  const report = await readReport(ctx.db, project_id, await partIds(ctx, project_id))
  if (!report.surveys.length) throw new HttpError(409, 'not_now', 'Link a survey first.')
  const columns = report.columns.filter(({ should_include }) => should_include === 1)
  if (!columns.length) throw new HttpError(409, 'not_now', 'Include at least one column.')
  return { name, report, columns }
}

/** A client report: a row for each respondent, a column for each included column of the project's list. */
export async function reportExport(ctx: Ctx, { project_id, answers, ...input }: z.output<typeof ReportInput>): Promise<Listing> {
  const { name, report, columns } = await opened(ctx, project_id)
  const filter = { outcomes: input.outcomes, from: input.from, to: input.to, cells: cellFilter(input) }
  const context = await valueContext(ctx.db, report, ctx.services.settings.timeZone)
  const inFile = columnsOfFile(report, columns, context, answers === 'columns')
  return {
    title: `${name} report`,
    count: await countRows(ctx.db, report.surveys, filter),
    columns: inFile.map(({ heading }) => heading),
    kinds: inFile.map(({ kind }) => kind),
    pages: () => reportRows(ctx.db, report, inFile, filter, context),
  }
}

/** A description of each column of a client report. */
export async function datamapExport(ctx: Ctx, { project_id }: { project_id: number }): Promise<Listing> {
  const { name, report, columns } = await opened(ctx, project_id)
  const rows = columns.map((column, at) => {
    const { question_def, question_type, column_key, column_name, column_type, column_custom_definition } = columnRead(
      report,
      column,
    )
    const offered = column.question_id === null ? null : report.byColumn.get(column.question_id)?.offered
    return [
      at + 1,
      column_name,
      column_key,
      column_type ? labelOf(COLUMN_TYPES, column_type, column_type) : question_type && 'Answer',
      column_custom_definition || question_def,
      question_def,
      column_type ? '' : joinTexts([...(offered ?? [])], ';'),
    ]
  })
  return {
    title: `${name} data map`,
    count: rows.length,
    columns: ['No.', 'Column', 'Key', 'Type', 'Definition', 'Question', 'Values'],
    async *pages() {
      yield rows
    },
  }
}
