import { type NounId, type NounRow, nouns } from './nouns.ts'

/** Returns a noun's row with its optional fields; undefined for an unknown noun. */
export const nounOf = (noun: string): NounRow | undefined => (nouns as Readonly<Record<string, NounRow>>)[noun]

/** Returns the nouns whose rows meet a condition. */
export const nounsWith = (holds: (row: NounRow) => unknown): NounId[] =>
  (Object.keys(nouns) as NounId[]).filter((noun) => holds(nouns[noun]))

/** Returns a noun's word, such as "survey project". A noun without words uses those of one filed under it. */
export function wordOf(noun: string, many = false): string {
  const named = nounOf(noun)?.words ? noun : nounsWith((row) => row.of === noun && row.words)[0]
  return nounOf(named ?? '')?.words?.[many ? 1 : 0] ?? noun
}

/** Returns a record's id as people write it: P-4812, or the bare id if the noun has no code. */
export const codeOf = (noun: NounId, id: number | string): string => `${nounOf(noun)?.code ?? ''}${id}`

/** Returns the code that finds a record in the palette; undefined for kinds that aren't found by code. */
export const foundCode = (kind: string, id: number | string): string | undefined => {
  const { code, found } = nounOf(kind) ?? {}
  return found?.coded && `${code}${id}`
}
