import type { Command } from './command.ts'

/** Collects the commands that a folder's files export as `…Commands`: `lead` first, then the others by file name. */
export function commandsIn(files: Readonly<Record<string, unknown>>, lead: string): Readonly<Record<string, Command>> {
  const order = Object.keys(files).sort(
    (a, b) => Number(b.endsWith(`/${lead}.ts`)) - Number(a.endsWith(`/${lead}.ts`)) || (a < b ? -1 : 1),
  )
  const tables = order.flatMap((file) =>
    Object.entries(files[file] as object).flatMap(([name, table]) => (name.endsWith('Commands') ? [table] : [])),
  )
  return Object.assign({}, ...tables)
}
