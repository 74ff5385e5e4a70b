import type { Page } from '@playwright/test'
import type { Insertable } from 'kysely'
import type { Schema } from '../../server/db/schema.ts'
import { cursorRow, dialog, drawn, field, keys, open, palette, pane, press, review, selected } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'
import type { Portal } from '../support/portal.ts'

const PROJECT = 530
const LONG_AGO = '2026-01-05T09:00:00.000Z'
interface Asked {
  partner_id: number
  round?: number
  mailed_at?: string
  opened_at?: string
  answer?: Partial<Insertable<Schema['proffers']>>
}
const offer = (feasible_completes: number, cpi_cents: number, field_days: number): Asked['answer'] => ({
  ...{ feasible_completes, cpi_cents, field_days },
})
const decline = (reason: string): Asked['answer'] => ({ fill_requirements: 'No', reason })
const THREE: readonly Asked[] = [
  { partner_id: 201, answer: offer(120, 500, 12) },
  { partner_id: 202, answer: offer(90, 700, 4) },
  { partner_id: 203, answer: offer(200, 900, 6) },
  { partner_id: 204, mailed_at: LONG_AGO },
]

/** Opens the Approval tab of a project on quote with partners' answers; 200 completes are ordered. */
async function responses(page: Page, api: Portal, asked: readonly Asked[] = THREE, query = {}): Promise<void> {
  await api.change(async (tx) => {
    const quote_round = Math.max(1, ...asked.map(({ round = 1 }) => round))
    await tx.updateTable('projects').set({ status: 'pricing', cost_cents: null, quote_round }).where('id', '=', PROJECT).execute()
    for (const table of ['proffers', 'project_partners'] as const)
      await tx.deleteFrom(table).where('project_id', '=', PROJECT).execute()
  })
  for (const { partner_id, round = 1, mailed_at = null, opened_at = null, answer } of asked) {
    await api.change((tx) =>
      tx
        .insertInto('project_partners')
        .values({ project_id: PROJECT, partner_id, round, assigned_at: LONG_AGO, mailed_at, opened_at })
        .execute(),
    )
    if (answer) await api.make.proffer({ project_id: PROJECT, partner_id, round, state: 'sent', sent_at: LONG_AGO, ...answer })
  }
  await open(page, 'project', { id: PROJECT }, { tab: 'approval', query })
}
const step = (page: Page, name: string) => pane(page).getByRole('tab', { name: new RegExp(`^${name}`) })
const cell = (page: Page, partner: string, column: number) =>
  pane(page)
    .getByRole('row', { name: new RegExp(partner) })
    .locator(`[aria-colindex="${column}"]`)
const completesOf = (page: Page, partner: string) => pane(page).getByRole('spinbutton', { name: `Completes of ${partner}` })
const mix = (page: Page) => pane(page).getByRole('region', { name: 'Mix' })

test('the step of the current status is open and marked, and arrows open the others', async ({ page, api }) => {
  await responses(page, api)
  await expect(step(page, 'Responses')).toHaveAttribute('aria-selected', 'true')
  await expect(step(page, 'Responses')).toHaveAttribute('aria-current', 'step')
  await step(page, 'Responses').focus()
  await page.keyboard.press('ArrowRight')
  await expect(step(page, 'Cost')).toBeFocused()
  await expect(page).toHaveURL(/at=cost/)
  await expect(pane(page)).toContainText('No cost yet')
  await page.keyboard.press('ArrowRight')
  await expect(pane(page)).toContainText('Documents are signed once the quote')
  await page.keyboard.press('Home')
  await expect(pane(page).getByRole('grid', { name: 'Partners' })).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(page).not.toHaveURL(/at=/)
})

test('the best value of each column has a readable mark', async ({ page, api }) => {
  await responses(page, api)
  await expect(cell(page, 'Reach Research', 4)).toContainText('best: 200')
  await expect(cell(page, 'Panel North', 5)).toContainText('best: $5.00')
  await expect(cell(page, 'Quick Answers', 9)).toContainText('best: 4')
  await expect(pane(page).getByText('best:')).toHaveCount(3)
})

test('arrows choose a mix, which the link keeps', async ({ page, api }) => {
  await responses(page, api)
  await expect(mix(page).getByRole('radio', { name: 'Cheapest that fills the order' })).toBeChecked()
  await expect(completesOf(page, 'Panel North')).toHaveValue('120')
  await expect(completesOf(page, 'Quick Answers')).toHaveValue('80')
  await mix(page).getByRole('radio', { name: 'Cheapest that fills the order' }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(mix(page).getByRole('radio', { name: 'Fastest' })).toBeChecked()
  await expect(page).toHaveURL(/mix=fastest/)
  await page.keyboard.press('ArrowDown')
  await expect(completesOf(page, 'Reach Research')).toHaveValue('200')
  await expect(mix(page)).toContainText('$1,800.00')
})

test('completes are typed or stepped, and those that can’t be filled are reported', async ({ page, api }) => {
  await responses(page, api)
  await completesOf(page, 'Quick Answers').focus()
  await page.keyboard.type('20')
  await page.keyboard.press('Enter')
  await expect(mix(page)).toContainText('60 of 200 can’t be filled.')
  await expect(mix(page)).toContainText('140 of 200')
  await expect(mix(page).getByRole('radio', { name: 'Your own' })).toBeChecked()
  await page.keyboard.press('ArrowUp')
  await expect(completesOf(page, 'Quick Answers')).toHaveValue('21')
  await page.keyboard.type('500')
  await page.keyboard.press('Enter')
  await expect(completesOf(page, 'Quick Answers'), 'at most what it offered').toHaveValue('90')
  await expect(mix(page)).toContainText('10 more than ordered.')
})

test('taking offers starts from the edited mix', { tag: '@quick' }, async ({ page, api }) => {
  await responses(page, api)
  await completesOf(page, 'Quick Answers').focus()
  await page.keyboard.type('60')
  await page.keyboard.press('Enter')
  await mix(page).locator('[data-command="project.takeOffers"]').press('Enter')
  await expect((await dialog(page)).getByRole('radio', { name: 'As edited' })).toBeChecked()
})

test('its key takes the displayed mix from any row, or only the selected rows if there are any', { tag: '@quick' }, async ({
  page,
  api,
}) => {
  await responses(page, api)
  await page.keyboard.press('Shift+G')
  await expect(cursorRow(page)).toContainText('Sample South')
  await press(page, 'project.takeOffers')
  await expect(palette(page)).toContainText('Cost')
  await expect(field(page)).toHaveValue('1785')
  await keys(page, 'Escape Escape')
  await expect(palette(page)).toHaveCount(0)
  await keys(page, 'k x')
  await expect(pane(page).getByText('1 selected')).toBeVisible()
  await press(page, 'project.takeOffers')
  await expect(field(page)).toHaveValue('2770')
})

test('selected partners are the ones invited', async ({ page, api }) => {
  await responses(page, api, [], { at: 'invite' })
  await keys(page, 'x j j x')
  await expect(pane(page).getByText('2 selected')).toBeVisible()
  await press(page, 'project.invitePartners')
  await expect(palette(page)).toContainText('Continue with 2')
  await drawn(page)
  await page.keyboard.press('Enter')
  await review(page, 'Each gets an email')
  await expect
    .poll(() =>
      api.writes.flatMap(({ id, input }) => (id === 'invitation.create' ? (input as { partner_ids: number[] }).partner_ids : [])),
    )
    .toEqual([201, 203])
})

test('Enter opens an invitation in full, and Escape goes back to its row', async ({ page, api }) => {
  await responses(page, api)
  await expect(cursorRow(page)).toContainText('Panel North')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const opened = await dialog(page, 'Quick Answers')
  await expect(opened).toContainText('$7.00')
  await expect(opened.locator('[data-answer=ok]')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('j')
  await expect(cursorRow(page)).toContainText('Reach Research')
})

test('a row’s keys act on its partner, and selected rows offer commands', async ({ page, api }) => {
  await responses(page, api)
  await page.keyboard.press('Shift+G')
  await drawn(page)
  await expect(cursorRow(page)).toContainText('Sample South')
  await press(page, 'project.remind')
  await expect(palette(page)).toContainText('Remind Sample South')
  await page.keyboard.press('Escape')
  await page.keyboard.press('x')
  await expect(pane(page).getByText('1 selected')).toBeVisible()
  await expect(pane(page).locator('[data-command="project.remind"]').first()).toBeVisible()
})

test('every column fits on a common screen', async ({ page, api }) => {
  await responses(page, api)
  const grid = pane(page).getByRole('grid', { name: 'Responses' })
  for (const name of [
    'Partner',
    'State',
    'Completes',
    'CPI',
    'Total',
    'Incidence',
    'Length',
    'Field days',
    'Valid until',
    'Answered',
    'Rounds',
  ])
    await expect(grid.getByRole('columnheader', { name, exact: true })).toBeVisible()
})

test('columns sort by what they show', async ({ page, api }) => {
  await responses(page, api)
  const first = pane(page).locator('[role=row][aria-rowindex="2"]')
  await pane(page).getByRole('button', { name: 'CPI', exact: true }).click()
  await expect(first).toContainText('Reach Research')
  await expect(page).toHaveURL(/sort=-cpi/)
})

test('an older round is read-only and says why it ended', async ({ page, api }) => {
  const first = THREE.map((one) => ({ ...one, round: 1 }))
  const second = THREE.map((one) => ({ ...one, round: 2 }))
  await api.make.quote({
    project_id: PROJECT,
    round: 1,
    cost_cents: 200_000,
    ordered: 200,
    state: 'rejected',
    reason: 'Too dear',
  })
  await responses(page, api, [...first, ...second], { round: 1 })
  await expect(pane(page).getByRole('tab', { name: /^Round 1/ })).toHaveAttribute('aria-selected', 'true')
  await expect(pane(page)).toContainText('Round 1 is closed and can’t be changed. The quote was rejected: Too dear')
  await expect(mix(page)).toHaveCount(0)
  await pane(page).getByRole('tab', { name: 'Round 2' }).press('Enter')
  await expect(mix(page)).toBeVisible()
  await expect(page).not.toHaveURL(/round=/)
})

test('if all declined, their reasons are listed together', async ({ page, api }) => {
  await responses(page, api, [
    { partner_id: 201, answer: decline('No mothers in our panel') },
    { partner_id: 202, answer: decline('Too short a field time') },
  ])
  const reasons = pane(page).getByRole('region', { name: 'Reasons' })
  await expect(reasons).toContainText('No mothers in our panel')
  await expect(reasons).toContainText('Too short a field time')
})

test('if some declined, the others are still awaited', async ({ page, api }) => {
  await responses(page, api, [
    { partner_id: 201, answer: decline('No mothers in our panel') },
    { partner_id: 202, opened_at: LONG_AGO },
  ])
  await expect(pane(page).getByRole('region', { name: 'Reasons' })).toContainText('1 of 2 partners declined')
  await expect(pane(page)).not.toContainText('No answers yet')
})

test('before the first answer it says who opened the request; afterwards, whose offer has ended', async ({ page, api }) => {
  await responses(page, api, [
    { partner_id: 201, opened_at: LONG_AGO },
    { partner_id: 202, mailed_at: LONG_AGO },
  ])
  await expect(pane(page)).toContainText('No answers yet. Opened by Panel North')
  await responses(page, api, [{ partner_id: 201, answer: { ...offer(90, 500, 3)!, valid_until: '2026-01-10' } }])
  await expect(pane(page)).toContainText('Panel North’s offer ended on 2026-01-10')
})

test('the partners to invite are searched by keyboard', async ({ page, api }) => {
  await responses(page, api, [], { at: 'invite' })
  await expect(cursorRow(page)).toContainText('Panel North')
  await keys(page, '/')
  await page.keyboard.type('tally')
  await page.keyboard.press('Enter')
  await expect(cursorRow(page)).toContainText('Tally Insights')
  await expect(pane(page).getByRole('row', { name: /Panel North/ })).toHaveCount(0)
})

test('a quote that fails to load says so and can be retried', { tag: '@quick' }, async ({ page, api }) => {
  const path = '**/v3/portal/projects/*/quote'
  await page.route(path, (route) =>
    route.fulfill({ status: 500, json: { message: 'The shelves fell over.', code: 'fault', fields: {}, request_id: 'r-17' } }),
  )
  await responses(page, api)
  const alert = pane(page).getByRole('alert')
  await expect(alert).toContainText('The quote flow couldn’t be loaded')
  await expect(alert).toContainText('The shelves fell over.')
  await page.unroute(path)
  await alert.getByRole('button', { name: 'Try again' }).press('Enter')
  await expect(mix(page)).toBeVisible()

  await test.step('loaded data stays while a refresh fails', async () => {
    await page.keyboard.press('Shift+G')
    await press(page, 'project.remind')
    await expect(selected(page)).toHaveAttribute('data-row', 'go')
    await drawn(page)
    await page.route(path, (route) => route.abort())
    await page.keyboard.press('Enter')
    await expect(pane(page).getByRole('alert')).toContainText('The newest state couldn’t be loaded')
    await expect(mix(page)).toBeVisible()
  })
})

test('a partner without an email address is marked, and an approved project offers no mix', async ({ page, api }) => {
  await api.set('partners', 202, { email: '' })
  await responses(page, api, [], { at: 'invite' })
  await expect(pane(page).getByRole('row', { name: /Quick Answers/ })).toContainText('no email')
  await responses(page, api, THREE)
  await api.set('projects', PROJECT, { status: 'approved' })
  await open(page, 'project', { id: PROJECT }, { tab: 'approval', query: { at: 'responses' } })
  await expect(pane(page).getByRole('row', { name: /Panel North/ })).toContainText('$5.00')
  await expect(mix(page)).toHaveCount(0)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })
  test('nothing is wider than the screen', async ({ page, api }) => {
    for (const at of ['invite', 'responses', 'cost', 'documents']) {
      await responses(page, api, THREE, { at })
      const wide = await pane(page)
        .locator('[data-pane-scroller]')
        .evaluate((box) => box.scrollWidth - box.clientWidth)
      expect(wide, at).toBe(0)
    }
  })
})
