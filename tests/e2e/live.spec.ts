import type { Browser, Page } from '@playwright/test'
import { href } from '../../src/routing/routes.ts'
import { expect, test } from '../support/e2e.ts'
import {
  call,
  column,
  cursorRow,
  field,
  goTo,
  keys,
  list,
  login,
  open,
  pane,
  press,
  projectFor,
  projects,
  ready,
  rows,
  search,
} from './verbs.ts'

// Two browsers: `page` is the open workspace, `other` belongs to another user with their own session.
test.describe.configure({ mode: 'parallel' })

async function somebodyElse(browser: Browser, url: string): Promise<Page> {
  const other = await (await browser.newContext({ baseURL: url })).newPage()
  await login(other, 'admin', 'own')
  return other
}
const isLive = (page: Page) => expect(page.getByText('live', { exact: true })).toBeVisible({ timeout: 20_000 })
const named = () => `Renamed ${Math.random().toString(36).slice(2, 9)}`
/** A client with one project, which no other test uses. */
async function newClient(page: Page) {
  const { data: client } = await call(page, 'client.create', { name: named() })
  return client
}

test('a row leaving the list affects neither cursor, selection nor typing', { tag: '@quick' }, async ({
  page,
  browser,
  server,
}) => {
  await login(page)
  await goTo(page, '/dashboard/all-projects?status=Active')
  await list(page)
  await isLive(page)
  await keys(page, 'j j j x j x j')
  await expect(cursorRow(page)).toHaveAttribute('aria-rowindex', '7')
  const name = cursorRow(page).getByRole('gridcell').nth(1)
  const before = (await name.textContent())!
  const [first] = await projects(page, 'Active')
  const target = await pane(page).locator('[role=row]', { hasText: first!.name }).first().textContent()
  expect(target).toBeTruthy()
  await keys(page, '/')
  await page.keyboard.type('z', { delay: 10 })
  await page.keyboard.press('Backspace')
  await expect(pane(page).getByText(/2 selected/)).toBeVisible()

  const other = await somebodyElse(browser, server.url)
  await call(other, 'project.setStatus', { id: first!.id, status: 'paused', reason: 'A break' } as never)
  await expect(pane(page).locator('[role=row]').filter({ hasText: first!.name })).toHaveCount(0)
  await expect(pane(page).getByText(/2 selected/)).toBeVisible()
  await expect(pane(page).getByRole('searchbox')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(name).toHaveText(before)
  await other.context().close()
})

test('a renamed project is renamed in its header, its tab, the list beside it and the palette', async ({
  page,
  browser,
  server,
}) => {
  await login(page)
  const target = await projectFor(page, 'project.edit', 'Active')
  await goTo(page, `${href('project', { id: target.id })}?beside=/all-projects;status=Active`)
  await ready(page)
  await isLive(page)
  await search(page, target.name)
  await expect(rows(page).filter({ hasText: target.name }).first()).toBeVisible()
  await page.keyboard.press('Control+a')

  const other = await somebodyElse(browser, server.url)
  const name = named()
  await call(other, 'project.edit', { id: target.id, name } as never)
  // By element: content behind the palette has no role for screen readers.
  await expect(page.locator('h1', { hasText: name })).toBeVisible()
  await expect(page.locator('[role=tab]', { hasText: name })).toBeVisible()
  await expect(column(page, 2).locator('[role=row]').filter({ hasText: name })).toBeVisible()
  // The typed text stays, and the palette finds the new name without reopening.
  await expect(field(page)).toHaveValue(target.name)
  await page.keyboard.type(name)
  await expect(rows(page).filter({ hasText: name }).first()).toBeVisible()
  await other.context().close()
})

test('a new note appears in notes and histories that are open', async ({ page, browser, server }) => {
  await login(page)
  const [target] = await projects(page)
  const beside = href('project', { id: target!.id }, { tab: 'history' }).replace(/^\/dashboard/, '')
  await goTo(page, `${href('project', { id: target!.id }, { tab: 'notes' })}?beside=${beside}`)
  await isLive(page)
  const other = await somebodyElse(browser, server.url)
  const note = named()
  await call(other, 'note.create', { project_id: target!.id, note } as never)
  await expect(column(page, 1).getByText(note)).toBeVisible()
  await expect(column(page, 2).getByText(note)).toBeVisible()
  await other.context().close()
})

test('a form says who changed what, keeps what is typed, and asks only about conflicts', { tag: '@quick' }, async ({
  page,
  browser,
  server,
}) => {
  await login(page)
  const { id, goal } = await projectFor(page, 'project.edit', 'Paused')
  await open(page, 'editProject', { id })
  await isLive(page)
  const label = (text: string) => pane(page).getByLabel(text, { exact: true })
  await label('Project name *').focus()
  await page.keyboard.press('End')
  await page.keyboard.type(' of mine')
  const typed = await label('Project name *').inputValue()

  const other = await somebodyElse(browser, server.url)
  await call(other, 'project.edit', { id, goal: goal + 11 } as never)
  await expect(pane(page).getByRole('status').filter({ hasText: 'changed Goal in the meantime' })).toContainText('Avery')
  await expect(label('Goal *')).toHaveValue(String(goal + 11))
  await expect(label('Project name *')).toHaveValue(typed)
  await expect(label('Project name *')).toBeFocused()
  await page.keyboard.type('!')
  await expect(label('Project name *')).toHaveValue(`${typed}!`)

  await call(other, 'project.edit', { id, name: 'Theirs' } as never)
  await expect(pane(page).getByRole('status').filter({ hasText: 'You changed Project name too' })).toBeVisible()
  await press(page, 'form.send')
  await expect(page.getByRole('dialog', { name: 'Someone else changed this while you were editing' })).toContainText(
    'You both changed one field',
  )
  await other.context().close()
})

test('what a refused save says stays when somebody else changes another field', async ({ page, browser, server }) => {
  await login(page)
  const { id, goal } = await projectFor(page, 'project.edit', 'Paused')
  await open(page, 'editProject', { id })
  await isLive(page)
  const label = (text: string) => pane(page).getByLabel(text, { exact: true })
  await label('Project name *').fill('')
  await press(page, 'form.send')
  const faults = pane(page).locator('[data-faults]')
  await expect(faults).toContainText('Project name')
  const other = await somebodyElse(browser, server.url)
  await call(other, 'project.edit', { id, goal: goal + 7 } as never)
  await expect(label('Goal *')).toHaveValue(String(goal + 7))
  await expect(faults).toContainText('Project name')
  await other.context().close()
})

test('a removed client says so in its open pane', async ({ page, browser, server }) => {
  await login(page)
  const client = await newClient(page)
  await open(page, 'client', { id: client.id })
  await expect(pane(page).getByRole('heading', { name: client.name })).toBeVisible()
  await isLive(page)
  const other = await somebodyElse(browser, server.url)
  await call(other, 'client.remove', { id: client.id })
  await expect(pane(page).getByRole('alert')).toContainText('This client is gone')
  await expect(pane(page).getByRole('alert')).toContainText(client.name)
  await other.context().close()
})

test('changes during a network loss show when it is back', { tag: '@quick' }, async ({ page, context, browser, server }) => {
  await login(page)
  const client = await newClient(page)
  await open(page, 'client', { id: client.id })
  await isLive(page)
  await context.setOffline(true)
  await expect(page.getByText('reconnecting', { exact: true })).toBeVisible()
  const other = await somebodyElse(browser, server.url)
  const name = named()
  // A simulated offline browser leaves streams open, so the page learns of it from a failed request.
  const inVain = page.waitForEvent('requestfailed')
  await call(other, 'client.edit', { id: client.id, name })
  await inVain
  await expect(page.getByRole('heading', { name })).toHaveCount(0)
  await context.setOffline(false)
  await expect(page.getByRole('heading', { name })).toBeVisible()
  await isLive(page)
  await other.context().close()
})

test('a client user loses sight of a project that moves to another client, at once', { tag: '@quick' }, async ({
  page,
  browser,
  server,
}) => {
  const other = await somebodyElse(browser, server.url)
  await login(page, 'client')
  const [mine] = await projects(page)
  // Nobody at the client requested it, so they see it only through the client.
  const { data: target } = await call(other, 'project.create', {
    name: named(),
    client_id: mine!.client_id,
    goal: 100,
    start_dt: '2031-01-01',
    end_dt: '2031-02-01',
  } as never)
  await open(page, 'project', { id: target.id })
  await isLive(page)
  await expect(page.getByRole('heading', { name: target.name })).toBeVisible()
  const client = await newClient(other)
  await call(other, 'project.edit', { id: target.id, client_id: client.id } as never)
  await expect(pane(page).getByRole('alert')).toContainText('is gone')
  await other.context().close()
})

test('a user whose session is ended elsewhere goes to sign-in at once', async ({ page, browser, server }) => {
  await login(page, 'admin', 'own')
  await open(page, 'clients')
  await isLive(page)
  const { data } = await call(page, 'account.sessions')
  const mine = data.find((session) => session.current)!
  const other = await somebodyElse(browser, server.url)
  await call(other, 'account.endSession', { id: mine.id } as never)
  await expect(page).toHaveURL(/\/login/)
  await other.context().close()
})

test('two tabs of one browser share a stream, and one continues when the other closes', async ({ page, browser, server }) => {
  await login(page)
  const client = await newClient(page)
  const second = await page.context().newPage()
  const streams: string[] = []
  page.context().on('request', (request) => request.url().includes('/v3/portal/live') && streams.push(request.url()))
  for (const tab of [page, second]) {
    await open(tab, 'client', { id: client.id })
    await isLive(tab)
  }
  expect(streams).toHaveLength(1)
  const other = await somebodyElse(browser, server.url)
  const name = named()
  await call(other, 'client.edit', { id: client.id, name })
  for (const tab of [page, second]) await expect(tab.getByRole('heading', { name })).toBeVisible()
  await page.close()
  const again = named()
  await call(other, 'client.edit', { id: client.id, name: again })
  await expect(second.getByRole('heading', { name: again })).toBeVisible()
  await other.context().close()
})

test('a tab that reads the stream and stands still, as with a message box open, is relieved by another', async ({
  page,
  browser,
  server,
}) => {
  await login(page)
  const client = await newClient(page)
  await open(page, 'clients')
  await isLive(page)
  const second = await page.context().newPage()
  await open(second, 'client', { id: client.id })
  await isLive(second)
  // Without a listener, the message box would be answered at once.
  const [box] = await Promise.all([page.waitForEvent('dialog'), page.evaluate(() => void setTimeout(() => alert('Stay?')))])
  const other = await somebodyElse(browser, server.url)
  const name = named()
  await call(other, 'client.edit', { id: client.id, name })
  await expect(second.getByRole('heading', { name })).toBeVisible({ timeout: 20_000 })
  await isLive(second)
  await box.accept()
  const again = named()
  await call(other, 'client.edit', { id: client.id, name: again })
  for (const tab of [page, second]) await expect(tab.getByText(again).first()).toBeVisible({ timeout: 20_000 })
  await other.context().close()
})
