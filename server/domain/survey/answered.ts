import { sql } from 'kysely'
import type { Ctx } from '../../core/context.ts'

/* Who answered a question: completes from counters, like User Responses; everyone else from stored respondents. */

const SPACES = sql.lit(' \t\n\r')
/**
 * How many completes answered a question, as SQL over `questions`: the base of its chart.
 * Subtracts a complete's further answers (the row without a text) and ignores rows called "Total".
 */
export const ANSWERED = sql<number>`(select coalesce(sum(case
    when answer_cells.value = '' then -answer_cells.completes
    when length(answer_cells.value) < 12 and lower(ltrim(rtrim(answer_cells.value, ${SPACES}), ${SPACES})) = 'total' then 0
    else answer_cells.completes end), 0)
  from answer_cells where answer_cells.survey_id = questions.survey_id and answer_cells.question_id = questions.id)`

/** The survey's questions that have answers from any respondent, whatever the outcome. */
export async function answeredAmong(
  ctx: Pick<Ctx, 'db'>,
  survey_id: number,
  questions: readonly { id: number }[],
): Promise<Set<number>> {
  if (!questions.length) return new Set()
  const ids = questions.map(({ id }) => id)
  const counted = await ctx.db
    .selectFrom('answer_cells')
    .select('question_id')
    .distinct()
    .where('survey_id', '=', survey_id)
    .where('question_id', 'in', ids)
    .where('completes', '>', 0)
    .execute()
  const recorded = await ctx.db
    .selectFrom('question_given')
    .select('question_id')
    .where('survey_id', '=', survey_id)
    .where('question_id', 'in', ids)
    .execute()
  return new Set([...counted, ...recorded].map(({ question_id }) => Number(question_id)))
}
