import { cursorRow, field, keys, keysOf, list, open, palette, pane, press, review, selected, toast } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

// The screens of teams and invitations: their reviews, and what a write sends.

test('deleting several teams is reviewed as one: a project that two of them share opens with the last', {
  tag: '@quick',
}, async ({ page, api }) => {
  await open(page, 'teams')
  await list(page)
  await keys(page, 'x j x')
  await expect(pane(page)).toContainText('2 selected')
  await press(page, 'team.remove', 'team')
  await expect(palette(page)).toContainText('Paul Abbott will see “Linden shelf test 6”.')
  await review(page, 'will have no team: its one client user of Acorn Foods sees them.')
  await expect(pane(page)).toContainText('No teams yet.')
  const ids = api.writes.filter(({ id }) => id === 'team.remove').map(({ input }) => (input as { id: number }).id)
  expect(ids.sort()).toEqual([501, 502])
  await press(page, 'command.undo')
  await expect(pane(page)).toContainText('East')
})

test('Delete on a team’s user removes them from the team, and says what is lost', async ({ page, api }) => {
  await open(page, 'team', { id: 502 }, { tab: 'users' })
  await expect(pane(page)).toContainText('Nobody is on this team, so nobody sees its projects but administrators.')
  await open(page, 'team', { id: 501 }, { tab: 'users' })
  await list(page)
  await expect(cursorRow(page)).toContainText('Paul Abbott')
  await press(page, 'team.removeUsers', 'member')
  await review(page, 'Paul Abbott will lose “Alder snack tracker 1”')
  await expect(toast(page, 'removed from “West”')).toBeVisible()
  expect(api.writes).toMatchObject([{ id: 'team.removeUsers', input: { team_id: 501, user_ids: [6] } }])
})

test('a team deleted while it is open says who deleted it, and Restore restores it', async ({ page }) => {
  await open(page, 'team', { id: 501 }, { tab: 'details' })
  await expect(pane(page).getByRole('heading', { level: 1 })).toHaveText('West')
  await press(page, 'team.remove', 'team')
  await review(page, 'Paul Abbott will lose “Alder snack tracker 1”')
  await expect(pane(page)).toContainText('“West” was deleted by you on')
  await pane(page)
    .getByRole('button', { name: /^Restore team/ })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Restore “West”?' })
  await expect(dialog).toContainText('“West” would be restored, with 1 user and 1 project.')
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
  await expect(pane(page).getByRole('heading', { level: 1 })).toHaveText('West')
})

test('a user’s teams are chosen together, and reviewed as one change', async ({ page, api }) => {
  await open(page, 'usersInfo', {}, { tab: 'clientUsers', query: { search: 'paul' } })
  await list(page)
  await press(page, 'user.teams', 'user')
  await expect(field(page)).toBeFocused()
  // West is preselected, because he is on it; this selects East and deselects West.
  for (const name of ['East', 'West']) {
    await page.keyboard.type(name)
    await expect(selected(page)).toContainText(name)
    await keys(page, 'Enter')
    await expect(field(page)).toHaveValue('')
  }
  await keys(page, 'Mod+Enter')
  await review(page, 'Paul Abbott will see “Linden shelf test 6”.')
  await expect.poll(() => api.writes.length).toBe(1)
  expect(api.writes).toMatchObject([{ id: 'user.setTeams', input: { user_id: 6, join_ids: [502], leave_ids: [501] } }])
})

const THREE = 'Ana Ott <ana@acorn.test>, ben@acorn.test, cal@acorn.test'

test('invitations that have left are told in a dialog after a click, and in a notice after a key', async ({ page }) => {
  test.setTimeout(90_000)
  await open(page, 'usersInfo', {}, { tab: 'invite' })
  const emails = () => pane(page).getByLabel('Email *')
  const dialog = page.getByRole('dialog', { name: 'Invitation sent' })
  await emails().fill('ana@acorn.test, ben@acorn.test')
  await pane(page)
    .getByRole('radio', { name: /^Administrator/ })
    .check()
  await pane(page).locator('button[type=submit]').click()
  await expect(dialog).toContainText('Invitations sent to ana@acorn.test, ben@acorn.test.', { timeout: 15_000 })
  await dialog.getByRole('button', { name: 'OK' }).click()
  await expect(dialog).toHaveCount(0)
  await emails().fill('cal@acorn.test, dan@acorn.test')
  await emails().press('Enter')
  await expect(toast(page, 'Invitations sent to cal@acorn.test, dan@acorn.test.')).toBeVisible({ timeout: 15_000 })
  await expect(dialog).toHaveCount(0)
})

test('three people are invited in at most 15 keys', async ({ page, api }) => {
  // Simulates an earlier invitation to this client.
  await page.evaluate(() => localStorage.setItem('invited.client', '101'))
  await open(page, 'usersInfo', {}, { tab: 'clientUsers' })
  await list(page)
  let pressed = 0
  const key = async (chord: string) => {
    pressed += chord.split(' ').length
    await keys(page, chord)
  }
  await key(keysOf('user.invite'))
  await expect(field(page)).toBeFocused()
  // A paste counts as one key.
  await page.keyboard.insertText(THREE)
  pressed++
  await key('Enter')
  await expect(palette(page)).toContainText('Role')
  await key('Enter')
  await expect(palette(page)).toContainText('Client')
  await key('Enter')
  await review(page, 'ana@acorn.test, ben@acorn.test, cal@acorn.test')
  pressed++
  expect(pressed).toBeLessThanOrEqual(15)
  await expect(toast(page, 'Invite')).toBeVisible()
  expect(api.writes).toEqual([])
})

test('addresses are removed by key and by pointer, with the focus kept among them', { tag: '@quick' }, async ({ page, api }) => {
  await open(page, 'usersInfo', {}, { tab: 'invite' })
  const email = pane(page).getByRole('textbox', { name: /^Email/ })
  await email.fill(`${THREE}, nobody, dan@acorn.test`)
  const chips = pane(page).getByRole('list', { name: 'Addresses' }).getByRole('button')
  await expect(chips).toHaveCount(5)
  await chips.filter({ hasText: 'nobody: The Email is not valid' }).click()
  await expect(chips).toHaveCount(4)
  await expect(chips.filter({ hasText: 'dan@acorn.test' })).toBeFocused()
  await keys(page, 'ArrowLeft')
  await keys(page, 'Delete')
  await expect(email).toHaveValue('Ana Ott <ana@acorn.test>, ben@acorn.test, dan@acorn.test')
  await expect(chips.filter({ hasText: 'dan@acorn.test' })).toBeFocused()
  await keys(page, 'Backspace')
  await keys(page, 'Backspace')
  await expect(email).toBeFocused()
  await expect(email).toHaveValue('Ana Ott <ana@acorn.test>')
  expect(api.writes).toEqual([])
})
