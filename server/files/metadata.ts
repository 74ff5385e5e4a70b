import { crc32 } from 'node:zlib'
import { plainFilm } from './plainFilm.ts'
import { plainAvi, plainMp3 } from './plainMedia.ts'

/*
 * Metadata of files, such as place and camera, which is removed for client users.
 * Nothing is decoded, and no length changes.
 */

/** EXIF orientations (1 to 8) after a quarter turn clockwise. */
const QUARTER = [1, 6, 7, 8, 5, 2, 3, 4, 1] as const
const EXIF = Buffer.from('Exif\0\0', 'latin1')

/** An orientation after a clockwise rotation by a multiple of 90 degrees. */
function orientationAfter(orientation: number, rotation: number): number {
  let now = orientation
  for (let left = rotation; left > 0; left -= 90) now = QUARTER[now] ?? 1
  return now
}

interface Segment {
  marker: number
  /** The range of its content. */
  from: number
  to: number
}

/** The segments of a JPEG from a place on to its next scan, or its end; none for other files. */
function* segmentsOf(bytes: Buffer, from = 2): Generator<Segment> {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return
  let at = from
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1]!
    if (marker === 0xff) {
      // A fill byte, of which any number may precede a marker.
      at++
      continue
    }
    if (marker === 0xda || marker === 0xd9) return
    const length = bytes.readUInt16BE(at + 2)
    if (length < 2 || at + 2 + length > bytes.length) return
    yield { marker, from: at + 4, to: at + 2 + length }
    at += 2 + length
  }
}

/** The position of an EXIF segment's orientation, and its value; null without one. */
function orientationIn(bytes: Buffer, { marker, from, to }: Segment): { at: number; little: boolean; value: number } | null {
  if (marker !== 0xe1 || to - from < 20 || !bytes.subarray(from, from + 6).equals(EXIF)) return null
  const start = from + 6
  const little = bytes.readUInt16BE(start) === 0x4949
  const short = (at: number) => (little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at))
  const long = (at: number) => (little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at))
  const table = start + long(start + 4)
  if (table + 2 > to) return null
  for (let nth = 0; nth < short(table); nth++) {
    const entry = table + 2 + nth * 12
    if (entry + 12 > to) return null
    if (short(entry) === 0x0112) return { at: entry + 8, little, value: short(entry + 8) }
  }
  return null
}

/** An EXIF segment that contains only the orientation. */
function plainExif(orientation: number): Buffer {
  const exif = Buffer.alloc(32)
  EXIF.copy(exif)
  exif.write('MM\0*', 6, 'latin1')
  exif.writeUInt32BE(8, 10)
  exif.writeUInt16BE(1, 14)
  exif.writeUInt16BE(0x0112, 16)
  exif.writeUInt16BE(3, 18)
  exif.writeUInt32BE(1, 20)
  exif.writeUInt16BE(orientation, 24)
  return exif
}

/** A change of a content: `put` takes the place of `drop` bytes from `at` on. */
export interface Splice {
  at: number
  drop: number
  put: Buffer
}

/** Bytes of a JPEG’s start that are searched for its orientation: its first two segments, however long. */
export const TURN_HEAD = 68 * 1024

/** Rotates a JPEG by its EXIF data, of which its start is enough; one without an orientation grows by that segment. */
export function turnOf(head: Buffer, rotation: number): Splice | null {
  if (!rotation || head.length < 4 || head.readUInt16BE(0) !== 0xffd8) return null
  for (const segment of segmentsOf(head)) {
    const found = orientationIn(head, segment)
    if (!found) continue
    const put = Buffer.alloc(2)
    const value = orientationAfter(found.value, rotation)
    if (found.little) put.writeUInt16LE(value)
    else put.writeUInt16BE(value)
    return { at: found.at, drop: 2, put }
  }
  const exif = plainExif(orientationAfter(1, rotation))
  return { at: 2, drop: 0, put: Buffer.concat([Buffer.from([0xff, 0xe1, 0, exif.length + 2]), exif]) }
}

/** A JPEG in memory, rotated. */
export function turned(bytes: Buffer, rotation: number): Buffer {
  const turn = turnOf(bytes, rotation)
  return turn ? Buffer.concat([bytes.subarray(0, turn.at), turn.put, bytes.subarray(turn.at + turn.drop)]) : bytes
}

/** The segments of a whole JPEG, also those between its scans; returns where its picture ends. */
function* allSegmentsOf(bytes: Buffer): Generator<Segment, number> {
  let at = 2
  for (;;) {
    for (const segment of segmentsOf(bytes, at)) {
      yield segment
      at = segment.to
    }
    while (bytes[at] === 0xff && bytes[at + 1] === 0xff) at++
    if (bytes[at] !== 0xff || bytes[at + 1] !== 0xda) return bytes[at] === 0xff && bytes[at + 1] === 0xd9 ? at + 2 : at
    // Behind a scan's data comes a marker other than a stuffed byte or a restart.
    at += 2
    do at = bytes.indexOf(0xff, at + 1)
    while (at >= 0 && at + 1 < bytes.length && (bytes[at + 1] === 0 || (bytes[at + 1]! & 0xf8) === 0xd0))
    if (at < 0 || at + 1 >= bytes.length) return bytes.length
  }
}

/** Blanks a JPEG's metadata, except its orientation and color profile, and what is behind its picture. */
function plainJpeg(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  const segments = allSegmentsOf(bytes)
  let next = segments.next()
  for (; !next.done; next = segments.next()) {
    const segment = next.value
    const { marker, from, to } = segment
    // APP0 (the format), APP2 with a color profile and APP14 (Adobe's colors) don't reveal where it was taken.
    const colours = marker === 0xe2 && bytes.toString('latin1', from, from + 11) === 'ICC_PROFILE'
    if (marker === 0xfe || (marker > 0xe0 && marker <= 0xef && marker !== 0xee && !colours)) {
      const orientation = orientationIn(bytes, segment)?.value
      copy.fill(0, from, to)
      if (orientation && to - from >= 32) plainExif(orientation).copy(copy, from)
    }
  }
  // Phones put further pictures and short films there, with metadata of their own.
  return copy.fill(0, next.value)
}

/** Chunks of a PNG that belong to the picture itself. */
const PICTURE = /^(IHDR|PLTE|IDAT|IEND|tRNS|cHRM|gAMA|iCCP|sBIT|sRGB|bKGD|hIST|pHYs|sPLT|acTL|fcTL|fdAT)$/

/** Blanks a PNG's texts, times and EXIF data by turning them into unknown chunks of zeros. */
function plainPng(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  let at = 8
  while (at + 12 <= copy.length) {
    const length = copy.readUInt32BE(at)
    const end = at + 12 + length
    const name = copy.toString('latin1', at + 4, at + 8)
    // A picture that breaks off is shown as far as it goes.
    if (end > copy.length) return PICTURE.test(name) ? copy : copy.fill(0, at)
    if (name === 'IEND') return copy.fill(0, end)
    if (!PICTURE.test(name)) {
      copy.write('fwBk', at + 4, 'latin1')
      copy.fill(0, at + 8, at + 8 + length)
      copy.writeUInt32BE(crc32(copy.subarray(at + 4, at + 8 + length)), at + 8 + length)
    }
    at = end
  }
  return copy
}

/** Animation settings, the only application data of a GIF that belongs to the picture. */
const REPEATS = /^(NETSCAPE2\.0|ANIMEXTS1\.0)$/

/** Blanks a GIF's comments and other programs' data, and what is behind its picture. */
function plainGif(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  const table = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  let at = 13 + table(bytes[10] ?? 0)
  while (at < bytes.length) {
    const label = bytes[at + 1]
    let blanks = false
    if (bytes[at] === 0x2c) at += 11 + table(bytes[at + 9] ?? 0)
    else if (bytes[at] === 0x21) {
      blanks = label === 0xfe || (label === 0xff && !REPEATS.test(bytes.toString('latin1', at + 3, at + 14)))
      at += 2
    } else return copy.fill(0, Math.min(bytes.length, at + 1))
    for (let length = bytes[at]; length; length = bytes[at]) {
      if (blanks) copy.fill(0, at + 1, Math.min(bytes.length, at + 1 + length))
      at += 1 + length
    }
    at++
  }
  return copy
}

/** TABLE  types whose metadata is removed. */
const PLAIN: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  'image/jpeg': plainJpeg,
  'image/png': plainPng,
  'image/gif': plainGif,
  'video/mp4': plainFilm,
  'video/quicktime': plainFilm,
  'video/x-msvideo': plainAvi,
  'audio/mpeg': plainMp3,
}

/** True for types whose metadata is removed. */
export const hasMetadata = (mime: string): boolean => Object.hasOwn(PLAIN, mime)

/** A content without metadata about place, time and device. */
export const withoutMetadata = (bytes: Buffer, mime: string): Buffer => (hasMetadata(mime) ? PLAIN[mime]!(bytes) : bytes)
