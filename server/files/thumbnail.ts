import type { Readable } from 'node:stream'

/** The longer side of a thumbnail, in pixels. */
export const THUMB = 320
/** More pixels than any camera has; decoding more could use up the process's memory. */
const MOST_PIXELS = 120_000_000
const SECONDS = 20

/** The image library, loaded with the first picture, because it takes a tenth of a second and 20 MB. */
export const library = async () => {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  return sharp
}

/** A stream's content; uploads are below 10 MB (server/files/receiveUpload.ts). */
export async function bytesOf(stream: Readable): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(Buffer.from(piece as Uint8Array))
  return Buffer.concat(pieces)
}

/** A picture's upright thumbnail as JPEG without metadata, and its displayed size; throws for other files. */
export async function thumbnailOf(bytes: Buffer): Promise<{ thumb: Buffer; width: number; height: number }> {
  const sharp = await library()
  const picture = sharp(bytes, { limitInputPixels: MOST_PIXELS, sequentialRead: true }).timeout({ seconds: SECONDS })
  const { width, height, orientation = 1 } = await picture.metadata()
  const thumb = await picture
    .rotate()
    .resize(THUMB, THUMB, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 74 })
    .toBuffer()
  return orientation >= 5 ? { thumb, width: height, height: width } : { thumb, width, height }
}
