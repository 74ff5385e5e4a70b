import type { Segment } from './segment.ts'
import type { Tier } from './types.ts'

/** A name found in a segment; `sum` is its closeness within the tier. */
export type RankedRow = { segment: Segment; rank: number; tier: Tier; sum: number; without?: readonly string[] }

/** Orders hits across segments as ranks do within one: tier, used first, frecency or closeness, then rank order. */
export function byOrder(a: RankedRow, b: RankedRow): number {
  if (a.tier !== b.tier) return a.tier - b.tier
  if (a.segment === b.segment && a.sum === b.sum) return a.rank - b.rank
  const usedA = a.segment.p.used[a.rank]
  const usedB = b.segment.p.used[b.rank]
  if (usedA !== undefined || usedB !== undefined) {
    if (usedA === undefined) return 1
    if (usedB === undefined) return -1
    if (usedA !== usedB) return usedB - usedA
  } else if (a.sum !== b.sum) return b.sum - a.sum
  return byStanding(a, b)
}

/** Orders by weight, fewer words, newer id (odd ids first, by text), kind, like `Builder` does. */
function byStanding(a: RankedRow, b: RankedRow): number {
  const weight = b.segment.weightOf(b.rank) - a.segment.weightOf(a.rank)
  if (weight !== 0) return weight
  const words = length(a) - length(b)
  if (words !== 0) return words
  const idA = a.segment.p.id[a.rank]!
  const idB = b.segment.p.id[b.rank]!
  if (idA !== idB) return idB - idA
  const textA = String(a.segment.idOf(a.rank))
  const textB = String(b.segment.idOf(b.rank))
  const kindA = a.segment.kindOf(a.rank)
  const kindB = b.segment.kindOf(b.rank)
  // The radix pass by kind follows the one by text, so kind takes precedence.
  if (kindA !== kindB) return kindA < kindB ? -1 : 1
  return textA < textB ? -1 : textA > textB ? 1 : 0
}

const length = ({ segment, rank }: RankedRow): number => Math.min(0xffff, segment.p.wordsAt[rank + 1]! - segment.p.wordsAt[rank]!)
