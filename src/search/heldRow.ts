/* Whether the previous best row still fits after the word being typed has grown by a letter. */
import { foldWords, unitsOf } from './fold.ts'
import type { Token } from './lookup.ts'
import { SLIGHT } from './omissions.ts'
import type { Query } from './query.ts'
import { holdsInitials, holdsInitialsAhead, holdsRunTogether } from './runTogether.ts'
import type { Segment } from './segment.ts'
import { editsOf, fuzzyLevel, insideAt, LEVEL, looksInside } from './tokenMatch.ts'
import { TIER, type Tier } from './types.ts'

/** A single word needs this many letters to match by its beginning. */
const LEAST_ALONE = 4
/** The most letters cut from a single word before its beginning counts as a typo. */
const MOST_CUT = 3

/** How the previous best row fits the current text; `whole` if the last word matches a whole one. */
export type Fit = { tier: Tier; whole: boolean; without: readonly string[] }

/** Returns the fit of a row, judged only by its words; null if it no longer fits. */
export function fitOf({ tokens, open }: Query, segment: Segment, rank: number): Fit | null {
  const words = foldWords(segment.nameOf(rank))
  const field = foldWords(segment.detailOf(rank))
  let least: number = LEVEL.whole
  let level = -1
  for (const [at, token] of tokens.entries()) {
    const growing = open && at === tokens.length - 1
    level = levelOf(token, words, field, segment, rank)
    if (growing && at > 0) level = Math.max(level, growingLevel(token, tokens[at - 1]!, words, field))
    if (growing && level < 0 && holdsInitialsAhead(segment.p, rank, token.units)) level = LEVEL.skipped
    if (level >= 0) least = Math.min(least, level)
    else if (!growing || !(fitsPrefix(token, words, field) || (at > 0 && SLIGHT.has(token.text)))) return null
    else return { tier: TIER.partly, whole: false, without: [token.text] }
  }
  return { tier: tierOf(least), whole: level >= LEVEL.near, without: [] }
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
