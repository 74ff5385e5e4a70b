import { beforeAll, describe, expect, test } from 'vitest'
import { MESSAGES } from '../../contract/messages.ts'
import { exported } from './exporting.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')

describe('reading clients', () => {
  test('lists are for administrators', async () => {
    for (const path of [
      '/v3/portal/clients',
      '/v3/portal/clients/all',
      '/v3/portal/clients/dropdown',
      `/v3/portal/clients/${app.client.id}/users`,
      `/v3/portal/clients/${app.client.id}/teams`,
      `/v3/portal/clients/${app.client.id}/groups`,
      `/v3/portal/clients/${app.client.id}/locations_groups`,
    ]) {
      expect((await app.as('stranger').raw('GET', path)).status, path).toBe(401)
      expect((await app.as('client').raw('GET', path)).status, path).toBe(403)
      expect((await admin().raw('GET', path)).status, path).toBe(200)
    }
  })

  test('a client user sees their own client, and no other', async () => {
    const other = await app.make.client()
    expect((await app.as('client').call('client.get', { id: app.client.id })).body.data.name).toBe('Acme Beverage')
    expect((await app.as('client').call('client.get', { id: other.id })).status).toBe(404)
  })

  test('a list counts what belongs to each client, without deleted records', async () => {
    const client = await app.make.client({ name: 'Counted Foods' })
    const gone = new Date().toISOString()
    await app.make.user({ clients: [client.id] })
    await app.make.user({ clients: [client.id], deleted_at: gone })
    await app.make.team({ client_id: client.id })
    await app.make.team({ client_id: client.id, deleted_at: gone })
    await app.make.project({ client_id: client.id })
    const { data } = (await admin().call('client.list', { search: 'counted' })).body
    expect(data).toMatchObject([{ id: client.id, users_count: 1, teams_count: 1, projects_count: 1 }])
  })

  test('a client’s figures match the lists they link to, for every caller', async () => {
    const client = await app.make.client({ name: 'Figured Foods' })
    const [user, colleague, other] = await Promise.all([1, 2, 3].map(() => app.make.user({ clients: [client.id] })))
    const project = (given: object = {}) => app.make.project({ client_id: client.id, ...given })
    const parent = await project()
    await project({ parent_id: parent.id })
    await project({ parent_id: parent.id })
    await project({ generation: 'campaign' })
    await project({ deleted_at: new Date().toISOString() })
    const shut = await project()
    const alone = await project({ parent_id: shut.id })
    await app.make.team({ client_id: client.id, users: [user!.id, colleague!.id], projects: [alone.id] })
    await app.make.team({ client_id: client.id, users: [other!.id], projects: [shut.id] })
    const person = await app.signIn(user!)
    for (const [who, projects, campaigns, teams, users] of [
      [admin(), 2, 1, 2, 3],
      // One project has a team without them and a child with their team, so the child is a row of its own for them.
      [person, 2, 1, 1, 2],
    ] as const) {
      const { data } = (await who.call('client.get', { id: client.id })).body
      expect(data).toMatchObject({
        projects_count: projects,
        campaigns_count: campaigns,
        teams_count: teams,
        users_count: users,
      })
      expect((await who.call('project.listAll', { client: client.id })).body.count).toBe(projects)
      expect((await who.call('campaign.list', { client: client.id })).body.data.count).toBe(campaigns)
    }
    const ofClient = (await admin().call('project.ofClient', { client_id: client.id })).body
    expect([ofClient.count, ofClient.data.map((row) => row.generation)]).toEqual([2, ['project', 'project']])
    const { text } = await exported(app, admin(), 'clients', { search: 'Figured' }, [
      'projects_count',
      'campaigns_count',
      'teams_count',
      'users_count',
    ])
    expect(text.trimEnd().split('\r\n')[1]).toBe('2,1,2,3')
    const named = (await admin().call('client.list', { search: 'Figured', column: 'campaigns_count', order: 'desc' })).body.data
    expect(named[0]).toMatchObject({ projects_count: 2, campaigns_count: 1, teams_count: 2, users_count: 3 })
  })

  test('sort by name, ignoring case, or by a count, ten to a page', async () => {
    for (const name of ['zulu sort', 'Alpha sort', 'beta sort']) await app.make.client({ name })
    const busy = await app.make.client({ name: 'Mike sort' })
    await app.make.project({ client_id: busy.id })
    const names = async (input: object) =>
      (await admin().call('client.list', { search: 'sort', ...input })).body.data.map((client) => client.name)
    expect(await names({})).toEqual(['Alpha sort', 'beta sort', 'Mike sort', 'zulu sort'])
    expect((await names({ column: 'projects_count', order: 'desc' }))[0]).toBe('Mike sort')
    expect(await names({ per_page: 2, page: 2 })).toEqual(['Mike sort', 'zulu sort'])
  })

  test('sorting by anything else is refused by name', async () => {
    const answer = await admin().call('client.list', { column: 'password_hash' } as never)
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([422, ['column']])
  })

  test('its teams and groups come with their counts', async () => {
    const client = await app.make.client()
    const user = await app.make.user({ clients: [client.id] })
    await app.make.team({ client_id: client.id, name: 'Insights', users: [user.id] })
    const { id } = await app.make.group({ client_id: client.id, name: 'Stores' })
    expect((await admin().call('client.teams', { id: client.id })).body.data).toMatchObject([
      { name: 'Insights', client_id: client.id, users_count: 1, projects_count: 0 },
    ])
    for (const call of ['client.groups', 'client.locationGroups'] as const) {
      expect((await admin().call(call, { id: client.id })).body.data).toMatchObject([
        { id, location_group_id: id, name: 'Stores', location_name: 'Stores', locations_count: 0 },
      ])
    }
    const renamed = await admin().raw('PUT', '/v3/portal/clients/location_group/', {
      location_group_id: id,
      client_id: client.id,
      name: 'Shops',
    })
    expect(renamed.body).toMatchObject({ data: { name: 'Shops', lock_version: 2 } })
    expect((await admin().call('client.editLocationGroup', { location_group_id: id, name: '' })).body.fields).toEqual({
      name: MESSAGES.groupName,
    })
    expect(
      (await admin().call('client.editLocationGroup', { location_group_id: id, client_id: app.client.id, name: 'Taken' })).status,
    ).toBe(422)
  })
})

describe('changing clients', () => {
  test('requires a name, with the specification’s exact message', async () => {
    expect((await admin().call('client.create', {})).body.fields).toEqual({ name: MESSAGES.clientName })
    expect((await admin().call('client.edit', { id: app.client.id, name: '  ' })).body.fields).toEqual({
      name: MESSAGES.clientName,
    })
  })

  test('creating and renaming add lines of history', async () => {
    const { data } = (await admin().call('client.create', { name: 'Newcomer' })).body
    await admin().call('client.edit', { id: data.id, name: 'Newcomer Inc', lock_version: data.lock_version })
    const lines = await app.db
      .selectFrom('history')
      .select(['action', 'actor_id', 'after'])
      .where('subject', '=', 'client')
      .where('subject_id', '=', data.id)
      .orderBy('id')
      .execute()
    expect(lines).toEqual([
      { action: 'client.create', actor_id: app.admin.id, after: '{"name":"Newcomer"}' },
      { action: 'client.edit', actor_id: app.admin.id, after: '{"name":"Newcomer Inc"}' },
    ])
  })

  test('a stale rename returns 409 with both versions', async () => {
    const client = await app.make.client({ name: 'First' })
    await admin().call('client.edit', { id: client.id, name: 'Second', lock_version: 1 })
    const answer = await admin().call('client.edit', { id: client.id, name: 'Third', lock_version: 1 })
    expect(answer.body).toMatchObject({ code: 'stale', theirs: { name: 'Second' }, mine: { name: 'Third' }, clashes: ['name'] })
  })

  test('a client with active projects can’t be deleted; afterwards it is, with its teams', async () => {
    const client = await app.make.client()
    const team = await app.make.team({ client_id: client.id })
    const project = await app.make.project({ client_id: client.id })
    expect((await admin().call('client.remove', { id: client.id })).body.message).toBe('One of its projects is under way.')
    await app.write((tx) => tx.updateTable('projects').set({ status: 'completed' }).where('id', '=', project.id).execute())
    expect((await admin().raw('DELETE', `/v3/portal/clients/?id=${client.id}`)).status).toBe(200)
    expect((await admin().call('client.get', { id: client.id })).status).toBe(404)
    expect(
      (await app.db.selectFrom('teams').select('deleted_at').where('id', '=', team.id).executeTakeFirstOrThrow()).deleted_at,
    ).not.toBeNull()
  })

  test('a client user is added once, an administrator never', async () => {
    const client = await app.make.client()
    const user = await app.make.user()
    const add = (user_id: number) => admin().call('client.addUser', { client_id: client.id, user_id })
    await add(user.id)
    expect((await add(user.id)).body.message).toContain('already')
    expect((await admin().call('client.users', { id: client.id })).body.count).toBe(1)
    expect(await add(app.admin.id)).toMatchObject({ status: 422, body: { message: 'Administrators see everything already.' } })
    expect((await add(999_999)).status).toBe(404)
  })
})
