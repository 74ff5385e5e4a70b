import type { Page } from '@playwright/test'
import { expect, test } from '../support/e2e.ts'
import { focusFault } from '../support/focus.ts'
import { call, dialog, list, login, open, pane, projects, review, rows, run, search, toast } from './verbs.ts'

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
  expect(await focusFault(page)).toBeNull()
}

test('a notification, in its panel beside the list', async ({ page }) => {
  const { data } = await call(page, 'notification.create', { name: 'Gone note', message: 'Hello' })
  await call(page, 'notification.remove', { id: data.id })
  await open(page, 'notifications', {}, { query: { open: data.id } })
  await restores(page, 'notification.restore', 'Gone note')
  await expect(pane(page).getByRole('complementary', { name: 'Notification' })).toContainText('Hello')
})

test('a partner, above the requests that it was asked about', async ({ page }) => {
  const { data } = await call(page, 'partner.create', { name: 'Gone panel' })
  await call(page, 'partner.remove', { id: data.id })
  await open(page, 'approve', {}, { query: { partner: data.id } })
  await restores(page, 'partner.restore', 'Gone panel')
})

test('a reward, in the panel that edits it', async ({ page }) => {
  const [project] = await projects(page, 'active')
  const { data } = await call(page, 'reward.create', { project_id: project!.id, name: 'Gone card', amount: 5 } as never)
  await call(page, 'reward.remove', { id: data.id })
  await open(page, 'project', { id: project!.id }, { tab: 'catalogue', query: { edit: data.id } })
  await restores(page, 'reward.restore', 'Gone card')
  await expect(pane(page).getByRole('region', { name: 'Edit Gone card' })).toBeVisible()
})

test('a service, in place of its visits', async ({ page }) => {
  const { data: brand } = await call(page, 'brand.create', { name: 'Brand of the gone' })
  const [category] = (await call(page, 'category.list')).data
  const { data } = await call(page, 'service.create', {
    ...{ brand_id: brand.id, category: category!.id, service_name: 'Gone service', start_date: '2026-11-01' },
  })
  await call(page, 'service.remove', { id: data.id })
  await open(page, 'brand', { id: brand.id, filter: 'none' }, { query: { service: data.id } })
  await restores(page, 'service.restore', 'Gone service')
})

test('a VIP experience, in the list of what was awarded', async ({ page }) => {
  const [project] = await projects(page, 'active')
  const { data } = await call(page, 'vip.create', { project_id: project!.id, name: 'Gone dinner' })
  await call(page, 'award.create', { id: project!.id, experience_id: data.id, emails: ['vip@example.com'] } as never)
  await call(page, 'vip.remove', { id: data.id })
  await open(page, 'project', { id: project!.id }, { tab: 'vipRewarded' } as never)
  await list(page)
  const row = pane(page).getByRole('row', { name: /Gone dinner/ })
  await expect(row).toContainText('Deleted')
  await row.click({ button: 'right' })
  await page.getByRole('menuitem', { name: /Restore VIP experience/ }).click()
  await (await dialog(page, 'Restore “Gone dinner”?')).getByRole('button', { name: 'Restore', exact: true }).click()
  await expect(row).not.toContainText('Deleted')
})
