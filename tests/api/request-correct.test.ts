import { beforeAll, describe, expect, test } from 'vitest'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const client = () => app.as('client')
const request = (more: object = {}) =>
  app.make.project({ client_id: app.client.id, status: 'requirements', ordered: 100, requested_by: app.member.id, ...more })

describe('a sent request', () => {
  test('is corrected by its requester, who sees what changed in the history; the administrators are emailed', async () => {
    const { id } = await request()
    const { lock_version } = (await client().call('project.get', { id })).body.data
    const { status, body, text } = await client().call('request.correct', { id, goal: 250, name: 'Oats again', lock_version })
    expect(status, text).toBe(200)
    expect(body.data).toMatchObject({ name: 'Oats again', goal: 250 })
    const mails = await app.db.selectFrom('mails').selectAll().where('about', '=', `project:${id}`).execute()
    expect(mails.map(({ to_address }) => to_address)).toEqual([app.admin.email])
    expect(mails[0]!.subject).toContain('corrected the request "Oats again"')
    expect((await client().call('project.history', { id } as never)).text).toContain('250')
    const stale = await client().call('request.correct', { id, goal: 300, lock_version })
    expect(stale.status).toBe(409)
  })

  test('isn’t corrected by others, nor once partners are asked', async () => {
    const { id } = await request({ requested_by: null })
    expect((await client().call('request.correct', { id, goal: 2 })).status).toBe(403)
    const asked = await request({ status: 'pricing' })
    const late = await client().call('request.correct', { id: asked.id, goal: 2 })
    expect([late.status, late.body.message]).toEqual([409, 'It is being priced already: write to the administrators.'])
    const other = await app.make.project({ client_id: (await app.make.client()).id, status: 'requirements' })
    expect((await client().call('request.correct', { id: other.id, goal: 2 })).status).toBe(404)
    expect((await app.as('stranger').call('request.correct', { id, goal: 2 })).status).toBe(401)
    expect((await client().call('request.correct', { id })).status).toBe(422)
  })

  test('refuses bad dates and values by name', async () => {
    const { id } = await request()
    const refused = async (values: object) =>
      Object.keys((await client().call('request.correct', { id, ...values } as never)).body.fields ?? {})
    expect(await refused({ start_dt: '2030-02-01', end_dt: '2030-01-01' })).toContain('start_dt')
    expect(await refused({ goal: 0 })).toEqual(['goal'])
    expect(await refused({ survey_url: 'ftp://x' })).toEqual(['survey_url'])
  })
})

describe('a project', () => {
  test('has a PO number that its client gives and removes, and that reads and writes back', async () => {
    const { id } = await request({ status: 'approved' })
    expect((await client().call('request.setPo', { id, po_number: ' PO-4711 ' })).body.data.po_number).toBe('PO-4711')
    const { po_number, lock_version } = (await admin().call('project.get', { id })).body.data
    const back = await admin().call('project.edit', { id, po_number, lock_version } as never)
    expect(back.status, back.text).toBe(200)
    expect((await client().call('request.setPo', { id, po_number: '' })).body.data.po_number).toBe('')
    const other = await app.make.project({ client_id: (await app.make.client()).id })
    expect((await client().call('request.setPo', { id: other.id, po_number: 'x' })).status).toBe(404)
  })

  test('names the administrator who runs it, and nobody who left', async () => {
    const { id } = await request()
    const contact = async () => (await client().call('project.get', { id })).body.data.contact
    expect(await contact()).toBeNull()
    const partner = await app.make.partner()
    await admin().call('invitation.create', { id, partner_ids: [partner.id], mail: 0 })
    expect(await contact()).toEqual({ name: 'Ada Admin', email: app.admin.email })
    const leaver = await app.make.user({ role: 'admin' })
    await app.write((tx) =>
      tx.updateTable('project_partners').set({ invited_by: leaver.id }).where('project_id', '=', id).execute(),
    )
    await app.write((tx) =>
      tx.updateTable('users').set({ deleted_at: '2026-01-01T00:00:00.000Z' }).where('id', '=', leaver.id).execute(),
    )
    expect(await contact()).toBeNull()
  })
})
