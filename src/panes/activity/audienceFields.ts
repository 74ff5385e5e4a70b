import type { Output } from '../../../contract/calls.ts'
import { showShare } from '../../../contract/format.ts'
import { showShares } from '../../../contract/percentages.ts'
import {
  ADULT_AGES,
  agesOf,
  CHILDREN,
  ETHNICITIES,
  GENDERS,
  INCOMES,
  labelOf,
  MARITAL,
  type Term,
} from '../../../contract/vocabulary.ts'

export type Target = NonNullable<Output<'activity.target'>['data']>
export type TargetCompletes = Output<'target.completes'>['data']
export type TargetVersion = Output<'target.versions'>['data'][number]

/** The audience form's values. */
export interface AudienceDraft {
  age: string[]
  gender: string[]
  hhi: string[]
  ethnicity: string[]
  marital_status: string[]
  children: string[]
}
export type AudienceField = keyof AudienceDraft

export const AUDIENCE_LABELS: Readonly<Record<AudienceField, string>> = {
  age: 'Age',
  gender: 'Gender',
  hhi: 'Household income',
  ethnicity: 'Ethnicity',
  marital_status: 'Marital status',
  children: 'Children in the household',
}
export const AUDIENCE_FIELDS = Object.keys(AUDIENCE_LABELS) as AudienceField[]

const TERMS: Readonly<Record<Exclude<AudienceField, 'age'>, readonly Term[]>> = {
  gender: GENDERS,
  hhi: INCOMES,
  ethnicity: ETHNICITIES,
  marital_status: MARITAL,
  children: CHILDREN,
}
/** A group's terms, as a generation of projects labels them. */
const termsOf = (field: string, generation: string): readonly Term[] =>
  field === 'age' ? agesOf(generation) : (TERMS[field as Exclude<AudienceField, 'age'>] ?? [])
/** Returns a group's options, with values as text. */
export const optionsOf = (field: AudienceField, generation: string): { value: string; label: string }[] =>
  termsOf(field, generation).map(({ value, label }) => ({ value: String(value), label }))

/** Checkboxes that select several values of a group: "All", and "18+" for ages (decisions.md 9). */
export const shortcutsOf = (field: AudienceField, generation: string): { label: string; values: string[] }[] => [
  { label: 'All', values: optionsOf(field, generation).map(({ value }) => value) },
  ...(field === 'age' ? [{ label: '18+', values: ADULT_AGES.map(String) }] : []),
]

const listOf = (text: string): string[] => text.split(',').filter(Boolean)

/** Converts a target's audience to form values; without a target, nothing is selected. */
export const audienceDraft = (target: Pick<Target, AudienceField> | null): AudienceDraft =>
  Object.fromEntries(AUDIENCE_FIELDS.map((field) => [field, listOf(target?.[field] ?? '')])) as unknown as AudienceDraft

/** Labels values of a target field, including location fields. */
export function labelsOf(
  field: string,
  values: readonly string[],
  areaName: (code: string) => string,
  generation: string,
): string[] {
  if (field === 'targeted_locations') return values.map(areaName)
  if (field === 'location_based') return values.map((value) => (value === 'yes' ? 'Yes' : 'No'))
  return values.map((value) => labelOf(termsOf(field, generation), value, value))
}

/** Returns the label of a target field. */
export const targetFieldName = (field: string): string =>
  AUDIENCE_LABELS[field as AudienceField] ??
  ({ targeted_locations: 'Market areas', location_based: 'Location based' } as Record<string, string>)[field] ??
  field

/** Formats a share as "3.2 %"; never "0.0 %" for a nonzero part. */
export const share = (part: number, whole: number): string => showShare(part, Math.max(1, whole), 1).replace('.0', '')

/** Formats the completes of values as shares that add up to 100, by value. */
export function sharesBy<V>(rows: readonly { value: V; completes: number }[], whole: number): (value: V) => string {
  const counts = rows.map(({ completes }) => completes)
  const texts = showShares(counts, Math.max(1, whole), 1)
  const by = new Map(rows.map(({ value }, at) => [value, texts[at]!.replace('.0', '')]))
  return (value) => by.get(value) ?? share(0, whole)
}
