import { readFileSync } from 'node:fs'

let known: ReadonlyMap<string, number> | null = null
/** The id of each category by its SIC code; the migration numbers them in the order of the file. */
export function categoryIds(): ReadonlyMap<string, number> {
  known ??= new Map(
    readFileSync(new URL('../db/data/categories.tsv', import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => line && !line.startsWith('#'))
      .map((line, at) => [line.split('\t')[0]!, at + 1]),
  )
  return known
}
