import { cursorRow, keys, list, open, pane, press, review } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

/*
 * The list of places and its map: points, a box, cells, the review of a deletion.
 */

const map = (page: Parameters<typeof pane>[0]) => pane(page).getByRole('region', { name: 'Locations on a map', exact: true })
const points = (page: Parameters<typeof pane>[0]) => pane(page).locator('[data-point]')

test('the map highlights the row under the cursor, and its keys move to the next point and select it', { tag: '@quick' }, async ({
  page,
}) => {
  await open(page, 'locations')
  await list(page)
  await press(page, 'location.showMap', 'location')
  await expect(map(page).locator('canvas')).toBeVisible()
  await expect(pane(page).locator('.point-map-lit')).toHaveCount(1)
  await expect(pane(page)).toContainText('1 without a position')
  await map(page).locator('canvas').focus()
  await keys(page, 'ArrowRight')
  await expect(cursorRow(page)).toContainText('Store 2')
  await keys(page, 'x')
  await expect(pane(page)).toContainText('1 selected')
  await keys(page, 'ArrowLeft')
  await expect(cursorRow(page)).toContainText('Store 1')
})

test('dragging with Shift selects the places in a box', async ({ page }) => {
  await open(page, 'locations')
  await list(page)
  await press(page, 'location.showMap', 'location')
  await expect(map(page).locator('canvas')).toBeVisible()
  await expect(points(page).first()).toBeVisible()
  const box = (await map(page).boundingBox())!
  await page.keyboard.down('Shift')
  await page.mouse.move(box.x + 3, box.y + 3)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width - 3, box.y + box.height - 3, { steps: 4 })
  await page.mouse.up()
  await page.keyboard.up('Shift')
  await expect(pane(page)).toContainText('4 selected')
})

test('a cell refuses a blank name, and a filter is read from the link', async ({ page, api }) => {
  await open(page, 'locations', {}, { query: { position: 'approximate' } })
  await list(page)
  await expect(pane(page)).toContainText('2 locations')
  await press(page, 'list.edit')
  await expect(pane(page).getByRole('textbox', { name: 'Location' })).toBeFocused()
  await keys(page, 'Mod+a')
  await keys(page, 'Delete')
  await keys(page, 'Enter')
  await expect(pane(page)).toContainText('Location Name cannot be blank')
  await page.keyboard.type('Harbor')
  await keys(page, 'Enter')
  await expect(cursorRow(page)).toContainText('Harbor')
  expect(api.writes.map(({ id }) => id)).toEqual(['location.edit'])
})

test('a deletion first says which groups lose the places, and undo restores them', { tag: '@quick' }, async ({ page, api }) => {
  await open(page, 'locations')
  await list(page)
  await press(page, 'list.mark')
  await press(page, 'list.markDown')
  await press(page, 'location.remove', 'location')
  await review(page, 'They leave 1 group.')
  await expect(pane(page)).toContainText('3 locations')
  expect(api.writes.map(({ id }) => id)).toEqual(['location.remove'])
  await press(page, 'command.undo')
  await expect(pane(page)).toContainText('5 locations')
})
