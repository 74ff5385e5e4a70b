import { cursorRow, keys, list, open, palette, press, toast } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

// One field of several selected records, by keys.

test('selected projects get an end date by one review with a line each, and lose it by one undo', { tag: '@quick' }, async ({
  page,
  api,
}) => {
  await open(page, 'allProjects')
  await list(page)
  const [first, second] = api.market.projects.map(({ id }) => id)
  const ends = () => Promise.all([first!, second!].map(async (id) => (await api.row('projects', id)).end_dt))
  const before = await ends()
  await keys(page, 'x j x')
  await press(page, 'project.editField')
  await expect(palette(page)).toContainText('Goal')
  await page.keyboard.type('end')
  await expect(palette(page).getByRole('option', { selected: true })).toHaveText('End')
  await page.keyboard.press('Enter')
  await expect(palette(page).getByRole('combobox', { name: 'End date' })).toBeVisible()
  await page.keyboard.type('2031-03-04')
  await page.keyboard.press('Enter')
  await expect(palette(page).getByRole('heading', { name: 'Change end date of 2 projects?' })).toBeVisible()
  await expect(palette(page).getByText(/→ Mar 4, 2031$/)).toHaveCount(2)
  expect(api.writes).toEqual([])
  await page.keyboard.press('Enter')
  await expect(toast(page, '2 projects updated')).toBeVisible()
  expect(await ends()).toEqual(['2031-03-04', '2031-03-04'])
  await page.keyboard.press('Control+z')
  await expect(toast(page, 'Undone: Edit a field – 2 projects')).toBeVisible()
  expect(await ends()).toEqual(before)
  await expect(cursorRow(page)).toBeVisible()
})
