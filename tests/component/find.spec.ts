import type { Page } from '@playwright/test'
import { keys, list, open, pane, ready, run } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'
import type { Portal } from '../support/portal.ts'

const bar = (page: Page) => page.getByRole('search', { name: 'Find in this pane' })
const count = (page: Page) => bar(page).locator('[data-found]')
/** The highlighted matches: all of them, or only the current one. */
const marked = (page: Page, name: 'found' | 'found-here') =>
  page.evaluate((name) => [...(CSS.highlights.get(name) ?? [])].map((one) => String(one)), name)

/** A project with four notes about one word. */
async function atNotes(page: Page, api: Portal) {
  const project = api.market.projects[0]!
  for (let at = 1; at <= 4; at++)
    await api.make.note({
      // The newest comes first.
      ...{ id: 910 - at, project_id: project.id, note: `Call ${at} about the wobble`, author_id: 1 },
      created_at: '2026-03-20T10:00:00.000Z',
    })
  await open(page, 'project', { id: project.id }, { tab: 'notes' })
  await expect(pane(page).getByRole('article')).toHaveCount(4)
}

test.describe('find in a pane', () => {
  test('/ highlights every match, counts and announces them, and Enter cycles through them', { tag: '@quick' }, async ({
    page,
    api,
  }) => {
    await atNotes(page, api)
    await page.locator('[data-announcer]').waitFor({ state: 'attached' })
    await keys(page, '/')
    await page.keyboard.type('WOBBLE')
    await expect(count(page)).toHaveText('1 of 4')
    await expect.poll(() => marked(page, 'found')).toEqual(['wobble', 'wobble', 'wobble', 'wobble'])
    await expect(page.locator('[data-announcer]')).toHaveText(/^1 of 4\. .*Call 1 about the wobble/)
    await keys(page, 'Enter Enter')
    await expect(count(page)).toHaveText('3 of 4')
    await expect(page.locator('[data-announcer]')).toHaveText(/^3 of 4/)
    await keys(page, 'Enter Enter')
    await expect(count(page)).toHaveText('1 of 4')
    await keys(page, 'Shift+Enter')
    await expect(count(page)).toHaveText('4 of 4')
    await expect.poll(() => marked(page, 'found-here')).toEqual(['wobble'])
  })

  test('Escape closes it with the focus at the match, and F3 reopens it with the same words', async ({ page, api }) => {
    await atNotes(page, api)
    await keys(page, '/')
    await page.keyboard.type('call 3')
    await expect(count(page)).toHaveText('1 of 1')
    await keys(page, 'Escape')
    await expect(bar(page)).toHaveCount(0)
    await expect(page.locator(':focus')).toContainText('Call 3')
    expect(await marked(page, 'found')).toEqual([])
    await keys(page, 'F3')
    await expect(bar(page).getByRole('searchbox')).toHaveValue('call 3')
    await page.keyboard.type('nowhere')
    await expect(count(page)).toHaveText('Nothing found')
    await keys(page, 'Escape')
    await expect(page.locator(':focus')).toContainText('Call 3')
  })

  test('a match below is scrolled into view, and the bar stays with its screen', async ({ page, api }) => {
    await open(page, 'project', { id: api.market.projects[0]!.id }, { tab: 'specifications' })
    await ready(page)
    const terms = await pane(page).locator('[data-row] > :first-child').allTextContents()
    await run(page, 'pane.find')
    await page.keyboard.type(terms.at(-1)!)
    await expect.poll(() => marked(page, 'found-here')).toHaveLength(1)
    const place = await page.evaluate(() => {
      const [range] = CSS.highlights.get('found-here')!
      const { top, bottom } = (range as Range).getBoundingClientRect()
      return top > 0 && bottom < innerHeight
    })
    expect(place).toBe(true)
    await keys(page, 'Escape 1')
    await expect(bar(page)).toHaveCount(0)
    await keys(page, '/')
    await expect(bar(page)).toBeVisible()
    await keys(page, 'Escape')
    await expect(bar(page)).toHaveCount(0)
    await expect(pane(page).locator(':focus').or(page.locator('section:focus'))).toHaveCount(1)
  })

  test('hidden text isn’t found', async ({ page, api }) => {
    await atNotes(page, api)
    await pane(page)
      .getByRole('article')
      .evaluateAll(([first, second]) => {
        first!.style.display = 'none'
        second!.style.visibility = 'hidden'
      })
    await keys(page, '/')
    await page.keyboard.type('wobble')
    await expect(count(page)).toHaveText('1 of 2')
  })

  test('a match in a label leads to its field, which gets the keys after it', async ({ page }) => {
    await open(page, 'newSurveyRequest')
    await ready(page)
    await keys(page, 'F3')
    await page.keyboard.type('project name')
    await expect(count(page)).toHaveText('1 of 1')
    await keys(page, 'Escape')
    await page.keyboard.type('Tracker')
    await expect(page.locator(':focus')).toHaveValue('Tracker')
  })

  test('it finds text in fields, highlights the field, and focuses it with the text selected', async ({ page }) => {
    await open(page, 'newSurveyRequest')
    await ready(page)
    await run(page, 'pane.field', 'project name')
    await page.keyboard.type('Zebra tracker, zebra two')
    await expect(page.locator(':focus')).toHaveValue('Zebra tracker, zebra two')
    await keys(page, 'F3')
    await page.keyboard.type('zebra')
    await expect(count(page)).toHaveText('1 of 2')
    await expect(pane(page).locator('[data-found-field=here]')).toHaveValue(/Zebra/)
    await expect(bar(page).getByRole('searchbox')).toBeFocused()
    await keys(page, 'Enter')
    await expect(count(page)).toHaveText('2 of 2')
    await keys(page, 'Escape')
    await expect(page.locator(':focus')).toHaveValue('Zebra tracker, zebra two')
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).selectionStart)).toBe(15)
    await expect(pane(page).locator('[data-found-field]')).toHaveCount(0)
  })

  test('it stays open across the record’s tabs and searches again', async ({ page, api }) => {
    await atNotes(page, api)
    await keys(page, '/')
    await page.keyboard.type('wobble')
    await expect(count(page)).toHaveText('1 of 4')
    await pane(page)
      .getByRole('tab', { name: /Specifications/ })
      .click()
    await expect(page).toHaveURL(/specifications/)
    await expect(count(page)).toHaveText('Nothing found')
    await pane(page).getByRole('tab', { name: /Notes/ }).click()
    await expect(count(page)).toHaveText(/of 4/)
    await open(page, 'allProjects')
    await expect(bar(page)).toHaveCount(0)
  })

  test('in a list / stays the list’s own search', async ({ page }) => {
    await open(page, 'allProjects')
    await list(page)
    await keys(page, '/')
    await expect(bar(page)).toHaveCount(0)
    await expect(pane(page).getByRole('searchbox')).toBeFocused()
  })
})
