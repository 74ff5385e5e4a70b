import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { hashPassword } from '../../server/core/passwords.ts'
import { readSettings } from '../../server/core/settings.ts'
import { closeServices, createServices } from '../../server/services.ts'
import { href } from '../../src/routing/routes.ts'
import { expect, test } from '../support/e2e.ts'
import { makers } from '../support/makers.ts'
import { startPostgres } from '../support/postgres.ts'
import { startServer } from '../support/server.ts'
import { limitFiles } from '../support/small-disk.ts'
import {
  call,
  dialog,
  goTo,
  login,
  open,
  PASSWORD,
  field as paletteField,
  pane,
  press,
  projectFor,
  projects,
  toast,
} from './verbs.ts'

const name = 'Project name *'

test('a full disk has its own message, and nothing typed is lost', async ({ page, server }) => {
  const disk = limitFiles()
  test.skip(!disk, 'the size of files can be limited by prlimit alone')
  await login(page)
  const { id } = await projectFor(page, 'project.edit')
  await open(page, 'editProject', { id })
  const field = pane(page).getByLabel(name, { exact: true })
  await field.fill('Typed on a full disk')
  // Every file of the server is already larger, so its database can't be written.
  disk!.fill(server.pid, 4096)
  await field.focus()
  await press(page, 'form.send')
  await expect(page.getByText(/The server’s disk is full\. Nothing was changed/).first()).toBeVisible()
  await expect(field).toHaveValue('Typed on a full disk')
  // A failed command keeps its answers.
  await open(page, 'project', { id })
  await expect(pane(page).getByRole('button', { name: /^All actions for/ })).toBeVisible()
  await press(page, 'note.create', 'project')
  await expect(paletteField(page)).toBeFocused()
  await page.keyboard.type('A note on a full disk')
  await page.keyboard.press('Enter')
  const refused = toast(page, /The server’s disk is full/)
  await expect(refused).toBeVisible()
  disk!.free(server.pid)
  await refused.getByRole('button', { name: 'Retry' }).click()
  await expect(toast(page, / has your note/)).toBeVisible()
  expect((await call(page, 'note.list', { id })).data.map((row) => row.note)).toContain('A note on a full disk')
  await disk!.remove()
})

test('an unreachable database: the workspace says so, keeps what is typed, and catches up', async ({ page, browser }) => {
  test.setTimeout(90_000)
  const postgres = await startPostgres()
  if ('reason' in postgres) return test.skip(true, postgres.reason)
  const folder = mkdtempSync(join(tmpdir(), 'fieldwork-away-'))
  const env = { DATA_DIR: folder, DATABASE_URL: await postgres.url('away'), DEMO: 'none', LOG_LEVEL: 'fatal' }
  const services = await createServices(readSettings({ ...env, NODE_ENV: 'test' }), pino({ level: 'silent' }))
  const make = makers(services)
  const project = await make.project({ client_id: (await make.client()).id, name: 'Before it' })
  const password_hash = await hashPassword(PASSWORD)
  for (const email of ['admin@fieldwork.test', 'other@fieldwork.test']) await make.user({ role: 'admin', email, password_hash })
  await closeServices(services)
  const server = await startServer(env)
  try {
    await page.goto(`${server.url}/healthz`)
    await login(page)
    await goTo(page, server.url + href('editProject', { id: project.id }))
    const state = (word: string) => expect(page.getByText(word, { exact: true })).toBeVisible({ timeout: 20_000 })
    await state('live')
    const field = pane(page).getByLabel(name, { exact: true })
    await field.fill('Typed while it was away')

    await postgres.kill('immediate')
    await state('reconnecting')
    await field.focus()
    await press(page, 'form.send')
    await expect(page.getByText(/The database can’t be reached right now\. Nothing was changed/).first()).toBeVisible()
    await expect(field).toHaveValue('Typed while it was away')
    // Who uses keys gets a notice, not a dialog in the way of the next key.
    await expect(toast(page, 'The project wasn’t saved').getByRole('button', { name: 'Retry' })).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)

    await postgres.start()
    await state('live')
    const other = await (await browser.newContext({ baseURL: server.url })).newPage()
    await other.goto(`${server.url}/healthz`)
    await login(other, { email: 'other@fieldwork.test' })
    await call(other, 'project.edit', { id: project.id, goal: 4321 })
    await expect(pane(page).getByLabel('Goal *', { exact: true })).toHaveValue('4321')
    await field.focus()
    await press(page, 'form.send')
    await dialog(page, 'Project Updated')
    expect((await projects(other)).map((row) => row.name)).toEqual(['Typed while it was away'])
    await other.context().close()
  } finally {
    await server.kill()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a page older than its server says that a part can’t load, and a reload shows it', async ({ page }) => {
  await login(page)
  // The newer release no longer has the file that this page requests.
  await page.route(/assets\/JobsPane/, (route) => route.fulfill({ status: 404, body: '' }))
  await open(page, 'jobs')
  const warning = page.getByRole('alert').filter({ hasText: 'couldn’t be loaded' })
  await expect(warning).toContainText('Fieldwork was updated since this page was opened')
  await page.unroute(/assets\/JobsPane/)
  await warning.getByRole('button', { name: 'Reload the page' }).click()
  await expect(pane(page).getByRole('heading', { name: 'Jobs' })).toBeVisible()
})
