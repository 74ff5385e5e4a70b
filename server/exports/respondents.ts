import type { ExportColumn } from '../../contract/exports.ts'
import { labelOf, OUTCOMES } from '../../contract/vocabulary.ts'
import type { Ctx } from '../core/context.ts'
import type { Cell } from '../core/csv.ts'
import { activityOf } from '../domain/content/activity.ts'
import { type ActingRespondent, type RespondentFilter, respondentPages } from '../domain/content/respondents.ts'
import { kindsOf, type Listing, namesOf } from './exportSource.ts'

const CELLS: Record<ExportColumn<'respondents'>, (row: ActingRespondent) => Cell> = {
  person: ({ person }) => person,
  outcome: ({ outcome }) => labelOf(OUTCOMES, outcome),
  market: ({ market }) => market,
  at: ({ at }) => at,
  survey: ({ survey }) => survey,
}

/** A survey activity's matching respondents, for administrators; contains no addresses. */
export async function respondentsExport(ctx: Ctx, filter: RespondentFilter, columns: readonly string[]): Promise<Listing> {
  const activity = await activityOf(ctx, filter.id)
  const { count, pages } = await respondentPages(ctx, filter)
  const cells = columns.map((id) => CELLS[id as ExportColumn<'respondents'>])
  async function* rows() {
    for await (const page of pages()) yield page.map((row) => cells.map((cell) => cell(row)))
  }
  return {
    title: `${activity.name} respondents`,
    count,
    columns: namesOf('respondents', columns),
    kinds: kindsOf(columns),
    pages: rows,
  }
}
