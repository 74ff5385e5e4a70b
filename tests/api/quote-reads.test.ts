import { beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '../../contract/pacing.ts'
import { expired, quoted } from '../support/writeExamples.ts'
import { exported } from './exporting.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const client = () => app.as('client')
const DAY_S = 86_400

/** A project with invited partners, each of whom may answer. */
async function asked(given: object = {}, partners = 2) {
  const project = await app.make.project({
    client_id: app.client.id,
    status: 'requirements',
    cost_cents: null,
    ordered: 400,
    requested_by: app.member.id,
    ...given,
  })
  const made = await Promise.all(Array.from({ length: partners }, () => app.make.partner()))
  if (partners)
    await admin().call('invitation.create', { id: project.id, partner_ids: made.map(({ id }) => id), mail: 0, title: 'Oats' })
  return { id: project.id, partners: made }
}
const answer = (id: number, partner_id: number, given: object = {}) => {
  const token = app.services.secrets.sign('partner', `${id}:${partner_id}:1:1`, Math.floor(Date.now() / 1000) + DAY_S)
  const input = { campaign_id: id, fill_requirements: 'Yes', feasible_completes: 300, cpi_cents: 600, field_days: 10, ...given }
  return app.as('stranger').call('proffer.create', input as never, { 'fieldwork-partner': token })
}
const read = async (id: number) => (await admin().call('project.quote', { id })).body.data
const list = async (who = admin(), given: object = {}) =>
  (await who.call('campaign.requestList', given as never)).body.data.campaigns

describe('a project’s quote, as administrators read it', () => {
  test('has the state of each invitation', async () => {
    const { id, partners } = await asked({}, 5)
    const [yes, no, draft, revoked] = partners.map((partner) => partner.id)
    await answer(id, yes!)
    await answer(id, no!, { fill_requirements: 'No', reason: 'sold out' })
    await answer(id, draft!, { draft: 1 })
    await admin().call('invitation.revoke', { id, partner_id: revoked!, reason: 'wrong panel' })
    const data = await read(id)
    expect(data).toMatchObject({ status: 'pricing', step: 'responses', round: 1, target_cost_cents: null })
    const states = new Map(data.rounds[0]!.invitations.map((row) => [row.partner_id, row.state]))
    expect(partners.map((partner) => states.get(partner.id))).toEqual(['yes', 'no', 'draft', 'revoked', 'invited'])
    const offer = data.rounds[0]!.invitations.find((row) => row.partner_id === yes)!.answer
    expect(offer).toMatchObject({ total_cents: 180_000, ended: false, late: false })
  })

  test('says that an answer is late by the day in the server’s time zone', async () => {
    const { id } = await asked({}, 1)
    const answer_by = (await read(id)).rounds[0]!.invitations[0]!.answer_by!
    await answer(id, (await read(id)).rounds[0]!.invitations[0]!.partner_id)
    const lateIf = async (sent_at: string) => {
      await app.write((tx) => tx.updateTable('proffers').set({ sent_at }).where('project_id', '=', id).execute())
      return (await read(id)).rounds[0]!.invitations[0]!.answer!.late
    }
    // Half past ten in the evening in New York is the next day in UTC.
    expect(await lateIf(`${addDays(answer_by, 1)}T02:30:00.000Z`)).toBe(false)
    expect(await lateIf(`${addDays(answer_by, 1)}T06:30:00.000Z`)).toBe(true)
  })

  test('keeps a target cost apart from a cost', async () => {
    const { id } = await asked()
    await admin().call('project.setCost', { id, cost: 900, hold: 1 })
    expect(await read(id)).toMatchObject({ target_cost_cents: 90_000, cost_cents: null })
    await admin().call('project.setCost', { id, cost: 950 })
    expect(await read(id)).toMatchObject({ target_cost_cents: null, cost_cents: 95_000, step: 'cost' })
  })

  test('has the rounds, the newest first, with what changed and why', async () => {
    const { id } = await asked()
    await admin().call('project.setCost', { id, cost: 900 })
    await admin().call('project.notifyCostNow', { id })
    await client().call('project.reject', { project_id: id, status: 'OnQuote', reason: 'Too dear' })
    await admin().call('project.edit', { id, goal: 300 })
    const { rounds } = await read(id)
    expect(rounds.map(({ round, open, reason }) => [round, open, reason])).toEqual([
      [2, true, ''],
      [1, false, 'Too dear'],
    ])
    expect(rounds[0]!.changes).toEqual([{ field: 'Completes', was: '400', is: '300' }])
    expect(rounds[1]!.quotes).toMatchObject([{ state: 'rejected', cost_cents: 90_000, cost_per_complete_cents: 225 }])
  })

  test('names for each partner the client’s newest other project that it was chosen for', async () => {
    const client = await app.make.client()
    const chosen = async (name: string, decided_at: string, partner_id: number, given: object = {}) => {
      const { id } = await asked({ name, client_id: client.id, ...given }, 0)
      await admin().call('invitation.create', { id, partner_ids: [partner_id], mail: 0 })
      await answer(id, partner_id)
      const proffer_id = (await read(id)).rounds[0]!.invitations.flatMap((row) => row.answer ?? [])[0]!.id
      await admin().call('project.setCost', { id, cost: 5000, shares: [{ proffer_id, completes: 300 }] })
      await admin().call('project.approve', { project_id: id, reason: 'they phoned' })
      await app.write((tx) => tx.updateTable('quotes').set({ decided_at }).where('project_id', '=', id).execute())
      return id
    }
    const { id, partners } = await asked({ client_id: client.id }, 2)
    const [one, two] = partners.map((partner) => partner.id)
    await chosen('Older', '2024-03-01T15:00:00.000Z', one!)
    const newer = await chosen('Newer', '2025-03-01T15:00:00.000Z', one!)
    await chosen('Of somebody else', '2025-06-01T15:00:00.000Z', two!, { client_id: app.client.id })
    expect((await read(id)).last_work).toEqual([{ partner_id: one, project_id: newer, name: 'Newer', on: '2025-03-01' }])
  })

  test('is closed to client users', async () => {
    expect((await client().call('project.quote', { id: (await asked()).id })).status).toBe(403)
  })
})

describe('a quote, as its client reads it', () => {
  const HIDDEN = /invit|proffer|partner|margin|mix|target_cost|cpi|share|channel|silent|declined|best/

  /** Every key in a response at any depth, except those of rewards, which belong to the client. */
  function keysIn(value: unknown): string[] {
    if (Array.isArray(value)) return value.flatMap(keysIn)
    if (!value || typeof value !== 'object') return []
    return Object.entries(value).flatMap(([key, inner]) => [key, ...keysIn(inner)])
  }

  test('contains no field or value of invitations, answers, partners’ prices, margin or target cost', async () => {
    const { id, partners } = await asked()
    await answer(id, partners[0]!.id, { cpi_cents: 61_237 })
    const [offer] = (await read(id)).rounds[0]!.invitations.flatMap((row) => row.answer ?? [])
    expect(offer!.cpi_cents).toBe(61_237)
    for (const hold of [true, false]) {
      await admin().call('project.setCost', { id, cost_cents: 7_654_321, hold })
      const answers = [
        await client().call('campaign.requestInfo', { id }),
        await client().call('campaign.authorization', { id }),
        await client().call('campaign.requestList', {}),
      ]
      for (const { status, body, text } of answers) {
        expect(status).toBe(200)
        expect(keysIn(body).filter((key) => HIDDEN.test(key))).toEqual([])
        expect(text).not.toContain('61237')
        expect(text).not.toContain('7654321')
        expect(text).not.toContain('76543.21')
        for (const partner of partners) expect(text).not.toContain(partner.name)
      }
    }
  })

  test('names no partner in the history either: reminders, answers, withdrawals, reasons for a low cost', async () => {
    const { id, partners } = await asked({}, 3)
    const [first, second, third] = partners.map((partner) => partner.id)
    await admin().call('invitation.remind', { id, partner_ids: [first!] })
    await admin().call('invitation.link', { id, partner_id: second! })
    await admin().call('invitation.revoke', { id, partner_id: third!, reason: 'a panel without mothers' })
    const yes = { fill_requirements: 'Yes', feasible_completes: 54_321, cpi_cents: 600 }
    await admin().call('proffer.create', { campaign_id: id, partner_id: first!, on_behalf: 'phoned them', ...yes })
    const proffer_id = (await read(id)).rounds[0]!.invitations.flatMap((row) => row.answer ?? [])[0]!.id
    const shares = [{ proffer_id, completes: 400 }]
    await admin().call('project.setCost', { id, cost: 1000, shares, reason: 'we lose money on it', notify: 1 })
    const { text, status } = await client().call('project.history', { id })
    expect(status).toBe(200)
    const words = [...partners.map((partner) => partner.name), 'without mothers', '54321', 'phoned them', 'lose money']
    expect(words.filter((word) => text.includes(word))).toEqual([])
    expect((await admin().call('project.history', { id })).text).toContain('lose money')
  })

  test('has the sent price, per complete, and what changed since the previous quote', async () => {
    const { id } = await asked()
    await admin().call('project.setCost', { id, cost: 1000 })
    await admin().call('project.notifyCostNow', { id })
    await client().call('project.reject', { project_id: id, status: 'OnQuote', reason: 'Too dear' })
    await admin().call('project.edit', { id, goal: 200 })
    await admin().call('project.setCost', { id, cost: 700, valid_until: addDays(app.make.today(), 3) })
    await admin().call('project.notifyCostNow', { id })
    const { data } = (await client().call('campaign.requestInfo', { id })).body
    expect(data).toMatchObject({
      step: 'approval',
      cost_cents: 70_000,
      cost_per_complete_cents: 350,
      quote_round: 2,
      opened: false,
    })
    expect(data.quotes.map(({ round, state, reason }) => [round, state, reason])).toEqual([
      [2, 'sent', ''],
      [1, 'rejected', 'Too dear'],
    ])
    expect(data.quote!.changes).toEqual([
      { field: 'Cost', was: '$1,000.00', is: '$700.00' },
      { field: 'Per complete', was: '$2.50', is: '$3.50' },
      { field: 'Completes', was: '400', is: '200' },
    ])
  })

  test('is recorded once as opened by the client, and never by an administrator', async () => {
    const { id } = await asked()
    await admin().call('project.setCost', { id, cost: 1000 })
    await client().call('project.quoteOpened', { id })
    expect((await read(id)).rounds[0]!.quotes[0]!.opened_at).toBeNull()
    await admin().call('project.notifyCostNow', { id })
    await admin().call('project.quoteOpened', { id })
    expect((await read(id)).rounds[0]!.quotes[0]!.opened_at).toBeNull()
    const before = (await client().call('campaign.authorization', { id })).body.data.lock_version
    await client().call('project.quoteOpened', { id })
    const quote = (await read(id)).rounds[0]!.quotes[0]!
    expect(quote).toMatchObject({ opened_by: { id: app.member.id }, lock_version: before })
    await client().call('project.quoteOpened', { id })
    expect((await read(id)).rounds[0]!.quotes[0]!.opened_at).toBe(quote.opened_at)
  })
})

describe('the exported list of requests', () => {
  const file = async (who: ReturnType<typeof client>, filter: object = {}) =>
    (
      await exported(app, who, 'requests', { step: 'all', ...filter }, [
        'id',
        'step',
        'cost',
        'cost_per_complete',
        'requested_by',
      ])
    ).text
      .trimEnd()
      .split('\r\n')
      .slice(1)

  test('has what the client was sent, in list order, and no price that wasn’t sent', async () => {
    const sent = await asked({ ordered: 200 })
    await admin().call('project.setCost', { id: sent.id, cost: 1500 })
    await admin().call('project.notifyCostNow', { id: sent.id })
    const prepared = await asked()
    await admin().call('project.setCost', { id: prepared.id, cost: 987 })
    const { first_name, last_name } = app.member
    const by = `${first_name} ${last_name}`
    const lines = await file(client(), { column: 'requested', order: 'desc' })
    expect(lines.slice(0, 2)).toEqual([`${prepared.id},Pricing,,,${by}`, `${sent.id},Waiting for you,1500,7.5,${by}`])
    expect((await file(client(), { step: 'approval', search: `p-${sent.id}` })).map((line) => line.split(',')[0])).toEqual([
      String(sent.id),
    ])
  })

  test('has nothing of other clients, and only the selected rows if some are selected', async () => {
    const [own, other] = [await asked(), await asked({ client_id: (await app.make.client()).id, requested_by: null })]
    const ids = async (who: ReturnType<typeof client>) =>
      (await file(who, { ids: [own.id, other.id] })).map((line) => Number(line.split(',')[0]))
    expect(await ids(client())).toEqual([own.id])
    expect((await ids(admin())).sort()).toEqual([own.id, other.id].sort())
  })
})

describe('a new quote in place of an expired one', () => {
  const mails = (id: number) =>
    app.db
      .selectFrom('mails')
      .select(['to_address', 'subject', 'body', 'status'])
      .where('about', '=', `project:${id}`)
      .where('subject', 'like', '%asks for a new quote%')
      .execute()
  const ask = (id: number, message = '') => client().call('project.askQuote', { id, message })

  test('is requested from the administrators by mail, with the client’s message', async () => {
    const id = await expired(app)
    expect((await ask(id, 'The same again, please')).body.message).toBe('We’ll send you a new quote')
    const sent = await mails(id)
    expect(sent.map(({ to_address }) => to_address)).toContain(app.admin.email)
    expect(sent[0]!.body).toContain('The same again, please')
    const lines = (await admin().call('project.history', { id })).body.data
    expect(JSON.stringify(lines)).toContain('askQuote')
  })

  test('can be requested once a day, and again after an undo', async () => {
    const id = await expired(app)
    const { headers } = await ask(id)
    const again = await ask(id)
    expect([again.status, again.body.message]).toEqual([409, 'A new quote was already requested within the last day.'])
    await client().call('undo.take', { id: Number(headers['x-undo']) })
    expect((await mails(id)).every(({ status }) => status === 'withdrawn')).toBe(true)
    expect((await ask(id)).status).toBe(200)
  })

  test('can’t be requested while the quote is valid, nor by another client', async () => {
    const holds = await ask(await quoted(app))
    expect([holds.status, holds.body.message]).toEqual([409, 'Its quote has not expired.'])
    const id = await expired(app)
    const other = await app.signIn(await app.make.user({ clients: [(await app.make.client()).id] }))
    expect((await other.call('project.askQuote', { id })).status).toBe(404)
  })
})

describe('whether a quote may be approved', () => {
  const authorization = async (id: number, who = client()) => (await who.call('campaign.authorization', { id })).body.data

  test('is no with its reason in a sentence', async () => {
    const { id } = await asked()
    expect(await authorization(id)).toMatchObject({ authorized: 'No', reason: 'No quote has been sent yet', quote_id: null })
    await admin().call('project.setCost', { id, cost: 1000 })
    expect(await authorization(id)).toMatchObject({ authorized: 'No', reason: 'No quote has been sent yet', cost: null })
    await admin().call('project.notifyCostNow', { id })
    expect(await authorization(id)).toMatchObject({ authorized: 'Yes', reason: '', cost: 1000 })
    await admin().call('project.setCost', { id, cost: 1100 })
    expect(await authorization(id)).toMatchObject({ authorized: 'No', reason: 'A new quote is being prepared', quote_id: null })
    await admin().call('project.notifyCostNow', { id })
    const past = addDays(app.make.today(), -1)
    await app.write((tx) => tx.updateTable('projects').set({ quote_valid_until: past }).where('id', '=', id).execute())
    expect(await authorization(id)).toMatchObject({ authorized: 'No', reason: `The quote expired on ${past}` })
    await app.write((tx) => tx.updateTable('projects').set({ quote_valid_until: null }).where('id', '=', id).execute())
    await client().call('project.approve', { project_id: id })
    const { first_name, last_name } = app.member
    expect(await authorization(id)).toMatchObject({
      approved: true,
      authorized: 'No',
      reason: `Approved already by ${first_name} ${last_name} on ${app.make.today()}`,
    })
  })

  test('comes with the revision, and a replaced one can’t be approved', async () => {
    for (const approve of [
      (id: number, seen: object) => client().call('project.approve', { project_id: id, ...seen }),
      (id: number, seen: object) => client().call('campaign.authorize', { campaign_id: id, authorized: 'Yes', ...seen }),
    ]) {
      const { id } = await asked()
      await admin().call('project.setCost', { id, cost: 1000 })
      await admin().call('project.notifyCostNow', { id })
      const { quote_id, lock_version } = await authorization(id)
      const seen = { quote_id: quote_id!, lock_version: lock_version! }
      await admin().call('project.setCost', { id, cost: 1250 })
      const hidden = await approve(id, seen)
      expect([hidden.status, hidden.body.message]).toEqual([409, 'A new quote is being prepared.'])
      // The request's id consists of random letters and digits.
      expect(JSON.stringify({ ...hidden.body, request_id: '' })).not.toContain('1250')
      await admin().call('project.notifyCostNow', { id })
      const replaced = await approve(id, seen)
      expect([replaced.status, replaced.body.code]).toEqual([409, 'stale'])
      expect(replaced.body.message).toMatch(/^The quote changed to \$1,250\.00 at \d+:\d\d [AP]M\.$/)
      const now = await authorization(id)
      expect((await approve(id, { quote_id: now.quote_id!, lock_version: now.lock_version! })).status).toBe(200)
    }
  })
})

describe('the request list', () => {
  test('shows administrators who answered, the best mix and the margin at each step', async () => {
    const { id, partners } = await asked({ name: 'Channel one', owner_id: app.admin.id }, 3)
    const row = async () => (await list(admin(), { search: 'Channel one' }))[0]!
    expect((await row()).channel).toMatchObject({ step: 'waiting', invited: 3, answered: 0, silent: 3, best_cents: null })
    await answer(id, partners[0]!.id)
    await answer(id, partners[1]!.id, { fill_requirements: 'No', reason: 'no' })
    expect((await row()).channel).toMatchObject({
      step: 'answers',
      answered: 2,
      yes: 1,
      declined: 1,
      silent: 1,
      best_cents: 180_000,
      best_completes: 300,
      fills: 75,
      margin_percent: 35,
      owner: { id: app.admin.id },
    })
    await admin().call('project.setCost', { id, cost: 3600, valid_until: addDays(app.make.today(), 1) })
    expect((await row()).channel).toMatchObject({ step: 'quoted', sent: false, lapsing: true, margin_percent: 50 })
    expect(await row()).toMatchObject({ step: 'pricing', cost_cents: 360_000, cost_per_complete: 9 })
  })

  test('shows client users their own steps, what waits for them first', async () => {
    const { id } = await asked({ name: 'For me' })
    await admin().call('project.setCost', { id, cost: 800, valid_until: addDays(app.make.today(), 1) })
    await admin().call('project.notifyCostNow', { id })
    const rows = await list(client())
    expect(rows[0]).toMatchObject({ id, step: 'approval', cost_cents: 80_000 })
    expect(rows.map(({ step }) => step)).toContain('pricing')
    expect((await list(client(), { step: 'approval' })).every(({ step }) => step === 'approval')).toBe(true)
    expect((await client().call('campaign.requestList', { step: 'waiting' })).body.fields).toHaveProperty('step')
  })

  test.each(['invite', 'waiting', 'answers', 'quoted', 'expired'] as const)('filters by the step %s', async (step) => {
    const rows = await list(admin(), { step })
    expect(rows.every(({ channel }) => channel!.step === step)).toBe(true)
  })

  test('filters by partner, overdue and mine, sums all matches, and sorts by every displayed column', async () => {
    const { id, partners } = await asked({ name: 'Late one', ordered: 77, owner_id: app.admin.id })
    await app.write((tx) =>
      tx.updateTable('project_partners').set({ answer_by: '2020-01-01' }).where('project_id', '=', id).execute(),
    )
    expect((await list(admin(), { overdue: 1 })).map((row) => row.id)).toEqual([id])
    expect((await list(admin(), { partner: partners[0]!.id })).map((row) => row.id)).toEqual([id])
    expect((await list(admin(), { mine: 1, search: 'Late one' })).map((row) => row.id)).toEqual([id])
    const { totals, count } = (await admin().call('campaign.requestList', { search: 'Late one' })).body.data
    expect([totals, count]).toEqual([{ requests: 1, ordered: 77, cost_cents: 0 }, 1])
    for (const column of [
      'name',
      'client',
      'step',
      'ordered',
      'cost',
      'cost_per_complete',
      'valid_until',
      'answer_by',
      'waiting_since',
      'requested',
      'quote_round',
    ])
      expect([column, (await admin().call('campaign.requestList', { column })).status]).toEqual([column, 200])
  })

  test('holds both generations and puts what waited longest on top', async () => {
    const old = await asked({ generation: 'campaign', name: 'Oldest of all', created_at: '2020-01-01T00:00:00.000Z' }, 0)
    await asked({ name: 'Newer' }, 0)
    const rows = await list()
    expect(rows[0]!.id).toBe(old.id)
    expect(new Set(rows.map(({ generation }) => generation))).toEqual(new Set(['project', 'campaign']))
  })
})

test('prices that were replaced before anybody sent them never reach the client', async () => {
  const { id, partners } = await asked()
  await answer(id, partners[0]!.id)
  await admin().call('project.setCost', { id, cost: 777 })
  await admin().call('project.setCost', { id, cost: 888 })
  await admin().call('project.notifyCostNow', { id })
  const { body } = await client().call('campaign.requestInfo', { id })
  expect(body.data.quotes.map(({ cost_cents }) => cost_cents)).toEqual([88_800])
})

describe('the list of answers', () => {
  test('can be limited to a project, a partner or a state', async () => {
    const { id, partners } = await asked()
    await answer(id, partners[0]!.id)
    await answer(id, partners[1]!.id, { fill_requirements: 'No', reason: 'no' })
    const ids = async (given: object) =>
      (await admin().call('proffer.list', given as never)).body.data.proffers.map((row) => row.partner_id)
    expect(await ids({ project_id: id })).toEqual([partners[1]!.id, partners[0]!.id])
    expect(await ids({ project_id: id, state: 'no' })).toEqual([partners[1]!.id])
    expect(await ids({ partner_id: partners[0]!.id, state: 'yes' })).toEqual([partners[0]!.id])
    expect(await ids({ partner_id: partners[0]!.id, state: 'ended' })).toEqual([])
  })
})
