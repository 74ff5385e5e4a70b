import type { Page } from '@playwright/test'
import { MESSAGES } from '../../contract/messages.ts'
import { addDays } from '../../contract/pacing.ts'
import { href } from '../../src/routing/routes.ts'
import { type test as base, expect } from '../support/e2e.ts'
import { today } from '../support/today.ts'
import {
  call,
  cursorRow,
  field,
  list,
  login,
  open,
  palette,
  pane,
  press,
  review,
  search,
  selected,
  toast,
  visit,
} from './verbs.ts'

/* VIP experiences by keyboard: created, renamed, awarded once to each address, withdrawn, deleted. */

async function newProject(page: Page): Promise<{ id: number; name: string }> {
  const [client] = (await call(page, 'client.list')).data
  const name = `Wave ${Date.now()}`
  const { data } = await call(page, 'project.create', {
    ...{ name, client_id: client!.id, goal: 300, start_dt: today(), end_dt: addDays(today(), 20) },
  })
  return { id: data.id, name }
}

/** Adds the tests to a file, whose options choose the server's engine. */
export function vipFlow(test: typeof base, engine: string): void {
  test(`a VIP experience is created, awarded and withdrawn, by keyboard, on ${engine}`, async ({ page }) => {
    await login(page, 'admin')
    const { id } = await newProject(page)

    await test.step('the empty tab says so, and N V adds one, which needs a name', async () => {
      await open(page, 'project', { id }, { tab: 'vip' })
      await expect(pane(page)).toContainText('This project has no VIP experience yet.')
      await press(page, 'vip.create')
      await expect(field(page)).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(palette(page).getByRole('alert')).toContainText(MESSAGES.vipName)
      await page.keyboard.type('Stadium tour')
      await page.keyboard.press('Enter')
      await expect(toast(page, 'VIP experience “Stadium tour” created')).toBeVisible()
      await expect(pane(page).getByRole('row', { name: 'Stadium tour' })).toBeVisible()
    })

    await test.step('it is renamed in its cell', async () => {
      await list(page)
      await page.keyboard.press('e')
      const cell = pane(page).getByRole('row').getByRole('textbox')
      await expect(cell).toBeFocused()
      await page.keyboard.press('Control+a')
      await page.keyboard.type('Stadium tour for two')
      await page.keyboard.press('Enter')
      await expect(cell).toHaveCount(0)
      await expect(cursorRow(page)).toContainText('Stadium tour for two')
    })

    await test.step('A V awards it once per address, and first names repeats and invalid ones', async () => {
      await press(page, 'vip.award')
      await expect(palette(page).getByRole('option', { name: /Stadium tour for two/ })).toBeVisible()
      await page.keyboard.press('Enter')
      await expect(field(page)).toHaveAttribute('aria-label', /Email addresses/)
      await page.keyboard.type('kim@mail.test, KIM@mail.test; lee@mail.test nobody')
      await page.keyboard.press('Control+Enter')
      await review(page, /2 people will get it\?[\s\S]*1 already has it and is skipped[\s\S]*“nobody”/)
      await expect(toast(page, '2 people get “Stadium tour for two”; 1 had it already, 1 not valid.')).toBeVisible()
      await expect(cursorRow(page).getByRole('link', { name: '2' })).toBeVisible()
    })

    await test.step('its count leads to the awards, where one is withdrawn and restored by undo', async () => {
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/vip-experiences-rewarded\?experience=\d+/)
      await list(page)
      const all = pane(page).getByRole('row', { name: '@mail.test' })
      await expect(all).toHaveCount(2)
      await press(page, 'vip.withdraw')
      await page.keyboard.type('Twice')
      await page.keyboard.press('Enter')
      await review(page, 'The person isn’t notified.')
      await expect(all).toHaveCount(1)
      await press(page, 'command.undo')
      await expect(all).toHaveCount(2)
    })
  })

  test(`the awards of a VIP experience are summed, found and kept when it is deleted, on ${engine}`, async ({ page }) => {
    await login(page, 'admin')
    const { id, name: project } = await newProject(page)
    const vip = await call(page, 'vip.create', { project_id: id, name: 'Stadium tour for two' })
    await call(page, 'award.create', { id, experience_id: vip.data.id, emails: ['kim@mail.test', 'lee@mail.test'] })

    await test.step('the other path sums by experience', async () => {
      await open(page, 'project', { id }, { tab: 'vipRewarded' })
      await expect(pane(page).getByRole('row', { name: /Stadium tour for two.*2/ })).toBeVisible()
    })

    await test.step('the palette finds it with its project, and leads to its row', async () => {
      await search(page, 'Stadium tour for two')
      const found = palette(page).getByRole('option', { name: new RegExp(`Stadium tour for two.*${project}`) })
      await expect(found.and(selected(page))).toBeVisible()
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(new RegExp(`/${id}/project-vip-experiences`))
      await list(page)
    })

    await test.step('deleted, its awards stay', async () => {
      await press(page, 'vip.remove')
      await review(page, '2 awards stay in the list of awards.')
      await expect(pane(page).getByRole('row', { name: 'Stadium tour for two' })).toHaveCount(0)
      await visit(page, href('project', { id }, { tab: 'vipRewardedList' }))
      await expect(pane(page).getByRole('row', { name: '@mail.test' })).toHaveCount(2)
      await expect(pane(page).getByText('Deleted').first()).toBeVisible()
    })
  })
}
