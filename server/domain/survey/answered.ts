import { setImmediate as breathe } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Ctx } from '../../core/context.ts'
import type { QuestionTable } from '../../db/schema.ts'
import { answersIn } from '../responses/answerCodes.ts'
import { isFilled } from '../responses/surveyAnswers.ts'

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

/**
 * How much `ANSWERED` overcounts, by question: further answers of completes that an older release stored.
 * The counters are corrected once these completes get column positions, so this soon returns nothing.
 */
export async function overcounted(ctx: Pick<Ctx, 'db'>, survey_id: number): Promise<Map<number, number>> {
  const found = new Map<number, number>()
  if (await isFilled(ctx.db, survey_id)) return found
  for (let after = ''; ; ) {
    const rows = await ctx.db
      .selectFrom('respondents')
      .select(['respondent_id', 'outcome', 'answers', 'ordinal'])
      .where('survey_id', '=', survey_id)
      .where('respondent_id', '>', after)
      .orderBy('respondent_id')
      .limit(PAGE)
      .execute()
    for (const { outcome, answers, ordinal } of rows) {
      if (outcome !== 'completes' || ordinal !== null || !answers.includes('[')) continue
      for (const [question, answer] of Object.entries(JSON.parse(answers) as Record<string, unknown>)) {
        const beyond = Array.isArray(answer) ? answersIn(answer).length - 1 : 0
        if (beyond > 0) found.set(Number(question), (found.get(Number(question)) ?? 0) + beyond)
      }
    }
    if (rows.length < PAGE) return found
    after = rows.at(-1)!.respondent_id
    await breathe()
  }
}

const PAGE = 5000
type SurveyQuestion = Pick<QuestionTable, 'created_at'> & { id: number }

/** The survey's questions that have answers from any respondent, whatever the outcome. */
export async function answeredAmong(
  ctx: Pick<Ctx, 'db'>,
  survey_id: number,
  questions: readonly SurveyQuestion[],
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
