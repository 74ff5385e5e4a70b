import { setImmediate as breathe } from 'node:timers/promises'
import { type CellFilter, WHO } from '../runtime/cells.ts'
import { getOrInsert } from '../runtime/getOrInsert.ts'
import { BEYOND_FIRST, isHashed, isTotal } from './answerCodes.ts'
import { type ByWho, byWho, sumOf } from './bases.ts'
import type { Chart } from './charts.ts'
import { type AnswerColumn, groupedHistogram, histogram, type Reading, SLOTS, SurveyAnswers, totalsOf } from './surveyAnswers.ts'

/** The counts of one chart. */
export interface AnswerCounts {
  /** Completes with an answer. */
  answered: ByWho
  /** The number of answers. */
  total: number
  /** Completes by answer; for an open question only the most frequent ones. */
  values: Map<string, ByWho>
  /** How many distinct answers `values` leaves out. */
  more: number
}

/** The most answers of an open question that are counted by age and gender. */
export const MOST = 100
/** Columns with more codes are counted in two passes, first by code alone. */
const MANY = 16_384
/** The most distinct numbers read from counters, which have a row for each age and gender. */
const FEW_NUMBERS = 255
const blank = (): AnswerCounts => ({ answered: byWho(), total: 0, values: new Map(), more: 0 })

/**
 * Counts the answers of charts under a filter.
 * Without other filters than age and gender, most come from counters; open answers and the rest from the columns.
 */
export async function countAnswers(at: Reading, charts: readonly Chart[], filter: CellFilter): Promise<Map<Chart, AnswerCounts>> {
  const surveys = [...new Set(charts.flatMap(({ places }) => places.map(({ survey }) => survey)))]
  const found = new Map(charts.map((chart) => [chart, blank()]))
  const plain = !filter.hhi && !filter.ethnicity && !filter.dwell && !filter.notice
  const counted = plain ? await countedQuestions(at, surveys, charts) : new Set<number>()
  await addCounters(at, found, counted, filter)
  const opened = new Map<number, SurveyAnswers>()
  const open = async (survey: number) => {
    const known = opened.get(survey) ?? (await SurveyAnswers.open(at, survey, filter))
    opened.set(survey, known)
    return known
  }
  for (const [chart, into] of found) {
    const places = chart.places.filter(({ question }) => !counted.has(question))
    if (!places.length) continue
    const columns: Read[] = []
    for (const { survey, question } of places) {
      const people = await open(survey)
      columns.push({ people, question, column: await people.column(question) })
    }
    if (chart.head.answer_type === 'open') await addOpen(into, columns)
    else for (const one of columns) await addColumn(into, one)
    await breathe()
  }
  return found
}

/** Questions that, filtered by age and gender alone, take few rows of counters. */
async function countedQuestions(at: Reading, surveys: readonly number[], charts: readonly Chart[]): Promise<Set<number>> {
  const places = charts.flatMap(({ head, places }) => places.map((one) => ({ ...one, type: head.answer_type })))
  const here = places.filter(({ type }) => type !== 'open')
  const numbers = here.filter(({ type }) => type === 'number').map(({ question }) => question)
  const different = new Map<number, number>()
  if (numbers.length)
    for (const { question_id, last } of await at.db
      .selectFrom('answer_texts')
      .select((eb) => ['question_id', eb.fn.max('text_id').as('last')])
      .where('survey_id', 'in', surveys)
      .where('question_id', 'in', numbers)
      .groupBy('question_id')
      .execute())
      different.set(Number(question_id), Number(last))
  return new Set(here.flatMap(({ question }) => ((different.get(question) ?? 0) > FEW_NUMBERS ? [] : [question])))
}

/** A question's column in one survey. */
interface Read {
  people: SurveyAnswers
  question: number
  column: AnswerColumn
}

async function addCounters(
  at: Reading,
  found: Map<Chart, AnswerCounts>,
  questions: ReadonlySet<number>,
  filter: CellFilter,
): Promise<void> {
  const into = new Map<number, AnswerCounts>()
  const surveys = new Set<number>()
  for (const [chart, counts] of found)
    for (const { survey, question } of chart.places) {
      if (!questions.has(question)) continue
      into.set(question, counts)
      surveys.add(survey)
    }
  if (!into.size) return
  let query = at.db
    .selectFrom('answer_cells')
    .select(['question_id', 'value', 'age', 'gender', 'completes'])
    .where('survey_id', 'in', [...surveys])
    .where('question_id', 'in', [...into.keys()])
  if (filter.age) query = query.where('age', 'in', filter.age)
  if (filter.gender) query = query.where('gender', 'in', filter.gender)
  const rows = await query.execute()
  const long = await longTexts(at, rows)
  for (const { question_id, value: counted, age, gender, completes } of rows) {
    const value = long.get(`${question_id} ${counted}`) ?? counted
    if (isTotal(value)) continue
    const counts = into.get(Number(question_id))!
    const [who, count] = [Number(age) * 4 + Number(gender), Number(completes)]
    if (value === BEYOND_FIRST) counts.answered[who]! -= count
    else {
      counts.answered[who]! += count
      counts.total += count
      getOrInsert(counts.values, value, byWho)[who]! += count
    }
  }
}

/** Long texts by question, with the keys that counters use for them; only questions that are or were open have any. */
async function longTexts(
  { db }: Reading,
  rows: readonly { question_id: number; value: string }[],
): Promise<ReadonlyMap<string, string>> {
  const lookups = [...new Set(rows.flatMap(({ value }) => (isHashed(value) ? [value] : [])))]
  if (!lookups.length) return new Map()
  const questions = [...new Set(rows.map(({ question_id }) => question_id))]
  const found = await db
    .selectFrom('answer_texts')
    .select(['question_id', 'lookup', 'text'])
    .where('question_id', 'in', questions)
    .where('lookup', 'in', lookups)
    .execute()
  return new Map(found.map(({ question_id, lookup, text }) => [`${question_id} ${lookup}`, text]))
}

/** The answers that a code represents. */
const answersOf = ({ parts }: AnswerColumn, code: number): readonly number[] => parts.get(code) ?? [code]

/** Counts a column's answers by age and gender. */
async function addColumn(into: AnswerCounts, { people, question, column }: Read): Promise<void> {
  const counts = histogram(people, column)
  const values = new Map<number, ByWho>()
  for (let code = 1; code <= column.max; code++) {
    const by = counts.subarray(code * SLOTS, code * SLOTS + WHO)
    if (!by.some(Boolean)) continue
    addUp(into.answered, by)
    for (const answer of answersOf(column, code)) addUp(getOrInsert(values, answer, byWho), by)
  }
  const texts = await people.texts(question, [...values.keys()])
  for (const [code, by] of values) {
    into.total += sumOf(by)
    addUp(getOrInsert(into.values, texts.get(code) ?? '', byWho), by)
  }
}

function addUp(into: ByWho, by: ArrayLike<number>): void {
  for (let who = 0; who < WHO; who++) into[who]! += by[who]!
}

/** Counts columns of open answers: all of them by code, then the most frequent by age and gender. */
async function addOpen(into: AnswerCounts, columns: readonly Read[]): Promise<void> {
  const dense = columns.map(({ people, column }) => (column.max <= MANY ? histogram(people, column) : null))
  const each = columns.map(({ people, column }, at) => countsOf(people, column, dense[at]))
  for (const counts of each) for (const count of counts.values()) into.total += count
  // With a single survey, codes identify texts, so only the shown texts have to be read.
  const single = columns.length === 1
  const texts = await Promise.all(
    columns.map(({ people, question }, at) => people.texts(question, single ? topOf(each[at]!) : [...each[at]!.keys()])),
  )
  const totals = new Map<string, number>()
  for (const [at, counts] of each.entries())
    for (const [code, text] of texts[at]!) if (counts.has(code)) totals.set(text, (totals.get(text) ?? 0) + counts.get(code)!)
  const shown = new Set(
    [...totals]
      .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
      .slice(0, MOST)
      .map(([text]) => text),
  )
  for (const text of shown) getOrInsert(into.values, text, byWho)
  into.more += (single ? each[0]!.size : totals.size) - shown.size
  for (const [at, read] of columns.entries()) addShown(into, read, { texts: texts[at]!, shown, dense: dense[at]! })
}

/** The codes of the most frequent answers. */
const topOf = (counts: ReadonlyMap<number, number>): number[] =>
  [...counts]
    .sort(([a, one], [b, other]) => other - one || a - b)
    .slice(0, MOST)
    .map(([code]) => code)

/** Counts by answer, with combinations counted individually. `dense` is the column's histogram, if there is one. */
export function countsOf(people: SurveyAnswers, column: AnswerColumn, dense?: Uint32Array | null): Map<number, number> {
  const counts = new Map<number, number>()
  const totals = dense ? null : totalsOf(people.who, column)
  for (let code = 1; code <= column.max; code++) {
    const count = totals ? totals[code]! : sumOf(dense!.subarray(code * SLOTS, code * SLOTS + WHO))
    if (count) for (const answer of answersOf(column, code)) counts.set(answer, (counts.get(answer) ?? 0) + count)
  }
  return counts
}

/** Adds a column's answers by age and gender: all respondents with an answer, and each shown text. */
function addShown(
  into: AnswerCounts,
  { people, column }: Read,
  { texts, shown, dense }: { texts: ReadonlyMap<number, string>; shown: ReadonlySet<string>; dense: Uint32Array | null },
): void {
  const sumsOf = (code: number): ByWho[] =>
    answersOf(column, code).flatMap((one) => (shown.has(texts.get(one) ?? '') ? [into.values.get(texts.get(one)!)!] : []))
  if (dense) {
    for (let code = 1; code <= column.max; code++) {
      const by = dense.subarray(code * SLOTS, code * SLOTS + WHO)
      addUp(into.answered, by)
      for (const sums of sumsOf(code)) addUp(sums, by)
    }
    return
  }
  // Only shown codes get groups of their own; the second group collects the others.
  const groups: ByWho[][] = [[], []]
  const groupOf = new Uint32Array(column.max + 1).fill(1)
  groupOf[0] = 0
  for (const code of [...texts.keys(), ...column.parts.keys()]) {
    const sums = sumsOf(code)
    if (sums.length) groupOf[code] = groups.push(sums) - 1
  }
  const counts = groupedHistogram(people.who, column, groupOf, groups.length)
  for (const [group, all] of groups.entries()) {
    if (!group) continue
    const by = counts.subarray(group * SLOTS, group * SLOTS + WHO)
    for (const sums of [into.answered, ...all]) addUp(sums, by)
  }
}
