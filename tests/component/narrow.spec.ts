import type { Page } from '@playwright/test'
import { choose, columns, cursorRow, goTo, keys, list, open, palette, pane, ready } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

const box = async (page: Page, selector: string) => (await page.locator(selector).first().boundingBox())!
/** The first row of the shown list. */
const firstRow = (page: Page) => pane(page).locator('[role=row][aria-rowindex="2"]')
const wider = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('a list begins with its rows, and its main action is at the bottom, near the thumb', { tag: '@quick' }, async ({
    page,
  }) => {
    await open(page, 'allProjects')
    await list(page)
    await expect(firstRow(page)).toContainText(/\d+ of \d+/)
    expect((await firstRow(page).boundingBox())!.y).toBeLessThan(170)
    const main = page.locator('footer').getByRole('button', { name: 'New survey request' })
    expect((await main.boundingBox())!.y).toBeGreaterThan(844 - 60)
    expect((await main.boundingBox())!.height).toBeGreaterThanOrEqual(44)
    for (const chip of await pane(page).locator('[data-filter] button').all())
      expect((await chip.boundingBox())!.height).toBeGreaterThanOrEqual(24)
    await expect(page.locator('kbd').filter({ visible: true })).toHaveCount(0)
    expect(await wider(page)).toBe(0)
    await page.locator('footer').getByRole('button', { name: 'Search or run a command' }).click()
    await expect(palette(page)).toBeVisible()
    // It slides in first.
    await expect.poll(() => box(page, '[data-palette]')).toMatchObject({ x: 0, y: 0, width: 390, height: 844 })
    await keys(page, 'Escape')
    await page.locator('footer').getByRole('button', { name: 'Show the sidebar' }).click()
    await page.getByRole('link', { name: 'Clients' }).click()
    await expect(page).toHaveURL(/\/clients$/)
  })

  test('the open screens are a list in the single bar on top, and each has its own action', async ({ page, api }) => {
    await open(page, 'project', { id: api.market.projects[0]!.id }, { tab: 'specifications' })
    await expect(page.locator('header').first()).toContainText(api.market.projects[0]!.name)
    await expect(page.locator('[data-main] button')).toHaveCount(1)
    await page.goto('/dashboard/all-projects?beside=/clients')
    await ready(page)
    await expect(page.locator('[data-main] button')).toHaveText(/New survey request/)
    await page.getByRole('button', { name: /2 open screens$/ }).click()
    await choose(page, 'Clients')
    await expect(page).toHaveURL(/\/dashboard\/clients/)
    await expect(page.locator('[data-main] button')).toHaveText(/New client/)
  })

  test('a form is sent from the bar, and a dialog is a sheet at the bottom', async ({ page }) => {
    await open(page, 'newSurveyRequest')
    const send = page.locator('[data-main]').getByRole('button', { name: /Send/ })
    await expect(send).toBeInViewport({ ratio: 1 })
    await send.click()
    await expect(pane(page).locator('[data-faults]')).toContainText('Fix 7 errors')
    await page.keyboard.press('Escape')
    await page.locator('body').click({ position: { x: 5, y: 300 } })
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog')
    await expect(sheet).toBeVisible()
    // Measured once it no longer moves.
    await expect
      .poll(async () => {
        const { y, height, x, width } = (await sheet.boundingBox())!
        return [x, width, Math.round(y + height)]
      })
      .toEqual([0, 390, 844])
  })
})

test.describe('at 400 % zoom', () => {
  test.use({ viewport: { width: 320, height: 256 } })

  test('a list shows rows, and a record its summary, without scrolling', async ({ page, api }) => {
    await open(page, 'allProjects')
    await list(page)
    await expect(firstRow(page)).toBeInViewport({ ratio: 1 })
    await open(page, 'project', { id: api.market.projects[0]!.id }, { tab: 'specifications' })
    await expect(pane(page).getByRole('button', { name: /Edit/ }).first()).toBeInViewport({ ratio: 1 })
    expect(await wider(page)).toBe(0)
  })
})

test('a link that replaces one screen offers no restoring; several are offered in the tab strip, without a bar on top', async ({
  page,
}) => {
  await open(page, 'clients')
  await page.goto('/dashboard/all-projects')
  await list(page)
  const chip = page.getByRole('button', { name: 'Restore my panes' })
  await expect(chip).toHaveCount(0)
  await page.goto('/dashboard/clients?beside=/all-projects')
  await ready(page)
  await page.goto('/dashboard/partners')
  await expect(chip).toBeVisible()
  expect((await chip.boundingBox())!.y).toBeLessThan((await box(page, '[role=tablist]')).y + 32)
  expect((await box(page, '[role=tablist]')).y).toBe(40)
  await chip.click()
  await expect(page.locator('[data-column]')).toHaveCount(2)
})

test('the header names the record, and the sidebar marks its list', async ({ page, api }) => {
  const [{ id, name }] = api.market.projects as unknown as [{ id: number; name: string }]
  await page.setViewportSize({ width: 1024, height: 768 })
  await open(page, 'project', { id }, { tab: 'overview' })
  const record = page.getByTestId('header-record')
  await expect(record).toHaveText(name)
  expect(await record.evaluate((span) => [getComputedStyle(span).textOverflow, span.clientWidth > 60])).toEqual([
    'ellipsis',
    true,
  ])
  const marked = page.getByRole('navigation', { name: 'Screens' }).locator('[aria-current]')
  await expect(marked).toHaveText(/All projects/)
  // A mark below the fold is scrolled to.
  await page.setViewportSize({ width: 1024, height: 500 })
  await open(page, 'webhooks')
  await expect(marked).toHaveText(/Webhooks/)
  await expect(marked).toBeInViewport({ ratio: 0.99 })
})

test.describe('a form on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('has room in the bar for all buttons of a request', async ({ page }) => {
    await open(page, 'clientRequest')
    const earlier = page.locator('[data-main]').getByRole('button', { name: 'Earlier request…' })
    await expect(earlier).toBeInViewport({ ratio: 1 })
    const { x, width } = (await earlier.boundingBox())!
    expect(x + width).toBeLessThanOrEqual(390)
  })

  test('has room in the bar for creating a record and adding another', async ({ page, api }) => {
    await open(page, 'newReward', { id: api.market.projects[0]!.id })
    for (const name of ['Create reward', 'Add another']) {
      const button = page.locator('[data-main]').getByRole('button', { name, exact: true })
      await expect(button).toBeInViewport({ ratio: 1 })
      const { x, width } = (await button.boundingBox())!
      expect(x + width).toBeLessThanOrEqual(390)
    }
  })

  test('shows names to pick from whole, with what doesn’t fit beside them below', async ({ page, api }) => {
    const names = ['Back-to-School Candle Satisfaction W1', 'Back-to-School Candle Satisfaction W2']
    const projects = names.map((name, at) => ({
      ...{ id: 531 + at, name, stored_status: 'active', teams_count: 0, linked: false },
      ...{ parent_id: 530, parent_name: 'Back-to-School Candle Satisfaction' },
    }))
    await page.route(/choices/, (route) =>
      route.fulfill({ json: { data: { client: { id: 101, name: 'Acorn Foods' }, users: [], projects } } }),
    )
    await open(page, 'addProject', { id: api.market.teams[0]!.id })
    const shown = pane(page).getByRole('option').locator('bdi')
    await expect(shown).toHaveText(names)
    expect(
      await shown.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)),
    ).toEqual([])
  })

  test('puts the button that saves before the others in the bar', async ({ page, api }) => {
    await open(page, 'project', { id: api.market.projects[0]!.id }, { tab: 'landingPage' })
    await expect(page.locator('[data-main]').getByRole('button', { name: 'Save', exact: true })).toBeInViewport({ ratio: 1 })
  })
})

test('offline, the page says that it reconnects by itself, and advises no reload', async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  await page.context().setOffline(true)
  await expect(page.getByRole('contentinfo').getByRole('alert')).toContainText('You’re offline.')
  await expect(page.getByRole('button', { name: /Reload/ })).toHaveCount(0)
  await page.context().setOffline(false)
  await expect(page.getByText('You’re offline.')).toHaveCount(0)
})

test('a small form is sent by its button at the bottom', async ({ page, api }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await open(page, 'newClient')
  await pane(page).getByLabel('Client name').fill('Thumb Foods')
  await page.locator('[data-main]').getByRole('button', { name: 'Add client' }).click()
  await expect.poll(() => api.writes.map(({ id }) => id)).toContain('client.create')
})

test('a narrowed window keeps the selected tab of a record in view', async ({ page, api }) => {
  await open(page, 'project', { id: api.market.projects[0]!.id }, { tab: 'notes' })
  const tab = pane(page).getByRole('tab', { name: /Notes/ })
  await expect(tab).toBeInViewport({ ratio: 1 })
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(tab).toBeInViewport({ ratio: 1 })
})

/** Holds back the response to an address until it is released. */
async function held(page: Page, address: RegExp): Promise<() => void> {
  let come = () => {}
  const until = new Promise<void>((resolve) => {
    come = resolve
  })
  await page.route(address, async (route) => {
    await until
    await route.continue()
  })
  return come
}

test('the selected tab of a record stays fully visible when the counts before it load', async ({ page, api }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const { id } = api.market.projects[0]!
  await api.make.note({ project_id: id, note: 'Ask again', author_id: 1 })
  const counts = await held(page, /\/attributes/)
  await open(page, 'project', { id }, { tab: 'landingPage' })
  const tab = pane(page).getByRole('tab', { selected: true })
  await expect(tab).toBeInViewport({ ratio: 1 })
  counts()
  await expect(pane(page).getByRole('tab', { name: /Notes/ })).toContainText(/\d/)
  const cut = () =>
    tab.evaluate((one) => one.getBoundingClientRect().right - one.parentElement!.getBoundingClientRect().right + 16)
  await expect.poll(cut).toBeLessThanOrEqual(1)
})

test('a list that was wide when it was last shown fits a narrower window in its first frame', async ({ page }) => {
  await open(page, 'jobs')
  await keys(page, 'g p')
  await expect(pane(page).getByRole('treegrid')).toBeVisible()
  await expect(firstRow(page)).toBeVisible()
  await expect(firstRow(page).locator('[data-narrow]')).toHaveCount(0)
  await keys(page, 'Alt+w')
  await expect(pane(page).getByRole('treegrid')).toHaveCount(0)
  await page.setViewportSize({ width: 390, height: 600 })
  await page.evaluate(() => {
    new MutationObserver((_, watch) => {
      const grid = document.querySelector('[role=tabpanel]:not([inert]) [role=treegrid]')
      if (!grid?.querySelector('[role=row][aria-rowindex="2"]')) return
      watch.disconnect()
      // Called in the first frame between layout and paint, after the list's own observers, which are older.
      new ResizeObserver((_, size) => {
        size.disconnect()
        document.body.dataset.firstFrame = grid.scrollWidth > grid.clientWidth ? 'too wide' : 'fits'
      }).observe(grid)
    }).observe(document.body, { subtree: true, childList: true })
  })
  await keys(page, 'g p')
  await expect(page.locator('body')).toHaveAttribute('data-first-frame', 'fits')
  await expect(firstRow(page).locator('[data-narrow]')).toHaveCount(1)
  // It has as many rows as fit, and some more once nobody waits.
  await expect.poll(() => pane(page).getByRole('row').count()).toBeGreaterThan(12)
})

test.describe('the rows of a list on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('leave out missing values instead of showing a dash, and end cut text with “…”', async ({ page, api }) => {
    for (const id of [7001, 7002])
      await api.set('notifications', id, { message: 'A message that is far longer than a phone is wide, word after word' })
    await open(page, 'inbox')
    await list(page)
    const meta = firstRow(page).locator('[data-narrow] > :last-child > span').first()
    await expect(meta).toContainText('A message')
    expect(
      await meta.evaluate((one) => one.getBoundingClientRect().right <= one.parentElement!.getBoundingClientRect().right),
    ).toBe(true)
    expect(await meta.evaluate((one) => one.scrollWidth > one.clientWidth || one.querySelector('.truncate') !== null)).toBe(true)
    await open(page, 'users')
    await list(page)
    await expect(pane(page).locator('[data-narrow] span:visible').filter({ hasText: /^–$/ })).toHaveCount(0)
  })

  test('leave room for an address beside a long list of names', async ({ page, api }) => {
    await page.setViewportSize({ width: 320, height: 640 })
    const nouns = ['project', 'activity', 'survey', 'client', 'team', 'partner', 'reward', 'user'] as const
    await api.call('webhook.create', { name: 'Delivery board', url: 'https://board.example.com/hook', nouns: [...nouns] })
    await open(page, 'webhooks')
    await list(page)
    const meta = firstRow(page).locator('[data-narrow] > :last-child > span')
    await expect(meta.last()).toContainText('projects')
    expect((await meta.first().boundingBox())!.width).toBeGreaterThan(50)
  })

  test('columns shown in a wider window stay hidden, those shown here make a table', async ({ page }) => {
    const grid = pane(page).getByRole('treegrid')
    await goTo(page, '/dashboard/all-projects?columns=name,client!,status!,pacing!,ordered!,cost!')
    await list(page)
    await expect(firstRow(page).locator('[data-narrow]')).toHaveCount(1)
    expect(await grid.evaluate((one) => one.scrollWidth > one.clientWidth)).toBe(false)
    await pane(page)
      .getByRole('button', { name: /^Columns \d+ of \d+$/ })
      .click()
    await page.getByRole('dialog', { name: 'Columns' }).getByRole('button', { name: 'Show anyway' }).first().click()
    await page.keyboard.press('Escape')
    await expect.poll(() => grid.evaluate((one) => one.scrollWidth > one.clientWidth)).toBe(true)
    await expect(page).toHaveURL(/!!/)
  })
})

test('a survey’s edit button is at the bottom, and no form field shows shortcuts', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await open(page, 'survey', { id: 71 }, { tab: 'details' })
  await expect(page.locator('[data-main]').getByRole('button', { name: 'Edit survey' })).toBeInViewport({ ratio: 1 })
  await open(page, 'newReward', { id: 530 })
  const amount = pane(page).locator('label', { hasText: '$5.00' })
  await expect(amount).toBeVisible()
  await expect(amount.locator('[aria-hidden]')).toBeHidden()
})

test('a pacing above 100 % fits in its column', async ({ page, api }) => {
  await api.set('projects', api.market.projects[0]!.id, { status: 'active', ordered: 100, delivered: 300 })
  await open(page, 'allProjects')
  await list(page)
  const cell = firstRow(page).locator('[role=gridcell]', { has: page.getByText(/^[\d,]{3,}\s%$/) })
  await expect(cell).toHaveCount(1)
  expect(
    await cell.evaluate((one) => {
      const rights = [...one.querySelectorAll('*')].map((inner) => inner.getBoundingClientRect().right)
      return Math.max(...rights) + parseFloat(getComputedStyle(one).paddingRight) - one.getBoundingClientRect().right
    }),
  ).toBeLessThanOrEqual(0)
})

test('keys act on what is visible after a wide window became narrow, and wide again', async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  await keys(page, 'Shift+g')
  const last = (await cursorRow(page).getAttribute('aria-rowindex'))!
  await open(page, 'clients')
  await list(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await open(page, 'allProjects')
  await list(page)
  await expect(cursorRow(page)).toHaveAttribute('aria-rowindex', last)
  await expect(cursorRow(page)).toBeInViewport()
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(cursorRow(page)).toBeInViewport()
  // Of two columns, the visible one has the keys.
  await keys(page, 'o')
  await expect(columns(page)).toHaveCount(2)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.locator('section[role=tabpanel]:not([inert])').filter({ visible: true })).toHaveCount(1)
  const shown = await pane(page).getAttribute('id')
  expect(await page.evaluate(() => document.activeElement?.closest('section[role=tabpanel]')?.id)).toBe(shown)
})
