import type { Page } from '@playwright/test'
import { ANSWER } from '../../contract/answer.ts'
import { feasibilityPath, PARTNER_PAGES } from '../../contract/pages.ts'
import { SIGNED_IN } from '../../src/data/signedIn.ts'
import { expect, test } from '../support/e2e.ts'
import { COLOURS, faults, WCAG } from './axe.ts'
import { allProjects, call, login, open, type ProjectRow } from './verbs.ts'

/*
 * The partner's path on a phone, from the mail on a real SMTP server to the withdrawn answer.
 */

test.use({ viaSmtp: true, viewport: { width: 390, height: 844 }, hasTouch: true })

/** An invited partner with their mailed link. */
interface Invited {
  project: ProjectRow
  partner: { id: number; name: string; email: string }
  link: string
}

/** An administrator's own browser, separate from the partner's phone. */
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

/** Invites a new partner to a project on quote, and takes the link from the mail. */
async function invited(desk: Page, mailbox: Mailbox, given: Record<string, unknown> = {}): Promise<Invited> {
  const stamp = `${process.pid}-${++made}`
  const email = `panel-${stamp}@partners.test`
  const name = `Panel ${stamp}`
  const { data } = await call(desk, 'partner.create', { name, email })
  const partner = { id: data.id, name, email }
  const project = (await allProjects(desk, 'Pending')).find(
    ({ status, allowed_actions }) => ['Pending', 'OnQuote'].includes(status) && allowed_actions.includes('project.assignPartner'),
  )
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

/** The link in the newest mail to an address that contains one not seen before. */
async function linkIn(mailbox: Mailbox, email: string, ...seen: string[]): Promise<string> {
  const found = (text = '') => /https?:\S+\/survey-feasibility\/\S+token=[\w.~-]+/.exec(text)?.[0]
  const mail = await mailbox.waitFor(
    ({ envelope, text }) => envelope.to.includes(email) && Boolean(found(text)) && !seen.includes(found(text)!),
    15_000,
  )
  return found(mail.text)!
}

/** Fills in an acceptance by touch. */
async function sayYes(page: Page, { completes = '300', cpi = '6.50' } = {}): Promise<void> {
  await page.getByText('Yes, we can').click()
  await page.getByLabel('Feasible completes').fill(completes)
  await page.getByLabel('CPI').fill(cpi)
  await page.getByRole('button', { name: /^30 days/ }).click()
}

/** Another browser that has the same link. */
async function elsewhere(page: Page, link: string): Promise<Page> {
  const context = await page
    .context()
    .browser()!
    .newContext({ baseURL: await origin(page) })
  const other = await context.newPage()
  await other.goto(link)
  await expect(other.getByRole('heading', { name: 'Crunchy oats' })).toBeVisible()
  return other
}

/** Opens a link, and waits for the request. */
async function opened(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Crunchy oats' })).toBeVisible()
}

test('a partner answers from the mail on a phone: draft, reload, send, correct, withdraw', { tag: '@quick' }, async ({
  page,
  mailbox,
}) => {
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

  await test.step('errors are shown at once, and the first field has the focus', async () => {
    await page.getByLabel('CPI').fill('0')
    await page.getByLabel('Incidence').fill('101')
    await page.getByRole('button', { name: 'Send answer' }).click()
    for (const sentence of [ANSWER.cpi, ANSWER.incidence, ANSWER.validMissing])
      await expect(page.getByText(sentence)).toBeVisible()
    await expect(page.getByLabel('CPI')).toBeFocused()
    await page.keyboard.press('Backspace')
    await page.keyboard.type('6.50', { delay: 60 })
    await expect(page.getByLabel('CPI')).toHaveValue('6.50')
    await page.getByLabel('Incidence').fill('40')
    await page.getByRole('button', { name: /^30 days/ }).click()
  })

  await test.step('sent, it shows as a receipt', async () => {
    await page.getByRole('button', { name: 'Send answer' }).click()
    await expect(page).toHaveURL(new RegExp(`${PARTNER_PAGES.answered}$`))
    await expect(page.getByRole('heading', { name: /^You answered on / })).toBeFocused()
    await expect(page.getByText("We'll write to you when it's decided")).toBeVisible()
    await expect(page.getByText('$1,950.00')).toBeVisible()
  })

  await test.step('the link in the mail leads there again', async () => {
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
    await expect(page.getByText('Give a reason')).toBeVisible()
    await page.getByLabel('Why are you withdrawing it?').fill('Our panel is sold out')
    await page.getByRole('button', { name: 'Withdraw the answer' }).click()
    await expect(page.getByText('No, we can’t')).toBeVisible()
    await expect(page.getByText('Our panel is sold out')).toBeVisible()
    const { data } = await call(desk, 'project.proffers', { id: project.id })
    expect(data.filter((row) => row.partner_id === partner.id)).toHaveLength(1)
  })

  await test.step('no response contained anything of other partners, the client or the price', async () => {
    const { data: others } = await call(desk, 'partner.listAll', {})
    const heard = (await Promise.all(bodies)).join('\n')
    for (const word of [project.name, ...others.filter(({ id }) => id !== partner.id).map(({ name }) => name)])
      expect(heard).not.toContain(word)
    expect(heard).not.toMatch(/"(cost|cost_cents|budget|client|client_id|client_name|status|partners)"/)
    expect(spoken.filter((url) => /\/(v1|v3)\//.test(url)).every((url) => /\/v1\/(campaigns_info|proffers)/.test(url))).toBe(true)
  })
})

const NOTHING = "This request doesn't exist, or the link is not complete. Please open it from your email again."

test('without a link the page makes no call and shows no request', async ({ page }) => {
  const calls: string[] = []
  page.on('request', (request) => /\/(v1|v3)\//.test(request.url()) && calls.push(request.url()))
  await page.goto(feasibilityPath(1, 1))
  await expect(page.getByText(NOTHING)).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`${PARTNER_PAGES.unknown}$`))
  await page.goto(PARTNER_PAGES.answered)
  await expect(page.getByText('Open the link in your email to see the answer.')).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(calls).toEqual([])
})

test('a forged link and another partner’s open nothing, and say the same', async ({ page, mailbox }) => {
  const desk = await asAdmin(page)
  const { project, link } = await invited(desk, mailbox)
  const other = await invited(desk, mailbox)
  const token = new URL(link).searchParams.get('token')!
  for (const wrong of [`${link}x`, `${feasibilityPath(project.id, other.partner.id)}?token=${token}`]) {
    await page.goto(wrong)
    await expect(page.getByText(NOTHING)).toBeVisible()
  }
})

test('a replaced link and a withdrawn one say so', async ({ page, mailbox }) => {
  const desk = await asAdmin(page)
  const { project, partner, link } = await invited(desk, mailbox)
  const { data } = await call(desk, 'invitation.link', { id: project.id, partner_id: partner.id })
  await page.goto(link)
  await expect(page.getByText('A newer link replaced this one. Open the newest email.')).toBeVisible()
  await opened(page, data.url)
  await call(desk, 'invitation.revoke', { id: project.id, partner_id: partner.id, reason: 'another panel' })
  await page.goto(data.url)
  await expect(page.getByText(/^This request was withdrawn on /)).toBeVisible()
  await expect(page.getByRole('link', { name: /^Write to / })).toHaveAttribute(
    'href',
    new RegExp(`subject=Request%20\\w+-${project.id}$`),
  )
})

test('what was typed offline stays, and is sent when the connection is back', { tag: '@quick' }, async ({ page, mailbox }) => {
  const desk = await asAdmin(page)
  const { link } = await invited(desk, mailbox)
  await opened(page, link)
  await page.context().setOffline(true)
  await sayYes(page)
  await page.getByRole('button', { name: 'Send answer' }).click()
  await expect(page.getByText("Not sent. It's kept on this device and can be sent again.")).toBeVisible()
  await page.context().setOffline(false)
  await page.reload()
  await expect(page.getByLabel('Feasible completes')).toHaveValue('300')
  await page.getByRole('button', { name: 'Send answer' }).click()
  await expect(page.getByText('$1,950.00')).toBeVisible()
})

test('of two who send at once one answers, and the other sees it', async ({ page, mailbox }) => {
  const desk = await asAdmin(page)
  const { link } = await invited(desk, mailbox)
  await opened(page, link)
  const other = await elsewhere(page, link)
  await sayYes(page)
  await sayYes(other, { cpi: '9' })
  await page.getByRole('button', { name: 'Send answer' }).click()
  await expect(page.getByRole('heading', { name: /^You answered on / })).toBeVisible()
  await other.getByRole('button', { name: 'Send answer' }).click()
  await expect(other.getByText(/^This request was answered at /)).toBeVisible()
  await expect(other.getByLabel('CPI')).toHaveValue('9')
  await other.getByRole('button', { name: 'See the answer' }).click()
  await expect(other.getByText('$1,950.00')).toBeVisible()
})

test('concurrent corrections are shown side by side, and neither is lost', async ({ page, mailbox }) => {
  const desk = await asAdmin(page)
  const { link } = await invited(desk, mailbox)
  await opened(page, link)
  await sayYes(page)
  await page.getByRole('button', { name: 'Send answer' }).click()
  await page.getByRole('button', { name: 'Correct the answer' }).click()
  const other = await elsewhere(page, link)
  await other.getByRole('button', { name: 'Correct the answer' }).click()
  await other.getByLabel('CPI').fill('7')
  await other.getByRole('button', { name: 'Send correction' }).click()
  await expect(other.getByText('Corrected once')).toBeVisible()
  await page.getByLabel('CPI').fill('8')
  await page.getByRole('button', { name: 'Send correction' }).click()
  await expect(page.getByRole('row', { name: 'CPI $7.00 $8.00' })).toBeVisible()
  await page.getByRole('button', { name: 'Send mine' }).click()
  await expect(page.getByText('$2,400.00')).toBeVisible()
})

test('a round that closes while somebody types says so, and the draft is kept', async ({ page, mailbox }) => {
  const desk = await asAdmin(page)
  const { project, link } = await invited(desk, mailbox)
  await opened(page, link)
  await sayYes(page)
  await call(desk, 'project.setCost', { id: project.id, cost: 5000 })
  // The page polls every 30 seconds, and when it becomes visible again.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(page.getByText(/^This round closed at .* Your draft is kept\.$/)).toBeVisible()
  await expect(page.getByLabel('CPI')).toHaveValue('6.50')
  await expect(page.getByRole('button', { name: 'Send answer' })).toHaveCount(0)
  await page.goto(link)
  await expect(page.getByText("This round is closed; you didn't answer.")).toBeVisible()
})

test('the whole page works by keyboard: Tab, arrows in the choices, Ctrl+Enter sends', async ({ page, mailbox }) => {
  const desk = await asAdmin(page)
  const { link } = await invited(desk, mailbox)
  await opened(page, link)
  const yes = page.getByRole('radio', { name: 'Yes, we can' })
  for (let presses = 0; presses < 20 && !(await yes.evaluate((radio) => radio === document.activeElement)); presses++)
    await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: 'No, we can’t' })).toBeChecked()
  await page.keyboard.press('Tab')
  await page.keyboard.type('Too short a field time')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Too short a field time')).toBeVisible()
  await expect(page.getByRole('heading', { name: /^You answered on / })).toBeVisible()
})

test('starting over empties the form, and undo brings it back', async ({ page, mailbox }) => {
  const desk = await asAdmin(page)
  const { link } = await invited(desk, mailbox)
  await opened(page, link)
  await sayYes(page)
  await page.getByRole('button', { name: 'Start over' }).click()
  await expect(page.getByLabel('CPI')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByLabel('CPI')).toHaveValue('6.50')
})

test('an administrator sees the partner’s page, and enters an answer taken by phone with a reason', async ({ page, mailbox }) => {
  const desk = await asAdmin(page)
  const { project, partner, link } = await invited(desk, mailbox)
  // The workspace records in this browser that somebody is signed in.
  await open(desk, 'allProjects')
  await desk.waitForFunction((name) => localStorage.getItem(name) !== null, SIGNED_IN)
  await desk.goto(link)
  await expect(desk.getByText(`You see what ${partner.name} sees`)).toBeVisible()
  await sayYes(desk)
  const enter = desk.getByRole('button', { name: `Enter answer for ${partner.name}` })
  await enter.click()
  await expect(desk.getByText('Say why you answer for the partner')).toBeVisible()
  await desk.getByLabel('Why are you answering for them?').fill('By phone with Ana')
  await enter.click()
  await expect(desk.getByText('$1,950.00')).toBeVisible()
  const { data } = await call(desk, 'project.proffers', { id: project.id })
  expect(data.filter((row) => row.partner_id === partner.id)).toHaveLength(1)
})

for (const colorScheme of ['light', 'dark'] as const)
  test(`axe finds no violation in any of the three pages, ${colorScheme}`, async ({ page, mailbox }) => {
    const desk = await asAdmin(page)
    const { link } = await invited(desk, mailbox)
    const rules = colorScheme === 'light' ? WCAG : COLOURS
    await page.emulateMedia({ colorScheme })
    await page.goto(PARTNER_PAGES.unknown)
    await expect(page.getByText(NOTHING)).toBeVisible()
    expect(await faults(page, rules)).toEqual([])
    await opened(page, link)
    await page.getByText('Yes, we can').click()
    await page.getByRole('button', { name: 'Send answer' }).click()
    await expect(page.getByText(ANSWER.cpi)).toBeVisible()
    expect(await faults(page, rules)).toEqual([])
    const small = await page
      .locator('main :is(button, input:not([type=radio]), textarea, a, label:has(input))')
      .evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().height < 44).map((one) => one.outerHTML.slice(0, 90)))
    expect(small).toEqual([])
    await sayYes(page)
    await page.getByRole('button', { name: 'Send answer' }).click()
    await expect(page.getByText('$1,950.00')).toBeVisible()
    expect(await faults(page, rules)).toEqual([])
  })
