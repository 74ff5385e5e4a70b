import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from '@playwright/test'
import { roundDollars } from '../../contract/format.ts'
import { addDays } from '../../contract/pacing.ts'
import { href } from '../../src/routing/routes.ts'
import { expect, test } from '../support/e2e.ts'
import { today } from '../support/today.ts'
import { answer, call, field, goTo, list, login, noticed, palette, pane, press, review, run, toast } from './verbs.ts'

/*
 * The client's path from the mailed link to a decision, and their list of requests and quotes, by keyboard.
 */

/** Runs work in an administrator's own browser. */
async function atDesk<T>(page: Page, work: (desk: Page) => Promise<T>): Promise<T> {
  const context = await page
    .context()
    .browser()!
    .newContext({ baseURL: new URL((await page.request.get('/healthz')).url()).origin })
  const desk = await context.newPage()
  await login(desk)
  const made = await work(desk)
  await context.close()
  return made
}

let serial = 0

/** A new project of the client user's client, with a quote that was just sent. */
async function sentQuote(page: Page, cost_cents = 123_400) {
  const { campaigns } = (await call(page, 'campaign.requestList', { step: 'all' })).data
  const { client_id } = campaigns[0]!
  const project = await atDesk(page, async (desk) => {
    const name = `Quoted wave ${Date.now()} ${++serial}`
    const days = { start_dt: today(), end_dt: addDays(today(), 20) }
    const { data } = await call(desk, 'project.create', { name, client_id, goal: 500, ...days })
    const [partner] = (await call(desk, 'partner.dropdown')).data
    await call(desk, 'invitation.create', { id: data.id, partner_ids: [partner!.id], mail: false })
    return data
  })
  await quoteAgain(page, project.id, cost_cents)
  return project
}
const quoteAgain = (page: Page, id: number, cost_cents: number) =>
  atDesk(page, async (desk) => {
    await call(desk, 'project.setCost', { id, cost_cents, valid_until: addDays(today(), 9) })
    await call(desk, 'project.notifyCostNow', { id })
  })
/** Types an answer to the palette's question, and confirms it. */
async function answerWith(page: Page, text: string): Promise<void> {
  await expect(field(page)).toBeFocused()
  await page.keyboard.type(text)
  await expect(field(page)).toHaveValue(text)
  await expect(palette(page).locator('[data-reading]')).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect.poll(() => field(page).evaluateAll(([box]) => (box as HTMLInputElement | undefined)?.value ?? null)).not.toBe(text)
}
const stateOf = async (page: Page, id: number) => (await call(page, 'campaign.requestInfo', { id })).data

test.beforeEach(({ page }) => login(page, 'client'))

test('a client user opens a quote from its link and approves it', { tag: '@quick' }, async ({ page }) => {
  const project = await sentQuote(page)
  await goTo(page, href('clientApproval', { id: project.id }))
  await expect(pane(page).getByRole('heading', { name: project.name })).toBeVisible()
  await expect(pane(page)).toContainText('$1,234.00')
  await expect(pane(page)).toContainText(/[89] days left/)
  await expect(pane(page).getByRole('heading', { name: 'What you buy' })).toBeVisible()
  await expect.poll(async () => (await stateOf(page, project.id)).opened).toBe(true)

  await press(page, 'project.approve')
  await expect(palette(page)).toContainText(`Approve “${project.name}” for $1,234?`)
  await review(page, 'It can be launched then.')
  await answer(page, 'OK', 'Approved')
  await expect(page).not.toHaveURL(new RegExp(`client-approval/${project.id}\\b`))
  expect(await stateOf(page, project.id)).toMatchObject({ step: 'approved', quote: { state: 'approved' } })

  await test.step('and finds who approved it and when, with nothing left to decide', async () => {
    await goTo(page, href('clientApproval', { id: project.id }))
    await expect(pane(page)).toContainText(/Approved by .+ on /)
    await expect(pane(page).locator('[data-command="project.approve"]')).toHaveCount(0)
    await expect(pane(page).getByRole('heading', { name: 'Signed documents' })).toBeVisible()
  })
})

test('a quote is rejected with a reason, which the next one repeats beside what changed', async ({ page }) => {
  const project = await sentQuote(page, 200_000)
  await goTo(page, href('clientApproval', { id: project.id }))
  await expect(pane(page)).toContainText('$2,000.00')
  await press(page, 'project.rejectQuote')
  await answerWith(page, 'Price')
  await answerWith(page, 'Too dear for us')
  await review(page)
  await answer(page, 'OK', 'Rejected')
  expect(await stateOf(page, project.id)).toMatchObject({ step: 'pricing' })

  await goTo(page, href('clientApproval', { id: project.id }))
  await expect(pane(page)).toContainText('No price yet')
  await expect(pane(page)).toContainText('A new quote is being prepared.')
  await expect(pane(page).locator('[data-command="project.approve"]')).toHaveAttribute('aria-disabled', 'true')

  await test.step('a new quote appears by itself', async () => {
    await quoteAgain(page, project.id, 150_000)
    await expect(pane(page)).toContainText('$1,500.00')
    await expect(pane(page)).toContainText('Price: Too dear for us')
    await expect(pane(page)).toContainText('−$500.00 (−25 %)')
  })
})

test('a price that changes while it is viewed is announced, and the old one isn’t approved', async ({ page }) => {
  const project = await sentQuote(page, 100_000)
  await goTo(page, href('clientApproval', { id: project.id }))
  await press(page, 'project.approve')
  await expect(palette(page)).toContainText('for $1,000?')
  await quoteAgain(page, project.id, 125_000)
  await review(page, 'It can be launched then.')

  await test.step('the decision is asked again, with the new price beside the old', async () => {
    await expect(palette(page).getByRole('alert')).toContainText(/The quote changed to \$1,250\.00 at /)
    await expect(palette(page)).toContainText(`Approve “${project.name}” for $1,250?`)
    await expect(palette(page)).toContainText('500 completes at $2.50.')
    const theirs = palette(page).getByLabel('Their version')
    await expect(theirs).toContainText('$1,250.00')
    await expect(theirs).toContainText('before $1,000.00')
    expect(await stateOf(page, project.id)).toMatchObject({ step: 'approval', cost_cents: 125_000 })
  })
  await noticed(page)
  await review(page, 'It can be launched then.')
  await answer(page, 'OK', 'Approved')
  expect(await stateOf(page, project.id)).toMatchObject({ step: 'approved', cost_cents: 125_000 })
})

test('a question goes to the administrators in the conversation, by keyboard', async ({ page }) => {
  const project = await sentQuote(page)
  await goTo(page, href('clientApproval', { id: project.id }))
  await press(page, 'project.ask')
  await answerWith(page, 'Are teens included?')
  await expect(toast(page, 'Your message is on its way')).toBeVisible()
  const messages = await atDesk(page, async (desk) => (await call(desk, 'message.list', { id: project.id })).data)
  expect(messages).toMatchObject([{ text: 'Are teens included?', author: 'Jordan Ellery' }])
})

test('a quote is printed without the workspace around it', async ({ page }) => {
  await page.addInitScript(() => {
    window.print = () => document.body.setAttribute('data-printed', '')
  })
  const project = await sentQuote(page)
  await goTo(page, href('clientApproval', { id: project.id }))
  await expect(pane(page)).toContainText('$1,234.00')
  await run(page, 'project.print')
  await expect(page.locator('body[data-printed]')).toHaveCount(1)
  await page.emulateMedia({ media: 'print' })
  const sheet = page.locator('[data-sheet]')
  await expect(sheet.getByText('$1,234.00')).toBeVisible()
  await expect(sheet.getByText('What you buy')).toBeVisible()
  await expect(page.locator('nav').first()).toBeHidden()
  await expect(sheet.locator('[data-command]').first()).toBeHidden()
  await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  await expect(sheet).toHaveCount(0)
})

test('an expired quote says since when, and approving it is greyed out with that sentence', async ({ page, server }) => {
  const past = addDays(today(), -3)
  const { id } = await sentQuote(page)
  // A quote only expires as days pass; no call sets one back.
  const db = new DatabaseSync(join(server.folder, 'fieldwork.db'), { timeout: 5000 })
  expect(db.prepare('update projects set quote_valid_until = ? where id = ?').run(past, id).changes).toBe(1)
  expect(db.prepare("update quotes set valid_until = ? where project_id = ? and state = 'sent'").run(past, id).changes).toBe(1)
  db.close()
  const { campaigns } = (await call(page, 'campaign.requestList', { step: 'expired' })).data
  expect(campaigns.map((expired) => expired.id)).toContain(id)
  await goTo(page, href('clientApproval', { id }))
  await expect(pane(page)).toContainText(`The quote expired on ${past}.`)
  await expect(pane(page).locator('[data-command="project.approve"]')).toHaveAttribute('aria-disabled', 'true')
  await press(page, 'project.approve')
  await expect(toast(page, `expired on ${past}`)).toBeVisible()
  await test.step('a new quote is requested in its place', async () => {
    await expect(pane(page).locator('[data-command="project.askQuote"]')).toBeVisible()
    await run(page, 'project.askQuote', 'The same again, please')
    await review(page, 'We get an email and quote your request again.')
    await expect(toast(page, 'will be quoted again')).toBeVisible()
  })
})

test('somebody else’s project is not shown', async ({ page }) => {
  await goTo(page, href('clientApproval', { id: 999_999 }))
  await expect(toast(page, 'doesn’t exist, or you don’t have access')).toBeVisible()
})

test('a link to the decision opens its review', async ({ page }) => {
  const project = await sentQuote(page)
  await page.goto(href('clientApproval', { id: project.id }, { query: { do: 'project.approve' } }))
  await expect(palette(page)).toContainText(`Approve “${project.name}” for $1,234?`)
})

test('the list of requests has what waits on top, and the selected quotes are approved together', async ({ page }) => {
  const first = await sentQuote(page, 110_000)
  await goTo(page, href('requested', {}, { query: { step: 'approval', id: String(first.id) } }))
  await expect(pane(page)).toContainText(`Your request ${first.name}`)
  await expect(pane(page).locator('[aria-current=step]')).toHaveText('Your approval')
  await list(page)
  const { campaigns, totals } = (await call(page, 'campaign.requestList', { step: 'approval' })).data
  await expect(pane(page).getByRole('row').filter({ hasText: 'Waiting for you' })).toHaveCount(campaigns.length)
  await press(page, 'list.markAll')
  await expect(pane(page)).toContainText(`${campaigns.length} selected`)
  await press(page, 'project.approve')
  const sum = roundDollars(totals.cost_cents)
  await review(page, campaigns.length > 1 ? `Approve ${campaigns.length} quotes for ${sum} in all?` : `for ${sum}?`)
  await expect.poll(async () => (await call(page, 'campaign.requestList', { step: 'approval' })).data.count).toBe(0)
})

test('a row of the list opens its quote, or the request if there is no quote', async ({ page }) => {
  const project = await sentQuote(page, 120_000)
  await goTo(page, href('requested', {}, { query: { search: `${project.id}` } }))
  await list(page)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`client-approval/${project.id}`))
  await goTo(page, href('requested', {}, { query: { step: 'requirements' } }))
  await list(page)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/specifications/)
})
