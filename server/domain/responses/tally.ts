import { setImmediate as breathe } from 'node:timers/promises'
import { type CellFilter, WHO } from '../runtime/cells.ts'
import { getOrInsert } from '../runtime/getOrInsert.ts'
import { type ByWho, byWho, sumOf } from './bases.ts'
import type { Chart } from './charts.ts'
import { BEYOND_FIRST, isTotal } from './codes.ts'
import { type AnswerColumn, histogram, isFilled, type Reading, SurveyAnswers, totalsOf } from './surveyAnswers.ts'

/** The answers of one chart. */
export interface Tallied {
  /** Completes with an answer. */
  answered: ByWho
  /** Answers given. */
  total: number
  /** Completes by answer; of an open question the most frequent ones. */
  values: Map<string, ByWho>
  /** Different answers that `values` lacks. */
  more: number
}

/** Answers of an open question that are counted by age and gender. */
export const MOST = 100
/** Columns with more codes are counted in two passes, first by code alone. */
const MANY = 2000
const isCounted = ({ head }: Chart) => head.answer_type === 'single' || head.answer_type === 'multiple'
const blank = (): Tallied => ({ answered: byWho(), total: 0, values: new Map(), more: 0 })

/**
 * Counts the answers of charts under a filter.
 * Age and gender are read from counters, everything else from the columns of the questions asked for.
 */
export async function tallied(at: Reading, charts: readonly Chart[], filter: CellFilter): Promise<Map<Chart, Tallied>> {
  const surveys = [...new Set(charts.flatMap(({ asked }) => asked.map(({ survey }) => survey)))]
  const found = new Map(charts.map((chart) => [chart, blank()]))
  const plain = !filter.hhi && !filter.ethnicity && !filter.dwell && !filter.notice
  const filled = new Set<number>()
  if (plain) for (const survey of surveys) if (await isFilled(at.db, survey)) filled.add(survey)
  await addCounters(at, found, filled, filter)
  const opened = new Map<number, SurveyAnswers>()
  const open = async (survey: number) => {
    const known = opened.get(survey) ?? (await SurveyAnswers.open(at, survey, filter))
    opened.set(survey, known)
    return known
  }
  for (const [chart, into] of found) {
    const asked = chart.asked.filter(({ survey }) => !isCounted(chart) || !filled.has(survey))
    if (!asked.length) continue
    const columns: Read[] = []
    for (const { survey, question } of asked) {
      const people = await open(survey)
      columns.push({ people, question, column: await people.column(question) })
    }
    if (isCounted(chart)) for (const one of columns) await addColumn(into, one)
    else await addMany(into, columns, chart.head.answer_type === 'number' ? Number.POSITIVE_INFINITY : MOST)
    await breathe()
  }
  return found
}

/** A question's column in one survey. */
interface Read {
  people: SurveyAnswers
  question: number
  column: AnswerColumn
}

async function addCounters(
  at: Reading,
  found: Map<Chart, Tallied>,
  surveys: ReadonlySet<number>,
  filter: CellFilter,
): Promise<void> {
  const into = new Map<number, Tallied>()
  for (const [chart, counts] of found)
    if (isCounted(chart)) for (const { survey, question } of chart.asked) if (surveys.has(survey)) into.set(question, counts)
  if (!into.size) return
  let query = at.db
    .selectFrom('answer_cells')
    .select(['question_id', 'value', 'age', 'gender', 'completes'])
    .where('survey_id', 'in', [...surveys])
    .where('question_id', 'in', [...into.keys()])
  if (filter.age) query = query.where('age', 'in', filter.age)
  if (filter.gender) query = query.where('gender', 'in', filter.gender)
  for (const { question_id, value, age, gender, completes } of await query.execute()) {
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

/** The answers that a code stands for. */
const answersOf = ({ parts }: AnswerColumn, code: number): readonly number[] => parts.get(code) ?? [code]

async function addColumn(into: Tallied, { people, question, column }: Read): Promise<void> {
  if (column.max > MANY) return addMany(into, [{ people, question, column }], Number.POSITIVE_INFINITY)
  const counts = histogram(people.who, column)
  const values = new Map<number, ByWho>()
  for (let code = 1; code <= column.max; code++) {
    const by = counts.subarray(code << 6, (code << 6) + WHO)
    if (!by.some(Boolean)) continue
    for (let who = 0; who < WHO; who++) into.answered[who]! += by[who]!
    for (const answer of answersOf(column, code)) {
      const sums = getOrInsert(values, answer, byWho)
      for (let who = 0; who < WHO; who++) sums[who]! += by[who]!
    }
  }
  const texts = await people.texts(question, [...values.keys()])
  for (const [code, by] of values) {
    into.total += sumOf(by)
    const sums = getOrInsert(into.values, texts.get(code) ?? '', byWho)
    for (let who = 0; who < WHO; who++) sums[who]! += by[who]!
  }
}

/** Counts columns with many answers: all by code, then the `most` frequent by age and gender. */
async function addMany(into: Tallied, columns: readonly Read[], most: number): Promise<void> {
  const each = columns.map(({ people, column }) => countsOf(people, column))
  for (const counts of each) for (const count of counts.values()) into.total += count
  // One survey's codes are its texts, so only those that are shown have to be read.
  const single = columns.length === 1 && most !== Number.POSITIVE_INFINITY
  const top = (counts: ReadonlyMap<number, number>) =>
    [...counts].sort(([a, one], [b, other]) => other - one || a - b).slice(0, most)
  const texts = await Promise.all(
    columns.map(({ people, question }, at) =>
      people.texts(question, single ? top(each[at]!).map(([code]) => code) : [...each[at]!.keys()]),
    ),
  )
  const totals = new Map<string, number>()
  for (const [at, counts] of each.entries())
    for (const [code, text] of texts[at]!) if (counts.has(code)) totals.set(text, (totals.get(text) ?? 0) + counts.get(code)!)
  const shown = [...totals].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).slice(0, most)
  const slots = new Map(shown.map(([text], slot) => [text, slot]))
  const sums = shown.map(([text]) => getOrInsert(into.values, text, byWho))
  into.more += (single ? each[0]!.size : totals.size) - shown.length
  for (const [at, { people, column }] of columns.entries())
    addSlots(into, sums, people.who, column, slotsOf(column, texts[at]!, slots))
}

/** Counts by answer, several given together counted one by one. */
export function countsOf(people: SurveyAnswers, column: AnswerColumn): Map<number, number> {
  const counts = new Map<number, number>()
  const totals = totalsOf(people.who, column)
  for (let code = 1; code <= column.max; code++) {
    const count = totals[code]!
    if (count) for (const answer of answersOf(column, code)) counts.set(answer, (counts.get(answer) ?? 0) + count)
  }
  return counts
}

/** The slots of each code; undefined for one without. */
function slotsOf(
  column: AnswerColumn,
  texts: ReadonlyMap<number, string>,
  slots: ReadonlyMap<string, number>,
): (number[] | undefined)[] {
  const byCode: (number[] | undefined)[] = []
  const slotOf = (code: number) => slots.get(texts.get(code) ?? '\u0000')
  for (const [code] of texts) {
    const slot = slotOf(code)
    if (slot !== undefined) byCode[code] = [slot]
  }
  for (const [code, parts] of column.parts) byCode[code] = parts.map(slotOf).filter((slot) => slot !== undefined)
  return byCode
}

function addSlots(
  into: Tallied,
  sums: readonly ByWho[],
  who: Uint8Array,
  { pieces }: AnswerColumn,
  slots: readonly (number[] | undefined)[],
): void {
  for (const { first, codes } of pieces) {
    const people = who.subarray(first, first + codes.length)
    for (let at = 0; at < people.length; at++) {
      const [code, by] = [codes[at]!, people[at]!]
      if (!code || by >= WHO) continue
      into.answered[by]!++
      const some = slots[code]
      if (some) for (const slot of some) sums[slot]![by]!++
    }
  }
}
