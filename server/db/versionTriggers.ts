import type { Engine } from './connect.ts'

/** A change that counts in `list_versions`; an update counts only if it touches these columns. */
export type Watched<Kind extends string> = readonly [
  table: string,
  kind: Kind,
  event: 'insert' | 'update' | 'delete',
  columns?: readonly string[],
]

/** Watches every change of a table. */
export const wholly = <Kind extends string>(table: string, kind: Kind): Watched<Kind>[] => [
  [table, kind, 'insert'],
  [table, kind, 'update'],
  [table, kind, 'delete'],
]

/** The statement that creates the trigger; PostgreSQL's calls `list_changed`, which counts by connection. */
export function versionTrigger(engine: Engine, [table, kind, event, columns]: Watched<string>): string {
  const of = columns ? ` of ${columns.join(', ')}` : ''
  const trigger = `create trigger tr_list_${table}_${kind}_${event} after ${event}${of} on ${table}`
  if (engine === 'postgres') return `${trigger} for each statement execute function list_changed('${kind}')`
  const when = columns ? ` when ${columns.map((column) => `old.${column} is not new.${column}`).join(' or ')}` : ''
  return `${trigger}${when} begin
      update list_versions set n = n + 1 where kind = '${kind}' and slot = 0; end`
}
