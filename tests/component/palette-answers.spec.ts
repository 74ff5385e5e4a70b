import type { Page } from '@playwright/test'
import { href } from '../../src/routing/routes.ts'
import { field, goTo, keys, named, open, palette, pane, projects, run, search, selected, toast } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

// How questions are answered, and how answers are shown.

/** A line of the review is selected with Tab and the arrow keys. */
const line = (page: Page, name: string) => palette(page).locator(`[data-row="${name}"]`)

test('typing replaces a prefilled figure, dates can be typed in words, and both are edited as pills', { tag: '@quick' }, async ({
  page,
}) => {
  const project = (await projects(page)).find((row) => row.cost_cents && row.allowed_actions.includes('project.setCost'))!
  await open(page, 'project', { id: project.id }, { tab: 'specifications' })
  await expect(pane(page).getByRole('heading', { name: project.name })).toBeVisible()
  await run(page, 'project.setCost')
  await expect(field(page)).toHaveValue(/^\d+(\.\d\d)?$/)
  await page.keyboard.type('many')
  await page.keyboard.press('Enter')
  await expect(palette(page).getByRole('alert')).toContainText('must be an amount')
  await expect(field(page)).toHaveValue('many')
  await field(page).fill('1.2k')
  await expect(line(page, 'next')).toContainText('$1,200.00')
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveAttribute('aria-label', 'Valid until')
  await field(page).fill('+7d')
  await expect(line(page, 'next')).toContainText(/\w{3}, \d\d\/\d\d\/\d{4}/)
  await page.keyboard.press('Enter')
  await expect(palette(page)).toContainText('to $1,200.00?')
  await keys(page, 'ArrowLeft')
  await expect(field(page)).toHaveAttribute('aria-label', 'Valid until')
  await keys(page, 'Home ArrowLeft')
  await expect(field(page)).toHaveValue('1200')
  await field(page).fill('1300')
  await page.keyboard.press('Enter')
  await expect(palette(page)).toContainText('to $1,300.00?')
  await expect(palette(page).locator('[data-pill]')).toHaveText(['$1,300.00', /\d\d\/\d\d\/\d{4}/])
})

test.describe('a hostile command link', { tag: '@quick' }, () => {
  for (const [what, query, says] of [
    ['an unknown command', 'do=constructor', /unknown command/],
    ['a mechanic of lists', 'do=list.down', /unknown command/],
    ['records that are not there', 'do=project.pause&on=project:999999', /doesn’t exist, or you don’t have access/],
    ['a kind that it does not take', 'do=project.pause&on=user:1', /doesn’t say what/],
  ] as const)
    test(`with ${what} says so and opens nothing`, async ({ page }) => {
      await goTo(page, `${href('allProjects')}?${query}`)
      await expect(toast(page, says)).toBeVisible()
      await expect(palette(page)).toHaveCount(0)
    })
})

test('a link’s command that is ready late doesn’t open over what the user went on with', async ({ page }) => {
  const project = (await projects(page))[2]!
  let serve = () => {}
  const held = new Promise<void>((resolve) => {
    serve = resolve
  })
  await page.route(`**/v3/portal/projects/${project.id}`, async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`${href('project', { id: project.id }, { tab: 'specifications' })}?do=project.clone`)
  await expect(page.locator('[data-column]').first()).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(palette(page)).toHaveCount(0)
  serve()
  await expect(toast(page, /command from this link is ready/)).toBeVisible()
  await expect(palette(page)).toHaveCount(0)
  await toast(page, /command from this link is ready/)
    .getByRole('button', { name: 'Open' })
    .press('Enter')
  await expect(palette(page)).toContainText('Clone')
})

test('names that arrive late go where they belong and leave the selection where it was', async ({ page }) => {
  const project = (await projects(page)).find(({ name }) => /^[A-Z]/.test(name))!
  let serve = () => {}
  const held = new Promise<void>((resolve) => {
    serve = resolve
  })
  await page.route('**/palette/index**', async (route) => {
    await held
    await route.continue()
  })
  await open(page, 'clients')
  const word = project.name.split(' ')[0]!.slice(0, 1).toLowerCase()
  await search(page, word)
  await named(page)
  const first = await selected(page).getAttribute('data-row')
  serve()
  await expect(palette(page).locator('[data-row^="entity:"]').first()).toBeVisible()
  await expect(selected(page)).toHaveAttribute('data-row', first!)
  await named(page)
})
