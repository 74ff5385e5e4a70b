import { nouns } from './nouns.ts'

type Nouns = typeof nouns
/** Nouns that have a list, with its row. */
export type Lists = {
  readonly [N in keyof Nouns as Nouns[N] extends { list: unknown } ? N : never]: Nouns[N] extends { list: infer L } ? L : never
}

/** The lists of the nouns table. virtual-calls.ts strips them from nouns.ts, which is part of the first load. */
export const lists = Object.fromEntries(
  Object.entries(nouns).flatMap(([noun, row]) => ('list' in row ? [[noun, row.list]] : [])),
) as unknown as Lists
