import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'

/** A file of an archive: text that is compressed while it is read, or bytes that are stored unchanged. */
export type ZipEntry =
  | { name: string; content: AsyncIterable<string> | Iterable<string>; bytes?: never }
  | { name: string; bytes: Buffer; content?: never }

/** Larger files would need ZIP64, which not every program reads. */
const MOST = 0xffff_ffff
/** Sizes follow the content; names are UTF-8. */
const FLAGS = 0x0808
const STORED_FLAGS = 0x0800
/** 1 January 1980, ZIP's earliest date, so that the same content yields the same archive. */
const DATE = 0x0021

/** A ZIP archive as a stream, one piece in memory at a time; throws above 4 GB. */
export async function* zipOf(entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const directory: Buffer[] = []
  let offset = 0
  for await (const { name, content, bytes } of entries) {
    const label = Buffer.from(name)
    const start = offset
    if (bytes) {
      const head = Buffer.alloc(30)
      head.writeUInt32LE(0x0403_4b50, 0)
      head.writeUInt16LE(20, 4)
      head.writeUInt16LE(STORED_FLAGS, 6)
      head.writeUInt16LE(DATE, 12)
      head.writeUInt32LE(crc32(bytes), 14)
      head.writeUInt32LE(bytes.length, 18)
      head.writeUInt32LE(bytes.length, 22)
      head.writeUInt16LE(label.length, 26)
      yield Buffer.concat([head, label])
      yield bytes
      offset += head.length + label.length + bytes.length
      if (offset > MOST) throw tooLarge()
      const entry = Buffer.alloc(46)
      entry.writeUInt32LE(0x0201_4b50, 0)
      entry.writeUInt16LE(20, 4)
      // The central directory repeats the local header from its version on.
      head.copy(entry, 6, 4, 28)
      entry.writeUInt32LE(start, 42)
      directory.push(Buffer.concat([entry, label]))
      continue
    }
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x0403_4b50, 0)
    head.writeUInt16LE(20, 4)
    head.writeUInt16LE(FLAGS, 6)
    head.writeUInt16LE(8, 8)
    head.writeUInt16LE(DATE, 12)
    head.writeUInt16LE(label.length, 26)
    yield Buffer.concat([head, label])
    offset += head.length + label.length

    let [sum, plain, packed] = [0, 0, 0]
    const measured = async function* () {
      for await (const text of content) {
        const piece = Buffer.from(text)
        sum = crc32(piece, sum)
        plain += piece.length
        yield piece
      }
    }
    const deflate = createDeflateRaw()
    const ended = pipeline(Readable.from(measured(), { objectMode: false }), deflate)
    // The read below throws the same error.
    ended.catch(() => {})
    for await (const piece of deflate as AsyncIterable<Buffer>) {
      packed += piece.length
      yield piece
    }
    await ended
    offset += packed
    if (plain > MOST || offset > MOST) throw tooLarge()

    const sizes = Buffer.alloc(16)
    sizes.writeUInt32LE(0x0807_4b50, 0)
    sizes.writeUInt32LE(sum, 4)
    sizes.writeUInt32LE(packed, 8)
    sizes.writeUInt32LE(plain, 12)
    yield sizes
    offset += sizes.length

    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x0201_4b50, 0)
    entry.writeUInt16LE(20, 4)
    entry.writeUInt16LE(20, 6)
    entry.writeUInt16LE(FLAGS, 8)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt16LE(DATE, 14)
    entry.writeUInt32LE(sum, 16)
    entry.writeUInt32LE(packed, 20)
    entry.writeUInt32LE(plain, 24)
    entry.writeUInt16LE(label.length, 28)
    entry.writeUInt32LE(start, 42)
    directory.push(Buffer.concat([entry, label]))
  }
  const all = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x0605_4b50, 0)
  end.writeUInt16LE(directory.length, 8)
  end.writeUInt16LE(directory.length, 10)
  end.writeUInt32LE(all.length, 12)
  end.writeUInt32LE(offset, 16)
  yield Buffer.concat([all, end])
}

const tooLarge = () => new Error('The file would be larger than 4 GB. Export less, or use CSV.')
