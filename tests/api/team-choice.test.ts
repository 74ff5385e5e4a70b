import { beforeAll, describe, expect, test } from 'vitest'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')

describe('the users and projects a team can take', () => {
  test('are its client’s, with what they are on already', async () => {
    const client = await app.make.client()
    const [ana, ben] = [await app.make.user({ clients: [client.id] }), await app.make.user({ clients: [client.id] })]
    const [open, closed] = [await app.make.project({ client_id: client.id }), await app.make.project({ client_id: client.id })]
    const team = await app.make.team({ client_id: client.id, users: [ana.id], projects: [closed.id] })
    const { data } = (await admin().call('team.choices', { team_id: team.id })).body
    expect(data.client.id).toBe(client.id)
    expect(data.users.map(({ id, on_team, teams_count }) => [id, on_team, teams_count]).sort()).toEqual(
      [
        [ana.id, true, 1],
        [ben.id, false, 0],
      ].sort(),
    )
    const projects = new Map(data.projects.map((one) => [one.id, one]))
    expect(projects.get(open.id)).toMatchObject({ linked: false, teams_count: 0 })
    expect(projects.get(closed.id)).toMatchObject({ linked: true, teams_count: 1 })
  })

  test('include other clients’ users on request, after the client’s own', async () => {
    const client = await app.make.client()
    const own = await app.make.user({ clients: [client.id] })
    const { data } = (await admin().call('team.choices', { client_id: client.id, others: true })).body
    expect(data.users[0]).toMatchObject({ id: own.id, on_client: true })
    expect(data.users.some(({ id, on_client }) => id === app.member.id && !on_client)).toBe(true)
  })

  test('are closed to client users, and a 404 for what doesn’t exist', async () => {
    expect((await app.as('client').call('team.choices', { client_id: app.client.id })).status).toBe(403)
    expect((await admin().call('team.choices', { team_id: 999_999 })).status).toBe(404)
    expect((await admin().call('team.choices', {})).status).toBe(422)
  })
})
