import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { Input } from '../../contract/calls.ts'
import { type Receiver, receiver } from './receiver.ts'
import { type Fieldwork, fieldwork, type Person } from './support.ts'
import { upload } from './uploading.ts'

let app: Fieldwork
let target: Receiver
beforeAll(async () => {
  app = await fieldwork({ WEBHOOK_INSIDE: '127.0.0.0/8' })
  target = await receiver()
})
let serial = 0

/** A user who sees a project of a client, by a team or without one. */
interface World {
  user: { id: number; email: string }
  client: number
  project: number
  team: number
  byTeam: boolean
  /** In every copy, and in nothing else that the user reads. */
  secret: string
}
async function world(role: 'admin' | 'client', byTeam = false): Promise<World> {
  const secret = `Secret tracker ${++serial}`
  const { id: client } = await app.make.client()
  const user = await app.make.user(role === 'admin' ? { role } : { role, clients: [client] })
  const { id: team } = await app.make.team({ client_id: client, ...(byTeam ? { users: [user.id] } : {}) } as never)
  const { id: project } = await app.make.project({ client_id: client, name: secret, status: 'active' })
  if (byTeam)
    await app.write(async (tx) => {
      const [own] = await tx.selectFrom('team_users').selectAll().where('team_id', '=', team).execute()
      const made = { added_by: null, added_at: null }
      if (!own)
        await tx
          .insertInto('team_users')
          .values({ team_id: team, user_id: user.id, ...made })
          .execute()
      await tx
        .insertInto('team_projects')
        .values({ team_id: team, project_id: project, ...made })
        .execute()
    })
  return { user, client, project, team, byTeam, secret }
}

/** TABLE  how a user loses a record, and who they were. */
const LOSSES: Record<string, { as: 'admin' | 'client'; byTeam?: true; lose(at: World): Promise<unknown> }> = {
  'an administrator becomes a client user of another client': {
    as: 'admin',
    lose: async ({ user }) => {
      const { id } = await app.make.client()
      await app.write(async (tx) => {
        await tx.updateTable('users').set({ role: 'client' }).where('id', '=', user.id).execute()
        await tx.insertInto('user_clients').values({ user_id: user.id, client_id: id }).execute()
      })
    },
  },
  'a client user leaves the client': {
    as: 'client',
    lose: ({ user }) => app.write((tx) => tx.deleteFrom('user_clients').where('user_id', '=', user.id).execute()),
  },
  'a client user leaves the team': {
    as: 'client',
    byTeam: true,
    lose: ({ user }) => app.write((tx) => tx.deleteFrom('team_users').where('user_id', '=', user.id).execute()),
  },
  'the project goes to another client': {
    as: 'client',
    lose: async ({ project }) => {
      const { id } = await app.make.client()
      return app.write((tx) => tx.updateTable('projects').set({ client_id: id }).where('id', '=', project).execute())
    },
  },
  'the project is deleted': {
    as: 'client',
    lose: ({ project }) =>
      app.write((tx) =>
        tx.updateTable('projects').set({ deleted_at: '2026-01-01T00:00:00.000Z' }).where('id', '=', project).execute(),
      ),
  },
}

/** A file that a user uploads to the project: its name and content are the secret. */
const sentTo = (who: Person, { project, secret }: World, headers: Record<string, string> = {}) =>
  upload(
    who,
    [[`${secret}.txt`, Buffer.from(secret)]],
    { project_id: project, asset_type: 'Creative Assets' },
    '/v3/portal/files',
    headers,
  )

const settledJob = async (id: number) => void (await app.services.jobs.settled(id, 15_000))
type Reading = (who: Person) => Promise<string>

/** TABLE  kinds of stored copies: making one, and every way of reading it, as one text. */
const COPIES: Record<string, (who: Person, at: World) => Promise<Reading>> = {
  'the body of a webhook’s message': async (who, { project, secret }) => {
    const made = await who.call('webhook.create', { name: 'Board', url: target.url, nouns: ['project'] } as never)
    await app.as('admin').call('project.edit', { id: project, description: 'Changed' })
    await target.heard(({ body }) => body.data.name === secret)
    const { id } = await vi.waitFor(async () => {
      const rows = await app.db
        .selectFrom('webhook_deliveries')
        .select(['id', 'status'])
        .where('webhook_id', '=', made.body.data.id)
        .execute()
      expect(rows[0]?.status).toBe('delivered')
      return rows[0]!
    })
    return async (reader) =>
      (await reader.call('delivery.get', { id })).text +
      (await reader.call('delivery.list', { webhook_id: made.body.data.id })).text
  },
  'the response of a repeated write': async (who, at) => {
    const key = { 'idempotency-key': `once-for-all-${++serial}` }
    const send = (by: Person) => sentTo(by, at, key)
    expect((await send(who)).status).toBe(200)
    const note = { project_id: at.project, note: `About ${at.secret}` }
    const noted = { 'idempotency-key': `note-once-${++serial}` }
    await who.call('note.create', note, noted)
    return async (reader) => (await send(reader)).text + (await reader.call('note.create', note, noted)).text
  },
  'the response of a repeated request': async (who, at) => {
    // Who asked for a project sees it without a team, too.
    if (at.byTeam) return async (reader) => (await reader.call('project.get', { id: at.project })).text
    const key = { 'idempotency-key': `request-once-${++serial}` }
    const form: Partial<Input<'request.create'>> = {
      ...{ client_id: at.client, name: at.secret, goal: 10, start_dt: app.make.today(), activity_type: 'survey' as const },
      ...{ url: 'https://survey.test/1', location_based: 'yes' as const, age: ['2'], gender: ['male'] },
    }
    const send = (by: Person) => by.call('request.create', form, key)
    const made = await send(who)
    expect(made.status, made.text).toBe(200)
    at.project = made.body.data.id
    return async (reader) => (await send(reader)).text
  },
  'an export and its job': async (who, { project }) => {
    const started = await who.call('export.start', { source: 'userResponses', filter: { project_id: project } } as never)
    expect(started.status, started.text).toBe(200)
    const { id } = started.body.data
    await settledJob(id)
    const download = (await who.call('job.get', { id })).body.data.download
    return async (reader) => {
      const texts = [
        (await reader.call('job.get', { id })).text,
        (await reader.call('job.list', { search: 'Secret' } as never)).text,
        (await reader.call('job.list', {})).text,
        (await reader.call('job.link', { id })).text,
        download ? (await app.as('stranger').raw('GET', download)).headers['content-disposition'] : '',
      ]
      return texts.join('\n')
    }
  },
  'a job that failed': async (who, { project }) => {
    const { body } = await who.call('export.start', { source: 'userResponses', filter: { project_id: project } } as never)
    const { id } = body.data
    await settledJob(id)
    await app.write((tx) =>
      tx.updateTable('jobs').set({ status: 'failed', result: '{}', error: 'No room' }).where('id', '=', id).execute(),
    )
    return async (reader) => (await reader.call('job.get', { id })).text + (await reader.call('job.list', {})).text
  },
  'a document by a link signed before': async (who, at) => {
    const { id } = (await sentTo(who, at)).body.data[0]!
    const { url } = (await who.call('file.link', { id })).body.data
    return async (reader) =>
      [
        (await app.as('stranger').raw('GET', url)).text,
        (await reader.raw('GET', url)).text,
        (await reader.call('file.link', { id })).text,
        (await reader.call('file.assets', { project_id: at.project } as never)).text,
      ].join('')
  },
  'an undo step': async (who, at) => {
    const id = Number((await sentTo(who, at)).headers['x-undo'])
    expect(id).toBeGreaterThan(0)
    return async (reader) => {
      const taken = await reader.call('undo.take', { id })
      if (taken.status !== 200) return taken.text
      expect((await reader.call('undo.redo', { id })).status).toBe(200)
      return `${taken.text} ${at.secret}`
    }
  },
  'the backlog of the search index': async (_who, { project, secret }) => {
    const since = await app.services.live.last()
    await app.as('admin').call('project.edit', { id: project, name: `${secret} renamed` })
    return async (reader) => (await reader.call('palette.index', { since })).text + (await reader.call('palette.index', {})).text
  },
}

describe.each(Object.entries(LOSSES))('once %s', (_loss, { as, byTeam, lose }) => {
  test.each(Object.entries(COPIES))('%s is as closed as the record', async (_copy, make) => {
    const at = await world(as, byTeam)
    const who = await app.signIn(at.user)
    const read = await make(who, at)
    expect(await read(who)).toContain(at.secret)
    await lose(at)
    const after = await app.signIn(at.user)
    expect((await after.call('project.get', { id: at.project })).status).toBe(404)
    expect(await read(after)).not.toContain(at.secret)
  })
})

test('a message that was sent to an administrator isn’t shown to the client user they became, who sees its record', async () => {
  const at = await world('admin')
  const who = await app.signIn(at.user)
  const read = await COPIES['the body of a webhook’s message']!(who, at)
  expect(await read(who)).toContain('"hidden":false')
  await app.write(async (tx) => {
    await tx.updateTable('users').set({ role: 'client' }).where('id', '=', at.user.id).execute()
    await tx.insertInto('user_clients').values({ user_id: at.user.id, client_id: at.client }).execute()
  })
  const after = await app.signIn(at.user)
  expect((await after.call('project.get', { id: at.project })).status).toBe(200)
  const text = await read(after)
  expect(text).toContain('"hidden":true')
  expect(text).not.toContain('project.edit')
})

test('a repeated write whose record is seen still gets its response', async () => {
  const at = await world('client')
  const who = await app.signIn(at.user)
  const key = { 'idempotency-key': `once-for-all-${++serial}` }
  const first = await sentTo(who, at, key)
  const again = await sentTo(who, at, key)
  expect([again.status, again.body.data.map(({ id }) => id), again.headers['idempotent-replayed']]).toEqual([
    200,
    first.body.data.map(({ id }) => id),
    'true',
  ])
})

test('a limit names only clients that its owner sees now', async () => {
  const at = await world('client')
  const who = await app.signIn(at.user)
  const name = (await app.db.selectFrom('clients').select('name').where('id', '=', at.client).executeTakeFirstOrThrow()).name
  const made = await who.call('webhook.create', {
    name: 'Board',
    url: target.url,
    nouns: ['project'],
    clients: [at.client],
  } as never)
  const { id } = made.body.data
  expect((await who.call('webhook.get', { id })).text).toContain(name)
  await LOSSES['a client user leaves the client']!.lose(at)
  expect((await (await app.signIn(at.user)).call('webhook.get', { id })).text).not.toContain(name)
})
