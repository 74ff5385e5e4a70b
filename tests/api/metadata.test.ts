import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { FILM } from '../../server/demo/fixtures.ts'
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

describe('of a film’s data, client users get pictures and sound alone', () => {
  const box = (name: string, ...parts: (Buffer | number)[]) => {
    const content = Buffer.concat(parts.map((part) => (typeof part === 'number' ? long(part) : part)))
    return Buffer.concat([long(content.length + 8), Buffer.from(name, 'latin1'), content])
  }
  const long = (value: number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value >>> 0)
    return bytes
  }
  const head = Buffer.alloc(80, 1)
  const tkhd = (id: number) => box('tkhd', 0, 0, 0, id, head)
  const kindOf = (kind: string) => box('hdlr', 0, 0, Buffer.from(kind), Buffer.alloc(12))
  const track = (id: number, kind: string, ...table: Buffer[]) =>
    box('trak', tkhd(id), box('mdia', kindOf(kind), box('minf', box('stbl', ...table), box('hdlr', 0, 0, Buffer.from('url ')))))
  const film = (ids: readonly string[]) => ids.map((text) => Buffer.from(text))
  const SHOWN = ['picture one', 'sound', 'picture two!']
  const KINDS = ['meta', 'camm', 'text', 'sbtl', 'tmcd', 'data', 'gps0']

  test.each(['stco', 'co64'])('where tables list their samples, by %s', (places) => {
    const pieces = film([SHOWN[0]!, `${SECRET}`, SHOWN[1]!, `${SECRET}`, SHOWN[2]!, `${SECRET}`])
    const starts: number[] = []
    let at = 24
    for (const piece of pieces) {
      starts.push(at)
      at += piece.length
    }
    const offsets = (...of: number[]) =>
      places === 'stco' ? box('stco', 0, of.length, ...of) : box('co64', 0, of.length, ...of.flatMap((one) => [0, one]))
    const one = box('stsc', 0, 1, 1, 1, 1)
    const sizes = (...of: number[]) => box('stsz', 0, 0, of.length, ...of)
    const same = (size: number, count: number) => box('stsz', 0, size, count)
    for (const kind of KINDS) {
      const bytes = Buffer.concat([
        box('ftyp', Buffer.from('isomisom')),
        box('mdat', ...pieces),
        box(
          'moov',
          track(1, 'vide', one, sizes(pieces[0]!.length, pieces[2]!.length + 7), offsets(starts[0]!, starts[4]!)),
          track(2, 'soun', one, same(pieces[2]!.length, 1), offsets(starts[2]!)),
          track(3, kind, one, same(SECRET.length, 3), offsets(starts[1]!, starts[3]!, starts[5]!)),
        ),
      ])
      const plain = hidden(bytes, 'video/mp4')
      for (const text of SHOWN) expect(plain.toString('latin1'), kind).toContain(text)
      expect(plain.toString('latin1').match(/trak/g), kind).toHaveLength(2)
      const left = pieces.map((piece, nth) => (nth % 2 ? Buffer.alloc(piece.length) : piece))
      expect(plain.subarray(24, at).equals(Buffer.concat(left)), kind).toBe(true)
    }
  })

  test('where fragments do', () => {
    const trex = (id: number, size: number) => box('trex', 0, id, 1, 0, size, 0)
    const moov = box('moov', track(1, 'vide'), track(9, 'meta'), box('mvex', trex(1, 5), trex(9, SECRET.length)))
    /** A fragment of both tracks, whose data begins behind it; each way of saying where. */
    const fragment = (before: number, way: 'moof' | 'place' | 'following') => {
      const picture = Buffer.from('first-other')
      const make = (data: number) => {
        const flags = { moof: 0x20000, place: 1, following: 0 }[way]
        const base = way === 'place' ? [0, before] : []
        return box(
          'moof',
          box('traf', box('tfhd', flags, 1, ...base), box('trun', 0x201, 2, data, 5, 6)),
          box(
            'traf',
            box('tfhd', flags, 9, ...base),
            box('trun', way === 'following' ? 0 : 1, 1, ...(way === 'following' ? [] : [data + 11])),
          ),
        )
      }
      const length = make(0).length
      return Buffer.concat([make(length + 8), box('mdat', picture, Buffer.from(SECRET))])
    }
    for (const way of ['moof', 'place', 'following'] as const) {
      const start = Buffer.concat([box('ftyp', Buffer.from('iso5iso5')), moov])
      const first = fragment(start.length, way)
      const bytes = Buffer.concat([start, first, fragment(start.length + first.length, way)])
      const plain = hidden(bytes, 'video/quicktime')
      expect(plain.toString('latin1').match(/first-other\0/g), way).toHaveLength(2)
    }
  })

  test('of the demo all of it, as it has nothing else', () => {
    const bytes = FILM.content
    const [plain, data] = [withoutMetadata(bytes, 'video/mp4'), bytes.indexOf('mdat')]
    const end = data - 4 + bytes.readUInt32BE(data - 4)
    expect(plain.subarray(data, end).equals(bytes.subarray(data, end))).toBe(true)
  })

  test('in linear time, whatever its tables say', () => {
    const entries = 100_000
    const everywhere = box('stco', 0, entries, ...Array.from({ length: entries }, () => 24))
    const bytes = Buffer.concat([
      box('ftyp', Buffer.from('isomisom')),
      box('mdat', Buffer.alloc(100_000)),
      box('moov', track(1, 'vide', box('stsc', 0, 1, 1, 0xffffffff, 1), box('stsz', 0, 0xffffffff, 0xffffffff), everywhere)),
    ])
    expect(() => withoutMetadata(bytes, 'video/mp4')).not.toThrow()
    const each = Buffer.concat([
      bytes.subarray(0, 100_024),
      box('moov', track(1, 'vide', box('stsc', 0, 1, 1, 1, 1), box('stsz', 0, 0x10000, entries), everywhere)),
    ])
    expect(() => withoutMetadata(each, 'video/mp4')).toThrow('its samples overlap')
    const depth = 200_000
    const nested = Buffer.alloc(depth * 8)
    for (let at = 0; at < depth; at++) {
      nested.writeUInt32BE((depth - at) * 8, at * 8)
      nested.write('trak', at * 8 + 4, 'latin1')
    }
    const began = performance.now()
    withoutMetadata(nested, 'video/mp4')
    expect(performance.now() - began).toBeLessThan(3000)
  })
})

describe('sound and other films for client users have nothing beside them', () => {
  const size = (value: number) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32LE(value)
    return bytes
  }
  const part = (name: string, content: Buffer) =>
    Buffer.concat([Buffer.from(name), size(content.length), content, Buffer.alloc(content.length & 1)])
  const list = (type: string, ...parts: Buffer[]) => part('LIST', Buffer.concat([Buffer.from(type), ...parts]))
  const heads = Buffer.from('a head')

  test('AVI', () => {
    for (const name of ['JUNK', 'IDIT', 'exif', 'GPS ', 'strd', 'strn', '00tx', 'bext']) {
      const film = Buffer.concat([
        Buffer.from('AVI '),
        list('hdrl', part('avih', heads), list('strl', part('strh', heads), part('strf', heads), part(name, SECRET))),
        list('INFO', part('ICRD', SECRET)),
        part(name, SECRET),
        list('movi', part('00dc', Buffer.from('picture')), part(name, SECRET), list('rec ', part('01wb', Buffer.from('sound')))),
        part('idx1', heads),
      ])
      const bytes = Buffer.concat([
        part('RIFF', film),
        part('RIFF', Buffer.concat([Buffer.from('AVIX'), part(name, SECRET)])),
        SECRET,
      ])
      const plain = hidden(bytes, 'video/x-msvideo').toString('latin1')
      for (const left of ['avih', 'strh', 'strf', '00dc', 'picture', '01wb', 'sound', 'idx1']) expect(plain, name).toContain(left)
      expect(plain.match(/a head/g), name).toHaveLength(4)
    }
    const cut = Buffer.concat([
      Buffer.from('RIFF'),
      size(0),
      Buffer.from('AVI LIST'),
      size(0),
      Buffer.from('movi'),
      part('00dc', heads),
      part('JUNK', SECRET),
    ])
    expect(hidden(cut, 'video/x-msvideo').includes(heads)).toBe(true)
  })

  test('MP3', () => {
    const tag = (content: Buffer) => Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, content.length]), content])
    const old = Buffer.concat([Buffer.from('TAG'), SECRET, Buffer.alloc(125 - SECRET.length)])
    const ape = Buffer.concat([
      Buffer.from('APETAGEX'),
      Buffer.alloc(24),
      SECRET,
      Buffer.from('APETAGEX'),
      size(2000),
      size(SECRET.length + 32),
      size(1),
      Buffer.alloc(12),
    ])
    const sound = Buffer.from('\xff\xfbthe sound itself', 'latin1')
    for (const bytes of [
      [tag(SECRET), sound],
      [tag(SECRET), tag(SECRET), sound, old],
      [sound, ape],
      [sound, ape, old],
    ]) {
      const plain = hidden(Buffer.concat(bytes), 'audio/mpeg')
      expect(plain.includes(sound)).toBe(true)
    }
  })
})
