import { keys, list, open, press, toast } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

// Records pinned into the sidebar, ordered by keys.

test('records are pinned, moved and unpinned by keys, and each is undone', { tag: '@quick' }, async ({ page, api }) => {
  const [first, second] = api.market.projects
  const pins = page.getByRole('navigation', { name: 'Screens' }).getByRole('region', { name: 'Favourites' })
  await open(page, 'allProjects')
  await list(page)
  await press(page, 'view.pin')
  await expect(toast(page, `“${first!.name}” is pinned`)).toBeVisible()
  await expect(pins.getByRole('link')).toHaveText([first!.name])
  await keys(page, 'j')
  await press(page, 'view.pin')
  await expect(pins.getByRole('link')).toHaveText([first!.name, second!.name])
  await pins.getByRole('link', { name: second!.name }).focus()
  await page.keyboard.press('Alt+ArrowUp')
  await expect(pins.getByRole('link')).toHaveText([second!.name, first!.name])
  await expect(pins.getByRole('link', { name: second!.name })).toBeFocused()
  await page.keyboard.press('Control+z')
  await expect(pins.getByRole('link')).toHaveText([first!.name, second!.name])
  await pins.getByRole('link', { name: first!.name }).click()
  await expect(page).toHaveURL(new RegExp(`/project-info/${first!.id}`))
  await press(page, 'view.pin')
  await expect(pins.getByRole('link')).toHaveText([second!.name])
})

test('a favourite that is deleted disappears and says so, and is removed by its button', async ({ page, api }) => {
  const { id, name } = api.market.projects[0]!
  const pins = page.getByRole('navigation', { name: 'Screens' }).getByRole('region', { name: 'Favourites' })
  await open(page, 'allProjects')
  await list(page)
  await press(page, 'view.pin')
  await expect(pins.getByRole('link')).toHaveText([name])
  await api.db.updateTable('projects').set({ deleted_at: '2026-01-01T00:00:00.000Z' }).where('id', '=', id).execute()
  await open(page, 'clients')
  await page.reload()
  await expect(pins.getByText('1 favourite no longer available.')).toBeVisible()
  await pins.getByRole('button', { name: 'Remove' }).click()
  await expect(pins).toHaveCount(0)
})
