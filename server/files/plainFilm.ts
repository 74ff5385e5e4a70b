/*
 * Films: the boxes of MP4 and QuickTime, of which client users get pictures and sound alone.
 */

/** Boxes of a video that contain other boxes, which may hold user data. */
const HOLDERS = new Set(['moov', 'trak', 'mdia', 'minf', 'moof', 'traf'])

/** Calls back for each box of a video, however deep: name, content and the name's place; and for other bytes. */
function eachBox(
  bytes: Buffer,
  visit: (name: string, from: number, to: number, named: number) => void,
  broken: (from: number, to: number) => void = () => {},
): void {
  const ends = [bytes.length]
  let at = 0
  while (ends.length) {
    const end = ends.at(-1)!
    const box = at + 8 <= end ? boxAt(bytes, at, end) : null
    if (!box) {
      // What follows a broken box is read on behind the box that holds it.
      if (at < end) broken(at, end)
      at = ends.pop()!
      continue
    }
    visit(box.name, box.from, box.to, at + 4)
    if (HOLDERS.has(box.name)) ends.push(box.to)
    at = HOLDERS.has(box.name) ? box.from : box.to
  }
}

/** The box at a place; null for one that doesn't fit. */
function boxAt(bytes: Buffer, at: number, end: number): { name: string; from: number; to: number } | null {
  const small = bytes.readUInt32BE(at)
  const head = small === 1 ? 16 : 8
  if (at + head > end) return null
  const size = small === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : small || end - at
  return size < head || at + size > end
    ? null
    : { name: bytes.toString('latin1', at + 4, at + 8), from: at + head, to: at + size }
}

/** Boxes that belong to the film itself, beside the holders. */
const FILM = new Set(
  (
    'ftyp styp mdat mvhd tkhd mdhd edts hdlr vmhd smhd hmhd nmhd sthd gmhd dinf stbl tref tapt mvex iods pssh sidx ssix ' +
    'mfhd tfhd tfdt trun sdtp sbgp sgpd saio saiz senc mfra load clip matt elng'
  ).split(' '),
)
/** Headers that begin with the moments a film or track was made and changed. */
const DATED = new Set(['mvhd', 'tkhd', 'mdhd'])

/** Kinds of tracks that are seen and heard. Places, motion, times of day and texts (as drones write them) go. */
const SHOWN = new Set(['vide', 'soun'])

/** A track as far as it has been read: its number, kind and sample table. */
interface Track {
  id: number
  kind: string
  named: number
  to: number
  table: { from: number; to: number } | null
}

/**
 * Blanks a video's user data, metadata and moments, and everything else that isn't the film itself.
 * Of its data only the samples of its pictures and sound stay, wherever other tracks or programs have put theirs.
 */
export function plainFilm(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  const samples = new Samples(bytes, copy)
  const tracks: Track[] = []
  const runs: (() => void)[] = []
  let fragment = { moof: 0, end: 0, track: 0, base: 0, size: 0 }
  eachBox(
    bytes,
    (name, from, to, named) => {
      if (DATED.has(name)) copy.fill(0, Math.min(from + 4, to), Math.min(from + (bytes[from] === 1 ? 20 : 12), to))
      const track = tracks.at(-1)
      if (name === 'trak') tracks.push({ id: 0, kind: '', named, to, table: null })
      else if (name === 'tkhd' && track) track.id = longAt(bytes, from + (bytes[from] === 1 ? 20 : 12), to)
      else if (name === 'hdlr' && track && !track.kind) track.kind = bytes.toString('latin1', from + 8, Math.min(from + 12, to))
      else if (name === 'stbl' && track) track.table = { from, to }
      else if (name === 'mvex') samples.readDefaults(from, to)
      else if (name === 'moof') fragment = { moof: named - 4, end: named - 4, track: 0, base: 0, size: 0 }
      else if (name === 'tfhd') fragment = { ...fragment, ...samples.fragmentOf(from, to, fragment) }
      else if (name === 'trun') {
        const { track: id, base, size, end } = fragment
        const run = samples.runOf(from, to, { base, size, end })
        fragment.end = run.to
        runs.push(() => void (shownIds.has(id) && samples.put(run.from, run.to)))
      } else if (name === 'mdat') samples.blank(from, to)
      if (FILM.has(name) || HOLDERS.has(name)) return
      copy.write('free', named, 'latin1')
      copy.fill(0, from, to)
    },
    // A film that breaks off is shown as far as it goes.
    (from, to) =>
      bytes.toString('latin1', from + 4, from + 8) === 'mdat' ? samples.blank(from + 8, to) : copy.fill(0, from, to),
  )
  const shown = tracks.filter(({ kind }) => SHOWN.has(kind))
  const shownIds = new Set(shown.map(({ id }) => id))
  let gone = 0
  for (const { named, to, kind } of tracks) {
    // A track may hold another one, which went with it.
    if (SHOWN.has(kind) || to <= gone) continue
    copy.write('free', named, 'latin1')
    copy.fill(0, named + 4, to)
    gone = to
  }
  for (const { kind, table } of shown) if (table) samples.putTable(table, kind)
  for (const run of runs) run()
  return copy
}

const longAt = (bytes: Buffer, at: number, to: number): number => (at + 4 <= to ? bytes.readUInt32BE(at) : 0)
const wideAt = (bytes: Buffer, at: number, to: number): number => (at + 8 <= to ? Number(bytes.readBigUInt64BE(at)) : 0)

/** Where a film's data is, and what of it goes into the copy. */
class Samples {
  readonly #bytes: Buffer
  readonly #copy: Buffer
  /** The contents of its boxes of data, in order. */
  readonly #data: { from: number; to: number }[] = []
  /** The usual size of a fragment's samples by track. */
  readonly #defaults = new Map<number, number>()
  #written = 0

  constructor(bytes: Buffer, copy: Buffer) {
    this.#bytes = bytes
    this.#copy = copy
  }

  blank(from: number, to: number): void {
    this.#data.push({ from, to })
    this.#copy.fill(0, from, to)
  }

  /** Puts a piece of the data back, as far as it is inside of a box of data. */
  put(from: number, to: number): void {
    let [low, high] = [0, this.#data.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#data[middle]!.to <= from) low = middle + 1
      else high = middle
    }
    const box = this.#data[low]
    if (!box) return
    const [start, end] = [Math.max(from, box.from), Math.min(to, box.to)]
    if (end <= start) return
    this.#written += end - start
    if (this.#written > 4 * this.#bytes.length) throw new Error('its samples overlap')
    this.#bytes.copy(this.#copy, start, start, end)
  }

  /** Puts back the samples that a table lists, chunk by chunk. */
  putTable({ from, to }: { from: number; to: number }, kind: string): void {
    const bytes = this.#bytes
    const parts = new Map<string, { from: number; to: number }>()
    for (let at = from; at + 8 <= to; ) {
      const box = boxAt(bytes, at, to)
      if (!box) break
      parts.set(box.name, box)
      at = box.to
    }
    const [chunks, spread, wide] = [parts.get('stco') ?? parts.get('co64'), parts.get('stsc'), !parts.has('stco')]
    const sizes = sizesOf(bytes, parts.get('stsz') ?? parts.get('stz2'), parts.has('stsz'))
    if (!chunks || !spread || !sizes) return
    const least = kind === 'soun' ? frameOf(bytes, parts.get('stsd')) : 0
    const entries = Math.min(longAt(bytes, spread.from + 4, spread.to), Math.floor((spread.to - spread.from - 8) / 12))
    const many = Math.min(longAt(bytes, chunks.from + 4, chunks.to), Math.floor((chunks.to - chunks.from - 8) / (wide ? 8 : 4)))
    let [entry, sample] = [0, 0]
    for (let chunk = 1; chunk <= many; chunk++) {
      while (entry + 1 < entries && longAt(bytes, spread.from + 8 + 12 * (entry + 1), spread.to) <= chunk) entry++
      const each = Math.min(longAt(bytes, spread.from + 12 + 12 * entry, spread.to), sizes.count - sample)
      const place = chunks.from + 8 + (chunk - 1) * (wide ? 8 : 4)
      const start = wide ? wideAt(bytes, place, chunks.to) : longAt(bytes, place, chunks.to)
      let length = sizes.each === null ? 0 : each * Math.max(sizes.each, least)
      if (sizes.each === null) for (let nth = 0; nth < each; nth++) length += sizes.of(sample + nth)
      sample += each
      if (length) this.put(start, start + length)
    }
  }

  /** The usual sizes of fragments' samples. */
  readDefaults(from: number, to: number): void {
    for (let at = from; at + 8 <= to; ) {
      const box = boxAt(this.#bytes, at, to)
      if (!box) return
      if (box.name === 'trex')
        this.#defaults.set(longAt(this.#bytes, box.from + 4, box.to), longAt(this.#bytes, box.from + 16, box.to))
      at = box.to
    }
  }

  /** A fragment's track, where its data begins, and the usual size of its samples. */
  fragmentOf(from: number, to: number, { moof, end }: { moof: number; end: number }) {
    const bytes = this.#bytes
    const flags = longAt(bytes, from, to) & 0xffffff
    const track = longAt(bytes, from + 4, to)
    let at = from + 8
    const base = flags & 1 ? wideAt(bytes, at, to) : flags & 0x20000 ? moof : end
    if (flags & 1) at += 8
    if (flags & 2) at += 4
    if (flags & 8) at += 4
    const size = flags & 0x10 ? longAt(bytes, at, to) : (this.#defaults.get(track) ?? 0)
    return { track, base, size, end: base }
  }

  /** Where a run of samples begins and ends. */
  runOf(
    from: number,
    to: number,
    { base, size, end }: { base: number; size: number; end: number },
  ): { from: number; to: number } {
    const bytes = this.#bytes
    const flags = longAt(bytes, from, to) & 0xffffff
    const count = longAt(bytes, from + 4, to)
    let at = from + 8
    const start = flags & 1 && at + 4 <= to ? base + bytes.readInt32BE(at) : end
    if (flags & 1) at += 4
    if (flags & 4) at += 4
    if (!(flags & 0x200)) return { from: start, to: start + count * size }
    const before = flags & 0x100 ? 4 : 0
    const step = before + 4 + (flags & 0x400 ? 4 : 0) + (flags & 0x800 ? 4 : 0)
    let length = 0
    for (let nth = 0; nth < count && at + step <= to; nth++, at += step) length += longAt(bytes, at + before, to)
    return { from: start, to: start + length }
  }
}

/** The sizes of a track's samples: one for all, or each its own. */
function sizesOf(bytes: Buffer, box: { from: number; to: number } | undefined, whole: boolean) {
  if (!box) return null
  const { from, to } = box
  const bits = whole ? 32 : longAt(bytes, from + 4, to) & 0xff
  const usual = whole ? longAt(bytes, from + 4, to) : 0
  const count = longAt(bytes, from + 8, to)
  if (usual) return { each: usual, count, of: () => usual }
  const first = from + 12
  const room = Math.max(0, Math.floor(((to - first) * 8) / (bits || 32)))
  const of = (nth: number): number => {
    if (bits === 32) return bytes.readUInt32BE(first + nth * 4)
    if (bits === 16) return bytes.readUInt16BE(first + nth * 2)
    if (bits === 8) return bytes[first + nth]!
    return nth % 2 ? bytes[first + (nth >> 1)]! & 15 : bytes[first + (nth >> 1)]! >> 4
  }
  return { each: null, count: Math.min(count, room), of }
}

/** Bytes of one moment of plain sound, which older films count as a sample of one byte. */
function frameOf(bytes: Buffer, box: { from: number; to: number } | undefined): number {
  if (!box || box.from + 60 > box.to) return 0
  // Behind the table's head and the entry's size, name and number comes the version of a description of sound.
  const entry = box.from + 8
  const [version, channels, bits] = [16, 24, 26].map((at) => bytes.readUInt16BE(entry + at))
  if (version === 0) return Math.ceil((channels! * bits!) / 8)
  const packet = longAt(bytes, entry + 36, box.to)
  return version === 1 && packet ? longAt(bytes, entry + 44, box.to) / packet : 0
}

/** A video's length in seconds and size in pixels from its header; null if missing. */
export function filmFacts(bytes: Buffer): { width: number | null; height: number | null; seconds: number | null } {
  const facts = { width: null as number | null, height: null as number | null, seconds: null as number | null }
  eachBox(bytes, (name, from, to) => {
    if (name === 'mvhd' && to - from >= 32) {
      const long = bytes[from] === 1
      const scale = bytes.readUInt32BE(from + (long ? 20 : 12))
      const length = long ? Number(bytes.readBigUInt64BE(from + 24)) : bytes.readUInt32BE(from + 16)
      if (scale) facts.seconds = Math.round(length / scale)
    } else if (name === 'tkhd' && to - from >= 84) {
      const [width, height] = [bytes.readUInt32BE(to - 8) >>> 16, bytes.readUInt32BE(to - 4) >>> 16]
      if (width && height) Object.assign(facts, { width, height })
    }
  })
  return facts
}
