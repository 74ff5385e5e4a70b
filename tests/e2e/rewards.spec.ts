import type { Page } from '@playwright/test'
import { expect, test } from '../support/e2e.ts'
import { cursorRow, drawn, field, goTo, keys, list, login, pane, press, read, review, run, selected, toast } from './verbs.ts'

interface Entry {
  id: number
  email: string
  ip: string | null
  amount_cents: number
  amount_flag: boolean
  email_counter: number
  ipaddress_counter: number
}
interface Rewards {
  data: Entry[]
  count: number
  totals: { status: string; count: number }[]
}
const flagged = (entry: Entry) => entry.amount_flag || entry.email_counter > 1 || entry.ipaddress_counter > 1
const entries = (page: Page, project: number, status = 'pending') =>
  read<Rewards>(page, `/v3/portal/projects/${project}/rewarded/rewards?status=${status}&per_page=500`)
const center = (project: number) => `/dashboard/project-info/${project}/project-rewarded`

/** The demo's projects with pending rewards, most first. */
async function withPending(page: Page): Promise<number[]> {
  const { data } = await read<{
    data: { id: number; pending_rewards: number; children: { id: number; pending_rewards: number }[] }[]
  }>(page, '/v3/portal/projects/all?page=1&per_page=200')
  const all = data.flatMap((row) => [row, ...row.children]).filter((row) => row.pending_rewards > 4)
  return [...new Map(all.map((row) => [row.id, row])).values()]
    .sort((a, b) => b.pending_rewards - a.pending_rewards)
    .map((row) => row.id)
}

/** Moves the cursor down to the row with a text. */
async function moveTo(page: Page, text: string): Promise<void> {
  for (let at = 0; at < 120 && !(await cursorRow(page).textContent())?.includes(text); at++) {
    const before = (await cursorRow(page).getAttribute('aria-rowindex'))!
    await page.keyboard.press('j')
    await expect(cursorRow(page)).not.toHaveAttribute('aria-rowindex', before)
  }
  await expect(cursorRow(page)).toContainText(text)
}

test.beforeEach(({ page }) => login(page, 'admin'))

test('all pending rewards are selected but the flagged ones, summed, reviewed and paid, and the payment is undone in time', {
  tag: '@quick',
}, async ({ page }) => {
  const [, project] = await withPending(page)
  const { data, count } = await entries(page, project!)
  const good = data.filter((entry) => !flagged(entry))
  const sum = (good.reduce((cents, entry) => cents + entry.amount_cents, 0) / 100).toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
  })
  await goTo(page, center(project!))
  await list(page)
  await press(page, 'list.markAll')
  await expect(pane(page)).toContainText(`${good.length} selected · ${sum}`)
  if (good.length < count) await expect(pane(page)).toContainText(`${count - good.length} skipped: flagged`)
  await press(page, 'entry.redeem')
  await review(page, `Pay ${good.length} rewards, ${sum} in all?`)
  await expect(toast(page, `${good.length} rewards will be paid in 8 seconds.`)).toBeVisible()
  await expect(pane(page).getByRole('radio', { name: new RegExp(`^Pending ${count - good.length}\\b`) })).toBeChecked()
  await press(page, 'command.undo')
  await expect(toast(page, `Undone: Pay ${good.length} rewards`)).toBeVisible()
  // What was undone is no longer announced below.
  await expect(page.locator('[data-sonner-toast]').filter({ hasText: 'will be paid' })).toHaveCount(0)
  await expect(pane(page).getByRole('radio', { name: new RegExp(`^Pending ${count}\\b`) })).toBeChecked()
  expect((await entries(page, project!)).count).toBe(count)
})

test('all flagged rewards are selected by their keys, and so are all of one email or IP address; ! goes to the next flagged', async ({
  page,
}) => {
  // The smallest first: its rewards come in one answer.
  for (const project of (await withPending(page)).reverse()) {
    const { data, count } = await entries(page, project)
    const checked = data.filter(flagged)
    const [first] = checked
    const alike = data.filter(({ email, ip }) => email === first?.email || (ip !== null && ip === first?.ip))
    // The search begins below the first row.
    if (first === data[0] || data.length < count || alike.length < 2 || alike.length === checked.length) continue
    await goTo(page, center(project))
    await list(page)
    await press(page, 'entry.nextFlagged')
    await expect(page).toHaveURL(new RegExp(`entry=${first!.id}$`))
    await expect(cursorRow(page)).toContainText(first!.email)
    await press(page, 'entry.selectCluster')
    await expect(pane(page)).toContainText(`· ${alike.length} selected`)
    await press(page, 'entry.selectFlagged')
    await expect(pane(page)).toContainText(`· ${checked.length} selected`)
    return
  }
  throw new Error('No project of the demo has flagged rewards as the test needs them.')
})

test('one reward is paid: it is on its way for 8 seconds, and then sent', async ({ page }) => {
  const [, , project] = await withPending(page)
  const one = (await entries(page, project!)).data.find((entry) => !flagged(entry))!
  await goTo(page, center(project!))
  await list(page)
  await moveTo(page, one.email)
  await press(page, 'entry.redeem')
  await review(page, `to ${one.email}?`)
  await expect(pane(page).getByRole('row', { name: one.email })).toHaveCount(0)
  await expect
    .poll(async () => (await entries(page, project!, 'sent')).data.map((entry) => entry.id), { timeout: 30_000 })
    .toContain(one.id)
})

test('a reward is rejected with its reason, found among the rejected, and gets a second chance', async ({ page }) => {
  const [, , , project] = await withPending(page)
  await goTo(page, center(project!))
  await list(page)
  const email = (await entries(page, project!)).data.find((entry) => !flagged(entry))!.email
  await moveTo(page, email)
  await press(page, 'entry.reject')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('Answered in eleven seconds')
  await page.keyboard.press('Enter')
  await review(page, `Reject ${email}?`)
  await expect(toast(page, '1 reward rejected.')).toBeVisible()
  await press(page, 'list.filter')
  await expect(pane(page).getByRole('radio', { name: /^Pending/ })).toBeFocused()
  for (let at = 0; at < 3; at++) {
    await page.keyboard.press('ArrowRight')
    await drawn(page)
  }
  await expect(pane(page).getByRole('radio', { name: /^Rejected/ })).toBeChecked()
  await expect(page).toHaveURL(/status=rejected/)
  const row = pane(page).getByRole('row').filter({ hasText: email })
  await expect(row).toContainText('Answered in eleven seconds')
  await moveTo(page, email)
  await press(page, 'entry.secondChance')
  await expect(toast(page, '1 reward pending again.')).toBeVisible()
  await expect(row).toHaveCount(0)
})

test('a repeat shows its cluster, and its link names nobody', async ({ page }) => {
  let found: { project: number; entry: Entry } | undefined
  for (const project of await withPending(page)) {
    const entry = (await entries(page, project)).data.find((one) => one.ipaddress_counter > 1)
    if (entry) found = { project, entry }
    if (found) break
  }
  const { project, entry } = found!
  await goTo(page, center(project))
  await list(page)
  await moveTo(page, entry.email)
  await expect(cursorRow(page)).toContainText(/IP repeat/i)
  await press(page, 'entry.cluster')
  await expect(pane(page)).toContainText('one cluster')
  await expect(pane(page).getByRole('row').filter({ hasText: '@' }).nth(1)).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`like=${entry.id}`))
  expect(decodeURIComponent(page.url())).not.toContain('@')
})

test('clearing the pending rewards says how many, and rejects them all', async ({ page }) => {
  const project = (await withPending(page)).at(-1)!
  const { count } = await entries(page, project)
  await goTo(page, center(project))
  await list(page)
  await run(page, 'entry.clear')
  await review(page, `All ${count} pending rewards are rejected`)
  await expect(pane(page)).toContainText('No rewards are waiting to be paid.')
  expect((await entries(page, project)).count).toBe(0)
})

test('the visible rewards are exported', async ({ page }) => {
  const [project] = await withPending(page)
  await goTo(page, `${center(project!)}?status=rejected`)
  await list(page)
  await keys(page, 'd l')
  await expect(selected(page)).toContainText('Continue with all')
  await page.keyboard.press('Enter')
  await expect(toast(page, 'The export is on its way')).toBeVisible()
})

test('a family’s rewards name their project, can be sorted and found by it, and lead to that project’s own', async ({ page }) => {
  const { data } = await read<{ data: { id: number; children: { id: number; name: string; pending_rewards: number }[] }[] }>(
    page,
    '/v3/portal/projects/all?page=1&per_page=200',
  )
  const parent = data.find((row) => row.children.some((child) => child.pending_rewards > 1))!
  const child = parent.children.find((one) => one.pending_rewards > 1)!
  await goTo(page, center(parent.id))
  await list(page)
  const head = pane(page).getByRole('columnheader', { name: /^Project/ })
  await head.getByRole('button').click()
  await expect(page).toHaveURL(/sort=project/)
  await list(page)
  await press(page, 'list.search')
  await pane(page).getByLabel('Search rewards').fill(child.name)
  await expect(pane(page).getByText(`${child.pending_rewards} rewards`, { exact: true })).toBeVisible()
  const cells = pane(page).locator(`[role=row] a[title="${child.name}"]`)
  await expect(cells.first()).toBeVisible()
  await cells.first().click()
  await expect(page).toHaveURL(new RegExp(`/project-info/${child.id}/project-rewarded`))
  await list(page)
  await expect(head).toHaveCount(0)
})

test('a reward of a survey project opens in that project’s catalogue, and its entries in its Reward Center', async ({ page }) => {
  const found = (search: string) =>
    read<{ data: { id: number; name: string; project_id: number; project_name: string; generation: string }[]; count: number }>(
      page,
      `/v3/portal/rewards/all?per_page=100&search=${encodeURIComponent(search)}`,
    )
  const { project_name: name } = (await found('')).data.find((row) => row.generation === 'campaign')!
  const { data, count } = await found(name)
  const reward = data[0]!
  expect(reward.generation).toBe('campaign')
  await goTo(page, `/dashboard/rewards?search=${encodeURIComponent(name)}`)
  await list(page)
  await expect(pane(page).getByText(`${count} rewards`, { exact: true })).toBeVisible()
  await expect(cursorRow(page)).toContainText(reward.name)
  await keys(page, 'Enter')
  await expect(page).toHaveURL(new RegExp(`/surveyProInfo/${reward.project_id}/project-rewards\\?at=${reward.id}`))
  await expect(cursorRow(page)).toContainText(reward.name)
  // Older links and commands name the other screen.
  await goTo(page, `${center(reward.project_id)}?status=all`)
  await expect(page).toHaveURL(new RegExp(`/surveyProInfo/${reward.project_id}/project-rewarded\\?status=all`))
  await expect(pane(page).getByRole('heading', { name })).toBeVisible()
})
