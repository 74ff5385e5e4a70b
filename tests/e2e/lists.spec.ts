import type { Page } from '@playwright/test'
import { expect, test } from '../support/e2e.ts'
import { COLOURS, faults } from './axe.ts'
import {
  call,
  cursorRow,
  field,
  goTo,
  list,
  login,
  open,
  palette,
  pane,
  press,
  ready,
  review,
  rows,
  search,
  select,
  toast,
} from './verbs.ts'

const address = (page: Page) => new URL(page.url()).pathname + new URL(page.url()).search
const rowAt = async (page: Page) => Number(await cursorRow(page).getAttribute('aria-rowindex'))

test.beforeEach(({ page }) => login(page, 'admin'))

test('a view is saved, left, reopened, found in the palette, and deleted again', { tag: '@quick' }, async ({ page }) => {
  await goTo(page, '/dashboard/all-projects?status=active&sort=-name')
  await list(page)
  await press(page, 'view.save')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('Field, last first')
  await page.keyboard.press('Enter')
  await expect(pane(page).locator('[data-views]')).toContainText('Field, last first')
  await press(page, 'list.search')
  await page.keyboard.type('a')
  await expect(page).toHaveURL(/search=a/)
  await expect(pane(page)).toContainText('changed')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await list(page)
  await press(page, 'view.back')
  await expect(page).toHaveURL(/all-projects\?status=active&sort=-name$/)
  await expect(pane(page).getByText('changed')).toHaveCount(0)
  await open(page, 'clients')
  await list(page)
  await search(page, 'Field, last')
  const found = rows(page).filter({ hasText: 'Field, last first' })
  await expect(found).toContainText('saved view · all projects')
  await select(page, found)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/all-projects\?status=active&sort=-name/)
  await list(page)
  await press(page, 'view.remove')
  await review(page, 'Delete the view “Field, last first”?')
  await expect(toast(page, 'View “Field, last first” deleted')).toBeVisible()
  expect((await call(page, 'view.list')).data).toEqual([])
})

test('a saved view’s keys wait until the list shows it', async ({ page }) => {
  const { data } = await call(page, 'view.create', { screen: 'allProjects', name: 'Late', query: 'status=active' })
  let come = () => {}
  const held = new Promise<void>((resolve) => {
    come = resolve
  })
  await page.route(/\/views\b/, async (route) => {
    await held
    await route.continue()
  })
  await goTo(page, '/dashboard/all-projects?status=active')
  await list(page)
  await press(page, 'view.remove')
  await expect(pane(page)).not.toContainText('Late')
  come()
  await expect(palette(page)).toContainText('Delete the view “Late”?')
  await page.keyboard.press('Escape')
  await call(page, 'view.remove', { id: data.id })
})

test('a list has the same rows, scroll position and cursor after Back and after a reload', async ({ page }) => {
  await goTo(page, '/dashboard/all-projects?sort=name')
  await list(page)
  await press(page, 'list.nextPage')
  await press(page, 'list.nextPage')
  await press(page, 'list.nextPage')
  await press(page, 'list.down')
  await expect.poll(() => rowAt(page)).toBe(33)
  await expect(page).toHaveURL(/sort=name&page=4/)
  await expect(cursorRow(page)).toContainText(/P-\d+/)
  const name = await cursorRow(page).getByRole('gridcell').nth(1).textContent()
  await press(page, 'list.open')
  await expect(page).toHaveURL(/project-info/)
  await page.goBack()
  await expect(cursorRow(page)).toContainText(name!)
  await expect.poll(() => rowAt(page)).toBe(33)
  await page.reload()
  await ready(page)
  await expect(cursorRow(page)).toContainText(name!)
  await expect(cursorRow(page)).toBeInViewport()
  await expect.poll(() => address(page)).toBe('/dashboard/all-projects?sort=name&page=4')
})

test('all matches are selected, loaded or not; the selection survives sorting, and Escape clears it', async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  const { count } = await call(page, 'project.listAll', { per_page: 1 })
  expect(count).toBeGreaterThan(60)
  await press(page, 'list.markAll')
  await expect(pane(page)).toContainText(`${count} selected`)
  await press(page, 'list.last')
  await expect.poll(() => rowAt(page)).toBe(count + 1)
  await expect(cursorRow(page).getByRole('checkbox', { name: 'Select' })).toBeChecked()
  await press(page, 'list.sort')
  await page.getByRole('menuitemradio', { name: 'Client' }).first().click()
  await expect(page).toHaveURL(/sort=client/)
  // The menu has closed, so the next Enter belongs to the row.
  await expect(pane(page).getByRole('treegrid')).toBeFocused()
  await expect(pane(page)).toContainText(`${count} selected`)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(pane(page).getByText(/ selected/)).toHaveCount(0)
})

test('the last row of a long list appears at once, and the way back up has no gaps', async ({ page }) => {
  const { data } = await call(page, 'project.listAll', { per_page: 500 })
  const longest = data.flatMap((row) => [row, ...row.children]).sort((a, b) => b.pending_rewards - a.pending_rewards)[0]!
  await goTo(page, `/dashboard/project-info/${longest.id}/project-rewarded?status=all`)
  await list(page)
  const { count = 0 } = await call(page, 'entry.list', { id: longest.id, status: 'all' })
  expect(count).toBeGreaterThan(100)
  await press(page, 'list.last')
  await expect.poll(() => rowAt(page)).toBe(count + 1)
  await expect(cursorRow(page)).toContainText('@')
  await expect(pane(page).getByRole('treegrid')).toHaveAttribute('aria-rowcount', String(count + 1))
  for (let at = 0; at < 40; at++) await press(page, 'list.up')
  await expect(cursorRow(page)).toContainText('@')
  await press(page, 'list.first')
  await expect.poll(() => rowAt(page)).toBe(2)
  await expect(cursorRow(page)).toContainText('@')
})

test('page links lead on in a narrow window, and in one as low as a desktop’s at 400 %', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await open(page, 'allProjects')
  await list(page)
  const link = (number: number) => pane(page).getByRole('button', { name: `Page ${number}`, exact: true })
  await link(3).click()
  await expect(link(3)).toHaveAttribute('aria-current', 'page')
  await expect(pane(page).getByRole('navigation', { name: 'Pages' })).toContainText('rows 21–30')
  await page.setViewportSize({ width: 320, height: 256 })
  await link(2).click()
  await expect(link(2)).toHaveAttribute('aria-current', 'page')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
})

test('a name changed by somebody else during editing is never overwritten silently', async ({ page, browser }) => {
  const { data } = await call(page, 'client.list', { per_page: 5, column: 'name' })
  const [row] = data
  await goTo(page, '/dashboard/clients?sort=name')
  await list(page)
  const cell = pane(page).getByRole('textbox', { name: 'Client' })
  await press(page, 'list.edit')
  await expect(cell).toBeFocused()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('AAA mine')
  const context = await browser.newContext({ baseURL: new URL(page.url()).origin })
  const elsewhere = await context.newPage()
  await login(elsewhere, 'admin', 'own')
  await call(elsewhere, 'client.edit', { id: row!.id, name: 'AAA theirs' })
  await context.close()
  await expect(pane(page).getByText('Someone else just changed this to AAA theirs')).toBeVisible()
  await expect(cell).toHaveValue('AAA mine')
  await expect(cell).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(pane(page).getByRole('alert')).toContainText('Someone else has changed this to AAA theirs')
  expect((await call(page, 'client.get', { id: row!.id })).data.name).toBe('AAA theirs')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveClass(colorScheme === 'dark' ? /\bdark\b/ : /^(?!.*\bdark\b)/)
    expect(await faults(page, COLOURS, '[role=grid] [role=alert]'), colorScheme).toEqual([])
  }
  await page.keyboard.press('Enter')
  await expect(cursorRow(page)).toContainText('AAA mine')
  await expect.poll(async () => (await call(page, 'client.get', { id: row!.id })).data.name).toBe('AAA mine')
  // A narrow two-line row cuts nothing off.
  await page.setViewportSize({ width: 390, height: 844 })
  await press(page, 'list.edit')
  await expect(cell).toBeFocused()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Enter')
  await expect(pane(page).getByRole('alert')).toBeInViewport({ ratio: 1 })
})

test('three million rows are reached by keys, wheel and scroll bar, each row where it belongs', async ({ page }) => {
  const MANY = 3_000_000
  const { data } = await call(page, 'project.listAll', { per_page: 500 })
  const project = data.flatMap((row) => [row, ...row.children]).find((row) => row.pending_rewards > 0)!
  const real = await call(page, 'entry.list', { id: project.id })
  let counts = 0
  // The server has fewer rows than the browser must handle, so a response is repeated with rows named by position.
  await page.route('**/rewarded/rewards**', (route) => {
    const query = new URL(route.request().url()).searchParams
    const [at, size] = [Number(query.get('page')), Number(query.get('per_page'))]
    const rows = Array.from({ length: size }, (_, index) => {
      const id = (at - 1) * size + index + 1
      return { ...real.data[0]!, id, email: `row-${id}@mail.test` }
    })
    const alone = query.get('counts') === '0'
    if (!alone) counts++
    return route.fulfill({
      json: { data: rows, page: at, page_size: size, ...(alone ? {} : { count: MANY, totals: real.totals }) },
    })
  })
  await goTo(page, `/dashboard/project-info/${project.id}/project-rewarded?status=all`)
  await list(page)
  const grid = pane(page).getByRole('treegrid')
  /** The names of the visible rows from the top; fails if a row is misplaced. */
  const inView = () =>
    grid.evaluate((box) => {
      const { top, bottom } = box.getBoundingClientRect()
      const seen = [...box.querySelectorAll<HTMLElement>('[role=row][aria-selected]')].filter((row) => {
        const place = row.getBoundingClientRect()
        return place.top >= top + 32 && place.bottom <= bottom
      })
      const steps = seen.slice(1).map((row, at) => row.getBoundingClientRect().top - seen[at]!.getBoundingClientRect().top)
      const named = seen.map(
        (row) => Number(/row-(\d+)@/.exec(row.textContent ?? '')?.[1]) === Number(row.getAttribute('aria-rowindex')) - 1,
      )
      return {
        first: Number(seen[0]?.getAttribute('aria-rowindex')) - 1,
        rows: seen.length,
        even: new Set(steps).size === 1,
        named: named.every(Boolean),
      }
    })
  const seen = async (first: number) => expect.poll(inView).toMatchObject({ first, even: true, named: true })
  const { rows } = await inView()

  await press(page, 'list.last')
  await expect.poll(() => rowAt(page)).toBe(MANY + 1)
  await expect(cursorRow(page)).toContainText(`row-${MANY}@`)
  await expect(cursorRow(page)).toBeInViewport({ ratio: 1 })
  for (let at = 0; at < rows + 3; at++) await press(page, 'list.up')
  await expect(cursorRow(page)).toContainText(`row-${MANY - rows - 3}@`)
  await seen(MANY - rows - 3)

  // Dragging the bar to its middle shows the middle of the list; from there the wheel moves row by row.
  await grid.evaluate((box) => box.scrollTo(0, (box.scrollHeight - box.clientHeight) / 2))
  await expect.poll(async () => Math.abs((await inView()).first - MANY / 2)).toBeLessThan(MANY / 500)
  // Waits until it stops moving.
  let middle = Number.NaN
  const rests = async () => {
    const before = middle
    middle = (await inView()).first
    return middle === before
  }
  await expect.poll(rests, { intervals: [300] }).toBe(true)
  await grid.hover()
  await page.mouse.wheel(0, 32 * 10)
  await seen(middle + 10)
  await page.mouse.wheel(0, 32 * -7)
  await seen(middle + 3)

  await press(page, 'list.first')
  await expect(cursorRow(page)).toContainText('row-1@')
  await seen(1)
  expect(counts).toBe(1)
})

test('a list is exported with its filter and order: every field by one key, the visible columns by another', async ({ page }) => {
  await goTo(page, '/dashboard/outbox?sort=-to_address')
  await list(page)
  const { data, count } = await call(page, 'outbox.list', { column: 'to_address', order: 'desc', per_page: 500 })
  const file = async () => {
    let download = ''
    const newest = async () => {
      const [job] = (await call(page, 'job.list', { per_page: 1 })).data
      download = job?.download ?? ''
      return job?.status
    }
    await expect.poll(newest).toBe('done')
    return (await (await page.request.get(download)).text()).slice(1).trimEnd().split('\r\n')
  }
  await press(page, 'list.export')
  await expect(palette(page).getByRole('option', { name: 'Continue with all' })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(toast(page, 'The export is on its way')).toBeVisible()
  await expect(toast(page, 'Export ready')).toBeVisible()
  const download = page.waitForEvent('download')
  await press(page, 'job.fetchLatest')
  expect((await download).suggestedFilename()).toMatch(/\.csv$/)
  const all = await file()
  expect(all[0]).toBe('Email,To,Status,Written,ID,About,Tried,Error,Sent')
  expect(all.length).toBe(count + 1)
  expect(all[1]).toContain(data[0]!.to_address)
  await press(page, 'list.mark')
  await press(page, 'list.exportShown')
  await expect(toast(page, 'The export of 1 selected row is on its way')).toBeVisible()
  await expect.poll(async () => (await file()).length).toBe(2)
  // Beside the preview, whole emails leave no room for the time.
  expect((await file())[0]).toBe('Email,To,Status')
  // Selects some columns by keyboard: searches, deselects, continues.
  await press(page, 'list.export')
  await page.keyboard.type('stat')
  await page.keyboard.press('Enter')
  await expect(palette(page).getByRole('option', { name: 'Continue with 8' })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await file())[0]).toBe('Email,To,Written,ID,About,Tried,Error,Sent')
  // A command link waits for its list.
  await goTo(page, '/dashboard/outbox?do=list.export&columns=status')
  await expect(palette(page)).toContainText('Export this list')
})
