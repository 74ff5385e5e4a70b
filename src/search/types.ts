/** One findable thing: a project, a client, a person … as the palette's call sends it. */
export type Entity = {
  /** `kind:id`, unique. */
  key: string
  kind: string
  id: number | string
  name: string
  /** The second line of its row. */
  detail: string
  /** What people call it by in mails, such as `P-4812`. */
  code?: string
  /** A prior from the server: more is earlier among equal matches. */
  weight?: number
}

/** A stretch of a name in UTF-16 units, end exclusive. */
export type Range = [start: number, end: number]

/** How well a name matches, best first; the order of the list is by tier, then use, then closeness. */
export const TIER = { code: 0, name: 1, begins: 2, words: 3, initials: 4, inside: 5, fuzzy: 6 } as const
export type Tier = (typeof TIER)[keyof typeof TIER]

/** One row of an answer. `score` is comparable within one answer only; `ranges` are the matched letters of the name. */
export type Hit = {
  key: string
  kind: string
  id: number | string
  name: string
  detail: string
  score: number
  tier: Tier
  ranges: Range[]
}

export type SearchOptions = {
  /** The most hits wanted; 50 when left out. */
  limit?: number
  /** Milliseconds after which the search stops between two steps; no bound when left out. */
  budgetMs?: number
  /** Only these kinds. */
  kinds?: readonly string[]
}

/** Hits, best first. If `complete` is false, `resume` continues and returns only what is to be appended. */
export type SearchAnswer = { hits: Hit[]; complete: boolean; resume?: (budgetMs?: number) => SearchAnswer }

/** What changed: `drop` is applied before `put`; a put with a known key replaces it (a rename). */
export type Changes = { put: readonly Entity[]; drop: readonly string[] }

/** Key → frecency (see frecency.ts); a key that is present counts as used. */
export type Frecency = ReadonlyMap<string, number>

/** The entities in order of standing ("rank"), and what finds them, as flat arrays: sent, stored and opened without parsing. */
export type PackedIndex = {
  /** Names of kinds; `kind` holds places in it. */
  kinds: string[]
  /** Ids that are not whole numbers below 2^32 - 1, by rank. */
  oddIds: [rank: number, id: number | string][]
  /** Frecency of the first ranks, the used ones. */
  used: Float64Array
  kind: Uint8Array
  id: Uint32Array
  /** By rank; empty when every weight is 0. */
  weight: Float32Array
  /** UTF-8 of all names, and where each begins (one more than there are names). */
  nameText: Uint8Array
  nameAt: Uint32Array
  detailText: Uint8Array
  detailAt: Uint32Array
  /** The dictionary: folded words in order of their UTF-16 units, with the letters each holds. */
  wordText: Uint16Array
  wordAt: Uint32Array
  wordMask: Int32Array
  /** Word ids of each name, in the name's own order. */
  wordsAt: Uint32Array
  words: Uint32Array
  /** Ranks of each word, ascending. Words that share a beginning lie side by side, so a prefix is one slice. */
  postAt: Uint32Array
  post: Uint32Array
  /** Ranks in order of their first four words, then rank: names that begin alike are one slice. */
  alpha: Uint32Array
  /** Packed initials in ascending order, and whose they are. */
  initials: Uint32Array
  initialsRank: Uint32Array
  /** By three initials in a row that are not the name's first: where their ranks begin, ascending (`acronymKey`). */
  acronymAt: Uint32Array
  acronymRank: Uint32Array
  /** Ranks with whole-number ids, in order of id. */
  byId: Uint32Array
  /** Squeezed codes in order, and whose they are. */
  codeText: Uint16Array
  codeAt: Uint32Array
  codeRank: Uint32Array
}
