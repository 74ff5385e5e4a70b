import { beforeAll, describe, expect, test } from 'vitest'
import { type Fieldwork, fieldwork } from './support.ts'

// Who decides on a client's quotes: all of its users, until somebody is named.

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const client = () => app.as('client')

/** A quote that was sent to the client's users. */
async function quoted(): Promise<number> {
  const { id } = await app.make.project({
    client_id: app.client.id,
    status: 'pricing',
    cost_cents: null,
    ordered: 100,
    requested_by: app.member.id,
  })
  const partner = await app.make.partner()
  await app.make.assign(id, partner.id)
  const { status, text } = await admin().call('project.setCost', { id, cost: 500, notify: 1 } as never)
  expect(status, text).toBe(200)
  return id
}
const colleague = async () => {
  const user = await app.make.user({ role: 'client' })
  await admin().call('client.addUser', { client_id: app.client.id, user_id: user.id })
  return user
}
const name = async (...user_ids: number[]) => {
  const answer = await admin().call('client.setApprovers', { id: app.client.id, user_ids })
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}
const allowed = async (id: number) => (await client().call('project.get', { id })).body.data.allowed_actions

describe('the approvers of a client', () => {
  test('are all of its users while nobody is named', async () => {
    const id = await quoted()
    expect(await allowed(id)).toEqual(expect.arrayContaining(['project.approve', 'project.rejectQuote']))
    expect((await client().call('project.waiting')).body.data.map((row) => row.id)).toContain(id)
    expect((await client().call('project.approve', { project_id: id })).status).toBe(200)
  })

  test('once named, decide alone; the others see the quote, by every way that a decision can be made', async () => {
    const other = await colleague()
    const id = await quoted()
    await name(other.id)
    const { data } = (await client().call('project.get', { id })).body
    expect(data.cost_cents).toBe(50_000)
    expect(data.allowed_actions).not.toContain('project.approve')
    expect(data.refused_actions['project.rejectQuote']).toContain('named approvers')
    expect((await client().call('project.waiting')).body.data).toEqual([])
    const tries = [
      await client().call('project.approve', { project_id: id }),
      await client().call('campaign.authorize', { campaign_id: id, authorized: 'Yes' }),
      await client().call('project.reject', { project_id: id, status: 'OnQuote', reason: 'Price' }),
    ]
    expect(tries.map(({ status }) => status)).toEqual([409, 409, 409])
    expect((await client().call('campaign.authorization', { id })).body.data).toMatchObject({ authorized: 'No' })
    await name(app.member.id)
    expect((await client().call('project.approve', { project_id: id })).status).toBe(200)
    await name()
  })

  test('an administrator still decides on their behalf', async () => {
    await name((await colleague()).id)
    const id = await quoted()
    const { status, text } = await admin().call('project.approve', { project_id: id, reason: 'By phone' })
    expect(status, text).toBe(200)
    await name()
  })

  test('get the quote by mail, beside the requester', async () => {
    const other = await colleague()
    await colleague()
    await name(other.id)
    const id = await quoted()
    const rows = await app.db.selectFrom('mails').select('to_address').where('about', '=', `project:${id}`).execute()
    expect(rows.map(({ to_address }) => to_address).sort()).toEqual([app.member.email, other.email].sort())
    await name()
  })

  test('are users of that client, named by administrators alone', async () => {
    const stranger = await app.make.user({ role: 'client' })
    const refused = await admin().call('client.setApprovers', { id: app.client.id, user_ids: [stranger.id] })
    expect([refused.status, Object.keys(refused.body.fields ?? {})]).toEqual([422, ['user_ids']])
    expect((await client().call('client.setApprovers', { id: app.client.id, user_ids: [] })).status).toBe(403)
    expect((await app.as('stranger').call('client.setApprovers', { id: app.client.id, user_ids: [] })).status).toBe(401)
  })
})

describe('colleagues', () => {
  test('are the people of the caller’s own clients, with teams, approvals and how much they see', async () => {
    const other = await app.make.client()
    const stranger = await app.make.user({ role: 'client' })
    await admin().call('client.addUser', { client_id: other.id, user_id: stranger.id })
    await name(app.member.id)
    const { data } = (await client().call('client.colleagues')).body
    expect(new Set(data.map((row) => row.client_id))).toEqual(new Set([app.client.id]))
    expect(data.map((row) => row.id)).not.toContain(stranger.id)
    const own = data.find((row) => row.id === app.member.id)!
    expect(own).toMatchObject({ approves: true, email: app.member.email })
    expect(own.projects_count).toBeLessThanOrEqual(own.of_projects)
    expect(data.filter((row) => row.approves)).toEqual([own])
    expect((await client().call('client.colleagues', { client_id: other.id })).status).toBe(404)
    expect((await app.as('stranger').call('client.colleagues')).status).toBe(401)
    expect((await admin().call('client.colleagues')).status).toBe(422)
    await name()
  })
})
