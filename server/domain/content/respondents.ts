import { type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import type { contentCalls } from '../../../contract/content.ts'
import { foldedWords } from '../../../contract/fold.ts'
import type { Paging } from '../../../contract/listInput.ts'
import type { Outcome } from '../../../contract/vocabulary.ts'
import type { Ctx } from '../../core/context.ts'
import { behind, cursorOf, orderBy, type SortKey } from '../../core/keyset.ts'
import { holds, offsetOf } from '../../core/listSearch.ts'
import { DAY_MS } from '../../core/quotas.ts'
import { TOTAL } from '../runtime/cells.ts'
import { inDays } from './list.ts'

type RespondentsInput = z.output<(typeof contentCalls)['content.respondents']['input']>
/** The filter of a survey activity's respondents; `id` is the activity. */
export type RespondentFilter = Omit<RespondentsInput, Paging>
/** A respondent as an administrator reads them: never an address (decided). */
export interface ActingRespondent {
  person: string
  outcome: Outcome
  market: string
  at: string
  survey: string
}
/** Rows that an export reads at a time. */
const PAGE = 1000

const surveysOf = (activity_id: number) =>
  sql`(select id from surveys where surveys.activity_id = ${activity_id} and surveys.deleted_at is null)`

/** An activity's respondents, or those since a moment: SQLite would read all of them for an "or" of two indexes. */
function respondentsOf({ id, updated_since }: RespondentFilter) {
  if (!updated_since) return sql`respondents`
  const read = sql`select survey_id, respondent_id, outcome, at, dma from respondents where survey_id in ${surveysOf(id)}`
  const day = Math.floor(Date.parse(updated_since) / DAY_MS)
  // The day of arrival is known, except of older rows.
  return sql`(${read} and taken_on >= ${day} union all ${read} and taken_on is null and at >= ${updated_since}) respondents`
}
const shownFrom = (filter: RespondentFilter) => sql`respondents.respondent_id as person, respondents.outcome,
  coalesce(dmas.name, '') as market, respondents.at, respondents.survey_id, surveys.name as survey
  from ${respondentsOf(filter)} join surveys on surveys.id = respondents.survey_id left join dmas on dmas.code = respondents.dma`

function matching({ services }: Pick<Ctx, 'services'>, { id, search, outcome, from, to }: RespondentFilter) {
  const days = inDays(sql`respondents.at`, { from, to }, services.settings.timeZone)
  return sql.join(
    [
      sql<SqlBool>`respondents.survey_id in ${surveysOf(id)}`,
      ...(outcome === 'all' ? [] : [sql<SqlBool>`respondents.outcome = ${outcome}`]),
      ...foldedWords(search).map((word) => holds(services.database, 'respondents.respondent_id', word)),
      ...days.filter((one) => one !== undefined && one !== ''),
    ],
    sql` and `,
  )
}

/** Newest first; the same respondent may have answered two surveys at once. */
const ORDER: readonly SortKey[] = [
  { by: sql.ref('respondents.at'), way: 'desc', full: true },
  { by: sql.ref('respondents.respondent_id'), way: 'asc', full: true },
  { by: sql.ref('respondents.survey_id'), way: 'asc', full: true },
]

const counted = async (ctx: Ctx, filter: RespondentFilter) => {
  const { rows } = await sql<{
    count: number
  }>`select count(*) as count from ${respondentsOf(filter)} where ${matching(ctx, filter)}`.execute(ctx.db)
  return Number(rows[0]!.count)
}

/** A page of the respondents to an activity's surveys, newest first. */
export async function respondentPage(ctx: Ctx, { page, per_page, ...filter }: RespondentsInput) {
  const where = matching(ctx, filter)
  // Behind the values that are sorted by, a cursor has the number of the page's last row.
  const values = cursorOf(ctx, ORDER.length + 1)
  const first = values ? Number(values.at(-1)) : offsetOf({ page, per_page })
  const rest = values ? sql` and ${behind(ctx.services.database.engine, ORDER, values)}` : sql``
  const [{ rows }, count] = await Promise.all([
    sql<
      ActingRespondent & { survey_id: number }
    >`select ${shownFrom(filter)} where ${where}${rest} order by ${sql.join(orderBy(ORDER))}
      limit ${per_page + 1} offset ${values ? 0 : first}`.execute(ctx.db),
    counted(ctx, filter),
  ])
  const shown = rows.slice(0, per_page)
  const last = rows.length > per_page ? shown.at(-1) : undefined
  ctx.endsAt(last ? [last.at, last.person, last.survey_id, first + shown.length] : null)
  return {
    rows: shown.map(({ person, outcome, market, at }, index) => ({ id: first + index + 1, person, outcome, market, at })),
    count,
  }
}

/** All matches by survey and respondent: paged by key and never sorted, as there may be a million. */
export async function respondentPages(ctx: Ctx, filter: RespondentFilter) {
  const where = matching(ctx, filter)
  async function* pages(): AsyncGenerator<ActingRespondent[]> {
    let after: { survey_id: number; person: string } | null = null
    for (;;) {
      const later: ReturnType<typeof sql> = after
        ? sql`and (respondents.survey_id > ${after.survey_id} or (respondents.survey_id = ${after.survey_id} and respondents.respondent_id > ${after.person}))`
        : sql``
      const { rows } = await sql<ActingRespondent & { survey_id: number }>`select ${shownFrom(filter)} where ${where} ${later}
        order by respondents.survey_id, respondents.respondent_id limit ${PAGE}`.execute(ctx.db)
      if (rows.length) yield rows
      if (rows.length < PAGE) return
      after = rows.at(-1)!
    }
  }
  return { count: await counted(ctx, filter), pages }
}

/** The number of respondents to an activity's surveys, from counters: nobody answers a survey twice. */
export async function respondentsCounted(ctx: Pick<Ctx, 'db'>, activity_id: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(completes + terminates + overquota + partials), 0) as count from demo_cells
    where cell = ${TOTAL} and survey_id in ${surveysOf(activity_id)}`.execute(ctx.db)
  return Number(rows[0]!.count)
}
