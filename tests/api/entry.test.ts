import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { payThrough, recordingProvider } from '../../server/domain/payout/provider.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
let project: { id: number }
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const fresh = async () => {
  project = await app.make.project({ client_id: app.client.id })
  return project
}
const statusOf = async (id: number) =>
  app.db.selectFrom('entries').select(['status', 'reason', 'second_chances']).where('id', '=', id).executeTakeFirstOrThrow()
const payoutsOf = async (id: number) =>
  (await app.db.selectFrom('payouts').select('entry_id').where('entry_id', '=', id).execute()).length
afterEach(() => payThrough(null))

describe('the Reward Center’s list', () => {
  test('is only for administrators', async () => {
    const { id } = await fresh()
    expect((await app.as('stranger').call('entry.list', { id })).status).toBe(401)
    expect((await app.as('client').call('entry.list', { id })).status).toBe(403)
    expect((await app.as('client').call('reward.ofProject', { id })).status).toBe(403)
  })

  test('of a missing project is a 404', async () => {
    expect((await admin().call('entry.list', { id: 999_999 })).status).toBe(404)
  })

  test('refuses an unknown status by name', async () => {
    const { id } = await fresh()
    const answer = await admin().raw('GET', `/v3/portal/projects/${id}/rewarded/rewards?status=paid`)
    expect(answer.status).toBe(422)
    expect(answer.body.fields).toHaveProperty('status')
  })

  test('counts repeated emails and addresses among entries that aren’t rejected, ignoring case', async () => {
    const { id } = await fresh()
    await app.make.entry({ project_id: id, email: 'Twice@mail.test', ip: '203.0.113.1' })
    await app.make.entry({ project_id: id, email: 'twice@mail.test', ip: '203.0.113.2' })
    await app.make.entry({ project_id: id, email: 'TWICE@mail.test', ip: '203.0.113.2', status: 'rejected' })
    const { body } = await admin().call('entry.list', { id, status: 'pending', column: 'id', order: 'asc' })
    expect(body.data.map((entry) => [entry.email_counter, entry.ipaddress_counter])).toEqual([
      [2, 1],
      [2, 1],
    ])
  })

  test('shows all entries that share one’s email or address', async () => {
    const { id } = await fresh()
    const one = await app.make.entry({ project_id: id, email: 'cluster@mail.test', ip: '203.0.113.7' })
    const email = await app.make.entry({ project_id: id, email: 'Cluster@mail.test', ip: '203.0.113.8', status: 'sent' })
    const address = await app.make.entry({ project_id: id, email: 'neighbour@mail.test', ip: '203.0.113.7' })
    await app.make.entry({ project_id: id, email: 'nobody@mail.test', ip: '203.0.113.9' })
    const { body } = await admin().call('entry.list', { id, like: one.id, order: 'asc' })
    expect(body.data.map((entry) => entry.id)).toEqual([one.id, email.id, address.id])
    expect(body.count).toBe(3)
  })

  test('entries of other projects don’t count as repeats', async () => {
    const other = await fresh()
    await app.make.entry({ project_id: other.id, email: 'here-and-there@mail.test', ip: '203.0.113.3' })
    const { id } = await fresh()
    await app.make.entry({ project_id: id, email: 'here-and-there@mail.test', ip: '203.0.113.3' })
    const { body } = await admin().call('entry.list', { id })
    expect([body.data[0]?.email_counter, body.data[0]?.ipaddress_counter]).toEqual([1, 1])
  })

  test('flags an amount its provider can’t pay, and names those it can', async () => {
    const { id } = await fresh()
    await app.make.entry({ project_id: id, amount_cents: 700 })
    const { body } = await admin().call('entry.list', { id })
    expect(body.data[0]).toMatchObject({ amount: 7, amount_flag: true, allowed_amounts: [5, 10, 15, 20, 25, 50] })
    expect(body.data[0]?.refused_actions['entry.redeem']).toContain('the amount is not one of')
  })

  test('shows 50 a page, and counts and sums each status over the whole project', async () => {
    const { id } = await fresh()
    for (let at = 0; at < 52; at++) await app.make.entry({ project_id: id })
    await app.make.entry({ project_id: id, status: 'sent', amount_cents: 2500 })
    const first = await admin().call('entry.list', { id, status: 'pending' })
    const second = await admin().call('entry.list', { id, status: 'pending', page: 2 })
    expect([first.body.data.length, second.body.data.length, first.body.count]).toEqual([50, 2, 52])
    expect(first.body.totals).toContainEqual({ status: 'sent', count: 1, amount_cents: 2500 })
  })

  test('returns only rows to a caller who has the counts', async () => {
    const { id } = await fresh()
    const one = await app.make.entry({ project_id: id })
    const { body } = await admin().call('entry.list', { id, counts: false })
    expect(body.data.map((row) => row.id)).toEqual([one.id])
    expect(body).not.toHaveProperty('count')
    expect(body).not.toHaveProperty('totals')
  })

  test('finds by part of the email, with % and _ as plain characters', async () => {
    const { id } = await fresh()
    await app.make.entry({ project_id: id, email: 'under_score@mail.test' })
    await app.make.entry({ project_id: id, email: 'underXscore@mail.test' })
    expect((await admin().call('entry.list', { id, search: 'R_SCORE' })).body.count).toBe(1)
  })

  test('is a CSV without formulas with type=export', async () => {
    const { id } = await fresh()
    await app.make.entry({ project_id: id, email: '=cmd@mail.test' })
    const answer = await admin().call('entry.list', { id, type: 'export' })
    expect(answer.headers['content-disposition']).toMatch(/^attachment; filename=".*\.csv"/)
    expect(answer.text.split('\r\n')[1]).toContain(",'=cmd@mail.test,")
  })
})

describe('paying', () => {
  test('a pending entry marks it sent, once', async () => {
    const entry = await app.make.entry({ project_id: (await fresh()).id })
    const answer = await admin().call('entry.redeem', { id: entry.id, token: 'a constant in a page' })
    expect(answer.body.data.done).toEqual([entry.id])
    expect((await statusOf(entry.id)).status).toBe('sent')
    expect(await payoutsOf(entry.id)).toBe(1)
    expect((await admin().call('entry.redeem', { id: entry.id })).status).toBe(409)
  })

  test('with twenty simultaneous clicks makes one payout', async () => {
    const entry = await app.make.entry({ project_id: (await fresh()).id })
    const asked: number[] = []
    const provider = recordingProvider(app.services.database, app.services.now)
    payThrough({
      pay: (payments) => {
        asked.push(...payments.map((payment) => payment.key))
        return provider.pay(payments)
      },
    })
    const answers = await Promise.all(Array.from({ length: 20 }, () => admin().call('entry.redeem', { id: entry.id })))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    expect(asked).toEqual([entry.id])
  })

  test('is not for client users', async () => {
    const entry = await app.make.entry({ project_id: (await fresh()).id })
    expect((await app.as('client').call('entry.redeem', { id: entry.id })).status).toBe(403)
  })

  test('without an id is a 422 that asks for one', async () => {
    const answer = await admin().call('entry.redeem', {})
    expect(answer.status).toBe(422)
    expect(answer.body.fields).toHaveProperty('id')
  })

  test('an amount outside the provider’s is a 422', async () => {
    const entry = await app.make.entry({ project_id: (await fresh()).id, amount_cents: 700 })
    const answer = await admin().call('entry.redeem', { id: entry.id, confirm_repeats: 1 })
    expect(answer.status).toBe(422)
    expect(answer.body.fields).toHaveProperty('amount')
  })

  test('a repeat asks for confirmation first', async () => {
    const { id } = await fresh()
    const entry = await app.make.entry({ project_id: id, email: 'again@mail.test' })
    await app.make.entry({ project_id: id, email: 'again@mail.test' })
    const asked = await admin().call('entry.redeem', { id: entry.id })
    expect([asked.status, asked.body.code]).toEqual([409, 'confirm_repeats'])
    expect((await admin().call('entry.redeem', { id: entry.id, confirm_repeats: true })).body.data.done).toEqual([entry.id])
  })

  test('many returns a result per id, and a dry run writes nothing', async () => {
    const { id } = await fresh()
    const good = await app.make.entry({ project_id: id })
    const odd = await app.make.entry({ project_id: id, amount_cents: 1 })
    const dry = await admin().call('entry.redeem', { ids: [good.id, odd.id, 999_999], dry: 1 })
    expect(dry.body.data.done).toEqual([good.id])
    expect(dry.body.data.refused.map((one) => one.id)).toEqual([odd.id, 999_999])
    expect((await statusOf(good.id)).status).toBe('pending')
  })

  test('can be undone within its window', async () => {
    const entry = await app.make.entry({ project_id: (await fresh()).id })
    const { body } = await admin().call('entry.redeem', { ids: [entry.id], delay_seconds: 30 })
    expect((await statusOf(entry.id)).status).toBe('processing')
    const undone = await admin().call('job.cancel', { id: body.data.job_id ?? 0 })
    expect(undone.status).toBe(200)
    expect((await statusOf(entry.id)).status).toBe('pending')
    expect(await payoutsOf(entry.id)).toBe(0)
  })

  test('that fails temporarily leaves the entry pending with the reason; permanently, rejected', async () => {
    const { id } = await fresh()
    const [soon, never] = [await app.make.entry({ project_id: id }), await app.make.entry({ project_id: id })]
    payThrough({
      pay: async (payments) =>
        payments.map(({ key }) =>
          key === soon.id ? { key, retry: 'The provider is busy' } : { key, refused: 'No such mailbox' },
        ),
    })
    const { body } = await admin().call('entry.redeem', { ids: [soon.id, never.id] })
    expect(body.data.done).toEqual([])
    expect(await statusOf(soon.id)).toMatchObject({ status: 'pending', reason: 'The provider is busy' })
    expect(await statusOf(never.id)).toMatchObject({ status: 'rejected', reason: 'No such mailbox' })
  })

  test('with an unreachable provider leaves everything pending', async () => {
    const entry = await app.make.entry({ project_id: (await fresh()).id })
    payThrough({ pay: () => Promise.reject(new Error('ECONNREFUSED')) })
    await admin().call('entry.redeem', { id: entry.id })
    expect((await statusOf(entry.id)).status).toBe('pending')
  })

  test('is in the history of entry and project, with who did it', async () => {
    const { id } = await fresh()
    const entry = await app.make.entry({ project_id: id })
    await admin().call('entry.redeem', { id: entry.id })
    const lines = await app.db
      .selectFrom('history')
      .select(['subject', 'action', 'actor_id', 'after'])
      .where((eb) => eb.or([eb('project_id', '=', id), eb('subject_id', '=', entry.id)]))
      .where('subject', 'in', ['entry', 'project'])
      .orderBy('id')
      .execute()
    expect(lines.map((line) => `${line.subject} ${line.action} ${line.actor_id === app.admin.id}`)).toEqual([
      'entry entry.redeem true',
      'project entry.redeem true',
      'entry job.payout true',
      'project job.payout true',
    ])
  })
})

describe('rejecting, second chances, clearing', () => {
  test('a reject asks for its reason', async () => {
    const entry = await app.make.entry({ project_id: (await fresh()).id })
    const answer = await admin().call('entry.reject', { id: entry.id })
    expect([answer.status, answer.body.fields.reason]).toEqual([422, 'Please say why it is rejected'])
  })

  test('many are rejected in one call, and second chances are counted', async () => {
    const { id } = await fresh()
    const ids = [(await app.make.entry({ project_id: id })).id, (await app.make.entry({ project_id: id })).id]
    await admin().call('entry.reject', { ids, reason: 'Answered too fast' })
    expect(await statusOf(ids[0]!)).toMatchObject({ status: 'rejected', reason: 'Answered too fast' })
    await admin().call('entry.secondChance', { ids })
    expect(await statusOf(ids[1]!)).toMatchObject({ status: 'pending', second_chances: 1 })
  })

  test('a sent reward can neither be rejected nor get a second chance', async () => {
    const entry = await app.make.entry({ project_id: (await fresh()).id, status: 'sent' })
    expect((await admin().call('entry.reject', { id: entry.id, reason: 'Too late' })).status).toBe(409)
    expect((await admin().call('entry.secondChance', { id: entry.id })).status).toBe(409)
  })

  test('clearing rejects pending rewards and deletes nothing', async () => {
    const { id } = await fresh()
    const [pending, sent] = [await app.make.entry({ project_id: id }), await app.make.entry({ project_id: id, status: 'sent' })]
    const answer = await admin().call('entry.clear', { id })
    expect(answer.body.data.done).toEqual([pending.id])
    expect(await statusOf(pending.id)).toMatchObject({ status: 'rejected', reason: 'cleared' })
    expect((await statusOf(sent.id)).status).toBe('sent')
  })

  test('the address that clears by GET takes token headers', async () => {
    const { id } = await fresh()
    await app.make.entry({ project_id: id })
    expect((await admin().call('entry.clearByLink', { id })).body.data.done).toHaveLength(1)
  })

  test('and never a cookie', async () => {
    const { id } = await fresh()
    const cookie = `fieldwork=${admin().headers['access-token']}`
    expect((await app.person({ cookie }).call('entry.clearByLink', { id })).status).toBe(401)
  })
})
