import { foldWords, isPicture, maskOf, squeeze, unitsOf } from './fold.ts'
import type { Token } from './lookup.ts'
import { contactToken } from './secondLine.ts'
import { otherScripts, type Spelled, spellingsOf } from './spelling.ts'
import { hasDigit } from './tokenMatch.ts'

/** Further tokens are ignored: people don't type that many, though a paste might. */
const MOST_TOKENS = 12
/** How many letters of a pasted text are read. */
const MOST_LETTERS = 200

export type Query = {
  /** The text run together, for ids and codes. */
  squeezed: string
  /** The words as typed, for names that begin with them. */
  words: Token[]
  /** Other readings of the whole: without "and", run together, each word in another spelling. */
  readings: Token[][]
  /** The distinct words, without "and" between others. */
  tokens: Token[]
  /** The last word is still being typed: no space follows it. */
  open: boolean
}

/** Questions about words that the names answer. */
export type Known = {
  /** True if some id or code is this. */
  isCode: (squeezed: string) => boolean
  /** True if a word of a name or second line begins with it. */
  isKnown: (token: Token) => boolean
  /** True if a word of a name is this with a typo. */
  isSlip: (token: Token) => boolean
  /** True if a word of a name or second line is this. */
  isWord: (word: string) => boolean
}

/** Assumes nothing about the names, to highlight letters. */
const NOTHING: Known = { isCode: () => false, isKnown: () => true, isSlip: () => false, isWord: () => true }

/** The fewest letters of a word taken for one of another keyboard or script, as the only word and among others. */
const LEAST_OTHER = { alone: 5, beside: 4 } as const

/** Words that join others, like &, which folds to nothing. */
const AND: ReadonlySet<string> = new Set(['and', 'und', 'et'])
const ENDING = /\.(?:pptx?|xlsx?|docx?|csv|pdf|png|jpe?g|zip|txt|key|numbers)$/i
const ADDRESS = /(?<![^\s<>(),;:"])[^\s<>(),;:"]*@[^\s<>(),;:"]*/
const LINK = /^(?:https?:\/\/\S+|[\w-]+(?:\.[\w-]+)+\/\S*)$/

/** Parses the typed text. A chunk such as `P-4812` stays one token if it is a code. */
export function readQuery(text: string, { isCode, isKnown, isSlip, isWord }: Known = NOTHING): Query {
  const typed = text.slice(0, MOST_LETTERS).replace(/(^|\s)&am(?:p;?)?(?=\s|$)/g, '$1&')
  const found: string[] = []
  const contacts = new Set<string>()
  const apostrophes = new Set<string>()
  for (const chunk of typed.trim().split(/\s+/)) {
    const address = ADDRESS.exec(chunk)?.[0]
    const mail = address === undefined ? '' : squeeze(address)
    if (mail !== '' && contactToken(mail) !== null && chunk.indexOf('@') > 0) {
      contacts.add(mail)
      found.push(mail)
      continue
    }
    if (LINK.test(chunk)) {
      const code = chunk
        .split(/[/?#&=]/)
        .map(squeeze)
        .find((part) => /[0-9]$/.test(part) && isCode(part))
      if (code !== undefined) {
        found.push(code)
        continue
      }
    }
    for (const [, year] of chunk.matchAll(/['’‘](\d\d)(?!\d)/g)) apostrophes.add(year!)
    found.push(...readChunk(chunk.replace(ENDING, ''), isCode))
  }
  // Pictures go after the words, as in names.
  const words = [...found.filter((word) => !isPictured(word)), ...found.filter(isPictured)]
  const isOpen = !/\s$/.test(text)
  const open = isOpen ? words.length - 1 : words.length
  const significant = words.filter((word, at) => at >= open || !AND.has(word))
  const distinct = [...new Set(significant.length > 0 ? significant : words)].slice(0, MOST_TOKENS)
  const spelled = spellingsOf(distinct, apostrophes, isOpen)
  for (const [at, word] of distinct.entries()) spelled[at]!.push(...splitsOf(word, isWord))
  return {
    squeezed: squeeze(typed),
    open: isOpen,
    words: words.map((word) => toToken(word)),
    readings: readingsOf(significant, isWord).map((reading) => reading.map((word) => toToken(word))),
    tokens: distinct.map((word, at) => {
      const token = toToken(word, [], contacts.has(word), distinct.length > 1)
      token.known = isKnown(token)
      if (!token.known && word.length >= LEAST_OTHER[distinct.length > 1 ? 'beside' : 'alone']) {
        const other = otherScripts(word)
          .map((script) => toToken(script))
          .find((script) => script.text !== '' && isKnown(script))
        if (other !== undefined) return { ...other, known: true, beside: token.beside }
      }
      // A typo of a word isn't several words run together.
      token.known ||= isSlip(token)
      const spellings = spelled[at]!.filter(({ words: others, begins }) =>
        others.every((other, i) => (begins && i === others.length - 1) || isWord(other)),
      )
      return spellings.length === 0 ? token : { ...toToken(word, spellings, token.contact, token.beside), known: token.known }
    }),
  }
}

/** The most words that are read as one: "l oreal", "glaxo smith kline". */
const MOST_JOINED = 4

function readingsOf(words: readonly string[], isWord: Known['isWord']): string[][] {
  const joined = words.join('')
  const spelled = words.map((word) => singleSpelling(word, isWord))
  return [
    [...words],
    ...(words.length > 1 && words.length <= MOST_JOINED && isWord(joined) ? [[joined]] : []),
    ...(words.length === 1 ? splitsOf(joined, isWord).map((split) => split.words) : []),
    ...(spelled.every((word) => word === null) ? [] : [words.map((word, at) => spelled[at] ?? word)]),
  ]
}

/** The fewest letters of a word that is read as two run together, and of each of those. */
const LEAST_SPLIT = { whole: 4, part: 2 } as const

/** Returns two words that some names have and that are run together here: "coop" for Co-op. */
function splitsOf(word: string, isWord: Known['isWord']): Spelled[] {
  if (word.length < LEAST_SPLIT.whole || !/^[a-z0-9]+$/.test(word) || /^\d+$/.test(word)) return []
  const out: Spelled[] = []
  for (let cut = 1; cut < word.length; cut++) {
    const [before, after] = [word.slice(0, cut), word.slice(cut)]
    const short = Math.min(before.length, after.length) < LEAST_SPLIT.part && !/\d/.test(cut === 1 ? before : after)
    if (!short && isWord(before) && isWord(after)) out.push({ words: [before, after], weak: false })
  }
  return out
}

/** Returns the first other spelling of one word that some name has, if none has the word itself. */
function singleSpelling(word: string, isWord: Known['isWord']): string | null {
  if (isWord(word)) return null
  return spellingsOf([word])[0]!.find(({ words }) => words.length === 1 && isWord(words[0]!))?.words[0] ?? null
}

/** Returns the words of a chunk; letters and digits that are a code stay together, and "4q25" is two words. */
function readChunk(chunk: string, isCode: Known['isCode']): string[] {
  const parts = foldWords(chunk)
  const code = parts.join('')
  if (parts.length > 1 && /[0-9]$/.test(code) && isCode(code)) return [code]
  const out: string[] = []
  for (let at = 0; at < parts.length; at++) {
    const pair = parts[at]! + (parts[at + 1] ?? '')
    const quarter = /^([1-4])q(\d\d|20\d\d)$/.exec(parts[at]!)
    if (/^[a-z]+[0-9]{3,}$/.test(pair) && parts[at + 1] !== undefined && isCode(pair)) {
      out.push(pair)
      at++
    } else if (quarter) out.push(`q${quarter[1]}`, quarter[2]!.length === 2 ? `20${quarter[2]}` : quarter[2]!)
    else out.push(parts[at]!)
  }
  return out
}

const isPictured = (word: string): boolean => isPicture(word.codePointAt(0)!)

export function toToken(text: string, spellings: readonly Spelled[] = [], contact = false, beside = false): Token {
  const units = unitsOf(text)
  return {
    text,
    key: [
      text,
      contact ? '@' : '',
      beside ? '+' : '',
      ...spellings.map((one) => `${one.words.join('_')}${one.weak ? '?' : ''}${one.begins ? '*' : ''}`),
    ].join(' '),
    units,
    mask: maskOf(units, 0, units.length),
    known: true,
    spellings,
    contact,
    beside,
    fixed: hasDigit(units),
  }
}
