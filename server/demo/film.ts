/*
 * Clips for the demo: H.264 in MP4, written by hand, because no encoder is available as a package.
 * Each scene is one picture of raw macroblocks (I_PCM); every frame after it repeats the previous one.
 */

const [ACROSS, DOWN] = [9, 6]
const [WIDTH, HEIGHT] = [ACROSS * 16, DOWN * 16]
const BLOCKS = ACROSS * DOWN
/** Seconds of each clip, and frames a second. */
const SECONDS = [6, 18, 40] as const
const RATE = 4
const SCENES = 2
const SCALE = 1000

/** Seconds of a clip, its size, and how many there are. */
export const FILM = { width: WIDTH, height: HEIGHT, seconds: SECONDS } as const

/** Writes bits, with the codes of H.264. */
class Bits {
  readonly #bytes: number[] = []
  #left = 8
  #now = 0

  put(value: number, count: number): this {
    for (let at = count - 1; at >= 0; at--) {
      this.#now |= ((value >> at) & 1) << --this.#left
      if (!this.#left) this.#next()
    }
    return this
  }
  /** Appends an unsigned number in Exp-Golomb code; 0 has the same code signed. */
  code(value: number): this {
    const length = Math.floor(Math.log2(value + 1))
    return this.put(0, length).put(value + 1, length + 1)
  }
  align(): this {
    if (this.#left < 8) this.#next()
    return this
  }
  bytes(raw: Uint8Array): this {
    for (const byte of raw) this.#bytes.push(byte)
    return this
  }
  /** The unit with its header and end, escaped so that no zeros look like the start of another. */
  unit(head: number): Buffer {
    this.put(1, 1).align()
    const safe = [head]
    let zeros = 0
    for (const byte of this.#bytes) {
      if (zeros === 2 && byte <= 3) {
        safe.push(3)
        zeros = 0
      }
      safe.push(byte)
      zeros = byte === 0 ? zeros + 1 : 0
    }
    return Buffer.from(safe)
  }
  #next(): void {
    this.#bytes.push(this.#now)
    this.#now = 0
    this.#left = 8
  }
}

const sequence = () =>
  new Bits()
    .put(66, 8)
    .put(0xc0, 8)
    .put(11, 8)
    .code(0)
    .code(4)
    .code(2)
    .code(1)
    .put(0, 1)
    .code(ACROSS - 1)
    .code(DOWN - 1)
    .put(0b1100, 4)
    .unit(0x67)
const parameters = () =>
  new Bits().code(0).code(0).put(0, 2).code(0).code(0).code(0).put(0, 3).code(0).code(0).code(0).put(0b100, 3).unit(0x68)

/** A macroblock's 256 luma and 128 chroma samples: a shelf of packs, or a hand's shadow over it. */
function block(nth: number, scene: number, across: number, down: number): Uint8Array {
  const raw = new Uint8Array(384)
  for (let y = 0; y < 16; y++)
    for (let x = 0; x < 16; x++) {
      const [left, top] = [across * 16 + x, down * 16 + y]
      const pack = left % 18 > 2 && top % 32 > 5
      const shadow = scene ? Math.hypot(left - 90, top - 60) < 34 : false
      raw[y * 16 + x] = (pack ? 90 + ((Math.floor(left / 18) * 31 + nth * 17) % 90) : 190 - top) >> (shadow ? 1 : 0)
    }
  const pack = Math.floor((across * 16) / 18) + Math.floor((down * 16) / 32) * 5 + nth
  raw.fill(96 + ((pack * 37) % 64), 256, 320)
  raw.fill(96 + ((pack * 53) % 64), 320, 384)
  // Zero lumas would need escapes in every block.
  return raw.map((value) => Math.max(16, value))
}

function picture(nth: number, scene: number): Buffer {
  const bits = new Bits()
    .code(0)
    .code(7)
    .code(0)
    .put(0, 8)
    .code(scene % 2)
    .put(0, 2)
    .code(0)
    .code(1)
  for (let at = 0; at < BLOCKS; at++)
    bits
      .code(25)
      .align()
      .bytes(block(nth, scene, at % ACROSS, Math.floor(at / ACROSS)))
  return bits.unit(0x65)
}
const asBefore = (frame: number) =>
  new Bits()
    .code(0)
    .code(5)
    .code(0)
    .put(frame % 256, 8)
    .put(0, 3)
    .code(0)
    .code(1)
    .code(BLOCKS)
    .unit(0x41)

const u32 = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4)
  return bytes
}
const box = (name: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  return Buffer.concat([u32(body.length + 8), Buffer.from(name, 'latin1'), body])
}
const MATRIX = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000]

/** One of three clips of 6, 18 and 40 seconds, below 60 kB each. */
export function filmOf(nth: number): Buffer {
  const seconds = SECONDS[nth % SECONDS.length]!
  const frames = seconds * RATE
  const scenes = frames / SCENES
  const [sps, pps] = [sequence(), parameters()]
  const samples = Array.from({ length: frames }, (_, at) => {
    const unit = at % scenes === 0 ? picture(nth, at / scenes) : asBefore(at % scenes)
    return Buffer.concat([u32(unit.length), unit])
  })
  const kind = box('ftyp', Buffer.from('isom\0\0\x02\0isomavc1', 'latin1'))
  const length = seconds * SCALE
  const moov = (offset: number) => {
    const config = Buffer.concat([
      Buffer.from([1, sps[1]!, sps[2]!, sps[3]!, 0xff, 0xe1, 0, sps.length]),
      sps,
      Buffer.from([1, 0, pps.length]),
      pps,
    ])
    const entry = Buffer.alloc(78)
    entry.writeUInt16BE(1, 6)
    entry.writeUInt16BE(WIDTH, 24)
    entry.writeUInt16BE(HEIGHT, 26)
    entry.writeUInt32BE(0x480000, 28)
    entry.writeUInt32BE(0x480000, 32)
    entry.writeUInt16BE(1, 40)
    entry.writeUInt16BE(24, 74)
    entry.writeInt16BE(-1, 76)
    const table = box(
      'stbl',
      box('stsd', u32(0, 1), box('avc1', entry, box('avcC', config))),
      box('stts', u32(0, 1, frames, SCALE / RATE)),
      box('stss', u32(0, SCENES, ...Array.from({ length: SCENES }, (_, at) => at * scenes + 1))),
      box('stsc', u32(0, 1, 1, frames, 1)),
      box('stsz', u32(0, 0, frames, ...samples.map((sample) => sample.length))),
      box('stco', u32(0, 1, offset)),
    )
    const media = box(
      'mdia',
      box('mdhd', u32(0, 0, 0, SCALE, length, 0x55c40000)),
      box('hdlr', u32(0, 0), Buffer.from('vide', 'latin1'), u32(0, 0, 0), Buffer.from('\0', 'latin1')),
      box('minf', box('vmhd', u32(1, 0, 0)), box('dinf', box('dref', u32(0, 1), box('url ', u32(1)))), table),
    )
    const header = box('tkhd', u32(3, 0, 0, 1, 0, length, 0, 0, 0, 0, ...MATRIX, WIDTH << 16, HEIGHT << 16))
    const movie = box('mvhd', u32(0, 0, 0, SCALE, length, 0x10000, 0x1000000, 0, 0, ...MATRIX, 0, 0, 0, 0, 0, 0, 2))
    return box('moov', movie, box('trak', header, media))
  }
  const head = kind.length + moov(0).length + 8
  return Buffer.concat([kind, moov(head), box('mdat', ...samples)])
}
