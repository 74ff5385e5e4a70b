import { once } from 'node:events'
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/** A file of an archive: text that is compressed while it is read, or bytes that are stored unchanged. */
export type ZipEntry =
  | { name: string; content: AsyncIterable<string> | Iterable<string>; bytes?: never }
  | { name: string; bytes: Buffer; content?: never }

/** ZIP's earliest date, so that the same content yields the same archive. */
const HOW = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true }

/** A ZIP archive as a stream: an entry is asked for once the one before it was read. */
export async function* zipOf(entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  let content: Readable | undefined
  const fill = async () => {
    for await (const { name, content: text, bytes } of entries) {
      if (output.destroyed) return
      if (bytes) {
        zip.addBuffer(bytes, name, { ...HOW, compress: false })
        // The next content is read when most of this one has left.
        while (output.readableLength > output.readableHighWaterMark && !output.destroyed) await once(output, 'taken')
        continue
      }
      content = Readable.from(utf8(text), { objectMode: false })
      content.once('error', (error) => output.destroy(error))
      zip.addReadStream(content, name, HOW)
      await new Promise((resolve) => content!.once('close', resolve))
    }
    zip.end()
  }
  const filled = fill().catch((error: Error) => void output.destroy(error))
  try {
    for await (const piece of output) {
      yield piece as Uint8Array
      output.emit('taken')
    }
    await filled
  } finally {
    output.destroy()
    output.emit('taken')
    content?.destroy()
  }
}

async function* utf8(content: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Buffer> {
  for await (const text of content) yield Buffer.from(text)
}
