import type { Page } from '@playwright/test'
import { MESSAGES } from '../../contract/messages.ts'
import { href } from '../../src/routing/routes.ts'
import { type test as base, expect } from '../support/e2e.ts'
import {
  call,
  cursorRow,
  field,
  keys,
  list,
  login,
  open,
  palette,
  pane,
  press,
  review,
  rows,
  search,
  select,
  toast,
  visit,
} from './verbs.ts'

/* Notifications by keyboard: written, edited, sent and withdrawn, sent for good; then read in an inbox. */

const unread = (page: Page) => page.getByTestId('unread')
/** Moves the cursor to the row with this text. */
async function toRow(page: Page, text: string): Promise<void> {
  await list(page)
  await expect(pane(page).getByRole('row', { name: text })).toBeVisible()
  await keys(page, 'g g')
  for (let at = 0; at < 30 && !(await cursorRow(page).filter({ hasText: text }).count()); at++) {
    const before = await cursorRow(page).textContent()
    await page.keyboard.press('j')
    await expect(cursorRow(page)).not.toHaveText(before ?? '')
  }
  await expect(cursorRow(page)).toContainText(text)
}
/** Types an answer in the palette. */
async function say(page: Page, label: string, text: string): Promise<void> {
  await expect(field(page)).toHaveAttribute('aria-label', new RegExp(label))
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

/** A draft created by a call, for tests that start later. */
async function draft(page: Page): Promise<{ id: number; name: string }> {
  const name = `Holiday hours ${Date.now()}`
  const url = 'https://hours.fieldwork.example/friday'
  const { data } = await call(page, 'notification.create', { name, message: 'Closed on Friday.', message_action: 'web', url })
  return { id: data.id, name }
}

/** Adds the tests to a file, whose options choose the server's engine. */
export function notificationFlow(test: typeof base, engine: string): void {
  test(`a notification is written and changed, by keyboard, on ${engine}`, async ({ page }) => {
    const name = `Holiday hours ${Date.now()}`
    await login(page, 'admin')

    await test.step('a draft is written with its keys, and needs a message', async () => {
      await open(page, 'notifications')
      await list(page)
      await press(page, 'notification.create')
      await say(page, 'Name', name)
      await expect(field(page)).toHaveAttribute('aria-label', /Message/)
      await page.keyboard.press('Control+Enter')
      await expect(palette(page).getByRole('alert')).toContainText(MESSAGES.notificationMessage)
      await page.keyboard.type('Closed on Friday.')
      await page.keyboard.press('Control+Enter')
      await expect(palette(page).getByRole('option', { name: /^Feed/ })).toBeVisible()
      await page.keyboard.press('Enter')
      await expect(toast(page, `Notification “${name}” created`)).toBeVisible()
      await expect(pane(page).getByRole('complementary', { name: 'Notification' })).toContainText('Closed on Friday.')
    })

    await test.step('e edits its row in place, where a link makes the action web', async () => {
      await visit(page, href('notifications', {}, { query: { search: name } }))
      await toRow(page, name)
      const stored = async () => (await call(page, 'notification.list', { search: name })).data[0]!
      await press(page, 'list.edit')
      await expect(pane(page).getByRole('textbox', { name: 'Name' })).toHaveValue(name)
      await page.keyboard.press('Tab')
      await expect(pane(page).getByRole('textbox', { name: 'Message' })).toBeFocused()
      await page.keyboard.type('Closed')
      await page.keyboard.press('Shift+Enter')
      await page.keyboard.type('on Friday.')
      await page.keyboard.press('Tab')
      await expect(pane(page).getByRole('combobox', { name: 'Action' })).toBeFocused()
      await page.keyboard.press('Tab')
      await expect(pane(page).getByRole('textbox', { name: 'Link' })).toBeFocused()
      await page.keyboard.type('not an address')
      await page.keyboard.press('Enter')
      await expect(pane(page).getByRole('alert')).toHaveText(MESSAGES.notificationUrlWrong)
      await page.keyboard.press('Control+a')
      await page.keyboard.type('https://hours.fieldwork.example/')
      await page.keyboard.press('Enter')
      await expect.poll(stored).toMatchObject({ message: 'Closed\non Friday.', message_action: 'web' })
      await expect(pane(page).getByRole('textbox')).toHaveCount(0)
      // Until the answer has come, the row has the action of before, and the arrows would begin there.
      await expect(cursorRow(page)).toContainText('Web')
      await press(page, 'list.edit')
      await expect(pane(page).getByRole('textbox', { name: 'Name' })).toBeFocused()
      await page.keyboard.press('Tab')
      await expect(pane(page).getByRole('textbox', { name: 'Message' })).toBeFocused()
      await page.keyboard.press('Tab')
      await expect(pane(page).getByRole('combobox', { name: 'Action' })).toBeFocused()
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('Enter')
      await expect.poll(stored).toMatchObject({ message_action: 'feed', url: '' })
    })

    await test.step('its form has the rest, and requires an address of a web action, too', async () => {
      await press(page, 'notification.edit')
      const form = pane(page)
      await expect(form.getByRole('heading', { name: 'Edit notification' })).toBeVisible()
      await form.getByRole('radio', { name: 'Web' }).press('Space')
      await press(page, 'form.send')
      await expect(form.getByText(MESSAGES.notificationUrl).first()).toBeVisible()
      await form.getByLabel('Link *').focus()
      await page.keyboard.type('https://hours.fieldwork.example/friday')
      await expect(form.getByRole('article', { name: 'In the inbox' })).toContainText(
        'Opens hours.fieldwork.example in a new tab',
      )
      await press(page, 'form.send')
      await expect
        .poll(async () => (await call(page, 'notification.list', { search: name })).data[0]!.url)
        .toBe('https://hours.fieldwork.example/friday')
    })
  })

  test(`a notification is sent, undone, sent again and read in an inbox, by keyboard, on ${engine}`, async ({ page }) => {
    test.setTimeout(120_000)
    await login(page, 'admin')
    const { id, name } = await draft(page)

    await test.step('sending counts the audience first, and undo stops it', async () => {
      await open(page, 'notifications', {}, { query: { search: name } })
      await toRow(page, name)
      const { audience } = (await call(page, 'notification.audience')).data
      await press(page, 'notification.send')
      await review(page, `Send “${name}” to ${audience} people?`)
      await expect(cursorRow(page)).toContainText('Sending')
      await press(page, 'command.undo')
      await expect(cursorRow(page)).toContainText('Draft')
    })

    await test.step('sent again, its row shows by itself that it is sent', async () => {
      await press(page, 'notification.send')
      await review(page, `Send “${name}”`)
      await expect(cursorRow(page)).toContainText('Sending')
      // It is sent after eight seconds.
      await expect(cursorRow(page)).toContainText('Sent', { timeout: 30_000 })
      await press(page, 'list.edit')
      await expect(toast(page, 'It is sent. Copy it to send a changed one.')).toBeVisible()
      await expect(pane(page).getByRole('textbox', { name: 'Name' })).toHaveCount(0)
    })

    await test.step('the bell and the palette count it', async () => {
      await login(page, 'client')
      await open(page, 'allProjects')
      const before = (await call(page, 'notice.unread')).data.unread
      await expect(unread(page)).toHaveText(String(before))
      await search(page, 'Inbox')
      await expect(rows(page, 'go.inbox')).toContainText(`Inbox · ${before} unread`)
      await select(page, rows(page, 'go.inbox'))
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/inbox/)
    })

    await test.step('it is marked as read and unread, opened, and read with all others', async () => {
      const before = (await call(page, 'notice.unread')).data.unread
      await toRow(page, name)
      const preview = pane(page).getByRole('complementary', { name: 'Notification' })
      await expect(preview).toContainText('Opens hours.fieldwork.example in a new tab')
      await press(page, 'list.down')
      await expect(cursorRow(page)).not.toContainText(name)
      await press(page, 'list.up')
      await expect(cursorRow(page)).toContainText(name)
      await press(page, 'notice.read')
      await expect(unread(page)).toHaveText(String(before - 1))
      await press(page, 'notice.toggleRead')
      await expect(unread(page)).toHaveText(String(before))
      const opening = page.context().waitForEvent('page')
      await press(page, 'notice.open')
      await (await opening).close()
      await expect(unread(page)).toHaveText(String(before - 1))
      await press(page, 'notice.readAll')
      await expect(unread(page)).toHaveCount(0)
      await press(page, 'command.undo')
      await expect(unread(page)).toHaveText(String(before - 1))
    })

    await test.step('deleted by an administrator, it disappears from the open inbox', async () => {
      const other = await page
        .context()
        .browser()!
        .newContext({ baseURL: new URL(page.url()).origin })
      const admin = await other.newPage()
      await login(admin, 'admin')
      await call(admin, 'notification.remove', { id })
      await expect(pane(page).getByRole('row', { name })).toHaveCount(0)
      await other.close()
    })
  })
}
