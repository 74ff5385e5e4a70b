import type { Page } from '@playwright/test'
import { MESSAGES } from '../../contract/messages.ts'
import { cursorRow, dialog, keys, list, open, pane, press, toast } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'
import type { Portal } from '../support/portal.ts'

/*
 * The form for a new partner: its messages, its errors and how it reads pasted lines. Saving is tested end to end.
 */

const input = (page: Page, label: string | RegExp) => pane(page).getByLabel(label)
const sent = (api: Portal) => api.writes.filter(({ id }) => id === 'partner.create').map(({ input }) => input)

/** Pastes into the focused field. */
const paste = (page: Page, text: string) =>
  page.evaluate((text) => {
    const data = new DataTransfer()
    data.setData('text/plain', text)
    const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
    document.activeElement!.dispatchEvent(event)
  }, text)

test.beforeEach(async ({ page }) => {
  await open(page, 'newPartner')
  await expect(input(page, /Partner name/)).toBeFocused()
})

test('says what is wrong in the specification’s words, and sends nothing', async ({ page, api }) => {
  await input(page, 'Email').fill('nowhere')
  await input(page, 'Phone').fill('212')
  await press(page, 'form.send')
  for (const message of [MESSAGES.partnerName, MESSAGES.inviteEmail, MESSAGES.phoneLength])
    await expect(pane(page)).toContainText(message)
  await expect(input(page, /Partner name/)).toBeFocused()
  expect(sent(api)).toEqual([])
})

test('limits a phone number to ten digits, and refuses one of another country whole', async ({ page, api }) => {
  await page.keyboard.type('Zephyr')
  await input(page, 'Phone').fill('+49 170 1234567')
  await press(page, 'form.send')
  await expect(pane(page)).toContainText(MESSAGES.phoneLength)
  await input(page, 'Phone').fill('212 555 01009999')
  await press(page, 'form.send')
  await dialog(page, 'Partner created.')
  expect(sent(api)).toMatchObject([{ name: 'Zephyr', phone: '2125550100' }])
})

test('leads by Enter from its dialog to the list, with the cursor on the new partner', async ({ page }) => {
  await page.keyboard.type('Onyx Sample')
  await press(page, 'form.send')
  await dialog(page, 'Partner created.')
  await page.keyboard.press('Enter')
  await list(page)
  await expect(cursorRow(page)).toContainText('Onyx Sample')
})

test('shows a refusal by the server in a notice, or in a dialog after a click, and keeps what was typed', async ({
  page,
  api,
}) => {
  await page.route('**/v3/portal/partners', (route) =>
    route.fulfill({ status: 503, json: { message: 'The server is being updated.', code: 'unavailable', fields: {} } }),
  )
  await page.keyboard.type('Zephyr')
  await press(page, 'form.send')
  await expect(page.locator('[data-sonner-toast]')).toContainText('The server is being updated.')
  await pane(page).locator('[data-command="form.send"]').click()
  await expect(await dialog(page, 'The partner couldn’t be added')).toContainText('The server is being updated.')
  await page.keyboard.press('Enter')
  await expect(input(page, /Partner name/)).toHaveValue('Zephyr')
  // On a phone the button is in the bar at the bottom, outside the form.
  await page.setViewportSize({ width: 390, height: 800 })
  await page.locator('[data-main] button').first().click()
  await expect(await dialog(page, 'The partner couldn’t be added')).toContainText('The server is being updated.')
  expect(sent(api)).toEqual([])
})

test('pastes a single line as text', async ({ page }) => {
  await paste(page, 'One line, one@panel.test')
  await expect(pane(page).getByRole('region', { name: 'Pasted partners' })).toHaveCount(0)
})

test('shows pasted lines for review, and sends none before they are confirmed', { tag: '@quick' }, async ({ page, api }) => {
  await paste(page, 'Alto\talto@panel.test\nPanel North\nBass <bass@panel.test>\nCello; nowhere@x\n')
  const review = pane(page).getByRole('region', { name: 'Pasted partners' })
  await expect(review).toContainText('Add 3 partners?')
  await expect(review).toContainText(MESSAGES.inviteEmail)
  await keys(page, 'Tab')
  await page.keyboard.press('Enter')
  await expect(review).toHaveCount(0)
  expect(sent(api)).toEqual([])
})

test('adds the valid ones, and stays with those that were refused, each with its reason', async ({ page, api }) => {
  await paste(page, 'Alto, alto@panel.test\nPanel North, north@panel.test\n')
  const review = pane(page).getByRole('region', { name: 'Pasted partners' })
  await expect(review.getByRole('button', { name: /Add 2 partners/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(toast(page, '1 partner created.')).toBeVisible()
  await expect(review).toContainText('A partner named Panel North exists')
  expect(sent(api)).toEqual([{ name: 'Alto', email: 'alto@panel.test' }])
})
