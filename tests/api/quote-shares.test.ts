import { beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '../../contract/pacing.ts'
import { mailExpiringQuotes } from '../../server/mail/quoteExpiry.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const client = () => app.as('client')

/** A project on quote whose partners have accepted, with their answers. */
async function answered(...offers: object[]) {
  const { id } = await app.make.project({
    client_id: app.client.id,
    status: 'requirements',
    cost_cents: null,
    ordered: 400,
    requested_by: app.member.id,
  })
  const partners = await Promise.all(offers.map(() => app.make.partner()))
  await admin().call('invitation.create', { id, partner_ids: partners.map((partner) => partner.id), mail: 0, title: 'Oats' })
  const proffers: number[] = []
  for (const [at, partner] of partners.entries()) {
    const given = { fill_requirements: 'Yes', feasible_completes: 300, cpi_cents: 600, on_behalf: 'by phone', ...offers[at] }
    const { status, text } = await admin().call('proffer.create', { campaign_id: id, partner_id: partner.id, ...given } as never)
    expect(status, text).toBe(200)
    const row = await app.db
      .selectFrom('proffers')
      .select('id')
      .where('project_id', '=', id)
      .where('partner_id', '=', partner.id)
      .executeTakeFirstOrThrow()
    proffers.push(row.id)
  }
  return { id, partners, proffers }
}
const quotes = async (id: number) => (await admin().call('project.quote', { id })).body.data.rounds[0]!.quotes
const mails = (id: number) =>
  app.db
    .selectFrom('mails')
    .select(['to_address', 'subject', 'status', 'not_before', 'created_at', 'body'])
    .where('about', '=', `project:${id}`)
    .orderBy('id')
    .execute()
const priced = (id: number, given: object) => admin().call('project.setCost', { id, cost: 5000, ...given } as never)

describe('shares of an order', () => {
  test('keep the price of the answers at the time; a correction flags one but not its price', async () => {
    const { id, partners, proffers } = await answered({}, { cpi_cents: 800 })
    const shares = [
      { proffer_id: proffers[0]!, completes: 300 },
      { proffer_id: proffers[1]!, completes: 100 },
    ]
    // A target cost with shares keeps the round open, so an answer can still be corrected.
    expect((await priced(id, { shares, hold: 1 })).status).toBe(200)
    expect((await quotes(id))[0]).toMatchObject({ partner_cost_cents: 260_000, margin_cents: 240_000, margin_percent: 48 })
    const answer = { campaign_id: id, partner_id: partners[0]!.id, on_behalf: 'by phone', fill_requirements: 'Yes' }
    await admin().call('proffer.create', { ...answer, feasible_completes: 300, cpi_cents: 900, lock_version: 1 })
    const [quote] = await quotes(id)
    expect(quote!.shares.map(({ cpi_cents, now_cpi_cents, corrected }) => [cpi_cents, now_cpi_cents, corrected])).toEqual(
      expect.arrayContaining([
        [600, 900, true],
        [800, 800, false],
      ]),
    )
    expect(quote!.partner_cost_cents).toBe(260_000)
  })

  test('stay with a new price that names none, and change in place under the same price', async () => {
    const { id, proffers } = await answered({}, { cpi_cents: 800 })
    await priced(id, { shares: [{ proffer_id: proffers[0]!, completes: 300 }] })
    await priced(id, { cost: 6000 })
    expect((await quotes(id)).map(({ state, shares }) => [state, shares.length])).toEqual([
      ['prepared', 1],
      ['replaced', 1],
    ])
    await priced(id, { cost: 6000, shares: [{ proffer_id: proffers[1]!, completes: 200 }] })
    expect((await quotes(id)).map(({ shares }) => shares.map(({ completes }) => completes))).toEqual([[200], [300]])
  })

  test('are refused by name if they can’t be taken', async () => {
    const { id, proffers, partners } = await answered({}, { fill_requirements: 'No', reason: 'no' })
    const other = await answered({})
    const refused = async (shares: object[]) => Object.keys((await priced(id, { shares })).body.fields ?? {})
    expect(await refused([{ proffer_id: other.proffers[0]!, completes: 1 }])).toEqual(['shares.0.proffer_id'])
    expect(await refused([{ proffer_id: proffers[1]!, completes: 1 }])).toEqual(['shares.0.proffer_id'])
    expect(await refused([{ proffer_id: proffers[0]!, completes: 301 }])).toEqual(['shares.0.completes'])
    expect(
      await refused([
        { proffer_id: proffers[0]!, completes: 1 },
        { proffer_id: proffers[0]!, completes: 1 },
      ]),
    ).toEqual(['shares'])
    await app.write((tx) =>
      tx.updateTable('proffers').set({ valid_until: '2020-01-31' }).where('id', '=', proffers[0]!).execute(),
    )
    const ended = await priced(id, { shares: [{ proffer_id: proffers[0]!, completes: 1 }] })
    expect([ended.status, ended.body.message]).toEqual([409, `${partners[0]!.name}’s offer ended on 2020-01-31.`])
    expect(await quotes(id)).toEqual([])
  })

  test('that exceed the order are refused', async () => {
    const { id, proffers } = await answered({}, {})
    const { status, body } = await priced(id, { shares: proffers.map((proffer_id) => ({ proffer_id, completes: 250 })) })
    expect([status, body.message]).toEqual([422, 'shares add up to 500 completes, but 400 are ordered'])
  })

  test('that exceed the cost need a reason', async () => {
    const { id, proffers } = await answered({})
    const shares = [{ proffer_id: proffers[0]!, completes: 300 }]
    expect((await priced(id, { shares, cost: 1000 })).body.fields).toHaveProperty('reason')
    expect((await priced(id, { shares, cost: 1000, reason: 'A first order' })).status).toBe(200)
    expect((await quotes(id))[0]).toMatchObject({ margin_cents: -80_000 })
  })

  test('are undone with the price', async () => {
    const { id, proffers } = await answered({})
    const { headers } = await priced(id, { shares: [{ proffer_id: proffers[0]!, completes: 300 }], notify: 1 })
    expect((await mails(id)).filter(({ to_address }) => to_address === app.member.email)).toMatchObject([{ status: 'queued' }])
    expect((await admin().call('undo.take', { id: Number(headers['x-undo']) })).status).toBe(200)
    expect(await quotes(id)).toEqual([])
    expect((await mails(id)).filter(({ to_address }) => to_address === app.member.email)).toMatchObject([{ status: 'withdrawn' }])
  })
})

describe('a cost', () => {
  test('before any partner is invited can only be a target', async () => {
    const { id } = await app.make.project({ client_id: app.client.id, status: 'requirements', cost_cents: null })
    const refused = await priced(id, {})
    expect([refused.status, refused.body.code, refused.body]).toMatchObject([
      409,
      'not_now',
      { allowed: expect.any(Array), stored_transitions: expect.any(Array) },
    ])
    expect((await priced(id, { hold: 1 })).status).toBe(200)
  })
})

describe('whoever acts next is mailed', () => {
  const to = async (id: number, address: string) => (await mails(id)).filter(({ to_address }) => to_address === address)

  test('of a quote and of a changed one: only the requester, 8 seconds later', async () => {
    const { id } = await answered({})
    await priced(id, { notify: 1 })
    await priced(id, { cost: 5500, notify: 1 })
    const { name } = (await admin().call('project.get', { id })).body.data
    const letters = await to(id, app.member.email)
    expect(letters.map(({ subject }) => subject)).toEqual([`The quote for "${name}"`, `The quote for "${name}" has changed`])
    expect(letters[1]!.body).toContain(`/survey-request/client-approval/${id}`)
    for (const letter of letters) expect(Date.parse(letter.not_before!) - Date.parse(letter.created_at)).toBeGreaterThan(7000)
  })

  test('of an approval: the administrator who invited, and each partner with what they were chosen for', async () => {
    const { id, partners, proffers } = await answered({}, {})
    await priced(id, { shares: [{ proffer_id: proffers[0]!, completes: 300 }], notify: 1 })
    await client().call('project.approve', { project_id: id })
    expect((await to(id, app.admin.email)).at(-1)!.subject).toContain('approved the quote for')
    const [chosen, other] = await Promise.all(partners.map((partner) => to(id, partner.email)))
    expect(chosen!.map(({ subject }) => subject)).toEqual([expect.stringMatching(/^You were chosen: Oats/)])
    expect(chosen![0]!.body).toContain('300 completes of "Oats" at $6.00 each')
    expect(other!.map(({ subject }) => subject)).toEqual([expect.stringMatching(/^Round closed: Oats/)])
    for (const letter of [...chosen!, ...other!]) expect(letter.body).not.toContain('5,000')
  })

  test('of a rejected quote: the administrator, with the reason, and no partner', async () => {
    const { id, partners } = await answered({})
    await priced(id, { notify: 1 })
    await client().call('project.reject', { project_id: id, status: 'OnQuote', reason: 'Too dear for us' })
    expect((await to(id, app.admin.email)).at(-1)!.body).toContain('Too dear for us')
    expect(await to(id, partners[0]!.email)).toEqual([])
  })

  test('of a quote that ends in two days: the client, once', async () => {
    const { id } = await answered({})
    await priced(id, { valid_until: addDays(app.make.today(), 2), notify: 1 })
    await app.write((tx) =>
      tx.updateTable('quotes').set({ sent_at: '2020-01-01T00:00:00.000Z' }).where('project_id', '=', id).execute(),
    )
    await Promise.all([mailExpiringQuotes(app.services), mailExpiringQuotes(app.services)])
    await mailExpiringQuotes(app.services)
    const ends = (await to(id, app.member.email)).filter(({ subject }) => subject.includes(' ends on '))
    expect(ends).toHaveLength(1)
  })

  test('of a next round: its invitations keep title, message and who invited, and a withdrawn one stays so', async () => {
    const { id, partners } = await answered({}, {})
    await admin().call('invitation.revoke', { id, partner_id: partners[1]!.id, reason: 'wrong panel' })
    await priced(id, { notify: 1 })
    await client().call('project.reject', { project_id: id, status: 'OnQuote', reason: 'Too dear' })
    const rows = await app.db
      .selectFrom('project_partners')
      .selectAll()
      .where('project_id', '=', id)
      .where('round', '=', 2)
      .execute()
    expect(rows).toMatchObject([{ partner_id: partners[0]!.id, title: 'Oats', invited_by: app.admin.id, mailed_at: null }])
    expect(rows[0]!.answer_by).not.toBeNull()
  })
})

describe('the older send_mail', () => {
  test('invites who isn’t invited yet, then reminds once a day', async () => {
    const { id } = await app.make.project({
      client_id: app.client.id,
      status: 'requirements',
      cost_cents: null,
      generation: 'campaign',
    })
    const partner = await app.make.partner()
    const send = () => admin().call('campaign.mailPartner', { project_id: id, partner_id: partner.id })
    expect((await send()).status).toBe(200)
    expect((await admin().call('project.get', { id })).body.data.stored_status).toBe('pricing')
    expect((await send()).status).toBe(200)
    const third = await send()
    expect([third.status, third.body.message]).toEqual([409, expect.stringMatching(/^Reminded today\. Next from \d/)])
  })
})
