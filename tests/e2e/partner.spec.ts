import type { Page } from '@playwright/test'
import { ANSWER } from '../../contract/answer.ts'
import { PARTNER_PAGES } from '../../contract/pages.ts'
import { expect, test } from '../support/e2e.ts'
import { call, login, type ProjectRow, projects } from './verbs.ts'

/*
 * The partner's way on a phone, from the mail that a real SMTP server received to the withdrawn answer.
 */

test.use({ viaSmtp: true, viewport: { width: 390, height: 844 }, hasTouch: true })

/** An invited partner, and the link that their mail carried. */
interface Invited {
  project: ProjectRow
  partner: { id: number; name: string; email: string }
  link: string
}

/** An administrator's own browser, apart from the partner's phone. */
async function asAdmin(page: Page): Promise<Page> {
  const context = await page
    .context()
    .browser()!
    .newContext({ baseURL: new URL(page.url() === 'about:blank' ? await origin(page) : page.url()).origin })
  const desk = await context.newPage()
  await login(desk)
  return desk
}
const origin = async (page: Page): Promise<string> => new URL((await page.request.get('/healthz')).url()).origin

let made = 0
type Mailbox = {
  waitFor(
    fits: (mail: { envelope: { to: string[] }; text?: string | undefined }) => boolean,
    timeout?: number,
  ): Promise<{ text?: string | undefined; subject?: string | undefined }>
}

/** Invites a new partner to a project on quote, and takes the link out of the mail. */
async function invited(desk: Page, mailbox: Mailbox, given: Record<string, unknown> = {}): Promise<Invited> {
  const stamp = `${process.pid}-${++made}`
  const email = `panel-${stamp}@partners.test`
  const name = `Panel ${stamp}`
  const { data } = await call(desk, 'partner.create', { name, email })
  const partner = { id: data.id, name, email }
  const project = (await projects(desk, 'Pending')).find((row) => row.allowed_actions.includes('project.assignPartner'))
  if (!project) throw new Error('No project of the demo waits for partners.')
  await call(desk, 'invitation.create', {
    id: project.id,
    partner_ids: [partner.id],
    title: 'Crunchy oats',
    message: 'Soft launch on Monday, please.',
    delay_seconds: 0,
    ...given,
  })
  return { project, partner, link: await linkIn(mailbox, email) }
}

/** The link in the newest mail to an address that carries one besides those seen before. */
async function linkIn(mailbox: Mailbox, email: string, ...seen: string[]): Promise<string> {
  const found = (text = '') => /https?:\S+\/survey-feasibility\/\S+token=[\w.~-]+/.exec(text)?.[0]
  const mail = await mailbox.waitFor(
    ({ envelope, text }) => envelope.to.includes(email) && Boolean(found(text)) && !seen.includes(found(text)!),
    15_000,
  )
  return found(mail.text)!
}

test('a partner answers from the mail on a phone: draft, reload, send, correct, withdraw', async ({ page, mailbox }) => {
  const desk = await asAdmin(page)
  const { project, partner, link } = await invited(desk, mailbox)
  const spoken: string[] = []
  page.on('request', (request) => spoken.push(`${request.url()} ${request.postData() ?? ''}`))
  const bodies: Promise<string>[] = []
  page.on('response', (answer) => {
    if (/\/v1\//.test(answer.url())) bodies.push(answer.text().catch(() => ''))
  })

  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Crunchy oats' })).toBeVisible()
  expect(page.url()).not.toContain('token')
  await expect(page.getByText('Soft launch on Monday, please.')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)

  await test.step('a draft is saved by itself, and is there after a reload in another browser', async () => {
    await page.getByText('Yes, we can').click()
    await page.getByLabel('Feasible completes').fill('300')
    await page.getByLabel('CPI').fill('6.50')
    await expect(page.getByText('$1,950.00')).toBeVisible()
    await expect(page.getByText(/Draft saved at/)).toBeVisible()
    await page.reload()
    await expect(page.getByLabel('CPI')).toHaveValue('6.50')
    const other = await page
      .context()
      .browser()!
      .newContext({ baseURL: await origin(page) })
    const tablet = await other.newPage()
    await tablet.goto(link)
    await expect(tablet.getByLabel('Feasible completes')).toHaveValue('300')
    await other.close()
  })

  await test.step('what is wrong is said at once, and the first field has the focus', async () => {
    await page.getByLabel('CPI').fill('0')
    await page.getByLabel('Incidence').fill('101')
    await page.getByRole('button', { name: 'Send answer' }).click()
    for (const sentence of [ANSWER.cpi, ANSWER.incidence, ANSWER.valid]) await expect(page.getByText(sentence)).toBeVisible()
    await expect(page.getByLabel('CPI')).toBeFocused()
    await page.getByLabel('CPI').fill('6.50')
    await page.getByLabel('Incidence').fill('40')
    await page.getByRole('button', { name: /^30 days/ }).click()
  })

  await test.step('sent, it shows as a receipt', async () => {
    await page.getByRole('button', { name: 'Send answer' }).click()
    await expect(page).toHaveURL(new RegExp(`${PARTNER_PAGES.answered}$`))
    await expect(page.getByRole('heading', { name: /^You answered on / })).toBeVisible()
    await expect(page.getByText("We'll write to you when it's decided")).toBeVisible()
    await expect(page.getByText('$1,950.00')).toBeVisible()
  })

  await test.step('the link from the mail leads there again', async () => {
    await page.goto(link)
    await expect(page).toHaveURL(new RegExp(`${PARTNER_PAGES.answered}$`))
  })

  await test.step('corrected, it is the same answer with its new price', async () => {
    await page.getByRole('button', { name: 'Correct the answer' }).click()
    await expect(page.getByLabel('Feasible completes')).toHaveValue('300')
    await page.getByLabel('CPI').fill('5')
    await page.getByRole('button', { name: 'Send correction' }).click()
    await expect(page.getByText('$1,500.00')).toBeVisible()
    await expect(page.getByText('Corrected once')).toBeVisible()
  })

  await test.step('withdrawn, it is a No with the reason', async () => {
    await page.getByRole('button', { name: 'Withdraw the answer' }).click()
    await page.getByRole('button', { name: 'Withdraw the answer' }).click()
    await expect(page.getByText('Please give a reason')).toBeVisible()
    await page.getByLabel('Why do you withdraw it?').fill('Our panel is sold out')
    await page.getByRole('button', { name: 'Withdraw the answer' }).click()
    await expect(page.getByText('No, we can’t')).toBeVisible()
    await expect(page.getByText('Our panel is sold out')).toBeVisible()
    const { data } = await call(desk, 'project.proffers', { id: project.id })
    expect(data.filter((row) => row.partner_id === partner.id)).toHaveLength(1)
  })

  await test.step('nothing of other partners, the client or the price was in any of it', async () => {
    const { data: others } = await call(desk, 'partner.listAll', {})
    const heard = (await Promise.all(bodies)).join('\n')
    for (const word of [project.name, ...others.filter(({ id }) => id !== partner.id).map(({ name }) => name)])
      expect(heard).not.toContain(word)
    expect(heard).not.toMatch(/"(cost|cost_cents|budget|client|client_id|client_name|status|partners)"/)
    expect(spoken.filter((url) => /\/(v1|v3)\//.test(url)).every((url) => /\/v1\/(campaigns_info|proffers)/.test(url))).toBe(true)
  })
})
