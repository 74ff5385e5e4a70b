import { expect, test } from '../support/e2e.ts'
import { atProject, chip } from './at-palette.ts'
import { call, columns, drawn, field, login, open, palette, projects, search, selected } from './verbs.ts'

// Tests are independent: two workers share them.
test.describe.configure({ mode: 'parallel' })
test.beforeEach(({ page }) => login(page))

test.describe('opening and closing', () => {
  test('F1 opens it', async ({ page }) => {
    await open(page, 'allProjects')
    await page.keyboard.press('F1')
    await expect(field(page)).toBeFocused()
  })
})

test.describe('what it acts on', () => {
  test('stays what it was when it opened, whatever happens to the page', async ({ page }) => {
    const [one] = await projects(page)
    await atProject(page, one!)
    await search(page)
    await expect(chip(page)).toContainText(one!.name)
    await call(page, 'project.edit', { id: one!.id, description: 'Changed meanwhile' } as never)
    // By its text: content behind the palette has no role.
    await expect(page.getByText('Changed meanwhile')).toBeVisible()
    await drawn(page)
    await expect(chip(page)).toContainText(one!.name)
  })
})

test.describe('finding', () => {
  test('a project is found by its name, without asking the server for each letter', { tag: '@quick' }, async ({ page }) => {
    const [project] = await projects(page)
    // Otherwise the selected row's record is read ahead (component/ahead.spec), which is no search.
    await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }))
    await open(page, 'clients')
    // The index is loaded, so requests from now on would be per letter.
    await search(page, project!.name)
    await expect(palette(page).locator(`[data-row="entity:project:${project!.id}"]`)).toBeVisible()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Backspace')
    await expect(palette(page).locator(`[data-row="entity:project:${project!.id}"]`)).toHaveCount(0)
    const asked: string[] = []
    page.on('request', (request) => /\/(v1|v3)\//.test(request.url()) && !/live/.test(request.url()) && asked.push(request.url()))
    await page.keyboard.type(project!.name.toLowerCase())
    await expect(palette(page).locator(`[data-row="entity:project:${project!.id}"]`)).toBeVisible()
    expect(asked).toEqual([])
  })
})

test.describe('opening a result', () => {
  test('Ctrl+Enter opens it beside', async ({ page }) => {
    const [project] = await projects(page)
    await open(page, 'clients')
    await search(page, `#${project!.id}`)
    await expect(selected(page)).toContainText(project!.name)
    await page.keyboard.press('Control+Enter')
    await expect(columns(page)).toHaveCount(2)
    await expect(palette(page)).toBeHidden()
  })
})
