/*
 * MP3 and AVI without what programs and cameras write beside the sound or film.
 * No length changes: what is taken out becomes zeros.
 */

/** Parts of an AVI that belong to the film; others become padding. */
const AVI_PARTS = /^(?:avih|strh|strf|indx|vprp|dmlh|idx1|\d\d(?:db|dc|wb|pc)|ix\d\d)$/
/** Lists of parts, by their types. */
const AVI_LISTS = /^(?:hdrl|strl|odml|movi|rec )$/

/** Blanks an AVI's texts, dates, maker's data, and tracks that are neither picture nor sound. */
export function plainAvi(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  const lists = [{ to: bytes.length, next: bytes.length }]
  let at = 0
  while (lists.length) {
    const { to: end, next } = lists.at(-1)!
    if (at + 8 > end) {
      if (at < end) copy.fill(0, at, end)
      lists.pop()
      at = next
      continue
    }
    const name = bytes.toString('latin1', at, at + 4)
    const length = bytes.readUInt32LE(at + 4)
    const type = bytes.toString('latin1', at + 8, at + 12)
    const isList = lists.length === 1 ? name === 'RIFF' && /^AVI[ X]$/.test(type) : name === 'LIST' && AVI_LISTS.test(type)
    // The size of a list whose recording broke off may be missing.
    const to = isList && length < 4 ? end : Math.min(at + 8 + length, end)
    // A part is padded to an even length.
    const after = Math.min(to + (length & 1), end)
    if (isList) {
      lists.push({ to, next: after })
      at = Math.min(at + 12, to)
      continue
    }
    if (!AVI_PARTS.test(name)) {
      copy.write('JUNK', at, 'latin1')
      copy.fill(0, at + 8, to)
    }
    at = after
  }
  return copy
}

/** The length of an ID3 tag at a place, of four times seven bits. */
const tagLength = (bytes: Buffer, at: number): number =>
  [6, 7, 8, 9].reduce((length, nth) => length * 128 + (bytes[at + nth]! & 127), 0)

/** Blanks an MP3's tags, before the sound and behind it; a player takes an empty one for padding. */
export function plainMp3(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  let from = 0
  while (from + 10 <= bytes.length && bytes.toString('latin1', from, from + 3) === 'ID3') {
    const to = Math.min(from + 10 + tagLength(bytes, from), bytes.length)
    copy.fill(0, from + 10, to)
    from = to
  }
  // Older tags are at the end: ID3v1 of 128 bytes, and APE, whose footer says how long it is.
  let end = bytes.length
  if (end - from >= 128 && bytes.toString('latin1', end - 128, end - 125) === 'TAG') {
    end -= 128
    copy.fill(0, end + 3, end + 128)
  }
  if (end - from >= 32 && bytes.toString('latin1', end - 32, end - 24) === 'APETAGEX')
    copy.fill(0, Math.max(from, end - bytes.readUInt32LE(end - 20) - 32), end)
  return copy
}
