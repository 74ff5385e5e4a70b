import type { Output } from '../../../contract/calls.ts'
import { type Field, type Fields, wordsOf } from '../../../contract/fieldKinds.ts'
import { showShare } from '../../../contract/format.ts'
import { showShares } from '../../../contract/percentages.ts'
import { type Demographic, demographicFields, targetFields } from '../../../contract/targetFields.ts'
import { agesOf, ethnicitiesOf, labelOf } from '../../../contract/vocabulary.ts'

export type Target = NonNullable<Output<'activity.target'>['data']>
export type TargetCompletes = Output<'target.completes'>['data']
export type TargetVersion = Output<'target.versions'>['data'][number]

/** Returns a group's options, with values as text: those of a generation of projects, and others that are `present`. */
export function optionsOf(
  field: Demographic,
  generation: string,
  present: (value: string) => boolean = () => false,
): { value: string; label: string }[] {
  const whole = field === 'age' ? agesOf(generation) : demographicFields[field].options
  const offered = field === 'ethnicity' ? ethnicitiesOf(generation) : whole
  return whole
    .filter(({ value }) => offered.some((one) => one.value === value) || present(String(value)))
    .map(({ value, label }) => ({ value: String(value), label }))
}

/** True for a value that an audience has chosen or that has completes, which shows whatever its generation offers. */
export const isPresent =
  (chosen: Iterable<string>, rows: readonly { value: string; completes: number }[] | undefined) =>
  (value: string): boolean =>
    [...chosen].includes(value) || (rows?.some((row) => row.value === value && row.completes > 0) ?? false)

/** Checkboxes that select several values of a group: "All", and "18+" for ages (decisions.md 9). */
export const shortcutsOf = (field: Demographic, generation: string): { label: string; values: readonly string[] }[] => [
  { label: 'All', values: optionsOf(field, generation).map(({ value }) => value) },
  ...(field === 'age' ? demographicFields.age.presets : []),
]

/** Labels values of a target field; areas are named by code. */
export function labelsOf(
  name: string,
  values: readonly string[],
  areaName: (code: string) => string,
  generation: string,
): string[] {
  if (name === 'targeted_locations') return values.map(areaName)
  if (name === 'age') return values.map((value) => labelOf(agesOf(generation), value, value))
  const field = fieldOf(name)
  return field ? values.map((value) => wordsOf(field, field.kind === 'several' ? [value] : value)) : [...values]
}

/** Returns the label of a target field. */
export const targetFieldName = (name: string): string => fieldOf(name)?.label ?? name
const fieldOf = (name: string): Field | undefined => (targetFields as Fields)[name]

/** Formats a share as "3.2 %"; never "0.0 %" for a nonzero part. */
export const share = (part: number, whole: number): string => showShare(part, Math.max(1, whole), 1).replace('.0', '')

/** Formats the completes of values as shares that add up to 100, by value. */
export function sharesBy<V>(rows: readonly { value: V; completes: number }[], whole: number): (value: V) => string {
  const counts = rows.map(({ completes }) => completes)
  const texts = showShares(counts, Math.max(1, whole), 1)
  const by = new Map(rows.map(({ value }, at) => [value, texts[at]!.replace('.0', '')]))
  return (value) => by.get(value) ?? share(0, whole)
}
