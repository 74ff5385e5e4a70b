import { setImmediate as breathe } from 'node:timers/promises'
import { sharesOf } from '../../../contract/percentages.ts'
import type { Crosstab } from '../../../contract/responses.ts'
import {
  AGES,
  agesOf,
  CHILDREN,
  CROSSTAB_BY,
  type CrosstabDemographic,
  ETHNICITIES,
  GENDERS,
  INCOMES,
  MARITAL,
  type Term,
} from '../../../contract/vocabulary.ts'
import { invalid } from '../../core/errors.ts'
import { type CellFilter, DIMENSIONS, WHO } from '../runtime/cells.ts'
import { getOrInsert } from '../runtime/getOrInsert.ts'
import { type Chart, chartWith } from './charts.ts'
import { MOST } from './countAnswers.ts'
import { masked } from './mask.ts'
import { binAt, binsOf, numberOf, spelledAs } from './responses.ts'
import { type AnswerColumn, type Reading, SurveyAnswers } from './surveyAnswers.ts'

/** A demographic as columns: its terms by number, and how to find a complete's number. */
interface Demographic {
  terms: readonly { value: string; label: string; code: number }[]
  read(people: SurveyAnswers): Promise<(place: number) => number>
}
const termsOf = (terms: readonly Term[], from: number, unknown: Term, code: number) => [
  ...terms.map(({ value, label }, at) => ({ value: String(value), label, code: at + from })),
  { value: String(unknown.value), label: unknown.label, code },
]
const UNKNOWN = { value: 'unknown', label: 'Unknown' }
const ofCell = (name: 'age' | 'gender' | 'hhi' | 'ethnicity') => async (people: SurveyAnswers) => {
  const { shift, mask } = DIMENSIONS[name]
  const { cells } = people
  return (place: number) => (cells[place]! >> shift) & mask
}
const ofHousehold = (shift: number) => async (people: SurveyAnswers) => {
  const all = await people.households()
  return (place: number) => (all[place]! >> shift) & 7
}
const agesWith = (ages: readonly Term[]): Demographic => ({
  terms: termsOf(ages, 1, { value: 8, label: 'Unknown' }, 0),
  read: ofCell('age'),
})
/** TABLE  the demographics of a crosstab. */
const DEMOGRAPHICS: Record<CrosstabDemographic, Demographic> = {
  age: agesWith(AGES),
  gender: { terms: termsOf(GENDERS, 1, UNKNOWN, 0), read: ofCell('gender') },
  income: { terms: termsOf(INCOMES, 0, UNKNOWN, 7), read: ofCell('hhi') },
  ethnicity: { terms: termsOf(ETHNICITIES, 1, UNKNOWN, 0), read: ofCell('ethnicity') },
  marital_status: { terms: termsOf(MARITAL, 1, UNKNOWN, 0), read: ofHousehold(3) },
  children: { terms: termsOf(CHILDREN, 1, UNKNOWN, 0), read: ofHousehold(0) },
}

const demographicOf = (by: CrosstabDemographic, generation: string): Demographic =>
  by === 'age' ? agesWith(agesOf(generation)) : DEMOGRAPHICS[by]

/** Counts of pairs: rows' labels × columns' keys. */
class Pairs {
  base = 0
  readonly columns = new Map<string, number>()
  readonly rows = new Map<string, number>()
  readonly cells = new Map<string, Map<string, number>>()

  add(rows: readonly string[], columns: readonly string[], count: number): void {
    if (!rows.length || !columns.length) return
    this.base += count
    for (const column of columns) this.columns.set(column, (this.columns.get(column) ?? 0) + count)
    for (const row of rows) {
      this.rows.set(row, (this.rows.get(row) ?? 0) + count)
      const cells = getOrInsert(this.cells, row, () => new Map<string, number>())
      for (const column of columns) cells.set(column, (cells.get(column) ?? 0) + count)
    }
  }
}

/** Crosses a question with another or with a demographic; throws 422 for an open question or an unknown `by`. */
export async function crosstabOf(
  at: Reading,
  charts: readonly Chart[],
  chart: Chart,
  { by, generation, filter, mask }: { by: string; generation: string; filter: CellFilter; mask: boolean },
): Promise<Crosstab> {
  const demographic = Object.hasOwn(DEMOGRAPHICS, by) ? demographicOf(by as CrosstabDemographic, generation) : null
  const other = demographic ? null : (chartWith(charts, Number(by)) ?? null)
  if (!demographic && !other) throw invalid('by', `by: question ${by} isn’t in this survey`)
  if (other === chart) throw invalid('by', 'by must be another question')
  for (const [field, one] of [
    ['question', chart],
    ['by', other],
  ] as const)
    if (one?.head.answer_type === 'open') throw invalid(field, `${field}: open answers can’t be crosstabbed`)
  const pairs = new Pairs()
  for (const { survey, question } of chart.places) {
    const second = other?.places.find((one) => one.survey === survey)
    if (other && !second) continue
    const people = await SurveyAnswers.open(at, survey, filter)
    const rows = await labelsOf(people, question)
    const columns = second ? await labelsOf(people, second.question) : null
    const codeOf = columns ? codesByPlace(people, columns.column) : await demographic!.read(people)
    const width = columns ? columns.column.max + 1 : 8
    for (const [pair, count] of pairCounts(people.who, rows.column, codeOf, width))
      pairs.add(rows.labels(Math.floor(pair / width)), columns ? columns.labels(pair % width) : [String(pair % width)], count)
    await breathe()
  }
  const rows = groupsOf(chart, pairs.rows, mask)
  const columns = demographic ? termGroups(demographic, pairs) : groupsOf(other!, pairs.columns, mask)
  const top = rows.slice(0, MOST)
  const inAll = top.map(({ keys }) => sumBy(keys, pairs.rows))
  const inAllShares = sharesOf(inAll, pairs.base)
  const shown = columns.slice(0, MOST).map((column) => {
    const base = sumBy(column.keys, pairs.columns)
    const counts = top.map(({ keys }) => keys.reduce((sum, key) => sum + sumBy(column.keys, pairs.cells.get(key)), 0))
    return { ...column, base, counts, shares: sharesOf(counts, base) }
  })
  return {
    question: chart.head,
    by_question: other?.head ?? null,
    by,
    by_label: other?.head.title ?? CROSSTAB_BY.find(({ value }) => value === by)!.label,
    base: pairs.base,
    columns: shown.map(({ keys, value, label, base }) => ({ value, label, base, mean: meanOf(chart, pairs, keys) })),
    rows: top.map(({ label }, at) => ({
      label,
      count: inAll[at]!,
      percent: inAllShares[at]!,
      cells: shown.map(({ counts, shares }) => ({ count: counts[at]!, percent: shares[at]! })),
    })),
    more: { rows: Math.max(0, rows.length - MOST), columns: Math.max(0, columns.length - MOST) },
  }
}

const sumBy = (keys: readonly string[], counts: ReadonlyMap<string, number> | undefined): number =>
  keys.reduce((sum, key) => sum + (counts?.get(key) ?? 0), 0)

/** A row or column of the table, with the answers it sums up. */
interface Group {
  value: string
  label: string
  keys: string[]
}

const termGroups = ({ terms }: Demographic, { columns }: Pairs): Group[] =>
  terms
    .filter(({ code, label }) => label !== UNKNOWN.label || columns.has(String(code)))
    .map(({ value, label, code }) => ({ value, label, keys: [String(code)] }))

/** A question's answers as rows: its options in order, then others by count; numbers in bins. */
function groupsOf({ head, options }: Chart, counts: ReadonlyMap<string, number>, mask: boolean): Group[] {
  const found = new Map<string, Group>()
  const add = (label: string, key: string) => getOrInsert(found, label, () => ({ value: label, label, keys: [] })).keys.push(key)
  const others = [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).map(([key]) => key)
  if (head.answer_type === 'number') {
    const read = others.map((key) => ({ key, value: numberOf(key) })).sort((a, b) => a.value - b.value)
    const numbers = read.filter(({ value }) => Number.isFinite(value))
    const whole = numbers.every(({ value }) => Number.isInteger(value))
    const bins = numbers.length ? binsOf(numbers[0]!.value, numbers.at(-1)!.value, whole) : []
    for (const { key, value } of numbers) {
      const { from, to } = bins[binAt(bins, value)]!
      add(from === to ? String(from) : `${tidy(from)}–${tidy(to)}`, key)
    }
    for (const { key } of read.filter(({ value }) => !Number.isFinite(value))) add('No number', key)
    return [...found.values()]
  }
  for (const label of options) add(label, label)
  const spelled = spelledAs(options)
  for (const key of others) if (!options.includes(key)) add(spelled.option(key) ?? spelled.other(mask ? masked(key) : key), key)
  return [...found.values()]
}
const tidy = (value: number): string => String(Math.round(value * 100) / 100)

/** A number question's mean over the completes of some columns; null for other questions. */
function meanOf({ head }: Chart, { cells }: Pairs, keys: readonly string[]): number | null {
  if (head.answer_type !== 'number') return null
  let [sum, count] = [0, 0]
  for (const [text, columns] of cells) {
    const value = numberOf(text)
    if (!Number.isFinite(value)) continue
    const here = sumBy(keys, columns)
    sum += value * here
    count += here
  }
  return count ? sum / count : null
}

/** A question's column, and the texts of its codes. */
async function labelsOf(
  people: SurveyAnswers,
  question: number,
): Promise<{ column: AnswerColumn; labels(code: number): string[] }> {
  const column = await people.column(question)
  const texts = await people.texts(
    question,
    Array.from({ length: column.max }, (_, at) => at + 1),
  )
  const labels = (code: number): string[] =>
    (column.parts.get(code) ?? (code ? [code] : [])).flatMap((one) => texts.get(one) ?? [])
  return { column, labels }
}

function codesByPlace(people: SurveyAnswers, { pieces }: AnswerColumn): (place: number) => number {
  const all = new Uint32Array(people.who.length)
  for (const { first, codes } of pieces) all.set(codes.subarray(0, Math.max(0, all.length - first)), first)
  return (place) => all[place]!
}

/** More possible pairs than this are counted in a map, because few of them occur. */
const MANY_PAIRS = 1 << 22

/** Counts pairs `row code × width + column code` of completes that pass and answered the row's question. */
function pairCounts(
  who: Uint8Array,
  { pieces, max }: AnswerColumn,
  codeOf: (place: number) => number,
  width: number,
): Iterable<[pair: number, count: number]> {
  const size = (max + 1) * width
  const counts = size <= MANY_PAIRS ? new Uint32Array(size) : null
  const sparse = new Map<number, number>()
  for (const { first, codes } of pieces) {
    const people = who.subarray(first, first + codes.length)
    for (let at = 0; at < people.length; at++) {
      if (people[at]! >= WHO || !codes[at]) continue
      const pair = codes[at]! * width + codeOf(first + at)
      if (counts) counts[pair]!++
      else sparse.set(pair, (sparse.get(pair) ?? 0) + 1)
    }
  }
  return counts ? [...counts.entries()].filter(([, count]) => count > 0) : sparse
}
