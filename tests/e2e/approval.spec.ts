import type { Page } from '@playwright/test'
import { addDays } from '../../contract/pacing.ts'
import { href } from '../../src/routing/routes.ts'
import { expect, test } from '../support/e2e.ts'
import { today } from '../support/today.ts'
import { COLOURS, faults, WCAG, wear } from './axe.ts'
import { call, cursorRow, dialog, drawn, field, goTo, keys, login, pane, press, review, selected, toast, visit } from './verbs.ts'

/*
 * The Approval tab of both generations by keyboard, from the first invitation to the signed document.
 */

type Generation = 'project' | 'campaign'
interface Made {
  id: number
  name: string
  generation: Generation
}
let serial = 0
const ORDERED = 500

/** Another browser, signed in as the demo's client user or administrator, or not at all. */
async function another(page: Page, who: 'client' | 'admin' | null): Promise<Page> {
  const baseURL = new URL((await page.request.get('/healthz')).url()).origin
  const other = await (await page.context().browser()!.newContext({ baseURL })).newPage()
  if (who) await login(other, who)
  return other
}

/** A new project of the demo client user's client, waiting for partners. */
async function made(page: Page, generation: Generation): Promise<Made> {
  const visitor = await another(page, 'client')
  const { client_id } = (await call(visitor, 'campaign.requestList', { step: 'all' })).data.campaigns[0]!
  await visitor.context().close()
  const name = `Oat drinks ${process.pid}-${++serial}`
  const days = { start_dt: today(), end_dt: addDays(today(), 30) }
  if (generation === 'project') {
    const { data } = await call(page, 'project.create', { name, client_id, goal: ORDERED, ...days })
    return { id: data.id, name, generation }
  }
  const { campaigns } = (await call(page, 'campaign.list', { sort: 'all' })).data
  const { data } = await call(page, 'project.clone', { id: campaigns.find((one) => !one.children.length)!.id })
  await call(page, 'project.edit', { id: data.project_id, name, client_id, goal: ORDERED, ...days })
  return { id: data.project_id, name, generation }
}

const tabOf = ({ id, generation }: Made, query: Record<string, string> = {}): string =>
  generation === 'campaign'
    ? href('surveyProject', { id }, { tab: 'approval', query })
    : href('project', { id }, { tab: 'approval', query })

/** Invites new partners without a mail, and returns them. */
async function invite(page: Page, { id }: Made, many: number) {
  const partners: { id: number; name: string }[] = []
  for (let at = 0; at < many; at++) {
    const name = `Panel ${process.pid}-${++serial}`
    const { data } = await call(page, 'partner.create', { name, email: `panel-${serial}@partners.test` })
    partners.push({ id: data.id, name })
  }
  await call(page, 'invitation.create', { id, partner_ids: partners.map((partner) => partner.id), mail: false })
  return partners
}

/** Opens the request as the partner would, through its link, or sends an answer. */
async function byLink(page: Page, { id }: Made, partner_id: number, path: string, given: object = {}): Promise<void> {
  const { url } = (await call(page, 'invitation.link', { id, partner_id })).data
  const partner = await another(page, null)
  const answer = await partner.request.post(path, {
    headers: { 'fieldwork-partner': new URL(url).searchParams.get('token')! },
    data: { campaign_id: id, ...given },
  })
  expect(answer.ok(), await answer.text()).toBe(true)
  await partner.context().close()
}
const yes = (page: Page, made: Made, partner_id: number, feasible_completes: number, cpi_cents: number, field_days = 10) =>
  byLink(page, made, partner_id, '/v1/proffers', {
    fill_requirements: 'Yes',
    feasible_completes,
    cpi_cents,
    field_days,
    valid_until: addDays(today(), 30),
  })

const step = (page: Page, name: string) => pane(page).getByRole('tab', { name: new RegExp(`^${name}`) })
const isOpen = (page: Page, name: string) => expect(step(page, name)).toHaveAttribute('aria-selected', 'true')
const mix = (page: Page) => pane(page).getByRole('region', { name: 'Mix' })
const quoteOf = async (page: Page, { id }: Made) => (await call(page, 'project.quote', { id })).data

test.beforeEach(({ page }) => login(page))

for (const generation of ['project', 'campaign'] as const) {
  test(`a ${generation} goes from its first invitation to its signed document by keyboard`, { tag: '@quick' }, async ({
    page,
  }) => {
    const project = await made(page, generation)
    await goTo(page, tabOf(project))
    await isOpen(page, 'Invite')
    await expect(step(page, 'Invite')).toHaveAttribute('aria-current', 'step')
    await expect(pane(page)).toContainText('Invite at least one partner')

    await test.step('partners are selected in the list and invited', async () => {
      await expect(cursorRow(page)).toBeVisible()
      await keys(page, 'x j x')
      await expect(pane(page).getByText('2 selected')).toBeVisible()
      await press(page, 'project.invitePartners')
      await page.keyboard.press('Enter')
      await review(page, 'Each gets an email')
      await expect.poll(async () => (await quoteOf(page, project)).rounds[0]!.invitations.length).toBe(2)
    })

    await test.step('the next step opens, and answers arrive in it by themselves', async () => {
      await isOpen(page, 'Responses')
      const [one, two] = (await quoteOf(page, project)).rounds[0]!.invitations
      await yes(page, project, one!.partner_id, 300, 500)
      await expect(toast(page, `${one!.name} answered yes: 300 completes at $5.00`)).toBeVisible()
      await expect(
        pane(page)
          .getByRole('grid')
          .getByRole('row', { name: new RegExp(one!.name) }),
      ).toContainText('Yes')
      await expect(mix(page)).toContainText(`200 of ${ORDERED} can’t be filled.`)
      await yes(page, project, two!.partner_id, 400, 700)
      await expect(mix(page)).not.toContainText('can’t be filled')
      await expect(mix(page)).toContainText('$2,900.00')
    })

    await test.step('the mix on screen is quoted at the usual margin', async () => {
      await press(page, 'project.takeOffers')
      await expect(selected(page)).toBeVisible()
      await page.keyboard.press('Enter')
      await page.keyboard.press('Enter')
      await review(page, 'partners $2,900')
      await isOpen(page, 'Cost')
      await expect(pane(page)).toContainText('$4,462.00')
      await expect(pane(page)).toContainText('35 %')
    })

    await test.step('it is approved on the client’s behalf, and documents are next', async () => {
      await press(page, 'project.approve')
      await page.keyboard.type('They phoned')
      await expect(field(page)).toHaveValue('They phoned')
      await drawn(page)
      await page.keyboard.press('Enter')
      await isOpen(page, 'Documents')
      await expect(step(page, 'Documents')).toHaveAttribute('aria-current', 'step')
    })
  })
}

test('what partners do appears while the tab is open, and nothing moves under the cursor', async ({ page }) => {
  const project = await made(page, 'project')
  const [first, second] = await invite(page, project, 2)
  await goTo(page, tabOf(project))
  await expect(cursorRow(page)).toContainText(first!.name)
  await page.keyboard.press('j')
  await byLink(page, project, second!.id, `/v1/campaigns_info/${project.id}/opened`)
  await expect(toast(page, `${second!.name} opened the request`)).toBeVisible()
  await expect(cursorRow(page)).toContainText('Opened')
  await byLink(page, project, first!.id, '/v1/proffers', { fill_requirements: 'No', reason: 'No such panel' })
  await expect(toast(page, `${first!.name} declined: No such panel`)).toBeVisible()
  await expect(cursorRow(page)).toContainText(second!.name)
})

test('a link opens a round, a mix and a step', async ({ page }) => {
  const project = await made(page, 'project')
  const [slow, quick] = await invite(page, project, 2)
  await yes(page, project, slow!.id, 500, 400, 20)
  await yes(page, project, quick!.id, 500, 900, 3)
  await goTo(page, tabOf(project, { mix: 'fastest', at: 'responses' }))
  await expect(mix(page).getByRole('radio', { name: 'Fastest' })).toBeChecked()

  await call(page, 'project.setCost', { id: project.id, cost_cents: 500_000 })
  await call(page, 'project.notifyCostNow', { id: project.id })
  await call(page, 'project.reject', { project_id: project.id, status: 'OnQuote', reason: 'Too dear for them' })
  await goTo(page, tabOf(project, { round: '1', at: 'responses' }))
  await expect(pane(page)).toContainText('Round 1 is closed and can’t be changed. The quote was rejected: Too dear for them')
  await expect(pane(page).getByRole('row', { name: new RegExp(slow!.name) })).toContainText('$4.00')
  await expect(mix(page)).toHaveCount(0)
  await pane(page).getByRole('tab', { name: 'Round 2' }).press('Enter')
  await isOpen(page, 'Responses')
})

test('a partner’s answer is found in the palette under its project', async ({ page }) => {
  const project = await made(page, 'campaign')
  const [partner] = await invite(page, project, 1)
  await yes(page, project, partner!.id, 250, 600)
  await goTo(page, tabOf(project, { at: 'invite' }))
  await keys(page, 'Mod+k')
  await page.keyboard.type('partner’s answer')
  await expect(selected(page)).toContainText('Open a partner’s answer')
  await page.keyboard.press('Enter')
  await expect(selected(page)).toContainText('Yes, 250 completes at $6.00')
  await drawn(page)
  await page.keyboard.press('Enter')
  await expect(await dialog(page, partner!.name)).toContainText('$1,500.00')
})

test('Delete removes a signed document, but not the last one', async ({ page }) => {
  const project = await made(page, 'project')
  await invite(page, project, 1)
  await call(page, 'project.setCost', { id: project.id, cost_cents: 100_000 })
  await call(page, 'project.approve', { project_id: project.id, reason: 'They phoned' })
  for (const name of ['first.pdf', 'second.pdf']) {
    const file = { name, mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF\n') }
    const answer = await page.request.post('/v3/portal/documents', {
      headers: { 'x-fieldwork': 'workspace' },
      multipart: { project_id: String(project.id), kind: 'docsign', file },
    })
    expect(answer.ok(), await answer.text()).toBe(true)
  }
  await goTo(page, tabOf(project))
  await isOpen(page, 'Documents')
  await expect(cursorRow(page)).toContainText('first.pdf')
  await page.keyboard.press('Delete')
  await review(page, 'The last one stays.')
  await expect(cursorRow(page)).toContainText('second.pdf')
  await expect(pane(page).getByRole('row', { name: /first.pdf/ })).toHaveCount(0)
  await page.keyboard.press('Delete')
  await expect(toast(page, 'The last signed document cannot be removed.')).toBeVisible()
})

/** Words that a client must never see: partners, their prices, our margin. */
const FORBIDDEN = /invit|proffer|margin|\bmix\b|target_cost|cpi|partner_cost|share/i

test('a client follows the request, and nothing of partners, prices or margin is in the page or its responses', async ({
  page,
}) => {
  const project = await made(page, 'campaign')
  const [partner] = await invite(page, project, 1)
  await yes(page, project, partner!.id, ORDERED, 61_237)
  const visitor = await another(page, 'client')
  const bodies: { url: string; body: Promise<string> }[] = []
  visitor.on('response', (answer) => {
    if (/\/(v1|v3)\//.test(answer.url()) && !/live/.test(answer.url()))
      bodies.push({ url: answer.url(), body: answer.text().catch(() => '') })
  })
  await goTo(visitor, tabOf(project))
  await expect(pane(visitor)).toContainText(/Pricing is under way since \w+ \d+, \d{4}\./)
  await expect(pane(visitor).locator('[aria-current=step]')).toHaveText('Pricing')
  await expect(pane(visitor).locator('[data-command="project.ask"]')).not.toHaveAttribute('aria-disabled')

  await test.step('a target cost stays internal', async () => {
    await call(page, 'project.setCost', { id: project.id, cost_cents: 7_654_321, hold: true })
    await expect(pane(visitor)).not.toContainText('76,543')
  })
  const [offer] = (await quoteOf(page, project)).rounds[0]!.invitations.flatMap(({ answer }) => answer ?? [])
  await call(page, 'project.setCost', {
    id: project.id,
    cost_cents: 40_000_000,
    valid_until: addDays(today(), 9),
    shares: [{ proffer_id: offer!.id, completes: ORDERED }],
  })
  await call(page, 'project.notifyCostNow', { id: project.id })
  await expect(pane(visitor)).toContainText('$400,000.00')
  await expect(pane(visitor)).toContainText(`${ORDERED} completes at $800.00`)
  await expect(pane(visitor)).toContainText(/[89] days left/)
  await expect(pane(visitor).locator('[aria-current=step]')).toHaveText('Your approval')
  await expect.poll(async () => (await quoteOf(page, project)).rounds[0]!.quotes[0]!.opened_by).not.toBeNull()

  await test.step('nothing forbidden is on the page or in its responses', async () => {
    const words = [partner!.name, '61237', '612.37', '7654321', '76,543']
    const text = (await pane(visitor).textContent()) ?? ''
    expect([...words, 'Invite', 'Margin', 'Mix'].filter((word) => text.includes(word))).toEqual([])
    for (const { url, body } of bodies) {
      const read = await body
      expect(
        words.filter((word) => read.includes(word)),
        url,
      ).toEqual([])
      if (/campaigns|projects/.test(url))
        expect(
          keysIn(read).filter((key) => FORBIDDEN.test(key)),
          url,
        ).toEqual([])
    }
    expect(await faults(visitor, WCAG)).toEqual([])
  })

  await test.step('approving leads to the quote, and the decision is shown here with name and date', async () => {
    await pane(visitor).getByRole('link', { name: 'Open the quote to approve it' }).press('Enter')
    await expect(visitor).toHaveURL(new RegExp(`client-approval/${project.id}`))
    const { quote_id, lock_version } = (await call(visitor, 'campaign.authorization', { id: project.id })).data
    await call(visitor, 'project.approve', { project_id: project.id, quote_id: quote_id!, lock_version: lock_version! })
    await goTo(visitor, tabOf(project))
    await expect(pane(visitor)).toContainText(/Approved by .+ on /)
    await expect(pane(visitor)).toContainText('Signed documents')
  })
  await visitor.context().close()
})

/** Every key in a JSON text at any depth; none in other text. */
function keysIn(text: string): string[] {
  const walk = (value: unknown): string[] =>
    Array.isArray(value)
      ? value.flatMap(walk)
      : value && typeof value === 'object'
        ? Object.entries(value).flatMap(([key, inner]) => [key, ...walk(inner)])
        : []
  try {
    return walk(JSON.parse(text))
  } catch {
    return []
  }
}

test('each step is accessible in both themes', async ({ page }) => {
  const project = await made(page, 'project')
  const partners = await invite(page, project, 3)
  await yes(page, project, partners[0]!.id, 300, 500)
  for (const [nth, at] of ['invite', 'responses', 'cost', 'documents'].entries()) {
    await (nth ? visit : goTo)(page, tabOf(project, { at }))
    // Each opens in the theme that the previous one ended in: all but colors is the same in both.
    const [first, second] = nth % 2 ? (['dark', 'light'] as const) : (['light', 'dark'] as const)
    await wear(page, first)
    expect(await faults(page, WCAG), `${at}, ${first}`).toEqual([])
    await wear(page, second)
    expect(await faults(page, COLOURS), `${at}, ${second}`).toEqual([])
  }
})
