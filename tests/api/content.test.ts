import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { FILM } from '../../server/demo/fixtures.ts'
import { masked } from '../../server/domain/content/mask.ts'
import { personOf } from '../../server/domain/content/readAct.ts'
import { unzipped } from '../support/unzipped.ts'
import { type Answer, type Fieldwork, fieldwork } from './support.ts'
import { formOf } from './uploading.ts'

let app: Fieldwork
let project: { id: number }
let activity: { id: number }
/** A photo from a camera on its side, with a location in its metadata. */
let photo: Buffer
const admin = () => app.as('admin')
const client = () => app.as('client')

beforeAll(async () => {
  app = await fieldwork()
  project = await app.make.project({ client_id: app.client.id, status: 'active', name: 'Shelf watch' })
  activity = await app.make.activity({ project_id: project.id, activity_type: 'photo', name: 'Shelf photos' })
  photo = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#336699' } })
    .withMetadata({ orientation: 6 })
    .withExifMerge({ IFD0: { Model: 'Spycam 9' }, IFD3: { GPSLatitude: '40/1 26/1 46/1', GPSLatitudeRef: 'N' } })
    .jpeg()
    .toBuffer()
})

const send = async (files: [string, Buffer][], fields: Record<string, string> = {}, id = activity.id) => {
  const { body, type } = await formOf(files, fields)
  return (await admin().raw('POST', `/v3/portal/activities/${id}/content`, body, {
    'content-type': type,
  })) as Answer<'content.import'>
}
const item = (given: object = {}) => app.make.content({ project_id: project.id, activity_id: activity.id, ...given })
const photoItem = async (given: object = {}) => {
  const file = await app.make.file({
    project_id: project.id,
    activity_id: activity.id,
    kind: 'media',
    original_name: 'IMG_1.jpg',
    mime: 'image/jpeg',
  })
  return item({ action: 'photo', file_id: file.id, ...given })
}
const list = (who = admin(), more: object = {}) => who.call('content.list', { project_id: project.id, per_page: 500, ...more })
const idsOf = async (who = admin(), more: object = {}) => (await list(who, more)).body.data.map(({ id }) => id)
/** Waits until the server has created all thumbnails. */
const thumbnails = () =>
  expect
    .poll(() => app.db.selectFrom('files').select('id').where('thumb_state', '=', 'queued').execute(), { timeout: 20_000 })
    .toEqual([])

describe('an incoming photo', () => {
  test('gets a thumbnail of at most 320 px, upright by its EXIF and without its location', async () => {
    expect((await send([['IMG_7.jpg', photo]], { email: 'pat@example.com', external_id: 'one' })).body.data).toMatchObject({
      added: 1,
    })
    await thumbnails()
    const { body } = await admin().call('file.media', { id: project.id, file_type: 'photos', search: 'IMG_7' })
    const [file] = body.data
    expect(file).toMatchObject({
      width: 600,
      height: 800,
      thumb_state: 'done',
      content: { person: personOf('pat@example.com'), review: 'open' },
    })
    const shown = await app.app.inject({ url: file!.thumbnail })
    const thumb = await sharp(shown.rawPayload).metadata()
    expect([shown.headers['content-type'], thumb.width, thumb.height, thumb.exif]).toEqual(['image/jpeg', 240, 320, undefined])
  })

  test('that isn’t a picture says so, and can still be downloaded', async () => {
    const torn = Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.alloc(200)])
    await send([['torn.jpg', torn]])
    await thumbnails()
    const { body } = await list(admin(), { search: 'torn.jpg' })
    expect(body.data[0]!.file).toMatchObject({ thumb_state: 'failed', thumbnail: '' })
    expect((await app.app.inject({ url: body.data[0]!.file!.url })).rawPayload.equals(torn)).toBe(true)
  })

  test('reaches a client user without metadata, original file name and sender’s address', async () => {
    await send([['Anna at home.jpg', photo]], { external_id: 'anna', email: 'anna@example.com' })
    const { body } = await list(client())
    const mine = body.data.find(({ person }) => person === personOf('anna@example.com'))!
    expect([mine.email, mine.external_id, mine.file!.original_name]).toEqual(['', '', `U-${mine.id}.jpg`])
    const got = await app.app.inject({ url: mine.file!.url })
    expect(got.rawPayload.length).toBe(photo.length)
    expect(got.headers['content-disposition']).not.toContain('Anna')
    const facts = await sharp(got.rawPayload).metadata()
    expect([facts.orientation, facts.width]).toEqual([6, 800])
    expect(got.rawPayload.includes('Spycam')).toBe(false)
    const [same] = (await list(admin(), { search: 'Anna at home' })).body.data
    expect((await app.app.inject({ url: same!.file!.url })).rawPayload.equals(photo)).toBe(true)
  })

  test('rotates in quarter turns, and downloads as rotated', async () => {
    await send([['turn.jpg', photo]], { external_id: 'turn' })
    const [one] = (await list(admin(), { search: 'turn.jpg' })).body.data
    expect((await admin().call('content.rotate', { ids: [one!.id] })).body.message).toBe('1 photo rotated.')
    const again = await admin().call('file.edit', { id: one!.file_id!, rotation: 180 })
    expect(again.body.data.rotation).toBe(180)
    const got = await sharp((await app.app.inject({ url: again.body.data.url })).rawPayload).metadata()
    expect(got.orientation).toBe(8)
    const undone = await admin().raw('POST', `/v3/portal/undo/${again.headers['x-undo']}`)
    expect([undone.status, (await admin().call('file.get', { id: one!.file_id! })).body.data.rotation]).toEqual([200, 90])
    expect((await admin().call('file.edit', { id: one!.file_id!, rotation: 45 as never })).body.fields.rotation).toBe(
      'rotation must be 0, 90, 180 or 270',
    )
  })
})

test('a video has its duration, and no location for client users', async () => {
  const film = FILM.content
  const place = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('udta\0\0\0\x10©xyz+40.4-79', 'latin1')])
  await send([['clip.mp4', Buffer.concat([film, place])]], { external_id: 'clip' })
  await thumbnails()
  const { body } = await client().call('file.media', { id: project.id, file_type: 'videos' })
  expect(body.data[0]).toMatchObject({ seconds: 6, width: 320, height: 240, content: { action: 'video' } })
  const got = (await app.app.inject({ url: body.data[0]!.url })).rawPayload
  expect([got.subarray(0, film.length).equals(film), got.includes('xyz')]).toEqual([true, false])
})

describe('the import', () => {
  test('counts an external_id once, however often it is sent', async () => {
    const rows = [
      { external_id: 'c-1', comment: 'Nice shelf', email: 'ed@example.com' },
      { external_id: 'c-2', action: 'social', url: 'https://social.example/9' },
      { external_id: 'c-1', comment: 'Nice shelf' },
      { comment: 'who says?' },
    ]
    const sent = async (body: string) => {
      const headers = { 'content-type': 'application/x-ndjson' }
      const answer = await admin().raw('POST', `/v3/portal/activities/${activity.id}/content`, body, headers)
      return answer as Answer<'content.import'>
    }
    const text = rows.map((row) => JSON.stringify(row)).join('\n')
    const first = await sent(text)
    expect(first.body.data).toEqual({
      added: 2,
      repeated: 1,
      refused: 1,
      errors: [
        {
          row: 4,
          message: 'external_id is required',
          fields: [{ field: 'external_id', code: 'required', message: 'external_id is required' }],
        },
      ],
      ignored: {},
      dry: false,
    })
    expect((await sent(text)).body.data).toMatchObject({ added: 0, repeated: 3 })
    expect(await app.db.selectFrom('user_activities').select('id').where('external_id', '=', 'c-1').execute()).toHaveLength(1)
  })

  test('imports the same photo once, and a CSV of comments line by line', async () => {
    const csv = Buffer.from('Email;Comment\nkim@example.com;"Sold; out ""again"""\nkim@example.com;Back in stock')
    const twice = await send([
      ['list.csv', csv],
      ['a.jpg', photo],
      ['b.jpg', photo],
    ])
    expect(twice.body.data).toMatchObject({ added: 3, repeated: 1 })
    expect((await send([['list.csv', csv]])).body.data).toMatchObject({ added: 0, repeated: 2 })
    const { body } = await client().call('content.comments', { id: project.id, search: 'again' })
    expect(body.data).toMatchObject([
      { comment: 'Sold; out "again"', person: personOf('kim@example.com'), activity: 'Shelf photos', review: 'open' },
    ])
  })

  test('is undone as a whole, photos, videos and comments, unless somebody reviewed part of it', async () => {
    const { id } = await app.make.activity({ project_id: project.id, activity_type: 'photo' })
    const count = async () => (await admin().call('content.list', { activity_id: id, per_page: 500 })).body.count
    const files = () => app.db.selectFrom('files').select('id').where('activity_id', '=', id).execute()
    const csv = Buffer.from(
      `Email,Comment\n${Array.from({ length: 1500 }, (_, at) => `p${at}@example.com,Comment ${at}`).join('\n')}`,
    )
    const sent: [string, Buffer][] = [
      ['list.csv', csv],
      ['a.jpg', photo],
      ['b.mp4', FILM.content],
    ]
    const made = await send(sent, {}, id)
    expect(made.body.message).toBe('1,502 items added, 0 already known, 0 refused.')
    await thumbnails()
    const undo = { id: Number(made.headers['x-undo']) }
    expect((await admin().call('undo.take', undo)).status).toBe(200)
    expect([await count(), await files()]).toEqual([0, []])
    expect((await admin().call('undo.redo', undo)).status).toBe(200)
    expect([await count(), (await files()).length]).toEqual([1502, 2])
    const [first] = (await admin().call('content.list', { activity_id: id })).body.data
    await admin().call('content.review', { id: first!.id, review: 'accepted' })
    expect((await admin().call('undo.take', undo)).status).toBe(409)
    expect(await count()).toBe(1502)
    // An import in several transactions can't be undone through its last one.
    const rows = Array.from({ length: 5001 }, (_, at) => `${at}@example.com,Long ${at}`)
    const long = await send([['long.csv', Buffer.from(`Email,Comment\n${rows.join('\n')}`)]], {}, id)
    expect(long.body.message).toBe('5,001 items added, 0 already known, 0 refused, too many to be undone at once.')
    expect(long.headers['x-undo']).toBeUndefined()
  })

  test('refuses invalid items by name, and stores nothing of them', async () => {
    expect((await send([['plan.txt', Buffer.from('plan')]])).body.fields.file).toContain('plan.txt isn’t a photo, a video')
    const wrong = await admin().call('content.import', {
      id: activity.id,
      rows: [{ external_id: 'x', action: 'dance', at: 'soon', dma: 7 }],
    })
    expect([wrong.status, wrong.body.fields.rows]).toEqual([
      422,
      'action must be one of photo, video, comment, social, survey, at must be a time such as 2026-03-01T14:05:00Z, dma is not a market area',
    ])
    expect(
      (await admin().call('content.import', { id: activity.id, rows: [{ external_id: 'y', comment: 'x' }], dry: true })).body
        .message,
    ).toBe('1 item would be added, 0 already known, 0 refused.')
    expect((await admin().call('content.import', { id: 999_999, rows: [] })).status).toBe(404)
  })

  test('accepts a key only for the key’s own project', async () => {
    const other = await app.make.project({ client_id: app.client.id })
    const keyFor = async (id: number) =>
      (await admin().call('key.create', { name: `Key ${id}`, projects: [id] } as never)).body.data as {
        key?: string
        token?: string
      }
    const sent = async (id: number) => {
      const made = await keyFor(id)
      const importer = app.person({ authorization: `Bearer ${made.key ?? made.token}` })
      return importer.raw('POST', `/v3/portal/activities/${activity.id}/content`, {
        rows: [{ external_id: `k-${id}`, comment: 'by key' }],
      })
    }
    expect([(await sent(project.id)).status, (await sent(other.id)).status]).toEqual([200, 404])
  })
})

describe('the review', () => {
  test('hides rejected items from client users: list, counts, comments, file, link and thumbnail', async () => {
    const one = await photoItem()
    const commented = await item({ comment: 'Rude words' })
    const link = (await client().call('file.link', { id: one.file_id! })).body.data.url
    const before = (await client().call('content.summary', { id: project.id })).body.data
    const { body } = await admin().call('content.reviewMany', {
      ids: [one.id, commented.id],
      review: 'rejected',
      reason: 'Off topic',
    })
    expect(body.message).toBe('2 items are rejected.')
    expect(await idsOf(client())).not.toContain(one.id)
    expect((await client().call('content.comments', { id: project.id, search: 'Rude' })).body.count).toBe(0)
    expect((await client().call('content.get', { id: one.id })).status).toBe(404)
    expect((await client().call('file.link', { id: one.file_id! })).status).toBe(404)
    expect((await app.as('stranger').raw('GET', link)).status).toBe(404)
    const after = (await client().call('content.summary', { id: project.id })).body.data
    expect([after.photos.all, after.comments.all]).toEqual([before.photos.all - 1, before.comments.all - 1])
    expect((await admin().call('content.get', { id: one.id })).body.data).toMatchObject({
      review: 'rejected',
      review_reason: 'Off topic',
      reviewed_by_name: 'Ada Admin',
    })
  })

  test('is undone with its reason, and names who reviewed it differently meanwhile', async () => {
    const one = await photoItem({ review: 'rejected', review_reason: 'Blurred' })
    const done = await admin().call('content.review', { id: one.id, review: 'accepted', lock_version: 1 })
    expect(done.body.data).toMatchObject({ review: 'accepted', review_reason: '' })
    await admin().raw('POST', `/v3/portal/undo/${done.headers['x-undo']}`)
    const back = (await admin().call('content.get', { id: one.id })).body.data
    expect(back).toMatchObject({ review: 'rejected', review_reason: 'Blurred', reviewed_by_name: '' })
    const late = await admin().call('content.review', { id: one.id, review: 'accepted', lock_version: 1 })
    expect([late.status, late.body.code, late.body.message]).toEqual([
      409,
      'stale',
      'Someone else set it to Rejected (Blurred) in the meantime; yours is Accepted.',
    ])
  })

  test('requires a reason for a rejection, and returns what was saved', async () => {
    const one = await item({ comment: 'Hm' })
    expect((await admin().call('content.review', { id: one.id, review: 'rejected' })).body.fields.reason).toBe(
      'Please say why it is rejected',
    )
    await admin().call('content.review', { id: one.id, review: 'rejected', reason: 'Duplicate' })
    const read = (await admin().call('content.get', { id: one.id })).body.data
    const again = await admin().call('content.review', { ...read } as never)
    expect([again.status, again.body.data]).toEqual([200, read])
    expect(
      (await admin().call('content.reviewMany', { ids: [one.id, 987_654], review: 'rejected', reason: 'Duplicate' })).body.data
        .refused,
    ).toEqual([
      { id: one.id, reason: 'it is rejected already' },
      { id: 987_654, reason: 'it was not found' },
    ])
  })
})

describe('who acted', () => {
  test('lists people, actions and repeats, newest first, in the older call too', async () => {
    const own = await app.make.activity({ project_id: project.id, activity_type: 'social' })
    const at = (day: number) => `2026-03-0${day}T12:00:00.000Z`
    const [lee, max] = [personOf('lee@example.com'), personOf('max@example.com')]
    const made = []
    for (const [day, person, email] of [
      [1, lee, 'lee@example.com'],
      [3, max, 'max@example.com'],
      [2, lee, 'lee@example.com'],
    ] as const)
      made.push(
        await item({ activity_id: own.id, person, email, action: 'social', comment: '', url: 'https://x.example', at: at(day) }),
      )
    const { body } = await admin().call('content.listOlder', { activity_id: own.id })
    expect(body.data.count).toBe(3)
    expect(body.data.user_activities.map((row) => [row.person, row.email, row.action, row.at, row.review])).toEqual([
      [max, 'max@example.com', 'social', at(3), 'open'],
      [lee, 'lee@example.com', 'social', at(2), 'open'],
      [lee, 'lee@example.com', 'social', at(1), 'open'],
    ])
    expect((await admin().call('content.actors', { id: own.id })).body.data).toMatchObject({ people: 2, actions: 3 })
    const repeated = await admin().call('content.list', { activity_id: own.id, repeats: true })
    expect(repeated.body.data.map(({ id, repeats }) => [id, repeats])).toEqual([
      [made[2]!.id, 2],
      [made[0]!.id, 2],
    ])
    expect((await admin().call('content.list', { activity_id: own.id, from: '2026-03-02', to: '2026-03-02' })).body.count).toBe(1)
    expect(
      (await admin().call('content.list', { activity_id: own.id, column: 'repeats', order: 'desc' })).body.data[2]!.person,
    ).toBe(max)
    expect((await client().call('content.listOlder', { activity_id: own.id })).status).toBe(403)
  })

  test('lists the respondents of a survey activity, without addresses', async () => {
    const own = await app.make.activity({ project_id: project.id, activity_type: 'survey' })
    const survey = await app.make.survey({ project_id: project.id, activity_id: own.id })
    await admin().call('runtime.ingest', {
      surveyId: survey.id,
      rows: [
        { respondent_id: 'r-1', outcome: 'completes', at: '2026-03-01T10:00:00Z' },
        { respondent_id: 'r-2', outcome: 'partials', at: '2026-03-02T10:00:00Z' },
      ],
    })
    const { body } = await admin().call('content.listOlder', { activity_id: own.id })
    expect(body.data.user_activities.map(({ id, outcome, email }) => [id, outcome, email])).toEqual([
      ['r-2', 'partials', ''],
      ['r-1', 'completes', ''],
    ])
    const few = await admin().call('content.respondents', { id: own.id, outcome: 'completes' })
    expect([few.body.count, few.body.data[0]!.person]).toEqual([1, 'r-1'])
    expect((await admin().call('content.actors', { id: own.id })).body.data).toMatchObject({ people: 2, activity_type: 'survey' })
  })
})

test('a family shows the content of all its parts; another client’s project is a 404', async () => {
  const parent = await app.make.project({ client_id: app.client.id })
  const child = await app.make.project({ client_id: app.client.id, parent_id: parent.id })
  const own = await app.make.activity({ project_id: child.id, activity_type: 'photo' })
  const one = await item({ project_id: child.id, activity_id: own.id, comment: 'From the child' })
  expect((await client().call('content.comments', { id: parent.id })).body.data.map(({ id }) => id)).toEqual([one.id])
  expect((await client().call('content.summary', { id: parent.id })).body.data.comments.all).toBe(1)
  const foreign = await app.make.project({ client_id: (await app.make.client()).id })
  for (const answer of [
    await client().call('content.summary', { id: foreign.id }),
    await client().call('content.comments', { id: foreign.id }),
    await client().call('content.list', { project_id: foreign.id }),
    await client().call('content.download', { id: foreign.id }),
  ])
    expect(answer.status).toBe(404)
})

test('a gallery stays at the newest item it loaded, and counts newer ones', async () => {
  const { newest } = (await admin().call('content.summary', { id: project.id })).body.data
  const one = await item({ comment: 'News' })
  expect(await idsOf(admin(), { upto: newest })).not.toContain(one.id)
  expect((await list(admin(), { after: newest })).body.count).toBe(1)
})

test('addresses and phone numbers in comments are masked for client users', async () => {
  await item({ comment: 'Write to joe.b@example.com or call (512) 555-0123, I paid $1,299.00' })
  const read = async (who = client()) =>
    (await who.call('content.comments', { id: project.id, search: 'paid' })).body.data[0]!.comment
  expect(await read()).toBe('Write to [email] or call [phone], I paid $1,299.00')
  expect(await read(admin())).toContain('joe.b@example.com')
  expect(masked('+49 170 1234567, aisle 7, 12 of 600, 2026-03-04')).toBe('[phone], aisle 7, 12 of 600, 2026-03-04')
})

test('a download is a ZIP file with a list of captions, without rejected items for a client user', async () => {
  const own = await app.make.project({ client_id: app.client.id, name: 'Zipped' })
  const place = await app.make.activity({ project_id: own.id, activity_type: 'photo' })
  await send([['a.jpg', photo]], { external_id: 'a', comment: 'Front', email: 'zoe@example.com' }, place.id)
  await item({ project_id: own.id, activity_id: place.id, comment: '=1+1', review: 'rejected', review_reason: 'Off topic' })
  const zipFor = async (who: typeof client) => {
    const { body } = await who().call('content.download', { id: own.id })
    const job = await app.services.jobs.settled(body.data[0]!.id, 20_000)
    expect([job.status, job.error]).toEqual(['done', ''])
    const { url } = (await who().call('job.link', { id: job.id })).body.data
    return (await app.app.inject({ url })).rawPayload
  }
  const all = await zipFor(admin)
  expect(all.includes(photo)).toBe(true)
  const entries = unzipped(all)
  expect([...entries.keys()].map((name) => name.replace(/\d+/, 'n'))).toEqual(['U-n.jpg', 'captions.csv'])
  expect(entries.get('captions.csv')!).toMatch(/'=1\+1[\s\S]*Rejected,Off topic[\s\S]*zoe@example\.com,photo,Front/)
  const theirs = unzipped(await zipFor(client)).get('captions.csv')!
  expect([theirs.includes('zoe'), theirs.includes('1+1'), theirs.includes('Front')]).toEqual([false, false, true])
  expect((await admin().call('content.download', { id: own.id, search: 'nothing like it' })).status).toBe(409)
})
