import type { Locator, Page, Route } from '@playwright/test'
import { column, drawn, list as listed, open, pane, press, review, run, toast } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'
import { contentId, respond, sendContent } from '../support/marketplace.ts'

const PROJECT = 530
const content = (page: Page, query: Record<string, string> = {}) =>
  open(page, 'project', { id: PROJECT }, { tab: 'userContent', query })
const gallery = (page: Page, name = 'Photos'): Locator => pane(page).getByRole('listbox', { name })
const tiles = (page: Page): Locator => gallery(page).locator('[role=option]')
const tile = (page: Page, id: number): Locator => pane(page).locator(`[role=option][id$="-${id}"]`)
const preview = (page: Page, id?: number): Locator =>
  pane(page).getByRole('region', { name: id === undefined ? /^Preview/ : new RegExp(`^Preview of U-${id},`) })
/** Waits until the gallery has the focus and its cursor is on an item. */
async function cursorOn(page: Page, id: number): Promise<void> {
  await expect(gallery(page)).toBeFocused()
  await expect(gallery(page)).toHaveAttribute('aria-activedescendant', new RegExp(`-${id}$`))
}

test('keys reach the end of a gallery of 10,000 photos, with only a screenful of tiles in the page', { tag: '@quick' }, async ({
  page,
  api,
}) => {
  await sendContent(api, 10_000)
  const id = (index: number) => contentId(10_000, index)
  await content(page)
  await cursorOn(page, id(0))
  const few = async () => expect(await tiles(page).count()).toBeLessThan(120)
  await few()
  await page.keyboard.press('End')
  await cursorOn(page, id(9999))
  await expect(tile(page, id(9999))).toBeVisible()
  await expect(tile(page, id(9999))).toHaveAttribute('aria-posinset', '10000')
  await few()
  await page.keyboard.press('ArrowLeft')
  await cursorOn(page, id(9998))
  await page.keyboard.press('Home')
  await cursorOn(page, id(0))
  await expect(tile(page, id(0))).toBeVisible()
  await page.keyboard.press('ArrowUp')
  await drawn(page)
  await cursorOn(page, id(0))
  for (let screen = 0; screen < 12; screen++) await page.keyboard.press('PageDown')
  const at = () =>
    gallery(page).evaluate((box) =>
      Number(document.getElementById(box.getAttribute('aria-activedescendant') ?? '')?.ariaPosInSet ?? 0),
    )
  await expect.poll(at).toBeGreaterThan(121)
  await few()
})

test('arrows move a preview beyond what is loaded, and back', async ({ page, api }) => {
  await sendContent(api, 10_000)
  const id = (index: number) => contentId(10_000, index)
  await content(page)
  await cursorOn(page, id(0))
  await page.keyboard.press('Space')
  await expect(preview(page, id(0))).toBeVisible()
  // After going to the end and back, the items around the cursor aren't loaded yet.
  await page.keyboard.press('End')
  await expect(preview(page, id(9999))).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`item=${id(9999)}`))
  for (let step = 0; step < 70; step++) await page.keyboard.press('ArrowLeft')
  await expect(preview(page, id(9929))).toBeVisible()
  await page.keyboard.press('Home')
  await expect(preview(page, id(0))).toBeVisible()
  for (let step = 0; step < 130; step++) await page.keyboard.press('ArrowRight')
  await expect(preview(page, id(130))).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`item=${id(130)}`))
  await page.keyboard.press('Escape')
  await expect(preview(page)).toHaveCount(0)
  await cursorOn(page, id(130))
})

test('a picture that was zoomed is shown whole on return', async ({ page, api }) => {
  await sendContent(api, 3)
  const id = (index: number) => contentId(3, index)
  const style = () =>
    preview(page, id(1))
      .locator('img')
      .first()
      .evaluate((one) => one.outerHTML.replace(/src="[^"]*"/, ''))
  await content(page)
  await cursorOn(page, id(0))
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await expect(preview(page, id(1))).toBeVisible()
  const whole = await style()
  await press(page, 'content.zoomIn')
  await expect.poll(style).not.toBe(whole)
  await page.keyboard.press('ArrowLeft')
  await expect(preview(page, id(0))).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(preview(page, id(1))).toBeVisible()
  await expect.poll(style).toBe(whole)
})

test('a link opens its item, and arrows continue from there', async ({ page, api }) => {
  await sendContent(api, 5000)
  const id = (index: number) => contentId(5000, index)
  await content(page, { item: String(id(3210)) })
  await expect(preview(page, id(3210))).toBeVisible()
  await cursorOn(page, id(3210))
  await page.keyboard.press('ArrowRight')
  await expect(preview(page, id(3211))).toBeVisible()
  await page.keyboard.press('Escape')
  await content(page, { item: '999999' })
  await expect(pane(page).getByRole('alert')).toContainText('This item couldn’t be loaded')
  await page.keyboard.press('Escape')
  // The gallery opens at the item it was left at.
  await cursorOn(page, id(3211))
})

test('photos are rejected with a reason, and a filtered review moves on to the next', { tag: '@quick' }, async ({
  page,
  api,
}) => {
  await sendContent(api, 30)
  const id = (index: number) => contentId(30, index)
  await content(page, { review: 'open' })
  await cursorOn(page, id(0))
  await page.keyboard.press('x')
  await page.keyboard.press('ArrowRight')
  await cursorOn(page, id(1))
  await page.keyboard.press('x')
  await run(page, 'content.reject', 'Other', 'Shows a competitor')
  await review(page, 'Clients no longer see them.')
  await expect(toast(page, '2 items are rejected.')).toBeVisible()
  expect(api.writes.at(-1)).toMatchObject({ id: 'content.reviewMany', input: { reason: 'Shows a competitor' } })
  await expect(tile(page, id(0))).toHaveCount(0)
  await page.keyboard.press('Escape')
  await gallery(page).focus()
  await page.keyboard.press('Home')
  await cursorOn(page, id(2))
  await page.keyboard.press('Space')
  await expect(preview(page, id(2))).toBeVisible()
  await press(page, 'content.accept')
  await expect(toast(page, 'The item is accepted.')).toBeVisible()
  await expect(preview(page, id(3))).toBeVisible()
})

test('rotating turns the picture by a quarter, and somebody else’s concurrent review asks whose to keep', async ({
  page,
  api,
}) => {
  await sendContent(api, 3)
  const id = (index: number) => contentId(3, index)
  await content(page)
  await cursorOn(page, id(0))
  await press(page, 'content.rotate')
  await expect(toast(page, '1 photo rotated.')).toBeVisible()
  await expect(tile(page, id(0)).locator('img')).toHaveAttribute('style', /rotate\(90deg\)/)
  // Somebody else is a moment faster.
  const review = async (route: Route) => {
    await api.set('user_activities', id(1), { review: 'rejected', review_reason: 'Blurred', lock_version: 9 })
    await route.continue()
  }
  await page.route(new RegExp(`/portal/user_activities/${id(1)}$`), review, { times: 1 })
  await page.keyboard.press('ArrowRight')
  await cursorOn(page, id(1))
  await press(page, 'content.accept')
  const clash = toast(page, 'Someone else set it to Rejected (Blurred) in the meantime; yours is Accepted.')
  await expect(clash).toBeVisible()
  await clash.getByRole('button', { name: 'Keep mine' }).press('Enter')
  await expect(toast(page, 'The item is accepted.')).toBeVisible()
  await expect(tile(page, id(1))).toContainText('Accepted')
})

test('all matches are downloaded as a job, which says when its files are ready', async ({ page, api }) => {
  await sendContent(api, 700)
  // Too much for one file.
  await api.change((tx) => tx.updateTable('files').set({ size: 4_000_000 }).execute())
  await content(page, { from: '2026-03-20' })
  await cursorOn(page, contentId(700, 0))
  await run(page, 'content.downloadAll')
  await expect(toast(page, 'They are more than 2 GB, so they come in 2 files.')).toBeVisible()
  const { input } = api.writes.at(-1) as { input: Record<string, unknown> }
  expect(input).toMatchObject({ id: PROJECT, section: 'photos', from: '2026-03-20' })
  // With two parts there is no single one to download, and on an item `d f` downloads that item.
  await expect(toast(page, 'Content ready: 2 files')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Show them' })).toBeVisible()
})

test('a gallery has its own message when empty, without matches or after a failure, and for an item without a picture', async ({
  page,
  api,
}) => {
  await content(page, { section: 'videos' })
  await expect(gallery(page, 'Videos')).toContainText('No videos yet.')
  await sendContent(api, 12)
  const id = (index: number) => contentId(12, index)
  await content(page)
  await expect(tile(page, id(10))).toContainText('No preview')
  await expect(tile(page, id(11))).toContainText('1200 × 900')
  await content(page, { review: 'accepted' })
  await pane(page).getByRole('button', { name: 'Show all photos' }).click()
  await expect(tile(page, id(0))).toBeVisible()
  for (const call of ['content.list', 'content.summary'] as const)
    api.refusals.set(call, { status: 500, body: { message: 'The items can’t be read.', code: 'fault', fields: {} } })
  await content(page)
  await expect(pane(page).getByRole('alert')).toContainText('couldn’t be loaded')
  api.refusals.clear()
  await pane(page).getByRole('button', { name: 'Try again' }).first().click()
  await expect(tile(page, id(0))).toBeVisible()
})

test('compared projects show their counts by section and review, with the difference from the first', async ({ page, api }) => {
  await sendContent(api, 30)
  await sendContent(api, 1012, { project_id: 529, activity_id: 31 })
  await sendContent(api, 4, { project_id: 529, activity_id: 31, action: 'video' })
  await api.set('user_activities', contentId(1012, 0, { project_id: 529 }), { review: 'rejected', review_reason: 'Blurred' })
  await content(page, { beside: '/project-info/529/userContent', linked: '1' })
  const photos = (at: number) => column(page, at).getByRole('button', { name: /^Photos/ })
  await expect(photos(1)).toContainText('30 new')
  await expect(photos(1)).toContainText('0 rejected')
  await expect(photos(1).locator('[data-difference]')).toHaveCount(0)
  await expect(photos(2)).toContainText('1,011 new')
  await expect(photos(2).locator('[data-difference="content photos"]')).toContainText('+982')
  await expect(photos(2).locator('[data-difference="content photos open"]')).toContainText('+981')
  await expect(photos(2).locator('[data-difference="content photos rejected"]')).toContainText('+1')
  await expect(column(page, 2).getByRole('button', { name: /^Videos/ })).toContainText('+4')
})

test('the list of who acted previews in place, filters by days, and exports a survey’s respondents', async ({ page, api }) => {
  await sendContent(api, 40)
  const id = (index: number) => contentId(40, index)
  await open(page, 'activityUsers', { activity_id: 7 }, { query: { from: '2026-03-20', to: '2026-03-20' } })
  await listed(page)
  await page.keyboard.press('Space')
  await expect(preview(page, id(0))).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(preview(page, id(1))).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(preview(page, id(2))).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(preview(page)).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`userContent.*item=${id(2)}`))
  await expect(preview(page, id(2))).toBeVisible()
  await api.make.activity({ id: 8, project_id: 530, name: 'Shelf survey' })
  await api.make.survey({ id: 73, project_id: 530, activity_id: 8 })
  const days = Array.from({ length: 25 }, (_, at) => `2026-03-${String(28 - at).padStart(2, '0')}T16:00:00.000Z`)
  await respond(
    api,
    73,
    days.map((at) => ({ respondent_id: at, outcome: 'completes', at })),
  )
  await open(page, 'activityUsers', { activity_id: 8 }, { query: { from: '2026-03-20' } })
  await listed(page)
  await expect(pane(page)).toContainText('9 respondents')
  // Respondents have no commands.
  await expect(pane(page).getByRole('button', { name: /^All actions for/, includeHidden: true })).toHaveCount(0)
  await run(page, 'list.exportXlsx')
  await expect(toast(page, 'The export is on its way')).toBeVisible()
  expect(api.writes.at(-1)).toMatchObject({
    id: 'export.start',
    input: { source: 'respondents', format: 'xlsx', filter: { id: 8, from: '2026-03-20', outcome: 'all' } },
  })
  await expect(toast(page, 'Export ready')).toBeVisible()
  await expect(page.getByText(/\.xlsx\. d d downloads it\./)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Download' })).toBeVisible()
})
