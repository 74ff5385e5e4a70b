import { expect, test } from '../support/e2e.ts'
import {
  call,
  choose,
  cursorRow,
  dialog,
  field,
  goTo,
  keys,
  list,
  login,
  open,
  pane,
  press,
  read,
  review,
  run,
  toast,
} from './verbs.ts'

interface User {
  id: number
  first_name: string
  email: string
  status: string
}
const users = async (page: Parameters<typeof read>[0], query: string) =>
  (await read<{ data: User[] }>(page, `/v3/portal/users?per_page=200&${query}`)).data

test.beforeEach(({ page }) => login(page, 'admin'))

test('a client is added from the palette, renamed in place, and deleted', { tag: '@quick' }, async ({ page }) => {
  await open(page, 'clients')
  await list(page)
  await run(page, 'client.create', 'AA Aardvark Biscuits')
  await expect(page).toHaveURL(/\/dashboard\/clients/)
  await expect(toast(page, 'AA Aardvark Biscuits')).toBeVisible()
  await list(page)
  await press(page, 'list.first')
  await expect(cursorRow(page)).toContainText('AA Aardvark Biscuits')
  await list(page)
  await press(page, 'list.edit')
  await expect(pane(page).getByRole('textbox', { name: 'Client' })).toBeFocused()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Enter')
  await expect(pane(page).getByRole('alert')).toHaveText('Client Name cannot be blank')
  await page.keyboard.type('AA Aardvark Bakery')
  await page.keyboard.press('Enter')
  await expect(cursorRow(page)).toContainText('AA Aardvark Bakery')
  await list(page)
  await press(page, 'client.remove')
  await review(page, 'Delete “AA Aardvark Bakery”?')
  await expect(pane(page).getByRole('row', { name: /Aardvark/ })).toHaveCount(0)
})

test('the form for a new client needs a name, and its dialog leads to the clients', async ({ page }) => {
  await open(page, 'newClient')
  await pane(page).getByLabel('Client name').focus()
  await page.keyboard.press('Enter')
  await expect(pane(page)).toContainText('Client Name cannot be blank')
  await page.keyboard.type('Birch & Daughters')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toContainText('“Birch & Daughters” has no users yet')
  await dialog(page)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard\/clients/)
})

test('a client shows its figures, and each of its tabs by a digit', async ({ page }) => {
  const client = (await read<{ data: { id: number; name: string; users_count: number }[] }>(page, '/v3/portal/clients/all'))
    .data[0]!
  await open(page, 'client', { id: client.id })
  await expect(pane(page).getByRole('heading', { level: 1 })).toHaveText(client.name)
  await page.keyboard.press('4')
  await expect(page).toHaveURL(/\/users$/)
  await expect(pane(page)).toContainText(`${client.users_count} users`)
  await page.keyboard.press('2')
  await expect(pane(page).getByRole('grid', { name: 'Teams' })).toBeVisible()
  await page.keyboard.press('3')
  await expect(pane(page).getByRole('grid', { name: 'Target Location List' })).toBeVisible()
})

test('a missing client leads to all clients, and says so', async ({ page }) => {
  await goTo(page, '/dashboard/client-info/999999/details')
  await expect(page).toHaveURL(/\/dashboard\/clients/)
  await expect(toast(page, 'Client 999999 doesn’t exist')).toBeVisible()
})

test('names and phone are edited in place, cell by cell, with the specification’s own messages', async ({ page }) => {
  await open(page, 'usersInfo', {}, { tab: 'adminUsers' })
  await list(page)
  await press(page, 'list.edit')
  const cell = pane(page).getByRole('row').getByRole('textbox')
  await cell.fill('')
  await page.keyboard.press('Enter')
  await expect(pane(page).getByRole('alert')).toHaveText('Fist Name cant be blank')
  await cell.fill('Aaa')
  await page.keyboard.press('Tab')
  await expect(pane(page).getByRole('textbox', { name: 'Last name' })).toBeFocused()
  await pane(page).getByRole('textbox', { name: 'Last name' }).fill('')
  await page.keyboard.press('Enter')
  await expect(pane(page).getByRole('alert')).toHaveText('Last Name cant be blank')
  await pane(page).getByRole('textbox', { name: 'Last name' }).fill('Zimmer')
  await page.keyboard.press('Tab')
  const email = pane(page).getByRole('textbox', { name: 'Email' })
  await expect(email).toBeFocused()
  await email.fill('nobody')
  await page.keyboard.press('Enter')
  await expect(pane(page).getByRole('alert')).toHaveText('The Email is not valid')
  await page.keyboard.press('Escape')
  await press(page, 'list.edit')
  for (let cell = 0; cell < 3; cell++) await page.keyboard.press('Tab')
  const phone = pane(page).getByRole('textbox', { name: 'Phone' })
  await expect(phone).toBeFocused()
  await phone.fill('')
  await page.keyboard.press('Enter')
  await expect(pane(page).getByRole('alert')).toHaveText('Phone Number cant be blank')
  await phone.fill('555 01')
  await page.keyboard.press('Enter')
  await expect(pane(page).getByRole('alert')).toHaveText('Phone Number must be 10 numbers')
  // Letters and an eleventh digit aren't accepted.
  await phone.fill('')
  await page.keyboard.type('abc(212) 555-01349')
  await expect(phone).toHaveValue('2125550134')
  await page.keyboard.press('Enter')
  await expect(cursorRow(page)).toContainText('(212) 555-0134')
  const saved = (await users(page, 'role=admin')).find((user) => user.first_name === 'Aaa')
  expect(saved).toMatchObject({ first_name: 'Aaa', last_name: 'Zimmer', phone: '2125550134' })
  await press(page, 'command.undo')
  await press(page, 'command.undo')
  await expect(cursorRow(page)).not.toContainText('Zimmer')
})

test('an invitation names what is missing, goes out by mail, and is undone', async ({ page }) => {
  await open(page, 'usersInfo', {}, { tab: 'invite' })
  const email = pane(page).getByRole('textbox', { name: /^Email/ })
  await email.focus()
  await page.keyboard.press('Enter')
  await expect(pane(page)).toContainText('The field Email cant be blank')
  // The role with the fewest rights is preselected, never the administrator.
  await expect(pane(page).getByRole('radio', { name: /^Client/ })).toBeChecked()
  await page.keyboard.type('nobody')
  await page.keyboard.press('Enter')
  await expect(pane(page)).toContainText('The Email is not valid')
  await expect(pane(page)).toContainText('Please select the Client to send Invitation to')
  await email.fill('new.person@mail.test')
  await pane(page).getByRole('combobox', { name: 'Client' }).focus()
  await keys(page, 'ArrowDown Enter')
  await email.focus()
  await page.keyboard.press('Enter')
  // The mail waits: nothing says "sent" yet, and nothing covers its Undo.
  await expect(toast(page, 'The email to new.person@mail.test is sent in 8 seconds.')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect((await users(page, 'search=new.person')).map((user) => user.status)).toEqual(['invited'])
  await pane(page).getByRole('tab', { name: 'Invite' }).focus()
  await press(page, 'command.undo')
  await expect.poll(async () => (await users(page, 'search=new.person')).length).toBe(0)
})

test('a user is edited by keyboard, with each error at its question, and the edit undone', async ({ page }) => {
  const user = (await users(page, 'role=client&status=active&column=first_name'))[6]!
  const was = (await call(page, 'user.get', { id: user.id })).data
  await open(page, 'usersInfo', {}, { tab: 'clientUsers', query: { search: user.email } })
  await list(page)
  await cursorRow(page).locator('button[aria-haspopup=menu]').first().click()
  await choose(page, 'Edit user…')
  const form = page.getByRole('dialog')
  await form.getByLabel('Birth date', { exact: true }).fill('2090-01-01')
  await form.getByLabel('Phone').fill('')
  await form.getByLabel('Phone').focus()
  await page.keyboard.type('abc21255501349999')
  await expect(form.getByLabel('Phone')).toHaveValue('2125550134')
  await page.keyboard.press('Control+Enter')
  await expect(form).toContainText('The birth date must be in the past.')
  await form.getByLabel('Birth date', { exact: true }).fill('1990-05-05')
  await form.getByLabel('Email').fill('moved.person@mail.test')
  await page.keyboard.press('Control+Enter')
  await expect(form).toHaveCount(0)
  const now = async () => (await call(page, 'user.get', { id: user.id })).data
  // The new email waits to be confirmed.
  const edited = { birth_date: '1990-05-05', email: was.email, pending_email: 'moved.person@mail.test', phone: '2125550134' }
  await expect.poll(now).toMatchObject(edited)
  await press(page, 'command.undo')
  const { birth_date, phone, clients } = was
  await expect.poll(now).toMatchObject({ birth_date, email: was.email, pending_email: null, phone, clients })
})

test('an account without email shows its link once', async ({ page }) => {
  await open(page, 'usersInfo', {}, { tab: 'invite' })
  await pane(page)
    .getByRole('textbox', { name: /^Email/ })
    .fill('quiet.admin@mail.test')
  await pane(page)
    .getByRole('radio', { name: /^Administrator/ })
    .focus()
  await page.keyboard.press('Space')
  await pane(page)
    .getByRole('checkbox', { name: /Skip the invitation/ })
    .focus()
  await page.keyboard.press('Space')
  await pane(page)
    .getByRole('textbox', { name: /^Email/ })
    .focus()
  await page.keyboard.press('Enter')
  const link = pane(page).getByRole('textbox', { name: 'Link of the new account' })
  await expect(link).toHaveValue(/\/registration\?.*.{64}$/)
  await expect(link).toBeFocused()
  await page.reload()
  await expect(pane(page).getByRole('textbox', { name: /^Email/ })).toBeVisible()
  await expect(link).toHaveCount(0)
})

test('an invited user gets the activation again, after a moment in which it can be undone', async ({ page }) => {
  const invited = (await users(page, 'role=client&status=invited'))[0]!
  await page.clock.install()
  await open(page, 'usersInfo', {}, { tab: 'clientUsers', query: { status: 'invited', search: invited.email } })
  await list(page)
  await expect(cursorRow(page)).toContainText(invited.first_name)
  await press(page, 'user.resendActivation')
  await expect(toast(page, 'Resend activation')).toBeVisible()
  await page.clock.fastForward(8000)
  await expect(toast(page, `${invited.email} was sent a new activation email.`)).toBeVisible()
})

test('an administrator acts as a client user, with a reason, and switches back', { tag: '@quick' }, async ({ page }) => {
  const user = (await users(page, 'role=client&status=active&column=first_name'))[3]!
  await open(page, 'usersInfo', {}, { tab: 'clientUsers', query: { search: user.email } })
  await list(page)
  await expect(cursorRow(page)).toContainText(user.first_name)
  await keys(page, 'u a')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('They see no project')
  await page.keyboard.press('Enter')
  await review(page, 'For 30 minutes')
  await expect(page).toHaveURL(/all-projects/)
  await expect(page.locator('body')).toContainText(/acting as/i)
  await run(page, 'session.switchBack')
  await expect(page.locator('body')).not.toContainText(/acting as/i)
})
