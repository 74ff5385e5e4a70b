import { beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '../../contract/pacing.ts'
import { type Fieldwork, fieldwork } from './support.ts'
import { apiOf } from './undoing.ts'

// What the server adds for an administrator's commands on a quote.

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')

/** A project on quote that requests 400 completes from these partners. */
async function asked(partners = 1) {
  const { id } = await app.make.project({
    client_id: app.client.id,
    status: 'requirements',
    cost_cents: null,
    ordered: 400,
    requested_by: app.member.id,
  })
  const made = await Promise.all(Array.from({ length: partners }, () => app.make.partner()))
  await admin().call('invitation.create', { id, partner_ids: made.map((partner) => partner.id), mail: 0 })
  return { id, partners: made }
}
/** Enters a partner's answer given by phone. */
const enter = (id: number, partner_id: number, given: object = {}) =>
  admin().call('proffer.create', {
    ...{ campaign_id: id, partner_id, fill_requirements: 'Yes', on_behalf: 'By phone' },
    ...{ feasible_completes: 300, cpi_cents: 200 },
    ...given,
  } as never)
/** Adds a signed document. */
function sign(project_id: number, name: string) {
  const form = new FormData()
  form.append('project_id', String(project_id))
  form.append('kind', 'docsign')
  form.append('file', new File([`Signed ${name}`], name, { type: 'text/plain' }))
  return apiOf(admin(), { steps: [] }).upload('file.uploadDocument', form)
}
const invitations = async (id: number) => (await admin().call('project.quote', { id })).body.data.rounds[0]!.invitations
const refusals = async (id: number, action: string) =>
  (await invitations(id)).map((row) => row.refused_actions[action] ?? 'allowed')
/** In the workspace's time zone, where a day ends some hours after UTC's. */
const yesterday = () => addDays(app.make.today(), -1)

describe('an invitation lists what can be done with it, and why the rest can’t', () => {
  test('remind: if unanswered, with an email address and not reminded today', async () => {
    const { id, partners } = await asked(3)
    const [silent, answered, unreachable] = partners
    await enter(id, answered!.id)
    await admin().call('partner.edit', { id: unreachable!.id, email: '' })
    const remindRefusals = new Map(
      (await invitations(id)).map((row) => [row.partner_id, row.refused_actions['invitation.remind']]),
    )
    expect([remindRefusals.get(silent!.id), remindRefusals.get(answered!.id), remindRefusals.get(unreachable!.id)]).toEqual([
      undefined,
      `${answered!.name} has answered`,
      `${unreachable!.name} has no email address: copy the link instead`,
    ])
    await admin().call('invitation.remind', { id, partner_ids: [silent!.id] })
    expect((await refusals(id, 'invitation.remind')).join()).toMatch(/reminded today, next from \d/)
  })

  test('take: an unexpired offer of completes at a price', async () => {
    const { id, partners } = await asked()
    const { id: partner, name } = partners[0]!
    expect(await refusals(id, 'proffer.take')).toEqual([`${name} has not answered yet`])
    await enter(id, partner)
    expect(await refusals(id, 'proffer.take')).toEqual(['allowed'])
    await app.db.updateTable('proffers').set({ valid_until: yesterday() }).where('project_id', '=', id).execute()
    expect(await refusals(id, 'proffer.take')).toEqual([`${name}’s offer ended on ${yesterday()}`])
  })

  test('nothing while the quote is with the client, except what it sees and taking another offer', async () => {
    const { id, partners } = await asked()
    await enter(id, partners[0]!.id)
    await admin().call('project.setCost', { id, cost_cents: 90_000 })
    const [row] = await invitations(id)
    expect(row!.allowed_actions).toEqual(['invitation.edit', 'proffer.take'])
    expect(row!.refused_actions['invitation.revoke']).toBe('its round is closed')
  })
})

describe('a partner’s link', () => {
  const tokenOf = (body: { data: { url: string } }) => new URL(body.data.url).searchParams.get('token')!
  const opens = async (id: number, token: string) =>
    (await app.as('stranger').call('invitation.get', { id }, { 'fieldwork-partner': token })).status

  test('is copied as mailed, and stays valid', async () => {
    const { id, partners } = await asked()
    const given = { id, partner_id: partners[0]!.id }
    const first = tokenOf((await admin().call('invitation.link', given)).body)
    const copied = tokenOf((await admin().call('invitation.link', { ...given, renew: 0 })).body)
    expect(copied).toBe(first)
    expect(await opens(id, first)).toBe(200)
  })

  test('is created for a partner who was never mailed', async () => {
    const { id, partners } = await asked()
    const { body } = await admin().call('invitation.link', { id, partner_id: partners[0]!.id, renew: 0 })
    expect(await opens(id, tokenOf(body))).toBe(200)
  })

  test('that has expired is copied as a new one', async () => {
    const { id, partners } = await asked()
    const given = { id, partner_id: partners[0]!.id }
    await app.db
      .updateTable('project_partners')
      .set({ link_until: new Date(Date.now() - 1000).toISOString() })
      .where('project_id', '=', id)
      .execute()
    expect(await opens(id, tokenOf((await admin().call('invitation.link', { ...given, renew: 0 })).body))).toBe(200)
  })
})

test('a reminder undone in time can be sent again', async () => {
  const { id } = await asked()
  const { headers } = await admin().call('invitation.remind', { id, delay_seconds: 30 })
  expect((await admin().call('invitation.remind', { id })).status).toBe(409)
  expect((await admin().call('undo.take', { id: Number(headers['x-undo']) })).status).toBe(200)
  expect((await admin().call('invitation.remind', { id })).status).toBe(200)
})

test('the chosen partners are in the history, with the previous ones, and hidden from the client', async () => {
  const { id, partners } = await asked(2)
  for (const { id: partner } of partners) await enter(id, partner)
  const offers = (await invitations(id)).map(({ name, answer }) => ({ name, proffer_id: answer!.id }))
  const take = (...completes: number[]) =>
    admin().call('project.setCost', {
      id,
      cost_cents: 123_400,
      shares: offers.flatMap(({ proffer_id }, at) => (completes[at] ? [{ proffer_id, completes: completes[at] }] : [])),
    })
  await take(300, 100)
  await take(200, 200)
  const [first, second] = offers.map(({ name }) => name)
  const { data } = (await admin().call('project.history', { id, per_page: 50 })).body
  expect(data.find(({ after }) => 'partner_shares' in after)).toMatchObject({
    before: { partner_shares: `${first} 300 at $2.00, ${second} 100 at $2.00` },
    after: { partner_shares: `${first} 200 at $2.00, ${second} 200 at $2.00` },
  })
  const theirs = JSON.stringify((await app.as('client').call('project.history', { id, per_page: 50 })).body)
  expect(theirs).not.toContain('partner_shares')
  expect(theirs).not.toContain(first!)
})

test('the last signed document can’t be deleted, the first of two can', async () => {
  const { id } = await app.make.project({ client_id: app.client.id, status: 'approved' })
  const sentences = async () =>
    (await admin().call('project.quote', { id })).body.data.documents.map(({ refused_actions }) => refused_actions['file.remove'])
  await sign(id, 'first.txt')
  expect(await sentences()).toEqual(['the last signed document cannot be removed'])
  await sign(id, 'second.txt')
  expect(await sentences()).toEqual([undefined, undefined])
})
