import { type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import type { contentCalls } from '../../../contract/content.ts'
import type { Ctx } from '../../core/context.ts'
import { holds, offsetOf, wordsOf } from '../../core/listSearch.ts'
import { TOTAL } from '../runtime/cells.ts'
import { inDays } from './list.ts'

type RespondentsInput = z.output<(typeof contentCalls)['content.respondents']['input']>
/** The filter of a survey activity's respondents; `id` is the activity. */
export type RespondentFilter = Omit<RespondentsInput, 'page' | 'per_page'>
/** A respondent as an administrator reads them: never an address (decided). */
export interface ActingRespondent {
  person: string
  outcome: string
  market: string
  at: string
  survey: string
}
/** Rows that an export reads at a time. */
const PAGE = 1000

const surveysOf = (activity_id: number) =>
  sql`(select id from surveys where surveys.activity_id = ${activity_id} and surveys.deleted_at is null)`
const SHOWN = sql`respondents.respondent_id as person, respondents.outcome, coalesce(dmas.name, '') as market, respondents.at,
  respondents.survey_id, surveys.name as survey
  from respondents join surveys on surveys.id = respondents.survey_id left join dmas on dmas.code = respondents.dma`

function matching({ services }: Pick<Ctx, 'services'>, { id, search, outcome, from, to }: RespondentFilter) {
  const days = inDays(sql`respondents.at`, { from, to }, services.settings.timeZone)
  return sql.join(
    [
      sql<SqlBool>`respondents.survey_id in ${surveysOf(id)}`,
      ...(outcome === 'all' ? [] : [sql<SqlBool>`respondents.outcome = ${outcome}`]),
      ...wordsOf(search).map((word) => holds(services.database, 'respondents.respondent_id', word)),
      ...days.filter((one) => one !== undefined && one !== ''),
    ],
    sql` and `,
  )
}

const counted = async (ctx: Ctx, where: ReturnType<typeof matching>) => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from respondents where ${where}`.execute(ctx.db)
  return Number(rows[0]!.count)
}

/** A page of the respondents to an activity's surveys, newest first. */
export async function respondentPage(ctx: Ctx, { page, per_page, ...filter }: RespondentsInput) {
  const where = matching(ctx, filter)
  const [{ rows }, count] = await Promise.all([
    sql<ActingRespondent>`select ${SHOWN} where ${where} order by respondents.at desc, respondents.respondent_id
      limit ${per_page} offset ${offsetOf({ page, per_page })}`.execute(ctx.db),
    counted(ctx, where),
  ])
  return { rows: rows.map(({ person, outcome, market, at }) => ({ person, outcome, market, at })), count }
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
      const { rows } = await sql<ActingRespondent & { survey_id: number }>`select ${SHOWN} where ${where} ${later}
        order by respondents.survey_id, respondents.respondent_id limit ${PAGE}`.execute(ctx.db)
      if (rows.length) yield rows
      if (rows.length < PAGE) return
      after = rows.at(-1)!
    }
  }
  return { count: await counted(ctx, where), pages }
}

/** The number of respondents to an activity's surveys, from counters: nobody answers a survey twice. */
export async function respondentsCounted(ctx: Pick<Ctx, 'db'>, activity_id: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(completes + terminates + overquota + partials), 0) as count from demo_cells
    where cell = ${TOTAL} and survey_id in ${surveysOf(activity_id)}`.execute(ctx.db)
  return Number(rows[0]!.count)
}
