import type { Page } from '@playwright/test'
import { expect, test } from '../support/e2e.ts'
import { call, list, login, open, pane, press, review, toast } from './verbs.ts'

test.beforeEach(({ page }) => login(page, 'admin'))

/** Two clients of one name: one is deleted, the other takes its name, and the deletion is undone. */
async function doubles(page: Page, name: string): Promise<[number, number]> {
  const { data: first } = await call(page, 'client.create', { name })
  await open(page, 'clients', {}, { query: { search: name } })
  await list(page)
  await press(page, 'client.remove')
  await review(page, `Delete “${name}”?`)
  await expect(toast(page, `“${name}” was deleted`)).toBeVisible()
  const { data: second } = await call(page, 'client.create', { name })
  await press(page, 'command.undo')
  await expect(pane(page).getByRole('row', { name })).toHaveCount(2)
  return [first.id, second.id]
}

test('clients with the same name say so, in the list and header, and link to each other', async ({ page }) => {
  const [first, second] = await doubles(page, 'Twice Foods')
  for (const other of [first, second]) await expect(pane(page).getByText(`Same name as C-${other}`)).toBeVisible()
  await open(page, 'client', { id: first }, { tab: 'details' })
  await expect(pane(page).locator('header')).toContainText(`Same name as C-${second}`)
  await pane(page)
    .locator('header')
    .getByRole('link', { name: `C-${second}` })
    .click()
  await expect(page).toHaveURL(new RegExp(`/client-info/${second}/details`))
  await expect(pane(page).locator('header')).toContainText(`Same name as C-${first}`)
  // The message disappears with its cause.
  await call(page, 'client.edit', { id: second, name: 'Once Foods' })
  await expect(pane(page).locator('header')).not.toContainText('Same name as')
})
