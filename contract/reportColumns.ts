import type { ReportColumn, SentColumn, TemplateColumn } from './report.ts'

/** Moves the wanted items to their positions (from 1); the others fill the gaps in order. */
export function placed<T>(items: readonly T[], wanted: ReadonlyMap<T, number>): T[] {
  if (!wanted.size) return [...items]
  const moving = [...wanted].sort(([, a], [, b]) => a - b)
  const staying = items.filter((item) => !wanted.has(item))
  const result: T[] = []
  for (const [item, order] of moving) {
    while (result.length < order - 1 && staying.length) result.push(staying.shift()!)
    result.push(item)
  }
  return [...result, ...staying]
}

/** Columns by key, with the values a template changes. */
export type TemplateChanges = (Pick<SentColumn, 'column_key'> & Partial<SentColumn>)[]

/**
 * Returns the changes that a template makes: its included columns come first, in its order.
 * A column that the template doesn't name stays as it is.
 * Columns match by key, or else by question text. A name that another column already has is skipped.
 */
export function templateChanges(columns: readonly ReportColumn[], template: readonly TemplateColumn[]): TemplateChanges {
  const found = new Map<string, TemplateColumn>()
  const named: ReportColumn[] = []
  for (const one of template) {
    const column = columns.find(
      ({ column_key, question_id, question_def }) =>
        !found.has(column_key) &&
        (question_id === null ? one.column_key === column_key : one.question_def !== '' && one.question_def === question_def),
    )
    if (!column) continue
    found.set(column.column_key, one)
    if (one.should_include === 1) named.push(column)
  }
  const names = new Set(
    columns.filter(({ column_key }) => !found.has(column_key)).map(({ column_name }) => column_name.toLowerCase()),
  )
  const first = new Set(named)
  const after = [...named, ...columns.filter((column) => !first.has(column))]
  return after.flatMap((column, at) => {
    const one = found.get(column.column_key)
    const patch: Partial<SentColumn> = {}
    if (one) {
      const free = !names.has(one.column_name.toLowerCase())
      names.add((free ? one.column_name : column.column_name).toLowerCase())
      if (free && one.column_name !== column.column_name) patch.column_name = one.column_name
      if (one.column_type !== column.column_type) patch.column_type = one.column_type as NonNullable<SentColumn['column_type']>
      if (one.column_custom_definition && one.column_custom_definition !== column.column_custom_definition)
        patch.column_custom_definition = one.column_custom_definition
      if (one.should_include !== column.should_include) patch.should_include = one.should_include === 1
      if (column.order !== at + 1) patch.order = at + 1
    }
    return Object.keys(patch).length ? [{ column_key: column.column_key, lock_version: column.lock_version, ...patch }] : []
  })
}
