import type { Page } from '@playwright/test'
import { expect, test } from '../support/e2e.ts'
import { call, list, login, open, palette, projects, run, search } from './verbs.ts'

/** Files and rows where this browser stores names. */
const storedKeys = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const names: string[] = []
    const root = await navigator.storage.getDirectory()
    const folder = await root.getDirectoryHandle('palette', { create: true })
    for await (const name of (folder as unknown as { keys: () => AsyncIterable<string> }).keys()) names.push(name)
    const opening = indexedDB.open('fieldwork-palette', 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore('index')
    const rows = await new Promise<IDBValidKey[]>((resolve, reject) => {
      opening.onerror = () => reject(opening.error)
      opening.onsuccess = () => {
        const asking = opening.result.transaction('index').objectStore('index').getAllKeys()
        asking.onsuccess = () => {
          opening.result.close()
          resolve(asking.result)
        }
      }
    })
    return [...names, ...rows.map(String)]
  })
const option = (page: Page, name: string) => palette(page).getByRole('option').filter({ hasText: name })

test('a second visit finds names before the server answers, then what changed since', async ({ page }) => {
  await login(page, 'admin', 'own')
  const [project] = await projects(page)
  await open(page, 'allProjects')
  await list(page)
  await search(page, project!.name)
  await expect(option(page, project!.name).first()).toBeVisible()
  await expect.poll(() => storedKeys(page)).toHaveLength(1)

  await page.goto('about:blank')
  const late = `Quagga ${Date.now()}`
  await call(page, 'client.create', { name: late })
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let asked = ''
  await page.route('**/palette/index*', async (route) => {
    asked = route.request().url()
    await held
    await route.continue()
  })
  await open(page, 'allProjects')
  await list(page)
  await search(page, project!.name)
  await expect(option(page, project!.name).first()).toBeVisible()
  await expect.poll(() => asked).toMatch(/since=\d+/)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(late)
  await expect(option(page, late)).toHaveCount(0)
  release()
  await expect(option(page, late)).toBeVisible()
})

test('the next visit reads stored names while its first list loads, before the page is idle', async ({ page }) => {
  await login(page, 'admin', 'own')
  await page.addInitScript('window.requestIdleCallback = () => 0')
  const [project] = await projects(page)
  const readers: string[] = []
  page.on('worker', (worker) => readers.push(worker.url()))
  await open(page, 'allProjects')
  await list(page)
  expect(readers, 'nothing is stored yet').toEqual([])
  await search(page, project!.name)
  await expect.poll(() => storedKeys(page)).toHaveLength(1)

  await page.goto('about:blank')
  readers.length = 0
  await open(page, 'allProjects')
  await list(page)
  await expect.poll(() => readers).toEqual([expect.stringMatching(/worker-/)])
  await search(page, project!.name)
  await expect(option(page, project!.name).first()).toBeVisible()
  expect(readers, 'the palette reads them no second time').toHaveLength(1)
})

test('a record renamed by somebody else is found by its new name', { tag: '@quick' }, async ({ page, context }) => {
  await login(page)
  await open(page, 'allProjects')
  await list(page)
  const fresh = `Okapi ${Date.now()}`
  await search(page, fresh)
  await expect(option(page, fresh)).toHaveCount(0)
  const other = await context.newPage()
  await call(other, 'client.create', { name: fresh })
  await expect(option(page, fresh)).toBeVisible()
})

test('a row’s text beside its name is found only by its new words, whoever changed it', async ({ page, context }) => {
  await login(page, 'admin', 'own')
  const other = await context.newPage()
  const stamp = Date.now()
  const [from, to] = [`Zebu${stamp}`, `Yak${stamp}`]
  const { data: home } = await call(other, 'client.create', { name: from })
  const { data: away } = await call(other, 'client.create', { name: `Xerus${stamp}` })
  const [project] = await projects(other)
  await call(other, 'project.edit', { id: project!.id, name: project!.name, description: '', client_id: home.id })
  await open(page, 'allProjects')
  await list(page)
  const found = option(page, project!.name)

  await search(page, `${from} project`)
  await expect(found.first()).toBeVisible()
  await call(other, 'client.edit', { id: home.id, name: to })
  await expect(found).toHaveCount(0)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(`${to} project`)
  await expect(found.first()).toBeVisible()

  await call(other, 'project.edit', { id: project!.id, name: project!.name, description: '', client_id: away.id })
  await expect(found).toHaveCount(0)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(`Xerus${stamp} project`)
  await expect(found.first()).toBeVisible()
})

test('signing out leaves no names in this browser', { tag: '@quick' }, async ({ page }) => {
  await login(page, 'client', 'own')
  const [project] = await projects(page)
  await open(page, 'allProjects')
  await list(page)
  await search(page, project!.name)
  await expect(option(page, project!.name).first()).toBeVisible()
  await expect.poll(() => storedKeys(page)).toHaveLength(1)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Escape')
  await run(page, 'session.signOut')
  await expect(page).toHaveURL(/login/)
  await expect.poll(() => storedKeys(page)).toEqual([])
})
