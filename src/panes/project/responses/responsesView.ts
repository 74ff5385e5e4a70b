import { count } from '../../../../contract/format.ts'
import { GENDERS } from '../../../../contract/vocabulary.ts'
import type { Split } from '../../../commands/responsesController.ts'
import type { QueryPatch } from '../../../routing/ref.ts'
import { filterInput } from '../demographicFilters.ts'
import type { Bases } from './chart.ts'

type Query = Readonly<Record<string, string>>

/** The view of User Responses, all of it stored in the link. */
export interface ResponsesView {
  split: Split
  unit: 'share' | 'count'
  sort: 'asked' | 'largest'
  /** The ID of the question with the open crosstab. */
  question: string | null
  /** What the crosstab is by: a demographic, or a question's ID. */
  by: string | null
  /** A survey's ID; null for the whole project. */
  survey: number | null
  search: string
  profile: boolean
}

const SPLITS: readonly Split[] = ['none', 'gender', 'age']

/** By default bars are stacked by gender in v3, and plain in the older generation (screens-projects.md). */
const usualSplit = (generation: string): Split => (generation === 'campaign' ? 'none' : 'gender')

/** Reads the view from a pane's link; unknown values count as missing. */
export function viewOf(query: Query, generation: string): ResponsesView {
  return {
    split: SPLITS.find((one) => one === query.split) ?? usualSplit(generation),
    unit: query.unit === 'count' ? 'count' : 'share',
    sort: query.sort === 'largest' ? 'largest' : 'asked',
    question: /^\d+$/.test(query.q ?? '') ? query.q! : null,
    by: query.by || null,
    survey: Number(query.survey) || null,
    search: query.search ?? '',
    profile: query.profile === '1',
  }
}

/** Returns the link change for a split; the default one is omitted from the link. */
export const splitPatch = (by: Split, generation: string): QueryPatch => ({ split: by === usualSplit(generation) ? null : by })

const ALL_GENDERS: readonly string[] = [...GENDERS.map(({ value }) => value), 'unknown']
const USUAL_GENDERS = ['female', 'male']

/** Returns the genders switched on; by default female and male. */
export function gendersOn({ gender }: Query): string[] {
  if (gender === 'all') return [...ALL_GENDERS]
  const chosen = (gender ?? '').split(',').filter((value) => ALL_GENDERS.includes(value))
  return chosen.length ? chosen : USUAL_GENDERS
}

/** Formats "Base 1,208 of 1,240 completes · Other off (32)". */
export function baseLine(bases: Bases, query: Query): string {
  const on = gendersOn(query)
  const off = (value: string, label: string, people: number) =>
    !on.includes(value) && people > 0 ? [`${label} off (${count(people)})`] : []
  return [
    `Base ${count(bases.base)} of ${count(bases.completes)} completes`,
    ...off('other', 'Other', bases.other_off),
    ...off('unknown', 'Unknown', bases.unknown_off),
  ].join(' · ')
}

/** Toggles a gender in the link; the last one can't be switched off. */
export function switchGender(query: Query, value: string): QueryPatch {
  const on = gendersOn(query)
  const next = ALL_GENDERS.filter((one) => (one === value ? !on.includes(one) : on.includes(one)))
  return { gender: genderText(next.length ? next : on) }
}

const genderText = (on: readonly string[]): string | null =>
  on.length === ALL_GENDERS.length ? 'all' : on.join() === USUAL_GENDERS.join() ? null : on.join()

/** Toggles an age in the link; the first one chosen excludes all others. */
export function switchAge({ age = '' }: Query, value: string): QueryPatch {
  const on = age.split(',').filter(Boolean)
  const next = on.includes(value) ? on.filter((one) => one !== value) : [...on, value].sort()
  return { age: next.join() || null }
}

/** Resets all filters in the link. */
export const WITHOUT_FILTERS: QueryPatch = { age: null, gender: null, hhi: null, ethnicity: null, dwell: null, notice: null }

/** Converts the filters to the calls' input. */
export function responsesInput(query: Query): Record<string, string> {
  const { gender: _, ...others } = filterInput(query)
  const on = gendersOn(query)
  return on.length === ALL_GENDERS.length ? others : { ...others, gender: on.join() }
}

/** True if respondents are filtered out beyond the defaults. */
export const isFiltered = (query: Query): boolean =>
  Object.keys(WITHOUT_FILTERS).some((key) => query[key] && key !== 'gender') || Boolean(query.gender && query.gender !== 'all')
