import type { Page } from '@playwright/test'
import fc from 'fast-check'
import { keymap } from '../../src/commands/keymap.ts'
import { href, type RouteId, routeIds, rowOf } from '../../src/routing/routes.ts'
import {
  cursorRow,
  dialog,
  drawn,
  field,
  goTo,
  keys,
  list,
  open,
  palette,
  pane,
  press,
  projects,
  ready,
  review,
} from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'
import { focusFault as fault } from '../support/focus.ts'
import type { Portal } from '../support/portal.ts'

/*
 * After any key, the focus is where a user would continue (docs/decisions/panes.md).
 */

/** Fixed, so that every run is the same; `FOCUS_SEED` takes another path, `FOCUS_SEED=today` the day's. */
const seed = process.env.FOCUS_SEED === 'today' ? Math.floor(Date.now() / 86_400_000) : Number(process.env.FOCUS_SEED) || 1
/** Steps on each screen. */
const STEPS = Number(process.env.FOCUS_STEPS) || 3

/** Commands that leave the page or sign the user out. */
const LEAVING =
  /^(session\.|copy\.|theme\.|command\.|job\.fetch|content\.download|job\.link$|palette\.commands$|invitation\.copyLink)/
const presses: [press: string, id: string][] = Object.values(keymap).flatMap((context) => Object.entries(context))
// The same keys may leave the page in one context but not in another.
const leaving = new Set(presses.filter(([, id]) => LEAVING.test(id)).map(([press]) => press))
const bound = [...new Set(presses.map(([press]) => press))].filter((press) => !leaving.has(press))
const OTHERS = ['Tab', 'Shift+Tab', 'Enter', 'Escape', 'Escape', 'Mod+k', 'Space', 'ArrowDown', 'Delete', 'Mod+Enter', 'i', 'F8']
const step = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...bound) }, { weight: 2, arbitrary: fc.constantFrom(...OTHERS) })

/** Every screen behind sign-in, with its parameters filled in by the marketplace. */
function paths({ market }: Portal): string[] {
  const idOf: Readonly<Record<string, number>> = {
    project: market.projects[0]!.id,
    campaign: market.projects[0]!.id,
    client: market.clients[0]!.id,
  }
  const fill = (id: RouteId, path: string) =>
    path.replace(/\{(\w+)\}/g, (_, name: string) => {
      if (name === 'questionType') return 'survey'
      if (name === 'filter') return 'none'
      const own = rowOf(id).subject
      return String(idOf[own && name !== 'project_id' ? own : 'project'] ?? 1)
    })
  return routeIds.flatMap((id) => {
    const row = rowOf(id)
    if (row.outside || row.leads || id === 'snapshot') return []
    const tabs = Object.values(row.tabs ?? {}).map((tab) => `${row.path}/${tab.path}`)
    return (tabs.length ? tabs : [row.path]).map((path) => fill(id, path))
  })
}

/** Goes to a screen within the page, as a link does. */
async function visit(page: Page, path: string): Promise<void> {
  await page.keyboard.press('Escape')
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
}

const PARTS = 4
test.describe('after each of several random keys the focus is where work continues', () => {
  test.describe.configure({ timeout: 120_000 })
  for (let part = 0; part < PARTS; part++)
    test(`on every screen, part ${part + 1}`, async ({ page, api }) => {
      // Not all of these screens have answers; their errors are screens too.
      const all = paths(api)
      const mine = all.filter((_, at) => at % PARTS === part)
      const walks = fc.sample(fc.array(step, { minLength: STEPS, maxLength: STEPS }), { seed: seed + part, numRuns: mine.length })
      const wrong: string[] = []
      await open(page, 'allProjects')
      for (const [at, path] of mine.entries()) {
        await visit(page, path)
        const begun = await fault(page)
        if (begun) wrong.push(`${path}: ${begun}`)
        const done: string[] = []
        for (const press of walks[at]!) {
          done.push(press)
          await keys(page, press)
          const found = await fault(page)
          if (!found) continue
          wrong.push(`${path} ${done.join(' · ')}: ${found}`)
          break
        }
      }
      expect(wrong, `FOCUS_SEED=${seed}`).toEqual([])
    })
})

test.describe('a key pressed right after Escape, before the next frame, goes where Escape leads', { tag: '@quick' }, () => {
  /** Presses keys as fast as a browser delivers them: between two, React has rendered, but no task has run. */
  const atOnce = (page: Page, ...all: { key: string; code: string; ctrlKey?: boolean; shiftKey?: boolean }[]) =>
    page.evaluate(async (all) => {
      for (const one of all) {
        const target = document.activeElement ?? document.body
        target.dispatchEvent(new KeyboardEvent('keydown', { ...one, bubbles: true, cancelable: true }))
        for (let at = 0; at < 20; at++) await Promise.resolve()
      }
    }, all)
  const ESCAPE = { key: 'Escape', code: 'Escape' }
  const PALETTE = { key: 'k', code: 'KeyK', ctrlKey: true }

  const SORT = { key: 's', code: 'KeyS' }
  const FILTER = { key: 'f', code: 'KeyF' }
  const ROW = { key: 'F10', code: 'F10', shiftKey: true }

  for (const [name, opens, context] of [
    ['the menu of sorting', 's', SORT],
    ['the filters', 'f', FILTER],
    ['the menu of a row', 'Shift+F10', ROW],
  ] as const)
    test(`from ${name}: to the palette, to the list, and to the same menu again`, async ({ page }) => {
      const within = page.locator('[role=menu], [role=dialog]').locator(':focus')
      const inMenu = async () => {
        await keys(page, opens)
        await expect(within).toHaveCount(1)
      }
      await open(page, 'allProjects')
      await list(page)
      await keys(page, 'j')
      await inMenu()
      await atOnce(page, ESCAPE, PALETTE)
      await expect(field(page)).toBeFocused()
      await expect(page.getByRole('menu')).toHaveCount(0)
      expect(await fault(page)).toBeNull()
      await keys(page, 'Escape')
      await expect(palette(page)).toHaveCount(0)
      await inMenu()
      const before = Number(await cursorRow(page).getAttribute('aria-rowindex'))
      await atOnce(page, ESCAPE, { key: 'j', code: 'KeyJ' })
      await expect(page.getByRole('menu')).toHaveCount(0)
      await expect(cursorRow(page)).toHaveAttribute('aria-rowindex', String(before + 1))
      expect(await fault(page)).toBeNull()
      await inMenu()
      await atOnce(page, ESCAPE, context)
      await drawn(page)
      await expect(within).toHaveCount(1)
      expect(await fault(page)).toBeNull()
    })

  test('from a dialog over another: to the other one', async ({ page, api }) => {
    await open(page, 'usersInfo', {}, { tab: 'clientUsers', query: { search: 'paul' } })
    await list(page)
    await press(page, 'user.services', 'user')
    const below = await dialog(page, 'Visitation services of Paul Abbott')
    await keys(page, 'Space')
    await dialog(page, /^Remove access to /)
    await atOnce(page, ESCAPE, { key: '/', code: 'Slash' })
    await expect(below.getByRole('searchbox')).toBeFocused()
    expect(await fault(page)).toBeNull()
    expect(api.writes).toEqual([])
  })
})

test('Escape leads from a menu back to the column’s header, or to the list, from where a key opened it', {
  tag: '@quick',
}, async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  const grid = pane(page).locator('[role=grid], [role=treegrid]')
  const header = pane(page).getByRole('columnheader', { name: /^Cost/ }).getByRole('button').first()
  const menu = page.locator('[role=menu], [role=dialog]')
  for (const opens of ['f', 's', 'f'])
    for (const from of [header, grid]) {
      await from.focus()
      await keys(page, opens)
      await expect(menu.locator(':focus')).toHaveCount(1)
      await keys(page, 'Escape')
      await expect(menu).toHaveCount(0)
      await expect(from).toBeFocused()
    }
})

test.describe('after a deletion in a list', { tag: '@quick' }, () => {
  test('the focus is on the row that took the place', async ({ page }) => {
    await open(page, 'teams')
    await list(page)
    await keys(page, 'j')
    const gone = (await cursorRow(page).getAttribute('aria-label')) ?? (await cursorRow(page).textContent())
    await press(page, 'team.remove', 'team')
    await review(page, '')
    await expect(palette(page)).toHaveCount(0)
    await expect
      .poll(async () => (await cursorRow(page).getAttribute('aria-label')) ?? cursorRow(page).textContent())
      .not.toBe(gone)
    expect(await fault(page)).toBeNull()
    await expect(pane(page).locator('[role=grid], [role=treegrid]')).toBeFocused()
  })
})

test.describe('when the focused element disappears', { tag: '@quick' }, () => {
  /** Describes the focused element by its name or its text. */
  const focused = (page: Page) =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id)

  test('removing a form’s row moves the focus to the same button of its neighbour, or of the row that is left', async ({
    page,
    api,
  }) => {
    await open(page, 'newChildSurvey', { id: api.market.projects[0]!.id })
    const add = pane(page).getByRole('button', { name: /^Add (a|another) child/ })
    await add.press('Enter')
    await expect(pane(page).getByLabel('Name of child 2')).toBeFocused()
    await add.press('Enter')
    await expect(pane(page).getByLabel('Name of child 3')).toBeFocused()
    await pane(page).getByRole('button', { name: 'Remove child 2' }).press('Enter')
    await expect(pane(page).getByLabel('Name of child 3')).toHaveCount(0)
    expect(await fault(page)).toBeNull()
    await expect(pane(page).locator(':focus')).toHaveCount(1)
    await pane(page).getByRole('button', { name: 'Remove child 2' }).press('Enter')
    await expect(pane(page).getByLabel('Name of child 2')).toHaveCount(0)
    expect(await fault(page)).toBeNull()
    await expect(pane(page).locator(':focus')).toHaveCount(1)
  })

  test('the pane takes the focus, whether the element was removed or disabled, and its keys still work', async ({
    page,
    api,
  }) => {
    await open(page, 'project', { id: api.market.projects[0]!.id }, { tab: 'overview' })
    await ready(page)
    for (const how of ['remove', 'disable'] as const) {
      await pane(page).evaluate((section) => {
        const button = Object.assign(document.createElement('button'), { textContent: 'Here for a moment' })
        section.querySelector('[data-pane-scroller]')!.append(button)
        button.focus()
      })
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Here for a moment')
      await page.evaluate((how) => {
        const button = document.activeElement as HTMLButtonElement
        if (how === 'remove') button.remove()
        else button.disabled = true
      }, how)
      await expect.poll(() => focused(page), how).toMatch(/^pane-/)
    }
    await keys(page, 'g c')
    await list(page)
    await expect(page).toHaveURL(/clients/)
  })
})

test('a list that has loaded in a column just left doesn’t take the focus back', { tag: '@quick' }, async ({ page }) => {
  const [one, two] = await projects(page)
  await goTo(page, `${href('project', { id: one!.id })}?beside=/project-info/${two!.id}/dashboard`)
  await keys(page, '1')
  await expect(pane(page).locator('[data-row]').first()).toBeVisible()
  // What happens if the list loads between the key and the frame in which the other column gets the focus.
  await pane(page).evaluate((left) => {
    left.focus()
    left.dispatchEvent(new KeyboardEvent('keydown', { key: '2', code: 'Digit2', altKey: true, bubbles: true, cancelable: true }))
    left.querySelector<HTMLElement>('[data-row]')!.focus()
  })
  await keys(page, '1')
  await expect(page).toHaveURL(new RegExp(`^[^?]*${two!.id}/specifications`))
})
