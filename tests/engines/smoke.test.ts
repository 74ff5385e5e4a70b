import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScratch } from '../support/scratch.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { type Engine, onPath } from './engine.ts'
import { startFirefox } from './firefox.ts'
import { startWebKit } from './webkit.ts'

/* Twelve scenarios in an engine that isn't Chromium, in order and in one page: what engines do differently. */

let server: TestServer
let page: Engine
beforeAll(async () => {
  const folder = openScratch('fieldwork-engine')
  server = await startServer({ DATA_DIR: join(folder, 'data'), DEMO: 'demo' }, undefined, 300)
  page =
    process.env.BROWSER === 'webkit'
      ? await startWebKit(onPath('WebKitWebDriver')!)
      : await startFirefox(onPath('firefox-esr', 'firefox')!)
}, 400_000)
afterAll(async () => {
  await page?.close()
  await server?.stop()
})

const ACTIVE = `document.querySelector('[data-column][data-active] section[role=tabpanel]:not([inert])')`
const words = () => page.read<string>(`(${ACTIVE}?.innerText ?? document.body.innerText)`)
const whole = () => page.read<string>('document.body.innerText')
const count = (selector: string) => page.read<number>(`document.querySelectorAll(${JSON.stringify(selector)}).length`)
const focused = () => page.read<string>(`document.activeElement.getAttribute('aria-label') ?? document.activeElement.tagName`)
const soon = <Value>(look: () => Promise<Value>) => expect.poll(look, { timeout: 20_000, interval: 100 })
const go = async (path: string) => {
  await page.go(server.url + path)
  await soon(() => count('[data-loading], [aria-busy=true]')).toBe(0)
}
const cursor = () =>
  page.read<string>(
    `document.getElementById(${ACTIVE}?.querySelector('[role$=grid]')?.getAttribute('aria-activedescendant'))?.innerText ?? ''`,
  )

test('signs in, and shows all projects', async () => {
  await page.go(`${server.url}/login`)
  await soon(focused).toBe('INPUT')
  await page.type('admin@fieldwork.test')
  await page.keys('Tab')
  await page.type('Fieldwork-1!')
  await page.keys('Enter')
  await soon(words).toMatch(/\d+ projects/)
  await soon(cursor).not.toBe('')
})

test('moves the cursor and selects by keys', async () => {
  const first = await cursor()
  await page.keys('j')
  await soon(cursor).not.toBe(first)
  await page.keys('x')
  await soon(words).toContain('1 selected')
  await page.keys('Escape')
  await soon(words).not.toContain('1 selected')
})

test('searches a list', async () => {
  await page.keys('/')
  await page.type('snack')
  await soon(() => page.read<string>('location.search')).toContain('search=snack')
  await page.keys('Escape Escape')
  await soon(() => page.read<string>('location.search')).not.toContain('snack')
})

test('opens a record, another beside it, and goes back', async () => {
  await page.keys('Enter')
  await soon(() => page.read<string>('location.pathname')).toContain('/project-info/')
  await page.keys('Alt+o')
  await soon(words).toMatch(/\d+ projects/)
  await soon(cursor).not.toBe('')
  await page.keys('o')
  await soon(() => count('[data-column]')).toBe(2)
  await page.keys('Alt+w')
  await soon(() => count('[data-column]')).toBe(1)
})

test('finds and opens a screen in the palette, typed at once', async () => {
  await page.keys('Control+k')
  await page.type('clients')
  await soon(() =>
    page.read<string>(`document.querySelector('[data-palette] [role=option][aria-selected=true]')?.innerText ?? ''`),
  ).toMatch(/Clients/)
  await page.keys('Enter')
  await soon(words).toMatch(/\d+ clients/)
})

test('draws every screen of the sidebar', async () => {
  const paths = await page.read<string[]>(
    `[...document.querySelectorAll('nav a[href^="/dashboard"]')].map((link) => link.getAttribute('href'))`,
  )
  expect(paths.length).toBeGreaterThan(15)
  for (const path of paths) {
    await go(path)
    expect(await whole(), path).not.toMatch(/stopped working|couldn’t be loaded/)
  }
}, 300_000)

test('reads a date by words', async () => {
  await go('/dashboard/new-project-form')
  const field = `[...${ACTIVE}.querySelectorAll('label')].find((label) => label.innerText.startsWith('Start'))?.control`
  await soon(() => page.read<boolean>(`Boolean(${field})`)).toBe(true)
  await page.read(`${field}.focus()`)
  await page.type('in two weeks')
  await page.keys('Tab')
  await soon(() => page.read<string>(`${field}.value`)).toMatch(/^\d\d\/\d\d\/\d{4}$/)
})

test('lets a text area grow', async () => {
  const field = `${ACTIVE}.querySelector('textarea')`
  await page.read(`${field}.focus()`)
  await page.type('one')
  const small = await page.read<number>(`${field}.offsetHeight`)
  for (let line = 0; line < 7; line++) {
    await page.keys('Enter')
    await page.type('more')
  }
  await soon(() => page.read<number>(`${field}.offsetHeight`)).toBeGreaterThan(small + 40)
})

test('copies a link at the first key', async () => {
  await go('/dashboard/clients')
  await soon(cursor).not.toBe('')
  await page.keys('y l')
  await soon(whole).toMatch(/Copied: http/)
  expect(await whole()).not.toContain('blocked copying')
})

test('shows the keys, and gives the focus back', async () => {
  await page.keys('?')
  await soon(whole).toContain('Keys and commands')
  await page.keys('Escape')
  await soon(focused).toBe('Clients')
})

test('draws charts and a map, or says why not', async () => {
  await go('/dashboard/all-projects')
  await soon(cursor).not.toBe('')
  await page.keys('Enter')
  await soon(() => page.read<string>('location.pathname')).toContain('/project-info/')
  await soon(() => page.read<number>(`${ACTIVE}.querySelectorAll('canvas, svg').length`)).toBeGreaterThan(1)
  expect(await whole()).not.toContain('stopped working')
})

test('hears what somebody else changed', async () => {
  await go('/dashboard/clients')
  await soon(whole).toContain('live')
  const answer = await fetch(`${server.url}/v3/portal/auth/sign_in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@fieldwork.test', password: 'Fieldwork-1!' }),
  })
  const named = ['access-token', 'token-type', 'client', 'expiry', 'uid'].map((name) => [name, answer.headers.get(name) ?? ''])
  const made = await fetch(`${server.url}/v3/portal/clients`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...Object.fromEntries(named) },
    body: JSON.stringify({ name: 'A Client From Elsewhere' }),
  })
  expect(made.status).toBeLessThan(300)
  await soon(words).toContain('A Client From Elsewhere')
})
