import { nouns } from './nouns.ts'

type Nouns = typeof nouns
/** Nouns that have a list, each with its row. */
export type Lists = {
  readonly [N in keyof Nouns as Nouns[N] extends { list: unknown } ? N : never]: Nouns[N] extends { list: infer L } ? L : never
}

/** The lists of the nouns table; a build keeps them out of nouns.ts, which is in the first load (virtual-calls.ts). */
export const lists = Object.fromEntries(
  Object.entries(nouns).flatMap(([noun, row]) => ('list' in row ? [[noun, row.list]] : [])),
) as unknown as Lists
