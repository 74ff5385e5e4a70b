import { open, pane, press } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'
import { PIXEL } from '../support/marketplace.ts'

test('replacing a picture that somebody else replaced meanwhile asks first', { tag: '@quick' }, async ({ page, api }) => {
  await api.make.occasion({
    id: 7,
    activity_id: 7,
    kind: 'promo',
    name: 'Two for one',
    start_date: '2026-03-01',
    end_date: '2026-03-14',
  })
  await open(page, 'promo', { id: 7 })
  await expect(pane(page).getByLabel('Name *', { exact: true })).toHaveValue('Two for one')
  await pane(page).locator('input[type=file]').setInputFiles({ name: 'sign.png', mimeType: 'image/png', buffer: PIXEL })
  await expect(pane(page).locator('[data-field="file_id"]')).toContainText('to replace it')
  const { id: theirs } = await api.make.file({
    project_id: 530,
    kind: 'media',
    original_name: 'theirs.png',
    storage_key: 'theirs',
  })
  await api.set('occasions', 7, { lock_version: 2, file_id: theirs })
  await press(page, 'form.send')
  const clash = page.getByRole('dialog').filter({ hasText: 'You both changed one field' })
  await expect(clash).toContainText('Keep mine: sign.png')
  await expect(clash).toContainText('Take theirs: theirs.png')
  expect((await api.row('occasions', 7)).file_id).toBe(theirs)
})
