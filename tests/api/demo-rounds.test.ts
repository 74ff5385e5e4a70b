import { beforeAll, describe, expect, test } from 'vitest'
import { cheapestMix } from '../../contract/mix.ts'
import { addDays, civilToday } from '../../contract/pacing.ts'
import { calendarOf } from '../../server/demo/calendar.ts'
import { amountsOf } from '../../server/demo/demoNouns.ts'
import { planMarket } from '../../server/demo/market.ts'
import { DEMO_LOGINS } from '../../server/demo/people.ts'
import { marketRows, projectRows, rowWriter } from '../../server/demo/writeRows.ts'
import { type Fieldwork, fieldwork, type Person } from './support.ts'

let app: Fieldwork
let admin: Person
let client: Person
beforeAll(async () => {
  app = await fieldwork()
  await withDemo()
  admin = await app.signIn({ id: await userOf(DEMO_LOGINS.admin), email: DEMO_LOGINS.admin })
  client = await app.signIn({ id: await userOf(DEMO_LOGINS.client), email: DEMO_LOGINS.client })
})

/** Writes the demo marketplace without its respondents and entries, which would take a minute. */
async function withDemo(): Promise<void> {
  const { database, settings } = app.services
  const now = new Date()
  const calendar = calendarOf(now, civilToday(settings.timeZone, now), settings.timeZone)
  const market = planMarket('fieldwork', amountsOf('demo'), calendar, { admin: 'x', client: 'y' })
  const writer = await rowWriter(database, null)
  await app.write(async (tx) => {
    for (const { id } of [app.admin, app.member])
      await tx
        .updateTable('users')
        .set({ email: `before-${id}@mail.test` })
        .where('id', '=', id)
        .execute()
    await writer.write(tx, marketRows(market))
    await writer.write(tx, projectRows(market, market.plans))
    await writer.raiseIdentities(tx)
  })
}
const userOf = async (email: string) =>
  (await app.db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id

const today = () => app.make.today()
const idsIn = async (status: 'pricing' | 'submit_approval' | 'approved') =>
  (await app.db.selectFrom('projects').select('id').where('status', '=', status).orderBy('id').execute()).map(({ id }) => id)
const quoteOf = async (id: number) => (await admin.call('project.quote', { id })).body.data
const quotesIn = async (status: 'pricing' | 'submit_approval' | 'approved') => Promise.all((await idsIn(status)).map(quoteOf))
type Shown = Awaited<ReturnType<typeof quoteOf>>
const offersOf = ({ rounds: [round] }: Shown) =>
  round!.invitations.flatMap(({ answer }) => (answer?.fill_requirements === 'Yes' ? [answer] : []))

describe('the demo marketplace', () => {
  test('has projects in every step of the quote flow', async () => {
    const rows = await app.db
      .selectFrom('projects')
      .select((eb) => ['status' as const, eb.fn.countAll<number>().as('n')])
      .groupBy('status')
      .execute()
    const counts = Object.fromEntries(rows.map(({ status, n }) => [status, Number(n)]))
    expect(counts).toMatchObject({ requirements: 9, pricing: 9, submit_approval: 7, approved: 7, rejected: 13 })
  })

  test('has no invitations in requirements, and three partners per project on quote', async () => {
    const asked = await app.db
      .selectFrom('project_partners')
      .innerJoin('projects', 'projects.id', 'project_id')
      .select('status')
      .where('status', '=', 'requirements')
      .execute()
    expect(asked).toEqual([])
    for (const quote of await quotesIn('pricing')) expect([quote.id, quote.rounds[0]!.invitations.length]).toEqual([quote.id, 3])
  })

  test('knows the interview length and incidence of three requests in five', async () => {
    const known = await app.db
      .selectFrom('projects')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('expected_loi_minutes', 'is not', null)
      .where('expected_incidence', 'is not', null)
      .executeTakeFirstOrThrow()
    expect(Number(known.n)).toBe(108)
  })
})

describe('rounds that wait for answers', () => {
  let open: Shown[] = []
  beforeAll(async () => {
    open = (await quotesIn('pricing')).filter(({ round }) => round === 1)
  })
  const states = ({ rounds: [round] }: Shown) => round!.invitations.map(({ state }) => state)
  const are = (is: (quote: Shown) => boolean) => open.filter(is)

  test('are eight first rounds and a second one', async () => {
    expect(open).toHaveLength(8)
    const [second] = (await quotesIn('pricing')).filter(({ round }) => round === 2)
    expect(second!.rounds[1]).toMatchObject({ open: false, reason: expect.stringMatching(/\w/) })
    expect(second!.rounds[0]!.changes).toContainEqual(expect.objectContaining({ field: 'Completes' }))
  })

  test('include one that nobody has opened', () => {
    expect(are((quote) => quote.rounds[0]!.invitations.every(({ opened_at }) => opened_at === null))).toHaveLength(1)
  })

  test('include two opened but unanswered, one of them overdue and due for a reminder', async () => {
    const silent = are((quote) => states(quote).every((state) => state === 'silent'))
    expect(silent).toHaveLength(2)
    for (const { rounds } of silent) expect(rounds[0]!.invitations.every(({ opened_at }) => opened_at !== null)).toBe(true)
    const overdue = silent.filter(({ rounds }) => rounds[0]!.invitations.some(({ answer_by }) => answer_by! < today()))
    expect(overdue).toHaveLength(1)
    expect(overdue[0]!.rounds[0]!.invitations.every(({ remind_from }) => remind_from === null)).toBe(true)
    const { campaigns } = (await admin.call('campaign.requestList', { overdue: true })).body.data
    expect(campaigns.map(({ id }) => id)).toEqual([overdue[0]!.id])
  })

  test('include one with a draft, and one that two declined', () => {
    expect(are((quote) => states(quote).includes('draft'))).toHaveLength(1)
    const declined = are((quote) => states(quote).filter((state) => state === 'no').length === 2)
    expect(declined).toHaveLength(1)
    for (const { answer } of declined[0]!.rounds[0]!.invitations) if (answer) expect(answer.reason).toMatch(/\w/)
  })

  test('include three with three answers; in one, the cheapest alone fills the order', () => {
    const whole = are((quote) => offersOf(quote).length === 3)
    expect(whole).toHaveLength(3)
    const fills = whole.map((quote) => {
      const [cheapest] = offersOf(quote).sort((a, b) => a.cpi_cents! - b.cpi_cents!)
      return cheapest!.feasible_completes! >= quote.ordered
    })
    expect(fills.sort()).toEqual([false, false, true])
    for (const quote of whole) {
      const offers = offersOf(quote).map((offer) => ({
        id: offer.id,
        completes: offer.feasible_completes!,
        cpi_cents: offer.cpi_cents!,
        field_days: offer.field_days,
      }))
      expect(cheapestMix(offers, quote.ordered).short).toBe(0)
      expect(offersOf(quote).every(({ sent_at, ended }) => sent_at !== null && !ended)).toBe(true)
    }
  })
})

describe('quotes that wait for the client', () => {
  const current = (quote: Shown) => quote.rounds[0]!.quotes[0]!

  test('are two unopened, two opened, one that lapses tomorrow, one expired and a second round', async () => {
    const kinds = (await quotesIn('submit_approval')).map((quote) => {
      const { state, opened_at, valid_until } = current(quote)
      if (quote.round === 2) return 'second'
      if (state === 'expired') return 'expired'
      return valid_until === addDays(today(), 1) ? 'lapsing' : opened_at ? 'opened' : 'unopened'
    })
    expect(kinds.sort()).toEqual(['expired', 'lapsing', 'opened', 'opened', 'second', 'unopened', 'unopened'])
  })

  test('include three of the demo client user, who may approve each', async () => {
    const { data } = (await client.call('project.waiting')).body
    expect(data).toHaveLength(3)
    const { campaigns } = (await client.call('campaign.requestList', { step: 'approval' })).body.data
    expect(campaigns.map(({ id }) => id).sort()).toEqual(data.map(({ id }) => id).sort())
  })

  test('include a second round with another price and other completes', async () => {
    const second = (await quotesIn('submit_approval')).find(({ round }) => round === 2)!
    const { quotes } = (await client.call('campaign.requestInfo', { id: second.id })).body.data
    expect(quotes[0]!.changes.map(({ field }) => field)).toEqual(expect.arrayContaining(['Cost', 'Completes']))
    expect(quotes[1]).toMatchObject({ state: 'rejected', reason: expect.stringMatching(/\w/) })
  })

  test('add a margin to their partners’ offers', async () => {
    for (const quote of await quotesIn('submit_approval')) {
      const { shares, ordered, margin_percent } = current(quote)
      expect(shares.reduce((sum, { completes }) => sum + completes, 0)).toBe(ordered)
      expect(margin_percent).toBeGreaterThan(25)
      expect(shares.every(({ corrected }) => !corrected)).toBe(true)
    }
  })
})

test('five approved projects have one or two signed documents, two have none', async () => {
  const counts = (await quotesIn('approved')).map(({ documents }) => documents.length)
  expect(counts.filter((count) => count === 0)).toHaveLength(2)
  expect(counts.filter((count) => count === 1 || count === 2)).toHaveLength(5)
})

describe('partners’ answers', () => {
  test('differ by 1.3 to 2.2 times in price within a round', async () => {
    const rows = await app.db
      .selectFrom('proffers')
      .select(['project_id', 'round', 'cpi_cents'])
      .where('cpi_cents', 'is not', null)
      .where('state', '=', 'sent')
      .execute()
    const rounds = Object.values(Object.groupBy(rows, (row) => `${row.project_id}/${row.round}`)).filter(
      (round) => round!.length > 1,
    )
    expect(rounds.length).toBeGreaterThan(80)
    const spreads = rounds.map((round) => {
      const prices = round!.map(({ cpi_cents }) => cpi_cents!)
      return Math.max(...prices) / Math.min(...prices)
    })
    expect(Math.min(...spreads)).toBeGreaterThanOrEqual(1.3)
    expect(Math.max(...spreads)).toBeLessThanOrEqual(2.2)
  })

  test('come within hours from four, within days from two and hardly ever from one', async () => {
    const { data } = (await admin.call('partner.list', { per_page: 100 })).body
    const kinds = data.map(({ answer_rate, answer_hours, projects_count }) => {
      if (!projects_count) return 'new'
      if (answer_rate! < 25) return 'hardly'
      return answer_hours! <= 10 ? 'hours' : 'days'
    })
    expect(kinds.sort()).toEqual(['days', 'days', 'hardly', 'hours', 'hours', 'hours', 'hours', 'new'])
  })

  test('are sent after the request was mailed and opened, and never in the future', async () => {
    const rows = await app.db
      .selectFrom('proffers')
      .innerJoin('project_partners', (join) =>
        join
          .onRef('project_partners.project_id', '=', 'proffers.project_id')
          .onRef('project_partners.partner_id', '=', 'proffers.partner_id')
          .onRef('project_partners.round', '=', 'proffers.round'),
      )
      .select(['mailed_at', 'opened_at', 'sent_at', 'state'])
      .execute()
    const sent = rows.filter(({ state }) => state === 'sent')
    expect(sent.filter(({ sent_at }) => sent_at === null)).toEqual([])
    const now = new Date().toISOString()
    const wrong = sent.filter(
      ({ mailed_at, opened_at, sent_at }) => mailed_at! > opened_at! || opened_at! > sent_at! || sent_at! > now,
    )
    expect(wrong).toEqual([])
  })

  test('come from partners with a contact, an address, a phone and notes', async () => {
    const { data } = (await admin.call('partner.list', { per_page: 100 })).body
    const missing = data.filter(({ contact, email, phone, notes }) => !contact || !email || !phone || !notes)
    expect(missing).toEqual([])
  })
})
