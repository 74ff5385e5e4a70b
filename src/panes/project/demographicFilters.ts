import { demographicFields } from '../../../contract/targetFields.ts'
import {
  AGES,
  agesOf,
  DWELLS,
  ETHNICITIES,
  ethnicitiesOf,
  GENDERS,
  INCOMES,
  labelOf,
  NOTICES,
  type Term,
} from '../../../contract/vocabulary.ts'

/** Demographic filters: the name in links and calls, and the choices (projects-area 7; age 8 is Other). */
export const DEMOGRAPHICS = [
  {
    key: 'age',
    call: 'ageRange',
    label: demographicFields.age.label,
    terms: [...AGES.map((age) => ({ value: age.value, label: age.label })), { value: 8, label: 'Other' }],
  },
  { key: 'gender', call: 'gender', label: demographicFields.gender.label, terms: GENDERS },
  { key: 'hhi', call: 'hhi', label: 'Income', terms: INCOMES },
  { key: 'ethnicity', call: 'ethnicity', label: demographicFields.ethnicity.label, terms: ETHNICITIES },
  {
    key: 'dwell',
    call: 'dwellRange',
    label: 'Dwell',
    terms: DWELLS.map((dwell) => ({ value: dwell.value, label: dwell.label })),
  },
  { key: 'notice', call: 'notice', label: 'Notice', terms: NOTICES },
] as const satisfies readonly { key: string; call: string; label: string; terms: readonly Term[] }[]

/** The filters of a generation of projects; `otherEthnicity` if respondents have one that it doesn't offer. */
export const demographicsOf = (generation: string, otherEthnicity = true) =>
  DEMOGRAPHICS.map(({ key, call, label, terms }) => ({
    ...{ key, call, label },
    terms: termsOf(key, generation, terms, otherEthnicity),
  }))

function termsOf(key: string, generation: string, terms: readonly Term[], otherEthnicity: boolean): readonly Term[] {
  if (key === 'age') return [...agesOf(generation), { value: 8, label: 'Other' }]
  return key === 'ethnicity' && !otherEthnicity ? ethnicitiesOf(generation) : terms
}

/** Converts the filters in a pane's link to the calls' input. */
export function filterInput(query: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    DEMOGRAPHICS.flatMap(({ key, call, terms }) => {
      const kept = (query[key] ?? '').split(',').filter((value) => terms.some((term) => String(term.value) === value))
      return kept.length ? [[call, kept.join(',')]] : []
    }),
  )
}

/** Formats a filter's selection: "25 to 34, 35 to 44", or "any". */
export const chosenText = (terms: readonly Term[], value: string | undefined): string =>
  value
    ? value
        .split(',')
        .map((one) => labelOf(terms, one, one))
        .join(', ')
    : 'any'
