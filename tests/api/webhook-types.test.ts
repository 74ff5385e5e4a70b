import { beforeAll, describe, expect, test } from 'vitest'
import { type CallId, calls } from '../../contract/calls.ts'
import { readOfNoun, webhookNouns, webhookTypes } from '../../contract/webhookNouns.ts'
import { type Maker, sendExample, WRITE_EXAMPLES } from '../support/writeExamples.ts'
import { type Arrived, type Receiver, receiver } from './receiver.ts'
import { type Fieldwork, fieldwork } from './support.ts'
import { testAll } from './wrong.ts'

let app: Fieldwork
let target: Receiver
const admin = () => app.as('admin')
beforeAll(async () => {
  app = await fieldwork({ WEBHOOK_INSIDE: '127.0.0.0/8' })
  target = await receiver()
  const made = await admin().call('webhook.create', { name: 'All', url: target.url, nouns: [...webhookNouns] })
  expect(made.status, made.text).toBe(200)
})
const lastEvent = async () => {
  const row = await app.db
    .selectFrom('events')
    .select((eb) => eb.fn.max('id').as('id'))
    .executeTakeFirst()
  return Number(row?.id ?? 0)
}
/** Sends a call and waits for the first message of a type that it makes. */
async function heard(type: string, send: () => Promise<unknown>): Promise<Arrived['body']> {
  const from = await lastEvent()
  await send()
  const [message] = await target.heard(({ body }) => body.type === type && Number(body.sequence) > from)
  return message!.body
}
const readOf = async (noun: string, id: number) => {
  const answer = await admin().call(readOfNoun(noun) as 'project.get', { id })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data as unknown as Record<string, unknown>
}

/** TABLE  a call that creates a record of each noun. */
const CREATED_BY: Readonly<Record<string, CallId>> = {
  ...{ quota: 'quota.create', entryLink: 'entryLink.create' },
  ...{ project: 'project.create', client: 'client.create', user: 'user.invite', partner: 'partner.create', team: 'team.create' },
  ...{ survey: 'survey.create', question: 'question.create', activity: 'activity.create', note: 'note.create' },
  message: 'message.send',
  ...{ file: 'file.upload', content: 'content.import', reward: 'reward.create', location: 'location.create' },
  ...{ group: 'group.create', brand: 'brand.create', service: 'service.create', vip: 'vip.create' },
  ...{ notification: 'notification.create' },
}
/** TABLE  other calls that create records: their message is `created` too. */
const CREATE_TOO: readonly (readonly [string, CallId])[] = [
  ...(['project.clone', 'project.createChild', 'request.create', 'campaign.create'] as const).map(
    (id) => ['project', id] as const,
  ),
  ...(['user.inviteMany', 'user.inviteOlder'] as const).map((id) => ['user', id] as const),
  ...([
    ['team', 'team.createOlder'],
    ['partner', 'partner.createOlder'],
    ['message', 'project.ask'],
    ['message', 'invitation.ask'],
  ] as const),
  ...([
    ['activity', 'activity.whole'],
    ['survey', 'activity.whole'],
    ['activity', 'activity.duplicate'],
  ] as const),
  ...([
    ['reward', 'reward.copy'],
    ['file', 'file.uploadDocument'],
    ['location', 'location.createOlder'],
  ] as const),
  ...([
    ['group', 'group.copy'],
    ['group', 'import.process'],
  ] as const),
]

describe('a message', () => {
  test('is created, updated and removed for each noun, by a call of the tables', () => {
    const nouns = [...new Set(webhookTypes.map(({ noun }) => noun))]
    expect(Object.keys(CREATED_BY).sort()).toEqual([...nouns].sort())
  })

  testAll(
    'about a record that a call makes is of the type created',
    [...Object.entries(CREATED_BY), ...CREATE_TOO].map(([noun, id]) => `${noun} ${id}`),
    async (pair) => {
      const [noun, id] = pair.split(' ') as [string, CallId]
      const body = await heard(`${noun}.created`, async () => sendExample(id, await (WRITE_EXAMPLES[id] as Maker)(app)))
      expect(body).toMatchObject({ action: id, previous: {} })
      expect(body.data.id).toBeGreaterThan(0)
    },
  )

  const EDITS = webhookNouns.filter((noun) => `${noun}.edit` in calls)
  testAll('about an edit has the values before it, as the read returned them', EDITS, async (noun) => {
    const id = `${noun}.edit` as CallId
    const example = await (WRITE_EXAMPLES[id] as Maker)(app)
    const subject = Number(example.input.id ?? example.input.note_id ?? example.input.file_id ?? example.input.location_group_id)
    const before = await readOf(noun, subject)
    const body = await heard(`${noun}.updated`, () => sendExample(id, example))
    const after = await readOf(noun, subject)
    const changed = Object.keys(example.input).filter((name) => name in after && before[name] !== after[name])
    expect(changed.length).toBeGreaterThan(0)
    expect(body.previous).toMatchObject(Object.fromEntries(changed.map((name) => [name, before[name]])))
    for (const [name, value] of Object.entries(body.previous)) expect([name, value]).toEqual([name, before[name]])
  })

  testAll(
    'about a deletion is of the type removed',
    webhookNouns.filter((noun) => `${noun}.remove` in calls),
    async (noun) => {
      const id = `${noun}.remove` as CallId
      const example = await (WRITE_EXAMPLES[id] as Maker)(app)
      const body = await heard(`${noun}.removed`, () => sendExample(id, example))
      expect(body).toMatchObject({ previous: {}, data: { id: expect.any(Number) } })
    },
  )
})

describe('a change of status', () => {
  test('of a project has both spellings of the status before it', async () => {
    const { id } = await app.make.project({ client_id: app.client.id, status: 'active' })
    const body = await heard('project.status_changed', () => admin().call('project.setStatus', { id, status: 'Paused' }))
    expect(body).toMatchObject({
      data: { id, status: 'Paused', stored_status: 'paused' },
      previous: { status: 'Active', stored_status: 'active' },
    })
    const undone = (await app.db.selectFrom('change_sets').select('id').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow())
      .id
    const back = await heard('project.status_changed', () => admin().call('undo.take', { id: undone }))
    expect(back.previous).toMatchObject({ status: 'Paused', stored_status: 'paused' })
  })

  test.each(['brand', 'service'] as const)('of a %s', async (noun) => {
    const brand = await app.make.brand()
    const { id } = noun === 'brand' ? brand : await app.make.service({ brand_id: brand.id, start_dt: '2024-01-01' })
    const body = await heard(`${noun}.status_changed`, () => admin().call(`${noun}.edit`, { id, status: 'inactive' }))
    expect(body.previous).toEqual({ status: 'active' })
  })

  test('of a user who accepts an invitation, of reviewed content, and of a notification that is sent', async () => {
    const joined = await heard('user.status_changed', async () =>
      sendExample('session.register', await WRITE_EXAMPLES['session.register'](app)),
    )
    expect(joined).toMatchObject({ data: { status: 'active' }, previous: { status: 'invited' } })
    const reviewed = await heard('content.status_changed', async () =>
      sendExample('content.review', await WRITE_EXAMPLES['content.review'](app)),
    )
    expect(reviewed.previous).toMatchObject({ review: 'open' })
    const sent = await heard('notification.status_changed', async () => {
      await sendExample('notification.send', await WRITE_EXAMPLES['notification.send'](app))
      app.services.now = () => new Date(Date.now() + 60_000)
      app.services.jobs.wake()
    })
    expect(sent.data).toMatchObject({ sent_at: expect.any(String) })
  })
})

test('every field that a project’s edit changes has its former value, under the name that the edit takes', async () => {
  const { id } = await app.make.project({ client_id: app.client.id, status: 'requirements', ordered: 100 })
  const before = await readOf('project', id)
  const edit = {
    ...{ name: 'Renamed', goal: 250, start_dt: '2027-01-04', end_dt: '2027-02-01', loi_minutes: 9, incidence: 40 },
    ...{ survey_url: 'https://survey.test/next', description: 'More' },
  }
  const body = await heard('project.updated', () => admin().call('project.edit', { id, ...edit }))
  expect(body.previous).toMatchObject(Object.fromEntries(Object.keys(edit).map((name) => [name, before[name]])))
})

test('of a client user has no former values, which they may not have seen', async () => {
  const own = await receiver()
  const made = await app.as('client').call('webhook.create', { name: 'Theirs', url: own.url, nouns: ['project'] })
  expect(made.status).toBe(200)
  const { id } = await app.make.project({ client_id: app.client.id, status: 'active' })
  await admin().call('project.setStatus', { id, status: 'Paused' })
  const [message] = await own.heard(({ body }) => body.data.id === id)
  expect(message!.body).toMatchObject({ type: 'project.status_changed', action: null, previous: {} })
})

test('the live stream of a workspace has no former values', async () => {
  const { id } = await app.make.client({ name: 'Before' })
  const from = await lastEvent()
  await admin().call('client.edit', { id, name: 'After' })
  const event = (await app.services.live.since(from)).find(({ noun }) => noun === 'client')
  expect(event).toMatchObject({ subject_id: id })
  expect(event).not.toHaveProperty('before')
})
