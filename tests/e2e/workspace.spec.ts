import { href } from '../../src/routing/routes.ts'
import { expect, test } from '../support/e2e.ts'
import { activeColumn, addressOf, atProjects, nameUnderCursor, shownTab, tabs } from './columns.ts'
import {
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
} from './verbs.ts'

// Tests are independent: two workers share them.
test.describe.configure({ mode: 'parallel' })
test.beforeEach(({ page }) => login(page))

test.describe('opening', () => {
  test('Enter opens the row under the cursor in a preview tab', { tag: '@quick' }, async ({ page }) => {
    await atProjects(page)
    await press(page, 'list.open')
    await expect(tabs(page)).toHaveCount(2)
    await expect(shownTab(page)).toContainText('(preview)')
    await expect(page).toHaveURL(/\/dashboard\/project-info\/\d+\/dashboard/)
  })

  test('the next preview replaces the last', async ({ page }) => {
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

  test('a pinned preview isn’t replaced', async ({ page }) => {
    await atProjects(page)
    await press(page, 'list.open')
    await press(page, 'tab.pin')
    await press(page, 'tab.previous')
    await list(page)
    await press(page, 'list.down')
    await press(page, 'list.open')
    await expect(tabs(page)).toHaveCount(3)
  })

  test('Space shows the row beside and keeps the cursor in the list; the next one replaces it', async ({ page }) => {
    await atProjects(page)
    await press(page, 'list.preview')
    await expect(columns(page)).toHaveCount(2)
    await expect(column(page, 2).getByRole('heading', { level: 1 })).toHaveText(/\S/)
    const first = addressOf(page)
    await keys(page, 'j Space')
    await expect.poll(() => addressOf(page)).not.toBe(first)
    await expect(columns(page)).toHaveCount(2)
    await expect(column(page, 2).getByRole('heading', { level: 1 })).toContainText(
      (await nameUnderCursor(page).textContent())!.trim(),
    )
    await expect(pane(page).locator('[role=treegrid]')).toBeFocused()
  })

  test('o opens the row beside, with the focus there', { tag: '@quick' }, async ({ page }) => {
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

  test('a list keeps its cursor when a row is opened beside it', async ({ page }) => {
    await atProjects(page)
    await keys(page, 'j j j')
    await expect(cursorRow(page)).toHaveAttribute('aria-rowindex', '5')
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
    await list(page)
    const before = await cursorRow(page).textContent()
    await keys(page, 'j')
    await expect(cursorRow(page)).not.toHaveText(before ?? '')
  })

  test('can be undone: the tab returns with its history', async ({ page }) => {
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

  test('asks first about unsaved changes', async ({ page }) => {
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
  test('each pane has its own way back', { tag: '@quick' }, async ({ page }) => {
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

  test('a pane back at its list has no record any more', async ({ page }) => {
    await open(page, 'clients')
    await press(page, 'go.allProjects')
    await expect(pane(page).getByRole('heading', { level: 1, name: 'All projects' })).toBeVisible()
    await list(page)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/project-info/)
    await expect(pane(page).getByRole('tab', { name: /Overview/ })).toBeVisible()
    await press(page, 'pane.back')
    await list(page)
    await expect(page).toHaveTitle(/^(\(\d+\) )?All projects/)
    await press(page, 'list.search')
    await page.keyboard.type('no such project')
    await page.keyboard.press('Enter')
    await expect(pane(page)).toContainText('No projects match')
    await search(page)
    await expect(palette(page).locator('[data-chip]')).toHaveCount(0)
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

  test('a search is in the link, but isn’t a step of the browser’s Back', async ({ page }) => {
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
