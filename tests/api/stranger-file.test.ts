import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { plainCopy } from '../../server/core/contents.ts'
import { type Readers, readOnce } from '../../server/core/readers.ts'
import { sweepChanges } from '../../server/core/undo/changeSets.ts'
import { zipOf } from '../../server/exports/zip.ts'
import { findOrphans } from '../../server/files/orphans.ts'
import { openReaders } from '../../server/files/reader/openReaders.ts'
import { type Fieldwork, fieldwork } from './support.ts'
import { upload } from './uploading.ts'

// Files of strangers are read by processes of their own, which they may end without the server noticing.
let app: Fieldwork
let project: number
beforeAll(async () => {
  app = await fieldwork()
  project = (await app.make.project({ client_id: app.client.id })).id
})

const pictureOf = (width: number, height: number, png: object) =>
  sharp({ create: { width, height, channels: 4, background: '#204060' } })
    .png(png)
    .toBuffer()

/** A film whose boxes are within each other. */
function nested(deep: number): Buffer {
  const film = Buffer.alloc(deep * 8 + 16)
  film.writeUInt32BE(16)
  film.write('ftypisom', 4)
  for (let at = 16; at < film.length; at += 8) {
    film.writeUInt32BE(film.length - at, at)
    film.write('moov', at + 4)
  }
  return film
}

async function sent(name: string, content: Buffer): Promise<number> {
  const { status, body } = await upload(app.as('admin'), [[name, content]], { project_id: project }, '/v3/portal/documents')
  expect(status, name).toBe(200)
  return body.data[0]!.id
}
const rowOf = (id: number) => app.db.selectFrom('files').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const settled = (id: number) => expect.poll(async () => (await rowOf(id)).thumb_state, { timeout: 20_000 }).not.toBe('queued')
const readers = (limits: Parameters<typeof openReaders>[2]) => openReaders(app.services.files, app.services.log, limits)
/** Lets the server read with these readers meanwhile. */
async function reading<T>(those: Readers, work: () => Promise<T>): Promise<T> {
  const usual = app.services.readers
  app.services.readers = those
  try {
    return await work()
  } finally {
    app.services.readers = usual
    those.close()
  }
}
/** Readers that end before they have read anything, however small. */
const ending = (tried: string[]): Readers => {
  const small = readers({ readMs: 1 })
  return {
    ...small,
    read(task, key, options) {
      tried.push(key)
      return small.read(task, key, options)
    },
  }
}

describe('a picture', () => {
  test('that takes too much memory at once is failed with the reason, by its bytes and not its pixels', async () => {
    // 36 million pixels each, which take 144 MB as eight bits and 288 MB as sixteen.
    const wide = await sharp({ create: { width: 6000, height: 6000, channels: 4, background: '#204060' } })
      .toColourspace('rgb16')
      .png({ progressive: true })
      .toBuffer()
    const id = await sent('interlaced.png', wide)
    const line = await sent('lines.png', await pictureOf(6000, 6000, {}))
    await settled(id)
    await settled(line)
    expect(await rowOf(line)).toMatchObject({ thumb_state: 'done', thumb_fault: '', width: 6000 })
    const { body } = await app.as('admin').call('file.get', { id })
    expect(body.data).toMatchObject({
      thumb_state: 'failed',
      thumb_fault:
        'There is no preview, because reading it takes 274.7 MB of memory at once, and 192.0 MB is the limit: save it without interlacing, or smaller.',
    })
  }, 60_000)

  test('whose reader ends twice is failed, and never begun again: by a sweep, an undo or a copy', async () => {
    const tried: string[] = []
    await reading(ending(tried), async () => {
      const id = await sent('ends.png', await pictureOf(60, 40, {}))
      await settled(id)
      const row = await rowOf(id)
      expect(row).toMatchObject({ thumb_state: 'failed', thumb_tries: 2 })
      expect(row.thumb_fault).toBe('There is no preview, because it takes too long.')
      const copy = await app.as('admin').call('project.clone', { id: project })
      const removed = await app.as('admin').call('file.remove', { id })
      await app.as('admin').raw('POST', `/v3/portal/undo/${removed.headers['x-undo']}`)
      await app.services.jobs.kind('thumbnails')!.sweep!(app.services)
      app.services.jobs.wake()
      await delay(300)
      expect(copy.status).toBe(200)
      expect(await app.db.selectFrom('files').select('thumb_state').where('storage_key', '=', row.storage_key).execute()).toEqual(
        [{ thumb_state: 'failed' }, { thumb_state: 'failed' }],
      )
      expect(tried).toEqual([row.storage_key, row.storage_key])
    })
  }, 60_000)

  test('that ended the server twice is failed without being begun', async () => {
    const tried: string[] = []
    await reading(ending(tried), async () => {
      const id = await sent('worn.txt', Buffer.from('no picture'))
      await app.write((tx) =>
        tx.updateTable('files').set({ mime: 'image/png', thumb_state: 'queued', thumb_tries: 2 }).where('id', '=', id).execute(),
      )
      await app.services.jobs.kind('thumbnails')!.sweep!(app.services)
      await settled(id)
      expect([await rowOf(id), tried]).toMatchObject([
        { thumb_state: 'failed', thumb_fault: expect.stringContaining('the server stopped twice') },
        [],
      ])
    })
  })
})

test('a reader that grows beyond its memory is ended, and the next one reads on', async () => {
  const small = readers({ resident: 40 * 1_048_576 })
  const { storage_key } = await rowOf(await sent('grows.png', await pictureOf(5000, 5000, {})))
  await expect(readOnce(small, 'picture', storage_key, {})).rejects.toMatchObject({
    fault: 'large',
    message: 'it needs more memory than one file may take',
  })
  small.close()
  expect(await readOnce(app.services.readers, 'picture', storage_key, {})).toMatchObject({ width: 5000 })
}, 30_000)

/** What some work gives, and the longest time (ms) in which nothing else had a turn. */
async function beating<T>(work: () => Promise<T>): Promise<[T, number]> {
  let slowest = 0
  let last = performance.now()
  const beat = setInterval(() => {
    slowest = Math.max(slowest, performance.now() - last)
    last = performance.now()
  }, 10)
  try {
    return [await work(), slowest]
  } finally {
    clearInterval(beat)
  }
}

describe('a list', () => {
  test('of a hundred thousand comments is read in turns', async () => {
    const activity = await app.make.activity({ project_id: project })
    const list = Buffer.from(`comment\n${'a\n'.repeat(100_000)}`)
    const path = `/v3/portal/activities/${activity.id}/content`
    const [{ body }, slowest] = await beating(() => upload(app.as('admin'), [['list.csv', list]], { dry: 1 }, path))
    expect(body.data).toMatchObject({ added: 100_000, refused: 0 })
    expect(slowest).toBeLessThan(500)
  }, 60_000)

  test('of a million answers is refused by the reader of its data map', async () => {
    const { storage_key } = await rowOf(await sent('map.csv', Buffer.from(`name,options\nq,"${'a\n'.repeat(1_000_000)}"`)))
    const [refused, slowest] = await beating(() =>
      readOnce(app.services.readers, 'questions', storage_key, { name: 'map.csv' }).catch((error: Error) => error.message),
    )
    expect(refused).toBe('“map.csv”, line 2: A quotation mark in this line isn’t closed or doubled.')
    expect(slowest).toBeLessThan(500)
  }, 60_000)
})

describe('a table', () => {
  const read = async (name: string, content: Buffer, limits: Parameters<typeof openReaders>[2]) =>
    reading(readers(limits), async () => {
      const file_id = await sent(name, content)
      const answer = await app.as('admin').call('import.process', { file_id, client_id: app.client.id, hold: true })
      return [answer.status, answer.body.fields?.file_id]
    })
  const rows = Buffer.from(`Name,Address,City,State,ZIP\n${'Shop,1 Main St,Boston,MA,02108\n'.repeat(2000)}`)

  test('that takes longer than the limit is refused with a sentence', async () => {
    expect(await read('slow.csv', rows, { readMs: 1 })).toEqual([422, 'This file can’t be read as a table: it takes too long.'])
    expect((await read('usual.csv', rows, {}))[0]).toBe(200)
  }, 60_000)

  test('that unfolds to far more than it is, is read without stopping anybody', async () => {
    const sheet = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row>${'<c>'.repeat(40)}`
    async function* long() {
      yield sheet
      for (let piece = 0; piece < 2000; piece++) yield '<c><v>1</v></c>'.repeat(4000)
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
      { name: 'xl/s.xml', content: long() },
    ]))
      pieces.push(piece)
    const bomb = Buffer.concat(pieces)
    expect(bomb.length).toBeLessThan(1_000_000)
    const [[status], slowest] = await beating(() => read('bomb.xlsx', bomb, { readMs: 20_000 }))
    expect(status).toBe(422)
    expect(slowest).toBeLessThan(500)
  }, 60_000)

  test('of 50 MB unpacked is read in 150 MB of memory', async () => {
    const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    let size = 0
    function* part(start: string, count: number, each: (nth: number) => string, end: string) {
      yield start
      for (let from = 0; from < count; from += 1000) {
        const xml = Array.from({ length: 1000 }, (_, nth) => each(from + nth)).join('')
        size += xml.length
        yield xml
      }
      yield end
    }
    const text = (nth: number) => `<si><t>${nth} Some Street, Unit ${nth % 97}</t></si>`
    const cell = (nth: number, at: number) => `<c r="${'ABC'[at]}${nth + 1}" t="s"><v>${nth * 3 + at}</v></c>`
    const row = (nth: number) => `<row r="${nth + 1}">${[0, 1, 2].map((at) => cell(nth, at)).join('')}</row>`
    const pieces: Uint8Array[] = []
    for await (const piece of zipOf([
      {
        name: 'xl/workbook.xml',
        content: [`<workbook ${main} xmlns:r="x/relationships"><sheets><sheet name="A" r:id="r1"/></sheets></workbook>`],
      },
      {
        name: 'xl/_rels/workbook.xml.rels',
        content: ['<Relationships><Relationship Id="r1" Type="x/worksheet" Target="s.xml"/></Relationships>'],
      },
      { name: 'xl/sharedStrings.xml', content: part(`<sst ${main}>`, 600_000, text, '</sst>') },
      { name: 'xl/s.xml', content: part(`<worksheet ${main}><sheetData>`, 200_000, row, '</sheetData></worksheet>') },
    ]))
      pieces.push(piece)
    expect(size).toBeGreaterThan(50_000_000)
    const { storage_key } = await rowOf(await sent('large.xlsx', Buffer.concat(pieces)))
    const narrow = readers({ resident: 150 * 1_048_576, readMs: 60_000 })
    let lines = 0
    let last = ''
    for await (const piece of narrow.read('table', storage_key, { workbook: true })) {
      lines += piece.lines.length
      last = piece.lines.at(-1)?.cells[2] ?? last
    }
    expect([lines, last]).toEqual([200_000, '599999 Some Street, Unit 54'])
    narrow.close()
  }, 120_000)

  test('waits for a free reader, and no longer than a call should', async () => {
    const busy = readers({ readers: 1, waitMs: 200 })
    const { storage_key } = await rowOf(await sent('rows.csv', rows))
    const first = busy.read('table', storage_key, { workbook: false })
    await first.next()
    await expect(busy.read('table', storage_key, { workbook: false }).next()).rejects.toMatchObject({ status: 503, code: 'busy' })
    const next = busy.read('table', storage_key, { workbook: false }).next()
    await first.return(undefined)
    expect((await next).done).toBe(false)
    busy.close()
  }, 30_000)
})

describe('a client user', () => {
  const media = async (name: string, content: Buffer) => {
    const activity = await app.make.activity({ project_id: project })
    const form = await upload(
      app.as('admin'),
      [[name, content]],
      { external_id: name },
      `/v3/portal/activities/${activity.id}/content`,
    )
    expect(form.status, JSON.stringify(form.body)).toBe(200)
    const { body } = await app.as('client').call('content.list', { project_id: project, activity_id: activity.id })
    const row = await rowOf(body.data[0]!.file_id!)
    return { row, url: body.data[0]!.file!.url, item: body.data[0]! }
  }
  const get = (url: string, headers: Record<string, string> = {}) => app.app.inject({ url, headers })

  test('gets a film of any nesting without its metadata, from a copy that is made once', async () => {
    const { row, url } = await media('deep.mp4', nested(200_000))
    const made: string[] = []
    const { files } = app.services
    const put = files.put
    files.put = (key, ...more) => {
      made.push(key)
      return put.call(files, key, ...more)
    }
    const all = await Promise.all([get(url), get(url), get(url)])
    files.put = put
    expect(all.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect(made).toEqual([plainCopy(row.storage_key)])
    expect(all[0]!.rawPayload.length).toBe(row.size)
  }, 30_000)

  test('resumes a rotated picture at any byte, and the parts are the whole', async () => {
    const photo = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#777' } })
      .jpeg()
      .toBuffer()
    const { row, url } = await media('parts.jpg', photo)
    await app.as('admin').call('file.edit', { id: row.id, rotation: 90 })
    const whole = await get(url)
    expect((await sharp(whole.rawPayload).metadata()).orientation).toBe(6)
    const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
    const { length } = whole.rawPayload
    for (const cut of [1, 2, 3, 20, 37, 38, 39, 100, length - 1]) {
      const head = await get(url, { range: `bytes=0-${cut - 1}` })
      const tail = await get(url, { range: `bytes=${cut}-`, 'if-range': String(head.headers.etag) })
      expect([head.statusCode, tail.statusCode, tail.headers['content-range']], String(cut)).toEqual([
        206,
        206,
        `bytes ${cut}-${length - 1}/${length}`,
      ])
      expect(digest(Buffer.concat([head.rawPayload, tail.rawPayload])), String(cut)).toBe(digest(whole.rawPayload))
    }
    expect((await get(url, { range: `bytes=${length}-` })).statusCode).toBe(416)
  })

  test('gets no copy once the record is closed to them, and the copy goes with its content', async () => {
    const photo = await sharp({ create: { width: 30, height: 20, channels: 3, background: '#777' } })
      .jpeg()
      .toBuffer()
    const { row, url, item } = await media('closed.jpg', photo)
    const { files, database } = app.services
    expect((await get(url)).statusCode).toBe(200)
    expect(await files.size(plainCopy(row.storage_key))).toBe(photo.length)
    expect((await findOrphans(database, files, new Date(Date.now() + 1000))).orphans.map(({ key }) => key)).not.toContain(
      plainCopy(row.storage_key),
    )
    await app.as('admin').call('content.review', { id: item.id, review: 'rejected', reason: 'Blurred' })
    expect((await get(url)).statusCode).toBe(404)
    await app.as('admin').call('file.remove', { id: row.id })
    await app.write((tx) => tx.updateTable('change_sets').set({ at: '2020-01-01T00:00:00.000Z' }).execute())
    await sweepChanges(app.services, true)
    expect([await files.size(row.storage_key), await files.size(plainCopy(row.storage_key))]).toEqual([null, null])
  })

  test('is refused a file whose metadata can’t be removed, with a sentence, and it isn’t read again', async () => {
    const photo = await sharp({ create: { width: 31, height: 20, channels: 3, background: '#777' } })
      .jpeg()
      .toBuffer()
    const { row, url } = await media('unread.jpg', photo)
    const tried: string[] = []
    await settled(row.id)
    await reading(ending(tried), async () => {
      for (let nth = 0; nth < 3; nth++) {
        const answer = await get(url)
        expect([answer.statusCode, answer.json().message]).toEqual([
          409,
          'This file isn’t handed out: its metadata can’t be removed, as it takes too long.',
        ])
      }
    })
    expect(tried).toEqual([row.storage_key])
  })
})
