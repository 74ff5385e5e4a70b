import { open, pane, press } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

test('replacing a picture that somebody else replaced meanwhile asks first', { tag: '@quick' }, async ({ page, api }) => {
  api.begin('admin')
  await open(page, 'promo', { id: 7 })
  await expect(pane(page).getByLabel('Name *', { exact: true })).toHaveValue('Two for one')
  await pane(page)
    .locator('input[type=file]')
    .setInputFiles({ name: 'sign.png', mimeType: 'image/png', buffer: Buffer.from('PNG') })
  await expect(pane(page).locator('[data-field="file_id"]')).toContainText('to replace it')
  Object.assign(api.market.promo, { lock_version: 2, file_id: 4711 })
  await press(page, 'form.send')
  const clash = page.getByRole('dialog').filter({ hasText: 'You both changed one field' })
  await expect(clash).toContainText('Keep mine: sign.png')
  await expect(clash).toContainText('Take theirs: File 4711')
  expect(api.market.promo.file_id).toBe(4711)
})
