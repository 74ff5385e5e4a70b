import { expect, type Locator, type Page } from '@playwright/test'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls, type Input, type Output } from '../../contract/calls.ts'
import { keymap } from '../../src/commands/keymap.ts'
import { href, type RouteId } from '../../src/routing/routes.ts'
import { type CommandId, commandOf } from '../support/commands.ts'

/** The demo marketplace's accounts. */
export const PEOPLE = { admin: 'admin@fieldwork.test', client: 'client@fieldwork.test' } as const
/** The password of both. */
export const PASSWORD = 'Fieldwork-1!'

type Cookies = Awaited<ReturnType<ReturnType<Page['context']>['cookies']>>
const sessions = new Map<string, Promise<Cookies>>()

/**
 * Signs in without the login screen, with one session per user and server, as sign-in is rate-limited.
 * `own` opens a separate session, like another browser. Opens no page; continue with `open` or `page.goto`.
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

/** True if this page's session is alive and recent: a user's eleventh sign-in ends their oldest session. */
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

/** The server of this page, or of its context before it has one. */
async function baseOf(page: Page): Promise<string> {
  if (/^http/.test(page.url())) return page.url()
  return (await page.request.get('/healthz')).url()
}

/** Makes a call as the user signed in on this page; fails the test if it is refused. */
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

/** Returns `GET path` as the user signed in on this page, for paths outside the calls table. */
export async function read<T = { data: never }>(page: Page, path: string): Promise<T> {
  const answer = await page.request.get(path, { headers: { 'x-fieldwork': 'workspace' } })
  expect(answer.status(), `${path}: ${await answer.text()}`).toBe(200)
  return (await answer.json()) as T
}

export type ProjectRow = Output<'project.list'>['data'][number]
/** The demo's v3 projects as listed, newest first; `status` narrows them (Active, Pending …). */
export const projects = async (page: Page, status?: string): Promise<ProjectRow[]> =>
  (await call(page, 'project.list', status ? { status } : {})).data

/** All of them, including those that a worker's other tests have pushed off the list's first page. */
export const allProjects = async (page: Page, status?: string): Promise<ProjectRow[]> =>
  (await call(page, 'project.list', { per_page: 500, ...(status ? { status } : {}) })).data

/** Projects with completes, those in field first; a worker's other tests add projects without any at the top. */
export async function withFigures(page: Page): Promise<ProjectRow[]> {
  const data = await allProjects(page)
  const rows = data.filter((row) => row.delivered > 0)
  return [...rows.filter(({ status }) => status === 'Active'), ...rows.filter(({ status }) => status !== 'Active')]
}

/** A v3 project that allows a command, in a likely status. */
export async function projectFor(page: Page, id: CommandId, status?: string): Promise<ProjectRow> {
  const rules = [commandOf(id).rule ?? id].flat()
  const found = (await allProjects(page, status)).find((row) => rules.some((rule) => row.allowed_actions.includes(rule)))
  if (!found) throw new Error(`No project of the demo allows ${id}`)
  return found
}

/** The focused pane. */
export const pane = (page: Page): Locator => page.locator('[data-column][data-active] section[role=tabpanel]:not([inert])')
/** A column's visible pane, counted from 1. */
export const column = (page: Page, at: number): Locator =>
  page.locator(`[data-column="${at}"] section[role=tabpanel]:not([inert])`)
/** The open columns. */
export const columns = (page: Page): Locator => page.locator('[data-column]')
/** The cursor's row in the active list. */
export const cursorRow = (page: Page): Locator => pane(page).locator('[role=row][data-cursor]')

/** Opens a screen of the routes table, and waits until it shows something. */
export async function open<Id extends RouteId>(page: Page, ...screen: Parameters<typeof href<Id>>): Promise<void> {
  await goTo(page, href(...screen))
}

/** Opens an address, and waits until its pane shows something. */
export async function goTo(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await ready(page)
}

/**
 * Goes to an address within the loaded workspace, as Back would, and waits until its panes show something.
 * A third of the work of loading the page; for tests of what a screen shows, not of how its address loads.
 */
export async function visit(page: Page, address: string): Promise<void> {
  const { wanted, shown } = await page.evaluate(goWithin, address)
  expect(shown, `the screens that ${address} opens`).toBe(wanted)
  await ready(page)
}

/** Runs in the page: goes to an address; returns its screens and the new ones, once equal or after ten seconds. */
async function goWithin(address: string): Promise<{ wanted: string; shown: string }> {
  const all = () => [...document.querySelectorAll('section[role=tabpanel]:not([inert]) > [data-path]')]
  // Another address opens new panes, even of the same screen.
  const old = new Set(location.pathname + location.search === address ? [] : all())
  history.pushState(null, '', address)
  dispatchEvent(new PopStateEvent('popstate'))
  const until = performance.now() + 10_000
  const { pathname, searchParams } = new URL(address, location.href)
  const wanted = [pathname, ...searchParams.getAll('beside').map((path) => `/dashboard${path.split(';')[0]}`)].join()
  for (;;) {
    const shown = all()
      .map((one) => (old.has(one) ? 'the old pane' : one.getAttribute('data-path')))
      .join()
    if (shown === wanted || performance.now() > until) return { wanted, shown }
    await new Promise((next) => requestAnimationFrame(next))
  }
}

/** Runs in the page: checks every frame for at most ten seconds, because `expect` polls more slowly. */
async function untilLoaded(): Promise<void> {
  const until = performance.now() + 10_000
  for (;;) {
    const panes = [...document.querySelectorAll('section[role=tabpanel]:not([inert])')]
    if (panes.length && panes.every((one) => /\S/.test(one.textContent ?? '') && !one.querySelector('[data-loading]'))) return
    if (performance.now() > until) return
    await new Promise((next) => requestAnimationFrame(next))
  }
}

/** Waits until every visible pane has content and none is loading, which is marked before it shows. */
export async function ready(page: Page): Promise<void> {
  // By element: behind a palette opened by a link it has no role.
  await expect(page.locator('main').first()).toBeVisible({ timeout: 20_000 })
  // It navigated meanwhile; what follows waits for the new content.
  await page.evaluate(untilLoaded).catch(() => {})
  const panes = page.locator('section[role=tabpanel]:not([inert])')
  const waiting = () =>
    panes.evaluateAll((all) =>
      all.length
        ? all.filter((one) => !/\S/.test(one.textContent ?? '') || one.querySelector('[data-loading]')).length
        : 'no pane',
    )
  await expect.poll(waiting, { message: 'panes that still load', timeout: 20_000 }).toBe(0)
}

/** Waits until the active list has rows and the focus, so its keys work. */
export async function list(page: Page): Promise<Locator> {
  // Both are checked every frame.
  await cursorRow(page).waitFor({ timeout: 20_000 })
  await pane(page).locator(':focus').waitFor({ state: 'attached' })
  await expect(pane(page).locator(':focus')).toHaveCount(1)
  return cursorRow(page)
}

/** Waits for a render: of several keys in a frame, the list shows the first at once and the rest with the next. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}

/** A command's keys from the keymap; `context` names a context to try first. */
export function keysOf(id: CommandId, context?: keyof typeof keymap): string {
  const contexts = [...(context ? [context] : []), ...(Object.keys(keymap) as (keyof typeof keymap)[])]
  for (const one of contexts) {
    const found = Object.entries(keymap[one]).find(([, command]) => command === id)
    if (found) return found[0]
  }
  throw new Error(`${id} has no key in the keymap`)
}

/** Presses a command's keys. */
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
/** The palette's rows; with `id`, those of one command. */
export const rows = (page: Page, id?: CommandId): Locator =>
  palette(page).locator(id ? `[role=option][data-command="${id}"]` : '[role=option]')
/** The row that Enter would choose. */
export const selected = (page: Page): Locator => palette(page).locator('[role=option][aria-selected=true]')

/** Waits until screen readers are given the row that Enter would choose. */
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

/** Runs a command from the palette by title, typing each answer; stops at its review if there is one. */
export async function run(page: Page, id: CommandId, ...answers: string[]): Promise<void> {
  const title = commandOf(id).title.replace(/…$/, '')
  await search(page, title)
  // Letters typed before the field opened are replayed one by one.
  await expect(field(page)).toHaveValue(title)
  await select(page, rows(page, id))
  const browsing = await asks(page)
  await page.keyboard.press('Enter')
  // The palette asks a question or is gone; earlier keys are buffered for it, but a Ctrl+Enter would go to the list.
  await expect.poll(() => asks(page), { message: `what ${id} asks` }).not.toBe(browsing)
  for (const answer of answers) {
    await expect(field(page)).toBeFocused()
    const before = await asks(page)
    await page.keyboard.type(answer)
    // Letters typed before the field opened are replayed one by one.
    await expect(field(page)).toHaveValue(answer)
    await expect(palette(page).locator('[data-reading]')).toHaveCount(0)
    await expect(selected(page)).toHaveCount(1)
    const typed = await asks(page)
    await page.keyboard.press('Enter')
    // The next question, an accepted answer, an error, or the end.
    const after = async () => ((await palette(page).getByRole('alert').count()) ? 'refused' : await asks(page))
    await expect.poll(after, { message: `what comes after ${before}` }).not.toBe(typed)
  }
}

/** The palette field's question and content; null if there is none, or the page is unloading. */
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

/** Moves the palette's selection to a visible row. */
export async function select(page: Page, row: Locator): Promise<void> {
  await expect(row.first()).toBeVisible()
  // The selection follows new rows a frame later.
  await drawn(page)
  const chosen = row.and(selected(page))
  for (let at = 0; at < 20 && !(await chosen.count()); at++) {
    const before = await selected(page).getAttribute('data-row')
    // Rows that arrived late may have pushed it above the selection.
    const above = await row.first().evaluate((wanted) => {
      const now = document.querySelector('[data-palette] [role=option][aria-selected=true]')
      return now !== null && (wanted.compareDocumentPosition(now) & Node.DOCUMENT_POSITION_FOLLOWING) > 0
    })
    await page.keyboard.press(above ? 'ArrowUp' : 'ArrowDown')
    // The rows may still be those of the previous search: with one row left, the selection stays.
    await expect
      .poll(async () => (await selected(page).getAttribute('data-row')) !== before || (await chosen.count()) === 1)
      .toBe(true)
  }
  await expect(chosen).toHaveCount(1)
}

/**
 * Waits for the review and its preview from the server, with the field focused and rendered, then presses Enter.
 * An earlier Enter, before anybody can have seen it, confirms nothing.
 */
export async function review(page: Page, says: string | RegExp = 'This can’t be undone.'): Promise<void> {
  await expect(selected(page)).toHaveAttribute('data-row', 'go')
  await expect(palette(page)).toContainText(says)
  await expect(palette(page).locator('[data-review][aria-busy]')).toHaveCount(0)
  await expect(field(page)).toBeFocused()
  await drawn(page)
  await page.keyboard.press('Enter')
}

/** Selects an item of the open menu, once its first item has the focus. */
export async function choose(page: Page, name: string | RegExp): Promise<void> {
  // A long menu is a dialog with a field above its items.
  await page.locator('[role=menu]:focus-within, [role=dialog]:focus-within:has([role=menu])').first().waitFor()
  await drawn(page)
  await page.getByRole('menu').locator('[role^=menuitem]').filter({ hasText: name }).press('Enter')
}

/** Waits until a dialog that opened by itself can have been seen: earlier keys are meant for what was there before. */
export const noticed = (page: Page): Promise<void> => expect(page.locator('body[data-unseen]')).toHaveCount(0)

/** Waits until a dialog is open and has the focus, even from one of its own buttons. */
export async function dialog(page: Page, name?: string | RegExp): Promise<Locator> {
  const opened = page.getByRole('dialog', name === undefined ? {} : { name })
  await expect(opened.locator(':focus')).toHaveCount(1)
  await drawn(page)
  await noticed(page)
  return opened
}

/** Presses a button of the open dialog by keyboard. */
export async function answer(page: Page, text: string, name?: string | RegExp): Promise<void> {
  await (await dialog(page, name)).getByRole('button', { name: text }).press('Enter')
}

/** Selects a set of market areas in a form, once they are read: an earlier press selects nothing. */
export async function pickMarkets(page: Page, set: string): Promise<void> {
  const button = pane(page).getByRole('button', { name: set })
  await expect(button).toBeEnabled()
  await button.press('Enter')
  await expect(button).toHaveAttribute('aria-pressed', 'true')
}

/** Marks the current notices, so `toast` finds only later ones. */
export const seen = (page: Page): Promise<void> =>
  page.locator('[data-sonner-toast]').evaluateAll((all) => {
    for (const one of all) one.setAttribute('data-seen', '')
  })

/** A notice with this text. */
export const toast = (page: Page, text: string | RegExp): Locator =>
  page.locator('[data-sonner-toast]:not([data-seen])').filter({ hasText: text })

/** The clipboard's text; needs `permissions: ['clipboard-read', 'clipboard-write']` in the test. */
export const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())

/** An option of a choice list: its label, value or place. */
type ListOption = string | RegExp | { value: string } | { index: number }
/** The field of a choice list, as its list has the same name. */
const comboboxOf = (field: Locator): Locator => field.and(field.page().locator('input'))

/** Chooses an option of a combobox, as by mouse. */
export async function pickIn(field: Locator, option: ListOption): Promise<void> {
  await (await optionOf(field, option)).click()
  await expect(field.page().locator('[popover] [role=listbox]')).toHaveCount(0)
}

/** An option of a combobox, whose list it opens. */
export async function optionOf(field: Locator, option: ListOption): Promise<Locator> {
  const combobox = comboboxOf(field)
  if ((await combobox.getAttribute('aria-expanded')) === 'false') await combobox.press('ArrowDown')
  const list = field.page().locator(`[id="${await combobox.getAttribute('aria-controls')}"]`)
  if (typeof option === 'string') return list.getByRole('option', { name: option, exact: true })
  if (option instanceof RegExp) return list.getByRole('option', { name: option }).first()
  return 'index' in option ? list.getByRole('option').nth(option.index) : list.locator(`[data-value="${option.value}"]`)
}
