import type { Page } from '@playwright/test'
import { expect, test } from '../support/e2e.ts'
import { troubles } from './troubles.ts'
import { choose, columns, field, keys, list, login, open, pane, press, ready, search, toast, withFigures } from './verbs.ts'

test.describe.configure({ mode: 'parallel' })

/** Opens whatever adds elements to the page: map, charts, menu, palette, dialog, toast, divider, shortcut sheet. */
async function walk(page: Page): Promise<void> {
  const [project] = await withFigures(page)
  await open(page, 'project', { id: project!.id }, { tab: 'overview' })
  const map = page.locator('.maplibregl-canvas')
  await expect(async () => {
    await pane(page).hover()
    await page.mouse.wheel(0, 600)
    await expect(map).toBeVisible({ timeout: 500 })
  }).toPass({ timeout: 20_000 })
  await open(page, 'project', { id: project!.id }, { tab: 'notes' })
  const notes = pane(page).getByRole('region', { name: 'Notes' })
  await expect(notes.getByRole('button', { name: /Add note/ })).toBeVisible()
  await press(page, 'note.create', 'project')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('Within the policy')
  await page.keyboard.press('Enter')
  await expect(toast(page, / has your note/)).toBeVisible()
  const menu = notes.getByRole('button', { name: /All actions for Within/ })
  await menu.first().press('Enter')
  await choose(page, 'Edit note')
  await expect(page.getByRole('dialog').getByLabel('Note')).toBeVisible()
  // An open dialog's scroll lock is a style too, and must keep working.
  await expect(page.locator('body')).toHaveAttribute('data-scroll-locked', /./)
  await expect(page.locator('body')).toHaveCSS('overflow-y', 'hidden')
  await page.keyboard.press('Escape')
  await open(page, 'allProjects')
  await list(page)
  await keys(page, 'o')
  await expect(columns(page)).toHaveCount(2)
  await ready(page)
  const line = page.getByRole('separator').first()
  const { x, y, width } = (await line.boundingBox())!
  await page.mouse.move(x + width / 2, y + 200)
  await page.mouse.down()
  await page.mouse.move(x - 80, y + 200, { steps: 4 })
  await page.mouse.up()
  await press(page, 'help.keys')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await search(page, 'go to')
  await page.keyboard.press('Escape')
}

test('maps, menus, dialogs and toasts need no exception of the content security policy', { tag: '@quick' }, async ({ page }) => {
  const heard = troubles(page)
  await login(page)
  const answer = await page.goto('/login')
  const policy = (await answer!.allHeaders())['content-security-policy']!
  expect(policy).toContain("style-src 'self';")
  expect(policy).toContain("script-src 'self';")
  expect(policy).not.toContain('unsafe')
  await page.goto('/api-docs')
  await expect(page.getByRole('navigation', { name: 'Contents' })).toHaveCSS('padding-top', '8px')
  await walk(page)
  expect(heard).toEqual([])
})

test('a style or script injected into the page is blocked, and the walk would report it', async ({ page }) => {
  const heard = troubles(page)
  await login(page)
  await page.goto('/login')
  await page.evaluate(() => {
    document.head.append(Object.assign(document.createElement('style'), { textContent: 'body { color: red }' }))
    document.body.insertAdjacentHTML('beforeend', '<img src="x" onerror="window.hacked = true">')
    document.head.append(Object.assign(document.createElement('script'), { textContent: 'window.hacked = true' }))
  })
  await expect.poll(() => heard.filter((line) => line.startsWith('the policy stopped')).length).toBeGreaterThanOrEqual(3)
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
})
