/* Whether the previous best row still fits after the word being typed has grown by a letter. */
import { foldWords, unitsOf } from './fold.ts'
import type { Token } from './lookup.ts'
import { SLIGHT } from './omissions.ts'
import type { RankedRow } from './order.ts'
import type { Query } from './query.ts'
import { holdsInitials, holdsInitialsAhead, holdsRunTogether } from './runTogether.ts'
import type { Segment } from './segment.ts'
import { editsOf, fuzzyLevel, insideAt, LEVEL, looksInside, slipsToward } from './tokenMatch.ts'
import { TIER, type Tier } from './types.ts'

/** A single word needs this many letters to match by its beginning. */
const LEAST_ALONE = 4
/** The most letters cut from a single word before its beginning counts as a typo. */
const MOST_CUT = 3

/** The fewest letters of a word with a slip: as the only word, beside others, and against names that begin so. */
const LEAST_SLIP = { alone: 3, beside: 2, named: 4 } as const

/**
 * How the previous best row fits the current text; `whole` if the last word matches a whole one.
 * `by`: the last word is a slip away from a beginning of a word, or its first half is; or its first two initials.
 */
export type Fit = { tier: Tier; whole: boolean; without: readonly string[]; by: 'slip' | 'remains' | 'initials' | null }

/** A previous best row that still fits. */
export type LeadingRow = Fit & { segment: Segment; rank: number }

/** Returns the fit of a row, judged only by its words; null if it no longer fits. */
export function fitOf({ tokens, open }: Query, segment: Segment, rank: number): Fit | null {
  const words = foldWords(segment.nameOf(rank))
  const field = foldWords(segment.detailOf(rank))
  let least: number = LEVEL.whole
  let level = -1
  let by: Fit['by'] = null
  for (const [at, token] of tokens.entries()) {
    const growing = open && at === tokens.length - 1
    level = levelOf(token, words, field, segment, rank)
    if (growing && at > 0) level = Math.max(level, growingLevel(token, tokens[at - 1]!, words, field))
    if (growing && level < 0 && holdsInitialsAhead(segment.p, rank, token.units)) level = LEVEL.skipped
    const slip = growing && level <= LEVEL.editWhole && isSlip(token, words)
    if (slip) by = 'slip'
    else if (growing && at === 0 && level === LEVEL.acronym && token.units.length === 2) by = 'initials'
    if (level >= 0) least = Math.min(least, level)
    else if (slip || (growing && (fitsPrefix(token, words, field) || (at > 0 && SLIGHT.has(token.text)))))
      return { tier: TIER.partly, whole: false, without: [token.text], by }
    else if (growing && at > 0 && slipsInPrefix(token, words))
      return { tier: TIER.partly, whole: false, without: [token.text], by: 'remains' }
    else return null
  }
  return { tier: tierOf(least), whole: level >= LEVEL.near, without: [], by }
}

/** True if at least half of the word being typed is a slip away from a beginning: enough if nothing else is found. */
function slipsInPrefix({ units, fixed, contact }: Token, words: readonly string[]): boolean {
  if (fixed || contact) return false
  const half = units.subarray(0, Math.max(LEAST_SLIP.alone, Math.ceil(units.length / 2)))
  return words.some((word) => slipsToward(half, unitsOf(word)))
}

function isSlip({ text, units, fixed, contact, beside }: Token, words: readonly string[]): boolean {
  if (fixed || contact || units.length < LEAST_SLIP[beside ? 'beside' : 'alone']) return false
  // Doubled letters are forgotten more often than any others, and several in one word.
  const single = withoutDoubles(text)
  return words.some((word) => slipsToward(units, unitsOf(word)) || (single.length > 1 && withoutDoubles(word).startsWith(single)))
}

const withoutDoubles = (text: string): string => text.replace(/(.)\1+/gu, '$1')

/** Returns 0 for a match by words, 1 by letters, 2 for part of the query. */
const strengthOf = (tier: Tier): number => (tier <= TIER.detail ? 0 : tier <= TIER.fuzzy ? 1 : 2)

/** True if the previous best row is too weak to stay before this one: weaker rows yield to stronger ones. */
export function yields({ tokens }: Query, held: LeadingRow, first: RankedRow): boolean {
  if (held.by === 'remains') return true
  const [own, other] = [strengthOf(held.tier), strengthOf(first.tier)]
  // Other words of the query make up for the last one's letters.
  if (own <= other || (tokens.length > 1 && other > 0)) return false
  if (held.by === 'initials') return false
  if (held.by === null) return true
  const { units } = tokens.at(-1)!
  // A slip stays before what others have by letters (but initials), or only as a beginning beside their name.
  if (other > 0) return holdsInitials(first.segment.p, first.rank, units, false)
  if (tokens.length > 1 && first.tier === TIER.detail && units.length < LEAST_SLIP.named) return false
  // What is used stays before what isn't.
  const outranks = held.rank < held.segment.used && first.rank >= first.segment.used
  return !(outranks && units.length >= LEAST_SLIP.named)
}

const tierOf = (least: number): Tier =>
  least >= LEVEL.start
    ? TIER.words
    : least >= LEVEL.detail
      ? TIER.detail
      : least >= LEVEL.acronym
        ? TIER.initials
        : least >= LEVEL.inside
          ? TIER.inside
          : least >= LEVEL.skipped
            ? TIER.skipped
            : TIER.fuzzy

function levelOf(token: Token, words: readonly string[], field: readonly string[], segment: Segment, rank: number): number {
  const { text, units, spellings, fixed, beside } = token
  if (words.includes(text)) return LEVEL.whole
  const spelled = spellings.filter((one) => followEachOther(words, one.words, one.begins === true))
  if (spelled.some(({ weak }) => !weak)) return LEVEL.near
  if (words.some((word) => word.startsWith(text))) return LEVEL.start
  if (spelled.length > 0 || field.some((word) => word.startsWith(text))) return LEVEL.detail
  const { p } = segment
  if (holdsInitials(p, rank, units, units.length > 2)) return LEVEL.acronym
  const letters = words.map(unitsOf)
  if (looksInside(units) && letters.some((word) => insideAt(units, word, 0, word.length) >= 0)) return LEVEL.inside
  if (holdsRunTogether(p, rank, units)) return LEVEL.skipped
  if (fixed) return -1
  const near = Math.max(...letters.map((word) => fuzzyLevel(units, word, 0, word.length, beside)), -1)
  const far = editsOf(units)
  return near < 0 && far !== null && letters.some((word) => far.near(word, 0, word.length)) ? LEVEL.letters : near
}

/** The level of a last word that becomes "and", or continues the one before it: "tide wat" is Tidewater. */
function growingLevel({ text }: Token, before: Token, words: readonly string[], field: readonly string[]): number {
  if (text.length > 1 && 'and'.startsWith(text)) return LEVEL.start
  const joined = before.text + text
  if (words.some((word) => word.startsWith(joined))) return LEVEL.start
  return field.some((word) => word.startsWith(joined)) ? LEVEL.detail : -1
}

/** True if at least half of the word being typed begins a word of the row, perhaps with a typo. */
function fitsPrefix({ text, fixed, contact, beside }: Token, words: readonly string[], field: readonly string[]): boolean {
  if (fixed || contact || (!beside && text.length < LEAST_ALONE)) return false
  for (let length = text.length - 1; length >= Math.ceil(text.length / 2); length--) {
    const beginning = text.slice(0, length)
    if (words.some((word) => word.startsWith(beginning)) || field.some((word) => word.startsWith(beginning))) return true
    // A single word has no other words that tell what is meant.
    if (!beside && length < text.length - MOST_CUT) continue
    const units = unitsOf(beginning)
    if (words.some((word) => fuzzyLevel(units, unitsOf(word), 0, word.length, beside) > LEVEL.letters)) return true
  }
  return false
}

const followEachOther = (words: readonly string[], others: readonly string[], begins: boolean): boolean =>
  words.some((_, at) =>
    others.every((other, i) => {
      const word = words[at + i]
      if (word === other) return true
      return begins && i === others.length - 1 && word?.startsWith(other) === true && /^\d+$/.test(word.slice(other.length))
    }),
  )
