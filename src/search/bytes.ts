import { ACRONYMS } from './fold.ts'
import type { PackedIndex } from './types.ts'

/** Increase it when folding, order, layout or codes change: indexes stored by older versions are then rebuilt. */
const VERSION = 6
const MAGIC = 0x46574958

type Arrays = { [K in keyof PackedIndex as PackedIndex[K] extends ArrayBufferView ? K : never]: PackedIndex[K] }

const KINDS = {
  used: Float64Array,
  kind: Uint8Array,
  id: Uint32Array,
  weight: Float32Array,
  nameText: Uint8Array,
  nameAt: Uint32Array,
  detailText: Uint8Array,
  detailAt: Uint32Array,
  wordText: Uint16Array,
  wordAt: Uint32Array,
  wordMask: Int32Array,
  wordsAt: Uint32Array,
  words: Uint32Array,
  postAt: Uint32Array,
  post: Uint32Array,
  fieldAt: Uint32Array,
  field: Uint32Array,
  contactAt: Uint32Array,
  numbered: Int32Array,
  alpha: Uint32Array,
  initials: Uint32Array,
  initialsRank: Uint32Array,
  acronymAt: Uint32Array,
  acronymRank: Uint32Array,
  byId: Uint32Array,
  codeText: Uint16Array,
  codeAt: Uint32Array,
  codeRank: Uint32Array,
} satisfies Record<keyof Arrays, unknown>

type Head = { cursor: number; kinds: string[]; oddIds: PackedIndex['oddIds']; lengths: Record<string, number> }

const aligned = (size: number): number => (size + 7) & ~7

/** Serializes everything to one buffer: 16 marker bytes, a JSON head, then the raw arrays. */
export function toBytes(packed: PackedIndex, cursor: number): ArrayBuffer {
  const names = Object.keys(KINDS) as (keyof Arrays)[]
  const lengths = Object.fromEntries(names.map((name) => [name, packed[name].length]))
  const head = new TextEncoder().encode(
    JSON.stringify({ cursor, kinds: packed.kinds, oddIds: packed.oddIds, lengths } satisfies Head),
  )
  const start = aligned(16 + head.length)
  const total = names.reduce((size, name) => size + aligned(packed[name].byteLength), start)
  const out = new Uint8Array(total)
  new Uint32Array(out.buffer, 0, 4).set([MAGIC, VERSION, head.length, total])
  out.set(head, 16)
  let at = start
  for (const name of names) {
    const array = packed[name]
    out.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at)
    at += aligned(array.byteLength)
  }
  return out.buffer
}

/** Opens a buffer's index as views; null if it has another version, is truncated or is something else. */
export function fromBytes(buffer: ArrayBuffer): { packed: PackedIndex; cursor: number } | null {
  if (buffer.byteLength < 16) return null
  const [magic, version, headLength, total] = new Uint32Array(buffer, 0, 4)
  if (magic !== MAGIC || version !== VERSION || total !== buffer.byteLength) return null
  try {
    const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 16, headLength))) as Head
    const arrays: Record<string, ArrayBufferView> = {}
    let at = aligned(16 + headLength!)
    for (const [name, View] of Object.entries(KINDS)) {
      const array = new View(buffer, at, head.lengths[name]!)
      arrays[name] = array
      at += aligned(array.byteLength)
    }
    const packed: PackedIndex = { kinds: head.kinds, oddIds: head.oddIds, ...(arrays as Arrays) }
    return at === total && fits(packed) ? { packed, cursor: head.cursor } : null
  } catch {
    return null
  }
}

/** True if every list ends where its pointers say, which detects most corruption. */
function fits(p: PackedIndex): boolean {
  const n = p.kind.length
  const ends = (at: Uint32Array, count: number, list: ArrayLike<number>): boolean =>
    at.length === count + 1 && at[count] === list.length
  return (
    p.id.length === n &&
    p.alpha.length === n &&
    ends(p.nameAt, n, p.nameText) &&
    ends(p.detailAt, n, p.detailText) &&
    ends(p.wordsAt, n, p.words) &&
    ends(p.wordAt, p.wordMask.length, p.wordText) &&
    ends(p.postAt, p.wordMask.length, p.post) &&
    ends(p.fieldAt, p.wordMask.length, p.field) &&
    p.numbered.length === (n + 31) >>> 5 &&
    ends(p.acronymAt, ACRONYMS, p.acronymRank) &&
    ends(p.codeAt, p.codeRank.length, p.codeText) &&
    p.post.length === p.words.length &&
    p.initials.length === p.initialsRank.length
  )
}
