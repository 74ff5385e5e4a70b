import { beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type Fieldwork, fieldwork } from './support.ts'
import { formOf, inStore } from './uploading.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(64)])
const MP4 = Buffer.concat([Buffer.from('00000018667479706d703432', 'hex'), Buffer.alloc(64)])

/** An activity of an older campaign, with its own dates. */
async function activity(given: object = {}) {
  const project = await app.make.project({ client_id: app.client.id, generation: 'campaign' })
  return app.make.activity({
    project_id: project.id,
    name: 'Open day',
    about: 'Come and see.',
    activity_type: 'photo',
    start_dt: '2026-12-01',
    end_dt: '2026-12-03',
    ...given,
  })
}
/** A multipart write, as the older forms send it. */
async function put(path: string, fields: Record<string, string>, files: [string, Buffer][] = []) {
  const { body, type } = await formOf(files, fields)
  return (await admin().raw('PUT', path, body, { 'content-type': type })) as Answer<'event.edit' | 'post.edit'>
}

describe('an event', () => {
  test('is prefilled from its activity until first saved', async () => {
    const { id } = await activity()
    const before = (await admin().call('event.get', { id })).body.data
    expect(before).toMatchObject({
      id,
      activity_id: id,
      saved: false,
      name: 'Open day',
      about: 'Come and see.',
      start_date: '12/01/2026',
      end_date: '12/03/2026',
      schedules: [],
      lock_version: 0,
    })
    const saved = await admin().call('event.edit', { id, location: 'Market Hall', start_date: '12/02/2026' })
    expect(saved.body).toMatchObject({
      message: 'Event Updated',
      data: {
        saved: true,
        lock_version: 1,
        name: 'Open day',
        location: 'Market Hall',
        start_date: '12/02/2026',
        end_date: '12/03/2026',
      },
    })
    // Its activity keeps values of its own.
    expect((await admin().call('activity.get', { id })).body.data).toMatchObject({ start_dt: '2026-12-01' })
  })

  test('orders its schedules by start, and warns about overlaps', async () => {
    const { id } = await activity()
    const [late, early, within] = [
      { name: 'Draw', start: '2026-12-02T14:10', end: '2026-12-02T15:00' },
      { name: 'Doors', start: '2026-12-01T10:00', end: '2026-12-01T12:00' },
      { name: 'Talk', start: '2026-12-01T11:00', end: '2026-12-01T11:30' },
    ]
    const { body } = await admin().call('event.edit', { id, schedules: [late, early, within] as never })
    expect(body.data.schedules).toEqual([early, within, late])
    expect(body.warnings).toEqual(['“Doors” and “Talk” overlap.'])
  })

  test('refuses a schedule that ends before it starts, or lies outside the event', async () => {
    const { id } = await activity()
    const back = [{ name: 'Draw', start: '2026-12-02T14:10', end: '2026-12-02T13:00' }]
    const first = await admin().call('event.edit', { id, schedules: back as never })
    expect([first.status, first.body.fields]).toEqual([422, { schedules: '“Draw” ends before it starts.' }])
    const away = [{ name: 'Draw', start: '2026-12-05T14:10', end: '2026-12-05T15:00' }]
    const second = await admin().call('event.edit', { id, schedules: away as never })
    expect([second.status, second.body.fields]).toEqual([422, { schedules: '“Draw” is outside the event.' }])
    // The dates decide, even if they are sent alone.
    await admin().call('event.edit', {
      id,
      schedules: [{ name: 'Draw', start: '2026-12-03T14:10', end: '2026-12-03T15:00' }] as never,
    })
    const shorter = await admin().call('event.edit', { id, end_date: '2026-12-02' })
    expect([shorter.status, shorter.body.fields]).toEqual([422, { schedules: '“Draw” is outside the event.' }])
  })

  test("says 'Start Date has to be before End Date.', and needs a name and dates", async () => {
    const { id } = await activity()
    const late = await admin().call('event.edit', { id, start_date: '2026-12-09' })
    expect([late.status, late.body.fields]).toEqual([422, { start_date: 'Start Date has to be before End Date.' }])
    const blank = await admin().call('event.edit', { id, name: ' ', start_date: '', end_date: '' })
    expect([blank.status, blank.body.fields]).toEqual([
      422,
      { name: 'Name cannot be blank', start_date: 'Start Date cannot be blank', end_date: 'End Date cannot be blank' },
    ])
  })

  test('accepts a multipart form with a picture, which is shown by a link', async () => {
    const { id } = await activity()
    const saved = await put(`/v1/events/${id}`, { 'event[name]': 'Fair', schedules: '[]' }, [['fair.png', PNG]])
    expect([saved.status, saved.body.data]).toEqual([
      200,
      expect.objectContaining({ name: 'Fair', file: expect.objectContaining({ original_name: 'fair.png', mime: 'image/png' }) }),
    ])
    const { file } = (await admin().call('event.get', { id })).body.data
    expect((await admin().raw('GET', file!.thumbnail)).status).toBe(200)
    expect((await admin().call('activity.get', { id })).body.data.assets.map((asset) => asset.original_name)).toEqual([
      'fair.png',
    ])
    const off = await admin().call('event.edit', { id, file_id: null })
    expect(off.body.data.file).toBeNull()
  })

  test('saved from a stale version is a 409 with both versions, and undo reverts its first save', async () => {
    const { id } = await activity()
    const made = await admin().call('event.edit', { id, name: 'First' })
    await admin().call('event.edit', { id, name: 'Second', lock_version: 1 })
    const stale = await admin().call('event.edit', { id, name: 'Third', lock_version: 1 })
    expect(stale.status).toBe(409)
    expect(stale.body).toMatchObject({ code: 'stale', theirs: { name: 'Second' }, mine: { name: 'Third' }, clashes: ['name'] })
    expect((await admin().call('undo.take', { id: Number(made.headers['x-undo']) })).status).toBe(409)
    const other = await activity()
    const { headers } = await admin().call('event.edit', { id: other.id, name: 'Once' })
    expect((await admin().call('undo.take', { id: Number(headers['x-undo']) })).status).toBe(200)
    expect((await admin().call('event.get', { id: other.id })).body.data).toMatchObject({ saved: false, name: 'Open day' })
  })

  test('requires an administrator and an existing activity', async () => {
    const { id } = await activity()
    expect((await app.as('client').call('event.get', { id })).status).toBe(403)
    expect((await admin().call('event.get', { id: 999_999 })).status).toBe(404)
    expect((await put('/v1/events/999999', { name: 'Nowhere' }, [['a.png', PNG]])).status).toBe(404)
  })
})

test('a promotion keeps its dates, place and information', async () => {
  const { id } = await activity()
  const values = {
    name: 'Snack weeks',
    start_date: '12/01/2026',
    end_date: '12/15/2026',
    location: 'All stores',
    address: '1 Mill Road',
  }
  const saved = await admin().call('promo.edit', { id, ...values, information: 'Twenty off.' })
  expect(saved.body).toMatchObject({ message: 'Promo Updated', data: { ...values, information: 'Twenty off.' } })
  const back = await admin().call('promo.edit', { ...(await admin().call('promo.get', { id })).body.data } as never)
  expect([back.status, back.body.data.lock_version]).toEqual([200, 1])
})

describe('a post', () => {
  test("needs a URL or a file: 'Please select an asset'", async () => {
    const { id } = await activity()
    const none = await admin().call('post.edit', { id, name: 'On the shelf' })
    expect([none.status, none.body.fields]).toEqual([422, { file: 'Please select an asset' }])
    const linked = await admin().call('post.edit', { id, name: 'On the shelf', url: 'https://media.test/1' })
    expect(linked.body).toMatchObject({ message: 'Post Updated', data: { content_type: 'photo', url: 'https://media.test/1' } })
    const filed = await put(`/v1/contents/${id}`, { url: '' }, [['shelf.png', PNG]])
    expect([filed.status, filed.body.data]).toEqual([200, expect.objectContaining({ url: '' })])
    const gone = await admin().call('post.edit', { id, file_id: null })
    expect([gone.status, gone.body.fields]).toEqual([422, { file: 'Please select an asset' }])
  })

  test("of a photo accepts pictures, of a video videos: 'Invalid file type.  File must be one of following types {types}'", async () => {
    const { id } = await activity()
    const photo = await put(`/v1/contents/${id}`, { content_type: 'photo' }, [['film.mp4', MP4]])
    expect([photo.status, photo.body.fields]).toEqual([
      422,
      { file: 'Invalid file type.  File must be one of following types jpg, jpeg, png, gif' },
    ])
    const before = inStore(app)
    const video = await put(`/v1/contents/${id}`, { content_type: 'video' }, [['shelf.png', PNG]])
    expect([video.status, video.body.fields]).toEqual([
      422,
      { file: 'Invalid file type.  File must be one of following types mp4, mov' },
    ])
    expect(inStore(app)).toBe(before)
    expect((await put(`/v1/contents/${id}`, { content_type: 'video' }, [['film.mp4', MP4]])).status).toBe(200)
    const turned = await admin().call('post.edit', { id, content_type: 'photo' })
    expect([turned.status, turned.body.fields]).toEqual([
      422,
      { file: 'Invalid file type.  File must be one of following types jpg, jpeg, png, gif' },
    ])
  })

  test("must be smaller than the limit: 'File must be smaller than {n} MB'", async () => {
    const { id } = await activity()
    const large = Buffer.concat([PNG, Buffer.alloc(10_485_760)])
    const refused = await put(`/v1/contents/${id}`, {}, [['large.png', large]])
    expect([refused.status, refused.body.fields]).toEqual([422, { file: 'File must be smaller than 10 MB' }])
  })

  test('accepts an earlier upload of the caller’s, and none of another project', async () => {
    const { id, project_id } = await activity()
    const { body, type } = await formOf([['shelf.png', PNG]])
    const loose = (await admin().raw('POST', '/v3/portal/files', body, { 'content-type': type })).body as never as {
      data: { id: number }[]
    }
    const saved = await admin().call('post.edit', { id, file_id: loose.data[0]!.id })
    expect(saved.body.data.file).toMatchObject({ id: loose.data[0]!.id, original_name: 'shelf.png' })
    const row = await app.db
      .selectFrom('files')
      .select(['project_id', 'activity_id'])
      .where('id', '=', loose.data[0]!.id)
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ project_id, activity_id: id })
    const other = await activity()
    const refused = await admin().call('post.edit', { id: other.id, file_id: loose.data[0]!.id })
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ['file_id']])
  })
})

describe('an unknown activity in the address', () => {
  test('is refused by its field, whatever the form contains', async () => {
    const { id } = await activity()
    const before = (await admin().call('post.get', { id })).body.data
    const refused = await put('/v1/contents/{id}', { id: String(id), name: 'Elsewhere' }, [['shelf.png', PNG]])
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ['id']])
    expect((await admin().call('post.get', { id })).body.data).toEqual(before)
  })

  test('isn’t overridden by a form part of the same name', async () => {
    const [one, other] = [await activity(), await activity()]
    const saved = await put(`/v1/promos/${one.id}`, { id: String(other.id), name: 'This one' })
    expect([saved.status, saved.body.data.id]).toEqual([200, one.id])
    expect((await admin().call('promo.get', { id: other.id })).body.data.saved).toBe(false)
  })
})
