import type { Page } from '@playwright/test'
import { count, percent, shortDate } from '../../contract/format.ts'
import { codeOf } from '../../contract/nounOf.ts'
import type { ProjectRow } from '../../src/panes/shared/projectSubject.ts'
import { href } from '../../src/routing/routes.ts'
import { keys, list, open, pane, press, projects, ready } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

/*
 * A project opened from a list shows what its row says until the server answers.
 */

/** Holds everything that is read of single projects until released. */
async function hold(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\/portal\/projects\/\d+(\/overview)?$/, async (route) => {
    await promise
    await route.continue().catch(() => {})
  })
  return resolve
}

/** Expects name, status, code, client, dates and key figures of a row, and no charts yet. */
async function showsRow(page: Page, row: ProjectRow): Promise<void> {
  const head = pane(page).locator('header')
  await expect(head.getByRole('heading', { level: 1 })).toHaveText(row.name)
  for (const text of [row.status_shown, codeOf('project', row.id), row.client_name, shortDate(row.end_dt)])
    await expect(head).toContainText(text)
  const figures = pane(page).locator('[data-anchor=key]')
  for (const text of [percent(row.pacing), count(row.delivered), count(row.ordered), count(Math.round(row.expected))])
    await expect(figures).toContainText(text)
  await expect(pane(page).locator('[data-anchor=trend] [data-loading]')).toBeAttached()
}

/** Opens the list and loads the code of a project's screen, as an idle page does. */
async function listAfterFirst(page: Page): Promise<ProjectRow[]> {
  await open(page, 'allProjects')
  await list(page)
  await keys(page, 'Enter')
  await ready(page)
  await keys(page, 'Alt+w')
  await list(page)
  return projects(page)
}

test('Enter shows a project’s header and key figures from its row before the server answers', async ({ page }) => {
  const [, second] = await listAfterFirst(page)
  const release = await hold(page)
  await keys(page, 'j')
  await keys(page, 'Enter')
  await showsRow(page, second!)
  release()
  await ready(page)
  await expect(pane(page).locator('[data-anchor=key]')).toContainText(percent(second!.pacing))
})

test('the next record of the list is shown from its row, too', async ({ page }) => {
  const [, second, third] = await listAfterFirst(page)
  await keys(page, 'j')
  await keys(page, 'Enter')
  await ready(page)
  await expect(pane(page).getByRole('heading', { level: 1 })).toHaveText(second!.name)
  const release = await hold(page)
  await press(page, 'pane.nextRecord')
  await showsRow(page, third!)
  release()
  await ready(page)
})

test('a project opened by its link waits for the server', { tag: '@quick' }, async ({ page }) => {
  const [, second] = await listAfterFirst(page)
  const release = await hold(page)
  await page.goto(href('project', { id: second!.id }, { tab: 'overview' }))
  await expect(pane(page).locator('[data-skeleton=charts]')).toBeAttached()
  await expect(pane(page).getByRole('heading', { level: 1 })).not.toContainText(second!.name)
  release()
  await ready(page)
  await expect(pane(page).getByRole('heading', { level: 1 })).toHaveText(second!.name)
})

test('a client shows its name from its row before the server answers', async ({ page, api }) => {
  await open(page, 'clients')
  await list(page)
  await keys(page, 'Enter')
  await ready(page)
  await keys(page, 'Alt+w')
  await list(page)
  const [, second] = api.market.clients
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(new RegExp(`/portal/clients/${second!.id}$`), async (route) => {
    await promise
    await route.continue().catch(() => {})
  })
  await keys(page, 'j')
  await keys(page, 'Enter')
  await expect(pane(page).getByRole('heading', { level: 1 })).toHaveText(second!.name)
  resolve()
  await ready(page)
})
