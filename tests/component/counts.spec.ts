import { cursorRow, keys, open, pane, toast } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

/** The cursor's row by its position from 1; the list's header is row 1 of the grid. */
const at = (place: number) => String(place + 1)

test('a number typed after a 0 moves the cursor by that many rows, or selects that many', async ({ page }) => {
  await open(page, 'allProjects')
  await expect(cursorRow(page)).toHaveAttribute('aria-rowindex', at(1))
  await keys(page, '0 5 j')
  await expect(cursorRow(page)).toHaveAttribute('aria-rowindex', at(6))
  await keys(page, '0 3 x')
  await expect(pane(page).locator('[role=row][aria-selected=true]')).toHaveCount(3)
  await expect(cursorRow(page)).toHaveAttribute('aria-rowindex', at(8))
  await keys(page, '0 2 k')
  await expect(cursorRow(page)).toHaveAttribute('aria-rowindex', at(6))
  await keys(page, '0 2 s')
  await expect(toast(page, 'doesn’t take a count')).toBeVisible()
})

test('twenty rows are selected by four keys', { tag: '@quick' }, async ({ page }) => {
  await open(page, 'allProjects')
  await expect(cursorRow(page)).toHaveAttribute('aria-rowindex', at(1))
  const four = '0 2 0 x'
  expect(four.split(' ')).toHaveLength(4)
  await keys(page, four)
  await expect(pane(page)).toContainText('20 selected')
  await expect(cursorRow(page)).toHaveAttribute('aria-rowindex', at(20))
})
