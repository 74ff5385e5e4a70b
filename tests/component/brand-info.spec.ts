import { MESSAGES } from '../../contract/messages.ts'
import { addDays } from '../../contract/pacing.ts'
import { columns, dialog, drawn, field, keys, open, palette, pane, press, review, run, seen, toast } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'
import { today } from '../support/today.ts'

// The visits of a brand: the link, filters, messages, and reading figures by keys.

const refusal = (status: number, message: string) => ({ status, body: { message, code: 'failed', fields: {} } })
const ALDER = { id: 1, filter: 'none' }
const figure = (page: Parameters<typeof pane>[0], name: string) =>
  pane(page).getByRole('group', { name: 'Figures' }).getByText(name, { exact: true }).locator('xpath=..')
const graph = (page: Parameters<typeof pane>[0]) => pane(page).getByRole('slider', { name: 'Visits by day' })

test('a custom period without an end has five days; one that ends before it starts says so and requests nothing', async ({
  page,
}) => {
  await open(page, 'brand', ALDER, { query: { date: 'custom', start: '2026-05-01' } })
  await expect(pane(page)).toContainText('Custom, 5 days')
  await expect(pane(page)).toContainText('May 1 to May 5, 2026')
  await open(page, 'brand', ALDER, { query: { date: 'custom', start: '2026-05-09', end: '2026-05-01' } })
  await expect(pane(page).getByRole('alert')).toHaveText(MESSAGES.startBeforeEnd)
  await expect(pane(page)).toContainText('Change the dates to see figures.')
  await expect(pane(page).getByRole('group', { name: 'Figures' })).toHaveCount(0)
})

test('the graph is drawn in a browser whose language is malformed, too', async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'language', { value: 'en-US@posix', configurable: true }))
  await open(page, 'brand', ALDER)
  await expect(graph(page).locator('canvas')).toBeVisible()
})

test('arrows in the graph announce a day and its change, and Enter shows that day', async ({ page }) => {
  await open(page, 'brand', ALDER)
  await graph(page).focus()
  await keys(page, 'ArrowLeft')
  await expect(graph(page)).toHaveAttribute('aria-valuetext', /visits, .*; .* unique devices, .*the day before/)
  await keys(page, 'Enter')
  const day = addDays(today(), -1)
  await expect(page).toHaveURL(new RegExp(`date=custom&start=${day}&end=${day}`))
})

test('no visits, a timeout and an error each show in their own widget, with Retry; the period can be widened', {
  tag: '@quick',
}, async ({ page, api }) => {
  api.refusals.set('visit.locations', refusal(504, 'late'))
  await open(page, 'brand', ALDER, { query: { date: 'custom', start: '2020-05-01', end: '2020-05-02' } })
  await expect(pane(page).getByRole('status').filter({ hasText: MESSAGES.visitsNone })).toHaveCount(3)
  await expect(pane(page).getByRole('alert')).toContainText(MESSAGES.visitsTimedOut)
  await pane(page).getByRole('button', { name: 'Widen the period' }).first().click()
  await expect(page).toHaveURL(/start=2020-04-2/)
  api.refusals.set('visit.dailyGraph', refusal(500, 'broken'))
  await open(page, 'brand', ALDER, { query: { date: 'week' } })
  await expect(pane(page).getByRole('region', { name: 'Visits by day' })).toContainText(MESSAGES.visitsFailed)
  await expect(figure(page, 'Visits')).toContainText(/\d/)
})

test('market areas are in three columns, of 70 for all 210', async ({ page }) => {
  await open(page, 'brand', ALDER)
  await pane(page)
    .getByRole('button', { name: /^Markets/ })
    .press('Enter')
  const box = await dialog(page, 'Market areas')
  await expect(box.getByRole('listbox', { name: 'Market areas' })).toHaveAttribute('style', /columns: repeat\(3, /)
})

test('arrows move in the list of markets: Space includes one, Enter shows only it, and its venues open', async ({ page }) => {
  await open(page, 'brand', ALDER)
  const list = pane(page).getByRole('treegrid', { name: 'Market areas' })
  await expect(list).toContainText('Los Angeles')
  await list.focus()
  await keys(page, 'ArrowRight')
  await expect(list.getByRole('row', { name: /^Los Angeles 1/ }).first()).toBeVisible()
  await keys(page, 'Home Space')
  await expect(pane(page)).toContainText('Markets Los Angeles')
  await keys(page, 'Space')
  await expect(pane(page)).toContainText('Markets All DMAs')
})

test('a comparison link opens the other brand beside, with differences from the first', async ({ page }) => {
  await open(page, 'brand', ALDER, { query: { date: 'week', compare: '7' } })
  await expect(columns(page)).toHaveCount(2)
  await expect(columns(page).nth(1)).toContainText('Birch Cinemas')
  await expect(columns(page).nth(1)).toContainText('Last 7 days')
  await expect(columns(page).nth(1).locator('[data-difference="visits"]')).toBeVisible()
})

test('an export asks for the format and, from administrators, for venue data', async ({ page }) => {
  await open(page, 'brand', ALDER)
  await expect(figure(page, 'Visits')).toContainText(/\d/)
  const asked = page.waitForRequest(/counts\?.*process=export/)
  await press(page, 'visit.export', 'brand')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('excel')
  await keys(page, 'Enter')
  await expect(palette(page)).toContainText('Include venue data')
  await page.keyboard.type('include')
  await keys(page, 'Enter')
  expect((await asked).url()).toMatch(/format=xlsx.*include_venue=1/)
})

test('new visits raise the figures every five seconds at most, and not while a day is being read in the graph', {
  tag: '@quick',
}, async ({ page, api }) => {
  await page.clock.install()
  await open(page, 'brand', ALDER)
  const visits = figure(page, 'Visits')
  await expect(visits).toContainText(/\d/)
  const before = (await visits.textContent())!
  await expect.poll(() => api.isHeard).toBe(true)
  /** Adds visits, and waits until the page has read what isn't held back. */
  const more = async (count: number) => {
    const read = page.waitForResponse(/brands\/1/)
    const at = new Date(Date.now() - 3_600_000).toISOString()
    const rows = Array.from({ length: count }, (_, nth) => ({ device: `more ${count} ${nth}`, venue: 'A1', at }))
    await api.call('visit.ingest', { service_id: 12, rows })
    await read
  }
  await more(100)
  await expect(visits).not.toHaveText(before)
  const first = (await visits.textContent())!
  await more(200)
  await expect(visits).toHaveText(first)
  await page.clock.fastForward(5000)
  await expect(visits).not.toHaveText(first)
  const second = (await visits.textContent())!
  await graph(page).focus()
  await keys(page, 'ArrowLeft')
  await more(300)
  await page.clock.fastForward(10_000)
  await expect(visits).toHaveText(second)
  await graph(page).blur()
  await expect(visits).not.toHaveText(second)
})

test('a service revoked while it is shown is replaced by all services, with a message', async ({ page, api }) => {
  await open(page, 'brand', ALDER, { query: { service: 13 } })
  await expect(pane(page)).toContainText('Drive-ins')
  await expect.poll(() => api.isHeard).toBe(true)
  await api.call('service.remove', { id: 13 })
  await expect(toast(page, '“Drive-ins” is gone, or no longer shared with you. Showing all services.')).toBeVisible()
  await expect(page).not.toHaveURL(/service=/)
  await expect(pane(page)).toContainText('All services')
})

test('a client user leaves a brand once its services are revoked', async ({ page, api }) => {
  api.as('client')
  await open(page, 'brand', ALDER)
  await expect(figure(page, 'Visits')).toContainText(/\d/)
  await expect.poll(() => api.isHeard).toBe(true)
  await api.call('service.setUsers', { user_ids: [api.me.id], add: [], remove: [12] })
  await expect(toast(page, 'The services of “Alder Coffee” are no longer shared with you.')).toBeVisible()
  await expect(page).toHaveURL(/visitation\/viewer/)
})

test('the map of many venues is drawn in squares', async ({ page, api }) => {
  api.shows('visit.locations', (output) => void Object.assign(output, { squares: true }))
  await open(page, 'brand', { id: 0, filter: 'none' })
  await expect(pane(page).getByLabel('Visits by half a degree').first()).toBeVisible()
})

test('a filter needs a name to be saved, and is deleted after a confirmation', async ({ page, api }) => {
  await open(page, 'brand', ALDER, { query: { date: 'last_month' } })
  await expect(figure(page, 'Visits')).toContainText(/\d/)
  await press(page, 'filter.save')
  await expect(field(page)).toBeFocused()
  await drawn(page)
  await keys(page, 'Enter')
  await expect(palette(page)).toContainText(MESSAGES.visitFilterName)
  await page.keyboard.type('Month before')
  await keys(page, 'Enter')
  await expect(page).toHaveURL(/brand-info\/1\/\d+/)
  await expect(pane(page)).toContainText('Month before')
  await seen(page)
  await run(page, 'filter.remove', 'Month before')
  await review(page, MESSAGES.visitFilterDelete)
  await expect(page).toHaveURL(/brand-info\/1\/none/)
  await expect.poll(() => api.writes.map(({ id }) => id)).toEqual(['filter.save', 'filter.remove'])
})
