import type { Page } from '@playwright/test'
import type { Output } from '../../contract/calls.ts'
import { expect, test } from '../support/e2e.ts'
import { call, goTo, login, pane, press, review, run, toast } from './verbs.ts'

type Item = Output<'content.list'>['data'][number]
/** A project with photos, and its newest two, both accepted. */
async function withPhotos(page: Page): Promise<{ id: number; first: Item; second: Item }> {
  const { data } = await call(page, 'content.list', { section: 'photos', review: 'accepted', per_page: 500 })
  const id = data[0]!.project_id
  const photos = (await call(page, 'content.list', { project_id: id, section: 'photos', per_page: 60 })).data
  await call(page, 'content.reviewMany', { ids: [photos[0]!.id, photos[1]!.id], review: 'accepted' })
  return { id, first: photos[0]!, second: photos[1]! }
}
const tile = (page: Page, item: Item) => pane(page).locator(`[role=option][id$="-${item.id}"]`)

test('a photo is previewed, rejected with a reason and taken back, all by keys', async ({ page }) => {
  await login(page, 'admin')
  const { id, first, second } = await withPhotos(page)
  await goTo(page, `/dashboard/project-info/${id}/userContent`)
  await expect(pane(page).getByRole('listbox', { name: 'Photos' })).toBeFocused()
  await expect(tile(page, first).locator('img')).toBeVisible()
  await page.keyboard.press('Space')
  const preview = pane(page).getByRole('region', { name: `Preview of U-${first.id}` })
  await expect(preview).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(pane(page).getByRole('region', { name: `Preview of U-${second.id}` })).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`item=${second.id}`))
  await page.keyboard.press('Escape')
  await expect(pane(page).getByRole('region', { name: /Preview/ })).toHaveCount(0)
  await run(page, 'content.reject', 'Blurred')
  await review(page, 'Reject 1 photo?')
  await expect(toast(page, 'The item is rejected.')).toBeVisible()
  await expect(tile(page, second)).toContainText('Rejected')
  await expect(tile(page, second)).toContainText('Blurred')
  await press(page, 'command.undo')
  await expect(tile(page, second)).not.toContainText('Rejected')
  expect((await call(page, 'content.get', { id: second.id })).data).toMatchObject({ review: 'accepted', review_reason: '' })
})
