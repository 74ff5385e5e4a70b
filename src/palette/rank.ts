/** The tiers of a title's match, best first (workspace.md, Ranking). */
export const TIER = { exact: 0, prefix: 1, word: 2, fuzzy: 3, keyword: 4 } as const
export type Tier = (typeof TIER)[keyof typeof TIER]

export interface Found {
  tier: Tier
  /** Matched ranges of the title in UTF-16 units, end exclusive. */
  ranges: readonly (readonly [start: number, end: number])[]
}
type Range = readonly [number, number]

/** A run of letters and digits in any script, or a single emoji. */
const WORD = /[\p{L}\p{N}]+|\p{Extended_Pictographic}|\p{RI}/gu
const MARKS = /[\u0300-\u036f]/g
/** Removes case and accents but keeps the length, so ranges stay valid. */
const fold = kept((text: string) =>
  [...text].map((sign) => (sign.normalize('NFD').replace(MARKS, '').toLowerCase()[0] ?? sign).padEnd(sign.length)).join(''),
)
const wordsOf = kept((folded: string): readonly { text: string; at: number }[] =>
  [...folded.matchAll(WORD)].map((found) => ({ text: found[0], at: found.index })),
)

/** Caches: the same titles and keywords are read for every letter typed. */
function kept<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    if (known.size > 4000) known.clear()
    const made = make(text)
    known.set(text, made)
    return made
  }
}

interface Findable {
  title: string
  /** The id and other exact names. */
  names?: readonly string[]
  keywords?: string
}

/** TABLE  what people say for the same thing; a phrase stands for any other of its line. */
const SAME: readonly (readonly string[])[] = [
  ['sign out', 'log out', 'logout', 'log off', 'sign off'],
  ['dark theme', 'dark mode', 'night mode'],
  ['light theme', 'light mode', 'day mode'],
  ['system theme', 'automatic theme', 'auto theme'],
  ['password', 'pw', 'pwd', 'passcode'],
  ['export', 'download', 'save as'],
  ['delete', 'remove', 'erase'],
  ['new', 'create', 'add'],
  ['edit', 'change', 'modify'],
  ['keys and commands', 'hotkeys', 'shortcuts', 'cheat sheet', 'keyboard'],
  ['account settings', 'preferences', 'profile', 'my account'],
  ['invite', 'add user', 'new user'],
  ['compact rows', 'density', 'dense'],
  ['search', 'find'],
  ['history', 'audit log', 'activity log'],
]
/** The fewest letters of a phrase that stand for the whole, while it is being typed. */
const LEAST_SAID = 5

/** The query with a phrase said otherwise. */
const saidOtherwise = kept((typed: string): readonly string[] =>
  SAME.flatMap((line) =>
    line.flatMap((phrase) => {
      const others = line.filter((other) => other !== phrase)
      if (` ${typed} `.includes(` ${phrase} `))
        return others.map((other) => ` ${typed} `.replace(` ${phrase} `, ` ${other} `).trim())
      return typed.length >= LEAST_SAID && phrase.includes(' ') && phrase.startsWith(typed) ? others : []
    }),
  ),
)

/** Finds a title by what was typed, else by the same said otherwise, which is as good as its words. */
export function find(query: string, findable: Findable): Found | null {
  const found = findAs(query, findable)
  if (found && found.tier <= TIER.word) return found
  for (const other of saidOtherwise(fold(query).trim().replace(/\s+/g, ' '))) {
    const same = findAs(other, findable)
    if (same && same.tier <= TIER.word) return { tier: TIER.word, ranges: same.ranges }
  }
  return found
}

/** Matches a title by exact name, prefix, word prefixes or initials ("asp": Assign partner), typos, keyword. */
function findAs(query: string, { title, names = [], keywords = '' }: Findable): Found | null {
  const typed = fold(query).trim().replace(/\s+/g, ' ')
  const folded = fold(title)
  if (!typed) return { tier: TIER.exact, ranges: [] }
  const bare = folded.replace(/…$/, '').trimEnd()
  if (bare === typed || names.some((name) => name.toLowerCase() === typed))
    return { tier: TIER.exact, ranges: bare === typed ? [[0, bare.length]] : [] }
  if (folded.startsWith(typed)) return { tier: TIER.prefix, ranges: [[0, typed.length]] }
  const words = wordsOf(folded)
  const tokens = typed.match(WORD) ?? []
  const byWords = tokens.length ? prefixes(tokens, words) : null
  if (byWords) return { tier: TIER.word, ranges: byWords }
  const squeezed = tokens.join('')
  const mashed = squeezed ? mash(squeezed, words, 0) : null
  if (mashed) return { tier: TIER.word, ranges: mashed }
  const near = squeezed.length >= 4 ? withTypos(tokens, words) : null
  if (near) return { tier: TIER.fuzzy, ranges: near }
  const known = wordsOf(fold(keywords))
  return tokens.length &&
    tokens.every(
      (token) => known.some((word) => word.text.startsWith(token)) || words.some((word) => word.text.startsWith(token)),
    )
    ? {
        tier: TIER.keyword,
        ranges: tokens.flatMap((token) =>
          words.filter((word) => word.text.startsWith(token)).map((word): Range => [word.at, word.at + token.length]),
        ),
      }
    : null
}

/** Each token is the prefix of a different word, in any order. */
function prefixes(tokens: readonly string[], words: readonly { text: string; at: number }[]): Range[] | null {
  const taken = new Set<number>()
  const ranges: Range[] = []
  for (const token of tokens) {
    const at = words.findIndex((word, i) => !taken.has(i) && word.text.startsWith(token))
    if (at < 0) return null
    taken.add(at)
    ranges.push([words[at]!.at, words[at]!.at + token.length])
  }
  return ranges.sort((a, b) => a[0] - b[0])
}

/** Matches word prefixes in order, run together: "asp" is "as" of Assign and "p" of partner. Words may be skipped. */
function mash(
  rest: string,
  words: readonly { text: string; at: number }[],
  from: number,
  // Positions that failed aren't retried: there are many paths but few positions.
  vain: Set<string> = new Set(),
): Range[] | null {
  if (!rest) return []
  const place = `${rest.length}:${from}`
  if (vain.has(place)) return null
  for (let i = from; i < words.length; i++) {
    const { text, at } = words[i]!
    let most = 0
    while (most < text.length && most < rest.length && text[most] === rest[most]) most++
    for (let take = most; take > 0; take--) {
      const further = mash(rest.slice(take), words, i + 1, vain)
      if (further) return [[at, at + take], ...further]
    }
  }
  vain.add(place)
  return null
}

/** Each token is a word's prefix with one typo (two from seven letters on). */
function withTypos(tokens: readonly string[], words: readonly { text: string; at: number }[]): Range[] | null {
  const ranges: Range[] = []
  for (const token of tokens) {
    const allowed = token.length >= 7 ? 2 : token.length >= 4 ? 1 : 0
    const hit = words
      .map((word) => ({ word, slips: slips(token, word.text, allowed) }))
      .filter(({ slips }) => slips <= allowed)
      .sort((a, b) => a.slips - b.slips)[0]
    // The first letter is rarely wrong, and another beginning is rarely meant.
    if (!hit || (hit.slips && hit.word.text[0] !== token[0])) return null
    ranges.push([hit.word.at, hit.word.at + Math.min(token.length, hit.word.text.length)])
  }
  return ranges.sort((a, b) => a[0] - b[0])
}

/** The fewest typos (wrong, missing, extra or swapped letters) to any prefix of `word`; above `most`, `most + 1`. */
function slips(token: string, word: string, most: number): number {
  const width = Math.min(word.length, token.length + most)
  let before: number[] = []
  let row = Array.from({ length: width + 1 }, (_, at) => at)
  for (let i = 1; i <= token.length; i++) {
    const next = [i]
    for (let j = 1; j <= width; j++) {
      let best = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (token[i - 1] === word[j - 1] ? 0 : 1))
      if (i > 1 && j > 1 && token[i - 1] === word[j - 2] && token[i - 2] === word[j - 1])
        best = Math.min(best, before[j - 2]! + 1)
      next.push(best)
    }
    before = row
    row = next
  }
  return Math.min(most + 1, ...row)
}

export interface Ranked {
  tier: Tier
  /** Frecency; 0 if never used. */
  use: number
  /** Can't run now, so it comes after what can. */
  off?: boolean
  /** The distance to the current subjects: 0 acts on them. */
  near: number
}

/** Orders within a tier: what can run, then used, then by use, then by nearness. Ties keep the table's order. */
export function byRank(a: Ranked, b: Ranked): number {
  return (
    a.tier - b.tier ||
    Number(a.off ?? false) - Number(b.off ?? false) ||
    Number(b.use > 0) - Number(a.use > 0) ||
    b.use - a.use ||
    a.near - b.near
  )
}
