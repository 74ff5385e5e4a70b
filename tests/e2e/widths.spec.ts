import type { Page } from '@playwright/test'
import { href, type RouteId, rowOf, sections } from '../../src/routing/routes.ts'
import { expect, test } from '../support/e2e.ts'
import { allProjects, call, drawn, goTo, login, pane } from './verbs.ts'

test.beforeEach(({ page }) => login(page, 'admin'))

/** A column of a table as it is drawn: what its cells need, and what it has. */
interface Drawn {
  id: string
  has: number
  needs: number
  cut: string[]
  email: boolean
  name: boolean
}

/** In the page: the columns of every table in the pane. */
const tables = (page: Page): Promise<{ label: string; columns: Drawn[] }[]> =>
  pane(page).evaluate((shown) =>
    [...shown.querySelectorAll('[role=grid], [role=treegrid]')].map((grid) => {
      const cells = [...grid.querySelectorAll<HTMLElement>('[data-of], [data-head]')]
      const widths = cells.map((cell) => cell.getBoundingClientRect().width)
      // A copy of what the text needs, taken without the product's own measure.
      const style = new CSSStyleSheet()
      style.replaceSync('[data-of], [data-head] { width: max-content !important }')
      document.adoptedStyleSheets.push(style)
      const needs = cells.map((cell) => cell.getBoundingClientRect().width)
      document.adoptedStyleSheets.pop()
      const columns = new Map<string, Drawn>()
      for (const [at, cell] of cells.entries()) {
        const id = cell.dataset.of ?? cell.dataset.head!
        const one = columns.get(id) ?? { id, has: widths[at]!, needs: 0, cut: [], email: false, name: false }
        columns.set(id, one)
        one.needs = Math.max(one.needs, needs[at]!)
        if (needs[at]! > widths[at]! + 1) one.cut.push(cell.textContent)
        one.email ||= /\S@\S+\.\w/.test(cell.textContent)
        one.name ||= cell.querySelector('a[data-view]') !== null
      }
      return { label: grid.getAttribute('aria-label') ?? '', columns: [...columns.values()] }
    }),
  )

/** The screens with lists: the sidebar's, and the tabs of a record of each kind. */
async function screens(page: Page): Promise<string[]> {
  const [project] = await allProjects(page, 'Active')
  const first = async (id: 'client.list' | 'survey.list' | 'team.list' | 'group.list' | 'activity.list') =>
    ((await call(page, id, { per_page: 1 } as never)).data as { id: number }[])[0]!.id
  const tabs = (id: RouteId, record: number) =>
    Object.keys(rowOf(id).tabs!).map((tab) => (href as (...screen: unknown[]) => string)(id, { id: record }, { tab }))
  return [
    ...sections.flatMap(({ entries }) => entries.filter(({ path }) => !path.includes('{')).map(({ path }) => path)),
    ...tabs('project', project!.id),
    ...tabs('client', await first('client.list')),
    ...tabs('team', await first('team.list')),
    ...tabs('survey', await first('survey.list')),
    ...tabs('group', await first('group.list')),
    ...tabs('activity', await first('activity.list')),
  ]
}

test('names and emails are whole at 1440 px, and no column has room that a cut one needs', async ({ page }) => {
  test.setTimeout(120_000)
  const bad: string[] = []
  const seen: string[] = []
  for (const address of await screens(page)) {
    await goTo(page, address)
    await drawn(page)
    await expect(pane(page).locator('[data-loading], [aria-busy=true], [data-gap]')).toHaveCount(0)
    for (const { label, columns } of await tables(page)) {
      if (columns.every(({ needs }) => needs === 0)) continue
      seen.push(label)
      const spare = columns.filter(({ has, needs }) => has > needs + 24)
      for (const one of columns) {
        if (one.cut.length === 0) continue
        const where = `${address} ${label}.${one.id}: ${one.has} of ${Math.round(one.needs)}, ${one.cut.length} cut, “${one.cut[0]}”`
        const third = columns.reduce((sum, { has }) => sum + has, 0) / 3
        if ((one.email || one.name) && one.has < third) bad.push(`${where} (name or email)`)
        else if (spare.length > 0) bad.push(`${where} beside ${spare.map(({ id, has, needs }) => `${id} ${has} of ${needs}`)}`)
      }
    }
  }
  expect(seen.length).toBeGreaterThan(35)
  expect(bad).toEqual([])
})
