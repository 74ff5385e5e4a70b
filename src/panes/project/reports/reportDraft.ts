import type { Output } from '../../../../contract/calls.ts'
import { placed } from '../../../../contract/reportColumns.ts'

export type ReportAnswer = Output<'report.questions'>
export type ReportColumn = ReportAnswer['data'][number]
/** The fields of a column that the list edits. */
export type Edit = Partial<Pick<ReportColumn, 'column_name' | 'column_type' | 'column_custom_definition' | 'should_include'>>
type Field = keyof Edit

/** Unsaved changes to a report, by column key. */
export interface ReportDraft {
  edits: Readonly<Record<string, Edit>>
  /** New positions of moved columns, counted from 1. */
  moved: Readonly<Record<string, number>>
  /** The versions that were edited. */
  locks: Readonly<Record<string, number>>
}
export const NO_CHANGES: ReportDraft = { edits: {}, moved: {}, locks: {} }

/** Applies a draft to the saved columns, and sorts them. */
export function drafted(base: readonly ReportColumn[], { edits, moved }: ReportDraft): ReportColumn[] {
  const wanted = new Map(
    base.flatMap((column) => {
      const place = moved[column.column_key]
      return place === undefined ? [] : [[column, place] as const]
    }),
  )
  return placed(base, wanted).map((column, at) => ({ ...column, ...edits[column.column_key], order: at + 1 }))
}

/** Returns the keys of changed columns. */
export const changedKeys = ({ edits, moved }: ReportDraft): string[] => [
  ...new Set([...Object.keys(edits), ...Object.keys(moved)]),
]

/** Edits a column in a draft; a field set back to its saved value is no longer a change. */
export function edited(base: readonly ReportColumn[], draft: ReportDraft, key: string, patch: Edit): ReportDraft {
  const saved = base.find((column) => column.column_key === key)
  if (!saved) return draft
  const merged = { ...draft.edits[key], ...patch }
  const left = Object.fromEntries(Object.entries(merged).filter(([field, value]) => saved[field as Field] !== value)) as Edit
  const { [key]: _, ...others } = draft.edits
  return withLocks(base, { ...draft, edits: Object.keys(left).length ? { ...others, [key]: left } : others })
}

/** Moves a column to a position, counted from 1; columns back in their saved position no longer count as moved. */
export function movedTo(base: readonly ReportColumn[], draft: ReportDraft, key: string, place: number): ReportDraft {
  const now = drafted(base, draft)
  const at = now.findIndex((column) => column.column_key === key)
  if (at < 0) return draft
  const [column] = now.splice(at, 1)
  now.splice(Math.max(0, Math.min(place - 1, now.length)), 0, column!)
  const movedKeys = new Set([...Object.keys(draft.moved), key])
  const moved = Object.fromEntries(
    now.flatMap(({ column_key }, index) => (movedKeys.has(column_key) ? [[column_key, index + 1]] : [])),
  )
  // If the order equals the saved one, nothing has moved.
  const same = now.every(({ column_key }, index) => column_key === base[index]!.column_key)
  return withLocks(base, { ...draft, moved: same ? {} : moved })
}

function withLocks(base: readonly ReportColumn[], draft: ReportDraft): ReportDraft {
  const locks = Object.fromEntries(
    changedKeys(draft).map((key) => [
      key,
      draft.locks[key] ?? base.find((column) => column.column_key === key)?.lock_version ?? 0,
    ]),
  )
  return { ...draft, locks }
}

/** Converts a draft to the call's input. */
export const sentOf = ({ edits, moved, locks }: ReportDraft) =>
  changedKeys({ edits, moved, locks }).map((key) => ({
    column_key: key,
    ...edits[key],
    ...(moved[key] === undefined ? {} : { order: moved[key] }),
    lock_version: locks[key],
  }))

/** Drops changes to columns that the report no longer has. */
export function shapedTo(base: readonly ReportColumn[], draft: ReportDraft): ReportDraft {
  const known = new Set(base.map(({ column_key }) => column_key))
  const only = <V>(values: Readonly<Record<string, V>>) =>
    Object.fromEntries(Object.entries(values).filter(([key]) => known.has(key)))
  return { edits: only(draft.edits), moved: only(draft.moved), locks: only(draft.locks) }
}

/** Returns the keys of columns with duplicate names. */
export function duplicateKeys(columns: readonly ReportColumn[]): ReadonlySet<string> {
  const groups = Map.groupBy(columns, ({ column_name }) => column_name.trim().toLowerCase())
  return new Set([...groups.values()].flatMap((some) => (some.length > 1 ? some.map(({ column_key }) => column_key) : [])))
}
