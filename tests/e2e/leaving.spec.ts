import { expect, test } from '../support/e2e.ts'
import { call, cursorRow, dialog, list, login, open, pane, press, review, selected, toast } from './verbs.ts'

test.beforeEach(({ page }) => login(page, 'admin'))

/** A client of its own with one of the demo's client users. */
async function made(page: Parameters<typeof call>[0], name: string) {
  const { data: client } = await call(page, 'client.create', { name })
  const { data: users } = await call(page, 'user.list', { role: 'client', status: 'active', column: 'id', per_page: 1 })
  await call(page, 'client.addUser', { client_id: client.id, user_id: users[0]!.id })
  return { client, user: users[0]! }
}

test('a user is removed from a client by key, and restored by undo', async ({ page }) => {
  const { client, user } = await made(page, 'Leaving Foods')
  await open(page, 'client', { id: client.id }, { tab: 'users' })
  await list(page)
  await expect(cursorRow(page)).toContainText(user.last_name)
  await press(page, 'client.removeUser')
  // The client whose users are shown is preselected.
  await expect(selected(page)).toHaveText(/Leaving Foods/)
  await page.keyboard.press('Enter')
  await expect(page.getByText('lose access to its projects, results and exports').first()).toBeVisible()
  await review(page, `Remove ${user.name} from “Leaving Foods”?`)
  await expect(toast(page, 'was removed from Leaving Foods')).toBeVisible()
  await expect(pane(page)).toContainText('Nobody at this client has an account yet.')
  await press(page, 'command.undo')
  await expect(pane(page).getByRole('row', { name: user.last_name })).toHaveCount(1)
})

test('deleting a client says who loses access, and is undone completely', async ({ page }) => {
  const { client, user } = await made(page, 'Undone Foods')
  await open(page, 'client', { id: client.id }, { tab: 'users' })
  await list(page)
  await open(page, 'clients', {}, { query: { search: 'Undone Foods' } })
  await list(page)
  await press(page, 'client.remove')
  await expect(page.getByText('1 user loses access to the client immediately.').first()).toBeVisible()
  await review(page, 'Delete “Undone Foods”?')
  await expect(pane(page).getByRole('row', { name: /Undone Foods/ })).toHaveCount(0)
  await press(page, 'command.undo')
  await expect(pane(page).getByRole('row', { name: /Undone Foods/ })).toHaveCount(1)
  expect((await call(page, 'client.users', { id: client.id })).data.map((one) => one.id)).toEqual([user.id])
})

test('a user to add is found by email, shown beside the name', async ({ page }) => {
  const { client, user } = await made(page, 'Joining Foods')
  await call(page, 'client.removeUser', { client_id: client.id, user_id: user.id })
  await open(page, 'client', { id: client.id }, { tab: 'users' })
  await pane(page)
    .getByRole('button', { name: /Add users/ })
    .first()
    .click()
  const form = await dialog(page)
  await form.getByRole('combobox').fill(user.email)
  await expect(form.getByRole('option')).toHaveText([new RegExp(user.email.replaceAll('.', '\\.'))])
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+Enter')
  await expect(toast(page, 'was added to Joining Foods')).toBeVisible()
  await press(page, 'command.undo')
  await expect.poll(async () => (await call(page, 'client.users', { id: client.id })).count).toBe(0)
})
