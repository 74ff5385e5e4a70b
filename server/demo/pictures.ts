import { turned } from '../files/metadata.ts'
import { library, THUMB } from '../files/thumbnail.ts'
import { FILM, filmOf } from './film.ts'
import type { Content } from './noun.ts'
import { rgb } from './samples.ts'

/** The number of photos in the demo, which all activities share. */
export const PICTURES = 96
const SMALL = { width: 200, height: 150 }
const FULL = { width: 1200, height: 900 }
/** Every picture has this many bytes, so that rows can state its size before it exists. */
export const PICTURE_BYTES = 64 * 1024

/** Bytes of the clips; they are made in a millisecond. */
export const FILM_BYTES: readonly number[] = FILM.seconds.map((_, nth) => filmOf(nth).length)

/** The storage keys of a picture and of its thumbnail. */
export const pictureKey = (nth: number): string => `demo/pictures/${nth}.jpg`
export const thumbKey = (nth: number): string => `demo/thumbs/${nth}.jpg`
export const filmKey = (nth: number): string => `demo/films/${nth}.mp4`

/** One picture in twenty was taken with the camera on its side: the rotation in its EXIF data. */
const turnOf = (nth: number): 0 | 90 | 270 => (nth % 24 === 7 ? 90 : nth % 96 === 13 ? 270 : 0)
/** A picture's size in pixels as displayed. */
export const sizeOf = (nth: number): { width: number; height: number } =>
  turnOf(nth) === 0 ? FULL : { width: FULL.height, height: FULL.width }

let last: { nth: number; raw: Buffer } | null = null
/** A shelf of colored packs, as a shopper would photograph it, in few pixels. */
function shelf(nth: number): Buffer {
  // A picture and its thumbnail are created one after the other.
  if (last?.nth === nth) return last.raw
  const { width, height } = SMALL
  const raw = Buffer.alloc(width * height * 3)
  const [hue, wide, tall, tilt] = [(nth * 47) % 360, 15 + (nth % 7) * 3, 33 + (nth % 5) * 6, ((nth % 9) - 4) / 60]
  const dark = 0.62 + 0.38 * (((nth * 29) % 17) / 17)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const level = y + x * tilt + 400
      const on = level % tall
      const row = Math.floor(level / tall)
      const pack = Math.floor(x / wide) + row * 7 + nth
      const gone = (pack * 13 + nth * 5) % 11 === 0
      const inPack = !gone && on > 5 + ((pack * 7) % 7) && on < tall - 4 && x % wide > 1
      const label = inPack && on > tall * 0.42 && on < tall * 0.62
      const round = inPack ? 1 - 0.35 * Math.abs((x % wide) / wide - 0.4) : 1
      const light = (label ? 88 : inPack ? 40 + ((pack * 11) % 24) : on >= tall - 4 ? 34 : 74 - y / 5) * round * dark
      const [r, g, b] = rgb(inPack ? (hue + (pack % 5) * 28) % 360 : 34, label ? 16 : inPack ? 62 : 12, light)
      const at = (y * width + x) * 3
      raw[at] = r
      raw[at + 1] = g
      raw[at + 2] = b
    }
  }
  last = { nth, raw }
  return raw
}

/** A JPEG padded to a number of bytes with comments, which come before its picture. */
function filledUp(jpeg: Buffer, bytes: number): Buffer {
  const pieces = [jpeg.subarray(0, 2)]
  let left = bytes - jpeg.length
  if (left < 4) throw new Error(`A picture of the demo has ${jpeg.length} bytes`)
  while (left > 0) {
    // A comment segment takes four bytes, so a shorter rest couldn't hold one.
    const size = left > 60_000 ? 50_000 : left
    const comment = Buffer.alloc(size, 0x20)
    comment.writeUInt16BE(0xfffe, 0)
    comment.writeUInt16BE(size - 2, 2)
    pieces.push(comment)
    left -= size
  }
  return Buffer.concat([...pieces, jpeg.subarray(2)])
}

async function pictureOf(nth: number): Promise<Buffer> {
  const sharp = await library()
  const raw = { width: SMALL.width, height: SMALL.height, channels: 3 as const }
  const picture = sharp(shelf(nth), { raw }).resize(FULL.width, FULL.height, { kernel: 'linear' })
  const jpeg = await picture.jpeg({ quality: 62 }).toBuffer()
  return filledUp(turned(jpeg, turnOf(nth)), PICTURE_BYTES)
}

async function thumbOf(nth: number): Promise<Buffer> {
  const sharp = await library()
  const { width, height } = SMALL
  return sharp(shelf(nth), { raw: { width, height, channels: 3 } })
    .rotate(turnOf(nth))
    .resize(THUMB, THUMB, { fit: 'inside' })
    .jpeg({ quality: 74 })
    .toBuffer()
}

/** The contents that all photos and videos of the demo share; each is created when it is stored. */
export const sharedContents = (): Content[] => [
  ...Array.from({ length: PICTURES }, (_, nth): Content[] => [
    { key: pictureKey(nth), mime: 'image/jpeg', content: () => pictureOf(nth) },
    { key: thumbKey(nth), mime: 'image/jpeg', content: () => thumbOf(nth) },
  ]).flat(),
  ...FILM.seconds.map((_, nth): Content => ({ key: filmKey(nth), mime: 'video/mp4', content: async () => filmOf(nth) })),
]
