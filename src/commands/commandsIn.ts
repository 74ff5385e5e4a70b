import type { Command } from './command.ts'

/** The commands that a folder's files export as `…Commands`: those of the file `lead` first, the others by their files' names. */
export function commandsIn(files: Readonly<Record<string, unknown>>, lead: string): Readonly<Record<string, Command>> {
  const order = Object.keys(files).sort(
    (a, b) => Number(b.endsWith(`/${lead}.ts`)) - Number(a.endsWith(`/${lead}.ts`)) || (a < b ? -1 : 1),
  )
  const tables = order.flatMap((file) =>
    Object.entries(files[file] as object).flatMap(([name, table]) => (name.endsWith('Commands') ? [table] : [])),
  )
  return Object.assign({}, ...tables)
}
