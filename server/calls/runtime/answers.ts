import { setImmediate as breathe } from 'node:timers/promises'
import { sql } from 'kysely'
import type { QuestionResponses } from '../../../contract/runtime.ts'
import { AGES, GENDERS } from '../../../contract/vocabulary.ts'
import type { Db } from '../../db/connect.ts'
import { type CellFilter, matches, unpackCell } from '../../domain/runtime/cells.ts'
import { getOrInsert } from '../../domain/runtime/getOrInsert.ts'
import { percentOf } from './figures.ts'
import type { Range } from './range.ts'

/** Completes by question, answer, age and gender. */
type Counts = Map<number, Map<string, Map<number, number>>>
const PAGE = 2000

/** Answers by question. Only age and gender are counted at intake, so other filters read the answers themselves. */
export async function answersByQuestion(db: Db, range: Range, filter: CellFilter): Promise<QuestionResponses[]> {
  const { surveys } = range
  if (!surveys.length) return []
  const counts =
    filter.hhi || filter.ethnicity || filter.dwell || filter.notice
      ? await readAnswers(db, surveys, filter)
      : await readCounters(db, surveys, filter)
  const questions = await db
    .selectFrom('questions')
    .selectAll()
    .where('survey_id', 'in', surveys)
    .orderBy('survey_id')
    .orderBy('position')
    .orderBy('id')
    .execute()
  return questions
    .filter((question) => question.question_type === 'survey' || counts.has(question.id))
    .map((question) => {
      const said = counts.get(question.id) ?? new Map<string, Map<number, number>>()
      const offered = (JSON.parse(question.options) as unknown[]).map(String)
      const sums = new Map([...said].map(([value, who]) => [value, [...who.values()].reduce((sum, count) => sum + count, 0)]))
      const others = [...sums.keys()]
        .filter((value) => !offered.includes(value))
        .sort((a, b) => sums.get(b)! - sums.get(a)! || (a < b ? -1 : 1))
      const total = [...sums.values()].reduce((sum, count) => sum + count, 0)
      return {
        question_id: question.id,
        survey_id: question.survey_id,
        title: question.name,
        question_type: question.question_type,
        total,
        // Free texts can be as many as people: a chart shows the top hundred, the export has all.
        rows: [...offered, ...others.slice(0, Math.max(0, 100 - offered.length))].map((label) => {
          const value = sums.get(label) ?? 0
          return { label, value, percent: percentOf(value, total), ...splits(said.get(label) ?? new Map()) }
        }),
      }
    })
}

/** An answer's completes by gender and by age. */
function splits(who: ReadonlyMap<number, number>): { gender: Record<string, number>; age: Record<string, number> } {
  const gender: Record<string, number> = Object.fromEntries([...GENDERS.map((term) => [term.value, 0]), ['unknown', 0]])
  const age: Record<string, number> = Object.fromEntries([...AGES.map((term) => [String(term.value), 0]), ['8', 0]])
  for (const [key, count] of who) {
    gender[GENDERS[(key & 3) - 1]?.value ?? 'unknown']! += count
    age[String(key >> 2 || 8)]! += count
  }
  return { gender, age }
}

function add(counts: Counts, question: number, value: string, who: number, completes: number): void {
  const values = getOrInsert(counts, question, () => new Map<string, Map<number, number>>())
  const people = getOrInsert(values, value, () => new Map<number, number>())
  people.set(who, (people.get(who) ?? 0) + completes)
}

async function readCounters(db: Db, surveys: readonly number[], filter: CellFilter): Promise<Counts> {
  let query = db
    .selectFrom('answer_cells')
    .select((eb) => ['question_id', 'value', 'age', 'gender', eb.fn.sum<number>('completes').as('completes')])
    .where('survey_id', 'in', surveys)
  if (filter.age) query = query.where('age', 'in', filter.age)
  if (filter.gender) query = query.where('gender', 'in', filter.gender)
  const counts: Counts = new Map()
  for (const row of await query.groupBy(['question_id', 'value', 'age', 'gender']).execute())
    add(counts, row.question_id, row.value, row.age * 4 + row.gender, Number(row.completes))
  return counts
}

/** Pages through the completes by key, so that other requests get their turn. */
async function readAnswers(db: Db, surveys: readonly number[], filter: CellFilter): Promise<Counts> {
  const counts: Counts = new Map()
  for (const survey of surveys) {
    for (let after = ''; ; ) {
      const { rows } = await sql<{ respondent_id: string; outcome: string; cell: number; answers: string }>`
        select respondent_id, outcome, cell, answers from respondents where survey_id = ${survey} and respondent_id > ${after} order by respondent_id limit ${PAGE}`.execute(
        db,
      )
      for (const row of rows) {
        if (row.outcome !== 'completes' || !row.answers || !matches(filter, row.cell)) continue
        const { age, gender } = unpackCell(row.cell)
        for (const [question, said] of Object.entries(JSON.parse(row.answers) as Record<string, string | string[]>)) {
          for (const value of [said].flat()) add(counts, Number(question), String(value), age * 4 + gender, 1)
        }
      }
      if (rows.length < PAGE) break
      after = rows.at(-1)!.respondent_id
      await breathe()
    }
  }
  return counts
}
