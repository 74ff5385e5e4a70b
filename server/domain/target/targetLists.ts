import type { Selectable } from 'kysely'
import { type Demographic, demographicFields, targetFields } from '../../../contract/targetFields.ts'
import type { Term } from '../../../contract/vocabulary.ts'
import type { TargetTable } from '../../db/schema.ts'

/** The list columns of a target: comma-separated ids; empty means any. */
export const VALUES = Object.keys(targetFields) as (keyof typeof targetFields)[]
export type Lists = Pick<Selectable<TargetTable>, (typeof VALUES)[number]>

/** The demographic groups of a target. */
export const GROUPS = Object.keys(demographicFields) as Demographic[]
export type Group = Demographic

/** Each group's vocabulary, whose order its lists keep. */
export const termsOf = (group: Group): readonly Term[] => demographicFields[group].options

/** The values of a new target. */
export const EMPTY = { ...Object.fromEntries(VALUES.map((name) => [name, ''])), location_based: 'no' } as Lists

/** The values of a comma list. */
export const valuesOf = (list: string): string[] => list.split(',').filter(Boolean)

/** Sorts values in their group's order, so that equal lists are equal text. */
function inOrder(field: keyof Lists, values: readonly string[]): string {
  if (field === 'targeted_locations') return [...values].sort((a, b) => Number(a) - Number(b)).join(',')
  const terms = termsOf(field as Group)
  const place = (value: string) => terms.findIndex((term) => String(term.value) === value)
  return [...values].sort((a, b) => place(a) - place(b)).join(',')
}

/** A target as a form sends it. */
export type TargetInput = Partial<Record<Exclude<keyof Lists, 'location_based'>, readonly string[] | undefined>> & {
  location_based?: 'yes' | 'no' | undefined
}

/** The values of a new target, as a form sends them. */
export const newLists = (sent: TargetInput): Lists =>
  Object.fromEntries(
    VALUES.map((name) => {
      const value = sent[name]
      return [name, value === undefined ? EMPTY[name] : typeof value === 'string' ? value : value.join(',')]
    }),
  ) as unknown as Lists

/** The fields that a write changes, with their new values; the order within a list doesn't matter. */
export function changedLists(current: Lists, sent: TargetInput): Partial<Lists> {
  const patch: Partial<Record<keyof Lists, string>> = {}
  for (const field of VALUES) {
    const value = sent[field]
    if (value === undefined) continue
    const text = typeof value === 'string' ? value : inOrder(field, value)
    const was = field === 'location_based' ? current[field] : inOrder(field, valuesOf(current[field]))
    if (text !== was) patch[field] = text
  }
  return patch as Partial<Lists>
}

/** The values that a change adds to and removes from each list. */
export function listChanges(
  before: Partial<Lists>,
  after: Partial<Lists>,
): { field: string; added: string[]; removed: string[] }[] {
  return VALUES.flatMap((field) => {
    const [was, is] = [valuesOf(before[field] ?? ''), valuesOf(after[field] ?? '')]
    const added = is.filter((value) => !was.includes(value))
    const removed = was.filter((value) => !is.includes(value))
    return added.length || removed.length ? [{ field, added, removed }] : []
  })
}
