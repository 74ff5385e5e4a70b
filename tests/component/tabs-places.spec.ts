import type { Page } from '@playwright/test'
import { column, field, keys, list, open, palette, pane, ready, rows, run, search, toast } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

const titled = (page: Page, name: string) => expect(pane(page).getByRole('heading', { name }).first()).toBeVisible()

test('Alt+P lists the open tabs of all columns, last used first, and goes to the one typed', async ({ page, api }) => {
  const [first, second] = api.market.projects
  await open(page, 'allProjects')
  await list(page)
  await keys(page, 'Shift+Enter')
  await ready(page)
  await titled(page, first!.name)
  await keys(page, 'g p j o')
  await expect(page.locator('[data-column]')).toHaveCount(2)
  await ready(page)
  await titled(page, second!.name)
  await keys(page, 'Alt+p')
  await expect(palette(page).getByRole('option')).toHaveText([
    /All projects.*column 1/,
    new RegExp(`${first!.name}.*column 1`),
    /here/,
  ])
  await keys(page, 'Enter')
  await expect(pane(page).getByRole('treegrid')).toBeFocused()
  await keys(page, 'Alt+p')
  await page.keyboard.type(first!.name)
  await keys(page, 'Enter')
  await expect(palette(page)).toHaveCount(0)
  await titled(page, first!.name)
  await search(page, 'Switch to tab')
  await expect(rows(page, 'tab.switch')).toHaveCount(1)
  await expect(field(page)).toBeFocused()
})

test('Alt+O goes back through the places visited in all columns, and Alt+I forward again', { tag: '@quick' }, async ({
  page,
  api,
}) => {
  const [first, second] = api.market.projects
  await open(page, 'allProjects')
  await list(page)
  await keys(page, 'Enter')
  await ready(page)
  await titled(page, first!.name)
  await keys(page, '6 g p j o')
  await ready(page)
  await titled(page, second!.name)
  await keys(page, 'Alt+o')
  await expect(pane(page).getByRole('treegrid')).toBeFocused()
  await keys(page, 'Alt+o')
  await titled(page, first!.name)
  await expect(pane(page).getByRole('tab', { name: 'Notes' })).toHaveAttribute('aria-selected', 'true')
  await run(page, 'pane.jumpForward')
  await expect(pane(page).getByRole('treegrid')).toBeFocused()
  await keys(page, 'Alt+i')
  await expect(column(page, 2).locator(':focus').or(page.locator('[data-column="2"] section:focus'))).toHaveCount(1)
  await keys(page, 'Alt+i')
  await expect(toast(page, 'There is no later place.')).toBeVisible()
})

test('going back to a place in a closed tab reopens it', async ({ page, api }) => {
  const [first] = api.market.projects
  await open(page, 'allProjects')
  await list(page)
  await keys(page, 'Enter')
  await ready(page)
  await titled(page, first!.name)
  await keys(page, 'Alt+w')
  await list(page)
  await keys(page, 'Alt+o')
  await titled(page, first!.name)
})

test('tabs of one list are distinguished by their filters', async ({ page }) => {
  await open(page, 'allProjects', {}, { query: { status: 'active' } })
  await list(page)
  await expect(page.getByRole('tab', { name: 'All projects: Active' })).toHaveCount(1)
  await expect(page).toHaveTitle(/All projects: Active/)
  await keys(page, 'w k')
  await open(page, 'allProjects')
  await list(page)
  await expect(page.getByRole('tab', { name: 'All projects', exact: true })).toHaveCount(1)
})

test('the selected tab stays in view as its name loads and its column gets narrower', async ({ page, api }) => {
  await open(page, 'allProjects')
  await list(page)
  for (const { id, name } of api.market.projects.slice(0, 9))
    await api.set('projects', id, { name: `${name}, with a name that takes all the room of a tab` })
  const selected = page.getByRole('tablist', { name: /^Open screens/ }).getByRole('tab', { selected: true })
  for (let at = 0; at < 8; at++) {
    await keys(page, 'g p')
    await list(page)
    await keys(page, at ? 'j Shift+Enter' : 'Shift+Enter')
    await ready(page)
  }
  await expect(selected).toBeInViewport({ ratio: 0.99 })
  await page.setViewportSize({ width: 900, height: 700 })
  await expect(selected).toBeInViewport({ ratio: 0.99 })
})
