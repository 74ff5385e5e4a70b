import { setImmediate as breathe } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Ctx } from '../../core/context.ts'

/* Who answered a question: completes by the counters, as in User Responses, all others by what is stored of them. */

const SPACES = sql.lit(' \t\n\r')
/**
 * Completes that answered a question of `questions`, as SQL: the base of its chart.
 * Further answers of one complete are taken off (the row without a text), a row "Total" counts nothing.
 */
export const ANSWERED = sql<number>`(select coalesce(sum(case
    when answer_cells.value = '' then -answer_cells.completes
    when length(answer_cells.value) < 12 and lower(ltrim(rtrim(answer_cells.value, ${SPACES}), ${SPACES})) = 'total' then 0
    else answer_cells.completes end), 0)
  from answer_cells where answer_cells.survey_id = questions.survey_id and answer_cells.question_id = questions.id)`

const PAGE = 5000

/** Those among a survey's questions that anybody answered, whatever their outcome. */
export async function answeredAmong(
  ctx: Pick<Ctx, 'db'>,
  survey_id: number,
  questions: readonly { id: number }[],
): Promise<Set<number>> {
  if (!questions.length) return new Set()
  const counted = await ctx.db
    .selectFrom('answer_cells')
    .select('question_id')
    .distinct()
    .where('survey_id', '=', survey_id)
    .where(
      'question_id',
      'in',
      questions.map(({ id }) => id),
    )
    .where('completes', '>', 0)
    .execute()
  const found = new Set(counted.map(({ question_id }) => Number(question_id)))
  const { others } = await ctx.db
    .selectFrom('demo_cells')
    .select(sql<number>`coalesce(sum(terminates + overquota + partials), 0)`.as('others'))
    .where('survey_id', '=', survey_id)
    .where('cell', '=', -1)
    .executeTakeFirstOrThrow()
  let open = questions.filter(({ id }) => !found.has(id))
  // Only completes have counters, so what others said is looked for page by page.
  for (let after: string | null = Number(others) ? '' : null; after !== null && open.length; ) {
    const said = open.map(
      ({ id }, at) => sql`max(case when answers like ${`%"${id}":%`} then 1 else 0 end) as ${sql.ref(`q${at}`)}`,
    )
    const { rows }: { rows: ({ last: string | null } & Record<string, unknown>)[] } = await sql<{ last: string | null }>`
      select max(respondent_id) as last, ${sql.join(said)} from (
        select respondent_id, case when outcome = 'completes' then '' else answers end as answers from respondents
         where survey_id = ${survey_id} and respondent_id > ${after} order by respondent_id limit ${PAGE}) as page`.execute(
      ctx.db,
    )
    const row = rows[0]!
    for (const [at, { id }] of open.entries()) if (Number(row[`q${at}`])) found.add(id)
    open = open.filter(({ id }) => !found.has(id))
    after = row.last
    await breathe()
  }
  return found
}
