import { beforeAll, describe, expect, test } from 'vitest'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const stranger = () => app.as('stranger')
const DAY_S = 86_400

const asking = (given: object = {}) => app.make.project({ client_id: app.client.id, status: 'pricing', ordered: 400, ...given })
const invite = (project: { id: number }, partner: { id: number }, round = 1) => app.make.assign(project.id, partner.id, round)
const answer = (project: { id: number }, partner: { id: number }) =>
  app.make.proffer({ project_id: project.id, partner_id: partner.id, round: 1, state: 'sent', cpi_cents: 600 })
/** Two partners of one name, as an older release could leave them. */
async function twins(given: object = {}) {
  const name = `Twin ${Math.random()}`
  return [await app.make.partner({ name }), await app.make.partner({ name, ...given })] as const
}
const merge = (gone: { id: number }, stays: { id: number }) => admin().call('partner.merge', { id: gone.id, into_id: stays.id })
const rowOf = async (id: number) => (await admin().call('partner.get', { id })).body.data
const linkOf = (project: { id: number }, partner: { id: number }) => ({
  'fieldwork-partner': app.services.secrets.sign(
    'partner',
    `${project.id}:${partner.id}:1:1`,
    Math.floor(Date.now() / 1000) + DAY_S,
  ),
})
const revoke = (project: { id: number }, partner: { id: number }) =>
  admin().call('invitation.revoke', { id: project.id, partner_id: partner.id, reason: 'Asked twice' })

describe('merging two partners', () => {
  test('moves invitations and answers, fills in the other’s missing fields, and deletes the first', async () => {
    const [gone, stays] = await twins({ email: '' })
    const [open, done] = [await asking(), await asking({ status: 'approved' })]
    await invite(open, gone)
    await invite(done, gone)
    await answer(done, gone)
    const { status, body } = await merge(gone, stays)
    expect([status, body.moved]).toEqual([200, { invitations: 2, answers: 1 }])
    expect(await rowOf(stays.id)).toMatchObject({ email: gone.email, open_count: 1, projects_count: 2, proffers_count: 1 })
    expect((await admin().call('partner.get', { id: gone.id })).status).toBe(404)
  })

  test('is refused, by name, if one round invited both', async () => {
    const [gone, stays] = await twins()
    const project = await asking({ name: 'Oat Milk Tracker' })
    await invite(project, gone)
    await invite(project, stays)
    const { status, body } = await merge(gone, stays)
    expect([status, body.code]).toEqual([409, 'both_invited'])
    expect(body.message).toContain('“Oat Milk Tracker” (round 1)')
    expect((await rowOf(gone.id)).open_count).toBe(1)
  })

  test('drops a withdrawn invitation without an answer in favour of the other, whichever of the two it is', async () => {
    for (const withdrawn of ['gone', 'stays'] as const) {
      const [gone, stays] = await twins()
      const project = await asking()
      await invite(project, gone)
      await invite(project, stays)
      await revoke(project, withdrawn === 'gone' ? gone : stays)
      expect((await merge(gone, stays)).status, withdrawn).toBe(200)
      expect(await rowOf(stays.id), withdrawn).toMatchObject({ open_count: 1, projects_count: 1 })
    }
  })

  test('is refused into itself, and into a deleted partner', async () => {
    const [gone, stays] = await twins()
    expect((await merge(gone, gone)).body.fields).toEqual({ into_id: 'into_id must be another partner' })
    await admin().call('partner.remove', { id: stays.id })
    expect((await merge(gone, stays)).body.fields).toEqual({ into_id: `into_id is not a partner: ${stays.id}` })
    expect((await merge(stays, gone)).status).toBe(404)
  })

  test('keeps the links that were mailed to the first', async () => {
    const [gone, stays] = await twins()
    const project = await asking()
    await invite(project, gone)
    const link = linkOf(project, gone)
    await merge(gone, stays)
    const read = await stranger().call('invitation.get', { id: project.id, partner_id: gone.id }, link)
    expect([read.status, read.body.data.company_name]).toEqual([200, stays.name])
    const yes = { campaign_id: project.id, fill_requirements: 'Yes', feasible_completes: 200, cpi_cents: 500 } as const
    expect((await stranger().call('proffer.create', yes, link)).status).toBe(200)
    expect(await rowOf(stays.id)).toMatchObject({ open_count: 0, proffers_count: 1 })
    expect((await stranger().call('invitation.get', { id: project.id, partner_id: stays.id + 1000 }, link)).status).toBe(404)
  })

  test('leaves no working link of a partner that was merged, restored and deleted', async () => {
    const [gone, stays] = await twins()
    const project = await asking()
    await invite(project, gone)
    const merged = await merge(gone, stays)
    await admin().call('undo.take', { id: Number(merged.headers['x-undo']) })
    await app.write((tx) => tx.updateTable('projects').set({ status: 'rejected' }).where('id', '=', project.id).execute())
    await admin().call('partner.remove', { id: gone.id })
    expect((await stranger().call('invitation.get', { id: project.id }, linkOf(project, gone))).status).toBe(401)
  })

  test('is undone completely, unless somebody has used what moved', async () => {
    const [gone, stays] = await twins({ phone: '' })
    const project = await asking()
    await invite(project, gone)
    const merged = await merge(gone, stays)
    expect((await admin().call('undo.take', { id: Number(merged.headers['x-undo']) })).status).toBe(200)
    expect([(await rowOf(gone.id)).open_count, (await rowOf(stays.id)).open_count]).toEqual([1, 0])
    const again = await merge(gone, stays)
    await stranger().call('invitation.opened', { id: project.id }, linkOf(project, stays))
    expect((await admin().call('undo.take', { id: Number(again.headers['x-undo']) })).status).toBe(409)
  })

  test('appears in the history of both', async () => {
    const [gone, stays] = await twins()
    await merge(gone, stays)
    const lines = await app.db
      .selectFrom('history')
      .select(['subject_id', 'after'])
      .where('subject', '=', 'partner')
      .where('action', '=', 'partner.merge')
      .where('subject_id', 'in', [gone.id, stays.id])
      .execute()
    const changesOf = (id: number) => lines.filter((line) => line.subject_id === id).map((line) => JSON.parse(line.after))
    expect(changesOf(gone.id)).toMatchObject([{ merged_into: stays.id }])
    expect(changesOf(stays.id)).toContainEqual({ merged: gone.name, invitations: 0, answers: 0 })
  })

  test('is only for administrators', async () => {
    const [gone, stays] = await twins()
    expect((await app.as('client').call('partner.merge', { id: gone.id, into_id: stays.id })).status).toBe(403)
  })
})
