import { expect, type Locator, type Page } from '@playwright/test'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls, type Input, type Output } from '../../contract/calls.ts'
import { keymap } from '../../src/commands/keymap.ts'
import { href, type RouteId } from '../../src/routing/routes.ts'
import { type CommandId, commandOf } from '../support/commands.ts'

/** The log-ins of the demo marketplace. */
export const PEOPLE = { admin: 'admin@fieldwork.test', client: 'client@fieldwork.test' } as const
/** The password of both. */
export const PASSWORD = 'Fieldwork-1!'

type Cookies = Awaited<ReturnType<ReturnType<Page['context']>['cookies']>>
const sessions = new Map<string, Promise<Cookies>>()

/**
 * Signs in without the login's own screen: one session a person and server is shared by all tests of a worker, as sign-in is rate-limited.
 * A session of one's `own` is what another browser has. Nothing is opened yet; go on with `open` or `page.goto`.
 */
export async function login(
  page: Page,
  who: keyof typeof PEOPLE | { email: string; password?: string } = 'admin',
  session: 'shared' | 'own' = 'shared',
): Promise<void> {
  const { email, password } =
    typeof who === 'string' ? { email: PEOPLE[who], password: PASSWORD } : { password: PASSWORD, ...who }
  const base = new URL('/', await baseOf(page)).origin
  const key = `${base} ${email}`
  if (session === 'shared' && sessions.has(key)) {
    await page.context().addCookies(await sessions.get(key)!)
    if (await lasts(page)) return
    await page.context().clearCookies()
  }
  const opened = signIn(page, base, email, password)
  if (session === 'shared') sessions.set(key, opened)
  await page.context().addCookies(await opened)
}

/** Is this page's session there, and young enough among its user's? The eleventh sign-in of a user pushes their oldest session out. */
async function lasts(page: Page): Promise<boolean> {
  const answer = await page.request.get('/v3/portal/account/sessions', { headers: { 'x-fieldwork': 'workspace' } })
  if (!answer.ok()) return false
  const { data } = (await answer.json()) as Output<'account.sessions'>
  const mine = data.find((session) => session.current)!
  return data.filter(({ id }) => id > mine.id).length < 4
}

async function signIn(page: Page, base: string, email: string, password: string): Promise<Cookies> {
  const answer = await page.request.post(`${base}/v3/portal/auth/sign_in`, {
    headers: { 'x-fieldwork': 'workspace' },
    data: { email, password, remember_cookie: true },
  })
  expect(answer.status(), await answer.text()).toBe(200)
  return (await page.context().cookies()).filter((cookie) => base.includes(cookie.domain))
}

/** The server of this page: where it is, else what its context was made for. */
async function baseOf(page: Page): Promise<string> {
  if (/^http/.test(page.url())) return page.url()
  return (await page.request.get('/healthz')).url()
}

/** Calls the API as the user signed in on this page, as the workspace would; fails the test if it is refused. */
export async function call<Id extends CallId>(page: Page, id: Id, input: Partial<Input<Id>> = {}): Promise<Output<Id>> {
  const { method, path } = calls[id] as Call
  const rest: Record<string, unknown> = { ...input }
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name])
    delete rest[name]
    return encodeURIComponent(value)
  })
  const asked = method === 'GET' ? { params: rest as Record<string, string> } : { data: rest }
  const answer = await page.request.fetch(url, { method, headers: { 'x-fieldwork': 'workspace' }, ...asked })
  expect(answer.ok(), `${id}: ${answer.status()} ${(await answer.text()).slice(0, 300)}`).toBe(true)
  return (await answer.json()) as Output<Id>
}

/** Returns `GET path` as the user signed in on this page, for paths that the calls table does not have. */
export async function read<T = { data: never }>(page: Page, path: string): Promise<T> {
  const answer = await page.request.get(path, { headers: { 'x-fieldwork': 'workspace' } })
  expect(answer.status(), `${path}: ${await answer.text()}`).toBe(200)
  return (await answer.json()) as T
}

export type ProjectRow = Output<'project.list'>['data'][number]
/** The v3 projects of the demo as their list has them, newest first; `status` narrows them (Active, Pending …). */
export const projects = async (page: Page, status?: string): Promise<ProjectRow[]> =>
  (await call(page, 'project.list', status ? { status } : {})).data

/** A v3 project to which something may be done, of a status where that is likely. */
export async function projectFor(page: Page, id: CommandId, status?: string): Promise<ProjectRow> {
  const found = (await projects(page, status)).find((row) => row.allowed_actions.includes(id))
  if (!found) throw new Error(`No project of the demo allows ${id}`)
  return found
}

/** The pane with the focus. */
export const pane = (page: Page): Locator => page.locator('[data-column][data-active] section[role=tabpanel]:not([inert])')
/** The pane that shows in a column, counted from 1. */
export const column = (page: Page, at: number): Locator =>
  page.locator(`[data-column="${at}"] section[role=tabpanel]:not([inert])`)
/** The columns that are open. */
export const columns = (page: Page): Locator => page.locator('[data-column]')
/** The row under the cursor of the active list. */
export const cursorRow = (page: Page): Locator => pane(page).locator('[role=row][data-cursor]')

/** Opens a screen of the routes table by its address, and waits until it shows something. */
export async function open<Id extends RouteId>(page: Page, ...screen: Parameters<typeof href<Id>>): Promise<void> {
  await goTo(page, href(...screen))
}

/** Opens an address, and waits until its pane shows something. */
export async function goTo(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await ready(page)
}

/** In the page: looks at each frame, where `expect` looks after a tenth, a quarter, a half of a second; for ten seconds at most. */
async function untilLoaded(): Promise<void> {
  const until = performance.now() + 10_000
  for (;;) {
    const panes = [...document.querySelectorAll('section[role=tabpanel]:not([inert])')]
    if (panes.length && panes.every((one) => /\S/.test(one.textContent ?? '') && !one.querySelector('[data-loading]'))) return
    if (performance.now() > until) return
    await new Promise((next) => requestAnimationFrame(next))
  }
}

/** Waits until every pane in sight has something to show, and none of them still loads (what loads says so only after a moment, but is marked at once). */
export async function ready(page: Page): Promise<void> {
  // By element: behind a palette that a link has opened it has no role.
  await expect(page.locator('main').first()).toBeVisible({ timeout: 20_000 })
  await page.evaluate(untilLoaded).catch(() => {}) // it was led on meanwhile: what follows waits for what is there then
  const panes = page.locator('section[role=tabpanel]:not([inert])')
  const waiting = () =>
    panes.evaluateAll((all) =>
      all.length
        ? all.filter((one) => !/\S/.test(one.textContent ?? '') || one.querySelector('[data-loading]')).length
        : 'no pane',
    )
  await expect.poll(waiting, { message: 'panes that still load', timeout: 20_000 }).toBe(0)
}

/** Waits until the active list has rows and the focus, so that its keys work. */
export async function list(page: Page): Promise<Locator> {
  // Both are looked for at each frame.
  await cursorRow(page).waitFor({ timeout: 20_000 })
  await pane(page).locator(':focus').waitFor({ state: 'attached' })
  await expect(pane(page).locator(':focus')).toHaveCount(1)
  return cursorRow(page)
}

/** Waits until what was pressed is drawn: of keys that come in one frame the list shows the first at once, and their sum with the next. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}

/** The keys of a command, from the keymap: `pane` names a context that is asked first. */
export function keysOf(id: CommandId, context?: keyof typeof keymap): string {
  const contexts = [...(context ? [context] : []), ...(Object.keys(keymap) as (keyof typeof keymap)[])]
  for (const one of contexts) {
    const found = Object.entries(keymap[one]).find(([, command]) => command === id)
    if (found) return found[0]
  }
  throw new Error(`${id} has no key in the keymap`)
}

/** Presses the keys of a command, as a person would. */
export async function press(page: Page, id: CommandId, context?: keyof typeof keymap): Promise<void> {
  await keys(page, keysOf(id, context))
}

/** Presses keys as the keymap writes them: `g p`, `Mod+k`, `Shift+g`. */
export async function keys(page: Page, sequence: string): Promise<void> {
  for (const chord of sequence.split(' ')) {
    const parts = chord.replace('Mod', 'Control').split(/\+(?!$)/)
    const last = parts.at(-1)!
    if (parts.includes('Shift') && /^[a-z]$/.test(last)) parts[parts.length - 1] = last.toUpperCase()
    await page.keyboard.press(parts.join('+'))
  }
}

/** The palette. */
export const palette = (page: Page): Locator => page.locator('[data-palette]')
/** The palette's field. */
export const field = (page: Page): Locator => palette(page).getByRole('combobox')
/** The palette's rows; of one command with `id`. */
export const rows = (page: Page, id?: CommandId): Locator =>
  palette(page).locator(id ? `[role=option][data-command="${id}"]` : '[role=option]')
/** The row that Enter would take. */
export const selected = (page: Page): Locator => palette(page).locator('[role=option][aria-selected=true]')

/** Waits until a screen reader is told the row of the palette that Enter would take. */
export const named = (page: Page): Promise<void> =>
  expect
    .poll(() =>
      field(page).evaluate((field) => {
        const row = document.getElementById(field.getAttribute('aria-activedescendant') ?? '')
        const chosen = document.querySelectorAll('[data-palette] [role=option][aria-selected=true]')
        return row !== null && chosen.length === 1 && chosen[0] === row
      }),
    )
    .toBe(true)

/** Opens the palette, and types into it. */
export async function search(page: Page, text = ''): Promise<void> {
  await page.keyboard.press('Control+k')
  await field(page).and(page.locator(':focus')).waitFor()
  await expect(field(page)).toBeFocused()
  if (text) await page.keyboard.type(text)
}

/** Runs a command from the palette by its title, giving each answer as it is typed, and stops at its review where it has one. */
export async function run(page: Page, id: CommandId, ...answers: string[]): Promise<void> {
  const title = commandOf(id).title.replace(/…$/, '')
  await search(page, title)
  // Letters that came before the field are played into it one by one.
  await expect(field(page)).toHaveValue(title)
  await select(page, rows(page, id))
  const browsing = await asks(page)
  await page.keyboard.press('Enter')
  // It asks, or is gone; what is typed earlier is kept for its questions, but a Ctrl+Enter would be the list's.
  await expect.poll(() => asks(page), { message: `what ${id} asks` }).not.toBe(browsing)
  for (const answer of answers) {
    await expect(field(page)).toBeFocused()
    const before = await asks(page)
    await page.keyboard.type(answer)
    // Letters that came before the field are played into it one by one.
    await expect(field(page)).toHaveValue(answer)
    await expect(palette(page).locator('[data-reading]')).toHaveCount(0)
    await expect(selected(page)).toHaveCount(1)
    const typed = await asks(page)
    await page.keyboard.press('Enter')
    // The next question, an answer that was taken, a refusal, or the end of it.
    const after = async () => ((await palette(page).getByRole('alert').count()) ? 'refused' : await asks(page))
    await expect.poll(after, { message: `what comes after ${before}` }).not.toBe(typed)
  }
}

/** The question and content of the palette's field; null if there is none, or the page is unloading. */
const asks = (page: Page): Promise<string | null> =>
  page
    .evaluate(() => {
      const field = document.querySelector<HTMLInputElement>('[data-palette] [role=combobox]')
      return field && `${field.ariaLabel}: ${field.value}`
    })
    .catch((error: Error) => {
      if (/context was destroyed/.test(error.message)) return null
      throw error
    })

/** Moves the palette's selection down to a visible row with the arrow key. */
export async function select(page: Page, row: Locator): Promise<void> {
  await expect(row.first()).toBeVisible()
  const chosen = row.and(selected(page))
  for (let at = 0; at < 20 && !(await chosen.count()); at++) {
    await page.keyboard.press('ArrowDown')
    await drawn(page)
  }
  await expect(chosen).toHaveCount(1)
}

/**
 * Waits for the review and what it says, and presses Enter: its first line is selected, and its field has the focus and is drawn. An Enter that comes
 * before somebody can have seen it confirms nothing.
 */
export async function review(page: Page, says: string | RegExp = 'This can’t be undone.'): Promise<void> {
  await expect(selected(page)).toHaveAttribute('data-row', 'go')
  await expect(palette(page)).toContainText(says)
  await expect(field(page)).toBeFocused()
  await drawn(page)
  await page.keyboard.press('Enter')
}

/** Takes a line of the menu that is open: what opens gives the focus to its first line, and takes it from another that had it sooner. */
export async function choose(page: Page, name: string | RegExp): Promise<void> {
  await expect(page.locator('[role=menu]:focus-within')).toHaveCount(1)
  await drawn(page)
  await page.getByRole('menu').locator('[role^=menuitem]').filter({ hasText: name }).press('Enter')
}

/** Waits until what opened by itself can have been seen: keys that come sooner were meant for what was there before. */
export const noticed = (page: Page): Promise<void> => expect(page.locator('body[data-unseen]')).toHaveCount(0)

/** Waits until a dialog is open and has the focus: what opens takes it, also from one of its buttons that had it sooner. */
export async function dialog(page: Page, name?: string | RegExp): Promise<Locator> {
  const opened = page.getByRole('dialog', name === undefined ? {} : { name })
  await expect(opened.locator(':focus')).toHaveCount(1)
  await drawn(page)
  await noticed(page)
  return opened
}

/** Gives the answer of the dialog that is open, by keyboard. */
export async function answer(page: Page, text: string, name?: string | RegExp): Promise<void> {
  await (await dialog(page, name)).getByRole('button', { name: text }).press('Enter')
}

/** Marks the notices that are there, so that `toast` finds only those that come after. */
export const seen = (page: Page): Promise<void> =>
  page.locator('[data-sonner-toast]').evaluateAll((all) => {
    for (const one of all) one.setAttribute('data-seen', '')
  })

/** A sentence said at the edge of the page. */
export const toast = (page: Page, text: string | RegExp): Locator =>
  page.locator('[data-sonner-toast]:not([data-seen])').filter({ hasText: text })

/** What the page's clipboard holds; the test must have allowed it (`permissions: ['clipboard-read', 'clipboard-write']`). */
export const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
