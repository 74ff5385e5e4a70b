import { beforeAll, describe, expect, test } from 'vitest'
import { type Fieldwork, fieldwork, type Person } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')

/** A client with three users; a team of the first has one project, another project has no team. */
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
const undone = async (answer: { headers: Record<string, unknown> }) =>
  (await admin().call('undo.take', { id: Number(answer.headers['x-undo']) })).status

describe('the effect of a team', () => {
  test('of a user added: what they gain, by name, in a dry run as in the write', async () => {
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

  test('of a project linked that had no team: everybody else loses it', async () => {
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

  test('of a project unlinked from its last team: all users of the client see it', async () => {
    const { team, shut } = await world()
    const { body } = await admin().call('team.removeProjects', { team_id: team.id, project_id: shut.id })
    expect(body.effect).toMatchObject({
      gain: { users: 2, projects: 1 },
      lose: { users: 0, projects: 0 },
      opens: { projects: [{ id: shut.id, name: 'Shut' }], users: 3 },
    })
  })

  test('of a user taken off: what they lose, and how much they keep', async () => {
    const { team, ana } = await world()
    const { body } = await admin().call('team.removeUsers', { team_id: team.id, user_id: ana.id })
    expect(body.effect).toMatchObject({
      lose: { users: 1, projects: 1 },
      rows: [{ user_id: ana.id, loses: [{ name: 'Shut' }], keeps: 1 }],
    })
  })

  test('of a deleted team: its projects are open to all, and undo shuts them again', async () => {
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

  test('counts a family once, and a child with a team of its own apart', async () => {
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
