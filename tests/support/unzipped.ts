import { crc32, inflateRawSync } from 'node:zlib'

/** The files of a ZIP archive as text, by its directory; throws for a wrong checksum. */
export function unzipped(archive: Buffer): Map<string, string> {
  const end = archive.lastIndexOf(Buffer.from('504b0506', 'hex'))
  const files = new Map<string, string>()
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const [sum, packed, plain] = [16, 20, 24].map((offset) => archive.readUInt32LE(at + offset)) as [number, number, number]
    const length = archive.readUInt16LE(at + 28)
    const name = archive.toString('utf8', at + 46, at + 46 + length)
    const start = archive.readUInt32LE(at + 42)
    const from = start + 30 + archive.readUInt16LE(start + 26) + archive.readUInt16LE(start + 28)
    const raw = archive.subarray(from, from + packed)
    // Pictures are compressed already, so they are stored unchanged.
    const content = archive.readUInt16LE(at + 10) === 0 ? raw : inflateRawSync(raw)
    if (content.length !== plain || crc32(content) !== sum) throw new Error(`${name} is not whole`)
    files.set(name, content.toString('utf8'))
    at += 46 + length
  }
  return files
}
