import type { Page } from '@playwright/test'
import { href } from '../../src/routing/routes.ts'
import { type test as base, expect } from '../support/e2e.ts'
import { today } from '../support/today.ts'
import {
  answer,
  call,
  drawn,
  field,
  goTo,
  keys,
  login,
  open,
  PEOPLE,
  palette,
  pane,
  pickMarkets,
  press,
  review,
  selected,
} from './verbs.ts'

/*
 * The whole path of a quote: a client requests it, an administrator invites two partners, both answer on a phone.
 * The order is split between them, the client approves from the mail, and the project goes live.
 */

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true }

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

/** Adds the test of the whole flow to a file, whose options choose the server's engine. */
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
    const confirm = async (says: string) => {
      await expect(palette(desk)).toContainText(says)
      await expect(field(desk)).toBeFocused()
      await drawn(desk)
      await keys(desk, 'Enter')
    }

    await test.step('the client requests it by keyboard', async () => {
      const type = async (label: string, text: string) => {
        await pane(client).getByLabel(label, { exact: true }).focus()
        await client.keyboard.type(text)
      }
      await open(client, 'clientRequest')
      await type('Project name *', name)
      await type('Goal *', '500')
      await type('Start date *', today().replace(/(\d{4})-(\d\d)-(\d\d)/, '$2/$3/$1'))
      await pane(client).getByRole('group', { name: 'Gender' }).getByRole('checkbox', { name: 'All', exact: true }).focus()
      await client.keyboard.press('Space')
      await pickMarkets(client, 'Top 25')
      await pane(client)
        .locator('input[type=file]')
        .setInputFiles({ name: 'questions.csv', mimeType: 'text/csv', buffer: Buffer.from('id,question\n1,Why?\n') })
      await expect(pane(client).getByRole('region', { name: 'Summary' })).toContainText('by 1 file.')
      await press(client, 'form.send')
      await answer(client, 'OK', 'Request created')
      const { campaigns } = (await call(client, 'campaign.requestList', { step: 'all', search: name })).data
      id = campaigns[0]!.id
      expect(await stateOf()).toMatchObject({ status: 'requirements', step: 'invite', ordered: 500 })
    })

    await test.step('the administrator invites two partners by keyboard', async () => {
      await goTo(desk, href('surveyProject', { id }, { tab: 'specifications' }))
      await expect(pane(desk).getByRole('heading', { level: 1, name })).toBeVisible()
      await press(desk, 'project.invitePartners')
      await expect(field(desk)).toHaveAttribute('aria-label', 'Partners')
      await expect(selected(desk)).toHaveCount(1)
      for (const many of [1, 2]) {
        await keys(desk, 'Space')
        await expect(palette(desk)).toContainText(`Continue with ${many}`)
      }
      await keys(desk, 'Enter')
      await confirm('Invite 2 partners')
      await expect.poll(async () => (await stateOf()).status).toBe('pricing')
    })
    const invited = (await stateOf()).rounds[0]!.invitations

    await test.step('both get a mail, and answer on a phone', async () => {
      for (const [nth, { email }] of invited.entries()) {
        const phone = await browserOf(page, undefined, PHONE)
        await phone.goto(await linkTo(email, new RegExp(`https?:\\S+/feasibility/${id}/\\d+\\?token=[\\w.~-]+`)))
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

    await test.step('the administrator takes the cheapest mix at the usual margin', async () => {
      await expect(pane(desk).locator('header [data-command="project.takeOffers"]')).toBeVisible()
      await press(desk, 'project.takeOffers', 'project')
      // 350 at $5.00 and 150 at $8.00 cost $2,950; at 35 % margin that is $4,539.
      await expect(field(desk)).toHaveAttribute('aria-label', 'Cost')
      await expect(field(desk)).toHaveValue('4539')
      await keys(desk, 'Enter')
      await expect(field(desk)).toHaveAttribute('aria-label', 'Valid until')
      await keys(desk, 'Enter')
      await confirm('Quote $4,539 for 500 completes: partners $2,950, margin $1,589 (35 %). The client gets it by email.')
      await expect.poll(async () => (await stateOf()).rounds[0]!.quotes[0]?.state).toBe('sent')
    })

    await test.step('the client opens it from the mail and approves it by keyboard', async () => {
      const link = await linkTo(PEOPLE.client, new RegExp(`https?:\\S+/survey-request/client-approval/${id}\\b`))
      await goTo(client, new URL(link).pathname)
      await expect(pane(client)).toContainText('$4,539.00')
      await expect.poll(async () => (await stateOf()).rounds[0]!.quotes[0]!.opened_at).not.toBeNull()
      await press(client, 'project.approve')
      await expect(palette(client)).toContainText(`Approve “${name}” for $4,539?`)
      await review(client, 'It can be launched then.')
      await answer(client, 'OK', 'Approved')
      expect((await stateOf()).status).toBe('approved')
    })

    await test.step('each partner is mailed how many completes they were chosen for, the administrator that it is approved', async () => {
      for (const [nth, { email }] of invited.entries())
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
      await expect(pane(desk).locator('header [data-command="project.goLive"]')).toBeVisible()
      await press(desk, 'project.goLive')
      await confirm('Launch')
      await expect.poll(async () => (await stateOf()).status).toBe('active')
    })

    await test.step('the history has each step once, with who did it', async () => {
      const { data } = await call(desk, 'project.history', { id, filter: 'all', page: 1, per_page: 100 })
      const moves = data.flatMap(({ after }) => (after as Record<string, unknown>).status ?? []).reverse()
      expect(moves.map(String)).toEqual(['pricing', 'submit_approval', 'approved', 'active'])
    })
  })
}
