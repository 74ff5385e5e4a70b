import { nounsWith } from './nounOf.ts'
import type { PaletteNoun, SubjectKind } from './nouns.ts'

/** The most records and views in one person's sidebar. */
export const MOST_FAVOURITES = 30

/** Nouns whose records can be pinned: those that the palette finds, without announcements and saved filters. */
const PINNED_NOUNS = (nounsWith(({ found, of }) => found && !of) as PaletteNoun[]).filter(
  (noun) => noun !== 'notice' && noun !== 'filter',
)

/** What a favourite can be on the screen. */
export const PINNED_KINDS: readonly SubjectKind[] = [...PINNED_NOUNS, 'campaign']

/** A favourite as it is stored: "project:4180". Projects of both generations are projects. */
export const favouriteOf = (kind: string, id: number): string => `${kind === 'campaign' ? 'project' : kind}:${id}`

/** The noun and id of a favourite; null for a text that is none. */
export function readFavourite(text: string): { noun: PaletteNoun; id: number } | null {
  const [, name, digits] = /^([a-z]{1,20}):([1-9]\d{0,14})$/.exec(text) ?? []
  const noun = PINNED_NOUNS.find((one) => one === name)
  return noun ? { noun, id: Number(digits) } : null
}
