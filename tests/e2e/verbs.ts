import { expect, type Locator, type Page } from '@playwright/test'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls, type Input, type Output } from '../../contract/calls.ts'
import { type CommandId, commandOf } from '../../src/commands/table.ts'
import { keymap } from '../../src/keymap.ts'
import { href, type RouteId } from '../../src/routes.ts'

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

/** Makes a call of the table as who is signed in on this page, as the workspace would; fails the test where it is refused. */
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

/** What `GET path` answers to who is signed in on this page; for what the table has no call for. */
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

/** Waits until every pane in sight has loaded. */
export async function ready(page: Page): Promise<void> {
  await expect(page.getByRole('main').first()).toBeVisible({ timeout: 20_000 })
  await expect(page.locator('section[role=tabpanel]:not([inert])').first()).toContainText(/\S/, { timeout: 20_000 })
  await expect(page.locator('section[role=tabpanel]:not([inert]) [role=status][aria-label^=Loading]')).toHaveCount(0, {
    timeout: 20_000,
  })
}

/** Waits until the active list has rows and the focus, so that its keys work. */
export async function list(page: Page): Promise<Locator> {
  await expect(cursorRow(page)).toBeVisible({ timeout: 20_000 })
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

/** Opens the palette, and types into it. */
export async function search(page: Page, text = ''): Promise<void> {
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  if (text) await page.keyboard.type(text)
}

/** Runs a command from the palette by its title, giving each answer as it is typed, and stops at its review where it has one. */
export async function run(page: Page, id: CommandId, ...answers: string[]): Promise<void> {
  const title = commandOf(id).title.replace(/…$/, '')
  await search(page, title)
  await expect(rows(page, id)).toBeVisible()
  for (let at = 0; at < 20 && (await selected(page).getAttribute('data-command')) !== id; at++)
    await page.keyboard.press('ArrowDown')
  await expect(selected(page)).toHaveAttribute('data-command', id)
  await page.keyboard.press('Enter')
  for (const answer of answers) {
    await expect(field(page).or(page.getByRole('dialog').getByRole('combobox'))).toBeFocused()
    await page.keyboard.type(answer)
    await expect(selected(page)).toHaveCount(1)
    await page.keyboard.press('Enter')
  }
}

/** A sentence said at the edge of the page. */
export const toast = (page: Page, text: string | RegExp): Locator => page.locator('[data-sonner-toast]').filter({ hasText: text })

/** What the page's clipboard holds; the test must have allowed it (`permissions: ['clipboard-read', 'clipboard-write']`). */
export const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())

/** Collects what breaks on a page: errors of scripts and of the console, and what the content security policy stops. Empty is how it should be. */
export function troubles(page: Page): string[] {
  const heard: string[] = []
  page.on('pageerror', (error) => heard.push(String(error.stack ?? error).slice(0, 400)))
  page.on(
    'console',
    (message) => message.type() === 'error' && heard.push(`${message.text()} ${message.location().url}`.slice(0, 400)),
  )
  // The browser's own message comes and goes with its releases; the event is the standard's.
  void page.addInitScript(() =>
    addEventListener('securitypolicyviolation', (event) =>
      console.error(`the policy stopped ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile} ${event.sample}`),
    ),
  )
  return heard
}
