import { type NounId, type NounRow, nouns } from './nouns.ts'

/** A noun's row with its optional fields; undefined for an unknown noun. */
export const nounOf = (noun: string): NounRow | undefined => (nouns as Readonly<Record<string, NounRow>>)[noun]

/** Nouns whose rows meet a condition. */
export const nounsWith = (holds: (row: NounRow) => unknown): NounId[] =>
  (Object.keys(nouns) as NounId[]).filter((noun) => holds(nouns[noun]))

/** What a noun is called: "survey project". A noun without words borrows those of one filed under it. */
export function wordOf(noun: string, many = false): string {
  const named = nounOf(noun)?.words ? noun : nounsWith((row) => row.of === noun && row.words)[0]
  return nounOf(named ?? '')?.words?.[many ? 1 : 0] ?? noun
}

/** A record's id as people write it: P-4812; the bare id if the noun has no code. */
export const codeOf = (noun: NounId, id: number | string): string => `${nounOf(noun)?.code ?? ''}${id}`

/** The code the palette finds a record by; undefined for a kind it doesn't find by code. */
export const foundCode = (kind: string, id: number | string): string | undefined => {
  const { code, found } = nounOf(kind) ?? {}
  return found?.coded && `${code}${id}`
}
