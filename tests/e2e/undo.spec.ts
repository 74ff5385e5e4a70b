import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { href } from '../../src/routing/routes.ts'
import { expect, test } from '../support/e2e.ts'
import {
  call,
  goTo,
  keys,
  list,
  login,
  open,
  palette,
  pane,
  press,
  ready,
  review,
  rows,
  run,
  search,
  selected,
  toast,
} from './verbs.ts'

test.beforeEach(({ page }) => login(page, 'admin'))

let serial = 0
/** A client of this test's own, with its details open. */
async function client(page: Page): Promise<{ id: number; name: string }> {
  const name = `Undo ${Date.now()} ${++serial}`
  const { data } = await call(page, 'client.create', { name })
  await open(page, 'client', { id: data.id }, { tab: 'details' })
  return { id: data.id, name }
}
const nameOf = async (page: Page, id: number) => (await call(page, 'client.get', { id })).data.name
async function rename(page: Page, name: string): Promise<void> {
  await run(page, 'client.edit', name)
  await expect(toast(page, 'Client updated').first()).toBeVisible()
}
const notices = (page: Page, text: string | RegExp) => page.locator('[data-sonner-toast]').filter({ hasText: text })

test('Ctrl+Z undoes twice, Ctrl+Shift+Z and Ctrl+Y redo, and the notice of what was undone disappears', {
  tag: '@quick',
}, async ({ page }) => {
  const { id, name } = await client(page)
  await rename(page, `${name} one`)
  await rename(page, `${name} two`)
  // Notices stay while under the pointer.
  await expect(notices(page, 'Client updated')).toHaveCount(2)
  await notices(page, 'Client updated').first().hover()
  await page.keyboard.press('Control+z')
  await expect(toast(page, `Undone: Rename client “${name} one”`).or(toast(page, 'Undone: Rename client'))).toBeVisible()
  await expect(notices(page, 'Client updated')).toHaveCount(1)
  await page.mouse.move(0, 0)
  expect(await nameOf(page, id)).toBe(`${name} one`)
  await page.keyboard.press('Control+z')
  await expect.poll(() => nameOf(page, id)).toBe(name)
  await page.keyboard.press('Control+Shift+z')
  await expect.poll(() => nameOf(page, id)).toBe(`${name} one`)
  await page.keyboard.press('Control+y')
  await expect.poll(() => nameOf(page, id)).toBe(`${name} two`)
  await page.keyboard.press('Control+y')
  await expect(toast(page, 'Nothing to redo.')).toBeVisible()
})

test('a rename right after another isn’t taken for somebody else’s change', async ({ page }) => {
  const { id, name } = await client(page)
  // The page reads what it wrote long after the next key.
  await page.route(`**/v3/portal/clients/${id}`, async (route) => {
    await wait(2000)
    await route.continue()
  })
  await rename(page, `${name} one`)
  await rename(page, `${name} two`)
  expect(await nameOf(page, id)).toBe(`${name} two`)
})

test('an undone step can’t be redone after another action', async ({ page }) => {
  const { id, name } = await client(page)
  await rename(page, `${name} one`)
  await press(page, 'command.undo')
  await expect.poll(() => nameOf(page, id)).toBe(name)
  // The page has read the undone state; a rename of the earlier version would be stale.
  await expect(pane(page).getByRole('heading', { level: 1, name, exact: true })).toBeVisible()
  await rename(page, `${name} other`)
  await press(page, 'command.redo')
  await expect(toast(page, 'Nothing to redo.')).toBeVisible()
  expect(await nameOf(page, id)).toBe(`${name} other`)
})

test('the palette says what Undo will undo, and the undo list undoes any step by keyboard', async ({ page }) => {
  const { id, name } = await client(page)
  await rename(page, `${name} one`)
  const other = await client(page)
  await rename(page, `${other.name} one`)
  await search(page, 'undo')
  await expect(rows(page, 'command.undo')).toContainText(`Undo: Rename client – “${other.name}”`)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await run(page, 'command.undoList')
  await expect(palette(page).getByRole('option')).toHaveText([new RegExp(other.name), new RegExp(name)])
  await expect(selected(page)).toContainText(/\d:\d\d/)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(() => nameOf(page, id)).toBe(name)
  expect(await nameOf(page, other.id)).toBe(`${other.name} one`)
})

test('a step that a later one depends on says so, and nothing is undone', { tag: '@quick' }, async ({ page }) => {
  const { id, name } = await client(page)
  await rename(page, `${name} one`)
  await rename(page, `${name} two`)
  await run(page, 'command.undoList')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(toast(page, /^Not undone/)).toContainText(`You changed “${name} two” again since then. Undo that first.`)
  expect(await nameOf(page, id)).toBe(`${name} two`)
})

test('undoing what somebody else has changed since is refused with a message', async ({ page }) => {
  const { id, name } = await client(page)
  await rename(page, `${name} one`)
  await call(page, 'client.edit', { id, name: `${name} theirs` })
  await press(page, 'command.undo')
  await expect(toast(page, /^Not undone/)).toContainText('since')
  expect(await nameOf(page, id)).toBe(`${name} theirs`)
})

test('a preference is a step like any other: the theme is undone, not the step before it', async ({ page }) => {
  const { id, name } = await client(page)
  await rename(page, `${name} one`)
  await run(page, 'theme.dark')
  await expect(page.locator('html')).toHaveClass(/dark/)
  await expect.poll(async () => (await call(page, 'account.get')).data.preferences.theme).toBe('dark')
  await press(page, 'command.undo')
  await expect(toast(page, 'Undone: Change the theme')).toBeVisible()
  await expect(page.locator('html')).not.toHaveClass(/dark/)
  expect(await nameOf(page, id)).toBe(`${name} one`)
  await press(page, 'command.redo')
  await expect(page.locator('html')).toHaveClass(/dark/)
  await press(page, 'command.undo')
  await expect(page.locator('html')).not.toHaveClass(/dark/)
})

test('the stack survives a reload, without a name in the browser’s storage', async ({ page }) => {
  const { id, name } = await client(page)
  await rename(page, `${name} one`)
  expect(await page.evaluate(() => sessionStorage.getItem('fieldwork.undo'))).not.toContain(name)
  await page.reload()
  await ready(page)
  await press(page, 'command.undo')
  await expect(toast(page, 'Undone: Rename client')).toBeVisible()
  expect(await nameOf(page, id)).toBe(name)
})

test('the stack ends with the session: the next user in this tab finds nothing to undo', async ({ page }) => {
  await login(page, 'admin', 'own')
  const { id, name } = await client(page)
  await rename(page, `${name} one`)
  await run(page, 'session.signOut')
  await expect(page).toHaveURL(/login/)
  expect(await page.evaluate(() => sessionStorage.getItem('fieldwork.undo'))).toBeNull()
  await login(page, 'admin', 'own')
  await open(page, 'client', { id }, { tab: 'details' })
  await press(page, 'command.undo')
  await expect(toast(page, 'Nothing to undo.')).toBeVisible()
  expect(await nameOf(page, id)).toBe(`${name} one`)
})

test('a step that can’t be undone is reported once, before the one behind it is undone', async ({ page }) => {
  const { id, name } = await client(page)
  await rename(page, `${name} one`)
  const before = await call(page, 'account.sessions')
  await run(page, 'account.endOtherSessions')
  await review(page)
  await expect(toast(page, /Signed out|signed out/i)).toBeVisible()
  expect(before.count).toBeGreaterThan(0)
  await press(page, 'command.undo')
  await expect(toast(page, '“Sign out everywhere else” can’t be undone.')).toContainText('Rename client')
  expect(await nameOf(page, id)).toBe(`${name} one`)
  await press(page, 'command.undo')
  await expect.poll(() => nameOf(page, id)).toBe(name)
})

test('an edit in place of a name that was blank is undone: it is blank again', async ({ page }) => {
  const email = `blank${Date.now()}@mail.test`
  const { data } = await call(page, 'user.invite', { email, role_id: 'admin', skip_invitation: true })
  await goTo(page, href('usersInfo', {}, { query: { search: email } } as never))
  await list(page)
  await keys(page, 'e')
  const cell = pane(page).locator('[role=row] input[type=text], [role=row] input:not([type=checkbox])').first()
  await expect(cell).toBeFocused()
  await page.keyboard.type('Ana')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await call(page, 'user.get', { id: data.id })).data.first_name).toBe('Ana')
  // The server may have it before this page does.
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('fieldwork.undo'))).toContain('"undo":[{')
  await page.keyboard.press('Escape')
  await expect(cell).toHaveCount(0)
  await press(page, 'command.undo')
  await expect.poll(async () => (await call(page, 'user.get', { id: data.id })).data.first_name).toBe('')
})
