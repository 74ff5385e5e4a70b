/** A file of an archive; the lengths of its content's pieces add up to `size`. */
export interface Entry {
  name: string
  size: number
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

const BLOCK = 512
/** Thrown with a sentence for an archive that is incomplete, was changed, or is none. */
export class TornArchive extends Error {}

/** Writes entries as a tar (ustar) that every tool opens. */
export async function* tarOf(entries: AsyncIterable<Entry>): AsyncIterable<Uint8Array> {
  for await (const { name, size, content } of entries) {
    yield headerOf(name, size)
    let written = 0
    for await (const piece of content) {
      written += piece.length
      yield piece
    }
    if (written !== size) throw new Error(`${name} changed its length while it was read`)
    if (size % BLOCK) yield new Uint8Array(BLOCK - (size % BLOCK))
  }
  yield new Uint8Array(2 * BLOCK)
}

function headerOf(name: string, size: number): Buffer {
  const header = Buffer.alloc(BLOCK)
  const cut = Buffer.byteLength(name) > 100 ? name.indexOf('/', Buffer.byteLength(name) - 101) : -1
  const [prefix, rest] = cut < 0 ? ['', name] : [name.slice(0, cut), name.slice(cut + 1)]
  if (Buffer.byteLength(rest) > 100 || Buffer.byteLength(prefix) > 155)
    throw new Error(`${name} is too long a name for an archive`)
  header.write(rest, 0)
  header.write('0000600\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  header.write(`${Math.floor(Date.now() / 1000).toString(8)}\0`, 136)
  header.write('        0', 148)
  header.write('ustar\x0000', 257, 'latin1')
  header.write(prefix, 345)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** An entry's name and size by its header; throws for anything but a file. */
function entryOf(header: Buffer): { name: string; size: number } {
  const text = (from: number, to: number) => header.toString('utf8', from, to).split('\0')[0]!
  if (!text(257, 263).startsWith('ustar')) throw new TornArchive('This isn’t a Fieldwork backup.')
  const prefix = text(345, 500)
  const name = prefix ? `${prefix}/${text(0, 100)}` : text(0, 100)
  // The sum counts its own eight bytes as blanks.
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0)
  if (Number.parseInt(text(148, 156), 8) !== sum) throw new TornArchive('The backup is damaged: it was changed.')
  if (header[156] !== 0 && header[156] !== 0x30)
    throw new TornArchive(`The backup was changed: ${shown(name)} is a link, a folder or a device, and not a file.`)
  const size = text(124, 136).trim()
  if (!/^[0-7]{1,11}$/.test(size)) throw new TornArchive(`The backup was changed: ${shown(name)} has no size.`)
  return { name, size: Number.parseInt(size, 8) }
}

/** A name of an archive for a sentence: short, and without signs that a terminal would follow. */
export const shown = (name: string): string => JSON.stringify(name.slice(0, 80))

/** Reads a tar; the callback gets each entry in order and must read its content to the end. */
export async function readTar(
  source: AsyncIterable<Uint8Array>,
  onEntry: (name: string, size: number, content: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  const pieces = source[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  const more = async () => {
    const next = await pieces.next()
    if (next.done) throw new TornArchive('The backup is incomplete.')
    rest = rest.length
      ? Buffer.concat([rest, next.value])
      : Buffer.from(next.value.buffer, next.value.byteOffset, next.value.length)
  }
  const exactly = async (count: number) => {
    while (rest.length < count) await more()
    const taken = rest.subarray(0, count)
    rest = rest.subarray(count)
    return taken
  }
  async function* content(size: number) {
    for (let left = size; left > 0; ) {
      if (!rest.length) await more()
      const piece = rest.subarray(0, Math.min(left, rest.length))
      rest = rest.subarray(piece.length)
      left -= piece.length
      yield piece
    }
  }
  for (;;) {
    const header = await exactly(BLOCK)
    if (header.every((byte) => byte === 0)) return
    const { name, size } = entryOf(header)
    await onEntry(name, size, content(size))
    if (size % BLOCK) await exactly(BLOCK - (size % BLOCK))
  }
}
