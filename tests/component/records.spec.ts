import type { Page } from '@playwright/test'
import { cursorRow, keys, list, open, pane, ready, run, toast } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'
import { addProjects } from '../support/marketplace.ts'
import type { Portal } from '../support/portal.ts'

/** More projects than a list reads at a time. */
const manyProjects = (api: Portal) => addProjects(api, 70, (nth) => ({ name: `Panel wave ${nth}`, status: 'paused' }))
const shows = (page: Page, { id }: { id: number }, tab = '') => expect(page).toHaveURL(new RegExp(`project-info/${id}/.*${tab}`))

test('Alt+↓ and Alt+↑ step from a record through the list it was opened from, as filtered', async ({ page, api }) => {
  const paused = await manyProjects(api)
  await open(page, 'allProjects', {}, { query: { status: 'paused', search: 'panel wave' } })
  await list(page)
  await keys(page, '0 4 8 j Enter')
  await ready(page)
  await shows(page, paused[48]!)
  await keys(page, '1 Alt+ArrowDown')
  await shows(page, paused[49]!, 'specifications')
  await keys(page, '0 2 Alt+ArrowDown')
  await shows(page, paused[51]!, 'specifications')
  await keys(page, 'Alt+ArrowUp')
  await shows(page, paused[50]!, 'specifications')
  await expect(page.locator('[data-announcer]')).toContainText(/Panel wave 50.*, 51 of 70 projects\.$/)
  await keys(page, '0 9 9 Alt+ArrowDown')
  await shows(page, paused[69]!)
  await expect(toast(page, 'This is the last of 70 projects.')).toBeVisible()
  await keys(page, 'g p')
  await list(page)
  await expect(page).toHaveURL(/status=paused/)
  await expect(cursorRow(page)).toContainText('Panel wave 69')
})

test('after a record that has left its list comes the one that took its place', { tag: '@quick' }, async ({ page, api }) => {
  const paused = await manyProjects(api)
  await open(page, 'allProjects', {}, { query: { status: 'paused', search: 'panel wave' } })
  await list(page)
  await keys(page, 'j Enter')
  await ready(page)
  await shows(page, paused[1]!)
  await run(page, 'project.resume', 'Back in field')
  await expect.poll(async () => (await api.row('projects', paused[1]!.id)).status).toBe('active')
  await keys(page, 'Alt+ArrowDown')
  await shows(page, paused[2]!)
})

test('a record opened by a link steps through the usual list of its kind, also from the palette', { tag: '@quick' }, async ({
  page,
  api,
}) => {
  const [first, second] = api.market.projects
  await open(page, 'project', { id: first!.id })
  await ready(page)
  await run(page, 'pane.nextRecord')
  await shows(page, second!)
  await expect(pane(page)).toContainText(second!.name)
  await keys(page, 'Alt+ArrowUp Alt+ArrowUp')
  await expect(toast(page, 'This is the first of')).toBeVisible()
  await shows(page, first!)
})

test('a link to a missing record leaves no tab of it', { tag: '@quick' }, async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  await page.evaluate(() => {
    history.pushState(null, '', '/dashboard/project-info/999999/dashboard')
    dispatchEvent(new PopStateEvent('popstate'))
  })
  await expect(toast(page, 'doesn’t exist, or you don’t have access')).toBeVisible()
  await expect(page).toHaveURL(/all-projects/)
  await list(page)
  await expect(page.locator('[data-column] [role=tablist]').first()).not.toContainText('999999')
})
