import { foldWords, isPicture, maskOf, squeeze, unitsOf } from './fold.ts'
import type { Token } from './lookup.ts'

/** Further tokens are ignored: nobody types them, though a paste might have them. */
const MOST_TOKENS = 8
/** Letters of a pasted text that are read. */
const MOST_LETTERS = 200

export type Query = {
  /** The text run together, for ids and codes. */
  squeezed: string
  /** The words as typed, for names that begin with them. */
  words: Token[]
  /** The distinct words. */
  tokens: Token[]
}

/** Parses the typed text. A chunk such as `P-4812` stays one token if `isCode` knows it. */
export function readQuery(
  text: string,
  isCode: (squeezed: string) => boolean,
  isKnown: (token: Token) => boolean = () => true,
): Query {
  const typed = text.slice(0, MOST_LETTERS)
  const found: string[] = []
  for (const chunk of typed.split(/\s+/)) {
    const parts = foldWords(chunk)
    const code = parts.join('')
    if (parts.length > 1 && /[0-9]$/.test(code) && isCode(code)) found.push(code)
    else found.push(...parts)
  }
  // As in names, pictures follow the words.
  const words = [...found.filter((word) => !isPictured(word)), ...found.filter(isPictured)]
  return {
    squeezed: squeeze(typed),
    words: words.map(toToken),
    tokens: [...new Set(words)].slice(0, MOST_TOKENS).map((word) => {
      const token = toToken(word)
      token.known = isKnown(token)
      return token
    }),
  }
}

const isPictured = (word: string): boolean => isPicture(word.codePointAt(0)!)

export function toToken(text: string): Token {
  const units = unitsOf(text)
  return { text, units, mask: maskOf(units, 0, units.length), known: true }
}
