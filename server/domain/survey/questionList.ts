import { type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { allowedActions } from '../../../contract/access.ts'
import type { Paging } from '../../../contract/listInput.ts'
import type { Question, questionCalls } from '../../../contract/question.ts'
import { joinTexts } from '../../../contract/severalTexts.ts'
import { listOf } from '../../core/listBuilder.ts'
import { changedSince, matches } from '../../core/listSearch.ts'
import { projectScope } from '../../core/scope.ts'
import { ANSWERED } from './answered.ts'

type Filter = Omit<z.output<(typeof questionCalls)['question.list']['input']>, Paging>
type Row = Omit<Question, 'options' | 'allowed_actions' | 'refused_actions'> & { options: string }

/** Survey questions first, by position; then profile and reward questions in the order they were added. */
const PLACE = sql`case questions.question_type when 'survey' then questions.position when 'profile' then 1000000 else 2000000 end`
const USED = sql<SqlBool>`questions.retired_at is null`
const FILTERS: Record<Filter['filter'], SqlExpression> = {
  '': USED,
  unanswered: sql<SqlBool>`(questions.retired_at is null and ${ANSWERED} = 0)`,
  retired: sql<SqlBool>`questions.retired_at is not null`,
  all: sql<SqlBool>`1 = 1`,
}
type SqlExpression = typeof USED

/** Parses the stored labels of a question's options. */
export const optionsOf = (stored: string): string[] => (JSON.parse(stored) as unknown[]).map(String)

/** The questions of the surveys a caller can see. */
export const questionList = listOf<'question', Filter, Row, Question>('question', {
  table: 'questions',
  changed: (_ctx, since) => changedSince(since, [sql`questions.updated_at`]),
  join: 'join surveys on surveys.id = questions.survey_id join projects on projects.id = surveys.project_id',
  scope: ({ actor }) => sql<SqlBool>`(surveys.deleted_at is null and ${projectScope(actor)})`,
  where: ({ id, type, answer_type, filter }) => [
    sql<SqlBool>`questions.survey_id = ${id}`,
    type !== '' && sql<SqlBool>`questions.question_type = ${type}`,
    answer_type !== '' && sql<SqlBool>`questions.answer_type = ${answer_type}`,
    FILTERS[filter],
  ],
  columns: () => ({ order: sql`questions.position`, answered: ANSWERED }),
  sorts: { order: PLACE },
  finds: ({ services }, word) =>
    matches(services.database, ['questions.name', 'questions.options', 'questions.vendor_key'], word),
  also: () => [sql`questions.survey_id`, sql`questions.retired_at`, sql`questions.updated_at`, sql`questions.lock_version`],
  shown({ actor }, rows) {
    return rows.map(({ options, ...row }) => {
      const { question_type, retired_at } = row
      const allowed = allowedActions('question', actor, { question_type, retired: retired_at !== null })
      return {
        ...row,
        options: optionsOf(options),
        ...(allowed as Pick<Question, 'allowed_actions' | 'refused_actions'>),
      }
    })
  },
  file: {
    title: (_ctx, { id }) => `Questions of S-${id}`,
    cells: { options: ({ options }) => joinTexts(optionsOf(options), '|') },
  },
})
