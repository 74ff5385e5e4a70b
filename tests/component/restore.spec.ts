import { drawn, keys, open, palette, pane, ready, review, rows, run, search, toast } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'
import { focusFault as fault } from '../support/focus.ts'
import { today } from '../support/today.ts'

/*
 * A deleted record on its own screen: who deleted it, and the command that brings it back.
 */

test.beforeEach(async ({ api }) => {
  const { id } = api.market.teams[0]!
  await api.call('team.remove', { id })
})

test('a deleted record opened by a link says who deleted it, and its button restores it in place', { tag: '@quick' }, async ({
  page,
  api,
}) => {
  const team = api.market.teams[0]!
  await open(page, 'team', { id: team.id }, { tab: 'details' })
  await expect(pane(page)).toContainText(`Team ${team.id} is gone`)
  await expect(pane(page)).toContainText(`“${team.name}” was deleted by`)
  const button = pane(page).getByRole('button', { name: /^Restore team/ })
  await expect(button).toBeEnabled()
  await expect(pane(page).getByRole('button', { name: /^Undo/ })).toHaveCount(0)
  await button.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: `Restore “${team.name}”?` })
  await expect(dialog.getByRole('button', { name: 'Restore', exact: true })).toBeFocused()
  await expect(dialog).toContainText(`“${team.name}” would be restored, with 1 user and 1 project.`)
  await drawn(page)
  await page.keyboard.press('Enter')
  await expect(toast(page, `“${team.name}” was restored, with 1 user and 1 project.`)).toBeVisible()
  await expect(pane(page).getByRole('heading', { level: 1 })).toHaveText(team.name)
  expect(api.writes.map(({ id }) => id)).toEqual(['team.restore'])
  await expect(palette(page)).toHaveCount(0)
  expect(await fault(page)).toBeNull()
})

test('the history of a restored record says so without the moment at which it was deleted', async ({ page, api }) => {
  const team = api.market.teams[0]!
  await api.call('team.restore', { id: team.id })
  await open(page, 'team', { id: team.id }, { tab: 'details' })
  const history = pane(page).getByRole('region', { name: 'History' })
  await expect(history).toContainText('restored the team')
  await expect(history).not.toContainText(today())
})

test('the palette offers a deleted record only its restore, and its keys work afterwards', async ({ page, api }) => {
  const team = api.market.teams[0]!
  await open(page, 'team', { id: team.id }, { tab: 'details' })
  await expect(pane(page)).toContainText('is gone')
  await search(page, 'team')
  await expect(rows(page, 'team.restore')).toHaveCount(1)
  await expect(rows(page, 'team.remove')).toContainText('asks which team')
  await keys(page, 'Escape')
  await expect(palette(page)).toHaveCount(0)
  await run(page, 'team.restore')
  await review(page, `Restore “${team.name}”?`)
  await expect(pane(page).getByRole('heading', { level: 1 })).toHaveText(team.name)
  await expect(palette(page)).toHaveCount(0)
  expect(await fault(page)).toBeNull()
  await search(page, 'team')
  await expect(rows(page, 'team.remove')).not.toContainText('asks which')
  await expect(rows(page, 'team.restore')).toHaveCount(0)
})

test('a record that never existed still leads to its list', { tag: '@quick' }, async ({ page }) => {
  await open(page, 'team', { id: 987_654 }, { tab: 'details' })
  await expect(toast(page, 'doesn’t exist')).toBeVisible()
  await ready(page)
  await expect(page).toHaveURL(/teams/)
})
