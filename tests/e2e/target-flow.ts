import type { Page } from '@playwright/test'
import { type test as base, expect } from '../support/e2e.ts'
import { call, dialog, login, open, pane, press, withFigures } from './verbs.ts'

/*
 * An audience and markets by keyboard, for a project in field: the effects of a change show before it is saved.
 */

/** A survey activity with completes in a project in field, with its target in a known state. */
export async function running(
  page: Page,
  target: { age?: string[]; targeted_locations?: string[]; location_based?: 'yes' | 'no' },
) {
  for (const project of await withFigures(page)) {
    if (project.status !== 'Active') continue
    const { data } = await call(page, 'activity.ofProject', { id: project.id })
    const activity = data.find((one) => one.activity_type === 'survey' && one.completes > 0)
    if (!activity) continue
    await call(page, 'target.edit', { activity_id: activity.id, ...target })
    const { data: now } = await call(page, 'activity.target', { id: activity.id })
    return { activity, version: now!.version }
  }
  throw new Error('no survey activity in field has completes')
}

/** Adds the tests to a file, whose options choose the server's engine. */
export function targetFlow(test: typeof base, engine: string): void {
  test(`an audience is narrowed, with its effects shown first, on ${engine}`, async ({ page }) => {
    await login(page, 'admin')
    const { activity, version } = await running(page, { age: ['2', '3', '4', '5', '6', '7'] })
    const { id } = activity
    await open(page, 'editTarget', { id })
    const ages = pane(page).getByRole('group', { name: 'Age' })
    const band = pane(page).getByRole('region', { name: 'Running project' })
    await expect(band).toContainText(/In field since .+ of .+ completes/)
    await expect(ages.getByRole('checkbox', { name: '18+' })).toBeChecked()
    await ages.getByRole('checkbox', { name: 'All' }).focus()
    // All, 18+, 13 to 17, 18 to 24, 25 to 34: one tab stop, arrows move.
    for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowDown')
    await expect(ages.getByRole('checkbox', { name: '25 to 34' })).toBeFocused()
    await page.keyboard.press('Space')
    await expect(ages.getByRole('checkbox', { name: '25 to 34' })).not.toBeChecked()
    await expect(ages.getByRole('checkbox', { name: '18+' })).toHaveAttribute('aria-checked', 'mixed')
    await expect(band).toContainText(`Version ${version} becomes ${version + 1}.`)
    await expect(band).toContainText('new audience')
    await press(page, 'form.send')
    const review = await dialog(page, 'Save to a running project?')
    await expect(review).toContainText(`Version ${version} becomes ${version + 1}.`)
    await expect(review.getByRole('button', { name: 'Save' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect((await dialog(page, 'Target Updated')).getByRole('button', { name: 'OK' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`activity-info/${id}/target`))
    await expect(
      pane(page)
        .getByText(`Version ${version + 1}`)
        .first(),
    ).toBeVisible()
    expect((await call(page, 'activity.target', { id })).data!.age).toBe('2,4,5,6,7')
  })

  test(`a market survives a reload as a draft and is saved, with the areas it adds shown first, on ${engine}`, async ({
    page,
  }) => {
    await login(page, 'admin')
    const { activity, version } = await running(page, { location_based: 'no', targeted_locations: ['501', '504', '803'] })
    const { id, project_id } = activity
    await open(page, 'editMarket', { project_id, id })
    await expect(pane(page).getByRole('radio', { name: /^No/ })).toBeFocused()
    const preset = pane(page).getByRole('radio', { name: 'Top 25' })
    // Presets wait for the areas, because a preset of no areas would select nothing.
    await expect(preset).toBeEnabled()
    await preset.focus()
    await page.keyboard.press('Space')
    await expect(preset).toBeChecked()
    await expect(pane(page)).toContainText('25 of 210 selected')
    const band = pane(page).getByRole('region', { name: 'Running project' })
    await expect(band).toContainText(`Version ${version} becomes ${version + 1}.`)
    page.on('dialog', (asked) => void asked.accept())
    await page.reload()
    await expect(pane(page).getByText('Draft restored.')).toBeVisible()
    await expect(preset).toBeChecked()
    await expect(band).toContainText(`Version ${version} becomes ${version + 1}.`)
    await press(page, 'form.send')
    const review = await dialog(page, 'Save to a running project?')
    await expect(review).toContainText(/Adds \d+ areas\./)
    await expect(review.getByRole('button', { name: 'Save' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect((await dialog(page, 'Market Updated')).getByRole('button', { name: 'OK' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`activity-info/${id}/market`))
    await expect(pane(page)).toContainText('Top 25')
    expect((await call(page, 'activity.target', { id })).data!.targeted_locations.split(',')).toHaveLength(25)
  })
}
