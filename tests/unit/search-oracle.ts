/*
 * The oracle checks every name against every rule, without the index, its sets, bounds or bit tricks.
 * What a query means (its words, spellings, and optional words) is shared: see search-words.test.ts.
 */
import type { Token } from '../../src/search/lookup.ts'
import { omissions } from '../../src/search/omissions.ts'
import { readQuery } from '../../src/search/query.ts'
import type { Spelled } from '../../src/search/spelling.ts'
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
  ة: 'ه',
  ى: 'ي',
  ـ: '',
}

export function fold(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/['’‘´`]/g, '')
    .replace(/[٠-٩]/g, (c) => String(c.charCodeAt(0) - 0x660))
    .replace(/[ァ-ヶ]/g, (c) => String.fromCharCode(c.charCodeAt(0) - 0x60))
  const found = [...plain.replace(/./gu, (c) => LETTERS[c] ?? c).matchAll(/[\p{L}\p{N}]+/gu)].map(([word]) => word)
  return [...found, ...(text.match(/[\u2190-\u{10ffff}]/gu) ?? []).filter((c) => isPicture(c))]
}

/** An emoji or half a flag that isn't a stylized letter. */
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

/** The fewest edits between two words, swaps of neighbours included. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      row.push(Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j]!, rows[i - 2]![j - 2]! + 1)
    }
    rows.push(row)
  }
  return rows[a.length]![b.length]!
}

function fuzzy(token: string, word: string, beside: boolean): number {
  const near = slip(token, word, beside)
  if (near >= 0 || token.length < 8 || token.length > 31) return near
  const most = token.length >= 12 ? 3 : 2
  const foreign = [...token].filter((letter) => !word.includes(letter)).length
  return Math.abs(token.length - word.length) <= most && foreign <= most && distance(token, word) <= most ? 0 : -1
}

/** True if the word is the token with vowels added after its first letter. */
function withoutVowels(token: string, word: string): boolean {
  let at = 0
  for (const letter of word) {
    if (letter === token[at]) at++
    else if (at === 0 || !vowel.test(letter)) return false
  }
  return at === token.length
}

function slip(token: string, word: string, beside: boolean): number {
  if (token.length < 4) return -1
  if (token.length === 4) {
    const [a, b, c, d] = [...token]
    const swapped = `${a}${c}${b}${d}` === word && word !== token
    const bare = !vowel.test(token.slice(1)) && word[0] === a && word.slice(1).replace(/[aeiou]/g, '') === token.slice(1)
    const oneEdit = (): boolean => edits(token).some((pattern) => pattern.length === word.length && fits(pattern, word))
    const near = beside && word[0] === a && (withoutVowels(token, word) || oneEdit())
    return word !== token && (swapped || bare || near) ? 2 : -1
  }
  let best = -1
  {
    let patterns = editCache.get(token)
    if (patterns === undefined) {
      patterns = edits(token)
      editCache.set(token, patterns)
    }
    const foreign = [...token].filter((letter) => !word.includes(letter)).length
    if (foreign < 2)
      for (const pattern of patterns) {
        if (!fits(pattern, word)) continue
        best = Math.max(best, pattern.length === word.length ? 2 : 1)
      }
  }
  if (best === 2) return 2
  if (token[0] === word[0]) {
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
      best = Math.max(best, 1)
    }
    if (best < 0 && token.length * 2 >= word.length) {
      let i = 0
      for (const letter of word) if (letter === token[i]) i++
      if (i === token.length) best = 0
    }
  }
  return best
}

const firstsOf = new WeakMap<readonly string[], { all: string; brief: string }>()
/** The first letters of a name's words, and of those that aren't small. */
function firsts(words: readonly string[]): { all: string; brief: string } {
  const known = firstsOf.get(words)
  if (known) return known
  const letters = (some: readonly string[]) => some.map((word) => word[0]).join('')
  const made = { all: letters(words), brief: letters(words.filter((word) => !SMALL.has(word))) }
  firstsOf.set(words, made)
  return made
}

function initials(token: string, words: string[]): boolean {
  if (token.length < 2 || token.length > 12 || !/^[a-z0-9]+$/.test(token)) return false
  const { all, brief } = firsts(words)
  return words.length >= 2 && (all.startsWith(token) || brief.startsWith(token))
}

/** Initials of adjacent words within the name. */
function acronym(token: string, words: string[]): boolean {
  if (token.length < 3 || token.length > 12 || !/^[a-z0-9]+$/.test(token)) return false
  const { all, brief } = firsts(words)
  return all.includes(token) || brief.includes(token)
}

function mashed(token: string, words: string[], first = true): boolean {
  if (words.length === 0) return false
  if (first && (token.length < 3 || token.length > 60)) return false
  if (!first && words[0]!.startsWith(token)) return true
  for (let cut = 1; cut < token.length; cut++)
    if (
      (cut >= 3 || cut === words[0]!.length) &&
      words[0]!.startsWith(token.slice(0, cut)) &&
      mashed(token.slice(cut), words.slice(1), false)
    )
      return true
  return first && mashed(token, words.slice(1))
}

/** Initials, where words with digits may be complete: "pd2025". */
function spelt(token: string, words: readonly string[]): boolean {
  if (token === '') return true
  const [word, ...rest] = words
  if (word === undefined) return false
  if (/\d/.test(word) && (word.startsWith(token) || (token.startsWith(word) && spelt(token.slice(word.length), rest))))
    return true
  return !/\d/.test(word[0]!) && word[0] === token[0] && spelt(token.slice(1), rest)
}
const speltInitials = (token: string, words: string[]): boolean =>
  words.length >= 2 &&
  token.length <= 12 &&
  /^[a-z]{2}[a-z]*[0-9][a-z0-9]*$/.test(token) &&
  [words, words.filter((word) => !SMALL.has(word))].some(
    (some) => initials(/^[a-z]+/.exec(token)![0].slice(0, 12), words) && spelt(token, some),
  )

/** Initials with one word left out after the first, among the first five. */
function skippedInitials(token: string, words: string[]): boolean {
  if (token.length < 4 || token.length > 12 || !/^[a-z0-9]+$/.test(token)) return false
  const { all, brief } = firsts(words)
  return [all, brief].some((all) => {
    for (let gap = 1; gap < Math.min(token.length, 5); gap++)
      if (/[a-z0-9]/.test(all[gap] ?? '') && (all.slice(0, gap) + all.slice(gap + 1)).startsWith(token)) return true
    return false
  })
}

/** Prefixes run together, with words left out in between. */
function mashedAround(token: string, words: string[]): boolean {
  const size = token.length
  if (size < 5 || size > 30) return false
  const from = (rest: string, at: number, first: boolean): boolean => {
    const word = words[at]
    if (word === undefined) return false
    if (!first && word.startsWith(rest)) return true
    for (let cut = 1; cut < rest.length; cut++)
      if (
        (cut >= (first && size < 8 ? 3 : 2) || cut === word.length) &&
        word.startsWith(rest.slice(0, cut)) &&
        from(rest.slice(cut), at + 1, false)
      )
        return true
    return !first && from(rest, at + 1, false)
  }
  return words.some((_, at) => from(token, at, true))
}

/** The initials of the first words, and a prefix of a later one: "btsback". */
function initialsAhead(token: string, words: string[]): boolean {
  for (let count = 2; count <= Math.min(5, token.length - 3); count++)
    if (initials(token.slice(0, count), words) && words.slice(count).some((word) => word.startsWith(token.slice(count))))
      return true
  return false
}

/** Addresses and telephone numbers, from each of their runs on. */
function contactsOf(detail: string): string[] {
  return detail.split(/\s*·\s*/).flatMap((part) => {
    const mail = /\S*@.*/.exec(part)?.[0]
    const text = mail ?? (/^\+?[\d\s()./-]{6,}$/.test(part) ? part : '')
    const starts = [...text.matchAll(/[a-z0-9]+/gi)].map(({ index }) => index)
    const domain = starts.find((at) => at > text.indexOf('@')) ?? 0
    return (mail === undefined ? starts : starts.filter((at) => at <= domain)).map((at) =>
      text
        .slice(at)
        .toLowerCase()
        .replace(/[^a-z0-9]/g, ''),
    )
  })
}
const plainContact = (token: string): string | null => {
  const text = /^0+[1-9]\d+$/.test(token) ? token.replace(/^0+/, '') : token
  return /^[a-z0-9]+$/.test(text) && text.length >= (/^\d+$/.test(text) ? 3 : 4) ? text : null
}

type Known = {
  entity: Entity
  words: string[]
  field: string[]
  contacts: string[]
  kinds: string[]
  code: string
  digits: string | null
}

export type OracleHit = { key: string; tier: Tier }

const holdsInTurn = (words: readonly string[], { words: others, begins }: Spelled): boolean =>
  words.some((_, at) =>
    others.every((other, i) => {
      const word = words[at + i] ?? ''
      const more = begins === true && i === others.length - 1 && word.startsWith(other)
      return word === other || (more && /^\d+$/.test(word.slice(other.length)))
    }),
  )

/** A query's result over entities, by definition. */
export function oracle(
  entities: readonly Entity[],
  frecency: ReadonlyMap<string, number>,
  limit = 50,
): (query: string, kinds?: string[]) => OracleHit[] {
  const all: Known[] = entities.map((entity) => {
    const code = squeezed(entity.code ?? '')
    const parts = entity.detail.split(/\s*·\s*/)
    return {
      entity,
      words: fold(entity.name),
      field: parts.flatMap((part) => (/^\+?[\d\s()./-]{6,}$/.test(part) ? [] : fold(part.replace(/\S*@\S*/g, '')))),
      contacts: contactsOf(entity.detail),
      kinds: fold(entity.kind),
      code,
      digits: /^[a-z]+0*([0-9]+)$/.exec(code)?.[1] ?? null,
    }
  })
  const vocabulary = [...new Set(all.flatMap(({ words, field }) => [...words, ...field]))]
  const names = [...new Set(all.flatMap(({ words }) => words))]
  const isCalled = ({ code, digits }: Known, text: string): boolean => text !== '' && (code === text || digits === text)
  const calledAlike = ({ entity, code, digits }: Known, text: string): boolean =>
    code.startsWith(text) ||
    digits?.startsWith(text) === true ||
    (typeof entity.id === 'number' && /^[1-9][0-9]{0,9}$/.test(text) && String(entity.id).startsWith(text))
  const standing = (a: Known, b: Known): number => {
    const [x, y] = [a.entity, b.entity]
    return (
      (y.weight ?? 0) - (x.weight ?? 0) ||
      a.words.length - b.words.length ||
      (typeof x.id === 'string' ? -1 : typeof y.id === 'string' ? 1 : y.id - x.id) ||
      (x.kind < y.kind ? -1 : x.kind > y.kind ? 1 : String(x.id) < String(y.id) ? -1 : 1)
    )
  }
  const use = ({ known }: { known: Known }): number => frecency.get(known.entity.key) ?? Number.NEGATIVE_INFINITY
  type Scored = { known: Known; tier: number; sum: number }
  const byOrder = (a: Scored, b: Scored): number => {
    if (a.tier !== b.tier) return a.tier - b.tier
    if (use(a) !== use(b)) return use(b) - use(a)
    if (use(a) === Number.NEGATIVE_INFINITY && a.sum !== b.sum) return b.sum - a.sum
    return standing(a.known, b.known)
  }
  return (text, kinds) => {
    const query = readQuery(text, {
      isCode: (code) => all.some((known) => isCalled(known, code)),
      isKnown: (token) => vocabulary.some((word) => word.startsWith(token.text)),
      isSlip: ({ text: token, fixed, beside }) => !fixed && names.some((word) => fuzzy(token, word, beside) > 0),
      isWord: (word) => vocabulary.includes(word),
    })
    const typed = query.words.map((word) => word.text)
    if (query.tokens.length === 0) return []
    const run = query.squeezed
    const mixed = /[a-z]/.test(run) && /[0-9]/.test(run)
    const levelCache = new Map<string, Map<string, number>>()
    const wordLevel = ({ text: token, fixed, beside }: Token, word: string): number => {
      const levels = levelCache.get(token) ?? new Map<string, number>()
      if (levels.size === 0) levelCache.set(token, levels)
      let level = levels.get(word)
      if (level === undefined) {
        if (word === token) level = 10
        else if (word.startsWith(token)) level = 8
        else if ((token.length >= 3 || token.charCodeAt(0) >= 128) && word.indexOf(token, 1) > 0) level = 4
        else level = fixed ? -1 : fuzzy(token, word, beside)
        levels.set(word, level)
      }
      return level
    }
    const levelOf = (token: Token, known: Known): number => {
      const { words, field, contacts } = known
      const contact = plainContact(token.text)
      const written = contact !== null && contacts.some((one) => one.startsWith(contact))
      if (token.contact) return written ? 10 : -1
      if (isCalled(known, token.text)) return 10
      let level = -1
      for (const word of words) level = Math.max(level, wordLevel(token, word))
      const at = (least: number, holds: () => boolean): void => {
        if (level < least && holds()) level = least
      }
      const { spellings, text: own } = token
      at(9, () => spellings.some((one) => !one.weak && holdsInTurn(words, one)))
      at(
        7,
        () =>
          field.some((word) => word.startsWith(own)) ||
          spellings.some(
            (one) => (one.weak && holdsInTurn(words, one)) || (one.words.length === 1 && field.includes(one.words[0]!)),
          ) ||
          (written && (token.beside || /^\d+$/.test(own))) ||
          (token.beside && known.kinds.some((word) => word.startsWith(own) || `${word}s` === own)),
      )
      at(6, () => initials(own, words) || speltInitials(own, words) || (!token.known && mashed(own, words)))
      at(5, () => acronym(own, words))
      at(4, () => written)
      at(
        3,
        () =>
          !token.beside &&
          (skippedInitials(own, words) || (!token.known && (initialsAhead(own, words) || mashedAround(own, words)))),
      )
      return level
    }
    const candidates = kinds === undefined ? all : all.filter(({ entity }) => kinds.includes(entity.kind))
    const levels = new Map(candidates.map((known) => [known, query.tokens.map((token) => levelOf(token, known))]))
    const total = (known: Known): number => levels.get(known)!.reduce((a, b) => a + b, 0)
    const begins = (words: readonly string[]): boolean =>
      words.length >= typed.length &&
      typed.every((word, i) => (i < typed.length - 1 ? words[i] === word : words[i]!.startsWith(word)))
    const wholes = [typed, ...query.readings.map((reading) => reading.map((word) => word.text))].map((words) => words.join(' '))
    const paired = (known: Known): boolean =>
      query.tokens.length > 1 &&
      query.tokens.some(
        ({ text: pair }, at) =>
          /^[a-z]{2}$/.test(pair) &&
          levels.get(known)!.every((level, i) => i === at || level >= 7) &&
          [known.words, known.words.filter((word) => !SMALL.has(word))].some((words) =>
            words
              .map((word) => word[0])
              .join('')
              .includes(pair),
          ),
      )
    const scored: Scored[] = []
    for (const known of candidates) {
      const least = Math.min(...levels.get(known)!)
      const sum = total(known)
      if (isCalled(known, run)) scored.push({ known, tier: 0, sum: 0 })
      else if (wholes.includes(known.words.join(' '))) scored.push({ known, tier: 1, sum: 0 })
      else if (begins(known.words) || (mixed && calledAlike(known, run))) scored.push({ known, tier: 2, sum: 0 })
      else if (least >= 8) scored.push({ known, tier: 3, sum })
      else if (least >= 7) scored.push({ known, tier: 4, sum })
      else if (least >= 5) scored.push({ known, tier: 5, sum })
      else if (!mixed && run !== '' && calledAlike(known, run)) scored.push({ known, tier: 5, sum: -1 })
      else if (least >= 4) scored.push({ known, tier: 6, sum })
      else if (least >= 3) scored.push({ known, tier: 7, sum })
      else if (paired(known)) scored.push({ known, tier: 7, sum: -1 })
      else if (least >= 0) scored.push({ known, tier: 8, sum })
    }
    scored.sort(byOrder)
    const out: OracleHit[] = []
    const there = new Set<string>()
    const add = (hits: readonly Scored[]): void => {
      for (const { known, tier } of hits) {
        if (out.length === limit) return
        there.add(known.entity.key)
        out.push({ key: known.entity.key, tier: tier as Tier })
      }
    }
    const isUsed = ({ known }: Scored): boolean => frecency.has(known.entity.key)
    for (let tier = 0; tier <= 8; tier++) {
      if (tier === 2 && query.tokens.length > 1) add(scored.filter((hit) => hit.tier >= 2 && hit.tier <= 4 && isUsed(hit)))
      if ((tier > 3 && out.length >= 12) || (tier >= 7 && out.length > 0)) break
      const these = scored.filter((hit) => hit.tier === tier && !there.has(hit.known.entity.key)).slice(0, limit - out.length)
      const isAll = ({ known }: Scored): boolean => tier === 8 && known.words.length === query.tokens.length
      add([...these.filter(isAll), ...these.filter((hit) => !isAll(hit))])
    }
    if (out.length > 0) return out
    const held = new Map(
      query.tokens.map((token, at) => [token.text, candidates.filter((known) => levels.get(known)![at]! >= 7).length]),
    )
    for (const { without, least, instead } of omissions(query.tokens, held, query.open, all.length)) {
      if (instead !== undefined && out.length > 0) continue
      const left = query.tokens.map((token) => !without.includes(token))
      const some = candidates
        .filter((known) => !out.some(({ key }) => key === known.entity.key))
        .map((known) => ({
          known,
          held: [...levels.get(known)!.filter((_, at) => left[at]), ...(instead ? [levelOf(instead, known)] : [])],
        }))
        .filter((one) => one.held.every((level) => level >= least))
        .map((one) => ({ known: one.known, tier: 9, sum: one.held.reduce((a, b) => a + b, 0) }))
      for (const hit of some.sort(byOrder)) if (out.length < limit) out.push({ key: hit.known.entity.key, tier: 9 })
      if (out.length >= 12) break
    }
    return out
  }
}
