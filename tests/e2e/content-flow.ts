import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { MESSAGES } from '../../contract/messages.ts'
import { addDays } from '../../contract/pacing.ts'
import { href } from '../../src/routing/routes.ts'
import { type test as base, expect } from '../support/e2e.ts'
import { today } from '../support/today.ts'
import { unzipped } from '../support/unzipped.ts'
import {
  answer,
  call,
  dialog,
  drawn,
  field,
  keys,
  login,
  open,
  palette,
  pane,
  press,
  review,
  run,
  toast,
  visit,
} from './verbs.ts'

/*
 * Participants' content is imported, reviewed and downloaded by keyboard.
 * The older faces of an activity (event, promotion, post) are saved with a file.
 */

let serial = 0
/** A date as forms expect it: MM/DD/YYYY. */
const us = (day: string) => day.replace(/(\d{4})-(\d\d)-(\d\d)/, '$2/$3/$1')
const COLORS = ['#a33', '#3a3', '#33a'] as const

/** A photo activity of its own project, without content. */
async function photoActivity(page: Page) {
  const [client] = (await call(page, 'client.list')).data
  const days = { start_dt: today(), end_dt: addDays(today(), 20) }
  const name = `Shelf photos ${Date.now()}${++serial}`
  const { data: project } = await call(page, 'project.create', { name, client_id: client!.id, goal: 100, ...days })
  const activity = { project_id: project.id, name, about: 'Show us the shelf.', activity_type: 'photo', action_type: 'comment' }
  const file = { name: 'shelf.jpg', mimeType: 'image/jpeg', buffer: await picture(COLORS[0]) }
  const answer = await page.request.post('/v3/portal/files/', {
    headers: { 'x-fieldwork': 'workspace' },
    multipart: { asset_type: 'Creative Assets', file },
  })
  const { data: files } = (await answer.json()) as { data: { id: number }[] }
  const { data } = await call(page, 'activity.whole', { ...activity, file_ids: files.map(({ id }) => id) } as never)
  return { id: data.id, project: project.id, name, ...days }
}
const picture = (background: string, width = 64) =>
  sharp({ create: { width, height: 48, channels: 3, background } })
    .jpeg()
    .toBuffer()

const tile = (page: Page, id: number): Locator => pane(page).locator(`[role=option][id$="-${id}"]`)
const preview = (page: Page, id: number): Locator => pane(page).getByRole('region', { name: new RegExp(`^Preview of U-${id},`) })
const previews = (page: Page): Locator => pane(page).getByRole('region', { name: /^Preview/ })

/** Adds the tests of User Content and the older faces to a file, whose options choose the server's engine. */
export function contentFlow(test: typeof base, engine: string): void {
  test(`photos are imported, previewed, rotated, rejected, restored and downloaded by keys, on ${engine}`, async ({ page }) => {
    await login(page, 'admin')
    const { project, name } = await photoActivity(page)
    await open(page, 'project', { id: project }, { tab: 'userContent' })
    const gallery = pane(page).getByRole('listbox', { name: 'Photos' })
    await expect(gallery).toContainText('No photos yet.')

    await test.step('three photos are imported', async () => {
      await run(page, 'content.add', name)
      await expect(palette(page)).toContainText('below')
      const chooser = page.waitForEvent('filechooser')
      await expect(palette(page).locator('input[type=file]')).toHaveCount(1)
      await expect(field(page)).toBeFocused()
      await drawn(page)
      await keys(page, 'Enter')
      const photos = await Promise.all(COLORS.map((color) => picture(color)))
      await (await chooser).setFiles(photos.map((buffer, at) => ({ name: `shelf-${at}.jpg`, mimeType: 'image/jpeg', buffer })))
      await review(page, 'Import 3 files?')
      await expect(toast(page, '3 items added')).toBeVisible()
    })
    const { data } = await call(page, 'content.list', { project_id: project, section: 'photos' })
    expect(data).toHaveLength(3)
    const [first, second] = data.map(({ id }) => id) as [number, number]

    await test.step('they are shown on request, each with its thumbnail', async () => {
      await expect(pane(page).getByRole('button', { name: '3 new', exact: true })).toBeVisible()
      await run(page, 'content.showNew')
      await expect(gallery).toBeFocused()
      await expect(tile(page, first).locator('img')).toBeVisible()
      await expect(gallery).toHaveAttribute('aria-activedescendant', new RegExp(`-${first}$`))
    })

    await test.step('previewed by Space, arrows and Escape', async () => {
      await keys(page, 'Space')
      await expect(preview(page, first)).toBeVisible()
      await keys(page, 'ArrowRight')
      await expect(preview(page, second)).toBeVisible()
      await expect(page).toHaveURL(new RegExp(`item=${second}`))
      await keys(page, 'Escape')
      await expect(previews(page)).toHaveCount(0)
    })

    await test.step('rotated', async () => {
      await press(page, 'content.rotate')
      await expect(toast(page, '1 photo rotated.')).toBeVisible()
      await expect(tile(page, second).locator('img')).toHaveAttribute('style', /rotate\(90deg\)/)
    })

    await test.step('rejected with a reason, and restored by undo', async () => {
      await run(page, 'content.reject', 'Blurred')
      await review(page, 'Reject 1 photo?')
      await expect(toast(page, 'The item is rejected.')).toBeVisible()
      await expect(tile(page, second)).toContainText('Rejected')
      await expect(tile(page, second)).toContainText('Blurred')
      await press(page, 'command.undo')
      await expect(tile(page, second)).not.toContainText('Rejected')
      expect((await call(page, 'content.get', { id: second })).data).toMatchObject({ review: 'open', review_reason: '' })
    })

    await test.step('all matches are downloaded as a job', async () => {
      await run(page, 'content.downloadAll')
      await expect(toast(page, '3 items are on their way as a ZIP file.')).toBeVisible()
      const made = async () => (await call(page, 'job.list', { search: name, mine: true })).data[0]
      await expect.poll(async () => (await made())?.status, { timeout: 20_000 }).toBe('done')
      const file = await page.request.get((await made())!.download!)
      const inside = unzipped(await file.body())
      expect([...inside.keys()].filter((one) => one.endsWith('.jpg'))).toHaveLength(3)
      expect([...inside].find(([one]) => one.endsWith('.csv'))?.[1]).toContain(`U-${second}`)
    })
  })

  test(`an event, a promotion and a post are saved by keys with a file, on ${engine}`, async ({ page }) => {
    await login(page, 'admin')
    const activity = await photoActivity(page)
    const { id, name } = activity
    const type = async (label: string, text: string) => {
      const box = pane(page).getByLabel(label, { exact: true })
      await box.focus()
      await keys(page, 'Mod+a')
      await page.keyboard.type(text)
      await expect(box).toHaveValue(text)
    }
    const attach = async (file: string) => {
      const buffer = await picture(COLORS[1], 80)
      await pane(page).locator('input[type=file]').setInputFiles({ name: file, mimeType: 'image/jpeg', buffer })
      const box = pane(page).locator('[data-field="file_id"]')
      await expect(box).toContainText(file)
      // It shows this once the file has arrived; until then the form asks to wait.
      await expect(box).toContainText('to replace it')
    }
    const save = async (title: string, called: string) => {
      await press(page, 'form.send')
      await expect(await dialog(page, title)).toContainText(called)
      await answer(page, 'OK', title)
      await expect(pane(page).getByRole('heading', { name })).toBeVisible()
      await expect(page).toHaveURL(new RegExp(href('activity', { id }, { tab: 'details' })))
    }
    const day = us(addDays(activity.start_dt, 5))

    await test.step('an event with a schedule and a picture', async () => {
      await open(page, 'event', { id })
      await expect(pane(page).getByLabel('Name *', { exact: true })).toHaveValue(name)
      await type('Name *', 'Open day')
      await type('Location', 'Market Hall')
      // Escape moves from the field to the pane, where letters are shortcuts.
      await keys(page, 'Escape')
      await expect(pane(page)).toBeFocused()
      await press(page, 'row.add')
      await expect(pane(page).getByLabel('Name of schedule 1')).toBeFocused()
      await type('Name of schedule 1', 'Doors')
      await type('Start date of schedule 1', day)
      await type('Start time of schedule 1', '2p')
      await type('End date of schedule 1', day)
      await type('End time of schedule 1', '15:10')
      await attach('fair.jpg')
      await save('Event Updated', 'Open day')
      const { data } = await call(page, 'event.get', { id })
      const at = addDays(activity.start_dt, 5)
      expect(data).toMatchObject({ name: 'Open day', location: 'Market Hall', file: { original_name: 'fair.jpg' } })
      expect(data.schedules).toEqual([{ name: 'Doors', start: `${at}T14:00`, end: `${at}T15:10` }])
    })

    await test.step('a promotion with a picture, whose first dates are refused', async () => {
      await visit(page, href('promo', { id }))
      await expect(pane(page).getByLabel('Name *', { exact: true })).toHaveValue(name)
      await type('Name *', 'Two for one')
      await type('End date *', us(addDays(activity.start_dt, -1)))
      await press(page, 'form.send')
      await expect(pane(page).locator('[data-faults]')).toContainText(MESSAGES.startBeforeEnd)
      await type('End date *', day)
      await type('Information', 'While stocks last.')
      await attach('shelf-sign.jpg')
      await save('Promo Updated', 'Two for one')
      const saved = { name: 'Two for one', information: 'While stocks last.', end_date: day }
      expect((await call(page, 'promo.get', { id })).data).toMatchObject({ ...saved, file: { original_name: 'shelf-sign.jpg' } })
    })

    await test.step('a post with a photo', async () => {
      await visit(page, href('post', { id }))
      await expect(pane(page).getByLabel('Name *', { exact: true })).toHaveValue(name)
      await type('Name *', 'The shelf on Monday')
      await attach('monday.jpg')
      await save('Post Updated', 'The shelf on Monday')
      const saved = { name: 'The shelf on Monday', content_type: 'photo', file: { original_name: 'monday.jpg' } }
      expect((await call(page, 'post.get', { id })).data).toMatchObject(saved)
      // The activity's files include those of each face.
      const { assets } = (await call(page, 'activity.get', { id })).data
      expect(assets.map(({ original_name }) => original_name)).toEqual(
        expect.arrayContaining(['fair.jpg', 'shelf-sign.jpg', 'monday.jpg']),
      )
    })
  })
}
