import type { Page } from '@playwright/test'
import { addDays } from '../../contract/pacing.ts'
import { PARTNER_HEADER } from '../../contract/pages.ts'
import { expect, test } from '../support/e2e.ts'
import { today } from '../support/today.ts'
import { call, drawn, field, keys, login, open, palette, pane, press, run, seen, selected, toast } from './verbs.ts'

/*
 * The administrator's whole path of a quote by keyboard, with mails over a real SMTP server.
 * Partners answer by the API, with the links in their mails.
 */

test.use({ viaSmtp: true })
test.beforeEach(({ page }) => login(page))

/** The most keys an administrator needs from the sent request to live (screens-quote-flow.md, Keys). */
const MOST_KEYS = 18

/** Waits until a review can have been seen. */
async function reviewed(page: Page, says: string | RegExp): Promise<void> {
  await expect(palette(page)).toContainText(says)
  await expect(field(page)).toBeFocused()
  await expect(palette(page).locator('[data-reading]')).toHaveCount(0)
  await drawn(page)
}
/** Presses Enter once the review can have been seen. */
async function confirm(page: Page, says: string | RegExp): Promise<void> {
  await reviewed(page, says)
  await keys(page, 'Enter')
}

let serial = 0

/** A request that a client has just sent. */
async function request(page: Page, goal = 900) {
  const { campaigns } = (await call(page, 'campaign.requestList', { step: 'all' })).data
  const { client_id } = campaigns.find(({ step }) => step === 'approval')!
  const { data } = await call(page, 'project.create', {
    name: `Requested wave ${Date.now()} ${++serial}`,
    client_id,
    goal,
    start_dt: today(),
    end_dt: addDays(today(), 20),
    survey_url: 'https://survey.test/oats',
  })
  return data
}

async function at(page: Page, project: { id: number; name: string }): Promise<void> {
  await open(page, 'project', { id: project.id }, { tab: 'specifications' })
  await expect(pane(page).getByRole('heading', { level: 1, name: project.name })).toBeVisible()
}

type Mailbox = {
  waitFor(
    fits: (mail: { envelope: { to: string[] }; text?: string | undefined }) => boolean,
    timeout?: number,
  ): Promise<{ text?: string | undefined; envelope: { to: string[] } }>
}

/** The tokens of a project's links that partners were mailed, in the order of the mails. */
async function tokens(mailbox: Mailbox, project_id: number, many: number): Promise<string[]> {
  const found: string[] = []
  const tokenIn = (text = '') => new RegExp(`/feasibility/${project_id}/\\d+\\?token=([\\w.~-]+)`).exec(text)?.[1]
  while (found.length < many) {
    const mail = await mailbox.waitFor(({ text }) => Boolean(tokenIn(text)) && !found.includes(tokenIn(text)!), 20_000)
    found.push(tokenIn(mail.text)!)
  }
  return found
}

/** Sends an answer as the partner behind a link. */
async function answers(page: Page, token: string, campaign_id: number, given: Record<string, unknown>): Promise<void> {
  // Without the administrator's cookies, as from the partner's own machine.
  const answer = await fetch(new URL('/v1/proffers', page.url()), {
    method: 'POST',
    headers: { 'content-type': 'application/json', [PARTNER_HEADER]: token },
    body: JSON.stringify({ campaign_id, fill_requirements: 'Yes', valid_until: addDays(today(), 30), ...given }),
  })
  expect(answer.status, await answer.text()).toBe(200)
}

const can = (page: Page, id: string) => expect(pane(page).locator(`header [data-command="${id}"]`)).toBeVisible()

test('an administrator takes a sent request live with 18 keys', async ({ page, mailbox }) => {
  test.setTimeout(90_000)
  const project = await request(page)
  let pressed = 0
  const key = async (sequence: string) => {
    pressed += sequence.split(' ').length
    await keys(page, sequence)
  }
  const confirms = async (says: string | RegExp) => {
    await reviewed(page, says)
    await key('Enter')
  }
  await at(page, project)

  await test.step('three partners are invited', async () => {
    await key('a p')
    await expect(field(page)).toHaveAttribute('aria-label', 'Partners')
    await expect(selected(page)).toHaveCount(1)
    for (let many = 1; many <= 3; many++) {
      await key('Space')
      await expect(palette(page)).toContainText(`Continue with ${many}`)
    }
    await key('Enter')
    await confirms('Invite 3 partners')
    await expect(toast(page, '3 partners invited')).toBeVisible()
  })

  await test.step('they answer by the links in their mails', async () => {
    const [cheap, quick, dear] = await tokens(mailbox, project.id, 3)
    await answers(page, cheap!, project.id, { feasible_completes: 500, cpi_cents: 200, field_days: 10 })
    await answers(page, quick!, project.id, { feasible_completes: 600, cpi_cents: 250, field_days: 5 })
    await answers(page, dear!, project.id, { feasible_completes: 900, cpi_cents: 400, field_days: 3 })
  })

  await test.step('the cheapest mix is quoted at the usual margin', async () => {
    await can(page, 'project.takeOffers')
    await key('a o')
    // 500 at $2.00 and 400 at $2.50 cost $2,000; at 35 % margin that is $3,077.
    await expect(field(page)).toHaveAttribute('aria-label', 'Cost')
    await expect(field(page)).toHaveValue('3077')
    await key('Enter')
    await expect(field(page)).toHaveAttribute('aria-label', 'Valid until')
    await key('Enter')
    await confirms('Quote $3,077 for 900 completes: partners $2,000, margin $1,077 (35 %). The client gets it by email.')
    await expect(palette(page)).toBeHidden()
    await can(page, 'project.approve')
    const { data } = await call(page, 'project.quote', { id: project.id })
    expect(data.rounds[0]!.quotes[0]!.shares.map(({ completes }) => completes).sort()).toEqual([400, 500])
    await mailbox.waitFor(({ text }) => /client-approval/.test(text ?? '') && /\$3,077/.test(text ?? ''), 20_000)
  })

  await test.step('it is approved on behalf of the client', async () => {
    await key('a q')
    await expect(field(page)).toHaveAttribute('aria-label', 'Note')
    await expect(palette(page)).toContainText(`Approve “${project.name}” for $3,077?`)
    await page.keyboard.type('They said yes by phone')
    // An Enter before the field shows it confirms nothing.
    await expect(field(page)).toHaveValue('They said yes by phone')
    await drawn(page)
    await key('Enter')
    await can(page, 'project.goLive')
  })

  await test.step('and goes live', async () => {
    await key('g l')
    await confirms('Launch')
    await expect(pane(page).locator('header')).toContainText('Active', { timeout: 20_000 })
    expect((await call(page, 'project.get', { id: project.id })).data.stored_status).toBe('active')
  })
  expect(pressed).toBeLessThanOrEqual(MOST_KEYS)

  await test.step('each step is in the history, with what it changed', async () => {
    const { data } = await call(page, 'project.history', { id: project.id, per_page: 50 })
    const lines = data.map(({ action, before, after, reason }) => ({ action, before, after, reason }))
    const line = (action: string, field: string) => lines.find((one) => one.action === action && field in one.after)
    expect(line('invitation.create', 'status')).toMatchObject({
      before: { status: 'requirements' },
      after: { status: 'pricing' },
    })
    expect(lines.filter(({ action, after }) => action === 'invitation.create' && 'mailed' in after)).toHaveLength(3)
    expect(line('project.setCost', 'status')).toMatchObject({
      before: { status: 'pricing', cost_cents: null },
      after: { status: 'submit_approval', cost_cents: 307_700 },
    })
    expect(line('project.setCost', 'partner_shares')?.after.partner_shares).toMatch(
      / 400 at \$2\.50.* 500 at \$2\.00|500 at \$2\.00.* 400 at \$2\.50/,
    )
    expect(line('project.approve', 'status')).toMatchObject({ reason: 'They said yes by phone' })
  })
})

test('an invitation undone before its mail leaves mails nobody', async ({ page, mailbox }) => {
  const project = await request(page)
  await at(page, project)
  await keys(page, 'a p')
  await expect(selected(page)).toHaveCount(1)
  await keys(page, 'Space')
  await expect(palette(page)).toContainText('Continue with 1')
  await keys(page, 'Enter')
  await confirm(page, 'Invite this partner')
  await expect(toast(page, '1 partner invited')).toBeVisible()
  await press(page, 'command.undo')
  await expect(toast(page, /^Undone: Invite partners/)).toBeVisible()
  const { data } = await call(page, 'project.quote', { id: project.id })
  expect([data.status, data.rounds[0]!.invitations]).toEqual(['requirements', []])
  const { data: mails } = await call(page, 'outbox.list', {})
  expect(mails.filter(({ about, status }) => about === `project:${project.id}` && status !== 'withdrawn')).toEqual([])
  expect(mailbox.mails.filter(({ text }) => text?.includes(`/feasibility/${project.id}/`))).toEqual([])
})

test('a silent partner is reminded once a day, and a second try says when it is possible again', async ({ page, mailbox }) => {
  const project = await request(page)
  const { data: partner } = await call(page, 'partner.create', {
    name: `Silent ${project.id}`,
    email: `silent-${project.id}@partners.test`,
  })
  await call(page, 'invitation.create', { id: project.id, partner_ids: [partner.id], delay_seconds: 0 })
  await at(page, project)
  await keys(page, 'm r')
  await confirm(page, `Remind ${partner.name}`)
  await expect(toast(page, '1 partner reminded')).toBeVisible()
  await mailbox.waitFor(({ envelope, subject }) => envelope.to.includes(partner.email) && /remind/i.test(subject ?? ''), 20_000)
  await seen(page)
  await keys(page, 'm r')
  await expect(toast(page, /“Remind partners” can’t run now: .*[Rr]eminded today, next from/)).toBeVisible()
})

test('the page of a partner is previewed, and a document is signed once the quote is approved', async ({ page }) => {
  const project = await request(page)
  const { data: partner } = await call(page, 'partner.create', { name: `Preview ${project.id}`, email: '' })
  await call(page, 'invitation.create', { id: project.id, partner_ids: [partner.id], mail: false })
  await at(page, project)
  const [preview] = await Promise.all([page.context().waitForEvent('page'), run(page, 'invitation.preview', partner.name)])
  await expect(preview.getByText(`You see what ${partner.name} sees`)).toBeVisible()
  await preview.close()

  await expect(pane(page).locator('header [data-command="docsign.add"]')).toHaveCount(0)
  await call(page, 'project.setCost', { id: project.id, cost_cents: 100_000 })
  await call(page, 'project.approve', { project_id: project.id, reason: 'By phone' })
  await can(page, 'docsign.add')
  const chooser = page.waitForEvent('filechooser')
  await keys(page, 'c d')
  await expect(selected(page)).toContainText('Choose files')
  await keys(page, 'Enter')
  await (await chooser).setFiles({ name: 'order.txt', mimeType: 'text/plain', buffer: Buffer.from('Signed by both') })
  await expect(toast(page, 'The file was added.')).toBeVisible()
  const { data } = await call(page, 'project.quote', { id: project.id })
  expect(data.documents.map(({ name }) => name)).toEqual(['order.txt'])
})
