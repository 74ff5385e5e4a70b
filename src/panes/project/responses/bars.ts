import { AGES, agesOf, GENDERS, labelOf } from '../../../../contract/vocabulary.ts'
import type { Split } from '../../../commands/responsesController.ts'
import { type Answer, isTotal } from './chart.ts'

/** The parts bars can be split into, by their keys in an answer's counts. */
const PARTS: Readonly<Record<Split, readonly { key: string; label: string }[]>> = {
  none: [],
  gender: [...GENDERS.map(({ value, label }) => ({ key: value, label })), { key: 'unknown', label: 'Unknown' }],
  age: [...AGES.map(({ value, label }) => ({ key: String(value), label })), { key: '8', label: 'Unknown' }],
}
const partsOf = (split: Split, generation: string) =>
  split === 'age' ? PARTS.age.map(({ key, label }) => ({ key, label: labelOf(agesOf(generation), key, label) })) : PARTS[split]

/** A piece of a bar, in percent of the axis. */
export interface Segment {
  key: string
  label: string
  value: number
  from: number
  width: number
}

/** Splits an answer's bar into pieces on an axis that ends at `top` (in completes); one piece without a split. */
export function segmentsOf(answer: Answer, split: Split, top: number): Segment[] {
  const scale = top > 0 ? 100 / top : 0
  if (split === 'none') return [{ key: 'all', label: 'All', value: answer.value, from: 0, width: answer.value * scale }]
  const counts = answer[split]
  let from = 0
  return PARTS[split].flatMap(({ key, label }) => {
    const value = counts[key] ?? 0
    if (!value) return []
    const segment = { key, label, value, from, width: value * scale }
    from += segment.width
    return [segment]
  })
}

/** Returns the parts that any answer of the chart has. */
export const partsIn = (answers: readonly Answer[], split: Split, generation: string) =>
  split === 'none' ? [] : partsOf(split, generation).filter(({ key }) => answers.some((answer) => answer[split][key]))

/** Returns the end of an axis of counts: the next round number. */
export function roundTop(most: number): number {
  if (most <= 4) return 4
  const power = 10 ** Math.floor(Math.log10(most))
  return [1, 2, 4, 5, 6, 8, 10].map((step) => step * power).find((step) => step >= most)!
}

/** Sorts bars without totals; a held order keeps its rows in place, and appends new ones. */
export function inOrder<T extends Pick<Answer, 'label' | 'value'>>(
  answers: readonly T[],
  sort: 'asked' | 'largest',
  held?: readonly string[],
): T[] {
  const shown = answers.filter(({ label }) => !isTotal(label))
  const sorted = sort === 'largest' ? shown.toSorted((one, other) => other.value - one.value) : shown
  if (!held) return sorted
  const place = new Map(held.map((label, at) => [label, at]))
  return sorted.toSorted((one, other) => (place.get(one.label) ?? held.length) - (place.get(other.label) ?? held.length))
}
