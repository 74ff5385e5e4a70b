import { readFileSync } from 'node:fs'

export interface Industry {
  name: string
  /** Four digits of the Standard Industrial Classification of 1987. */
  sic_code: string
}

let known: Industry[] | null = null
/** The 84 industry categories of server/db/data/categories.tsv. */
export function industries(): readonly Industry[] {
  known ??= readFileSync(new URL('./data/categories.tsv', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => {
      const [sic_code, name] = line.split('\t')
      return { sic_code: sic_code!, name: name!.trim() }
    })
  return known
}
