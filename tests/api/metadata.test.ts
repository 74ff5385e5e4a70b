import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { withoutMetadata } from '../../server/files/metadata.ts'

const SECRET = Buffer.from('60.1699 N, 24.9384 E')
const picture = () => sharp({ create: { width: 60, height: 40, channels: 3, background: '#246' } })
const pixels = (bytes: Buffer) => sharp(bytes, { animated: true }).raw().toBuffer()
const marker = (code: number, content: Buffer) => Buffer.concat([Buffer.from([0xff, code, 0, content.length + 2]), content])
const inserted = (bytes: Buffer, at: number, put: Buffer) => Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at)])
const placed = () =>
  picture()
    .withExif({ IFD0: { ImageDescription: SECRET.toString() } })
    .jpeg()
    .toBuffer()
const hidden = (bytes: Buffer, mime: string) => {
  expect(bytes.includes(SECRET)).toBe(true)
  const plain = withoutMetadata(bytes, mime)
  expect([plain.includes(SECRET), plain.length]).toEqual([false, bytes.length])
  return plain
}

describe('a picture for client users says nothing of its place, wherever it is written', () => {
  test('JPEG', async () => {
    const scans = await picture().jpeg({ progressive: true }).toBuffer()
    const second = scans.indexOf(Buffer.from([0xff, 0xda]), scans.indexOf(Buffer.from([0xff, 0xda])) + 2)
    const exif = await placed()
    const cases = [
      exif,
      inserted(exif, exif.indexOf(Buffer.from([0xff, 0xe1])), Buffer.from([0xff, 0xff])),
      inserted(scans, second, marker(0xfe, SECRET)),
      inserted(scans, scans.length - 2, marker(0xe1, SECRET)),
      Buffer.concat([scans, exif]),
      Buffer.concat([scans, SECRET]),
    ]
    for (const [nth, bytes] of cases.entries())
      expect((await pixels(hidden(bytes, 'image/jpeg'))).equals(await pixels(bytes)), String(nth)).toBe(true)
    const cut = scans.subarray(0, scans.length - 40)
    expect(withoutMetadata(cut, 'image/jpeg').equals(cut)).toBe(true)
  })

  test('PNG', async () => {
    const png = await picture().png().toBuffer()
    const bytes = Buffer.concat([png, SECRET])
    expect((await pixels(hidden(bytes, 'image/png'))).equals(await pixels(png))).toBe(true)
  })

  test('GIF', async () => {
    const frames = await Promise.all(['#246', '#fa0'].map((background) => picture().flatten({ background }).png().toBuffer()))
    const gif = await sharp(frames, { join: { animated: true } })
      .gif({ loop: 3, delay: [100, 100] })
      .toBuffer()
    const note = Buffer.concat([Buffer.from([0x21, 0xfe, SECRET.length]), SECRET, Buffer.from([0])])
    const other = Buffer.concat([Buffer.from([0x21, 0xff, 11]), Buffer.from('XMP DataXMP'), Buffer.from([SECRET.length]), SECRET])
    const bytes = inserted(
      Buffer.concat([gif, SECRET]),
      gif.indexOf(Buffer.from([0x21, 0xf9])),
      Buffer.concat([note, other, Buffer.from([0])]),
    )
    const plain = hidden(bytes, 'image/gif')
    expect((await pixels(plain)).equals(await pixels(gif))).toBe(true)
    expect(await sharp(plain, { animated: true }).metadata()).toMatchObject({
      loop: 3,
      delay: (await sharp(gif).metadata()).delay,
    })
  })
})

test('a film for client users has nothing but the film', () => {
  const box = (name: string, content: Buffer, wide = false) => {
    const head = Buffer.alloc(wide ? 16 : 8)
    head.writeUInt32BE(wide ? 1 : content.length + 8)
    head.write(name, 4, 'latin1')
    if (wide) head.writeBigUInt64BE(BigInt(content.length + 16), 8)
    return Buffer.concat([head, content])
  }
  const names = (bytes: Buffer): string[] =>
    bytes.length < 8 ? [] : [bytes.toString('latin1', 4, 8), ...names(bytes.subarray(bytes.readUInt32BE(0)))]
  const header = Buffer.alloc(100, 7)
  header.writeUInt32BE(0)
  const film = (more: Buffer) =>
    Buffer.concat([
      box('ftyp', Buffer.from('isom')),
      box('moov', Buffer.concat([box('mvhd', header), more])),
      box('mdat', header),
    ])
  for (const more of [box('udta', SECRET), box('udta', SECRET, true), box('\xa9xyz', SECRET), box('Xtra', SECRET), SECRET]) {
    const plain = hidden(film(more), 'video/mp4')
    expect(names(plain)).toEqual(['ftyp', 'moov', 'mdat'])
    const moov = plain.subarray(12)
    expect([moov.readBigUInt64BE(20), moov.toString('latin1', 28, 36)]).toEqual([0n, '\x07'.repeat(8)])
    if (more.toString('latin1', 4, 8) === 'udta') expect(moov.readUInt32BE(116)).toBe(more.readUInt32BE(0))
    if (more.readUInt32BE(0) === 1) expect(moov.readBigUInt64BE(124)).toBe(BigInt(more.length))
  }
  expect(hidden(Buffer.concat([film(Buffer.alloc(0)), box('skip', SECRET)]), 'video/mp4').length).toBeGreaterThan(0)
})
