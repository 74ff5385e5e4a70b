import { beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '../../contract/pacing.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const client = () => app.as('client')
const detail = async (id: number, who = admin()) => (await who.call('project.get', { id })).body.data
const quotes = (project_id: number) =>
  app.db
    .selectFrom('quotes')
    .select(['round', 'revision', 'cost_cents', 'valid_until', 'state', 'reason'])
    .where('project_id', '=', project_id)
    .orderBy('id')
    .execute()
const states = async (id: number) => (await quotes(id)).map((quote) => `${quote.round}.${quote.revision} ${quote.state}`)

/** A project in pricing with a partner and no cost. */
async function onQuote(given: object = {}) {
  const { id } = await app.make.project({ client_id: app.client.id, status: 'pricing', cost_cents: null, ...given })
  await app.make.assign(id, (await app.make.partner()).id)
  return id
}
/** The same with its quote prepared, sent or approved, and moved to a status. */
async function quoted(upTo: 'prepared' | 'sent' | 'approved' | 'active' | 'paused' = 'sent') {
  const id = await onQuote()
  await admin().call('project.setCost', { id, cost: 1500 })
  if (upTo === 'prepared') return id
  await admin().call('project.notifyCostNow', { id })
  if (upTo === 'sent') return id
  await client().call('project.approve', { project_id: id })
  if (upTo === 'approved') return id
  await admin().call('project.goLive', { id })
  if (upTo === 'paused') await admin().call('project.setStatus', { id, status: 'Paused', reason: 'A holiday' })
  return id
}

describe('an approved price', () => {
  test('changes only by re-pricing, with a reason, and the client is asked again', async () => {
    for (const status of ['approved', 'paused'] as const) {
      const id = await quoted(status)
      const silent = await admin().call('project.setCost', { id, cost: 99_999 })
      expect([silent.status, Object.keys(silent.body.fields)]).toEqual([422, ['reason']])
      expect(await detail(id)).toMatchObject({ cost_cents: 150_000, stored_status: status })
      const mails = async () =>
        (await app.db.selectFrom('mails').select('id').where('about', '=', `project:${id}`).execute()).length
      const before = await mails()
      const answer = await admin().call('project.setCost', { id, cost: 2000, reason: 'More completes' })
      expect(answer.status, answer.text).toBe(200)
      expect(answer.body.data).toMatchObject({ cost_cents: 200_000, stored_status: 'submit_approval' })
      expect(await states(id)).toEqual(['1.1 approved', '1.2 sent'])
      expect(await mails()).toBe(before + 1)
      expect((await client().call('project.approve', { project_id: id, cost_cents: 200_000 })).status).toBe(200)
      expect(await states(id)).toEqual(['1.1 approved', '1.2 approved'])
    }
  })

  test('of an active project is not changed: it has to be paused first', async () => {
    const id = await quoted('active')
    const answer = await admin().call('project.setCost', { id, cost: 99_999, reason: 'Because' })
    expect([answer.status, answer.body.message]).toEqual([409, 'Pause the project to change its price.'])
    expect((await detail(id)).refused_actions).toMatchObject({
      'project.setCost': 'pause the project to change its price',
      'project.reprice': 'pause the project to change its price',
    })
    expect(await detail(id)).toMatchObject({ cost_cents: 150_000, stored_status: 'active' })
  })

  test('written back as read asks nobody again', async () => {
    const id = await quoted('approved')
    expect((await admin().call('project.setCost', { id, cost_cents: 150_000 })).status).toBe(200)
    expect([(await detail(id)).stored_status, await states(id)]).toEqual(['approved', ['1.1 approved']])
  })

  test('is disabled with what to do instead', async () => {
    const { allowed_actions, refused_actions } = await detail(await quoted('approved'))
    expect(allowed_actions).toContain('project.reprice')
    expect(refused_actions['project.setCost']).toBe('its price is approved: re-price it, which asks the client again')
    expect((await detail(await onQuote())).refused_actions['project.reprice']).toBe('its price is not approved yet: set the cost')
  })
})

describe('a quote', () => {
  test('that was rejected starts a round without a cost, which can’t be presented again', async () => {
    const id = await quoted()
    await client().call('project.reject', { project_id: id, status: 'OnQuote', reason: 'Too dear' })
    expect(await detail(id)).toMatchObject({
      cost_cents: null,
      quote_round: 2,
      quote_valid_until: null,
      stored_status: 'pricing',
    })
    const again = await admin().call('project.setStatus', { id, status: 'Quoted' })
    expect([again.status, again.body.message]).toEqual([409, "It can't be quoted: the cost is not set yet."])
    await admin().call('project.setCost', { id, cost: 1200 })
    expect(await quotes(id)).toMatchObject([
      { round: 1, revision: 1, cost_cents: 150_000, state: 'rejected', reason: 'Too dear' },
      { round: 2, revision: 1, cost_cents: 120_000, state: 'prepared' },
    ])
  })

  test('is valid until a real day, today or later', async () => {
    const id = await onQuote()
    for (const valid_until of [addDays(app.make.today(), -1), '2020-02-31', '2099-02-30', 'soon']) {
      const answer = await admin().call('project.setCost', { id, cost: 1500, valid_until })
      expect([answer.status, Object.keys(answer.body.fields)], valid_until).toEqual([422, ['valid_until']])
    }
    expect(await quotes(id)).toEqual([])
    const answer = await admin().call('project.setCost', { id, cost: 1500, valid_until: app.make.today() })
    expect(answer.body.data.quote_valid_until).toBe(app.make.today())
  })

  test('is visible and open to approval once sent; an administrator approves a prepared one with a note', async () => {
    const id = await quoted('prepared')
    expect(await detail(id, client())).toMatchObject({ cost_cents: null, quote_valid_until: null })
    expect((await client().call('project.history', { id })).text).not.toContain('150000')
    const early = await client().call('project.approve', { project_id: id })
    expect([early.status, early.body.message]).toEqual([409, "It can't be approved: no quote has been sent yet."])
    expect((await admin().call('project.approve', { project_id: id })).body.fields).toHaveProperty('reason')
    expect((await admin().call('project.approve', { project_id: id, reason: 'By phone' })).status).toBe(200)
    expect(await quotes(id)).toMatchObject([{ state: 'approved', reason: 'By phone' }])
    const sent = await quoted('sent')
    expect(await detail(sent, client())).toMatchObject({ cost_cents: 150_000 })
    expect((await client().call('project.history', { id: sent })).text).toContain('150000')
  })

  test('whose price changed after it was sent has to be sent again', async () => {
    const id = await quoted()
    await admin().call('project.setCost', { id, cost: 1800 })
    expect(await states(id)).toEqual(['1.1 replaced', '1.2 prepared'])
    expect((await client().call('project.approve', { project_id: id })).status).toBe(409)
  })

  test('isn’t approved at another price than seen', async () => {
    const id = await quoted()
    const answer = await client().call('project.approve', { project_id: id, cost_cents: 120_000 })
    expect(answer.status).toBe(409)
    expect(answer.body.message).toMatch(/^The quote changed to \$1,500\.00 at \d+:\d\d [AP]M\.$/)
  })

  test('keeps a target cost internal, and doesn’t change the status', async () => {
    const id = await onQuote()
    const answer = await admin().call('project.setCost', { id, cost: 900, hold: true })
    expect(answer.body.data).toMatchObject({ cost_cents: 90_000, stored_status: 'pricing' })
    expect((await detail(id, client())).cost_cents).toBeNull()
  })

  test('of two amounts that must match is refused', async () => {
    const answer = await admin().call('project.setCost', { id: await onQuote(), cost: 900, cost_cents: 90 })
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([422, ['cost_cents']])
  })

  test('isn’t sent before it exists, nor once expired', async () => {
    expect((await admin().call('project.notifyCostNow', { id: await onQuote() })).status).toBe(409)
    expect((await admin().call('project.notifyCostNow', { id: await quoted('approved') })).status).toBe(409)
  })

  test('is emailed once by two sends at once, and again only when that is meant', async () => {
    const id = await quoted('prepared')
    const mails = () => app.db.selectFrom('mails').select(['id', 'status']).where('about', '=', `project:${id}`).execute()
    const both = await Promise.all([1, 2].map(() => admin().call('project.notifyCostNow', { id })))
    expect(both.map((answer) => answer.status).sort()).toEqual([200, 409])
    const [refused] = both.filter((answer) => answer.status === 409)
    expect(refused!.body.message).toMatch(/^This quote was emailed to the client at \d+:\d\d [AP]M\. It wasn’t emailed again\.$/)
    expect((await admin().call('project.notifyCost', { id })).status).toBe(409)
    expect(await mails()).toHaveLength(1)
    // A mail that was withdrawn hasn't reached the client.
    const [mail] = await mails()
    expect((await admin().call('outbox.withdraw', { id: mail!.id })).status).toBe(200)
    expect((await admin().call('project.notifyCostNow', { id, resend: false })).status).toBe(200)
    // Later, a second window that doesn't know is refused; somebody who was asked sends it again.
    const earlier = new Date(Date.now() - 120_000).toISOString()
    await app.write((tx) => tx.updateTable('quotes').set({ sent_at: earlier }).where('project_id', '=', id).execute())
    await app.write((tx) => tx.updateTable('mails').set({ created_at: earlier }).where('about', '=', `project:${id}`).execute())
    expect((await admin().call('project.notifyCostNow', { id, resend: false })).status).toBe(409)
    expect((await admin().call('project.notifyCostNow', { id, resend: true })).status).toBe(200)
    expect(await mails()).toHaveLength(3)
  })

  test('is priced once by two concurrent identical prices', async () => {
    const id = await onQuote()
    const both = await Promise.all([1, 2].map(() => admin().call('project.setCost', { id, cost: 1500 })))
    expect(both.map((answer) => answer.status)).toEqual([200, 200])
    expect(await states(id)).toEqual(['1.1 prepared'])
  })
})

describe('the quote calls check the status they are given', () => {
  test('approve, assign and reject refuse another by name, and reject one without', async () => {
    const id = await quoted()
    const refused = async (call: 'project.approve' | 'project.reject' | 'project.assign', more: object) => {
      const answer = await admin().call(call, { project_id: id, reason: 'Because', ...more })
      return [answer.status, Object.keys(answer.body.fields ?? {})]
    }
    expect(await refused('project.approve', { status: 'Rejected' })).toEqual([422, ['status']])
    expect(await refused('project.assign', { status: 'Active', partner_id: 1 })).toEqual([422, ['status']])
    expect(await refused('project.reject', {})).toEqual([422, ['status']])
    expect(await refused('project.reject', { status: 'Active' })).toEqual([422, ['status']])
    expect((await detail(id)).stored_status).toBe('submit_approval')
  })

  test('authorized is Yes for those who may approve now', async () => {
    const authorized = async (id: number, who = client()) =>
      (await who.call('campaign.authorization', { id })).body.data.authorized
    expect(await authorized(await quoted('prepared'))).toBe('No')
    expect(await authorized(await quoted('prepared'), admin())).toBe('Yes')
    expect(await authorized(await quoted('sent'))).toBe('Yes')
    expect(await authorized(await onQuote())).toBe('No')
    const answer = await client().call('campaign.authorize', { campaign_id: await quoted(), authorized: 'Yes', approved: false })
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([422, ['approved']])
  })

  test('every project’s cost, round and validity are those of its current revision', async () => {
    for (const step of ['prepared', 'sent', 'approved', 'active', 'paused'] as const) await quoted(step)
    const projects = await app.db.selectFrom('projects').selectAll().execute()
    for (const project of projects) {
      const last = (await quotes(project.id)).filter((quote) => quote.round === project.quote_round).at(-1)
      if (last) expect([project.cost_cents, project.quote_valid_until]).toEqual([last.cost_cents, last.valid_until])
    }
  })
})

describe('words', () => {
  test('refusals and messages name the step, not its display name', async () => {
    const { id } = await app.make.project({ client_id: app.client.id, status: 'requirements' })
    const refused = await admin().call('project.setStatus', { id, status: 'OnQuote' })
    expect(refused.body.message).toBe("It can't go on quote: no partner is invited yet.")
    await app.make.assign(id, (await app.make.partner()).id)
    expect((await admin().call('project.setStatus', { id, status: 'OnQuote' })).body.message).toMatch(/^“.+” is now on quote\.$/)
    expect((await admin().call('project.setStatus', { id, status: 'OnQuote' })).body.message).toBe(
      'The project is already on quote.',
    )
  })

  test('a project with missing data is refused in the specification’s words', async () => {
    const blank = { client_id: app.client.id, goal: 100, name: '', start_dt: '' }
    expect((await admin().call('project.create', blank)).body.fields).toEqual({
      name: 'Project Name cannot be blank',
      start_dt: 'Project Start Date cannot be blank',
    })
    expect((await admin().call('project.create', {})).body.fields).toMatchObject({
      name: 'Project Name cannot be blank',
      start_dt: 'Project Start Date cannot be blank',
      goal: 'Project Goal cannot be blank',
    })
    const { id } = await app.make.project({ client_id: app.client.id })
    const edit = async (more: object) => (await admin().call('project.edit', { id, ...more })).body.fields
    expect(await edit({ status: '' })).toEqual({ status: 'Project Status cannot be blank' })
    expect(await edit({ end_dt: '' })).toEqual({ end_dt: 'Project End Date cannot be blank' })
    expect(await edit({ end_dt: 'soon' })).toEqual({ end_dt: 'end_dt is not a date (YYYY-MM-DD)' })
  })

  test('resuming requires all that going live asks, and no reason', async () => {
    const today = app.make.today()
    const paused = { client_id: app.client.id, status: 'paused', cost_cents: 5000 } as const
    const ended = await app.make.project({ ...paused, end_dt: addDays(today, -1) })
    const resume = (id: number, input: object = {}) => admin().call('project.setStatus', { id, status: 'Active', ...input })
    for (const force of [false, true])
      expect((await resume(ended.id, { reason: 'Go on', force })).body.message).toBe(
        `It can't go live: the end date ${addDays(today, -1)} is past.`,
      )
    const { id } = await app.make.project({ ...paused, end_dt: addDays(today, 9) })
    expect((await resume(id)).status).toBe(200)
    const other = await app.make.project({ client_id: app.client.id, status: 'completed', end_dt: addDays(today, -1) })
    expect((await resume(other.id, { reason: 'Go on', force: true })).status).toBe(409)
  })
})
