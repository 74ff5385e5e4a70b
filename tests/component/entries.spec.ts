import type { Page } from '@playwright/test'
import { field, keys, open, palette, pane, projects, ready, run, search, selected, toast } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'
import type { Portal } from '../support/portal.ts'

/** Opens the Notes of a project with seven notes, five of them on the first page. */
async function atNotes(page: Page, api: Portal) {
  const project = api.market.projects[0]!
  for (let at = 1; at <= 7; at++)
    await api.make.note({
      // The newest comes first.
      ...{ id: 910 - at, project_id: project.id, note: `Note ${at}`, author_id: 1 },
      created_at: '2026-03-20T10:00:00.000Z',
    })
  await open(page, 'project', { id: project.id }, { tab: 'notes' })
  await expect(pane(page).getByRole('article')).toHaveCount(5)
  return project
}
const at = (page: Page) => pane(page).locator('article[data-cursor]')

test.describe('notes by key', () => {
  test('are walked across their pages, with the focus on the note', { tag: '@quick' }, async ({ page, api }) => {
    await atNotes(page, api)
    await expect(at(page)).toHaveCount(0)
    await keys(page, 'j j')
    await expect(at(page)).toContainText('Note 2')
    await expect(at(page)).toBeFocused()
    await keys(page, 'ArrowDown ArrowDown ArrowDown j')
    await expect(at(page)).toContainText('Note 6')
    await expect(at(page)).toBeFocused()
    await keys(page, 'k')
    await expect(at(page)).toContainText('Note 5')
    await keys(page, 'End')
    await expect(at(page)).toContainText('Note 7')
    await keys(page, 'Home')
    await expect(at(page)).toContainText('Note 1')
    await keys(page, 'Escape')
    await expect(at(page)).toHaveCount(0)
  })

  test('are edited by Enter, and the palette acts on the one under the cursor', { tag: '@quick' }, async ({ page, api }) => {
    await atNotes(page, api)
    await keys(page, 'j j Enter')
    await expect(field(page)).toHaveValue('Note 2')
    await keys(page, 'Escape')
    await expect(palette(page)).toHaveCount(0)
    await expect(at(page)).toBeFocused()
    await search(page, 'delete')
    await expect(selected(page)).toContainText('Delete note')
  })

  test('open from a link, on whichever page they are by now', async ({ page, api }) => {
    const project = await atNotes(page, api)
    await keys(page, 'j j')
    await expect(page).toHaveURL(/entry=908/)
    await open(page, 'project', { id: project.id }, { tab: 'notes', query: { entry: '903' } })
    await expect(at(page)).toContainText('Note 7')
    await expect(at(page)).toBeFocused()
  })
})

test.describe('the keys that work on entries', () => {
  test('are listed in the footer, and a list’s key says why it does nothing', async ({ page, api }) => {
    await atNotes(page, api)
    const foot = page.getByRole('list', { name: 'Keys that work here' })
    await expect(foot).toContainText('open')
    await expect(foot).not.toContainText('select')
    await keys(page, 'j x')
    await expect(toast(page, 'Select row: these entries only open')).toBeVisible()
    await expect(at(page)).toBeFocused()
  })

  test('of a list say on an Overview that there is no list', async ({ page, api }) => {
    await open(page, 'project', { id: api.market.projects[0]!.id }, { tab: 'overview' })
    await ready(page)
    await keys(page, 's')
    await expect(toast(page, 'Sort this list: there is no list here')).toBeVisible()
  })

  test('“Go to” finds a note and a change by their words', async ({ page, api }) => {
    const project = await atNotes(page, api)
    await run(page, 'note.goTo', 'Note 7')
    await expect(at(page)).toContainText('Note 7')
    await expect(at(page)).toBeFocused()
    await open(page, 'project', { id: project.id }, { tab: 'specifications' })
    await ready(page)
    await search(page, 'Go to change')
    await keys(page, 'Enter')
    await expect(selected(page)).toContainText('imported responses')
    await keys(page, 'Enter')
    await expect(page).toHaveURL(/history.*entry=\d+/)
    await expect(pane(page).locator('[data-entry][data-cursor]')).toBeFocused()
  })
})

test.describe('a pane’s filters, fields and tabs', () => {
  test('f asks which filter of an Overview, and opens it', async ({ page }) => {
    const [project] = await projects(page)
    await open(page, 'project', { id: project!.id }, { tab: 'overview' })
    await ready(page)
    await keys(page, 'f')
    await expect(field(page)).toBeFocused()
    await page.keyboard.type('age')
    await expect(selected(page)).toContainText('Age')
    await keys(page, 'Enter')
    await expect(page.getByRole('menu')).toContainText('18')
    await expect(page.locator('[role=menu] :focus, [role=menu]:focus').first()).toBeVisible()
  })

  test('a form’s field is reached by its name, and gets what is typed after it', async ({ page }) => {
    await open(page, 'newSurveyRequest')
    await ready(page)
    await run(page, 'pane.field', 'project name')
    await page.keyboard.type('Tracker')
    await expect(page.locator(':focus')).toHaveValue('Tracker')
  })
})

test.describe('the history by key', () => {
  test('j moves to a change, which the link keeps, and f opens the only filter', async ({ page, api }) => {
    await open(page, 'project', { id: api.market.projects[0]!.id }, { tab: 'history' })
    await ready(page)
    await keys(page, 'j')
    await expect(pane(page).locator('[data-entry][data-cursor]')).toBeFocused()
    await expect(page).toHaveURL(/entry=\d+/)
    await keys(page, 'Escape')
    await expect(pane(page).locator('[data-entry][data-cursor]')).toHaveCount(0)
    await keys(page, 'f')
    await expect(page.locator('[role=menu] :focus')).toContainText('All')
    await expect(page.getByRole('menu')).toContainText('Channel Partner')
  })

  test('“Go to tab…” opens a tab by its name', async ({ page, api }) => {
    await open(page, 'project', { id: api.market.projects[0]!.id }, { tab: 'history' })
    await ready(page)
    await keys(page, 'w b')
    await expect(field(page)).toBeFocused()
    await page.keyboard.type('specif')
    await expect(selected(page)).toContainText('Specifications')
    await keys(page, 'Enter')
    await expect(page).toHaveURL(/specifications/)
  })
})
