import { beforeAll, describe, expect, test } from 'vitest'
import { exported } from './exporting.ts'
import { type Fieldwork, fieldwork, type Person } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')

/** A client with three users; the team of the first has one project, and another project has no team. */
async function world() {
  const client = await app.make.client()
  const names = ['Ana', 'Ben', 'Cal']
  const [ana, ben, cal] = await Promise.all(
    names.map((first_name) => app.make.user({ clients: [client.id], first_name, last_name: 'Diaz' })),
  )
  const [shut, open] = await Promise.all(['Shut', 'Open'].map((name) => app.make.project({ client_id: client.id, name })))
  const team = await app.make.team({ client_id: client.id, name: 'West', users: [ana!.id], projects: [shut!.id] })
  return { client, ana: ana!, ben: ben!, cal: cal!, shut: shut!, open: open!, team }
}
const sees = async (person: Person) =>
  (await person.call('project.list', { generation: 'any', per_page: 100 })).body.data.map((row) => row.name).sort()
const linksOf = async (team_id: number) => ({
  users: (
    await app.db.selectFrom('team_users').select('user_id').where('team_id', '=', team_id).orderBy('user_id').execute()
  ).map((row) => row.user_id),
  projects: (
    await app.db.selectFrom('team_projects').select('project_id').where('team_id', '=', team_id).orderBy('project_id').execute()
  ).map((row) => row.project_id),
})
/** The data of a raw call's response. */
const dataOf = (answer: { body: object }) => (answer.body as { data: unknown }).data
const undone = async (answer: { headers: Record<string, unknown> }) =>
  (await admin().call('undo.take', { id: Number(answer.headers['x-undo']) })).status

describe('the effect on who sees what', () => {
  test('of adding a user: what they gain, by name, in a dry run as in the write', async () => {
    const { team, ben, shut } = await world()
    const asked = { team_id: team.id, user_id: ben.id }
    const tried = await admin().call('team.addUsers', { ...asked, dry: 1 })
    expect((await linksOf(team.id)).users).not.toContain(ben.id)
    const { body } = await admin().call('team.addUsers', asked)
    expect(body.effect).toEqual(tried.body.effect)
    expect(body).toMatchObject({
      data: { team_id: team.id, ids: [ben.id], unchanged: 0, joined: [] },
      effect: {
        gain: { users: 1, projects: 1 },
        lose: { users: 0, projects: 0 },
        rows: [{ user_id: ben.id, name: 'Ben Diaz', gains: [{ id: shut.id, name: 'Shut' }], loses: [] }],
      },
    })
    expect(await sees(await app.signIn(ben))).toEqual(['Open', 'Shut'])
  })

  test('of linking a project without a team: everybody else loses it', async () => {
    const { team, open } = await world()
    const { body } = await admin().call('team.addProjects', { team_id: team.id, project_ids: [open.id] })
    expect(body.effect).toMatchObject({
      gain: { users: 0, projects: 0 },
      lose: { users: 2, projects: 1 },
      rows: [
        { name: 'Ben Diaz', loses: [{ name: 'Open' }], keeps: 0 },
        { name: 'Cal Diaz', loses: [{ name: 'Open' }], keeps: 0 },
      ],
      closes: { projects: [{ id: open.id, name: 'Open' }], users: 3 },
    })
  })

  test('of unlinking a project from its last team: all users of the client see it', async () => {
    const { team, shut } = await world()
    const { body } = await admin().call('team.removeProjects', { team_id: team.id, project_id: shut.id })
    expect(body.effect).toMatchObject({
      gain: { users: 2, projects: 1 },
      lose: { users: 0, projects: 0 },
      opens: { projects: [{ id: shut.id, name: 'Shut' }], users: 3 },
    })
  })

  test('of removing a user: what they lose, and how much they keep', async () => {
    const { team, ana } = await world()
    const { body } = await admin().call('team.removeUsers', { team_id: team.id, user_id: ana.id })
    expect(body.effect).toMatchObject({
      lose: { users: 1, projects: 1 },
      rows: [{ user_id: ana.id, loses: [{ name: 'Shut' }], keeps: 1 }],
    })
  })

  test('of deleting a team: its projects open to all, and undo closes them again', async () => {
    const { team, ana, ben, shut } = await world()
    const person = await app.signIn(ben)
    expect(await sees(person)).toEqual(['Open'])
    const before = await linksOf(team.id)
    const answer = await admin().call('team.remove', { id: team.id })
    expect(answer.body).toMatchObject({
      data: { users: 1, projects: 1 },
      effect: { gain: { users: 2, projects: 1 }, lose: { users: 0 }, opens: { projects: [{ id: shut.id }], users: 3 } },
    })
    expect(await sees(person)).toEqual(['Open', 'Shut'])
    expect((await admin().call('team.get', { id: team.id })).status).toBe(404)
    expect(await undone(answer)).toBe(200)
    expect(await linksOf(team.id)).toEqual(before)
    expect(await sees(person)).toEqual(['Open'])
    expect(await sees(await app.signIn(ana))).toEqual(['Open', 'Shut'])
  })

  test('of deleting two teams that share a project: only both together open it', async () => {
    const { client, team, ben, shut } = await world()
    const east = await app.make.team({ client_id: client.id, name: 'East', users: [ben.id], projects: [shut.id] })
    const alone = await admin().call('team.remove', { id: east.id, dry: 1 })
    expect(alone.body.effect).toMatchObject({ lose: { users: 1 }, opens: { projects: [] } })
    const elsewhere = await world()
    const ids = [team.id, east.id, elsewhere.team.id]
    const both = await admin().call('team.remove', { ids, dry: 1 })
    expect(both.body).toMatchObject({
      message: '3 teams would be deleted.',
      data: { users: 3, projects: 2 },
      effect: {
        gain: { users: 3, projects: 2 },
        lose: { users: 0 },
        opens: { projects: [{ name: 'Shut' }, { name: 'Shut' }], users: 6 },
      },
    })
    const answer = await admin().call('team.remove', { ids })
    expect(answer.body.effect).toEqual(both.body.effect)
    expect(await sees(await app.signIn(ben))).toEqual(['Open', 'Shut'])
    expect(await undone(answer)).toBe(200)
    expect(await linksOf(east.id)).toEqual({ users: [ben.id], projects: [shut.id] })
  })

  test('of moving a user from one team to another: the sum of both', async () => {
    const { client, team, ana, shut } = await world()
    const other = await app.make.project({ client_id: client.id, name: 'Other' })
    const east = await app.make.team({ client_id: client.id, name: 'East', projects: [shut.id, other.id] })
    const asked = { user_id: ana.id, join_ids: [east.id], leave_ids: [team.id] }
    const tried = await admin().call('user.setTeams', { ...asked, dry: 1 })
    const answer = await admin().call('user.setTeams', asked)
    expect(answer.body.effect).toEqual(tried.body.effect)
    expect(answer.body).toMatchObject({
      message: 'Ana Diaz was added to “East” and was removed from “West”.',
      data: { joined: [{ name: 'East' }], left: [{ name: 'West' }], clients: [] },
      effect: { gain: { users: 1, projects: 1 }, lose: { users: 0 }, rows: [{ gains: [{ name: 'Other' }], loses: [] }] },
    })
    expect((await admin().call('user.get', { id: ana.id })).body.data.teams).toEqual([{ id: east.id, name: 'East' }])
    expect(await undone(answer)).toBe(200)
    expect((await linksOf(team.id)).users).toEqual([ana.id])
    const twice = { ...asked, leave_ids: [team.id, east.id] }
    expect((await admin().call('user.setTeams', twice)).status).toBe(422)
    expect((await admin().call('user.setTeams', { user_id: ana.id })).status).toBe(422)
    expect((await admin().call('user.setTeams', { ...asked, user_id: app.admin.id })).status).toBe(422)
  })

  test('counts a family once, and a child with its own team separately', async () => {
    const { client, team, ben, shut } = await world()
    await app.make.project({ client_id: client.id, name: 'Shut East', parent_id: shut.id })
    const own = await app.make.project({ client_id: client.id, name: 'Shut North', parent_id: shut.id })
    await app.make.team({ client_id: client.id, projects: [own.id] })
    const { body } = await admin().call('team.addUsers', { team_id: team.id, user_id: ben.id, dry: 1 })
    expect(body.effect).toMatchObject({ gain: { users: 1, projects: 1 }, rows: [{ gains: [{ name: 'Shut' }] }] })
    const rows = (await admin().call('team.projects', { id: team.id })).body.data
    expect(rows.map((row) => [row.name, row.inherits])).toEqual([
      ['Shut', false],
      ['Shut East', true],
    ])
  })
})

describe('a team', () => {
  test('is created with users and projects in one write, in both spellings, and undone with its links', async () => {
    const { client, ben, open } = await world()
    const answer = await admin().call('team.create', {
      client_id: client.id,
      name: 'East',
      user_ids: [ben.id],
      project_ids: [open.id],
    })
    expect(answer.body).toMatchObject({
      message: 'Team created',
      data: { name: 'East', client_id: client.id, company_id: client.id, users_count: 1, projects_count: 1 },
      effect: { lose: { users: 2, projects: 1 } },
    })
    const older = await admin().raw('POST', '/v1/teams/create.json', { team: { name: 'North', company_id: client.id } })
    expect([older.status, dataOf(older)]).toMatchObject([200, { name: 'North', client_id: client.id }])
    expect(dataOf(await admin().raw('GET', `/v1/teams?client_id=${client.id}`))).toMatchObject({ count: 3 })
    expect(await undone(answer)).toBe(200)
    expect(await linksOf(answer.body.data.id)).toEqual({ users: [], projects: [] })
    expect((await admin().call('team.get', { id: answer.body.data.id })).status).toBe(404)
  })

  test('is refused in the specification’s words, in both spellings', async () => {
    const { client, team, ana, open } = await world()
    const other = await app.make.project({ client_id: (await app.make.client()).id, name: 'Wave 12' })
    const put = (body: object) => admin().raw('PUT', `/v1/teams/${team.id}.json`, { team: body })
    const post: Person['call'] = (id, input) => admin().call(id, input)
    expect((await put({ name: ' ' })).body.message).toBe('Team Name cannot be blank')
    expect((await put({ name: 'x'.repeat(201) })).body.message).toContain('Team Name needs at most 200 characters')
    expect((await put({ company_id: other.client_id })).body.message).toBe('A team stays with its client.')
    expect((await put({ company_id: client.id, name: 'West' })).status).toBe(200)
    expect((await post('team.create', { name: 'X' })).body.message).toBe('Choose a client')
    expect((await post('team.create', { client_id: client.id, name: ' wEst ' })).body).toMatchObject({
      code: 'invalid',
      message: 'A team of this client already has this name.',
    })
    const link = { team_id: team.id }
    for (const [call, input, message] of [
      ['team.addUsers', { user_id: app.admin.id }, 'Administrators see everything already.'],
      ['team.addUsers', {}, 'Choose at least one user'],
      ['team.addProjects', { project_ids: [open.id, other.id] }, '“Wave 12” belongs to another client.'],
      ['team.addProjects', {}, 'Choose a project'],
    ] as const)
      expect(await post(call, { ...link, ...input })).toMatchObject({ status: 422, body: { message } })
    expect((await post('team.addUsers', { ...link, user_id: 999_999 })).status).toBe(404)
    expect(await linksOf(team.id)).toMatchObject({ users: [ana.id] })
    expect((await post('team.edit', { id: team.id, name: 'Best', lock_version: 0 })).status).toBe(409)
  })

  test('adds a user of another client to its client too, and undo reverts both', async () => {
    const { client, team, ana } = await world()
    const eve = await app.make.user({ first_name: 'Eve', last_name: 'Ott' })
    const answer = await admin().call('team.addUsers', { team_id: team.id, user_ids: [ana.id, eve.id] })
    expect(answer.body.data).toEqual({ team_id: team.id, ids: [eve.id], unchanged: 1, joined: [{ id: eve.id, name: 'Eve Ott' }] })
    expect(answer.body.effect).toMatchObject({ gain: { users: 1, projects: 2 } })
    expect(await undone(answer)).toBe(200)
    expect(await sees(await app.signIn(eve))).toEqual([])
    const at = await app.db.selectFrom('user_clients').select('client_id').where('user_id', '=', eve.id).execute()
    expect(at.map((row) => row.client_id)).not.toContain(client.id)
  })

  test('shows what it alone opens, who sees what and why, and its history', async () => {
    const { client, team, ana, ben, shut, open } = await world()
    await app.make.team({ client_id: client.id, name: 'East', users: [ben.id], projects: [shut.id] })
    expect((await admin().call('team.get', { id: team.id })).body.data).toMatchObject({ only_here: { users: 1, projects: 1 } })
    const users = (await admin().call('team.users', { id: team.id, project_id: shut.id })).body
    expect(users.project).toMatchObject({ name: 'Shut', linked: true, same_client: true })
    expect(users.data).toMatchObject([{ user_id: ana.id, sees: true, why: 'this', only_here: 1, clients: [{ id: client.id }] }])
    expect((await admin().call('team.users', { id: team.id, project_id: open.id, sees: 'no' })).body.count).toBe(0)
    const { users: people, projects, cells } = (await admin().call('team.grid', { id: team.id })).body.data
    expect([people.map((user) => user.name), projects.map((one) => one.name), cells]).toEqual([
      ['Ana Diaz', 'Ben Diaz', 'Cal Diaz'],
      ['Shut', 'Open'],
      [
        ['this', 'client'],
        ['other', 'client'],
        ['none', 'client'],
      ],
    ])
    await admin().call('team.edit', { id: team.id, name: 'Far West' })
    expect((await admin().call('team.history', { id: team.id })).body.data[0]).toMatchObject({
      words: 'changed the team',
      actor_name: 'Ada Admin',
      after: { name: 'Far West' },
    })
  })

  test('lists its users and a user’s teams in the older spelling, even with an ampersand for a question mark', async () => {
    const { team, ana, ben } = await world()
    const users = dataOf(await admin().raw('GET', `/v1/team_users/${team.id}.json`))
    expect(users).toMatchObject({ count: 1, users: [{ user_id: ana.id, first_name: 'Ana', role_id: 2 }] })
    const teams = dataOf(await admin().raw('GET', `/v1/user_teams/${ana.id}&page=1`))
    expect(teams).toMatchObject({ count: 1, teams: [{ id: team.id, name: 'West' }] })
    const left = await admin().raw('DELETE', `/v1/user_teams?user_id=${ana.id}&team_id=${team.id}`)
    expect([left.status, (await linksOf(team.id)).users]).toEqual([200, []])
    expect(dataOf(await admin().raw('GET', `/v1/user_teams/${ben.id}`))).toMatchObject({ count: 0 })
  })

  test('is found among the teams without users or projects, by its name or its client’s', async () => {
    const { client, team } = await world()
    const bare = await app.make.team({ client_id: client.id, name: 'Bare' })
    const listed = async (more: object) =>
      (await admin().call('team.list', { client_id: client.id, ...more })).body.data.map((row) => row.id)
    expect(await listed({})).toEqual([bare.id, team.id])
    expect(await listed({ empty: 'neither' })).toEqual([bare.id])
    expect(await listed({ search: client.name, column: 'users_count', order: 'desc' })).toEqual([team.id, bare.id])
  })
})

describe('a client user', () => {
  test('reads the projects of their own teams, by the call and by an export, and nothing else of any team', async () => {
    const { team, ana, ben } = await world()
    const [on, off] = [await app.signIn(ana), await app.signIn(ben)]
    expect((await on.call('team.projects', { id: team.id })).body.data.map((row) => row.name)).toEqual(['Shut'])
    expect((await off.call('team.projects', { id: team.id })).status).toBe(404)
    const other = await app.make.team({ client_id: (await app.make.client()).id })
    expect((await on.call('team.projects', { id: other.id })).status).toBe(404)
    expect((await exported(app, on, 'teamProjects', { id: team.id }, ['name'])).text).toContain('Shut')
    expect((await exported(app, off, 'teamProjects', { id: team.id }, ['name'])).text).not.toContain('Shut')
    expect((await on.call('export.start', { source: 'teamUsers', filter: { id: team.id } })).status).toBe(403)
    for (const id of ['team.get', 'team.grid', 'team.users', 'team.usersOlder', 'team.ofUser', 'team.history'] as const)
      expect([id, (await on.call(id, { id: team.id })).status]).toEqual([id, 403])
    for (const id of ['team.list', 'team.listOlder'] as const) expect((await on.call(id, {})).status).toBe(403)
    expect((await on.call('palette.index', {})).body.put.filter(([kind]) => kind === 'team')).toEqual([])
  })
})

describe('users of a client', () => {
  test('are added and removed several at once, each with what they gain or lose', async () => {
    const { client, team, ana } = await world()
    const eve = await app.make.user({ first_name: 'Eve', last_name: 'Ott' })
    const added = await admin().call('client.addUser', { client_id: client.id, user_ids: [ana.id, eve.id] })
    expect(added.body).toMatchObject({
      data: { ids: [eve.id], unchanged: 1 },
      effect: { gain: { users: 1, projects: 1 }, rows: [{ name: 'Eve Ott', gains: [{ name: 'Open' }] }] },
    })
    const removed = await admin().call('client.removeUser', { client_id: client.id, user_ids: [ana.id, eve.id] })
    expect(removed.body).toMatchObject({ data: { team_ids: [team.id] }, effect: { lose: { users: 2, projects: 2 } } })
    expect(await undone(removed)).toBe(200)
    expect((await linksOf(team.id)).users).toEqual([ana.id])
  })

  test('are added to several clients at once, with what they gain in all of them', async () => {
    const [one, two] = [await world(), await world()]
    const eve = await app.make.user({ first_name: 'Eve', last_name: 'Ott' })
    const client_ids = [one.client.id, two.client.id]
    const answer = await admin().call('client.addUser', { client_ids, user_ids: [eve.id, one.ben.id], team_ids: [two.team.id] })
    expect(answer.body).toMatchObject({
      message: '2 users were added to 2 clients.',
      data: { ids: [eve.id, one.ben.id], unchanged: 0 },
      effect: { gain: { users: 2, projects: 3 }, rows: [{ name: 'Ben Diaz' }, { name: 'Eve Ott' }] },
    })
    expect(await sees(await app.signIn(eve))).toEqual(['Open', 'Open', 'Shut'])
    expect(await undone(answer)).toBe(200)
    expect(await sees(await app.signIn(eve))).toEqual([])
    expect((await admin().call('client.addUser', { user_id: eve.id })).status).toBe(422)
  })
})

describe('a user who becomes an administrator', () => {
  test('leaves clients and teams, which a dry run names as the write does', async () => {
    const { client, team, ana } = await world()
    const asked = { id: ana.id, role: 'admin' }
    const tried = await admin().call('user.edit', { ...asked, dry: 1 })
    const left = [{ id: client.id, name: client.name, teams: [{ id: team.id, name: 'West' }] }]
    expect(tried.body.left).toEqual(left)
    expect((await linksOf(team.id)).users).toEqual([ana.id])
    expect((await admin().call('user.edit', asked)).body.left).toEqual(left)
    expect((await linksOf(team.id)).users).toEqual([])
  })
})
