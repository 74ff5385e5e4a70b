import { beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '../../contract/pacing.ts'
import { UPLOAD_LIMIT } from '../../contract/vocabulary.ts'
import { everything } from './kept.ts'
import { type Fieldwork, fieldwork } from './support.ts'
import { formOf, inStore } from './uploading.ts'

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(64)])
let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const start = () => addDays(app.make.today(), 3)
const form = () => ({
  client_id: app.client.id,
  campaign_name: 'Snack Tracker',
  num_completed_actions: 300,
  start_date: start(),
  age_range: '2,3,-1',
  gender: 'female',
  targeted_location: '501,803',
  survey_url: 'https://survey.test/s',
})
type Files = [name: string, content: Buffer][]
interface Said {
  status: number
  text: string
  headers: Record<string, unknown>
  body: { message: string; ignored?: string[]; fields: Record<string, string>; data: Record<string, unknown> & { id: number } }
}

async function send(fields: Record<string, unknown>, files: Files = [], headers = {}, who = app.as('client')): Promise<Said> {
  const { body, type } = await formOf(files, fields as Record<string, string>)
  return (await who.raw('POST', '/v1/campaigns.json', body, { 'content-type': type, ...headers })) as never
}
const without = (...names: string[]) => Object.fromEntries(Object.entries(form()).filter(([name]) => !names.includes(name)))
const wrapped = (fields: object) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]): [string, unknown] => [`campaign[${name}]`, value]))

describe('an older request', () => {
  test('creates campaign, activity, target, survey, files and note in one transaction', async () => {
    const fields = {
      ...wrapped({ ...form(), description: 'Ask kindly', loi_minutes: 12, incidence: 40 }),
      user_id: app.member.id,
    }
    const { status, body, text } = await send(fields, [
      ['logo.png', PNG],
      ['list.csv', Buffer.from('a,b')],
    ])
    expect([status, body.message, body.ignored], text).toEqual([200, 'Request created', undefined])
    const { id } = body.data
    expect(body.data).toMatchObject({ status: 'requirements', user_id: app.member.id, loi_minutes: 12, incidence: 40 })
    expect(body.data).toMatchObject({ age_range: '2,3', targeted_location: '501,803', num_completed_actions: 300 })
    const { data } = (await app.as('client').call('project.get', { id })).body
    expect(data).toMatchObject({ generation: 'campaign', survey_url: 'https://survey.test/s', loi_minutes: 12, incidence: 40 })
    expect(data.activities).toMatchObject([{ activity_type: 'survey', action_type: 'nothing', target: { gender: 'female' } }])
    expect(data.surveys).toMatchObject([{ name: 'Snack Tracker', survey_link: 'https://survey.test/s' }])
    expect(data.files.map((file) => [file.original_name, file.kind])).toEqual([
      ['logo.png', 'asset'],
      ['list.csv', 'document'],
    ])
    const notes = (await app.as('admin').call('note.listOfCampaign', { id })).body
    expect(JSON.stringify(notes)).toContain('Ask kindly')
  })

  test('ends seven days after its start by default', async () => {
    expect((await send(form())).body.data.end_date).toBe(usDay(addDays(start(), 7)))
    expect((await send({ ...form(), end_date: addDays(start(), 2) })).body.data.end_date).toBe(usDay(addDays(start(), 2)))
  })
  const usDay = (day: string) => day.replace(/(\d{4})-(\d\d)-(\d\d)/, '$2/$3/$1')

  test('is accepted as JSON too, and lists unknown names', async () => {
    const answer = await app.as('client').raw('POST', '/v1/campaigns', { campaign: { ...form(), colour: 'blue' } })
    expect([answer.status, (answer.body as { ignored?: unknown }).ignored], answer.text).toEqual([200, ['colour']])
  })

  test('accepts its campaign as JSON in a form, lists as name[], and all genders as one word', async () => {
    const { age_range: _, ...rest } = form()
    const boundary = '--b'
    const part = (name: string, value: string) =>
      `${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    const text = `${part('campaign', JSON.stringify({ ...rest, gender: 'all', colour: 'blue' }))}${part('age_range[]', '2')}${part('age_range[]', '4')}${boundary}--\r\n`
    const type = { 'content-type': 'multipart/form-data; boundary=b' }
    const { status, body } = (await app.as('client').raw('POST', '/v1/campaigns', Buffer.from(text), type)) as unknown as Said
    expect(status).toBe(200)
    expect([body.data.age_range, body.data.gender, body.ignored]).toEqual(['2,4', 'female,male,other', ['colour']])
  })

  test('defaults to the caller’s only client', async () => {
    expect((await send(without('client_id'))).body.data.client_id).toBe(app.client.id)
    const unsaid = await send(without('client_id'), [], {}, app.as('admin'))
    expect([unsaid.status, unsaid.body.fields]).toEqual([422, { client_id: 'client_id is required' }])
  })

  test('is undone as a whole', async () => {
    const before = await everything(app)
    const { headers } = await send(form(), [['logo.png', PNG]])
    const undone = await app.as('client').call('undo.take', { id: Number(headers['x-undo']) })
    expect(undone.status, undone.text).toBe(200)
    const after = await everything(app)
    for (const table of ['projects', 'activities', 'targets', 'surveys', 'files', 'notes'])
      expect(after[table]).toEqual(before[table])
  })

  test('is mailed to the administrators after eight seconds, unless undone before', async () => {
    const { body, headers } = await send(form())
    const mails = () =>
      app.db
        .selectFrom('mails')
        .select(['to_address', 'subject', 'body', 'status', 'not_before', 'created_at'])
        .where('about', '=', `project:${body.data.id}`)
        .execute()
    const mail = (await mails()).find(({ to_address }) => to_address === app.admin.email)!
    expect(mail.subject).toBe(`New request from ${app.client.name}: Snack Tracker (P-${body.data.id})`)
    expect(mail.body).toContain('Completes: 300')
    expect(Date.parse(mail.not_before) - Date.parse(mail.created_at)).toBeGreaterThan(7000)
    await app.as('client').call('undo.take', { id: Number(headers['x-undo']) })
    expect((await mails()).map(({ status }) => status)).toEqual((await mails()).map(() => 'withdrawn'))
  })

  test('sent twice with one key creates one campaign, and stores its file once', async () => {
    const before = inStore(app)
    const key = { 'idempotency-key': 'one-request' }
    const [first, second] = [await send(form(), [['a.png', PNG]], key), await send(form(), [['a.png', PNG]], key)]
    expect([first.status, second.status, second.headers['idempotent-replayed']]).toEqual([200, 200, 'true'])
    expect([second.body.data.id, inStore(app)]).toEqual([first.body.data.id, before + 1])
  })

  test('sent twice concurrently with one key creates one campaign', async () => {
    const count = async () => (await app.db.selectFrom('projects').select('id').execute()).length
    const before = await count()
    const key = { 'idempotency-key': 'both-at-once' }
    const answers = await Promise.all([send(form(), [['a.png', PNG]], key), send(form(), [['a.png', PNG]], key)])
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
    expect(await count()).toBe(before + 1)
  })
})

describe('an invalid older request', () => {
  test('is refused with every field’s error at once, in the specification’s words, before a file is stored', async () => {
    const before = [await everything(app), inStore(app)]
    const answer = await send({ client_id: app.client.id, gender: '-1' }, [['a.png', PNG]])
    expect([answer.status, answer.body.fields]).toEqual([
      422,
      {
        campaign_name: 'Project Name cannot be blank',
        start_date: 'Project Start Date cannot be blank',
        num_completed_actions: 'Project Goal cannot be blank',
        age_range: 'Please choose at least one age',
        gender: 'Please choose at least one gender',
        targeted_location: 'Please choose at least one target market',
      },
    ])
    expect([await everything(app), inStore(app)]).toEqual(before)
  })

  test.each([
    ['num_completed_actions', '', 'Project Goal cannot be blank'],
    ['num_completed_actions', '1.5', 'num_completed_actions must be a positive whole number'],
    ['num_completed_actions', '0x10', 'num_completed_actions must be a positive whole number'],
    ['num_completed_actions', '1e3', 'num_completed_actions must be a positive whole number. Write 1000 if you mean 1,000'],
    [
      'targeted_location',
      '1',
      'targeted_location has a value that is not a market area: 1. Accepted: DMA codes, such as 501 (New York)',
    ],
    ['survey_url', 'survey', 'survey_url must be a web address (https://…)'],
    ['location_based_ind', 'maybe', 'location_based_ind must be yes or no'],
    ['loi_minutes', '181', 'Length of interview is between 1 and 180 minutes'],
    ['incidence', '0', 'Incidence is between 1 and 100 %'],
    ['client_id', '424242', 'client_id is not a client of yours: 424242'],
    ['start_date', '2026-02-30', 'start_date is not a date (YYYY-MM-DD)'],
  ])('is refused by name: %s %j', async (field, value, sentence) => {
    const answer = await send({ ...form(), [field]: value })
    expect([answer.status, answer.body.fields]).toEqual([422, { [field]: sentence }])
  })

  test('needs a survey file or address', async () => {
    const bare = without('survey_url')
    const answer = await send(bare)
    const sentence = 'Please upload a File or add a URL to the survey Project'
    expect([answer.status, answer.body.fields]).toEqual([422, { survey_url: sentence }])
    expect((await send(bare, [['list.csv', Buffer.from('a,b')]])).status).toBe(200)
  })

  test('must start before its end, and not before its parent', async () => {
    const early = await send({ ...form(), end_date: addDays(start(), -1) })
    expect([early.status, early.body.fields]).toEqual([422, { start_date: 'Start Date has to be before End Date.' }])
    const parent = await app.make.project({
      client_id: app.client.id,
      generation: 'campaign',
      start_dt: '2031-03-04',
      end_dt: '2031-03-20',
    })
    const answer = await send({ ...form(), parent_id: parent.id })
    const sentence = 'Start Date cant be before Star Date from Parent Campaign. (03/04/2031)'
    expect([answer.status, answer.body.fields]).toEqual([422, { start_date: sentence }])
  })

  test('names what is wrong with a file, and stores nothing', async () => {
    const before = [await everything(app), inStore(app)]
    const large = await send(form(), [['a.csv', Buffer.alloc(UPLOAD_LIMIT, 'a')]])
    expect([large.status, large.body.fields]).toEqual([422, { files: 'File must be smaller than 10 MB' }])
    const wrong = await send(form(), [['tool.exe', Buffer.from('MZ')]])
    expect([wrong.status, wrong.body.fields.files]).toEqual([
      422,
      expect.stringContaining('Invalid file type.  File must be one of'),
    ])
    expect([await everything(app), inStore(app)]).toEqual(before)
  })

  test('accepts a file one byte below ten megabytes', async () => {
    expect((await send(form(), [['a.csv', Buffer.alloc(UPLOAD_LIMIT - 1, 'a')]])).status).toBe(200)
  })

  test('below another client’s parent is a 404, as if it didn’t exist', async () => {
    const other = await app.make.project({ client_id: (await app.make.client()).id })
    expect((await send({ ...form(), parent_id: other.id })).status).toBe(404)
  })
})

describe('expected length and incidence', () => {
  test('are accepted and returned by the newer request and both editors', async () => {
    const { id } = await app.make.project({ client_id: app.client.id })
    const admin = app.as('admin')
    await admin.call('project.edit', { id, loi_minutes: 9, incidence: 31 })
    expect((await admin.call('project.get', { id })).body.data).toMatchObject({ loi_minutes: 9, incidence: 31 })
    await admin.call('campaign.edit', { id, loi_minutes: null })
    expect((await admin.call('campaign.get', { id })).body.data).toMatchObject({ loi_minutes: null, incidence: 31 })
    const wrong = await admin.call('project.edit', { id, incidence: 101 })
    expect([wrong.status, wrong.body.fields]).toEqual([422, { incidence: 'Incidence is between 1 and 100 %' }])
  })
})
