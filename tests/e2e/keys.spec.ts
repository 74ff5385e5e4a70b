import { expect, test as fresh } from '../support/e2e.ts'
import { test } from '../support/led.ts'
import { call, keys, login, open, pane, press, projects } from './verbs.ts'

// Tests are independent: two workers share them. Each starts on all projects; those about a record open a page.
test.describe.configure({ mode: 'parallel' })

test.describe('sequences', () => {
  test('g c opens the clients', async ({ page }) => {
    await keys(page, 'g c')
    await expect(page).toHaveURL(/\/dashboard\/clients$/)
  })
})

test.describe('in lists', () => {
  test('* selects all matches, loaded or not', async ({ page }) => {
    const { count } = await call(page, 'project.list')
    await keys(page, '*')
    await expect(pane(page)).toContainText(`${count} selected`)
  })
})

test.describe('in a text field', () => {
  test('a form opened by its key has the focus in its first field; Escape returns the letters to the shortcuts', async ({
    page,
  }) => {
    await keys(page, 'n c')
    const name = pane(page).getByLabel(/Client name/)
    await expect(name).toBeFocused()
    await page.keyboard.type('gp')
    await page.keyboard.press('Escape')
    await expect(name).toHaveValue('gp')
    await keys(page, 'g p')
    await expect(page).toHaveURL(/all-projects/)
  })
})

test.describe('tabs of a project', () => {
  fresh('open by their digits', async ({ page }) => {
    await login(page)
    const [project] = await projects(page)
    await open(page, 'project', { id: project!.id })
    await keys(page, '1')
    await expect(page).toHaveURL(/specifications$/)
    await keys(page, '2')
    await expect(page).toHaveURL(new RegExp(`${project!.id}/dashboard$`))
  })
})

test.describe('the ? sheet', () => {
  test('lists the keys that work here', async ({ page }) => {
    await press(page, 'help.keys')
    const sheet = page.getByRole('dialog', { name: 'Keys and commands' })
    await expect(sheet.getByRole('group', { name: 'Lists, here' })).toBeVisible()
  })
})
