import { crc32, deflateSync } from 'node:zlib'

function chunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data])
  const head = Buffer.alloc(4)
  head.writeUInt32BE(data.length)
  const tail = Buffer.alloc(4)
  tail.writeUInt32BE(crc32(body))
  return Buffer.concat([head, body, tail])
}

const pictures = new Map<number, Buffer>()
const WIDTH = 320
const HEIGHT = 240

/** One of 24 pictures: a shelf of colored packs, as a shopper would photograph it. */
export function picture(nth: number): Buffer {
  const key = nth % 24
  const known = pictures.get(key)
  if (known) return known
  const raw = Buffer.alloc(HEIGHT * (1 + WIDTH * 3))
  const hue = key * 15
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const shelf = y % 80
      const pack = Math.floor(x / (28 + (key % 5) * 4)) + Math.floor(y / 80) * 7
      const inPack = shelf > 14 + ((pack * 7) % 13) && shelf < 72 && x % (28 + (key % 5) * 4) > 2
      const label = inPack && shelf > 34 && shelf < 50
      const light = label ? 88 : inPack ? 46 + ((pack * 11) % 22) : shelf >= 72 ? 38 : 84 - y / 12
      const [r, g, b] = rgb(inPack ? (hue + (pack % 4) * 32) % 360 : 36, label ? 20 : inPack ? 62 : 14, light)
      const at = y * (1 + WIDTH * 3) + 1 + x * 3
      raw[at] = r
      raw[at + 1] = g
      raw[at + 2] = b
    }
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(WIDTH, 0)
  head.writeUInt32BE(HEIGHT, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const made = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(raw)),
    chunk('IEND', Buffer.alloc(0)),
  ])
  pictures.set(key, made)
  return made
}

/** A color as red, green and blue bytes; saturation and lightness in percent. */
export function rgb(hue: number, saturation: number, light: number): [number, number, number] {
  const a = (saturation / 100) * Math.min(light / 100, 1 - light / 100)
  const one = (n: number) => {
    const k = (n + hue / 30) % 12
    return Math.round(255 * (light / 100 - a * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
  }
  return [one(0), one(8), one(4)]
}

/** A one-page PDF with a title and some lines. */
export function pdf(title: string, lines: readonly string[]): Buffer {
  const text = (line: string) =>
    `(${[...line]
      .map((sign) => (sign > '~' ? '-' : sign))
      .join('')
      .replace(/[\\()]/g, '\\$&')}) Tj T*`
  const stream = `BT /F1 18 Tf 72 720 Td 24 TL ${text(title)} /F1 11 Tf 16 TL ${lines.map(text).join(' ')} ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let body = '%PDF-1.4\n'
  const starts = objects.map((object, at) => {
    const start = body.length
    body += `${at + 1} 0 obj\n${object}\nendobj\n`
    return start
  })
  const table = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('')
  return Buffer.from(
    `${body}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`,
    'latin1',
  )
}
