import sharp from 'sharp'
import { zipOf } from '../../../server/exports/zip.ts'

/** A file that is small to send and large, deep or slow to read. */
export interface HostileFile {
  name: string
  content(): Promise<Buffer>
  /** What becomes of it: a preview, none with a reason, or a table that is read or refused. */
  as: 'done' | 'failed' | 'none' | 'table'
}

const plain = (width: number, height: number, channels: 3 | 4) =>
  sharp({ create: { width, height, channels, background: { r: 9, g: 80, b: 160, alpha: 1 } }, limitInputPixels: false })

/** A film of boxes within each other. */
async function nested(): Promise<Buffer> {
  const film = Buffer.alloc(1_600_000)
  film.writeUInt32BE(16)
  film.write('ftypisom', 4)
  for (let at = 16; at + 8 <= film.length; at += 8) {
    film.writeUInt32BE(film.length - at, at)
    film.write('moov', at + 4)
  }
  return film
}

/** Elements of one piece, because a piece costs more than what is in it. */
const AT_ONCE = 5000

/** A workbook whose parts unfold to far more than they are. */
async function workbook(texts: number, row: () => Iterable<string>): Promise<Buffer> {
  function* shared() {
    yield '<sst>'
    for (let at = 0; at < texts; at += AT_ONCE) {
      let some = ''
      for (let nth = at; nth < Math.min(texts, at + AT_ONCE); nth++) some += `<si><t>${String(nth).padStart(60, 'x')}</t></si>`
      yield some
    }
    yield '</sst>'
  }
  const pieces: Uint8Array[] = []
  for await (const piece of zipOf([
    {
      name: 'xl/workbook.xml',
      content: ['<workbook xmlns:r="x/relationships"><sheets><sheet name="A" r:id="r1"/></sheets></workbook>'],
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: ['<Relationships><Relationship Id="r1" Type="x/worksheet" Target="s.xml"/></Relationships>'],
    },
    { name: 'xl/sharedStrings.xml', content: shared() },
    { name: 'xl/s.xml', content: row() },
  ]))
    pieces.push(piece)
  return Buffer.concat(pieces)
}
function* wide() {
  yield '<worksheet><sheetData>'
  for (let at = 0; at < 600_000; at += AT_ONCE) yield '<row><c><v>1</v></c><c><v>2</v></c></row>'.repeat(AT_ONCE)
  yield '</sheetData></worksheet>'
}
function* endless() {
  yield '<worksheet><sheetData><row>'
  for (let at = 0; at < 4_000_000; at += AT_ONCE) yield '<c><v>1</v></c>'.repeat(AT_ONCE)
}

/** TABLE  files of strangers that would take a server with them. */
export const HOSTILE_FILES: readonly HostileFile[] = [
  {
    name: 'interlaced, 16 bits, 120 million pixels.png',
    content: () => plain(10_950, 10_950, 4).toColourspace('rgb16').png({ progressive: true }).toBuffer(),
    as: 'failed',
  },
  {
    name: 'interlaced, 45 million pixels.png',
    content: () => plain(6700, 6700, 4).png({ progressive: true }).toBuffer(),
    as: 'done',
  },
  {
    name: 'progressive, 120 million pixels.jpg',
    content: () => plain(10_950, 10_950, 3).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
    as: 'failed',
  },
  {
    name: '16 bits, 120 million pixels, line by line.png',
    content: () => plain(10_950, 10_950, 4).toColourspace('rgb16').png().toBuffer(),
    as: 'done',
  },
  { name: 'animation of 120 million pixels.gif', content: () => plain(10_950, 10_950, 3).gif().toBuffer(), as: 'failed' },
  { name: 'boxes in boxes.mp4', content: nested, as: 'none' },
  { name: 'a row of 60 MB.xlsx', content: () => workbook(1, endless), as: 'table' },
  { name: '600,000 rows.xlsx', content: () => workbook(1, wide), as: 'table' },
  { name: '3,000,000 texts.xlsx', content: () => workbook(3_000_000, wide), as: 'table' },
  {
    name: 'dashes.csv',
    content: async () => Buffer.from(`Name,Address\n${`1${'-a'.repeat(15_000)}\n`.repeat(300)}`),
    as: 'table',
  },
  { name: 'quotes.csv', content: async () => Buffer.from(`a,b\n${'"x""'.repeat(2_000_000)}`), as: 'table' },
]
