import { nameKey } from '../../../contract/fold.ts'
import { sharesOf } from '../../../contract/percentages.ts'
import type { NumberFigures, QuestionResponses } from '../../../contract/responses.ts'
import type { CellFilter } from '../runtime/cells.ts'
import { getOrInsert } from '../runtime/getOrInsert.ts'
import { type Bases, type ByWho, baseOf, byWho, shareOf, splitsOf, sumOf } from './bases.ts'
import type { Chart } from './charts.ts'
import { type AnswerCounts, countAnswers, MOST } from './countAnswers.ts'
import { masked } from './mask.ts'
import type { Reading } from './surveyAnswers.ts'

/** The answers of charts as the API returns them; `mask` hides contact data in participants' texts. */
export async function responsesOf(
  at: Reading,
  charts: readonly Chart[],
  bases: Bases,
  { filter, mask }: { filter: CellFilter; mask: boolean },
): Promise<QuestionResponses[]> {
  const counts = await countAnswers(at, charts, filter)
  return charts.map((chart) => chartOf(chart, counts.get(chart)!, bases, mask))
}

function chartOf(chart: Chart, counts: AnswerCounts, bases: Bases, mask: boolean): QuestionResponses {
  const { head, options } = chart
  const answered = sumOf(counts.answered)
  const isNumber = head.answer_type === 'number'
  const { rows, more } = isNumber ? { rows: [], more: 0 } : rowsOf(chart, counts, mask)
  const offered = new Set(options)
  const values = rows.map(([, by]) => sumOf(by))
  // Texts are listed page by page, each with its own share (openAnswers.ts).
  const shares = head.answer_type === 'open' ? values.map((value) => shareOf(value, answered)) : sharesOf(values, answered)
  return {
    ...head,
    answered,
    skipped: Math.max(0, baseOf(bases, new Set(head.survey_ids)) - answered),
    total: counts.total,
    several: head.answer_type === 'multiple' || counts.total > answered,
    rows: rows.map(([label, by], at) => ({
      ...{ label, value: values[at]!, percent: shares[at]!, offered: offered.has(label) },
      ...splitsOf(by),
    })),
    more,
    ...splitsOf(counts.answered),
    figures: isNumber ? figuresOf(counts.values) : null,
  }
}

/** The question's options in order, then other answers by count. */
function rowsOf({ options }: Chart, { values, more }: AnswerCounts, mask: boolean): { rows: [string, ByWho][]; more: number } {
  const chosen = new Map<string, ByWho>()
  const others = new Map<string, ByWho>()
  const spelled = spelledAs(options)
  for (const [text, by] of [...values].sort(([, a], [, b]) => sumOf(b) - sumOf(a))) {
    const option = spelled.option(text)
    const [into, label] = option === null ? [others, spelled.other(mask ? masked(text) : text)] : [chosen, option]
    const sums = getOrInsert(into, label, byWho)
    for (const [who, count] of by.entries()) sums[who]! += count
  }
  const sorted = [...others]
    .map(([text, by]) => [text, by, sumOf(by)] as const)
    .sort(([a, , one], [b, , other]) => other - one || (a < b ? -1 : 1))
  const shown = sorted.slice(0, Math.max(0, MOST - options.length))
  return {
    rows: [
      ...options.map((label): [string, ByWho] => [label, chosen.get(label) ?? byWho()]),
      ...shown.map(([text, by]): [string, ByWho] => [text, by]),
    ],
    more: more + sorted.length - shown.length,
  }
}

/** The label under which answers are counted: an option, or the first of those that a person can't tell apart. */
export function spelledAs(options: readonly string[]) {
  const offered = new Set(options)
  const optionByKey = new Map(options.toReversed().map((option) => [nameKey(option), option]))
  const byKey = new Map<string, string>()
  return {
    option: (text: string): string | null => (offered.has(text) ? text : (optionByKey.get(nameKey(text)) ?? null)),
    other: (text: string): string => getOrInsert(byKey, nameKey(text), () => text),
  }
}

/** Parses a number as people write it; NaN if it isn't one. */
export function numberOf(text: string): number {
  const plain = text
    .trim()
    .replace(/^[$€£]\s?/, '')
    .replace(/\s?%$/, '')
    .replace(/,(?=\d{3}(\D|$))/g, '')
  return /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(plain) ? Number(plain) : Number.NaN
}

const BINS = 10
/** The edges of ten bins over a range of numbers; fewer if it has fewer than ten whole numbers. */
export function binsOf(least: number, most: number, whole: boolean): { from: number; to: number }[] {
  if (least === most) return [{ from: least, to: most }]
  const count = whole ? Math.min(BINS, most - least + 1) : BINS
  const width = whole ? Math.ceil((most - least + 1) / count) : (most - least) / count
  const used = whole ? Math.ceil((most - least + 1) / width) : count
  return Array.from({ length: used }, (_, at) => ({
    from: least + at * width,
    to: whole ? Math.min(most, least + (at + 1) * width - 1) : at === count - 1 ? most : least + (at + 1) * width,
  }))
}
/** The index of a number's bin. */
export const binAt = (bins: readonly { from: number }[], value: number): number =>
  Math.max(
    0,
    bins.findLastIndex(({ from }) => value >= from),
  )

function figuresOf(values: ReadonlyMap<string, ByWho>): NumberFigures | null {
  const read = [...values].map(([text, by]) => ({ value: numberOf(text), by, count: sumOf(by) }))
  const numbers = read.filter(({ value, count }) => Number.isFinite(value) && count > 0).sort((a, b) => a.value - b.value)
  const unreadable = read.reduce((sum, { value, count }) => sum + (Number.isFinite(value) ? 0 : count), 0)
  if (!numbers.length) return null
  const all = numbers.reduce((sum, { count }) => sum + count, 0)
  const [least, most] = [numbers[0]!.value, numbers.at(-1)!.value]
  const bins = binsOf(
    least,
    most,
    numbers.every(({ value }) => Number.isInteger(value)),
  )
  const sums = bins.map(byWho)
  for (const { value, by } of numbers) for (const [who, count] of by.entries()) sums[binAt(bins, value)]![who]! += count
  // What isn't a number was an answer, too.
  const counts = sums.map(sumOf)
  const shares = sharesOf(counts, all + unreadable)
  return {
    mean: numbers.reduce((sum, { value, count }) => sum + value * count, 0) / all,
    median: medianOf(numbers, all),
    least,
    most,
    bins: bins.map((bin, at) => ({
      ...bin,
      count: counts[at]!,
      percent: shares[at]!,
      ...splitsOf(sums[at]!),
    })),
    unreadable,
  }
}

/** The median of sorted numbers with counts; between two, their mean. */
function medianOf(numbers: readonly { value: number; count: number }[], all: number): number {
  const at = (place: number) => {
    let seen = 0
    for (const { value, count } of numbers) {
      seen += count
      if (seen > place) return value
    }
    return numbers.at(-1)!.value
  }
  return (at(Math.floor((all - 1) / 2)) + at(Math.floor(all / 2))) / 2
}
