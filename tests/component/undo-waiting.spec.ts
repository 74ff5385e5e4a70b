import type { Page, Route } from '@playwright/test'
import { drawn, keys, list, open, palette, run, toast } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'
import type { Portal } from '../support/portal.ts'

// Undo pressed while a write is in flight waits for it, then reverts it.

/** Holds every write to an address until it is released, or gets another response. */
async function holding(page: Page, address: string) {
  const held: Route[] = []
  await page.route(address, (route) => (route.request().method() === 'GET' ? route.continue() : void held.push(route)))
  return {
    /** Waits until this many writes are in flight. */
    sent: (count = 1) => expect.poll(() => held.length).toBe(count),
    through: async () => {
      for (const route of held.splice(0)) await route.continue()
    },
    fails: () => held.shift()!.fulfill({ status: 500, json: { message: 'The disk is full.', code: 'broken', fields: {} } }),
  }
}
const CLIENTS = '**/v3/portal/clients'
const waits = (page: Page) => page.getByText(/Undo, once/).first()
const idOf = (api: Portal) => api.market.clients[0]!.id
const nameOf = async (api: Portal) => (await api.row('clients', idOf(api))).name
const ids = (api: Portal) => api.writes.map(({ id }) => id)

/** Renames the first client by a command; the write may be held. */
async function rename(page: Page, name: string): Promise<void> {
  await run(page, 'client.edit', name)
  await expect(palette(page)).toHaveCount(0)
}

test.beforeEach(async ({ page, api }) => {
  await open(page, 'client', { id: idOf(api) }, { tab: 'details' })
})

test('Undo during a form’s write works too, and Ctrl+Shift+Z after it waits for both', { tag: '@quick' }, async ({
  page,
  api,
}) => {
  const name = await nameOf(api)
  const writes = await holding(page, CLIENTS)
  const form = page.getByRole('form', { name: 'Rename' })
  await form.getByLabel('Name').fill('By the form')
  await form.getByLabel('Name').press('Enter')
  await writes.sent()
  // In the field, Ctrl+Z belongs to the field.
  await form.getByLabel('Name').blur()
  await page.keyboard.press('Control+z')
  await expect(waits(page)).toBeVisible()
  await page.keyboard.press('Control+Shift+z')
  await writes.through()
  await expect(toast(page, 'Redone: Rename client')).toBeVisible()
  expect(ids(api)).toEqual(['client.edit', 'undo.take', 'undo.redo'])
  expect(await nameOf(api)).not.toBe(name)
})

test('pressed twice, it also undoes the step before, in that order', async ({ page, api }) => {
  const name = await nameOf(api)
  await rename(page, 'First')
  await expect(toast(page, 'Client updated')).toBeVisible()
  const writes = await holding(page, CLIENTS)
  await rename(page, 'Second')
  await writes.sent()
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+z')
  await drawn(page)
  expect(ids(api)).toEqual(['client.edit'])
  await writes.through()
  await expect.poll(() => ids(api)).toEqual(['client.edit', 'client.edit', 'undo.take', 'undo.take'])
  expect(await nameOf(api)).toBe(name)
})

test('a write that fails is named, and the step before it stays', async ({ page, api }) => {
  await rename(page, 'First')
  await expect(toast(page, 'Client updated')).toBeVisible()
  const writes = await holding(page, CLIENTS)
  await rename(page, 'Second')
  await writes.sent()
  await page.keyboard.press('Control+z')
  await expect(waits(page)).toBeVisible()
  await writes.fails()
  const notice = toast(page, '“Rename client” wasn’t done, so nothing was undone.')
  await expect(notice).toContainText('The disk is full.')
  expect(ids(api)).toEqual(['client.edit'])
  expect(await nameOf(api)).toBe('First')
  // The next press undoes the step before.
  await page.keyboard.press('Control+z')
  await expect.poll(() => ids(api)).toEqual(['client.edit', 'undo.take'])
})

test('later steps stay', async ({ page, api }) => {
  const name = await nameOf(api)
  const writes = await holding(page, CLIENTS)
  await rename(page, 'Slow')
  await writes.sent()
  await page.keyboard.press('Control+z')
  await expect(waits(page)).toBeVisible()
  await keys(page, 'g p')
  await list(page)
  const notes = () => api.db.selectFrom('notes').selectAll().execute()
  const before = await notes()
  await run(page, 'note.create', 'Written later')
  await expect.poll(() => ids(api)).toEqual(['note.create'])
  await writes.through()
  await expect(toast(page, 'Undone: Rename client')).toBeVisible()
  expect(ids(api)).toEqual(['note.create', 'client.edit', 'undo.take'])
  expect(await nameOf(api)).toBe(name)
  expect(await notes()).toHaveLength(before.length + 1)
})

test('its Cancel stops waiting, and the sent write stays', { tag: '@quick' }, async ({ page, api }) => {
  const writes = await holding(page, CLIENTS)
  await rename(page, 'Kept')
  await writes.sent()
  await page.keyboard.press('Control+z')
  await expect(waits(page)).toBeVisible()
  await page.getByRole('button', { name: /^Cancel: Undo, once/ }).click()
  await expect(toast(page, 'Nothing was undone.')).toBeVisible()
  await writes.through()
  await expect(toast(page, 'Client updated')).toBeVisible()
  expect(await nameOf(api)).toBe('Kept')
})
