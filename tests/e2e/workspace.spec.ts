import type { Page } from '@playwright/test'
import { href } from '../../src/routes.ts'
import { expect, test } from '../support/e2e.ts'
import {
  call,
  choose,
  clipboard,
  column,
  columns,
  cursorRow,
  drawn,
  goTo,
  keys,
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
// Tests are independent of each other: two workers share them.
test.describe.configure({ mode: 'parallel' })
test.beforeEach(({ page }) => login(page))

/** The tabs of a column, counted from 1. */
const tabs = (page: Page, at = 1) =>
  page
    .locator(`[data-column="${at}"]`)
    .getByRole('tablist', { name: /^Open screens/ })
    .getByRole('tab')
const shownTab = (page: Page, at = 1) =>
  page
    .locator(`[data-column="${at}"]`)
    .getByRole('tablist', { name: /^Open screens/ })
    .locator('[role=tab][aria-selected=true]')
const activeColumn = (page: Page) => page.locator('[data-column][data-active]')
const addressOf = (page: Page) => {
  const { pathname, search } = new URL(page.url())
  return pathname + search
}

/** The list of all projects with the keys in it. */
// The other cells of a row, and which row it is, change by what other tests do; the code is not there in a narrow column.
const nameUnderCursor = (page: Page) => cursorRow(page).getByRole('gridcell').nth(1)

async function atProjects(page: Page) {
  await open(page, 'allProjects')
  await list(page)
}

test.describe('opening', () => {
  test('Enter opens the row under the cursor in a preview tab', async ({ page }) => {
    await atProjects(page)
    await press(page, 'list.open')
    await expect(tabs(page)).toHaveCount(2)
    await expect(shownTab(page)).toContainText('(preview)')
    await expect(page).toHaveURL(/\/dashboard\/project-info\/\d+\/dashboard/)
  })

  test('the next preview takes the place of the last', async ({ page }) => {
    await atProjects(page)
    await press(page, 'list.open')
    await expect(page).toHaveURL(/project-info/)
    const first = addressOf(page)
    await press(page, 'tab.previous')
    await expect(page).toHaveURL(/all-projects/)
    await list(page)
    await press(page, 'list.down')
    await press(page, 'list.open')
    await expect(page).toHaveURL(/project-info/)
    expect(addressOf(page)).not.toBe(first)
    await expect(tabs(page)).toHaveCount(2)
  })

  test('Shift+Enter opens the row in a tab that stays', async ({ page }) => {
    await atProjects(page)
    await press(page, 'list.openPinned')
    await expect(tabs(page)).toHaveCount(2)
    await expect(shownTab(page)).not.toContainText('(preview)')
  })

  test('a preview that is kept by its key gives its place to no other', async ({ page }) => {
    await atProjects(page)
    await press(page, 'list.open')
    await press(page, 'tab.pin')
    await press(page, 'tab.previous')
    await list(page)
    await press(page, 'list.down')
    await press(page, 'list.open')
    await expect(tabs(page)).toHaveCount(3)
  })

  test('o opens the row beside, with the focus there', async ({ page }) => {
    await atProjects(page)
    await press(page, 'list.openBeside')
    await expect(columns(page)).toHaveCount(2)
    await expect(activeColumn(page)).toHaveAttribute('data-column', '2')
    await expect(
      column(page, 2)
        .locator(':focus')
        .or(column(page, 2).and(page.locator(':focus'))),
    ).toHaveCount(1)
  })

  test('the list beside which a row was opened keeps its cursor', async ({ page }) => {
    await atProjects(page)
    await keys(page, 'j j j')
    await drawn(page)
    const name = (await nameUnderCursor(page).textContent())!
    await press(page, 'list.openBeside')
    await expect(columns(page)).toHaveCount(2)
    await press(page, 'column.first')
    await expect(nameUnderCursor(page)).toHaveText(name)
  })

  test('there are at most four columns', async ({ page }) => {
    await atProjects(page)
    for (const count of [2, 3, 4, 4]) {
      await press(page, 'column.split')
      await expect(columns(page)).toHaveCount(count)
    }
  })
})

test.describe('moving', () => {
  test('Alt and a digit go to a column', async ({ page }) => {
    await goTo(page, '/dashboard/all-projects?beside=/clients&beside=/surveyProjects')
    await expect(columns(page)).toHaveCount(3)
    for (const at of ['3', '2', '1']) {
      await page.keyboard.press(`Alt+${at}`)
      await expect(activeColumn(page)).toHaveAttribute('data-column', at)
    }
  })

  test('Alt+L and Alt+H go to the neighbour', async ({ page }) => {
    await goTo(page, '/dashboard/all-projects?beside=/clients')
    await press(page, 'column.right')
    await expect(activeColumn(page)).toHaveAttribute('data-column', '2')
    await press(page, 'column.left')
    await expect(activeColumn(page)).toHaveAttribute('data-column', '1')
  })

  test('Alt+Shift+L moves the tab into a column of its own', async ({ page }) => {
    await atProjects(page)
    await press(page, 'list.openPinned')
    await press(page, 'tab.moveRight')
    await expect(columns(page)).toHaveCount(2)
    await expect(tabs(page, 2)).toHaveCount(1)
  })

  test('a list behind another tab keeps its cursor row', async ({ page }) => {
    await atProjects(page)
    await keys(page, 'j j j j')
    await drawn(page)
    const name = (await nameUnderCursor(page).textContent())!
    await press(page, 'list.open')
    await expect(page).toHaveURL(/project-info/)
    await press(page, 'tab.previous')
    await expect(nameUnderCursor(page)).toHaveText(name)
  })
})

test.describe('closing', () => {
  test('gives the focus back to where it was', async ({ page }) => {
    await atProjects(page)
    await keys(page, 'j j')
    await press(page, 'list.openBeside')
    await expect(columns(page)).toHaveCount(2)
    await press(page, 'tab.close')
    await expect(columns(page)).toHaveCount(1)
    const before = await cursorRow(page).textContent()
    await keys(page, 'j')
    await expect(cursorRow(page)).not.toHaveText(before ?? '')
  })

  test('can be taken back: the tab comes with its history', async ({ page }) => {
    await atProjects(page)
    await press(page, 'list.openPinned')
    await ready(page)
    await keys(page, '1')
    await expect(page).toHaveURL(/specifications/)
    await press(page, 'tab.close')
    await expect(tabs(page)).toHaveCount(1)
    await press(page, 'tab.reopen')
    await expect(page).toHaveURL(/specifications/)
    await press(page, 'pane.back')
    await expect(page).toHaveURL(/project-info\/\d+\/dashboard/)
  })

  test('the last tab leaves all projects open', async ({ page }) => {
    await open(page, 'clients')
    await press(page, 'tab.close')
    await expect(page).toHaveURL(/\/dashboard\/all-projects$/)
  })

  test('asks first where something typed is not saved', async ({ page }) => {
    await open(page, 'newSurveyRequest')
    await page
      .getByRole('textbox', { name: /project name|^name/i })
      .first()
      .fill('Not sent yet')
    await page.keyboard.press('Escape')
    await page.locator('h1').first().click()
    await press(page, 'tab.close')
    await expect(page.getByRole('dialog', { name: 'Close this tab?' })).toBeVisible()
  })
})

test.describe('going back', () => {
  test('each pane has its own way back', async ({ page }) => {
    const [one, two] = await projects(page)
    await goTo(page, `${href('project', { id: one!.id })}?beside=/project-info/${two!.id}/dashboard`)
    await keys(page, '1')
    await expect(page).toHaveURL(/specifications/)
    await press(page, 'column.second')
    await keys(page, '1')
    await expect(page).toHaveURL(new RegExp(`${two!.id}/specifications`))
    await press(page, 'pane.back')
    await expect(page).toHaveURL(new RegExp(`^[^?]*${two!.id}/dashboard.*beside=/project-info/${one!.id}/specifications`))
  })

  test('forward undoes back', async ({ page }) => {
    const [one] = await projects(page)
    await open(page, 'project', { id: one!.id })
    await keys(page, '1')
    await expect(page).toHaveURL(/specifications/)
    await press(page, 'pane.back')
    await expect(page).toHaveURL(/\/dashboard$/)
    await press(page, 'pane.forward')
    await expect(page).toHaveURL(/specifications/)
  })

  test('the browser’s Back undoes the opening of a column', async ({ page }) => {
    await atProjects(page)
    await press(page, 'list.openBeside')
    await expect(columns(page)).toHaveCount(2)
    await page.goBack()
    await expect(columns(page)).toHaveCount(1)
    await expect(page).toHaveURL(/all-projects$/)
  })

  test('a search is in the link, and no step of the browser’s Back', async ({ page }) => {
    await open(page, 'clients')
    await list(page)
    await keys(page, 'g p')
    await expect(page).toHaveURL(/all-projects/)
    await list(page)
    await press(page, 'list.search')
    await page.keyboard.type('tracker')
    await expect(page).toHaveURL(/all-projects\?search=tracker/)
    await page.goBack()
    await expect(page).toHaveURL(/\/dashboard\/clients$/)
  })
})

test.describe('links', () => {
  test('a link opens its neighbours with their own filters', async ({ page }) => {
    await goTo(page, '/dashboard/all-projects?search=tracker&beside=/clients;search=a')
    await expect(columns(page)).toHaveCount(2)
    await expect(column(page, 1).getByRole('searchbox')).toHaveValue('tracker')
    await expect(column(page, 2).getByRole('searchbox')).toHaveValue('a')
  })

  test('`at` says in which place the page itself stands', async ({ page }) => {
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
    await expect(column(page, 2).getByRole('alert')).toContainText('This screen does not exist')
    await list(page)
  })

  test('a neighbour that stands outside the workspace, and a shared workspace beside others, take the place of nothing', async ({
    page,
  }) => {
    await goTo(page, '/dashboard/all-projects?beside=/login&beside=/w/nosuchworkspace')
    await expect(column(page, 2).getByRole('alert')).toContainText('does not open in a pane')
    await expect(column(page, 3).getByRole('alert')).toContainText('This shared workspace does not exist')
    await list(page)
  })

  test('an unknown page is all projects, and keeps its neighbours', async ({ page }) => {
    await goTo(page, '/dashboard/no-such-screen/7?beside=/clients')
    await expect(page).toHaveURL(/all-projects\?beside=\/clients/)
  })

  test('a link is read as a chat program left it', async ({ page }) => {
    await goTo(page, '/dashboard/all-projects?search=tracker&amp;beside=%2Fclients%3Bsearch%3Da.')
    await expect(page).toHaveURL(/all-projects\?search=tracker&beside=\/clients;search=a$/)
    await expect(column(page, 2).getByRole('searchbox')).toHaveValue('a')
  })

  test('a client user sees through an administrator’s link what their role lets them see', async ({ page }) => {
    const all = await projects(page)
    await page.context().clearCookies()
    await login(page, 'client')
    const theirs = new Set((await projects(page)).map((project) => project.id))
    const mine = all.find((project) => !theirs.has(project.id))
    await goTo(page, '/dashboard/all-projects?beside=/users-info&beside=/clients')
    await expect(column(page, 2).getByRole('alert')).toContainText('Only administrators')
    await expect(column(page, 3).getByRole('alert')).toContainText('Only administrators')
    await list(page)
    await goTo(page, `/dashboard/all-projects?beside=/project-info/${mine!.id}/dashboard`)
    await expect(column(page, 2).getByRole('alert')).toBeVisible()
    await expect(column(page, 2)).not.toContainText(mine!.name)
  })

  test('a link to another site is refused where it is pasted', async ({ page }) => {
    await atProjects(page)
    await search(page, 'https://elsewhere.test/dashboard/clients')
    await expect(selected(page)).toContainText('it leads to another site, elsewhere.test')
    await page.keyboard.press('Enter')
    await expect(palette(page)).toBeVisible()
    await expect(page).toHaveURL(/all-projects$/)
  })

  test('an id that is pasted finds its record', async ({ page }) => {
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

  test('Copy link gives the pane alone', async ({ page }) => {
    await goTo(page, '/dashboard/all-projects?beside=/clients')
    await list(page)
    await press(page, 'copy.link')
    await expect(toast(page, /^Copied: /)).toBeVisible()
    expect(await clipboard(page)).toBe(`${new URL(page.url()).origin}/dashboard/all-projects`)
  })

  test('Copy layout gives all columns', async ({ page }) => {
    await goTo(page, '/dashboard/all-projects?beside=/clients')
    await list(page)
    await press(page, 'copy.layout')
    await expect(toast(page, /^Copied: /)).toBeVisible()
    expect(await clipboard(page)).toBe(`${new URL(page.url()).origin}/dashboard/all-projects?beside=/clients`)
  })

  test('a shared workspace opens with all its tabs, for somebody else', async ({ page, browser, server }) => {
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

/** The field of a form that is open, with something typed into it that is not saved. */
async function typeName(page: Page, text: string) {
  const name = pane(page)
    .getByRole('textbox', { name: /project name|^name/i })
    .first()
  await name.fill(text)
  return name
}

test.describe('unsaved typing', () => {
  test('survives a received link, and is there when the panes are restored', async ({ page }) => {
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

  test('is asked about before its pane goes elsewhere in its place', async ({ page }) => {
    const [client] = (await call(page, 'client.list')).data
    await open(page, 'client', { id: client!.id })
    const field = pane(page).getByRole('textbox').first()
    const before = client!.name
    await expect(field).toHaveValue(before)
    await field.fill(`${before} and more`)
    await page.keyboard.press('Escape')
    await pane(page).getByRole('heading', { level: 1 }).click()
    await press(page, 'pane.tab2')
    const dialog = page.getByRole('dialog', { name: 'Leave this screen?' })
    await dialog.getByRole('button', { name: 'Stay' }).press('Enter')
    await expect(dialog).toBeHidden()
    await expect(field).toHaveValue(`${before} and more`)
  })
})

test.describe('on its own', () => {
  test('a pane is not drawn anew by what happens to other columns', async ({ page }) => {
    await atProjects(page)
    await pane(page).evaluate((element) => {
      for (const node of element.querySelectorAll('[role=grid], [role=treegrid], h1')) node.setAttribute('data-marked', '')
    })
    const marked = page.locator('[data-marked]')
    const before = await marked.count()
    expect(before).toBeGreaterThan(0)
    for (const id of [
      'list.openBeside',
      'column.split',
      'tab.close',
      'tab.reopen',
      'tab.moveLeft',
      'column.first',
      'tab.close',
    ] as const) {
      if (id === 'tab.close') await press(page, 'column.second')
      await press(page, id)
      await drawn(page)
      await expect(marked, id).toHaveCount(before)
    }
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(marked).toHaveCount(before)
  })

  test('columns are made wider and narrower by the arrow keys', async ({ page }) => {
    await goTo(page, '/dashboard/all-projects?beside=/clients')
    const width = async () => (await page.locator('[data-column="1"]').boundingBox())!.width
    const line = page.getByRole('separator', { name: 'Width of column 1' })
    await line.focus()
    const before = await width()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await expect.poll(width).toBeGreaterThan(before + 20)
    await drawn(page)
    const wide = await width()
    await page.reload()
    await ready(page)
    await expect.poll(async () => Math.abs((await width()) - wide)).toBeLessThan(4)
  })

  test('a pane that fails says so and offers a retry, and its neighbour lives', async ({ page }) => {
    await page.route('**/v3/portal/clients**', (route) =>
      route.fulfill({ status: 500, json: { message: 'The clients are out to lunch.', code: 'broken', errors: [] } }),
    )
    await goTo(page, '/dashboard/all-projects?beside=/clients')
    await expect(column(page, 2).getByRole('alert')).toContainText('out to lunch')
    await list(page)
  })

  test('the retry brings a pane that failed', async ({ page }) => {
    await page.route('**/v3/portal/clients**', (route) =>
      route.fulfill({ status: 500, json: { message: 'Out to lunch.', code: 'broken', errors: [] } }),
    )
    await page.goto('/dashboard/clients')
    const retry = pane(page).getByRole('button', { name: 'Try again' })
    await expect(retry).toBeVisible()
    await page.unroute('**/v3/portal/clients**')
    await retry.press('Enter')
    await expect(cursorRow(page)).toBeVisible()
  })

  test('two browser tabs keep their own layouts', async ({ page }) => {
    await goTo(page, '/dashboard/all-projects?beside=/clients')
    const other = await page.context().newPage()
    await open(other, 'surveyProjects')
    await press(other, 'column.split')
    await expect(columns(other)).toHaveCount(2)
    await page.reload()
    await ready(page)
    await expect(page).toHaveURL(/all-projects\?beside=\/clients$/)
    await expect(shownTab(page, 2)).toContainText('Clients')
  })

  test('a duplicated browser tab begins with the same layout, and goes its own way from there', async ({ page }) => {
    await goTo(page, '/dashboard/all-projects?beside=/clients')
    const [other] = await Promise.all([page.context().waitForEvent('page'), page.evaluate(() => void window.open(location.href))])
    await ready(other)
    await expect(columns(other)).toHaveCount(2)
    await expect(other.getByRole('button', { name: 'Restore my panes' })).toHaveCount(0)
    await press(other, 'column.second')
    await press(other, 'tab.close')
    await expect(columns(other)).toHaveCount(1)
    await page.reload()
    await ready(page)
    await expect(columns(page)).toHaveCount(2)
    await other.reload()
    await ready(other)
    await expect(columns(other)).toHaveCount(1)
  })

  test('a failing server keeps who is signed in on their page', async ({ page }) => {
    await page.route('**/v3/portal/auth/validate_token**', (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto('/dashboard/clients')
    await expect(page.getByRole('alert')).toContainText('You are still signed in.')
    expect(addressOf(page)).toBe('/dashboard/clients')
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('one column shows, and the others are in a list', async ({ page }) => {
    await goTo(page, '/dashboard/all-projects?beside=/clients')
    await expect(page.locator('[data-column]:visible')).toHaveCount(1)
    await page.getByRole('button', { name: /open screens$/ }).press('Enter')
    await choose(page, 'Clients')
    await expect(page).toHaveURL(/\/dashboard\/clients/)
  })

  test('nothing is wider than the screen', async ({ page }) => {
    const [one] = await projects(page)
    for (const path of [href('allProjects'), href('project', { id: one!.id }), href('newSurveyRequest'), href('clients')]) {
      await goTo(page, path)
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(390)
    }
  })
})

test.describe('live', () => {
  /** The list of active projects with the connection live, the cursor on its third row; answers its first project. */
  async function watching(page: Page) {
    await goTo(page, '/dashboard/all-projects?status=Active')
    await list(page)
    await expect(page.getByText('live', { exact: true })).toBeVisible()
    await keys(page, 'j j')
    await drawn(page)
    const [target] = await projects(page, 'Active')
    await expect(pane(page).locator('[role=row]').filter({ hasText: target!.name }).first()).toBeVisible()
    return target!
  }
  /** Renames a project from elsewhere; answers its new name. */
  async function rename(elsewhere: Page, id: number): Promise<string> {
    const { data } = await call(elsewhere, 'project.get', { id })
    const name = `Renamed ${Date.now()}`
    await call(elsewhere, 'project.edit', { id, name, lock_version: data.lock_version } as never)
    return name
  }

  test('a change in one browser shows in another within a second', async ({ page, browser, server }) => {
    const target = await watching(page)
    const other = await (await browser.newContext({ baseURL: server.url })).newPage()
    await login(other, 'admin', 'own')
    const name = await rename(other, target.id)
    const since = Date.now()
    // A second is the promise; a machine that runs several browsers at once is given more before the test fails.
    await expect(pane(page).locator('[role=row]').filter({ hasText: name })).toBeVisible()
    test.info().annotations.push({ type: 'live', description: `${Date.now() - since} ms` })
    await other.context().close()
  })

  test('a change by somebody else leaves the cursor where it was', async ({ page, browser, server }) => {
    const target = await watching(page)
    const before = (await nameUnderCursor(page).textContent())!
    const other = await (await browser.newContext({ baseURL: server.url })).newPage()
    await login(other, 'admin', 'own')
    const name = await rename(other, target.id)
    await expect(pane(page).locator('[role=row]').filter({ hasText: name })).toBeVisible()
    await expect(nameUnderCursor(page)).toHaveText(before)
    await other.context().close()
  })

  test('a change in one browser tab shows in another of the same browser', async ({ page }) => {
    const target = await watching(page)
    const other = await page.context().newPage()
    const name = await rename(other, target.id)
    await expect(pane(page).locator('[role=row]').filter({ hasText: name })).toBeVisible()
  })

  test('a connection that can’t be had is said, and comes back by itself', async ({ page }) => {
    await page.route('**/v3/portal/live**', (route) => route.abort())
    await atProjects(page)
    await expect(page.getByText('reconnecting', { exact: true })).toBeVisible({ timeout: 20_000 })
    await page.unroute('**/v3/portal/live**')
    await expect(page.getByText('live', { exact: true })).toBeVisible({ timeout: 40_000 })
  })
})
