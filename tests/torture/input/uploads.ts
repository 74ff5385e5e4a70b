import { deflateRawSync } from 'node:zlib'
import type { Call } from '../../../contract/call.ts'
import type { Random } from '../random.ts'
import { HOSTILE_TEXTS, hostile } from './hostile.ts'
import { type Shot, textOf } from './shot.ts'

const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(64)])
const page = Buffer.from('<html><script>window.__struck=1</script></html>')

/** TABLE  files with malicious names and contents. */
const FILES: [name: string, content: () => Buffer][] = [
  ['picture.png', () => png],
  ['people.csv', () => Buffer.from('name,age\r\n=1+1,@x\r\n')],
  ['page.png', () => page],
  ['page.html', () => page],
  ['page.svg', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="window.__struck=1"/>')],
  ['page.txt', () => page],
  ['program.png', () => Buffer.from('4d5a90000300', 'hex')],
  ['program.exe', () => Buffer.from('4d5a90000300', 'hex')],
  ['picture.png.exe', () => png],
  ['both.gif', () => Buffer.concat([Buffer.from('GIF89a'), page])],
  ['both.pdf', () => Buffer.concat([page, Buffer.from('%PDF-1.4')])],
  ['bomb.docx', () => zipBomb('word/document.xml')],
  ['bomb.xlsx', () => zipBomb('xl/workbook.xml')],
  ['bomb.zip', () => zipBomb('a')],
  ['../../../etc/cron.d/x.png', () => png],
  ['..\\..\\x.png', () => png],
  ['a\u0000.png', () => png],
  ['\u202egnp.txt', () => Buffer.from('text')],
  ['"; filename="x.exe', () => png],
  ['.png', () => png],
  ['png', () => png],
  ['', () => png],
  [`${'n'.repeat(400)}.png`, () => png],
  ['empty.png', () => Buffer.alloc(0)],
  ['CON.png', () => png],
  ['zero.txt', () => Buffer.alloc(2000)],
  ['big.txt', () => Buffer.alloc(11_000_000, 'a')],
]

/** A ZIP with a member that claims to be small and unpacks to a hundred megabytes. */
function zipBomb(member: string): Buffer {
  const packed = deflateRawSync(Buffer.alloc(4_000_000))
  const name = Buffer.from(member)
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(20, 4)
  head.writeUInt16LE(8, 8)
  head.writeUInt32LE(packed.length, 18)
  head.writeUInt32LE(100_000_000, 22)
  head.writeUInt16LE(name.length, 26)
  return Buffer.concat([head, name, packed])
}

/** An upload: valid or hostile fields, one or a few files, and sometimes a body that isn't a form. */
export function uploadOf({
  row,
  input,
  random,
}: {
  row: Call
  input: Record<string, unknown>
  random: Random
}): Pick<Shot, 'method' | 'url' | 'headers' | 'payload'> {
  const boundary = `b${random.int(1, 1e9)}`
  const parts: Buffer[] = []
  for (const [name, value] of Object.entries(input)) {
    const fieldValue = random.chance(0.2) ? hostile(random) : value
    parts.push(
      Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; name="${random.chance(0.1) ? `document[${name}]` : name}"\r\n\r\n${textOf(fieldValue)}\r\n`,
      ),
    )
  }
  if (random.chance(0.05))
    for (let field = 0; field < 80; field++)
      parts.push(Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="f${field}"\r\n\r\nx\r\n`))
  for (let files = random.pick([0, 1, 1, 1, 2, 3]); files > 0; files--) {
    // The biggest is slow to send, so it comes rarely.
    const [name, content] = random.pick(random.chance(0.03) ? FILES : FILES.slice(0, -1))
    const type = random.pick(['image/png', 'text/html', 'application/octet-stream', ''])
    parts.push(
      Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n${type && `content-type: ${type}\r\n`}\r\n`,
      ),
      content(),
      Buffer.from('\r\n'),
    )
  }
  if (random.chance(0.9)) parts.push(Buffer.from(`--${boundary}--\r\n`))
  let payload = Buffer.concat(parts)
  if (random.chance(0.05)) payload = payload.subarray(0, random.int(0, payload.length))
  if (random.chance(0.03)) payload = Buffer.from(random.pick(HOSTILE_TEXTS))
  const type = random.chance(0.95)
    ? `multipart/form-data; boundary=${boundary}`
    : random.pick(['multipart/form-data', 'multipart/form-data; boundary=""', 'multipart/mixed; boundary=x', 'application/json'])
  return { method: row.method, url: row.path, headers: { 'content-type': type }, payload }
}
