import type { Page } from '@playwright/test'
import { expect, test } from '../support/e2e.ts'
import { call, login, open, pane, projects, review, rows, run, search, toast } from './verbs.ts'

/*
 * Deleted records without a screen of their own: the place that a link to each opens says so, and brings it back.
 */

test.beforeEach(({ page }) => login(page, 'admin'))

/** Reads who deleted it, restores it from the palette, and waits until the place no longer says so. */
async function restores(page: Page, id: Parameters<typeof run>[1], name: string): Promise<void> {
  await expect(pane(page)).toContainText(`“${name}” was deleted by you`)
  await expect(pane(page).getByRole('button', { name: /^Restore/ })).toBeEnabled()
  await search(page, 'restore')
  await expect(rows(page, id)).toHaveCount(1)
  await page.keyboard.press('Escape')
  await run(page, id)
  await review(page, `Restore “${name}”?`)
  await expect(toast(page, `“${name}” was restored`)).toBeVisible()
  await expect(pane(page)).not.toContainText('was deleted by you')
}

test('a notification, in its panel beside the list', async ({ page }) => {
  const { data } = await call(page, 'notification.create', { name: 'Gone note', message: 'Hello' })
  await call(page, 'notification.remove', { id: data.id })
  await open(page, 'notifications', {}, { query: { open: data.id } })
  await restores(page, 'notification.restore', 'Gone note')
  await expect(pane(page).getByRole('complementary', { name: 'Notification' })).toContainText('Hello')
})

test('a reward, in the panel that edits it', async ({ page }) => {
  const [project] = await projects(page, 'active')
  const { data } = await call(page, 'reward.create', { project_id: project!.id, name: 'Gone card', amount: 5 } as never)
  await call(page, 'reward.remove', { id: data.id })
  await open(page, 'project', { id: project!.id }, { tab: 'catalogue', query: { edit: data.id } })
  await restores(page, 'reward.restore', 'Gone card')
  await expect(pane(page).getByRole('region', { name: 'Edit Gone card' })).toBeVisible()
})
