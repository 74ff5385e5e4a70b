import { constants, crc32, deflateRaw } from 'node:zlib'

/** A text with its compression, which any gzip can contain. */
export interface Deflated {
  text: Buffer
  deflated: Buffer
}

/** The compression of a text, without an end and at a byte's boundary, so that more can follow. */
export const deflated = (text: Buffer): Promise<Deflated> =>
  new Promise((resolve, reject) =>
    deflateRaw(text, { level: 3, finishFlush: constants.Z_FULL_FLUSH }, (error, result) =>
      error ? reject(error) : resolve({ text, deflated: result }),
    ),
  )

/** No name, no time, an unknown system (RFC 1952). */
const HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
/** An empty last block (RFC 1951, 3.2.4). */
const END = Buffer.from([1, 0, 0, 255, 255])
const LONGEST = 0xffff

/** A gzip of a text that is compressed already, between two that are stored as they are. */
export function gzipAround(before: Buffer, { text, deflated }: Deflated, after: Buffer): Buffer {
  const end = Buffer.alloc(8)
  end.writeUInt32LE([before, text, after].reduce((sum, part) => crc32(part, sum), 0))
  end.writeUInt32LE((before.length + text.length + after.length) % 2 ** 32, 4)
  return Buffer.concat([HEAD, ...stored(before), deflated, ...stored(after), END, end])
}

function* stored(text: Buffer): Generator<Buffer> {
  for (let at = 0; at < text.length; at += LONGEST) {
    const piece = text.subarray(at, at + LONGEST)
    const head = Buffer.alloc(5)
    head.writeUInt16LE(piece.length, 1)
    head.writeUInt16LE(LONGEST - piece.length, 3)
    yield head
    yield piece
  }
}
