import type { QuestionHead } from '../../../contract/responses.ts'
import type { Db } from '../../db/connect.ts'
import { getOrInsert } from '../runtime/getOrInsert.ts'
import { isTotal } from './answerCodes.ts'

/** A chart of User Responses: a question of one survey, or the same one in a family's surveys. */
export interface Chart {
  head: QuestionHead
  /** Its options in order. */
  options: readonly string[]
  /** The surveys that ask it, with the question's id in each. */
  places: readonly { survey: number; question: number }[]
}

/** The charts of surveys in order; questions of the same text, type and options share one (screens-projects.md). */
export async function chartsOf(db: Db, surveys: readonly number[]): Promise<Chart[]> {
  if (!surveys.length) return []
  const rows = await db
    .selectFrom('questions')
    .select(['id', 'survey_id', 'name', 'question_type', 'answer_type', 'options', 'vendor_key', 'retired_at'])
    .where('survey_id', 'in', surveys)
    .orderBy('survey_id')
    .orderBy('position')
    .orderBy('id')
    .execute()
  const same = new Map<string, typeof rows>()
  // Two like questions of the same survey get a chart each.
  const seen = new Map<string, number>()
  for (const row of rows) {
    const key = JSON.stringify([row.name.trim(), row.question_type, row.answer_type, row.options])
    const nth = (seen.get(`${row.survey_id} ${key}`) ?? 0) + 1
    seen.set(`${row.survey_id} ${key}`, nth)
    getOrInsert(same, `${nth} ${key}`, () => []).push(row)
  }
  let number = 0
  return [...same.values()].map((members) => {
    const first = members[0]!
    return {
      head: {
        question_id: first.id,
        question_ids: members.map(({ id }) => id),
        survey_id: first.survey_id,
        survey_ids: members.map(({ survey_id }) => survey_id),
        number: first.question_type === 'survey' ? ++number : null,
        title: first.name,
        question_type: first.question_type,
        answer_type: first.answer_type,
        vendor_key: first.vendor_key,
        retired: members.every(({ retired_at }) => retired_at !== null),
      },
      options: [...new Set((JSON.parse(first.options) as unknown[]).map(String))].filter((label) => !isTotal(label)),
      places: members.map(({ survey_id, id }) => ({ survey: survey_id, question: id })),
    }
  })
}

/** The chart that contains a question; undefined if these surveys don't ask it. */
export const chartWith = (charts: readonly Chart[], question: number): Chart | undefined =>
  charts.find(({ head }) => head.question_ids.includes(question))
