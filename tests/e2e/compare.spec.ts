import { expect, test } from '../support/e2e.ts'
import { beside, chip, pair, trend, widget } from './compared.ts'
import { troubles } from './troubles.ts'
import {
  call,
  choose,
  clipboard,
  column,
  columns,
  goTo,
  keys,
  list,
  login,
  open,
  press,
  ready,
  run,
  toast,
  withFigures,
} from './verbs.ts'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })
test.describe.configure({ mode: 'parallel' })

test('from the palette: the chosen project opens beside, on the same tab and filters, with its differences', async ({ page }) => {
  const broken = troubles(page)
  await login(page)
  const [first, second] = await pair(page)
  await open(page, 'project', { id: first.id }, { query: { gender: 'female' } })
  await expect(page.getByRole('heading', { level: 1, name: first.name })).toBeVisible()
  await run(page, 'compare.open', second.name)
  await page.keyboard.press('Control+Enter')
  await expect(columns(page)).toHaveCount(2)
  await expect(page).toHaveURL(
    new RegExp(`${first.id}/dashboard\\?gender=female&beside=/project-info/${second.id}/dashboard;gender=female&linked=1`),
  )
  await ready(page)
  const delivered = column(page, 2).locator('[data-difference]').nth(1)
  const by = second.delivered - first.delivered
  await expect(delivered).toContainText(`${Math.abs(by).toLocaleString('en-US')}, `)
  await expect(delivered).toContainText(`${by > 0 ? 'more' : 'less'} than ${first.name}`)
  await expect(column(page, 1).locator('[data-difference]')).toHaveCount(0)
  await page.goBack()
  await expect(columns(page)).toHaveCount(1)
  expect(broken).toEqual([])
})

test('selected rows are compared, and one command restores what was open', async ({ page }) => {
  await login(page)
  await open(page, 'allProjects', {}, { query: { status: 'Active' } })
  await list(page)
  await keys(page, 'x j x j x')
  await press(page, 'compare.open', 'project')
  await expect(columns(page)).toHaveCount(3)
  await expect(chip(page)).toContainText('Linked: 3 columns')
  await press(page, 'pane.restore')
  await expect(columns(page)).toHaveCount(1)
  await expect(page).toHaveURL(/all-projects\?status=Active/)
})

test('linked lists scroll together by keys, with rows in line', async ({ page }) => {
  await login(page)
  const { data } = await call(page, 'project.listAll', { per_page: 500 })
  const [first, second] = data.toSorted((a, b) => b.pending_rewards - a.pending_rewards)
  const of = (id: number) => `/project-info/${id}/project-rewarded`
  await goTo(page, `/dashboard${of(first!.id)}?status=all&beside=${of(second!.id)};status=all&linked=1`)
  await list(page)
  const grid = (at: number) => column(page, at).getByRole('treegrid')
  const top = (at: number) => grid(at).evaluate((element) => element.scrollTop)
  await expect(grid(2).getByRole('row').nth(1)).toBeVisible()
  const rest = () => grid(2).evaluate((element) => element.scrollHeight - element.clientHeight)
  await expect.poll(rest).toBeGreaterThan(64)
  const head = async (at: number) => (await grid(at).boundingBox())!.y
  await expect.poll(async () => (await head(1)) - (await head(2))).toBe(0)
  for (let at = 0; at < 3; at++) await press(page, 'list.screenDown')
  await expect.poll(() => top(1)).toBeGreaterThan(0)
  await expect.poll(async () => (await top(2)) === Math.min(await rest(), await top(1))).toBe(true)
  await press(page, 'column.second')
  await press(page, 'list.first')
  await press(page, 'list.down')
  await press(page, 'list.first')
  await expect.poll(() => top(1)).toBe(0)
})

test('clients beside each other are linked too, with the differences of their figures', async ({ page }) => {
  await login(page)
  const { data } = await call(page, 'client.list', { column: 'projects_count', order: 'desc' })
  const [first, second] = [data[0]!, data[3]!]
  await goTo(page, `/dashboard/client-info/${first.id}/details?beside=/client-info/${second.id}/details`)
  await press(page, 'compare.link')
  await expect(chip(page)).toContainText('Linked: 2 columns')
  await expect(page.getByTestId('header-text')).toHaveText('Compare 2 clients')
  const projects = column(page, 2).locator('[data-difference="client Projects"]')
  await expect(projects).toContainText(`${first.projects_count - second.projects_count} less than ${first.name}`)
  await press(page, 'pane.tab4')
  const users = column(page, 2).locator('[data-difference="list users"]')
  await expect(users).toContainText(second.users_count === first.users_count ? 'as in' : first.name)
})

test('one link shows it all to somebody else; what they may not see keeps its column and says so', async ({
  page,
  browser,
  baseURL,
}) => {
  await login(page, 'client')
  const [theirs, second] = await withFigures(page)
  const guest = await browser.newContext(baseURL ? { baseURL } : {})
  const admins = await guest.newPage()
  await login(admins)
  const { data: everybodys } = await call(admins, 'project.list', { per_page: 500 })
  const foreign = everybodys.find((row) => row.client_id !== theirs!.client_id)!
  await goTo(admins, beside(theirs!, foreign, second!))
  await run(admins, 'compare.days')
  await expect(admins).toHaveURL(/axis=(day|date)/)
  await admins.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await press(admins, 'copy.layout')
  await expect(toast(admins, 'Copied')).toBeVisible()
  const link = await clipboard(admins)
  expect(link).toMatch(/axis=(day|date)/)
  await guest.close()

  await goTo(page, new URL(link).pathname + new URL(link).search)
  await expect(columns(page)).toHaveCount(3)
  await expect(column(page, 2)).toContainText(`Project ${foreign.id} doesn’t exist, or you don’t have access`)
  await expect(chip(page)).toContainText('Linked: 2 of 3 columns')
  await expect(column(page, 1)).toContainText('Baseline')
  await expect(column(page, 3).locator('[data-difference]').first()).toContainText(theirs!.name)
  await expect(trend(page, 1)).toHaveAttribute('aria-valuemin', '1')
})

test('on a narrow window the differences stay', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await login(page)
  const [first, second] = await pair(page)
  await goTo(page, beside(first, second))
  await press(page, 'column.second')
  await expect(column(page, 2).locator('[data-difference]').nth(1)).toContainText(first.name)
})

test('a hidden widget is hidden in every column, and on every device', async ({ page }) => {
  await login(page)
  const [first, second] = await pair(page)
  await goTo(page, beside(first, second))
  const menu = column(page, 1).getByRole('button', { name: /^Widgets/ })
  const toggle = async () => {
    await menu.focus()
    await page.keyboard.press('Enter')
    const saved = page.waitForResponse((answer) => answer.request().method() !== 'GET' && /account/.test(answer.url()))
    await choose(page, 'Ethnicity')
    await saved
    await page.keyboard.press('Escape')
  }
  await toggle()
  for (const at of [1, 2]) await expect(widget(page, at, 'Ethnicity')).toHaveCount(0)
  await page.evaluate(() => localStorage.clear())
  await page.reload()
  await ready(page)
  await expect(widget(page, 2, 'Age')).toBeVisible()
  await expect(widget(page, 2, 'Ethnicity')).toHaveCount(0)
  await toggle()
  await expect(widget(page, 2, 'Ethnicity')).toBeVisible()
})
