import { beforeAll, describe, expect, test } from 'vitest'
import { sweepChanges } from '../../server/core/undo/changeSets.ts'
import { file } from '../support/writeExamples.ts'
import { type Fieldwork, fieldwork } from './support.ts'
import { inStore as storedIn, upload } from './uploading.ts'

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(64)])
let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const client = () => app.as('client')

const inStore = () => storedIn(app)
const seenProject = () => app.make.project({ client_id: app.client.id })

describe('uploading', () => {
  test('requires signing in', async () => {
    expect((await upload(app.as('stranger'), [['a.png', PNG]])).status).toBe(401)
  })

  test('several files at once adds each to the project', async () => {
    const { id } = await seenProject()
    const answer = await upload(
      client(),
      [
        ['logo.png', PNG],
        ['Liste é.csv', Buffer.from('a,b')],
      ],
      { project_id: id, asset_type: 'Creative Assets' },
    )
    expect(answer.status).toBe(200)
    expect((await client().call('file.assets', { id })).body.data.map((file) => [file.original_name, file.mime])).toEqual([
      ['Liste é.csv', 'text/csv; charset=utf-8'],
      ['logo.png', 'image/png'],
    ])
  })

  test('of an asset without a type is refused by name; for a request none is needed', async () => {
    const { id } = await seenProject()
    const before = inStore()
    const answer = await upload(client(), [['a.png', PNG]], { project_id: id })
    expect([answer.status, answer.body.fields.asset_type]).toEqual([422, 'Please choose an asset type'])
    expect(inStore()).toBe(before)
    expect((await upload(client(), [['a.png', PNG]])).status).toBe(200)
  })

  test('to a project out of scope is a 404, and stores nothing', async () => {
    const foreign = await app.make.project({ client_id: (await app.make.client()).id })
    const before = inStore()
    expect((await upload(client(), [['a.png', PNG]], { project_id: foreign.id })).status).toBe(404)
    expect(inStore()).toBe(before)
  })

  test('without a file is a 422 that asks for one', async () => {
    const answer = await upload(client(), [])
    expect([answer.status, answer.body.fields.file]).toEqual([422, 'Choose a file.'])
  })

  test('an unlisted extension is refused in the specification’s words', async () => {
    const answer = await upload(client(), [['page.html', Buffer.from('<html>')]])
    expect(answer.body.message).toMatch(/^Invalid file type\. {2}File must be one of following types /)
  })

  test.each([
    ['picture.png', '<script>'],
    ['paper.pdf', 'MZ not a pdf'],
    ['table.xlsx', 'a,b,c'],
    ['list.csv', 'a\0'.repeat(8) + '\0b'.repeat(8)],
    ['list.csv', '%PDF-1.7\0'],
  ])('%s with other content is refused', async (name, content) => {
    expect((await upload(client(), [[name, Buffer.from(content)]])).status).toBe(422)
  })

  test('one byte below the limit is accepted', async () => {
    expect((await upload(client(), [['big.txt', Buffer.alloc(10_485_759, 'a')]])).body.data[0]?.size).toBe(10_485_759)
  })

  test('the limit itself is too large, and rejects the files before it too', async () => {
    const before = inStore()
    const answer = await upload(client(), [
      ['a.png', PNG],
      ['big.txt', Buffer.alloc(10_485_760, 'a')],
    ])
    expect([answer.status, answer.body.message]).toEqual([422, 'File must be smaller than 10 MB'])
    expect(inStore()).toBe(before)
  })

  test('a path in a file’s name is stripped', async () => {
    expect((await upload(client(), [['C:\\secret\\..\\..\\plan.txt', Buffer.from('plan')]])).body.data[0]?.original_name).toBe(
      'plan.txt',
    )
  })
})

describe('an upload with a key', () => {
  const text = (words: string): [string, Buffer][] => [['plan.txt', Buffer.from(words)]]
  const send = (key: string, files: [string, Buffer][], fields: Record<string, string | number> = {}) =>
    upload(client(), files, fields, '/v3/portal/files', { 'idempotency-key': key })

  test('is stored once however often it is sent, even concurrently, with a response each time', async () => {
    const { id } = await seenProject()
    const before = inStore()
    const answers = await Promise.all(
      [1, 2, 3].map(() => send('three-in-one-breath', text('once'), { project_id: id, asset_type: 'Creative Assets' })),
    )
    answers.push(await send('three-in-one-breath', text('once'), { project_id: id, asset_type: 'Creative Assets' }))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(new Set(answers.map(({ body }) => body.data[0]?.id)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(3)
    expect((await client().call('file.assets', { id })).body.count).toBe(1)
    expect(inStore()).toBe(before + 1)
  })

  test('gets working links when resent later', async () => {
    await send('links-of-their-time', text('late'))
    const now = app.services.now
    app.services.now = () => new Date(Date.now() + 3_600_000)
    const again = await send('links-of-their-time', text('late'))
    expect((await app.as('stranger').raw('GET', again.body.data[0]?.url ?? '')).text).toBe('late')
    app.services.now = now
  })

  test('didn’t happen when cut off or refused: the key does it later', async () => {
    const key = { 'idempotency-key': 'cut-off-in-the-middle' }
    const edge = { 'content-type': 'multipart/form-data; boundary=b', ...key }
    const part = (name: string) => `--b\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\nwhole`
    const torn = await client().raw('POST', '/v3/portal/files', Buffer.from(part('plan.txt')), edge)
    expect([torn.status, torn.body.code]).toEqual([400, 'bad_form'])
    expect((await client().raw('POST', '/v3/portal/files', Buffer.from(`${part('plan.exe')}\r\n--b--\r\n`), edge)).status).toBe(
      422,
    )
    const whole = await send('cut-off-in-the-middle', text('whole'))
    expect([whole.status, whole.headers['idempotent-replayed']]).toEqual([200, undefined])
  })

  test('with other content, name or fields is refused by name', async () => {
    const { id } = await seenProject()
    expect((await send('one-key-for-others', text('this'))).status).toBe(200)
    const before = inStore()
    for (const answer of [
      await send('one-key-for-others', text('that')),
      await send('one-key-for-others', [['other.txt', Buffer.from('this')]]),
      await send('one-key-for-others', text('this'), { project_id: id, asset_type: 'Creative Assets' }),
      await send('short', text('this')),
    ])
      expect([answer.status, Object.keys(answer.body.fields)]).toEqual([422, ['idempotency-key']])
    expect(inStore()).toBe(before)
  })
})

describe('downloading', () => {
  test('by a signed link needs no headers and is always saved, never run', async () => {
    const added = await upload(client(), [['note.txt', Buffer.from('<script>alert(1)</script>')]])
    const { body } = await client().call('file.link', { id: added.body.data[0]?.id ?? 0 })
    const answer = await app.as('stranger').raw('GET', body.data.url)
    expect(answer.text).toBe('<script>alert(1)</script>')
    expect(answer.headers['content-disposition']).toMatch(/^attachment/)
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
  })

  test('a picture’s thumbnail is shown in the page', async () => {
    const added = await upload(client(), [['a.png', PNG]])
    const answer = await app.as('stranger').raw('GET', added.body.data[0]?.thumbnail ?? '')
    expect(answer.headers['content-disposition']).toMatch(/^inline/)
  })

  test('an expired or altered link opens nothing', async () => {
    const added = await upload(client(), [['a.png', PNG]])
    const { url } = (await client().call('file.link', { id: added.body.data[0]?.id ?? 0 })).body.data
    const signed = url.split('/').at(-1) ?? ''
    expect((await app.as('stranger').call('file.download', { signed: signed.replace(/^\d/, '9') })).status).toBe(404)
    const now = app.services.now
    app.services.now = () => new Date(Date.now() + 15 * 60_000 + 1000)
    expect((await app.as('stranger').call('file.download', { signed })).status).toBe(404)
    app.services.now = now
  })

  test('a link to somebody else’s file is never given out', async () => {
    const foreign = await app.make.project({ client_id: (await app.make.client()).id })
    const added = await upload(admin(), [['a.png', PNG]], { project_id: foreign.id, asset_type: 'Creative Assets' })
    expect((await client().call('file.link', { id: added.body.data[0]?.id ?? 0 })).status).toBe(404)
  })
})

describe('deleting', () => {
  test('is not for client users', async () => {
    const added = await upload(client(), [['a.png', PNG]])
    expect((await client().call('file.remove', { id: added.body.data[0]?.id ?? 0 })).status).toBe(403)
  })

  test('keeps the content for a day, while it can be undone, then removes it', async () => {
    const added = await upload(admin(), [['a.png', PNG]])
    const file = added.body.data[0]!
    const before = inStore()
    const removed = await admin().raw('DELETE', `/v3/portal/documents/?id=${file.id}`)
    expect((await app.as('stranger').raw('GET', file.url)).status).toBe(404)
    await admin().call('undo.take', { id: Number(removed.headers['x-undo']) })
    expect((await app.as('stranger').raw('GET', file.url)).status).toBe(200)
    await admin().call('undo.redo', { id: Number(removed.headers['x-undo']) })
    expect(inStore()).toBe(before)
    const { now } = app.services
    app.services.now = () => new Date(Date.now() + 25 * 3_600_000)
    await sweepChanges(app.services, true)
    app.services.now = now
    expect(inStore()).toBe(before - 1)
  })

  test('keeps content used by a clone of the project', async () => {
    const { id } = await seenProject()
    await upload(admin(), [['a.png', PNG]], { project_id: id, asset_type: 'Creative Assets' })
    const clone = (await admin().call('project.clone', { id })).body as unknown as { data: { project_id: number } }
    const [copy] = (await admin().call('file.assets', { id: clone.data.project_id })).body.data
    const [original] = (await admin().call('file.assets', { id })).body.data
    await admin().call('file.remove', { id: original?.id ?? 0 })
    expect((await app.as('stranger').raw('GET', copy?.url ?? '')).status).toBe(200)
  })

  test('a client user adds a signed document once the quote is approved, and not before', async () => {
    const pdf: [string, Buffer][] = [['signed.pdf', Buffer.from('%PDF-1.7')]]
    const add = async (status: 'submit_approval' | 'approved') => {
      const { id } = await app.make.project({ client_id: app.client.id, status })
      return upload(client(), pdf, { project_id: id, kind: 'docsign' }, '/v3/portal/documents')
    }
    expect((await add('approved')).status).toBe(200)
    const early = await add('submit_approval')
    expect([early.status, early.body]).toMatchObject([409, { code: 'not_now', allowed: expect.any(Array) }])
  })

  test('the last signed document is refused; one of two is not', async () => {
    const { id } = await seenProject()
    const pdf = Buffer.from('%PDF-1.7')
    const added = await upload(
      admin(),
      [
        ['one.pdf', pdf],
        ['two.pdf', pdf],
      ],
      { project_id: id, kind: 'docsign' },
      '/v3/portal/documents',
    )
    const [one, two] = added.body.data
    expect((await admin().call('file.remove', { id: one?.id ?? 0 })).status).toBe(200)
    expect((await admin().call('file.remove', { id: two?.id ?? 0 })).status).toBe(409)
  })
})

test('a file uploaded before its project can be linked to it, but not taken from another', async () => {
  const [first, second] = [await seenProject(), await seenProject()]
  const file_id = (await upload(client(), [['a.png', PNG]])).body.data[0]?.id ?? 0
  expect((await admin().call('file.attach', { project_id: first.id, file_id })).body.data.project_id).toBe(first.id)
  expect((await admin().call('file.attach', { project_id: second.id, file_id })).status).toBe(409)
})

describe('the lists of a project', () => {
  test('show its uploaded media, by type and without one', async () => {
    const { id } = await seenProject()
    for (const [name, kind] of [
      ['shelf.png', 'media'],
      ['logo.png', 'asset'],
      ['walk.mp4', 'media'],
    ] as const)
      await file(app, { project_id: id, original_name: name, kind, mime: name.endsWith('png') ? 'image/png' : 'video/mp4' })
    const names = async (query: string) => {
      const { data } = (await client().raw('GET', `/v3/portal/projects/${id}/files${query}`)).body as unknown as {
        data: { name: string }[]
      }
      return data.map((one) => one.name).sort()
    }
    for (const query of ['', '?file_type=']) expect(await names(query), query).toEqual(['logo.png', 'shelf.png', 'walk.mp4'])
    expect(await names('?file_type=photos')).toEqual(['logo.png', 'shelf.png'])
    expect(await names('?file_type=videos')).toEqual(['walk.mp4'])
  })

  test('have five per page and are hidden from others', async () => {
    const { id } = await app.make.project({ client_id: (await app.make.client()).id })
    for (let at = 0; at < 6; at++)
      await upload(admin(), [[`plan-${at}.txt`, Buffer.from('plan')]], { project_id: id }, '/v3/portal/documents')
    const { body } = await admin().call('file.documents', { id, page: 2 })
    expect([body.count, body.data.map((file) => file.original_name)]).toEqual([6, ['plan-0.txt']])
    expect((await client().call('file.documents', { id })).status).toBe(404)
  })
})
