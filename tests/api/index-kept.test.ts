import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { ANONYMOUS } from '../../server/core/caller.ts'
import type { Caller } from '../../server/core/context.ts'
import { asSystem } from '../../server/core/unitOfWork.ts'
import { type Database, transact } from '../../server/db/connect.ts'
import { type Entry, findable, sourceOf } from '../../server/search-index/sources.ts'
import { anotherConnection, type Fieldwork, fieldwork, type Person } from './support.ts'

// The palette's index is kept for administrators: whatever is written, by whomever, the next reader must see it.
let app: Fieldwork
let other: Database
let second: Person
let secondUser: { id: number }
const made = { project: 0, survey: 0, client: 0, group: 0, brand: 0 }

/** Everything a user finds, read without what is kept, which transactions never use. */
function uncached(user: { id: number; role: 'admin' | 'client' }): Promise<Entry[]> {
  const caller: Caller = { ...ANONYMOUS, user: user as never, actor: { id: user.id, role: user.role, admin_id: null } }
  return asSystem(app.services, 'test', caller, async (ctx) => {
    const all: Entry[] = []
    for (const noun of findable(ctx)) all.push(...(await sourceOf(noun).rows(ctx, { before: 2 ** 31 - 1 })))
    return all
  })
}
const sorted = (entries: readonly Entry[]) => entries.map((entry) => JSON.stringify(entry)).sort()

async function expectFresh(): Promise<void> {
  for (const [who, user] of [
    [app.as('admin'), app.admin],
    [second, { ...secondUser, role: 'admin' }],
    [app.as('client'), app.member],
  ] as const)
    expect(sorted((await who.call('palette.index')).body.put as Entry[]), String(user.id)).toEqual(
      sorted(await uncached(user as never)),
    )
}

beforeAll(async () => {
  app = await fieldwork()
  other = anotherConnection(app)
  const user = await app.make.user({ role: 'admin', email: 'second@fieldwork.test' })
  secondUser = user
  second = await app.signIn(user)
  made.client = (await app.make.client({ name: 'Leaving Foods' })).id
  made.project = (await app.make.project({ client_id: made.client, status: 'rejected' })).id
  made.survey = (await app.make.survey({ project_id: made.project })).id
  made.group = (await app.make.group({ client_id: app.client.id })).id
  made.brand = (await app.make.brand()).id
  await app.make.service({ brand_id: made.brand })
  await app.make.project({ client_id: app.client.id })
  await app
    .as('admin')
    .call('location.create', { name: 'Store 1', address: '1 Main St', city: 'Austin', state: 'TX', zip: '78701' } as never)
  await app.as('admin').call('view.create', { screen: 'allProjects', name: 'Mine alone', query: '' })
})

describe('the kept index is never stale', () => {
  // Each test leaves the index kept, for the next one.
  beforeAll(expectFresh)

  test('a second reading is what is kept, and holds no other administrator’s own records', async () => {
    const { put } = (await second.call('palette.index')).body
    expect(put.some(([kind]) => kind === 'view')).toBe(false)
    expect((await app.as('admin').call('palette.index')).body.put.filter(([kind]) => kind === 'view')).toHaveLength(1)
  })

  test('compressed as well, with the caller’s own after what is shared', async () => {
    const { put } = (await app.as('admin').call('palette.index')).body
    const { headers } = app.as('admin')
    const answer = await app.app.inject({
      url: '/v3/portal/palette/index',
      headers: { ...headers, 'accept-encoding': 'br, gzip' },
    })
    expect(answer.headers['content-encoding']).toBe('gzip')
    const text = gunzipSync(answer.rawPayload).toString()
    expect(JSON.parse(text).put).toEqual(put)
    expect(text.trimEnd().split('\n')).toHaveLength(put.length + 2)
  })

  test('only what changed is read again', async () => {
    const rows = vi.spyOn(sourceOf('project'), 'rows')
    await second.call('palette.index')
    expect(rows).not.toHaveBeenCalled()
    await app.as('admin').call('project.edit', { id: made.project, name: 'Read again' })
    const { put } = (await second.call('palette.index')).body
    expect(rows.mock.calls.map(([, which]) => which)).toEqual([{ ids: [made.project] }])
    expect(put.find(([kind, id]) => kind === 'project' && id === made.project)?.[2]).toBe('Read again')
    rows.mockRestore()
  })

  test.each<[string, () => Promise<{ status: number }>]>([
    [
      'a new project',
      () =>
        app.as('admin').call('project.create', { name: 'Newest', client_id: app.client.id, goal: 5, start_dt: app.make.today() }),
    ],
    ['a renamed client', () => app.as('admin').call('client.edit', { id: app.client.id, name: 'Acme Reborn' })],
    ['a deleted project, whose survey goes with it', () => app.as('admin').call('project.remove', { id: made.project })],
    ['a restored project', () => app.as('admin').call('project.restore', { id: made.project })],
    ['a renamed brand', () => app.as('admin').call('brand.edit', { id: made.brand, name: 'Corner Tea' })],
    ['a renamed user', () => app.as('admin').call('user.edit', { id: app.member.id, first_name: 'Renamed' })],
    ['a deleted client', () => app.as('admin').call('client.remove', { id: made.client })],
    ['another’s view', () => second.call('view.create', { screen: 'allProjects', name: 'Theirs', query: '' })],
  ])('after %s', async (_what, write) => {
    const { status, body } = (await write()) as { status: number; body?: unknown }
    expect(status, JSON.stringify(body)).toBe(200)
    await expectFresh()
  })

  test.each([
    ['a name', () => `update projects set name = 'Zulu' where id = ${made.project}`],
    ['a status', () => `update projects set status = 'completed' where id = ${made.project}`],
    ['a survey', () => `update surveys set deleted_at = '2026-01-01' where id = ${made.survey}`],
    ['places', () => `update places set city = 'Elsewhere'`],
    [
      'a user’s client',
      () => `insert into user_clients (user_id, client_id) select ${app.member.id}, id from clients where name = 'Leaving Foods'`,
    ],
    ['no users of it', () => `delete from user_clients where client_id = ${made.client}`],
    ['a group', () => `delete from location_groups where id = ${made.group}`],
  ])('after another process wrote %s without an event', async (_what, statement) => {
    await transact(other, (tx) => sql.raw(statement()).execute(tx))
    await expectFresh()
  })
})
