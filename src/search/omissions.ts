/* Chooses which words of a query to leave out if no name has all of them. */
import type { Token } from './lookup.ts'
import { toToken } from './query.ts'
import { LEVEL } from './tokenMatch.ts'

/** TABLE  words that say little: small ones, and those common in mails and files. */
export const SLIGHT: ReadonlySet<string> = new Set(
  'a,an,and,at,by,de,for,from,in,is,la,my,of,on,or,our,the,to,und,with,y,re,fw,fwd,ext,aw,wg,final,draft,copy,report,deck,slides,v1,v2,v3,v4'.split(
    ',',
  ),
)

/** How many words must remain after one that some name has is left out. */
const LEAST_LEFT = 2
/** The most names, and the share of all, that a single remaining word may match: it must be telling by itself. */
const MOST_ALONE = { names: 100, part: 1 / 200 } as const
/** The fewest letters of such a word. */
const LEAST_TELLING = 4

/** A last word with this many letters or fewer may still grow, even if some name has it. */
const MOST_OPEN = 5
/** A single word may lose its last letter from this length on; shorter ones are too ambiguous. */
const LEAST_ALONE = 6
/** The most beginnings of a last word to try. */
const MOST_TRIES = 4

/** `instead` is a beginning of the omitted word; once one has matched, shorter ones add nothing. */
export type Omission = { without: readonly Token[]; least: number; instead?: Token }

/**
 * Returns what to leave out of two or more words, likeliest first; `held` has how many of the `names` contain each.
 * `open`: the last word is still being typed.
 */
export function omissions(tokens: readonly Token[], held: ReadonlyMap<string, number>, open = false, names = 0): Omission[] {
  // A last word that is still being typed may become another one.
  const slight = tokens.filter(({ text }, at) => SLIGHT.has(text) && !(open && at > 1 && at === tokens.length - 1))
  const telling = tokens.filter((token) => !slight.includes(token))
  if (telling.length === 0) return []
  const out: Omission[] = []
  const last = tokens.at(-1)!
  const unmatched = held.get(last.text) === 0
  const beginnings = beginningsOf(tokens)
  if (unmatched) out.push(...beginnings)
  if (tokens.length < 2) return out
  if (slight.length > 0) out.push({ without: slight, least: LEVEL.letters })
  const unknown = telling.filter(({ text }) => held.get(text) === 0)
  const rest = telling.filter((token) => !unknown.includes(token))
  if (unknown.length > 0 && rest.length >= LEAST_LEFT) out.push({ without: [...slight, ...unknown], least: LEVEL.detail })
  const most = Math.min(MOST_ALONE.names, Math.floor(names * MOST_ALONE.part))
  const [other] = unknown
  // A number never stands for another number.
  if (unknown.length === 1 && !other!.fixed && rest.length === 1 && rest[0]!.text.length >= LEAST_TELLING)
    if (held.get(rest[0]!.text)! <= most) out.push({ without: [...slight, ...unknown], least: LEVEL.detail })
  if (rest.length > LEAST_LEFT) {
    const common = rest.toSorted((a, b) => held.get(b.text)! - held.get(a.text)!)
    for (const token of common) out.push({ without: [...slight, ...unknown, token], least: LEVEL.detail })
  }
  if (!unmatched && last.text.length <= MOST_OPEN) out.push(...beginnings)
  // The first of two words is enough while the other one is still being typed.
  const [first] = rest
  if (open && unknown.length === 0 && rest.length === 2 && last === rest[1] && !last.fixed)
    if (first!.text.length >= LEAST_TELLING && held.get(first!.text)! <= most) out.push({ without: [last], least: LEVEL.detail })
  return out
}

/** Returns the last word's beginnings, longest first, so that one more letter keeps what the letters before found. */
function beginningsOf(tokens: readonly Token[]): Omission[] {
  const last = tokens.at(-1)!
  const { text } = last
  // A number never stands for another number.
  if (last.contact || last.fixed) return []
  const alone = tokens.length === 1
  if (alone && text.length < LEAST_ALONE) return []
  const least = alone ? text.length - 1 : text.length <= MOST_OPEN ? 1 : Math.ceil(text.length / 2)
  const from = text.length - 1
  const lengths = Array.from({ length: Math.max(0, from - least + 1) }, (_, at) => from - at).slice(0, MOST_TRIES)
  return lengths.map((length) => ({
    ...{ without: [last], least: LEVEL.letters },
    instead: toToken(text.slice(0, length), [], false, !alone),
  }))
}
