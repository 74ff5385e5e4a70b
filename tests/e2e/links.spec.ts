import type { Page } from '@playwright/test'
import { expect, test } from '../support/e2e.ts'
import { activeColumn, addressOf, atProjects, shownTab, tabs } from './columns.ts'
import {
  allProjects,
  answer,
  call,
  clipboard,
  column,
  columns,
  goTo,
  list,
  login,
  open,
  palette,
  pane,
  press,
  projects,
  ready,
  search,
  selected,
  toast,
} from './verbs.ts'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })
// Tests are independent: two workers share them.
test.describe.configure({ mode: 'parallel' })
test.beforeEach(({ page }) => login(page))

test.describe('links', () => {
  test('a link opens its neighbours with their own filters', { tag: '@quick' }, async ({ page }) => {
    await goTo(page, '/dashboard/all-projects?search=tracker&beside=/clients;search=a')
    await expect(columns(page)).toHaveCount(2)
    await expect(column(page, 1).getByRole('searchbox')).toHaveValue('tracker')
    await expect(column(page, 2).getByRole('searchbox')).toHaveValue('a')
  })

  test('`at` gives the page’s own column', async ({ page }) => {
    await goTo(page, '/dashboard/clients?beside=/all-projects&at=1')
    await expect(activeColumn(page)).toHaveAttribute('data-column', '2')
    await expect(shownTab(page, 2)).toContainText('Clients')
  })

  test('a reload finds the same columns and tabs', async ({ page }) => {
    await atProjects(page)
    await press(page, 'list.openPinned')
    await expect(page).toHaveURL(/project-info/)
    await press(page, 'column.split')
    await expect(columns(page)).toHaveCount(2)
    const before = addressOf(page)
    await page.reload()
    await ready(page)
    await expect(columns(page)).toHaveCount(2)
    await expect(tabs(page)).toHaveCount(2)
    await expect.poll(() => addressOf(page)).toBe(before)
  })

  test('a bad neighbour becomes an error pane, and the page loads', async ({ page }) => {
    await goTo(page, '/dashboard/all-projects?beside=/no-such-screen/7')
    await expect(column(page, 2).getByRole('alert')).toContainText('This screen doesn’t exist')
    await list(page)
  })

  test('a neighbour outside the workspace, and a shared workspace beside others, replace nothing', async ({ page }) => {
    await goTo(page, '/dashboard/all-projects?beside=/login&beside=/w/nosuchworkspace')
    await expect(column(page, 2).getByRole('alert')).toContainText('doesn’t open in a pane')
    await expect(column(page, 3).getByRole('alert')).toContainText('This shared workspace doesn’t exist')
    await list(page)
  })

  test('an unknown page opens all projects, and keeps its neighbours', async ({ page }) => {
    await goTo(page, '/dashboard/no-such-screen/7?beside=/clients')
    await expect(page).toHaveURL(/all-projects\?beside=\/clients/)
  })

  test('a link survives what chat programs do to it', async ({ page }) => {
    await goTo(page, '/dashboard/all-projects?search=tracker&amp;beside=%2Fclients%3Bsearch%3Da.')
    await expect(page).toHaveURL(/all-projects\?search=tracker&beside=\/clients;search=a$/)
    await expect(column(page, 2).getByRole('searchbox')).toHaveValue('a')
  })

  test('a client user sees through an administrator’s link what their role lets them see', { tag: '@quick' }, async ({
    page,
  }) => {
    const all = await allProjects(page)
    await page.context().clearCookies()
    await login(page, 'client')
    const theirs = new Set((await allProjects(page)).map((project) => project.id))
    const mine = all.find((project) => !theirs.has(project.id))
    await goTo(page, '/dashboard/all-projects?beside=/users-info&beside=/clients')
    await expect(column(page, 2).getByRole('alert')).toContainText('Only administrators')
    await expect(column(page, 3).getByRole('alert')).toContainText('Only administrators')
    await list(page)
    await goTo(page, `/dashboard/all-projects?beside=/project-info/${mine!.id}/dashboard`)
    await expect(column(page, 2).getByRole('alert')).toBeVisible()
    await expect(column(page, 2)).not.toContainText(mine!.name)
  })

  test('a link to another site is refused when pasted', async ({ page }) => {
    await atProjects(page)
    await search(page, 'https://elsewhere.test/dashboard/clients')
    await expect(selected(page)).toContainText('it leads to another site, elsewhere.test')
    await page.keyboard.press('Enter')
    await expect(palette(page)).toBeVisible()
    await expect(page).toHaveURL(/all-projects$/)
  })

  test('a pasted id finds its record', async ({ page }) => {
    const [project] = await projects(page)
    await atProjects(page)
    await search(page, String(project!.id))
    await expect(selected(page)).toContainText(project!.name)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`project-info/${project!.id}/`))
  })

  test('a received link destroys nothing: one key restores what was open', async ({ page }) => {
    await goTo(page, '/dashboard/all-projects?beside=/surveyProjects')
    await expect(columns(page)).toHaveCount(2)
    await goTo(page, '/dashboard/clients')
    await expect(columns(page)).toHaveCount(1)
    await expect(page.getByRole('button', { name: 'Restore my panes' })).toBeVisible()
    await list(page)
    await press(page, 'pane.restore')
    await expect(columns(page)).toHaveCount(2)
    await expect(page).toHaveURL(/all-projects\?beside=\/surveyProjects/)
  })

  test('the last layout is offered at the next visit', async ({ page }) => {
    await goTo(page, '/dashboard/clients?beside=/surveyProjects')
    await expect(columns(page)).toHaveCount(2)
    const next = await page.context().newPage()
    await page.close()
    await open(next, 'allProjects')
    await next.getByRole('button', { name: 'Restore my panes' }).press('Enter')
    await expect(columns(next)).toHaveCount(2)
    await expect(next).toHaveURL(/clients\?beside=\/surveyProjects/)
  })

  test('Copy link copies only the pane', async ({ page }) => {
    await goTo(page, '/dashboard/all-projects?beside=/clients')
    await list(page)
    await press(page, 'copy.link')
    await expect(toast(page, /^Copied: /)).toBeVisible()
    expect(await clipboard(page)).toBe(`${new URL(page.url()).origin}/dashboard/all-projects`)
  })

  test('Copy layout copies all columns', async ({ page }) => {
    await goTo(page, '/dashboard/all-projects?beside=/clients')
    await list(page)
    await press(page, 'copy.layout')
    await expect(toast(page, /^Copied: /)).toBeVisible()
    expect(await clipboard(page)).toBe(`${new URL(page.url()).origin}/dashboard/all-projects?beside=/clients`)
  })

  test('a shared workspace opens with all its tabs, for somebody else', { tag: '@quick' }, async ({ page, browser, server }) => {
    await atProjects(page)
    await press(page, 'list.openPinned')
    await expect(page).toHaveURL(/project-info/)
    await press(page, 'column.split')
    await expect(columns(page)).toHaveCount(2)
    await press(page, 'copy.snapshot')
    await expect(toast(page, /^Copied: /)).toBeVisible()
    const link = await clipboard(page)
    expect(link).toMatch(/\/w\/[\w-]+$/)
    const other = await (await browser.newContext({ baseURL: server.url })).newPage()
    await login(other)
    await other.goto(link)
    await expect(columns(other)).toHaveCount(2)
    await expect(tabs(other)).toHaveCount(2)
    await other.context().close()
  })
})

/** An open form's field with unsaved text. */
async function typeName(page: Page, text: string) {
  const name = pane(page)
    .getByRole('textbox', { name: /project name|^name/i })
    .first()
  await name.fill(text)
  return name
}

test.describe('unsaved typing', () => {
  test('survives a received link, and is there when the panes are restored', { tag: '@quick' }, async ({ page }) => {
    await open(page, 'newSurveyRequest')
    const name = await typeName(page, 'Half a name')
    await search(page, `${new URL(page.url()).origin}/dashboard/clients?beside=/surveyProjects`)
    await expect(selected(page)).toContainText('Open Clients')
    await page.keyboard.press('Enter')
    await expect(columns(page)).toHaveCount(2)
    await list(page)
    await press(page, 'pane.restore')
    await expect(name).toHaveValue('Half a name')
  })

  test('survives the browser’s Back and Forward', async ({ page }) => {
    await open(page, 'clients')
    await list(page)
    await press(page, 'add.newSurveyRequest')
    await ready(page)
    const name = await typeName(page, 'Half a name')
    await page.goBack()
    await expect(page).toHaveURL(/\/dashboard\/clients$/)
    await page.goForward()
    await expect(name).toHaveValue('Half a name')
  })

  test('is asked about before its pane navigates in place', async ({ page }) => {
    const [client] = (await call(page, 'client.list')).data
    await open(page, 'client', { id: client!.id })
    const field = pane(page).getByRole('textbox').first()
    const before = client!.name
    await expect(field).toHaveValue(before)
    await field.fill(`${before} and more`)
    await page.keyboard.press('Escape')
    await pane(page).getByRole('heading', { level: 1 }).click()
    await press(page, 'pane.tab2')
    await answer(page, 'Stay', 'Leave this screen?')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(field).toHaveValue(`${before} and more`)
  })
})
