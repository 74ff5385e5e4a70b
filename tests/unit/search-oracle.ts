/* The oracle checks every name against every rule, without the index, its sets, bounds or bit tricks. */
import type { Entity, Tier } from '../../src/search/types.ts'

const SMALL = new Set(['a', 'an', 'and', 'at', 'by', 'de', 'for', 'in', 'la', 'of', 'on', 'or', 'the', 'to', 'und', 'y'])
const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ŧ: 't',
  ς: 'σ',
}

export function fold(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/['’‘´`]/g, '')
  const found = [...plain.replace(/./gu, (c) => LETTERS[c] ?? c).matchAll(/[\p{L}\p{N}]+/gu)].map(([word]) => word)
  return [...found, ...(text.match(/[\u2190-\u{10ffff}]/gu) ?? []).filter((c) => isPicture(c))]
}

/** An emoji or half a flag that isn't a stylised letter. */
const isPicture = (c: string) => /[\p{Extended_Pictographic}\p{RI}]/u.test(c) && !/[\p{L}\p{N}]/u.test(c.normalize('NFKD'))

const squeezed = (text: string): string => fold(text).join('')
const vowel = /[aeiou]/

/** All texts one edit away from `token`, with `?` for any letter. */
function edits(token: string): string[] {
  const out: string[] = []
  for (let i = 0; i <= token.length; i++) {
    out.push(`${token.slice(0, i)}?${token.slice(i)}`)
    if (i < token.length) out.push(`${token.slice(0, i)}?${token.slice(i + 1)}`, token.slice(0, i) + token.slice(i + 1))
    if (i + 1 < token.length) out.push(token.slice(0, i) + token[i + 1] + token[i] + token.slice(i + 2))
  }
  return out
}
const fits = (pattern: string, text: string): boolean =>
  [...pattern].every((letter, i) => (letter === '?' ? text[i] !== undefined : letter === text[i]))

const editCache = new Map<string, string[]>()

function fuzzy(token: string, word: string): number {
  let best = -1
  if (token.length >= 3) {
    let patterns = editCache.get(token)
    if (patterns === undefined) {
      patterns = edits(token)
      editCache.set(token, patterns)
    }
    if (token.length > 3 || token[0] === word[0])
      for (const pattern of patterns) {
        if (!fits(pattern, word)) continue
        best = Math.max(best, pattern.length === word.length ? 2 : 1)
      }
  }
  if (best === 2) return 2
  if (token.length >= 2 && token[0] === word[0]) {
    let rest = word.slice(1)
    let skeleton = true
    for (const letter of token.slice(1)) {
      while (rest !== '' && rest[0] !== letter && vowel.test(rest[0]!)) rest = rest.slice(1)
      if (rest[0] !== letter) {
        skeleton = false
        break
      }
      rest = rest.slice(1)
    }
    if (skeleton) {
      const whole = [...rest].every((letter) => vowel.test(letter))
      if (whole) return 2
      if (token.length > 2) best = Math.max(best, 1)
    }
    if (best < 0 && token.length >= 3 && token.length * 2 >= word.length) {
      let i = 0
      for (const letter of word) if (letter === token[i]) i++
      if (i === token.length) best = 0
    }
  }
  return best
}

function initials(token: string, words: string[]): boolean {
  if (token.length < 2 || token.length > 12 || !/^[a-z0-9]+$/.test(token)) return false
  const all = words.map((word) => word[0]).join('')
  const brief = words
    .filter((word) => !SMALL.has(word))
    .map((word) => word[0])
    .join('')
  return words.length >= 2 && (all.startsWith(token) || brief.startsWith(token))
}

/** Initials of adjacent words within the name. */
function acronym(token: string, words: string[]): boolean {
  if (token.length < 3 || token.length > 12 || !/^[a-z0-9]+$/.test(token)) return false
  const all = words.map((word) => word[0]).join('')
  const brief = words
    .filter((word) => !SMALL.has(word))
    .map((word) => word[0])
    .join('')
  return all.includes(token) || brief.includes(token)
}

function mashed(token: string, words: string[], first = true): boolean {
  if (words.length === 0) return false
  if (first && (token.length < 3 || token.length > 60)) return false
  if (!first && words[0]!.startsWith(token)) return true
  for (let cut = words[0]!.length === 1 ? 1 : 2; cut < token.length; cut++)
    if (words[0]!.startsWith(token.slice(0, cut)) && mashed(token.slice(cut), words.slice(1), false)) return true
  return first && mashed(token, words.slice(1))
}

type Known = { entity: Entity; words: string[]; code: string; digits: string | null }

export type OracleHit = { key: string; tier: Tier }

/** A query's result over entities, by definition. */
export function oracle(
  entities: readonly Entity[],
  frecency: ReadonlyMap<string, number>,
  limit = 50,
): (query: string, kinds?: string[]) => OracleHit[] {
  const all: Known[] = entities.map((entity) => {
    const code = squeezed(entity.code ?? '')
    return { entity, words: fold(entity.name), code, digits: /^[a-z]+0*([0-9]+)$/.exec(code)?.[1] ?? null }
  })
  const vocabulary = [...new Set(all.flatMap(({ words }) => words))]
  const isCalled = ({ entity, code, digits }: Known, text: string): boolean =>
    text !== '' &&
    ((typeof entity.id === 'number' && /^[1-9][0-9]{0,9}$/.test(text) && entity.id === Number(text)) ||
      code === text ||
      digits === text)
  const calledAlike = ({ entity, code, digits }: Known, text: string): boolean =>
    code.startsWith(text) ||
    digits?.startsWith(text) === true ||
    (typeof entity.id === 'number' && /^[1-9]/.test(text) && String(entity.id).startsWith(text))
  const standing = (a: Known, b: Known): number => {
    const [x, y] = [a.entity, b.entity]
    return (
      (y.weight ?? 0) - (x.weight ?? 0) ||
      a.words.length - b.words.length ||
      (typeof x.id === 'string' ? -1 : typeof y.id === 'string' ? 1 : y.id - x.id) ||
      (x.kind < y.kind ? -1 : x.kind > y.kind ? 1 : String(x.id) < String(y.id) ? -1 : 1)
    )
  }
  return (query, kinds) => {
    const read: string[] = []
    for (const chunk of query.split(/\s+/)) {
      const parts = fold(chunk)
      const code = parts.join('')
      if (parts.length > 1 && /[0-9]$/.test(code) && all.some((known) => isCalled(known, code))) read.push(code)
      else read.push(...parts)
    }
    const typed = [...read.filter((word) => !isPicture(word)), ...read.filter((word) => isPicture(word))]
    if (typed.length === 0) return []
    const tokens = [...new Set(typed)].slice(0, 8)
    const text = squeezed(query)
    const mixed = /[a-z]/.test(text) && /[0-9]/.test(text)
    const newWords = new Set(tokens.filter((token) => !vocabulary.some((word) => word.startsWith(token))))
    const insides = tokens.map((token) => token.length >= 3 || token.charCodeAt(0) >= 128)
    const levelCache = tokens.map(() => new Map<string, number>())
    const wordLevel = (t: number, word: string): number => {
      const token = tokens[t]!
      let level = levelCache[t]!.get(word)
      if (level === undefined) {
        if (word === token) level = 7
        else if (word.startsWith(token)) level = 6
        else if (insides[t] && word.indexOf(token, 1) > 0) level = 3
        else level = fuzzy(token, word)
        levelCache[t]!.set(word, level)
      }
      return level
    }
    const candidates = kinds === undefined ? all : all.filter(({ entity }) => kinds.includes(entity.kind))
    const found: { known: Known; tier: number; sum: number }[] = []
    for (const known of candidates) {
      const { words } = known
      let tier = 99
      let sum = 0
      const levels = tokens.map((token, t) => {
        if (isCalled(known, token)) return 7
        let level = -1
        for (const word of words) level = Math.max(level, wordLevel(t, word))
        if (level < 5 && (initials(token, words) || (newWords.has(token) && mashed(token, words)))) level = 5
        if (level < 4 && acronym(token, words)) level = 4
        return level
      })
      const begins =
        words.length >= typed.length &&
        typed.every((word, i) => (i < typed.length - 1 ? words[i] === word : words[i]!.startsWith(word)))
      const least = Math.min(...levels)
      if (isCalled(known, text)) tier = 0
      else if (words.join(' ') === typed.join(' ')) tier = 1
      else if (begins || (mixed && calledAlike(known, text))) tier = 2
      else if (least >= 6) tier = 3
      else if (least >= 4) tier = 4
      else if (!mixed && text !== '' && calledAlike(known, text)) {
        tier = 4
        sum = -1
      } else if (least >= 3) tier = 5
      else if (least >= 0) tier = 6
      if (tier === 99) continue
      if (tier >= 3 && sum === 0) sum = levels.reduce((a, b) => a + b, 0)
      found.push({ known, tier, sum })
    }
    const use = ({ known }: { known: Known }): number => frecency.get(known.entity.key) ?? Number.NEGATIVE_INFINITY
    found.sort((a, b) => {
      if (a.tier !== b.tier) return a.tier - b.tier
      if (use(a) !== use(b)) return use(b) - use(a)
      if (use(a) === Number.NEGATIVE_INFINITY && a.sum !== b.sum) return b.sum - a.sum
      return standing(a.known, b.known)
    })
    const out: OracleHit[] = []
    for (let tier = 0; tier <= 6; tier++) {
      if (tier > 3 && out.length >= 12) break
      for (const hit of found)
        if (hit.tier === tier && out.length < limit) out.push({ key: hit.known.entity.key, tier: tier as Tier })
    }
    return out
  }
}
