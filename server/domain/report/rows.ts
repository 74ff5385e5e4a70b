import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Cell } from '../../core/csv.ts'
import type { Db } from '../../db/connect.ts'
import { type CellFilter, cellsWanted, isFiltered } from '../runtime/cells.ts'
import type { Column, Report } from './readReport.ts'
import {
  type Answering,
  answerOf,
  type FileColumn,
  fileColumnsOf,
  fitting,
  type Responding,
  responding,
  type ValueContext,
  withoutPersonal,
  zoneClock,
} from './values.ts'

/** Cells in one statement: small pages are garbage-collected early, large ones wait for a full collection. */
const PAGE_CELLS = 5000
const pageFor = (columns: number): number => Math.max(25, Math.min(1000, Math.floor(PAGE_CELLS / Math.max(1, columns))))

/** The filter of a report's respondents. */
export interface ReportFilter {
  outcomes: 'completes' | 'all'
  /** Civil days of the display zone, both included. */
  from?: string | undefined
  to?: string | undefined
  cells: CellFilter
}
/** All completes. */
export const COMPLETES: ReportFilter = { outcomes: 'completes', cells: {} }

/** The data that values need besides respondents. */
export async function valueContext(db: Db, { project_id }: Report, timeZone: string): Promise<ValueContext> {
  const [markets, { generation }] = await Promise.all([
    db.selectFrom('dmas').select(['code', 'name']).execute(),
    db.selectFrom('projects').select('generation').where('id', '=', project_id).executeTakeFirstOrThrow(),
  ])
  return { clock: zoneClock(timeZone), generation, markets: new Map(markets.map(({ code, name }) => [code, name])) }
}

/** The columns of a report's file; `apart` gives several answers to a question a column for each option. */
export const columnsOfFile = (report: Report, columns: readonly Column[], context: ValueContext, apart = false): FileColumn[] =>
  columns.flatMap((column) => fileColumnsOf(column, questionOf(report, column), context, apart))
const questionOf = (report: Report, { question_id }: Column) =>
  question_id === null
    ? null
    : (report.byColumn.get(question_id) ?? { ids: [question_id], offered: new Set<string>(), several: false, isNumber: false })

/** The columns that reports read; each one adds to the cost of a row. */
const READ = [
  ...(['respondent_id', 'at', 'started_at', 'cell', 'outcome', 'answers'] as const),
  ...(['latitude', 'longitude', 'dma', 'marital', 'children'] as const),
] as const

/** Pages of respondents by survey and id: page 4,000 is as fast as page 1, and no cursor stays open in between. */
async function* respondents(
  db: Db,
  surveys: readonly number[],
  filter: ReportFilter,
  clock: ValueContext['clock'],
  page: number,
) {
  const { outcomes, from, to, cells } = filter
  // A day of the display zone spans two days in UTC, so the rows are filtered once more.
  const outside = ({ at }: Answering) => (from && clock.day(at) < from) || (to && clock.day(at) > to)
  const near = (day: string, days: number) => new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString()
  for (const survey of surveys) {
    for (let after = ''; ; ) {
      let query = db
        .selectFrom('respondents')
        .select(READ)
        .where('survey_id', '=', survey)
        .where('respondent_id', '>', after)
        .orderBy('respondent_id')
        .limit(page)
      if (outcomes === 'completes') query = query.where('outcome', '=', 'completes')
      if (from) query = query.where('at', '>=', near(from, -1))
      if (to) query = query.where('at', '<', near(to, 2))
      if (isFiltered(cells)) query = query.where(cellsWanted(cells))
      const rows: Answering[] = await query.execute()
      if (rows.length) yield from || to ? rows.filter((row) => !outside(row)) : rows
      if (rows.length < page) break
      after = rows.at(-1)!.respondent_id
      await turn()
    }
  }
}

/** The rows of a report's file, page by page. */
export async function* reportRows(
  db: Db,
  report: Report,
  columns: readonly FileColumn[],
  filter: ReportFilter,
  { clock }: ValueContext,
): AsyncGenerator<Cell[][]> {
  for await (const rows of respondents(db, report.surveys, filter, clock, pageFor(columns.length))) {
    yield rows.map((row) => {
      const one = responding(row)
      return columns.map(({ value }) => value(one))
    })
  }
}

/** How many rows a report has, from the counters. */
export async function countRows(db: Db, surveys: readonly number[], filter: ReportFilter): Promise<number> {
  const { outcomes, from, to, cells } = filter
  const counted = sql.raw(outcomes === 'completes' ? 'completes' : 'completes + terminates + overquota + partials')
  const days = [...(from ? [sql`day >= ${from}`] : []), ...(to ? [sql`day <= ${to}`] : [])]
  const table = sql.raw(days.length ? 'day_cells' : 'demo_cells')
  const where = sql.join(
    [sql`survey_id in (${sql.join(surveys.length ? surveys : [0])})`, cellsWanted(cells), ...days],
    sql` and `,
  )
  const { rows } = await sql<{ count: number | null }>`select sum(${counted}) as count from ${table} where ${where}`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

/** How many respondents are examined for examples. */
const LOOKED_AT = 200
const EXAMPLES = 3
/** The most characters of a text in an example. */
const EXAMPLE_LENGTH = 120

/** A sample of a report's first rows. */
export interface Sample {
  examples(column: Column): string[]
  /** Three values that don't fit the column's type, if most of the sample don't. */
  misfits(column: Column): string[]
  /** The estimated size of a file with these columns in bytes, from the sample. */
  bytes(columns: readonly Column[], rows: number): number
}

/** Reads a report's first completes, in the order of its file. */
export async function sampleOf(db: Db, report: Report, context: ValueContext): Promise<Sample> {
  const found: Responding[] = []
  for await (const rows of respondents(db, report.surveys, COMPLETES, context.clock, LOOKED_AT)) {
    found.push(...rows.map(responding))
    if (found.length >= LOOKED_AT) break
  }
  found.splice(LOOKED_AT)
  const textsOf = (column: Column): string[] => {
    const [cell] = columnsOfFile(report, [column], context)
    return found.map((one) => textOf(cell!.value(one)))
  }
  return {
    examples: (column) =>
      textsOf(column)
        .filter(Boolean)
        .slice(0, EXAMPLES)
        .map((text) => (text.length > EXAMPLE_LENGTH ? `${text.slice(0, EXAMPLE_LENGTH - 1)}…` : text)),
    misfits(column) {
      const question = questionOf(report, column)
      const type = column.column_type
      if (!type || !question) return []
      const texts = found.flatMap((one) => answerOf(one, question) ?? []).map(String)
      const wrong = texts.filter((text) => fitting(type, text) === null)
      return wrong.length * 2 > texts.length
        ? [...new Set(wrong)].slice(0, EXAMPLES).map((text) => withoutPersonal(text).slice(0, EXAMPLE_LENGTH))
        : []
    },
    bytes(columns, rows) {
      const head = columns.reduce((sum, { column_name }) => sum + Buffer.byteLength(column_name) + 1, 4)
      if (!found.length) return head
      const body = columns.reduce(
        (sum, column) => sum + textsOf(column).reduce((all, text) => all + Buffer.byteLength(text) + 1, 0),
        0,
      )
      return Math.round(head + ((body + found.length) / found.length) * rows)
    },
  }
}
const textOf = (cell: Cell): string => (cell === null || cell === undefined ? '' : String(cell))
