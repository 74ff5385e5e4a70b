import { beforeAll, describe, expect, test } from 'vitest'
import { type Fieldwork, fieldwork, type Person } from './support.ts'

// Who follows a project: owners and requesters by themselves, and others who choose to.

let app: Fieldwork
let other: Person
let otherId = 0
beforeAll(async () => {
  app = await fieldwork()
  const user = await app.make.user({ role: 'admin', first_name: 'Olga', last_name: 'Other' })
  otherId = user.id
  other = await app.signIn(user)
})
const admin = () => app.as('admin')
const client = () => app.as('client')
const project = async (more: object = {}) => (await app.make.project({ client_id: app.client.id, ...more })).id
const follows = async (person: Person, id: number) => (await person.call('project.get', { id })).body.data.follows
const followers = async (id: number) =>
  (await admin().call('project.followers', { id })).body.data.map(({ user_id, why }) => [user_id, why])
const follow = (person: Person, id: number, on = true) => person.call('project.follow', { id, follows: on })

describe('a project', () => {
  test('is followed by its owner and its requester without a word', async () => {
    const id = await project({ owner_id: app.admin.id, requested_by: app.member.id })
    expect(await Promise.all([admin(), client(), other].map((person) => follows(person, id)))).toEqual([true, true, false])
    expect(await followers(id)).toEqual([
      [app.admin.id, 'owner'],
      [app.member.id, 'requester'],
    ])
  })

  test('changes followers with its owner', async () => {
    const id = await project({ owner_id: app.admin.id })
    await admin().call('project.setOwner', { id, owner_id: otherId })
    expect(await followers(id)).toEqual([[otherId, 'owner']])
  })

  test('is followed by whoever chooses to, in rows of both generations, once, and undone', async () => {
    const id = await project({ name: 'Followed newer' })
    const older = await project({ name: 'Followed older', generation: 'campaign' })
    const done = await follow(client(), id)
    expect([done.status, done.body.message]).toEqual([200, '“Followed newer” is followed.'])
    expect((await follow(client(), id)).body.message).toBe('You follow it already.')
    await follow(client(), older)
    const rows = (await client().call('project.list', { search: 'Followed', generation: 'any' })).body.data
    expect(rows.map((row) => row.follows)).toEqual([true, true])
    const campaigns = (await client().call('campaign.list', { search: 'Followed' })).body.data.campaigns
    expect(campaigns.map((row) => row.follows)).toEqual([true])
    expect(await follows(other, id)).toBe(false)
    await client().call('undo.take', { id: Number(done.headers['x-undo']) } as never)
    expect(await follows(client(), id)).toBe(false)
    expect(await followers(id)).toEqual([])
  })

  test('isn’t followed any more by an owner or requester who says so, until they say otherwise', async () => {
    const id = await project({ owner_id: app.admin.id, requested_by: app.member.id })
    await follow(client(), id, false)
    await follow(admin(), id, false)
    expect(await followers(id)).toEqual([])
    expect((await follow(admin(), id, false)).body.message).toBe('You don’t follow it.')
    await follow(admin(), id)
    expect(await followers(id)).toEqual([[app.admin.id, 'owner']])
  })

  test('is followed only by who may see it, whenever that ends', async () => {
    const elsewhere = await app.make.client()
    const hidden = (await app.make.project({ client_id: elsewhere.id })).id
    expect((await follow(client(), hidden)).status).toBe(404)
    expect((await follow(app.as('stranger'), hidden)).status).toBe(401)
    const id = await project()
    await follow(client(), id)
    expect(await followers(id)).toEqual([[app.member.id, 'chosen']])
    await app.db.updateTable('projects').set({ client_id: elsewhere.id }).where('id', '=', id).execute()
    expect(await followers(id)).toEqual([])
  })

  test('tells administrators alone who follows it', async () => {
    const id = await project()
    await follow(other, id)
    expect((await client().call('project.followers', { id })).status).toBe(403)
    const lines = async (person: Person) =>
      (await person.call('project.history', { id } as never)).body.data.map((line) => (line as { action: string }).action)
    expect(await lines(admin())).toContain('project.follow')
    expect(await lines(client())).not.toContain('project.follow')
  })

  test('isn’t followed by a dry run, nor twice by two requests at once', async () => {
    const id = await project()
    await admin().call('project.follow', { id, follows: true, dry: 1 } as never)
    expect(await followers(id)).toEqual([])
    const both = await Promise.all([follow(admin(), id), follow(admin(), id)])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(await followers(id)).toEqual([[app.admin.id, 'chosen']])
  })
})
