import type { Output } from '../../../../contract/calls.ts'
import { placed } from '../../../../contract/reportColumns.ts'

export type ReportAnswer = Output<'report.questions'>
export type ReportColumn = ReportAnswer['data'][number]
/** Fields of a column that its list edits. */
export type Edit = Partial<Pick<ReportColumn, 'column_name' | 'column_type' | 'column_custom_definition' | 'should_include'>>
type Field = keyof Edit

/** Changes of a report that aren't saved yet, by column key. */
export interface ReportDraft {
  edits: Readonly<Record<string, Edit>>
  /** Places (from 1) of the columns that were moved. */
  moved: Readonly<Record<string, number>>
  /** The versions that were changed. */
  locks: Readonly<Record<string, number>>
}
export const NO_CHANGES: ReportDraft = { edits: {}, moved: {}, locks: {} }

/** The columns as the draft has them, in its order. */
export function drafted(base: readonly ReportColumn[], { edits, moved }: ReportDraft): ReportColumn[] {
  const wanted = new Map(
    base.flatMap((column) => {
      const place = moved[column.column_key]
      return place === undefined ? [] : [[column, place] as const]
    }),
  )
  return placed(base, wanted).map((column, at) => ({ ...column, ...edits[column.column_key], order: at + 1 }))
}

/** Keys of the columns with changes. */
export const changedKeys = ({ edits, moved }: ReportDraft): string[] => [
  ...new Set([...Object.keys(edits), ...Object.keys(moved)]),
]

/** The draft with one column's fields changed; a field that is as it was saved is no change. */
export function edited(base: readonly ReportColumn[], draft: ReportDraft, key: string, patch: Edit): ReportDraft {
  const saved = base.find((column) => column.column_key === key)
  if (!saved) return draft
  const merged = { ...draft.edits[key], ...patch }
  const left = Object.fromEntries(Object.entries(merged).filter(([field, value]) => saved[field as Field] !== value)) as Edit
  const { [key]: _, ...others } = draft.edits
  return withLocks(base, { ...draft, edits: Object.keys(left).length ? { ...others, [key]: left } : others })
}

/** The draft with one column at a place from 1; columns that end where they were saved are not moved. */
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
  // Without those moved, the rest keeps its order, so a list that is as it was needs none of them.
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

/** What is sent to save the draft. */
export const sentOf = ({ edits, moved, locks }: ReportDraft) =>
  changedKeys({ edits, moved, locks }).map((key) => ({
    column_key: key,
    ...edits[key],
    ...(moved[key] === undefined ? {} : { order: moved[key] }),
    lock_version: locks[key],
  }))

/** Without columns that the report no longer has. */
export function shapedTo(base: readonly ReportColumn[], draft: ReportDraft): ReportDraft {
  const known = new Set(base.map(({ column_key }) => column_key))
  const only = <V>(values: Readonly<Record<string, V>>) =>
    Object.fromEntries(Object.entries(values).filter(([key]) => known.has(key)))
  return { edits: only(draft.edits), moved: only(draft.moved), locks: only(draft.locks) }
}

/** Keys of columns whose name another column has too. */
export function doubled(columns: readonly ReportColumn[]): ReadonlySet<string> {
  const groups = Map.groupBy(columns, ({ column_name }) => column_name.trim().toLowerCase())
  return new Set([...groups.values()].flatMap((some) => (some.length > 1 ? some.map(({ column_key }) => column_key) : [])))
}
