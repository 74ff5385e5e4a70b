import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The modules that stand in a folder themselves, by their file's name without `.ts`, in the order of their names: what a file that lists them would import. */
export async function modulesIn(folder: URL, besides = ''): Promise<[name: string, module: Record<string, unknown>][]> {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && file !== basename(besides && fileURLToPath(besides)))
    .map((file) => file.slice(0, -3))
    .sort()
  return Promise.all(
    names.map(async (name) => [name, (await import(new URL(`${name}.ts`, folder).href)) as Record<string, unknown>] as const),
  ) as Promise<[string, Record<string, unknown>][]>
}
