import type { Page } from '@playwright/test'
import { href } from '../../src/routing/routes.ts'
import { type test as base, expect } from '../support/e2e.ts'
import { call, field, goTo, keys, login, open, palette, pane, press, search, toast, visit } from './verbs.ts'

/* The visits of a brand by keyboard: found, filtered, saved, opened by link, compared with before, exported. */

const visits = (page: Page) =>
  pane(page).getByRole('group', { name: 'Figures' }).getByText('Visits', { exact: true }).locator('..')

/** Adds the test of the whole flow to a file, whose options choose the server's engine. */
export function brandInfoFlow(test: typeof base, engine: string): void {
  test(`a brand's visits are found, narrowed, saved and exported by keys, on ${engine}`, async ({ page }) => {
    test.setTimeout(150_000)
    await login(page, 'admin')
    await open(page, 'allProjects')
    const { data: brands } = await call(page, 'brand.list', { per_page: 100 })
    const brand = [...brands].sort((a, b) => b.visits_30 - a.visits_30)[0]!
    const name = `Week ${Date.now().toString(36)}`

    await test.step('the palette finds the brand', async () => {
      await search(page, brand.name)
      await expect(palette(page)).toContainText(brand.name)
      await keys(page, 'Escape')
      await visit(page, href('brand', { id: brand.id, filter: 'none' }))
      await expect(pane(page).getByRole('heading', { level: 1 })).toHaveText(brand.name)
    })

    await test.step('period and markets are chosen by keys', async () => {
      await press(page, 'brand.period', 'brand')
      await expect(field(page)).toBeFocused()
      await page.keyboard.type('last 7')
      await keys(page, 'Enter')
      await expect(pane(page)).toContainText('Last 7 days, ')
      await press(page, 'brand.markets', 'brand')
      await expect(field(page)).toBeFocused()
      await page.keyboard.type('top 25')
      await keys(page, 'Enter')
      await expect(pane(page)).toContainText('Markets Top 25')
    })

    await test.step('the filter is saved, and its link shows it after a reload', async () => {
      await press(page, 'filter.save', 'brand')
      await expect(palette(page)).toContainText('Name')
      await page.keyboard.type(name)
      await keys(page, 'Enter')
      await expect(pane(page)).toContainText(`Filter ${name}`)
      const { data } = await call(page, 'filter.list', { bid: brand.id })
      const saved = data.find((one) => one.filter_name === name)!
      expect(saved.filter_body.dmas).toHaveLength(25)
      await goTo(page, href('brand', { id: brand.id, filter: saved.filter_id }))
      await expect(pane(page)).toContainText('Last 7 days, ')
      await expect(pane(page)).toContainText('Markets Top 25')
    })

    await test.step('figures are shown beside those of the period before, as the server counts them', async () => {
      await press(page, 'brand.before', 'brand')
      await expect(visits(page)).toContainText('vs ')
      const { data } = await call(page, 'visit.counts', { bid: brand.id, date: 'week', dmas: 'Top 25', compare_before: 1 })
      await expect(visits(page)).toContainText(data!.total!.toLocaleString('en-US'))
    })

    await test.step('an export arrives as a file', async () => {
      await press(page, 'visit.export', 'brand')
      await expect(field(page)).toBeFocused()
      await page.keyboard.type('csv')
      await keys(page, 'Enter')
      await page.keyboard.type('figures')
      await keys(page, 'Enter')
      await expect(toast(page, 'Visits ready')).toBeVisible({ timeout: 30_000 })
    })
  })
}
