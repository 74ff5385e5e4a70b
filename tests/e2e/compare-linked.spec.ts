import type { Page } from '@playwright/test'
import { expect, test } from '../support/e2e.ts'
import { beside, chip, pair, trend, widget } from './compared.ts'
import { allProjects, call, choose, column, columns, field, goTo, login, press, selected } from './verbs.ts'

test.describe.configure({ mode: 'parallel' })

const readout = (page: Page, at: number) => column(page, at).locator('[data-readout]')
const bars = (page: Page, at: number, name: string) => column(page, at).getByRole('listbox', { name })

test.describe('linked columns', () => {
  test.beforeEach(async ({ page }) => {
    await login(page)
    const [first, second] = await pair(page)
    await goTo(page, beside(first, second))
    await expect(trend(page, 2)).toBeVisible()
    await expect(chip(page)).toBeVisible()
  })

  test('switch tabs together, each as a step of its own history', async ({ page }) => {
    await press(page, 'pane.tab1')
    for (const at of [1, 2])
      await expect(column(page, at).getByRole('tab', { name: /Specifications/ })).toHaveAttribute('aria-selected', 'true')
    await press(page, 'pane.back')
    for (const at of [1, 2])
      await expect(column(page, at).getByRole('tab', { name: /Overview/ })).toHaveAttribute('aria-selected', 'true')
  })

  test('ask for each column’s figures once when a filter changes', async ({ page }) => {
    const asked: string[] = []
    page.on(
      'request',
      (request) => /overview/.test(request.url()) && /gender=female/.test(request.url()) && asked.push(request.url()),
    )
    const choice = column(page, 2).getByRole('button', { name: /^Gender/ })
    await choice.focus()
    await page.keyboard.press('Enter')
    await choose(page, 'Female')
    await page.keyboard.press('Escape')
    for (const at of [1, 2]) await expect(column(page, at).getByRole('button', { name: /^Gender/ })).toContainText('Female')
    await expect(column(page, 1)).toContainText('completes match the filters')
    await expect(column(page, 2)).toContainText('completes match the filters')
    expect([asked.length, new Set(asked).size]).toEqual([2, 2])
  })

  test('share the crosshair by keyboard, on days and on labels', async ({ page }) => {
    await trend(page, 1).focus()
    const before = Number(await trend(page, 1).getAttribute('aria-valuenow'))
    await page.keyboard.press('ArrowLeft')
    await expect(trend(page, 1)).toHaveAttribute('aria-valuenow', String(before - 1))
    await expect(readout(page, 1)).toContainText(/·.*plan/)
    const day = ((await readout(page, 1).textContent()) ?? '').split(' · ')[0]!
    await expect(readout(page, 2)).toContainText(day)
    await expect(trend(page, 2)).toHaveAttribute('aria-valuenow', (await trend(page, 1).getAttribute('aria-valuenow'))!)
    await bars(page, 2, 'Age').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    const lit = bars(page, 1, 'Age').getByRole('option', { selected: true })
    await expect(lit).toContainText('18 to 24')
    await expect(bars(page, 2, 'Age').getByRole('option', { selected: true })).toContainText(/18 to 24.*%.*(than|as in)/)
    await page.keyboard.press('Escape')
    await expect(lit).toHaveCount(0)
  })

  test('keep the crosshair where a key put it while the trend is still being loaded', async ({ page }) => {
    let come = () => {}
    const held = new Promise<void>((done) => {
      come = done
    })
    await page.route('**/assets/plot-*.js', async (route) => {
      await held
      await route.continue()
    })
    const asked = page.waitForRequest('**/assets/plot-*.js')
    await page.reload()
    await asked
    await trend(page, 1).focus()
    const before = Number(await trend(page, 1).getAttribute('aria-valuenow'))
    await page.keyboard.press('ArrowLeft')
    await expect(trend(page, 1)).toHaveAttribute('aria-valuenow', String(before - 1))
    await expect(readout(page, 1)).toBeHidden()
    come()
    await expect(readout(page, 1)).toContainText(/·.*plan/)
    await expect(trend(page, 1)).toHaveAttribute('aria-valuenow', String(before - 1))
  })

  test('draw shares and trends on one scale', async ({ page }) => {
    const ends = () => Promise.all([1, 2].map((at) => trend(page, at).getAttribute('aria-valuemax')))
    await expect.poll(async () => new Set(await ends()).size).toBe(1)
    const lengths = async (at: number) =>
      bars(page, at, 'Age').evaluate((element) =>
        [...element.querySelectorAll<HTMLElement>('[aria-hidden] > span')].map(({ style }) => Number.parseFloat(style.width)),
      )
    // A share fills its track of 100 % equally in every column.
    const sums = async () => [await lengths(1), await lengths(2)].map((all) => Math.round(all.reduce((sum, one) => sum + one, 0)))
    await expect.poll(sums).toEqual([100, 100])
  })

  test('scroll together by the part at the edge, without an echo', async ({ page }) => {
    await column(page, 2).getByRole('listbox', { name: 'Age' }).focus()
    const scroller = (at: number) => column(page, at).locator('[data-pane-scroller]')
    for (const at of [1, 2])
      await expect
        .poll(() => scroller(at).evaluate((element) => element.scrollHeight - element.clientHeight))
        .toBeGreaterThan(900)
    await scroller(2).evaluate((element) => element.scrollTo(0, 420))
    const offset = (at: number) =>
      widget(page, at, 'Household income').evaluate(
        (element) =>
          element.getBoundingClientRect().top -
          element.closest('[data-pane-scroller]')!.querySelector('[data-sticks]')!.getBoundingClientRect().bottom,
      )
    await expect.poll(async () => Math.abs((await offset(1)) - (await offset(2)))).toBeLessThan(3)
    expect(await scroller(2).evaluate((element) => element.scrollTop)).toBe(420)
  })

  test('keep their maps on one view, moved by keys in either', async ({ page }) => {
    const map = (at: number) => column(page, at).locator('.maplibregl-canvas')
    const place = (at: number) => map(at).getAttribute('aria-description')
    await map(1).focus()
    for (const at of [1, 2]) await expect(map(at)).toHaveAttribute('aria-description', /./)
    const before = await place(2)
    await page.keyboard.press('Equal')
    await expect.poll(() => place(2)).not.toBe(before)
    const zoomed = await place(1)
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => place(1)).not.toBe(zoomed)
    await expect.poll(async () => (await place(1)) === (await place(2))).toBe(true)
    const there = await place(1)
    await map(2).focus()
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => place(1)).not.toBe(there)
    await expect.poll(async () => (await place(1)) === (await place(2))).toBe(true)
  })

  test('show differences in every tab with figures', async ({ page }) => {
    const name = (await column(page, 1).getByRole('heading', { level: 1 }).textContent()) ?? ''
    const ids = [...page.url().matchAll(/project-info\/(\d+)/g)].map((found) => Number(found[1]))
    const [first, second] = await Promise.all(ids.map(async (id) => (await call(page, 'project.get', { id })).data))
    const differenceText = (more: number, unit = '') =>
      more === 0 ? `as in ${name}` : `${Math.abs(more).toLocaleString('en-US')}${unit} ${more > 0 ? 'more' : 'less'} than ${name}`
    const difference = (topic: string, at = 2) => column(page, at).locator(`[data-difference="${topic}"]`)
    await press(page, 'pane.tab1')
    await expect(difference('goal')).toContainText(differenceText(second!.ordered - first!.ordered))
    await expect(difference('groups')).toContainText(
      differenceText(second!.location_groups.length - first!.location_groups.length),
    )
    await expect(difference('goal', 1)).toHaveCount(0)
    const partners = [first!, second!].map((one) =>
      one.partners
        .map((partner) => partner.name)
        .sort()
        .join(', '),
    )
    await expect(difference('partners')).toHaveCount(partners[0] === partners[1] ? 0 : 1)
    if (partners[0] !== partners[1]) await expect(difference('partners')).toContainText(`in ${name}: ${partners[0]}`)

    await press(page, 'pane.tab4')
    const counts = await Promise.all(ids.map((id) => call(page, 'entry.list', { id })))
    const [sent, othersSent] = counts.map(({ totals = [] }) => totals.find((one) => one.status === 'sent')!.count)
    await expect(difference('rewards sent')).toContainText(differenceText(othersSent! - sent!))
    await column(page, 2).getByRole('radio', { name: /^All/ }).focus()
    await page.keyboard.press('Space')
    const alls = counts.map(({ totals = [] }) => totals.reduce((sum, one) => sum + one.count, 0))
    await expect(difference('list rewards')).toContainText(differenceText(alls[1]! - alls[0]!))

    await press(page, 'pane.tab5')
    const changes = await Promise.all(ids.map(async (id) => (await call(page, 'project.history', { id })).count))
    await expect(difference('history')).toContainText(differenceText(changes[1]! - changes[0]!))
    await press(page, 'pane.tab6')
    const notes = await Promise.all(ids.map(async (id) => (await call(page, 'note.list', { id })).count))
    await expect(difference('notes')).toContainText(differenceText(notes[1]! - notes[0]!))
  })

  test('are joined by another record, on the same tab and with the same baseline', async ({ page }) => {
    const name = (await column(page, 1).getByRole('heading', { level: 1 }).textContent()) ?? ''
    const open = [...page.url().matchAll(/project-info\/(\d+)/g)].map((found) => Number(found[1]))
    const third = (await allProjects(page, 'Active')).find(({ id }) => !open.includes(id))!
    await press(page, 'pane.tab1')
    await press(page, 'compare.add')
    await expect(field(page)).toHaveAttribute('aria-label', 'Compare with')
    await page.keyboard.type(third.name)
    await expect(selected(page)).toContainText(third.name)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+Enter')
    await expect(columns(page)).toHaveCount(3)
    await expect(chip(page)).toContainText('Linked: 3 columns')
    await expect(column(page, 3).getByRole('heading', { level: 1 })).toHaveText(third.name)
    await expect(column(page, 3).getByRole('tab', { name: /Specifications/ })).toHaveAttribute('aria-selected', 'true')
    await expect(column(page, 3).locator('[data-difference=goal]')).toContainText(name)
  })

  test('make another project the baseline when they change places', async ({ page }) => {
    const name = (await column(page, 2).getByRole('heading', { level: 1 }).textContent()) ?? ''
    await press(page, 'tab.moveRight')
    await expect(column(page, 1).getByRole('heading', { level: 1 })).toHaveText(name)
    await expect(column(page, 1)).toContainText('Baseline')
    await expect(column(page, 2).locator('[data-difference]').first()).toContainText(name)
  })

  test('are unlinked by one key, without re-rendering', async ({ page }) => {
    await page.evaluate(() => {
      for (const element of document.querySelectorAll('[data-pane-scroller]')) Object.assign(element, { kept: true })
    })
    await press(page, 'compare.unlink')
    await expect(chip(page)).toHaveCount(0)
    await expect(page).not.toHaveURL(/linked=1/)
    await expect(column(page, 2).locator('[data-difference]')).toHaveCount(0)
    await press(page, 'pane.tab1')
    await expect(column(page, 1).getByRole('tab', { name: /Specifications/ })).toHaveAttribute('aria-selected', 'true')
    await expect(column(page, 2).getByRole('tab', { name: /Overview/ })).toHaveAttribute('aria-selected', 'true')
    await press(page, 'compare.link')
    await expect(column(page, 2).getByRole('tab', { name: /Specifications/ })).toHaveAttribute('aria-selected', 'true')
    expect(await page.locator('[data-pane-scroller]').evaluateAll((all) => all.every((one) => 'kept' in one))).toBe(true)
  })
})
