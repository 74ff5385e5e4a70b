import type { PackedIndex } from './types.ts'

type Coded = { rank: number; code: string }

/**
 * Squeezed codes in order, equal ones by rank. A code of letters, then digits, stands a second time under its digits alone, without
 * leading zeros, so that 4812 finds P-04812.
 */
export function packCodes(codes: Coded[]): Pick<PackedIndex, 'codeText' | 'codeAt' | 'codeRank'> {
  const all = [...codes]
  for (const { rank, code } of codes) {
    const digits = digitsOf(code)
    if (digits !== null) all.push({ rank, code: digits })
  }
  all.sort((a, b) => (a.code === b.code ? a.rank - b.rank : a.code < b.code ? -1 : 1))
  const codeAt = new Uint32Array(all.length + 1)
  const codeRank = new Uint32Array(all.length)
  const codeText = new Uint16Array(all.reduce((sum, { code }) => sum + code.length, 0))
  let size = 0
  for (let i = 0; i < all.length; i++) {
    const { rank, code } = all[i]!
    for (let j = 0; j < code.length; j++) codeText[size++] = code.charCodeAt(j)
    codeAt[i + 1] = size
    codeRank[i] = rank
  }
  return { codeText, codeAt, codeRank }
}

/** The digits a code ends with after its letters, or null when it has another form. */
export function digitsOf(code: string): string | null {
  const found = /^[a-z]+0*([0-9]+)$/.exec(code)
  return found === null ? null : found[1]!
}

/** The places [from, to) in the table of codes that are the token, or begin with it. */
export function codeRange(packed: PackedIndex, token: string, how: 'is' | 'begins'): [from: number, to: number] {
  const count = packed.codeRank.length
  const search = (past: boolean): number => {
    let low = 0
    let high = count
    while (low < high) {
      const middle = (low + high) >>> 1
      if (goesBefore(packed, middle, token, past, how)) low = middle + 1
      else high = middle
    }
    return low
  }
  return [search(false), search(true)]
}

function goesBefore(packed: PackedIndex, place: number, token: string, past: boolean, how: 'is' | 'begins'): boolean {
  const from = packed.codeAt[place]!
  const length = packed.codeAt[place + 1]! - from
  for (let i = 0; i < token.length; i++) {
    if (i >= length) return true
    const difference = packed.codeText[from + i]! - token.charCodeAt(i)
    if (difference !== 0) return difference < 0
  }
  return past && (how === 'begins' || length === token.length)
}

/** The codes of ranks as they were squeezed, for handing entities on to another index. */
export function codesByRank(packed: PackedIndex): Map<number, string> {
  const out = new Map<number, string>()
  for (let i = 0; i < packed.codeRank.length; i++) {
    const code = String.fromCharCode(...packed.codeText.subarray(packed.codeAt[i]!, packed.codeAt[i + 1]!))
    const rank = packed.codeRank[i]!
    const known = out.get(rank)
    if (known === undefined || digitsOf(code) !== null) out.set(rank, code)
  }
  return out
}
