import { foldSign } from '../../contract/foldText.ts'
import { spellingsOf } from '../search/entities.ts'

/**
 * The tiers of a title's match, best first (workspace.md, Ranking).
 * `same` matches the whole title by synonyms, `said` a part of it; `slip` matches the whole title with typos.
 */
export const TIER = { exact: 0, prefix: 1, same: 1.5, word: 2, said: 2.5, slip: 2.9, fuzzy: 3, keyword: 4 } as const
export type Tier = (typeof TIER)[keyof typeof TIER]

export interface TitleMatch {
  tier: Tier
  /** Matched ranges of the title in UTF-16 units, end exclusive. */
  ranges: readonly (readonly [start: number, end: number])[]
  /** How many words of the title no typed word matches. */
  rest?: number
}
type Range = readonly [number, number]

/** A run of letters and digits in any script, or a single emoji. */
const WORD = /[\p{L}\p{N}]+|\p{Extended_Pictographic}|\p{RI}/gu
const LETTER = /[\p{L}\p{N}]/u
/** Removes case and accents but keeps the length, so ranges stay valid. */
const fold = kept((text: string) =>
  [...text].map((sign) => ((LETTER.test(sign) && foldSign(sign)[0]) || sign).padEnd(sign.length)).join(''),
)
const wordsOf = kept((folded: string): readonly Word[] =>
  [...folded.matchAll(WORD)].map((found) => ({ text: found[0], at: found.index, mask: maskOf(found[0]) })),
)
/** Returns a word's characters as bits; several share a bit, so an unset one means that none of them is in the word. */
function maskOf(text: string): number {
  let mask = 0
  for (let at = 0; at < text.length; at++) mask |= 1 << (text.charCodeAt(at) & 31)
  return mask
}
/** How many bits are set. */
function bitsIn(mask: number): number {
  let count = 0
  for (let rest = mask; rest; rest &= rest - 1) count++
  return count
}

/** Caches results, because the same titles and keywords are matched for every letter typed. */
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
  /** Words that count only next to one of the title or keywords, such as the kinds of record a command acts on. */
  beside?: string
}

/** TABLE  synonyms, in the singular; a phrase stands for any other of its line. */
const SAME: readonly (readonly string[])[] = [
  ['sign out', 'log out', 'logout', 'log off', 'sign off'],
  ['dark theme', 'dark mode', 'night mode'],
  ['light theme', 'light mode', 'day mode'],
  ['system theme', 'automatic theme', 'auto theme'],
  ['password', 'pw', 'pwd', 'passcode'],
  ['temporary password', 'reset password', 'change password', 'change pw', 'reset pw', 'forgot password'],
  ['export', 'download', 'save as'],
  ['delete', 'remove', 'erase', 'trash'],
  ['new', 'create', 'add'],
  ['edit', 'change', 'modify'],
  ['clear', 'reset'],
  ['approve', 'accept'],
  ['reject', 'decline', 'deny'],
  ['pause', 'suspend', 'put on hold'],
  ['clone', 'duplicate', 'copy'],
  ['act as this user', 'impersonate', 'login as', 'log in as', 'sign in as', 'switch user'],
  [
    'keys and commands',
    'help',
    'hotkey',
    'shortcut',
    'cheat sheet',
    'keyboard',
    'keyboard shortcut',
    'keybinding',
    'key binding',
  ],
  ['account settings', 'preferences', 'profile', 'my account', 'time zone', 'timezone'],
  ['organization', 'company setting', 'workspace setting'],
  ['setting', 'option', 'configuration'],
  ['invite', 'add user', 'new user'],
  ['user', 'person', 'people', 'colleague', 'someone', 'teammate'],
  ['partner', 'vendor', 'supplier', 'panel provider'],
  ['client', 'customer', 'company'],
  ['project', 'study', 'campaign'],
  ['survey', 'questionnaire'],
  ['reward', 'incentive', 'gift card'],
  ['location', 'store', 'venue', 'site'],
  ['inbox', 'alert', 'notification'],
  ['outbox', 'sent mail', 'sent email'],
  ['email', 'mail', 'message'],
  ['job', 'background job', 'task'],
  ['compact rows', 'density'],
  ['zen', 'full screen', 'fullscreen', 'focus mode', 'distraction free'],
  ['pane', 'page', 'screen'],
  ['back', 'go back'],
  ['side by side', 'split view', 'split screen'],
  ['all projects', 'projects', 'project list'],
  ['end date', 'deadline', 'due date'],
  ['note', 'comment'],
  ['search', 'find'],
  ['history', 'audit log', 'activity log', 'change log'],
]
/** How many letters of a phrase must be typed to stand for all of it. */
const LEAST_SAID = 5
/** How many letters a title needs to match in the other number. */
const LEAST_NUMBER = 4
/** Words that add nothing next to others. */
const SLIGHT: ReadonlySet<string> = new Set('a,an,the,my,this,these,that,of,on,in,by,for,with,please'.split(','))

const stem = (word: string): string => (/[^s]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word)
const stems = (text: string): string => text.split(' ').map(stem).join(' ')
const runTogether = (text: string): string => text.replaceAll(' ', '')
const SAME_STEMS = SAME.map((line) => line.map(stems))

/** A title, prepared for comparing: words, the singular, and its words run together. */
interface PreparedTitle {
  folded: string
  /** Without a trailing ellipsis. */
  bare: string
  together: string
  singular: string
  words: readonly Word[]
}
const preparedTitle = kept((title: string): PreparedTitle => {
  const folded = fold(title)
  const bare = folded.replace(/…$/, '').trimEnd()
  return { folded, bare, together: runTogether(bare), singular: stems(bare), words: wordsOf(folded) }
})
const foldedWords = kept((text: string): readonly Word[] => wordsOf(fold(text)))

/** Returns the query without slight words, and with phrases replaced by their synonyms. */
const saidOtherwise = kept((typed: string): readonly string[] => {
  const words = typed.split(' ')
  const telling = words.filter((word) => !SLIGHT.has(word)).join(' ')
  const plain = stems(telling)
  const many = plain !== telling || /people$/.test(telling)
  const others = SAME_STEMS.flatMap((line) =>
    line.flatMap((phrase) => {
      const rest = line.filter((other) => other !== phrase)
      if (` ${plain} `.includes(` ${phrase} `))
        return rest.map((other) => ` ${plain} `.replace(` ${phrase} `, ` ${other} `).trim())
      const isBeginning = phrase.includes(' ') && (phrase.startsWith(plain) || runTogether(phrase) === plain)
      return plain.length >= LEAST_SAID && isBeginning ? rest : []
    }),
  )
  const numbered = many ? others.flatMap((other) => [`${other}s`, other]) : others
  return telling && telling !== typed ? [telling, ...numbered] : numbered
})

/**
 * Matches a title by the typed text, or else by its synonyms.
 * With `plain`, only words count, not letters run together or typos.
 */
export function find(query: string, findable: Findable, plain = false): TitleMatch | null {
  const found = findAs(query, findable, plain)
  if (found && found.tier < TIER.word) return found
  let best = found
  for (const other of saidOtherwise(typedQuery(query).typed)) {
    const same = findAs(other, findable, true)
    if (!same) continue
    const tier = same.tier === TIER.exact ? TIER.same : same.tier <= TIER.word ? TIER.said : same.tier
    if (!best || tier < best.tier) best = { tier, ranges: same.ranges }
    if (tier === TIER.same) break
  }
  return best
}

type Word = { text: string; at: number; mask: number }
/** A typed word with its other spellings, by the search's rules: plurals, short forms, numbers. */
type Typed = { text: string; mask: number; spelled: readonly string[] }
const typedWords = kept((typed: string): readonly Typed[] => {
  const tokens: string[] = typed.match(WORD) ?? []
  const spelled = spellingsOf(tokens)
  return tokens.map((text, at) => ({
    text,
    mask: maskOf(text),
    spelled: spelled[at]!.flatMap(({ words, weak }) => (words.length === 1 && !weak ? [words[0]!] : [])),
  }))
})
const typedQuery = kept((query: string) => {
  const typed = fold(query).trim().replace(/\s+/g, ' ')
  const tokens = typedWords(typed)
  return { typed, singular: stems(typed), tokens, squeezed: tokens.map(({ text }) => text).join('') }
})
/** Returns the words of a query. */
export const wordsTyped = (query: string): string[] => typedWords(fold(query)).map(({ text }) => text)

/** Returns how many letters of a word a typed one matches: its beginning, or all by another spelling; 0 for none. */
const metBy = ({ text, mask, spelled }: Typed, { text: word, mask: has }: Word): number =>
  (mask & ~has) === 0 && word.startsWith(text) ? text.length : spelled.includes(word) ? word.length : 0

/** Matches a title by exact name, prefix, word prefixes or initials ("asp": Assign partner), typos, keyword. */
function findAs(query: string, { title, names = [], keywords = '', beside = '' }: Findable, plain = false): TitleMatch | null {
  const { typed, singular, tokens, squeezed } = typedQuery(query)
  if (!typed) return { tier: TIER.exact, ranges: [] }
  const { folded, bare, words, ...known } = preparedTitle(title)
  const isName = (name: string) => name === typed || (typed.length >= LEAST_NUMBER && stems(name) === singular)
  if (bare === typed || names.some((name) => isName(name.toLowerCase())))
    return { tier: TIER.exact, ranges: bare === typed ? [[0, bare.length]] : [] }
  if (squeezed.length >= LEAST_SAID && known.together === squeezed) return { tier: TIER.exact, ranges: [[0, bare.length]] }
  // The singular of a list's noun matches as well, once the word is complete.
  if (typed.length >= LEAST_NUMBER && known.singular === singular) return { tier: TIER.exact, ranges: [[0, bare.length]] }
  if (folded.startsWith(typed)) return { tier: TIER.prefix, ranges: [[0, typed.length]] }
  const byWords = tokens.length ? prefixes(tokens, words) : null
  if (byWords) return { tier: TIER.word, ranges: byWords, rest: words.length - tokens.length }
  const joined = squeezed && !plain ? matchRunTogether(squeezed, words, 0) : null
  if (joined) return { tier: TIER.word, ranges: joined }
  const near = squeezed.length >= 4 && !plain ? withTypos(tokens, words) : null
  if (near)
    return { tier: tokens.length === words.length ? TIER.slip : TIER.fuzzy, ranges: near, rest: words.length - tokens.length }
  return byKeywords(tokens, words, foldedWords(keywords), foldedWords(beside), plain)
}

/** Each token matches a word of the title, a keyword, or a word that counts next to those. */
function byKeywords(
  tokens: readonly Typed[],
  words: readonly Word[],
  keywords: readonly Word[],
  beside: readonly Word[],
  plain: boolean,
): TitleMatch | null {
  const meets = (known: readonly Word[], token: Typed) =>
    known.some((word) => metBy(token, word) > 0 || (!plain && isSlip(token, word)))
  let hasOwn = false
  for (const token of tokens) {
    if (meets(words, token) || meets(keywords, token)) hasOwn = true
    else if (!meets(beside, token)) return null
  }
  if (!hasOwn) return null
  const ranges = tokens.flatMap((token) =>
    words.flatMap((word): Range[] => (metBy(token, word) ? [[word.at, word.at + metBy(token, word)]] : [])),
  )
  return { tier: TIER.keyword, ranges: ranges.sort((a, b) => a[0] - b[0]) }
}

/** Each token is the prefix of a different word, in any order. */
function prefixes(tokens: readonly Typed[], words: readonly Word[]): Range[] | null {
  const taken = new Set<number>()
  const ranges: Range[] = []
  for (const token of tokens) {
    const at = words.findIndex((word, i) => !taken.has(i) && metBy(token, word) > 0)
    if (at < 0) return null
    taken.add(at)
    ranges.push([words[at]!.at, words[at]!.at + metBy(token, words[at]!)])
  }
  return ranges.sort((a, b) => a[0] - b[0])
}

/** Matches word prefixes in order, run together: "asp" is "as" of Assign and "p" of partner. Words may be skipped. */
function matchRunTogether(
  rest: string,
  words: readonly Word[],
  from: number,
  // Positions that failed aren't retried: there are many paths but few positions.
  deadEnds: Set<string> = new Set(),
): Range[] | null {
  if (!rest) return []
  const place = `${rest.length}:${from}`
  if (deadEnds.has(place)) return null
  for (let i = from; i < words.length; i++) {
    const { text, at } = words[i]!
    let most = 0
    while (most < text.length && most < rest.length && text[most] === rest[most]) most++
    for (let take = most; take > 0; take--) {
      const further = matchRunTogether(rest.slice(take), words, i + 1, deadEnds)
      if (further) return [[at, at + take], ...further]
    }
  }
  deadEnds.add(place)
  return null
}

/** How many letters a keyword needs to match with a typo. */
const LEAST_SLIP = 5
const isSlip = (token: Typed, word: Word): boolean =>
  token.text.length >= LEAST_SLIP && token.text[0] === word.text[0] && slips(token, word, 1) <= 1

/** Each token is a word's prefix with one typo (two from seven letters on). */
function withTypos(tokens: readonly Typed[], words: readonly Word[]): Range[] | null {
  const ranges: Range[] = []
  for (const token of tokens) {
    const { length } = token.text
    let least = length >= 7 ? 3 : length >= 4 ? 2 : 1
    let nearest: Word | null = null
    for (const word of words) {
      const found = slips(token, word, least - 1)
      if (found >= least) continue
      least = found
      nearest = word
      if (!found) break
    }
    // The first letter is rarely wrong, and a different one is rarely meant.
    if (!nearest || (least && nearest.text[0] !== token.text[0])) return null
    ranges.push([nearest.at, nearest.at + Math.min(length, nearest.text.length)])
  }
  return ranges.sort((a, b) => a[0] - b[0])
}

/** Returns the fewest typos (wrong, missing, extra, swapped letters) to any prefix of `word`; at most `most + 1`. */
function slips({ text: token, mask }: Typed, { text: word, mask: has }: Word, most: number): number {
  // Each letter that the word lacks is a typo, and so is each one beyond its end.
  if (token.length - word.length > most || bitsIn(mask & ~has) > most) return most + 1
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
  /** It can't run now, so it comes after what can. */
  off?: boolean
  /** How many words of the title no typed word matches. */
  rest?: number
  /** The distance to the current subjects; 0 acts on them. */
  near: number
}

/** Orders within a tier: can run, used, more use, fewer unmatched words, nearness, then table order. */
export function byRank(a: Ranked, b: Ranked): number {
  return (
    a.tier - b.tier ||
    Number(a.off ?? false) - Number(b.off ?? false) ||
    Number(b.use > 0) - Number(a.use > 0) ||
    b.use - a.use ||
    (a.rest ?? 0) - (b.rest ?? 0) ||
    a.near - b.near
  )
}
