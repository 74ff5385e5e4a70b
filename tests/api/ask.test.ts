import { beforeAll, describe, expect, test } from 'vitest'
import { otherWorld } from './other-world.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const client = () => app.as('client')
const quoted = (given: object = {}) =>
  app.make.project({ client_id: app.client.id, status: 'pricing', requested_by: app.member.id, name: 'Oat study', ...given })
/** The delay of a mail in seconds, rounded. */
const waits = (mail: { not_before: string; created_at: string }) =>
  Math.round((Date.parse(mail.not_before) - Date.parse(mail.created_at)) / 1000)
const mailsAbout = async (id: number) =>
  (await app.db.selectFrom('mails').selectAll().where('about', '=', `project:${id}`).orderBy('id').execute()).map((mail) => mail)

describe('a client user’s question', () => {
  test('is a message of its conversation, and appears in the history', async () => {
    const { id } = await quoted()
    const asked = await client().call('project.ask', { id, note: 'Are teens included?' })
    expect([asked.status, asked.body.message]).toEqual([200, 'Your question is on its way.'])
    const { data } = (await admin().call('message.list', { id })).body
    expect(data).toMatchObject([{ text: 'Are teens included?', author: 'Cleo Client', side: 'client' }])
    const line = await app.db
      .selectFrom('history')
      .select(['subject', 'actor_id', 'after', 'origin'])
      .where('project_id', '=', id)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(line).toMatchObject({ subject: 'message', actor_id: app.member.id, origin: 'client' })
    expect(JSON.parse(line.after)).toEqual({ side: 'client', text: 'Are teens included?' })
  })

  test('is mailed to the administrator who invited the round’s partners, after 8 seconds', async () => {
    const { id } = await quoted()
    const other = await app.make.user({ role: 'admin', email: 'owner@fieldwork.test' })
    const owner = await app.signIn(other)
    const partner = await app.make.partner()
    await owner.call('invitation.create', { id, partner_ids: [partner.id], mail: false })
    await client().call('project.ask', { id, note: 'Are teens included?' })
    const [mail, ...more] = await mailsAbout(id)
    expect([mail!.to_address, mail!.subject, more.length]).toEqual([
      'owner@fieldwork.test',
      'Cleo Client wrote about "Oat study"',
      0,
    ])
    expect(mail!.body).toContain('Are teens included?')
    expect(mail!.body).toContain(`/dashboard/project-info/${id}/specifications?section=conversation&do=project.writeClient`)
    expect(waits(mail!)).toBe(8)
  })

  test('is mailed to all administrators if no partner was invited', async () => {
    const { id } = await quoted({ status: 'requirements' })
    const admins = await app.db.selectFrom('users').select('email').where('role', '=', 'admin').execute()
    await client().call('project.ask', { id, note: 'When does it begin?' })
    expect((await mailsAbout(id)).map((mail) => mail.to_address).sort()).toEqual(admins.map(({ email }) => email).sort())
  })

  test('leaves nothing behind if undone within that time', async () => {
    const { id } = await quoted()
    const asked = await client().call('project.ask', { id, note: 'Sent too early' })
    const step = Number(asked.headers['x-undo'])
    expect((await client().call('undo.take', { id: step })).status).toBe(200)
    expect((await admin().call('message.list', { id })).body.count).toBe(0)
    expect((await mailsAbout(id)).map((mail) => mail.status)).not.toContain('queued')
  })

  test('is for client users who see the project; an administrator adds a note instead', async () => {
    const { id } = await quoted()
    const refused = await admin().call('project.ask', { id, note: 'Hm?' })
    expect([refused.status, refused.body.message]).toEqual([403, 'Administrators add a note instead.'])
    const other = (await otherWorld(app)).person
    expect((await other.call('project.ask', { id, note: 'Hm?' })).status).toBe(404)
    expect((await app.as('stranger').call('project.ask', { id, note: 'Hm?' })).status).toBe(401)
  })

  test('can’t be blank', async () => {
    const { id } = await quoted()
    const blank = await client().call('project.ask', { id, note: '  ' })
    expect([blank.status, blank.body.fields]).toEqual([422, { note: 'Please write your question' }])
  })

  test('is offered only to those who may ask', async () => {
    const { id } = await quoted()
    const mine = (await client().call('project.get', { id })).body.data
    expect(mine.allowed_actions).toContain('project.ask')
    const ours = (await admin().call('project.get', { id })).body.data
    expect(ours.allowed_actions).not.toContain('project.ask')
  })
})

describe('the older calls that send mail themselves', () => {
  test.each(['project.notifyCost', 'project.notifyCostNow'] as const)(
    '%s waits 8 seconds, during which the mail can be withdrawn',
    async (id) => {
      const project = await quoted()
      const partner = await app.make.partner()
      await app.make.assign(project.id, partner.id)
      await admin().call('project.setCost', { id: project.id, cost: 900 })
      await admin().call(id, { id: project.id })
      const mail = (await mailsAbout(project.id)).at(-1)!
      expect([mail.to_address, waits(mail)]).toEqual([app.member.email, 8])
      expect((await admin().call('outbox.withdraw', { id: mail.id })).status).toBe(200)
      expect((await mailsAbout(project.id)).at(-1)!.status).toBe('withdrawn')
    },
  )

  test.each(['project.mailPartner', 'project.mailPartnerNow', 'campaign.mailPartner'] as const)(
    '%s waits as well',
    async (id) => {
      const project = await quoted()
      const partner = await app.make.partner()
      await app.make.assign(project.id, partner.id)
      await admin().call(id, { project_id: project.id, partner_id: partner.id })
      const [mail] = await mailsAbout(project.id)
      expect([mail!.to_address, waits(mail!)]).toEqual([partner.email, 8])
    },
  )

  test('send at once if the client has counted down already', async () => {
    const project = await quoted()
    const partner = await app.make.partner()
    await app.make.assign(project.id, partner.id)
    await admin().call('project.mailPartnerNow', { project_id: project.id, partner_id: partner.id, delay_seconds: 0 })
    const [mail] = await mailsAbout(project.id)
    expect(waits(mail!)).toBe(0)
  })
})
