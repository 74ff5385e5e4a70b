import { ACRONYMS, acronymKey, initialOf, SMALL_WORDS } from './fold.ts'
import { byKeys, Numbers } from './growingLists.ts'

/** How many initials fit into a packed key; longer ones are checked against the name. */
export const INITIALS_DEPTH = 5

/** Each dictionary word's initial, 0 if it has none, and whether it is a small word. */
export type InitialTable = { initial: Uint8Array; small: Uint8Array }

export function initialsOf(wordText: Uint16Array, wordAt: Uint32Array): InitialTable {
  const count = wordAt.length - 1
  const initial = new Uint8Array(count)
  const small = new Uint8Array(count)
  for (let w = 0; w < count; w++) {
    initial[w] = initialOf(wordText[wordAt[w]!]!)
    const length = wordAt[w + 1]! - wordAt[w]!
    if (length <= 3 && SMALL_WORDS.has(String.fromCharCode(...wordText.subarray(wordAt[w]!, wordAt[w + 1]!)))) small[w] = 1
  }
  return { initial, small }
}

/** Packs each name's initials, and again without small words if it has any; ascending, then by rank. */
export function packInitials(words: Uint32Array, wordsAt: Uint32Array, { initial, small }: InitialTable) {
  const keys = new Numbers()
  const ranks = new Numbers()
  for (let rank = 0; rank + 1 < wordsAt.length; rank++) {
    const from = wordsAt[rank]!
    const to = wordsAt[rank + 1]!
    if (to - from < 2) continue
    let key = 0
    let brief = 0
    let depth = 0
    let briefDepth = 0
    for (let i = from; i < to && briefDepth < INITIALS_DEPTH; i++) {
      const shift = 6 * (INITIALS_DEPTH - 1 - depth)
      if (depth < INITIALS_DEPTH) key |= initial[words[i]!]! << shift
      depth++
      if (small[words[i]!] === 0) brief |= initial[words[i]!]! << (6 * (INITIALS_DEPTH - 1 - briefDepth++))
    }
    keys.push(key)
    ranks.push(rank)
    if (brief !== key) {
      keys.push(brief)
      ranks.push(rank)
    }
  }
  const entryKeys = keys.done()
  let order: Uint32Array<ArrayBuffer> = new Uint32Array(entryKeys.length)
  for (let i = 0; i < order.length; i++) order[i] = i
  order = byKeys(order, entryKeys)
  const entryRanks = ranks.done()
  return { keys: order.map((i) => entryKeys[i]!), ranks: order.map((i) => entryRanks[i]!) }
}

/**
 * Packs three consecutive initials after the name's first, also without small words: the ascending ranks of each key.
 * A name of five words has two of them, so the table is smaller than the words themselves.
 */
export function packAcronyms(
  words: Uint32Array,
  wordsAt: Uint32Array,
  { initial, small }: InitialTable,
): { at: Uint32Array; ranks: Uint32Array } {
  const at = new Uint32Array(ACRONYMS + 1)
  const seen = new Int32Array(ACRONYMS)
  let ranks = new Uint32Array(0)
  const pass = (fill: boolean): void => {
    seen.fill(-1)
    for (let rank = 0; rank + 1 < wordsAt.length; rank++) {
      const from = wordsAt[rank]!
      const to = wordsAt[rank + 1]!
      if (to - from < 4) continue
      for (let brief = 0; brief < 2; brief++) {
        let a = 0
        let b = 0
        let depth = 0
        let some = 0
        for (let i = from; i < to; i++) {
          const word = words[i]!
          if (small[word] === 1) {
            some++
            if (brief === 1) continue
          }
          const c = initial[word]!
          // The first three initials of the name don't count.
          if (++depth > 3 && a !== 0 && b !== 0 && c !== 0) {
            const key = acronymKey(a, b, c)
            if (seen[key] !== rank) {
              seen[key] = rank
              if (fill) ranks[at[key]!++] = rank
              else at[key + 1]!++
            }
          }
          a = b
          b = c
        }
        if (some === 0) break
      }
    }
  }
  pass(false)
  for (let key = 0; key < ACRONYMS; key++) at[key + 1]! += at[key]!
  ranks = new Uint32Array(at[ACRONYMS]!)
  pass(true)
  // Filling moved each start to the next one's.
  at.copyWithin(1, 0, ACRONYMS)
  at[0] = 0
  return { at, ranks }
}
