/* Which words of a query are left out when no name has all of them. */
import type { Token } from './lookup.ts'
import { LEVEL } from './match.ts'
import { toToken } from './query.ts'

/** TABLE  words that say little: small ones, and those of mails and files. */
const SLIGHT: ReadonlySet<string> = new Set(
  'a,an,and,at,by,de,for,from,in,is,la,my,of,on,or,our,the,to,und,with,y,re,fw,fwd,ext,aw,wg,final,draft,copy,report,deck,slides,v1,v2,v3,v4'.split(
    ',',
  ),
)

/** The fewest words that must be left after one that some name has is left out. */
const LEAST_LEFT = 2

/** A last word of so few letters is still being typed: while it is unknown, the rows of its beginning stay. */
const MOST_OPEN = 5

/** `instead` stands for what is left out. */
export type Omission = { without: readonly Token[]; least: number; instead?: Token }

/** What to leave out of two words or more, the likeliest first; `held` says how many names have each. */
export function omissions(
  tokens: readonly Token[],
  held: ReadonlyMap<string, number>,
  isKnown: (token: Token) => boolean,
): Omission[] {
  const slight = tokens.filter(({ text }) => SLIGHT.has(text))
  const telling = tokens.filter((token) => !slight.includes(token))
  if (telling.length === 0) return []
  const out: Omission[] = []
  const last = tokens.at(-1)!
  if (held.get(last.text) === 0 && !last.fixed && !last.contact && last.text.length <= MOST_OPEN)
    for (let length = last.text.length - 1; length > 0; length--) {
      const instead = toToken(last.text.slice(0, length), [], false, true)
      if (!isKnown(instead)) continue
      out.push({ without: [last], least: LEVEL.detail, instead })
      break
    }
  if (slight.length > 0) out.push({ without: slight, least: LEVEL.letters })
  const unknown = telling.filter(({ text }) => held.get(text) === 0)
  const rest = telling.filter((token) => !unknown.includes(token))
  if (unknown.length > 0 && rest.length >= LEAST_LEFT) out.push({ without: [...slight, ...unknown], least: LEVEL.detail })
  if (rest.length > LEAST_LEFT) {
    const common = rest.toSorted((a, b) => held.get(b.text)! - held.get(a.text)!)
    for (const token of common) out.push({ without: [...slight, ...unknown, token], least: LEVEL.detail })
  }
  return out
}
