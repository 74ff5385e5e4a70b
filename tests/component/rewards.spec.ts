import { cursorRow, keys, list, open, palette, pane, pickIn, press, run, selected, toast } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

/* The Reward Center and its uploads: duplicates in place, and missing columns. */

const PROJECT = { id: 527 }

test('a cluster opens below its reward and closes again, and a reward is selected on each of its lines', {
  tag: '@quick',
}, async ({ page, api }) => {
  const [first, , , last] = api.market.rewards
  await api.set('entries', last!.id, { email: first!.email, email_key: first!.email })
  await open(page, 'project', PROJECT, { tab: 'rewardCenter' })
  await list(page)
  const same = pane(page).getByRole('row').filter({ hasText: first!.email })
  await expect(same).toHaveCount(2)
  await press(page, 'list.expand')
  await expect(same).toHaveCount(3)
  await keys(page, 'j')
  await expect(cursorRow(page)).toHaveAttribute('aria-level', '2')
  await keys(page, 'x')
  await expect(pane(page)).toContainText('1 selected')
  await expect(pane(page).locator('[role=row][aria-selected=true]')).toHaveCount(2)
  // The first press moves to the parent, the second closes it.
  await press(page, 'list.collapse')
  await expect(cursorRow(page)).toHaveAttribute('aria-expanded', 'true')
  await press(page, 'list.collapse')
  await expect(same).toHaveCount(2)
  await expect(cursorRow(page)).toHaveAttribute('aria-expanded', 'false')
})

test('an upload names a missing column before it is sent', async ({ page, api }) => {
  await open(page, 'project', PROJECT, { tab: 'rewardUpload' })
  const file = {
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Email,Amount,Batch\nann@mail.test,5,A\nben@mail.test,5,A\nnobody,5,A'),
  }
  await pane(page).locator('input[type=file]').setInputFiles(file)
  const create = (number: number) => pane(page).getByRole('button', { name: `Create ${number} pending entries` })
  await expect(create(2)).toBeEnabled()
  await pickIn(pane(page).getByRole('combobox', { name: 'Amount is' }), 'Note')
  await expect(pane(page)).toContainText('Choose the column that holds the amount or the reward.')
  await press(page, 'form.send')
  await expect(toast(page, /still being checked|Choose the column/)).toBeVisible()
  await pickIn(pane(page).getByRole('combobox', { name: 'Amount is' }), 'Amount')
  await expect(create(2)).toBeEnabled()
  expect(api.writes.filter(({ input }) => !(input as { dry?: boolean }).dry)).toEqual([])
})

test('the reward under the cursor is in the link, which leads to it whatever its status has become', async ({ page, api }) => {
  const entry = api.market.rewards[3]!
  await open(page, 'project', PROJECT, { tab: 'rewardCenter' })
  await list(page)
  await expect(page).not.toHaveURL(/entry=/)
  await keys(page, 'j j j')
  await expect(page).toHaveURL(new RegExp(`entry=${entry.id}`))
  await open(page, 'project', PROJECT, { tab: 'rewardCenter', query: { status: 'sent', entry: entry.id } })
  await expect(cursorRow(page)).toContainText(entry.email)
  // One that doesn't exist is searched among all.
  await open(page, 'project', PROJECT, { tab: 'rewardCenter', query: { entry: 4 } })
  await expect(page).toHaveURL(/status=all/)
  await expect(toast(page, 'This reward no longer exists in this project.')).toBeVisible()
})

test('“Go to reward…” finds one by its email', async ({ page, api }) => {
  const entry = api.market.rewards[5]!
  await open(page, 'project', PROJECT, { tab: 'rewardCenter' })
  await list(page)
  await run(page, 'entry.goTo', entry.email)
  await expect(cursorRow(page)).toContainText(entry.email)
  await expect(page).toHaveURL(new RegExp(`entry=${entry.id}`))
})

test('the button that pays, and its question, count the rewards that would be paid', { tag: '@quick' }, async ({ page, api }) => {
  await api.set('entries', api.market.rewards[1]!.id, { status: 'rejected' })
  await open(page, 'project', PROJECT, { tab: 'rewardCenter', query: { status: 'all' } })
  await list(page)
  await keys(page, 'x j x j x')
  await expect(pane(page)).toContainText('3 selected')
  await expect(pane(page).getByRole('button', { name: /^Reward \d/ })).toHaveAccessibleName('Reward 2')
  await press(page, 'entry.redeem')
  await expect(palette(page)).toContainText('Pay 2 rewards')
})

test('rewards are sorted by their flags', async ({ page }) => {
  await open(page, 'project', PROJECT, { tab: 'rewardCenter' })
  await list(page)
  await press(page, 'list.sort')
  await page.getByRole('menuitemradio', { name: /^Flags/ }).click()
  await expect(page).toHaveURL(/sort=-?flags/)
})

test('f goes to the status filter and Escape back to the row, whose keys work again', async ({ page }) => {
  await open(page, 'project', PROJECT, { tab: 'rewardCenter' })
  await list(page)
  await keys(page, 'j f')
  await expect(pane(page).getByRole('radio', { checked: true })).toBeFocused()
  await keys(page, 'Escape')
  await expect(pane(page).locator('[role=grid], [role=treegrid]')).toBeFocused()
  const before = await cursorRow(page).getAttribute('aria-rowindex')
  await keys(page, 'j')
  await expect(cursorRow(page)).not.toHaveAttribute('aria-rowindex', before!)
})

test('“select all unflagged” is found by its words where rows have flags, and only there', async ({ page }) => {
  await open(page, 'project', PROJECT, { tab: 'rewardCenter' })
  await list(page)
  await keys(page, 'Control+k')
  await page.keyboard.type('select all unflagged')
  await expect(selected(page)).toHaveText(/^Select all unflagged/)
  await keys(page, 'Enter')
  await expect(pane(page)).toContainText(/\d+ selected/)
  await open(page, 'clients')
  await list(page)
  await keys(page, 'Control+k')
  await page.keyboard.type('select all unflagged')
  await expect(palette(page).getByRole('option').first()).toBeVisible()
  await expect(palette(page).getByRole('option', { name: /^Select all unflagged/ })).toHaveCount(0)
})

test('what the palette acts on comes first: selected rewards before their project', async ({ page }) => {
  await open(page, 'project', PROJECT, { tab: 'rewardCenter' })
  await list(page)
  await keys(page, 'x j x')
  await keys(page, 'Control+k')
  await expect(palette(page)).toContainText('2 rewards')
  await expect(palette(page).getByRole('option').first()).toHaveAttribute('data-command', /^entry\./)
  await page.keyboard.type('pay')
  await expect(selected(page)).toHaveAttribute('data-command', 'entry.redeem')
})
