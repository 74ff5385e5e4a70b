import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Imports the modules directly in a folder, sorted by file name without `.ts`. */
export async function modulesIn(folder: URL, besides = ''): Promise<[name: string, module: Record<string, unknown>][]> {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && file !== basename(besides && fileURLToPath(besides)))
    .map((file) => file.slice(0, -3))
    .sort()
  return Promise.all(
    names.map(async (name) => [name, (await import(new URL(`${name}.ts`, folder).href)) as Record<string, unknown>] as const),
  ) as Promise<[string, Record<string, unknown>][]>
}
