import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { SETTINGS } from '../../contract/organizationSettings.ts'
import { addDays } from '../../contract/pacing.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const set = (settings: Partial<typeof SETTINGS>) => admin().call('organization.edit', settings)
afterEach(() => set(SETTINGS))

/** A project that one partner has answered with all its completes at this price. */
async function answered(ordered: number, cpi_cents: number) {
  const project = await app.make.project({ client_id: app.client.id, status: 'pricing', ordered, cost_cents: null })
  const partner = await app.make.partner()
  await app.make.assign(project.id, partner.id)
  const answer = { feasible_completes: ordered, cpi_cents, fill_requirements: 'Yes' as const }
  const proffer = await app.make.proffer({ project_id: project.id, partner_id: partner.id, round: 1, ...answer })
  return { ...project, partner, proffer }
}
/** The number of weekdays after today, up to a date. */
function workingDaysUntil(date: string): number {
  const days = Array.from({ length: 60 }, (_, nth) => addDays(app.make.today(), nth + 1)).filter((day) => day <= date)
  return days.filter((day) => new Date(`${day}T00:00:00Z`).getUTCDay() % 6 !== 0).length
}
const channelOf = async (id: number) => {
  const { campaigns } = (await admin().call('campaign.requestList', { per_page: 500 })).body.data
  return campaigns.find((campaign) => campaign.id === id)!.channel!
}

describe('the organization’s settings for quotes', () => {
  test('have defaults, are written one by one, and named in the history', async () => {
    expect((await admin().call('organization.get')).body.data).toMatchObject(SETTINGS)
    const { data } = (await set({ usual_margin: 40 })).body
    expect(data).toMatchObject({ ...SETTINGS, usual_margin: 40 })
    const line = await app.db
      .selectFrom('history')
      .select(['before', 'after'])
      .where('subject', '=', 'organization')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect([JSON.parse(line.before), JSON.parse(line.after)]).toEqual([{ usual_margin: 35 }, { usual_margin: 40 }])
  })

  test('are for administrators: the settings everybody reads include none of them', async () => {
    const { data } = (await app.as('client').call('organization.config')).body
    expect(Object.keys(SETTINGS).filter((name) => name in data)).toEqual([])
  })

  test.each([
    ['usual_margin', 96, 'Usual margin is between 0 and 95'],
    ['answer_days', 0, 'Days to answer is between 1 and 60'],
    ['valid_days', 1.5, 'Days of validity is between 1 and 365'],
    ['margin_floor', 50, 'The least margin can’t be above the usual margin of 35\u00a0%'],
  ])('are refused by name: %s %d', async (name, value, sentence) => {
    const answer = await set({ [name]: value })
    expect([answer.status, answer.body.fields]).toEqual([422, { [name]: sentence }])
  })

  test('that changed meanwhile are a 409 that names them', async () => {
    const { lock_version } = (await admin().call('organization.get')).body.data
    await set({ valid_days: 20 })
    const answer = await admin().call('organization.edit', { valid_days: 30, lock_version })
    expect([answer.status, answer.body.code]).toEqual([409, 'stale'])
    expect(answer.body).toMatchObject({ clashes: ['valid_days'], theirs: { valid_days: 20 } })
  })

  test('an undo puts back one setting and leaves another that somebody changed since', async () => {
    const { headers } = await set({ usual_margin: 50 })
    await set({ answer_days: 9 })
    expect((await admin().call('undo.take', { id: Number(headers['x-undo']) })).status).toBe(200)
    expect((await admin().call('organization.get')).body.data).toMatchObject({ usual_margin: 35, answer_days: 9 })
  })
})

describe('the quote flow follows the settings', () => {
  test('in a project’s margin, answer-by and validity', async () => {
    const { id } = await answered(10, 500)
    await set({ usual_margin: 44, margin_floor: 20, valid_days: 30 })
    const { data } = (await admin().call('project.quote', { id })).body
    const usual_valid_until = addDays(app.make.today(), 30)
    expect(data).toMatchObject({ usual_margin: 44, margin_floor: 20, usual_valid_until })
    const early = data.usual_answer_by
    await set({ answer_days: 20 })
    const late = (await admin().call('project.quote', { id })).body.data.usual_answer_by
    expect([workingDaysUntil(early), workingDaysUntil(late)]).toEqual([5, 20])
  })

  test('in the date that an invitation gets', async () => {
    await set({ answer_days: 10 })
    const { id } = await app.make.project({ client_id: app.client.id, status: 'pricing' })
    const partner = await app.make.partner()
    await admin().call('invitation.create', { id, partner_ids: [partner.id], mail: false })
    const { answer_by } = await app.db
      .selectFrom('project_partners')
      .select('answer_by')
      .where('project_id', '=', id)
      .executeTakeFirstOrThrow()
    const usual = (await admin().call('project.quote', { id })).body.data.usual_answer_by
    expect(answer_by).toBe(usual)
  })

  test('in the margin of a request without a cost, and in what is below the minimum', async () => {
    const { id } = await answered(10, 650)
    expect(await channelOf(id)).toMatchObject({ margin_percent: 35, low_margin: false })
    await set({ usual_margin: 50, margin_floor: 50 })
    expect(await channelOf(id)).toMatchObject({ margin_percent: 50, low_margin: false })
    await admin().call('project.setCost', { id, cost: 100, hold: true })
    expect(await channelOf(id)).toMatchObject({ margin_percent: 35, low_margin: true })
  })

  test('in how long a request may wait at its step', async () => {
    const created_at = new Date(Date.now() - 2.5 * 86_400_000).toISOString()
    const { id } = await app.make.project({ client_id: app.client.id, status: 'requirements', created_at })
    expect(await channelOf(id)).toMatchObject({ step: 'invite', waiting_days: 2, aged: true })
    await set({ invite_days: 3 })
    expect(await channelOf(id)).toMatchObject({ waiting_days: 2, aged: false })
  })

  test('in whether partners who weren’t chosen are notified', async () => {
    const decide = async () => {
      const { id, proffer, partner } = await answered(10, 500)
      const other = await app.make.partner()
      await app.make.assign(id, other.id)
      const answer = { feasible_completes: 10, cpi_cents: 900, fill_requirements: 'Yes' as const }
      await app.make.proffer({ project_id: id, partner_id: other.id, round: 1, ...answer })
      const shares = [{ proffer_id: proffer.id, completes: 10 }]
      const priced = await admin().call('project.setCost', { id, cost: 100, shares, notify: true })
      expect(priced.status, priced.text).toBe(200)
      const approved = await app.as('client').call('project.approve', { project_id: id, status: 'QuoteApproved' })
      expect(approved.status, approved.text).toBe(200)
      const mails = await app.db.selectFrom('mails').select('to_address').where('about', '=', `project:${id}`).execute()
      const wasEmailed = (email: string) => mails.some(({ to_address }) => to_address === email)
      return { chosen: wasEmailed(partner.email), other: wasEmailed(other.email) }
    }
    expect(await decide()).toEqual({ chosen: true, other: true })
    await set({ tell_not_chosen: false })
    expect(await decide()).toEqual({ chosen: true, other: false })
  })
})
