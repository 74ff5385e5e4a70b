import type { Readable } from 'node:stream'
import type { Metadata } from 'sharp'
import { count, fileSize } from '../../contract/format.ts'

/** The longer side of a thumbnail, in pixels. */
const THUMB = 320
/** More pixels than any camera has. */
const MOST_PIXELS = 120_000_000
/** What of a picture may be in memory at once (bytes); most are read line by line. */
const MOST_HELD = 192 * 1_048_576
/** The decoders of the types that are accepted; the library has more, which nobody needs here. */
const DECODERS = ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadNsgifBuffer']

/** Thrown for a picture that would take too much memory; the message is the end of a sentence. */
export class TooLarge extends Error {}

/** The image library, loaded with the first picture, because it takes a tenth of a second and 20 MB. */
const library = async () => {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp
}

/** A stream's content; uploads are below 10 MB (server/files/receiveUpload.ts). */
export async function bytesOf(stream: Readable): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(Buffer.from(piece as Uint8Array))
  return Buffer.concat(pieces)
}

/** The bytes of a picture that are in memory at once while it is read, by its header. */
function heldOf({ format, width, height, channels, depth, isProgressive, chromaSubsampling }: Metadata): number {
  const pixels = width * height
  // All frames are drawn onto one, and what is below is kept.
  if (format === 'gif') return pixels * 5
  if (!isProgressive) return 0
  // Its coefficients come in several passes, two bytes each.
  if (format === 'jpeg') return pixels * (chromaSubsampling?.startsWith('4:2') ? 3 : channels * 2)
  return pixels * channels * (depth === 'ushort' ? 2 : 1)
}

/** A picture's upright thumbnail as JPEG without metadata, and its displayed size; throws for other files. */
export async function thumbnailOf(bytes: Buffer): Promise<{ thumb: Buffer; width: number; height: number }> {
  const sharp = await library()
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: DECODERS })
  const picture = sharp(bytes, { limitInputPixels: false, sequentialRead: true })
  const header = await picture.metadata()
  const { width, height, orientation = 1 } = header
  if (width * height > MOST_PIXELS)
    throw new TooLarge(`it has ${count(width * height)} pixels, and ${count(MOST_PIXELS)} are the limit`)
  const held = heldOf(header)
  if (held > MOST_HELD)
    throw new TooLarge(
      `reading it takes ${fileSize(held)} of memory at once, and ${fileSize(MOST_HELD)} is the limit: save it without interlacing, or smaller`,
    )
  const thumb = await picture
    .rotate()
    .resize(THUMB, THUMB, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 74 })
    .toBuffer()
  return orientation >= 5 ? { thumb, width: height, height: width } : { thumb, width, height }
}
