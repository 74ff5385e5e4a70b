import { deflateRawSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { HOSTILE_TEXTS } from '../torture/input/hostile.ts'
import { type Fieldwork, fieldwork } from './support.ts'

// Text and files that could do harm when they are read again, in a spreadsheet or a browser.
let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')

/** Hostile texts that a text field accepts, without null characters and lone surrogates. */
const TEXTS = [
  ...HOSTILE_TEXTS.filter((text) => !text.includes('\u0000') && text.isWellFormed() && text.trim() && text.length < 200),
  '＝1+1',
  '\ufeff=1+1',
  '\u202e=1+1\u202c',
  '-5',
  'two\nlines, "quoted"',
  'one\rreturn',
]

/** Parses a CSV strictly (RFC 4180) into rows of cells; throws at a misplaced quote. */
function parsed(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex
    const found = cell.exec(text)
    if (!found) throw new Error(`no cell at ${at}: ${JSON.stringify(text.slice(at, at + 60))}`)
    row.push(found[1] === undefined ? found[2]! : found[1].replaceAll('""', '"'))
    if (found[3] === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}

/** Downloads an export as this user: bytes and headers. */
async function exported(source: string, filter: Record<string, unknown>) {
  const started = await admin().call('export.start', { source: source as 'projects', filter })
  expect(started.status, started.text).toBe(200)
  const job = await app.services.jobs.settled(started.body.data.id, 10_000)
  expect(job.error).toBe('')
  const { url } = (await admin().call('job.link', { id: job.id })).body.data
  const answer = await app.app.inject({ method: 'GET', url })
  return { headers: answer.headers, text: answer.rawPayload.toString('utf8') }
}

test('every export parses completely, and no cell is a formula', async () => {
  const client = await app.make.client({ name: '=HYPERLINK("http://evil.test","Acme")' })
  const answers: [string, string][] = []
  const project = await app.make.project({ client_id: client.id, name: '@SUM(1)\u202e,"', description: '=1' })
  const survey = await app.make.survey({ project_id: project.id, name: '+1,"2"\r\n=3' })
  const { id: question } = await app.make.question({ survey_id: survey.id, name: '=WHICH?', options: '[]' })
  for (const [at, text] of TEXTS.entries()) {
    await app.make.client({ name: text })
    await app.make.project({ client_id: client.id, name: text })
    await app.make.project({ client_id: client.id, name: text, generation: 'campaign' })
    await app.make.user({ first_name: text, last_name: text, company: text, email: `smuggler${at}@mail.test` })
    await app.make.entry({ project_id: project.id, reason: text, email: `w${at}@mail.test` })
    answers.push([`r${String(at).padStart(3, '0')}`, text])
  }
  const rows = answers.map(([respondent_id, text]) => ({ respondent_id, outcome: 'completes', answers: { [question]: text } }))
  const taken = await admin().call('runtime.ingest', { surveyId: survey.id, rows })
  expect(taken.body.data.added).toBe(rows.length)

  const sources: [string, Record<string, unknown>][] = [
    ['projects', {}],
    ['campaigns', { generation: 'campaign' }],
    ['clients', {}],
    ['users', {}],
    ['entries', { project_id: project.id }],
    ['responses', { project_id: project.id }],
  ]
  for (const [source, filter] of sources) {
    const { headers, text } = await exported(source, filter)
    expect(headers, source).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': expect.stringMatching(/^attachment; filename="[\w .()-]+\.csv"; filename\*=UTF-8''[\w.%-]+$/),
    })
    expect(text.startsWith('\ufeff'), source).toBe(true)
    const cells = parsed(text.slice(1))
    expect(cells.length, source).toBeGreaterThan(TEXTS.length)
    expect(new Set(cells.map((row) => row.length)).size, `${source}: rows of one length`).toBe(1)
    // A spreadsheet that splits at other separators finds no formula either.
    const parts = cells.flatMap((row) => row.flatMap((cell) => cell.split(/[;|\t\r\n]/)))
    const formulas = parts.filter((cell) => /^[\s\p{Cf}]*[=+\-@＝＋－＠]/u.test(cell) && !/^-\d+(\.\d+)?$/.test(cell))
    expect(formulas, source).toEqual([])
    // Nothing is lost: each text comes out as it went in, except apostrophes and outer blanks.
    const out = new Set(cells.flat().map((cell) => cell.replaceAll("'", '').trim()))
    expect(
      TEXTS.filter((one) => !out.has(one.replaceAll("'", '').trim())),
      source,
    ).toEqual([])
  }
})

test('an answer counts once, however its question’s id is spelled', async () => {
  const project = await app.make.project({ client_id: app.client.id })
  const survey = await app.make.survey({ project_id: project.id })
  const { id } = await app.make.question({ survey_id: survey.id, options: '[]' })
  const rows = [{ respondent_id: 'r', outcome: 'completes', answers: { [id]: 'A', [`${id}.0`]: 'A', [`0${id}`]: 'A' } }]
  const { body } = await admin().call('runtime.ingest', { surveyId: survey.id, rows })
  expect(body.data).toMatchObject({
    added: 0,
    refused: 1,
    errors: [
      { row: 1, field: `answers.${id}.0`, message: expect.stringContaining('not a question') },
      { row: 1, field: `answers.0${id}`, message: expect.stringContaining('not a question') },
    ],
  })
})

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(64)])
const PAGE = Buffer.from('<html><script>window.__struck=1</script></html>')

/** Uploads a file by a hand-written form, so that its name can be anything; returns the first file and the errors. */
async function send(name: string, content: Buffer, type = 'image/png') {
  const head = `--b\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: ${type}\r\n\r\n`
  const answer = await admin().raw(
    'POST',
    '/v3/portal/files',
    Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n--b--\r\n')]),
    { 'content-type': 'multipart/form-data; boundary=b' },
  )
  const file = (answer.body as unknown as { data?: { id: number; original_name: string; url: string; thumbnail: string }[] })
    .data?.[0]
  return { status: answer.status, file, fields: answer.body.fields }
}

/** A ZIP of one member that unpacks to the size it claims. */
function zip(member: string, unpacked: number): Buffer {
  const packed = deflateRawSync(Buffer.alloc(unpacked))
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(8, 8)
  head.writeUInt32LE(packed.length, 18)
  head.writeUInt32LE(unpacked, 22)
  head.writeUInt16LE(member.length, 26)
  return Buffer.concat([head, Buffer.from(member), packed])
}

describe('a file that isn’t what it claims', () => {
  test.each([
    ['page.png', PAGE],
    ['page.gif', Buffer.concat([Buffer.from(' GIF89a'), PAGE])],
    ['page.html', PAGE],
    ['page.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="window.__struck=1"/>')],
    ['page.xhtml', PAGE],
    ['program.exe', Buffer.from('4d5a90000300', 'hex')],
    ['program.png', Buffer.from('4d5a90000300', 'hex')],
    ['picture.png.exe', PNG],
    ['archive.docx', zip('a', 100)],
    ['table.xls', Buffer.from('=cmd|calc')],
    ['picture.\u202egnp', PNG],
    ['png', PNG],
    ['', PNG],
  ])('%s is refused, with the field’s name', async (name, content) => {
    const { status, fields } = await send(name, content)
    expect([status, Object.keys(fields)]).toEqual([422, ['file']])
  })

  test.each([
    ['both.gif', Buffer.concat([Buffer.from('GIF89a'), PAGE]), 'image/gif'],
    ['both.pdf', Buffer.concat([PAGE, Buffer.from('%PDF-1.4')]), 'application/pdf'],
    ['page.csv', PAGE, 'text/csv; charset=utf-8'],
    ['page.txt', PAGE, 'text/plain; charset=utf-8'],
    ['bomb.docx', zip('word/document.xml', 400_000), expect.stringContaining('wordprocessingml')],
  ])('%s, which is two types at once, is served as the harmless one and saved', async (name, content, mime) => {
    // The media type that was sent is ignored.
    const { file } = await send(name, content, 'text/html')
    for (const url of [file!.url, file!.thumbnail].filter(Boolean)) {
      const { headers } = await app.app.inject({ method: 'GET', url })
      expect(headers).toMatchObject({
        'content-type': mime,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'content-disposition': expect.stringMatching(url === file!.thumbnail ? /^inline/ : /^attachment/),
      })
    }
  })

  test('a ZIP bomb costs only its size and is never unpacked', async () => {
    const bomb = zip('xl/workbook.xml', 8_000_000)
    const { file } = await send('bomb.xlsx', bomb)
    const row = await app.db.selectFrom('files').select('size').where('id', '=', file!.id).executeTakeFirstOrThrow()
    expect(row.size).toBe(bomb.length)
    expect(bomb.length).toBeLessThan(20_000)
  })
})

describe('a file’s name', () => {
  test.each([
    ['../../../etc/cron.d/x.png', 'x.png'],
    ['..\\..\\windows\\x.png', 'x.png'],
    ['C:x.png', 'C:x.png'],
    ['a\nb\r.png', undefined],
    ['\u202egnp.exe.png', 'gnp.exe.png'],
    ['\u2066a\u2069\u200f.png', 'a.png'],
    ['a\u2028b\u0085.png', 'ab.png'],
    ['CON.png', '_CON.png'],
    ['com1.txt.png', '_com1.txt.png'],
    ['console.png', 'console.png'],
    [`${'n'.repeat(400)}.png`, `${'n'.repeat(196)}.png`],
    [`${'😀'.repeat(150)}a.png`, `${'😀'.repeat(97)}a.png`],
    ['👩‍👩‍👧‍👦.png', '👩‍👩‍👧‍👦.png'],
    ['__proto__.png', '__proto__.png'],
    // As a browser's form encodes a quote and a line break.
    ['the %22big%22 one.png', 'the "big" one.png'],
    ['two%0D%0Alines.png', 'two lines.png'],
    ['100%25 %5C.png', '100%25 %5C.png'],
  ])('%j is kept as %j', async (sent, stored) => {
    const { status, file } = await send(sent, PNG)
    // A line break in a name ends its header: the form is invalid, or the name is its first line.
    if (stored === undefined) return expect(status).toBeLessThan(500)
    expect(file?.original_name).toBe(stored)
    const { headers, statusCode } = await app.app.inject({ method: 'GET', url: file!.url })
    expect(statusCode).toBe(200)
    expect(headers['content-disposition']).toMatch(/^attachment; filename="[\w .()-]+"; filename\*=UTF-8''[\w.%-]+$/)
  })

  test('can’t split its header, however it came into the database', async () => {
    const { file } = await send('plain.png', PNG)
    for (const name of ['a"; filename="x.exe', 'a\r\nset-cookie: a=b', 'a%0d%0ab.png', '\ud83d.png', 'é\u202e;.png']) {
      await app.write((tx) => tx.updateTable('files').set({ original_name: name }).where('id', '=', file!.id).execute())
      const { headers, statusCode } = await app.app.inject({ method: 'GET', url: file!.url })
      expect([statusCode, headers['set-cookie']], name).toEqual([200, undefined])
      expect(headers['content-disposition'], name).toMatch(/^attachment; filename="[\w .()-]+"; filename\*=UTF-8''[\w.%-]+$/)
    }
  })
})
