import type { Page } from '@playwright/test'
import { expect, test } from '../support/e2e.ts'
import { call, goTo, list, login, open, PASSWORD, PEOPLE, pane, projectFor, ready, run } from './verbs.ts'

/** Everything a script on this page can read: both stores, and the name index. */
const readable = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const databases = await indexedDB.databases()
    const rows: unknown[] = []
    for (const { name } of databases) {
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const asked = indexedDB.open(name!)
        asked.onsuccess = () => resolve(asked.result)
        asked.onerror = () => reject(asked.error)
      })
      for (const store of db.objectStoreNames) {
        const read = db.transaction(store).objectStore(store).getAll()
        rows.push(await new Promise((resolve) => (read.onsuccess = () => resolve(read.result))))
      }
      db.close()
    }
    return JSON.stringify([{ ...sessionStorage }, { ...localStorage }, rows])
  })

async function signInHere(page: Page, email: string): Promise<void> {
  await page.getByLabel('Username (email)').fill(email)
  await page.getByLabel(/^Password/).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard\//)
  await ready(page)
}

test('the next user in this tab can read no record name of the last one', { tag: '@quick' }, async ({ page }) => {
  await login(page, 'admin', 'own')
  const { data: client } = await call(page, 'client.create', { name: `Confidential Cheese ${Date.now()}` })
  await open(page, 'client', { id: client.id }, { tab: 'details' })
  await expect(pane(page).getByRole('heading', { level: 1, name: client.name })).toBeVisible()
  await expect.poll(() => readable(page)).toContain(client.name)

  await run(page, 'session.signOut')
  await expect(page).toHaveURL(/login/)
  expect(await readable(page)).not.toContain(client.name)

  await signInHere(page, PEOPLE.client)
  expect(await readable(page)).not.toContain(client.name)
  // A tab on the same record shows only what this user may see.
  await goTo(page, `/dashboard/client-info/${client.id}/details`)
  await expect(page.getByText('Confidential Cheese')).toHaveCount(0)
})

test('a session that ends unnoticed leaves no name either, and a user’s own tabs keep theirs over a reload', async ({ page }) => {
  await login(page, 'admin', 'own')
  const project = await projectFor(page, 'project.edit')
  await open(page, 'project', { id: project.id }, { tab: 'history' })
  await expect(page.getByRole('tab', { name: project.name }).first()).toBeVisible()
  await page.reload()
  await ready(page)
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('fieldwork.names') ?? '')).toContain(project.name)
  await page.context().clearCookies()
  await page.reload()
  await expect(page).toHaveURL(/login/)
  expect(await page.evaluate(() => sessionStorage.getItem('fieldwork.names'))).toBeNull()
  await signInHere(page, PEOPLE.client)
  await open(page, 'allProjects')
  await list(page)
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain(`"names":{"project:${project.id}`)
})
