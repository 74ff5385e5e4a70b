/** A record that can be found (project, client, person …), as the palette's call sends it. */
export type Entity = {
  /** `kind:id`, unique. */
  key: string
  kind: string
  id: number | string
  name: string
  /** The second line of its row. */
  detail: string
  /** How people refer to it in emails, such as `P-4812`. */
  code?: string
  /** A ranking boost from the server: higher goes first among equal matches. */
  weight?: number
}

/** A range of a name in UTF-16 units, end exclusive. */
export type Range = [start: number, end: number]

/** How well a name matches, best first; hits are ordered by tier, then use, then closeness. */
export const TIER = {
  code: 0,
  name: 1,
  begins: 2,
  words: 3,
  detail: 4,
  initials: 5,
  inside: 6,
  skipped: 7,
  fuzzy: 8,
  partly: 9,
} as const
export type Tier = (typeof TIER)[keyof typeof TIER]

/**
 * A hit. `score` is comparable only within a result; `ranges` and `detailRanges` are the matched letters.
 * `without`: typed words that the name doesn't have, if it has all others.
 */
export type Hit = {
  key: string
  kind: string
  id: number | string
  name: string
  detail: string
  score: number
  tier: Tier
  ranges: Range[]
  detailRanges: Range[]
  /** True if it was opened before. */
  used: boolean
  without: readonly string[]
}

export type SearchOptions = {
  /** The maximum number of hits; defaults to 50. */
  limit?: number
  /** How long (ms) to search before pausing between two steps; unlimited by default. */
  budgetMs?: number
  /** Only these kinds. */
  kinds?: readonly string[]
}

/** Hits, best first. If `complete` is false, `resume` continues and returns only hits to append. */
export type SearchAnswer = { hits: Hit[]; complete: boolean; resume?: (budgetMs?: number) => SearchAnswer }

/** Changes: `drop` is applied before `put`; putting a known key replaces it (a rename). */
export type Changes = { put: readonly Entity[]; drop: readonly string[] }

/** Key → frecency (frecency.ts); a key that is present counts as used. */
export type Frecency = ReadonlyMap<string, number>

/** Entities in rank order and their lookup tables, as flat arrays: sent, stored and opened without parsing. */
export type PackedIndex = {
  /** Names of kinds; `kind` holds indexes into it. */
  kinds: string[]
  /** Ids that aren't whole numbers below 2^32 - 1, by rank. */
  oddIds: [rank: number, id: number | string][]
  /** Frecency of the first ranks, the used ones. */
  used: Float64Array
  kind: Uint8Array
  id: Uint32Array
  /** By rank; empty if every weight is 0. */
  weight: Float32Array
  /** UTF-8 of all names, and where each begins (one more than there are names). */
  nameText: Uint8Array
  nameAt: Uint32Array
  detailText: Uint8Array
  detailAt: Uint32Array
  /** The dictionary: folded words in order of their UTF-16 units, with the letters in each. */
  wordText: Uint16Array
  wordAt: Uint32Array
  wordMask: Int32Array
  /** Word ids of each name, in the name's order. */
  wordsAt: Uint32Array
  words: Uint32Array
  /** Ranks of each word, ascending. Words with a common prefix are adjacent, so a prefix is one slice. */
  postAt: Uint32Array
  post: Uint32Array
  /** Ranks of each word in the second line, ascending; addresses and phone numbers aren't words. */
  fieldAt: Uint32Array
  field: Uint32Array
  /** Where parts of addresses and phone numbers begin in `detailText`, in order of what follows. */
  contactAt: Uint32Array
  /** Ranks whose code's number is their id, as bits: only a bare number that equals it finds them as by code. */
  numbered: Int32Array
  /** Ranks ordered by their first four words, then by rank: names with the same beginning are one slice. */
  alpha: Uint32Array
  /** Packed initials in ascending order, and their ranks. */
  initials: Uint32Array
  initialsRank: Uint32Array
  /** Ranks by three consecutive initials that aren't the name's first (`acronymKey`): where each begins, ascending. */
  acronymAt: Uint32Array
  acronymRank: Uint32Array
  /** Ranks with whole-number ids, in order of id. */
  byId: Uint32Array
  /** Squeezed codes in order, and their ranks. */
  codeText: Uint16Array
  codeAt: Uint32Array
  codeRank: Uint32Array
}
