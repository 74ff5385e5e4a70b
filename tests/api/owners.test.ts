import { beforeAll, describe, expect, test } from 'vitest'
import { exported } from './exporting.ts'
import { type Fieldwork, fieldwork } from './support.ts'

// Who looks after a project: in the lists of both generations, their filters, their order and their files.

let app: Fieldwork
const ids: Record<'mine' | 'theirs' | 'nobodys' | 'older' | 'requested', number> = {
  ...{ mine: 0, theirs: 0, nobodys: 0, older: 0, requested: 0 },
}
let other: { id: number; first_name: string; last_name: string }
const admin = () => app.as('admin')
const client = () => app.as('client')
const search = 'Ownership'

beforeAll(async () => {
  app = await fieldwork()
  other = await app.make.user({ role: 'admin', first_name: 'Aaron', last_name: 'Abbot' })
  const make = async (name: string, more: object) =>
    (await app.make.project({ client_id: app.client.id, name: `${search} ${name}`, ...more })).id
  const me = app.admin.id
  ids.mine = await make('mine', { owner_id: me })
  ids.theirs = await make('theirs', { owner_id: other.id })
  ids.nobodys = await make('nobodys', { owner_id: null })
  ids.requested = await make('requested', { owner_id: other.id, requested_by: app.member.id })
  ids.older = await make('older', { owner_id: other.id, generation: 'campaign' })
})

const listed = async (input: object) => {
  const { status, body, text } = await admin().call('project.list', { search, generation: 'any', ...input } as never)
  expect(status, text).toBe(200)
  return body.data.map((row) => row.id)
}

describe('the owner of a project', () => {
  test('is in the rows of both generations, for administrators', async () => {
    const rows = (await admin().call('project.list', { search, generation: 'any' })).body.data
    const ownerOf = (id: number) => rows.find((row) => row.id === id)!.owner
    expect(ownerOf(ids.theirs)).toEqual({ id: other.id, name: 'Aaron Abbot' })
    expect(ownerOf(ids.nobodys)).toBeNull()
    const older = (await admin().call('campaign.list', { search })).body.data.campaigns
    expect(older.map((row) => row.owner)).toEqual([{ id: other.id, name: 'Aaron Abbot' }])
    const one = (await admin().call('project.get', { id: ids.theirs })).body.data
    expect([one.owner_id, one.owner]).toEqual([other.id, { id: other.id, name: 'Aaron Abbot' }])
    const brief = (await admin().call('project.list', { search, brief: true })).body.data
    expect(brief.find((row) => row.id === ids.theirs)!.owner).toEqual({ id: other.id, name: 'Aaron Abbot' })
  })

  test('filters by person, the caller and nobody', async () => {
    expect(await listed({ owner_id: 'me' })).toEqual([ids.mine])
    expect(await listed({ mine: true })).toEqual([ids.mine])
    expect(await listed({ owner_id: 'nobody' })).toEqual([ids.nobodys])
    expect((await listed({ owner_id: other.id })).sort()).toEqual([ids.theirs, ids.requested, ids.older].sort())
    const older = (await admin().call('campaign.list', { search, owner_id: other.id })).body.data.campaigns
    expect(older.map((row) => row.id)).toEqual([ids.older])
    const wrong = await admin().call('project.list', { owner_id: 'them' } as never)
    expect([wrong.status, wrong.text]).toEqual([
      422,
      expect.stringContaining('owner_id is the ID of an administrator, me or nobody'),
    ])
  })

  test('sorts by name, with nobody last both ways', async () => {
    await app.make.project({ client_id: app.client.id, name: `${search} unowned`, owner_id: null })
    const names = async (order: 'asc' | 'desc') =>
      (await admin().call('project.list', { search, generation: 'any', column: 'owner', order })).body.data.map(
        (row) => row.owner?.name ?? '',
      )
    const me = (await admin().call('project.get', { id: ids.mine })).body.data.owner!.name
    expect(await names('asc')).toEqual(['Aaron Abbot', 'Aaron Abbot', 'Aaron Abbot', me, '', ''])
    expect(await names('desc')).toEqual([me, 'Aaron Abbot', 'Aaron Abbot', 'Aaron Abbot', '', ''])
  })

  test('is nobody once they are no administrator any more, and the cached lists notice', async () => {
    const gone = await app.make.user({ role: 'admin', first_name: 'Gone', last_name: 'Gander' })
    const { id } = await app.make.project({ client_id: app.client.id, name: `${search} left`, owner_id: gone.id })
    expect(await listed({ owner_id: 'nobody' })).not.toContain(id)
    await app.db.updateTable('users').set({ role: 'client' }).where('id', '=', gone.id).execute()
    expect(await listed({ owner_id: 'nobody' })).toContain(id)
    expect((await admin().call('project.get', { id })).body.data.owner).toBeNull()
  })

  test('isn’t shown to client users, who see whom to ask, and whose own projects are those that they requested', async () => {
    const rows = (await client().call('project.list', { search, generation: 'any' })).body.data
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.every((row) => row.owner === null)).toBe(true)
    expect((await client().call('project.list', { search, mine: true })).body.data.map((row) => row.id)).toEqual([ids.requested])
    expect((await client().call('project.list', { owner_id: other.id })).status).toBe(422)
    expect((await client().call('project.list', { column: 'owner' })).status).toBe(422)
  })

  test('is in the files that administrators export, and not in those of client users', async () => {
    const read = async (who: typeof admin) => (await exported(app, who(), 'projects', { search })).text
    expect((await read(admin)).split('\n')[0]).toContain('Client,Owner,')
    expect(await read(admin)).toContain('Aaron Abbot')
    const own = await read(client)
    expect([own.split('\n')[0]!.includes('Owner'), own.includes('Aaron Abbot')]).toEqual([false, false])
    const input = { source: 'projects', filter: {}, columns: ['name', 'owner'] } as const
    const refused = await client().call('export.start', input as never)
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('this export has no owner')])
  })

  test('is the owner of the request in feasibility, too', async () => {
    const { id } = await app.make.project({ client_id: app.client.id, name: 'Feasible', status: 'pricing', owner_id: other.id })
    const read = async (more: object) =>
      (await admin().call('campaign.requestList', { search: 'Feasible', ...more })).body.data.campaigns
    expect((await read({})).map((row) => [row.id, row.channel?.owner])).toEqual([[id, { id: other.id, name: 'Aaron Abbot' }]])
    expect(await read({ mine: true })).toEqual([])
  })
})
