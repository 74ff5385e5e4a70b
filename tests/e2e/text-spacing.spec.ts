import type { Page } from '@playwright/test'
import { href } from '../../src/routing/routes.ts'
import { expect, test } from '../support/e2e.ts'
import { allProjects, drawn, goTo, login, pane } from './verbs.ts'

test.beforeEach(({ page }) => login(page, 'admin'))

/** The text spacing that WCAG 1.4.12 asks for, as a person's own style. */
const SPACING = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
p { margin-bottom: 2em !important }`

/** A figure, an amount, an id, a date or a time; names are cut at their end, and shown whole at the cursor. */
const FIGURE = /: ([$–]|[A-Z]{1,2}-|[A-Z][a-z]{2} )?\d/

/** In the page: the texts in the pane that their boxes cut, with what cuts them. */
const cutTexts = (page: Page): Promise<string[]> =>
  pane(page).evaluate((shown) =>
    [...shown.querySelectorAll<HTMLElement>('*')].flatMap((box) => {
      const { overflowX, overflowY } = getComputedStyle(box)
      const cuts = (overflow: string) => overflow === 'hidden' || overflow === 'clip'
      const text = box.textContent.trim()
      if (!text || box.closest('.sr-only, [hidden], canvas, svg') || box.clientWidth < 2 || box.checkVisibility() === false)
        return []
      const isCell = box.matches('[data-of], [data-head]')
      const wide = cuts(overflowX) && box.scrollWidth > box.clientWidth + 1
      const high = cuts(overflowY) && !cuts(overflowX) && box.scrollHeight > box.clientHeight + 2
      return (wide || high) && (isCell || box.childElementCount === 0) ? [`${box.dataset.of ?? box.tagName}: ${text}`] : []
    }),
  )

test('with wider text spacing, amounts, ids, times and dates in lists are whole, and forms and records cut nothing more', async ({
  page,
}) => {
  test.setTimeout(120_000)
  const [project] = await allProjects(page, 'Active')
  const tab = (name: 'overview' | 'specifications' | 'rewardCenter' | 'history') =>
    href('project', { id: project!.id }, { tab: name })
  for (const address of [
    ...[href('allProjects'), href('approve'), href('rewards'), href('surveys'), href('users', {}), href('outbox')],
    ...[tab('overview'), tab('specifications'), tab('rewardCenter'), tab('history'), href('newSurveyRequest')],
  ]) {
    await goTo(page, address)
    await drawn(page)
    await expect(pane(page).locator('[data-loading], [aria-busy=true], [data-gap]')).toHaveCount(0)
    const before = new Set(await cutTexts(page))
    await page.evaluate((text) => {
      const style = new CSSStyleSheet()
      style.replaceSync(text)
      document.adoptedStyleSheets.push(style)
    }, SPACING)
    const now = async () => (await cutTexts(page)).filter((text) => !before.has(text) && FIGURE.test(text))
    await expect.poll(now, { message: `cut at ${address}` }).toEqual([])
    await page.evaluate(() => void document.adoptedStyleSheets.pop())
  }
})
