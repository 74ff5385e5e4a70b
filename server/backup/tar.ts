import { ReadableStream } from 'node:stream/web'
import { createTarDecoder, createTarPacker } from 'modern-tar'

/** A file of an archive; the lengths of its content's pieces add up to `size`. */
export interface Entry {
  name: string
  size: number
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/** Thrown with a sentence for an archive that is incomplete, was changed, or is none. */
export class TornArchive extends Error {}

/** Writes entries as a tar that every tool opens. */
export async function* tarOf(entries: AsyncIterable<Entry>): AsyncIterable<Uint8Array> {
  const { readable, controller } = createTarPacker()
  const pack = async () => {
    for await (const { name, size, content } of entries) {
      const writer = controller.add({ name, size, mode: 0o600 }).getWriter()
      let written = 0
      for await (const piece of content) {
        written += piece.length
        if (written > size) break
        await writer.write(plain(piece))
      }
      if (written !== size) throw new Error(`${name} changed its length while it was read`)
      await writer.close()
    }
    controller.finalize()
  }
  const packed = pack().catch((error: unknown) => controller.error(error))
  yield* readable as AsyncIterable<Uint8Array>
  await packed
}

/** The packer takes no subclass such as Buffer. */
const plain = (bytes: Uint8Array) => new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.length)

/** A name of an archive for a sentence: short, and without signs that a terminal would follow. */
export const shown = (name: string): string => JSON.stringify(name.slice(0, 80))

/** What the decoder reports about an archive, as a sentence about a backup. */
function sentenceOf({ message }: Error): string {
  if (/truncated|unexpected end|ended/i.test(message)) return 'The backup is incomplete.'
  if (/checksum/i.test(message)) return 'The backup is damaged: it was changed.'
  if (/number|size|large/i.test(message)) return 'This isn’t a Fieldwork backup, or it was changed: an entry has no size.'
  return 'This isn’t a Fieldwork backup.'
}

/** Reads a tar; the callback gets each entry in order and must read its content to the end. */
export async function readTar(
  source: AsyncIterable<Uint8Array>,
  onEntry: (name: string, size: number, content: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  // An error of the source or of a callback is its own; what remains is the decoder's.
  let own: unknown
  const isOwn = (error: unknown) => {
    own ??= error
    throw error
  }
  const torn = (error: unknown) => own ?? (error instanceof TornArchive ? error : new TornArchive(sentenceOf(error as Error)))
  async function* of<T, U>(items: AsyncIterable<T>, each: (item: T) => U, fails: (error: unknown) => unknown) {
    try {
      for await (const item of items) yield each(item)
    } catch (error) {
      throw fails(error)
    }
  }
  const bytes = ReadableStream.from(of(source, plain, isOwn))
  const entries: AsyncIterable<PackedEntry> = bytes.pipeThrough(createTarDecoder({ strict: true }) as never)
  for await (const { header, body } of of(entries, (entry) => entry, torn)) {
    const { name, size, type } = header
    if (type !== 'file')
      throw new TornArchive(`The backup was changed: ${shown(name)} is a link, a folder or a device, and not a file.`)
    await onEntry(
      name,
      size,
      of(body, (piece) => piece, torn),
    ).catch(isOwn)
  }
}
interface PackedEntry {
  header: { name: string; size: number; type?: string }
  body: AsyncIterable<Uint8Array>
}
