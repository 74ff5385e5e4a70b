import type { Page } from '@playwright/test'
import { roundDollars } from '../../contract/format.ts'
import { addDays } from '../../contract/pacing.ts'
import { href } from '../../src/routing/routes.ts'
import { type test as base, expect } from '../support/e2e.ts'
import { answer, call, goTo, login, PEOPLE, palette, pane, press, review, toast } from './verbs.ts'

/*
 * The whole way of a quote: a client asks, an administrator invites two partners, both answer on a phone.
 * The order is split between them, the client approves from the mail, and the project goes live.
 */

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true }
const today = () => new Date().toISOString().slice(0, 10)

/** Somebody's own browser. */
async function browserOf(page: Page, who?: 'admin' | 'client', options: object = {}): Promise<Page> {
  const baseURL = new URL((await page.request.get('/healthz')).url()).origin
  const context = await page
    .context()
    .browser()!
    .newContext({ baseURL, ...options })
  const own = await context.newPage()
  if (who) await login(own, who)
  return own
}

/** Adds the test of the whole flow to a file, whose options say on which engine the server runs. */
export function quoteFlow(test: typeof base, engine: string): void {
  test(`a request becomes a live project, on ${engine}`, async ({ page, mailbox }) => {
    test.setTimeout(180_000)
    const client = await browserOf(page, 'client')
    const desk = await browserOf(page, 'admin')
    const stamp = `${process.pid}-${Date.now()}`
    const name = `Whole way ${stamp}`
    const linkTo = async (to: string, path: RegExp): Promise<string> => {
      const mail = await mailbox.waitFor(({ envelope, text }) => envelope.to.includes(to) && path.test(text ?? ''), 30_000)
      return path.exec(mail.text ?? '')![0]
    }
    let id = 0
    const stateOf = async () => (await call(desk, 'project.quote', { id })).data

    await test.step('the client asks for it', async () => {
      const days = { start_date: today(), end_date: addDays(today(), 20) }
      const audience = { age_range: '3,4', gender: 'female,male', targeted_location: '501,803' }
      const { data } = await call(client, 'campaign.create', {
        ...{ campaign_name: name, num_completed_actions: 500, survey_url: 'https://survey.test/oats' },
        ...days,
        ...audience,
      } as never)
      id = Number((data as { id?: number; campaign_id?: number }).id ?? (data as { campaign_id?: number }).campaign_id)
      expect(await stateOf()).toMatchObject({ status: 'requirements', step: 'invite', ordered: 500 })
    })

    const emails = [`swift-${stamp}@partners.test`, `thrifty-${stamp}@partners.test`]
    await test.step('the administrator invites two partners, whose mail arrives', async () => {
      const partners: number[] = []
      for (const email of emails)
        partners.push((await call(desk, 'partner.create', { name: email.split('@')[0]!, email })).data.id)
      await call(desk, 'invitation.create', { id, partner_ids: partners, title: 'Crunchy oats', delay_seconds: 0 })
      expect((await stateOf()).status).toBe('pricing')
    })

    await test.step('both answer on a phone, each from their own mail', async () => {
      for (const [nth, email] of emails.entries()) {
        const phone = await browserOf(page, undefined, PHONE)
        await phone.goto(await linkTo(email, /https?:\S+\/survey-feasibility\/\S+token=[\w.~-]+/))
        await phone.getByText('Yes, we can').click()
        await phone.getByLabel('Feasible completes').fill(nth ? '350' : '400')
        await phone.getByLabel('CPI').fill(nth ? '5' : '8')
        await phone.getByRole('button', { name: /^30 days/ }).click()
        expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
        await phone.getByRole('button', { name: 'Send answer' }).click()
        await expect(phone.getByRole('heading', { name: /^You answered on / })).toBeVisible()
        await phone.context().close()
      }
      await mailbox.waitFor(
        ({ envelope, subject }) => envelope.to.includes(PEOPLE.admin) && /answered/.test(subject ?? ''),
        30_000,
      )
    })

    let cost = 0
    await test.step('the administrator takes the cheapest mix at the usual margin', async () => {
      const { rounds, ordered } = await stateOf()
      const offers = rounds[0]!.invitations.map(({ answer }) => answer!).sort((a, b) => a.cpi_cents! - b.cpi_cents!)
      const shares = offers.map(({ id: proffer_id }, nth) => ({ proffer_id, completes: nth ? ordered - 350 : 350 }))
      cost = 455_000
      await call(desk, 'project.setCost', { id, cost_cents: cost, shares, valid_until: addDays(today(), 14) } as never)
      await call(desk, 'project.notifyCostNow', { id, delay_seconds: 0 })
      const [quote] = (await stateOf()).rounds[0]!.quotes
      expect(quote).toMatchObject({ state: 'sent', partner_cost_cents: 295_000, margin_cents: 160_000, margin_percent: 35.2 })
    })

    await test.step('the client opens it from the mail and approves it by keyboard', async () => {
      const link = await linkTo(PEOPLE.client, new RegExp(`https?:\\S+/survey-request/client-approval/${id}\\b`))
      await goTo(client, new URL(link).pathname)
      await expect(pane(client)).toContainText('$4,550.00')
      await expect.poll(async () => (await stateOf()).rounds[0]!.quotes[0]!.opened_at).not.toBeNull()
      await press(client, 'project.approve')
      await expect(palette(client)).toContainText(`Approve “${name}” for ${roundDollars(cost)}?`)
      await review(client, 'It can be launched then.')
      await answer(client, 'OK', 'Approved')
      expect((await stateOf()).status).toBe('approved')
    })

    await test.step('each partner is told for how many completes they were chosen, the administrator that it is approved', async () => {
      for (const [nth, email] of emails.entries())
        await mailbox.waitFor(
          ({ envelope, text }) => envelope.to.includes(email) && (text ?? '').includes(`chosen for ${nth ? 350 : 150} completes`),
          30_000,
        )
      await mailbox.waitFor(
        ({ envelope, subject }) => envelope.to.includes(PEOPLE.admin) && /approved the quote/.test(subject ?? ''),
        30_000,
      )
    })

    await test.step('the administrator goes live', async () => {
      await goTo(desk, href('surveyProject', { id }, { tab: 'specifications' }))
      await press(desk, 'project.goLive')
      await review(desk, /live/i)
      await expect.poll(async () => (await stateOf()).status).toBe('active')
      await expect(toast(desk, name)).toHaveCount(0)
    })

    await test.step('the history has each step once, with who did it', async () => {
      const { data } = await call(desk, 'project.history', { id, filter: 'all', page: 1, per_page: 100 })
      const moves = data.flatMap(({ after }) => (after as Record<string, unknown>).status ?? []).reverse()
      expect(moves.map(String)).toEqual(['pricing', 'submit_approval', 'approved', 'active'])
    })
  })
}
