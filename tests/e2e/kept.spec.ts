import type { Page } from '@playwright/test'
import { expect, test } from '../support/e2e.ts'
import { atProjects } from './columns.ts'
import { login } from './verbs.ts'

// What one test leaves behind and the next one gets: in order, in one worker.
test.describe.configure({ mode: 'serial' })
test.use({ keepPage: true })

const WIDTH = 1440
let left: Page
let heard = 0

test('a test signs in, stores, resizes, routes and listens', async ({ page, context }) => {
  left = page
  await login(page)
  await atProjects(page)
  await page.evaluate(async () => {
    localStorage.setItem('left', 'here')
    sessionStorage.setItem('left', 'here')
    window.name = 'left'
    const opening = indexedDB.open('left', 1)
    await new Promise((done) => (opening.onsuccess = done))
    await (await navigator.storage.getDirectory()).getDirectoryHandle('left', { create: true })
  })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.route('**/healthz*', (route) => route.fulfill({ body: 'routed' }))
  page.on('console', () => heard++)
  await context.setOffline(true)
  await context.newPage()
  await expect(page.locator('html')).toHaveClass(/dark/)
})

test('the next one gets the same page, and finds nothing of it', async ({ page, context }) => {
  expect(page).toBe(left)
  expect(context.pages()).toEqual([page])
  expect(await context.cookies()).toEqual([])
  await page.goto('/healthz?now')
  await expect(page.locator('body')).toContainText('ready')
  const before = heard
  const message = page.waitForEvent('console')
  const found = await page.evaluate(async () => {
    console.log('heard?')
    const folder = (await navigator.storage.getDirectory()) as unknown as { keys(): AsyncIterable<string> }
    const files: string[] = []
    for await (const name of folder.keys()) files.push(name)
    return {
      stored: [...Object.keys(localStorage), ...Object.keys(sessionStorage), window.name].join(''),
      files,
      databases: (await indexedDB.databases()).map(({ name }) => name),
      width: innerWidth,
      dark: matchMedia('(prefers-color-scheme: dark)').matches,
      online: navigator.onLine,
      history: history.length,
    }
  })
  await message
  expect(heard).toBe(before)
  expect(found).toEqual({
    stored: '',
    files: [],
    databases: [],
    width: WIDTH,
    dark: false,
    online: true,
    history: 2,
  })
})

test('a test gives its page a clock', async ({ page }) => {
  await page.clock.install()
  left = page
})

test('the next one gets another page', async ({ page }) => {
  expect(page).not.toBe(left)
})

test.describe('with other options', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('a test gets a page of its own', async ({ page }) => {
    expect(await page.evaluate(() => innerWidth)).toBe(390)
  })
})

test.describe('that needs a page nothing was ever sent to', () => {
  test.use({ keepPage: false })

  test('a test gets one', async ({ page }) => {
    expect(page.url()).toBe('about:blank')
  })
})
