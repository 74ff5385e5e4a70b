import type { Page } from '@playwright/test'
import { addDays } from '../../contract/pacing.ts'
import { feasibilityPath, PARTNER_PAGES } from '../../contract/pages.ts'
import { secretsOf } from '../../server/core/secrets.ts'
import { expect, test } from '../support/e2e.ts'
import { today } from '../support/today.ts'
import { call, login } from './verbs.ts'

/*
 * What a partner's link shows later: after it expired, in a second round, and once the round is decided.
 */

const SIGNING_KEY = 'a-key-of-these-tests-alone-0123456789abcdef'
test.use({ viaSmtp: true, viewport: { width: 390, height: 844 }, hasTouch: true, settings: { SIGNING_KEY } })

const DAY_S = 86_400
let made = 0

/** An administrator's own browser, separate from the partner's phone. */
async function asAdmin(page: Page): Promise<Page> {
  const baseURL = new URL((await page.request.get('/healthz')).url()).origin
  const context = await page.context().browser()!.newContext({ baseURL })
  const desk = await context.newPage()
  await login(desk)
  return desk
}

/** A partner invited to their own project, so far without a mail. */
async function invited(desk: Page, goal = 400) {
  const stamp = `${process.pid}-${++made}`
  const email = `later-${stamp}@partners.test`
  const { data: partner } = await call(desk, 'partner.create', { name: `Later ${stamp}`, email })
  const [client] = (await call(desk, 'client.dropdown')).data
  const name = `Later wave ${stamp}`
  const days = { start_dt: addDays(today(), 1), end_dt: addDays(today(), 20) }
  const { data: project } = await call(desk, 'project.create', { name, client_id: client!.id, goal, ...days })
  await call(desk, 'invitation.create', { id: project.id, partner_ids: [partner.id], title: 'Crunchy oats', mail: false })
  return { id: project.id, partner: partner.id, email }
}
type Invited = Awaited<ReturnType<typeof invited>>

/** A genuine link that is valid for some days; expired if `days` is negative. */
function linkOf({ id, partner }: Invited, { round = 1, days = 14 } = {}): string {
  const until = Math.floor(Date.now() / 1000) + days * DAY_S
  const token = secretsOf([SIGNING_KEY]).sign('partner', [id, partner, round, 1].join(':'), until)
  return `${feasibilityPath(id, partner)}?token=${token}`
}

/** Opens a link and accepts. */
async function answered(page: Page, link: string, { completes = '300', cpi = '6.50' } = {}): Promise<void> {
  await page.goto(link)
  await page.getByText('Yes, we can').click()
  await page.getByLabel('Feasible completes').fill(completes)
  await page.getByLabel('CPI').fill(cpi)
  await page.getByRole('button', { name: /^30 days/ }).click()
  await page.getByRole('button', { name: 'Send answer' }).click()
  await expect(page.getByRole('heading', { name: /^You answered on / })).toBeVisible()
}

test('an expired link says when it ended, and a new one comes by mail to the partner’s own address', async ({
  page,
  mailbox,
}) => {
  const desk = await asAdmin(page)
  const request = await invited(desk)
  await page.goto(linkOf(request, { days: -2 }))
  await expect(page).toHaveURL(new RegExp(`${PARTNER_PAGES.unknown}$`))
  await expect(page.getByText(/^This link expired on /)).toBeVisible()
  await page.getByRole('button', { name: 'Ask for a new link' }).click()
  await expect(page.getByText('If your request is open, a new link is on its way to you.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Ask for a new link' })).toHaveCount(0)

  const mail = await mailbox.waitFor(({ envelope }) => envelope.to.includes(request.email), 15_000)
  await page.goto(/https?:\S+token=[\w.~-]+/.exec(mail.text ?? '')![0])
  await expect(page.getByRole('heading', { name: 'Crunchy oats' })).toBeVisible()

  await test.step('a second one is not sent within the day, and the answer says the same', async () => {
    await page.goto(linkOf(request, { days: -1 }))
    await expect(page.getByText('A newer link replaced this one. Open the newest email.')).toBeVisible()
    expect(mailbox.mails.filter(({ envelope }) => envelope.to.includes(request.email))).toHaveLength(1)
  })
})

test('a second round shows what changed since the last answer, which fills the form', async ({ page }) => {
  const desk = await asAdmin(page)
  const request = await invited(desk)
  const { id } = request
  await answered(page, linkOf(request))
  await call(desk, 'project.setCost', { id, cost: 5000 })
  await call(desk, 'project.notifyCostNow', { id })
  await call(desk, 'project.reject', { project_id: id, status: 'OnQuote', reason: 'fewer will do' })
  await call(desk, 'project.edit', { id, goal: 250 })

  await test.step('the link of the first round leads to the newer request', async () => {
    await page.goto(linkOf(request))
    await expect(page.getByText('There is a newer request')).toBeVisible()
    await page.getByRole('button', { name: 'Open the newer request' }).click()
  })
  const changes = page.getByRole('region', { name: 'What changed since your last answer' })
  await expect(changes).toContainText('Completes')
  await expect(changes).toContainText('400')
  await expect(changes).toContainText('250')
  await expect(page.getByLabel('Feasible completes')).toHaveValue('300')
  await expect(page.getByLabel('CPI')).toHaveValue('6.50')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await page.getByLabel('Feasible completes').fill('250')
  await page.getByRole('button', { name: 'Send answer' }).click()
  await expect(page.getByText('Round 2')).toBeVisible()
  await expect(page.getByText('$1,625.00')).toBeVisible()
})

test('once the client approved, the receipt says for how many completes a partner was chosen', async ({ page }) => {
  const desk = await asAdmin(page)
  const request = await invited(desk, 300)
  const { id } = request
  await answered(page, linkOf(request))
  const [proffer] = (await call(desk, 'project.proffers', { id })).data
  await call(desk, 'project.setCost', { id, cost: 5000, shares: [{ proffer_id: proffer!.id, completes: 280 }] } as never)
  await page.goto(linkOf(request))
  await expect(page.getByText(/^This round is closed since /)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Correct the answer' })).toHaveCount(0)
  await call(desk, 'project.notifyCostNow', { id })
  await call(desk, 'project.approve', { project_id: id, status: 'QuoteApproved', reason: 'by phone' })
  await page.goto(linkOf(request))
  await expect(page.getByText('You were chosen for 280 completes')).toBeVisible()
  await expect(page.getByText('Chosen', { exact: true })).toBeVisible()
  await test.step('what follows, whom to ask, and a link that can be kept', async () => {
    const follows = page.getByRole('region', { name: 'What follows' })
    await expect(follows).toContainText('we’ll write to you when it starts')
    await call(desk, 'invitation.edit', { id, entry_url: 'https://entry.example/oats' })
    await call(desk, 'project.edit', { id, survey_url: 'https://survey.example/oats' })
    await call(desk, 'project.goLive', { id })
    await page.reload()
    await expect(follows).toContainText('It’s in field now.')
    await expect(follows.getByRole('link')).toHaveAttribute('href', 'https://entry.example/oats')
    await expect(page.getByRole('link', { name: /^Write to / })).toHaveAttribute('href', /^mailto:.+subject=Request%20P-/)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy link' }).click()
    await expect(page.getByText(/^Copied\. Whoever has the link/)).toBeVisible()
    const copy = await page.context().newPage()
    await copy.goto(await page.evaluate(() => navigator.clipboard.readText()))
    await expect(copy.getByText('You were chosen for 280 completes')).toBeVisible()
    await copy.close()
  })
  await expect(page.getByRole('button', { name: 'Withdraw the answer' })).toHaveCount(0)
})

test('the receipt is printed without its buttons', async ({ page }) => {
  await page.addInitScript(() => {
    window.print = () => document.body.setAttribute('data-printed', '')
  })
  const desk = await asAdmin(page)
  await answered(page, linkOf(await invited(desk)))
  await page.getByRole('button', { name: 'Print' }).click()
  await expect(page.locator('body[data-printed]')).toHaveCount(1)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('region', { name: 'Receipt' })).toBeVisible()
  await expect(page.getByText('$1,950.00')).toBeVisible()
  for (const name of ['Print', 'Correct the answer', 'Withdraw the answer'])
    await expect(page.getByRole('button', { name })).toBeHidden()
})
