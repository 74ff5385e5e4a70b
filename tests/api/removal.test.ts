import { beforeAll, describe, expect, test } from 'vitest'
import { file } from '../support/writeExamples.ts'
import { type Fieldwork, fieldwork } from './support.ts'
import { person, send } from './surveyed.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const client = () => app.as('client')
const project = (given: object = {}) => app.make.project({ client_id: app.client.id, status: 'rejected', ...given })
const remove = (id: number) => admin().call('project.remove', { id })
const why = async (id: number) => (await admin().call('project.get', { id })).body.data.refused_actions['project.remove']

describe('deleting a project', () => {
  test('removes it from everything that shows projects, for its client too', async () => {
    const made = await project({ name: 'Zebra Crossing Study', quote_round: 1 })
    const survey = await app.make.survey({ project_id: made.id, name: 'Zebra survey' })
    const asset = await file(app, { project_id: made.id })
    const partner = await app.make.partner()
    await app.make.assign(made.id, partner.id)
    await app.make.proffer({ project_id: made.id, partner_id: partner.id })
    const answers = async () => (await admin().call('proffer.list')).body.data
    expect(await answers()).toMatchObject({ count: 1, proffers: [{ project_id: made.id }] })
    const team = await app.make.team({ client_id: app.client.id, projects: [made.id], users: [app.member.id] })
    const counts = async () => [
      (await admin().call('client.get', { id: app.client.id })).body.data.projects_count,
      (await admin().call('partner.get', { id: partner.id })).body.data.projects_count,
      (await admin().call('client.teams', { id: app.client.id })).body.data.find((one) => one.id === team.id)!.projects_count,
      (await admin().call('project.list', { status: 'all' })).body.count,
    ]
    const before = await counts()
    const palette = (await admin().call('palette.index')).body
    expect((await remove(made.id)).status).toBe(200)

    expect(await counts()).toEqual(before.map((count) => count! - 1))
    expect(await answers()).toMatchObject({ count: 0, proffers: [] })
    for (const who of [admin(), client()]) {
      expect((await who.call('project.get', { id: made.id })).status).toBe(404)
      expect((await who.call('campaign.get', { id: made.id })).status).toBe(404)
      expect((await who.call('survey.get', { id: survey.id })).status).toBe(404)
      expect((await who.call('runtime.summary', { surveyId: survey.id })).status).toBe(404)
      expect((await who.call('project.history', { id: made.id })).status).toBe(404)
      expect((await who.call('file.link', { id: asset.id })).status).toBe(404)
      for (const list of ['project.list', 'project.listAll', 'project.dropdown'] as const)
        expect((await who.call(list, { search: 'Zebra' } as never)).text).not.toContain('Zebra')
      expect((await who.call('palette.index')).text).not.toContain('Zebra')
    }
    const since = (await admin().call('palette.index', { since: palette.cursor })).body
    expect(since.drop).toEqual(
      expect.arrayContaining([
        ['project', made.id],
        ['survey', survey.id],
      ]),
    )
    expect((await admin().call('project.edit', { id: made.id, name: 'Back' })).status).toBe(404)
    expect((await remove(made.id)).status).toBe(404)
  })

  test('can be undone completely, and both are in the history', async () => {
    const made = await project({ name: 'There and back' })
    const before = (await admin().call('project.get', { id: made.id })).body.data
    await remove(made.id)
    const answer = await admin().call('project.restore', { id: made.id })
    expect(answer.status, answer.text).toBe(200)
    const { lock_version: _, updated_at: __, ...rest } = before
    expect(answer.body.data).toMatchObject(rest)
    const lines = (await admin().call('project.history', { id: made.id })).body.data
    expect(lines.map((line) => line.action)).toEqual(['project.restore', 'project.remove'])
    expect((await admin().call('project.restore', { id: made.id })).status).toBe(404)
  })

  test('is for administrators, while rejected or awaiting requirements', async () => {
    const made = await project()
    expect((await client().call('project.remove', { id: made.id })).status).toBe(403)
    for (const status of ['pricing', 'submit_approval', 'approved', 'active', 'paused', 'completed', 'reporting'] as const) {
      const { id } = await project({ status })
      expect((await remove(id)).status, status).toBe(409)
      expect(await why(id)).toContain('only one that is rejected or waits for its requirements can be deleted')
    }
    expect((await remove((await project({ status: 'requirements' })).id)).status).toBe(200)
  })

  test('never deletes responses, rewards or children', async () => {
    const answered = await project()
    const survey = await app.make.survey({ project_id: answered.id })
    await send(app, survey.id, [person({ outcome: 'terminates' })])
    expect([(await remove(answered.id)).status, await why(answered.id)]).toEqual([409, 'it has responses or rewards'])
    const paid = await project()
    await app.make.entry({ project_id: paid.id, status: 'sent' })
    expect([(await remove(paid.id)).status, await why(paid.id)]).toEqual([409, 'it has responses or rewards'])
    const parent = await project()
    const child = await project({ parent_id: parent.id })
    expect([(await remove(parent.id)).status, await why(parent.id)]).toEqual([409, 'it has child projects: delete them first'])
    expect((await remove(child.id)).status).toBe(200)
    expect((await admin().call('project.get', { id: parent.id })).body.data.children).toEqual([])
    expect((await remove(parent.id)).status).toBe(200)
    const orphan = await admin().call('project.restore', { id: child.id })
    expect([orphan.status, orphan.body.message]).toEqual([409, 'Its parent is deleted: restore the parent first.'])
  })

  test('can’t be undone under a deleted client', async () => {
    const { id: client_id } = await app.make.client()
    const made = await project({ client_id })
    await remove(made.id)
    await admin().call('client.remove', { id: client_id })
    expect((await admin().call('project.restore', { id: made.id })).status).toBe(409)
  })

  test('by two users at once happens once', async () => {
    const { id } = await project()
    const both = await Promise.all([remove(id), remove(id)])
    expect(both.map((answer) => answer.status).sort()).toEqual([200, 404])
  })
})
