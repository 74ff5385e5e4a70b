import { expect, test } from '../support/e2e.ts'
import { field, keys, login, open, pane, projectFor, review, toast } from './verbs.ts'

// Whatever finishes late takes neither keys nor focus. Tests are independent: two workers share them.
test.describe.configure({ mode: 'parallel' })
test.beforeEach(({ page }) => login(page))

test('a project that goes live says so in a notice, and doesn’t interrupt somebody writing a note', async ({ page }) => {
  const project = await projectFor(page, 'project.goLive', 'Approved')
  await page.clock.install()
  await open(page, 'project', { id: project.id }, { tab: 'specifications' })
  await expect(pane(page).getByRole('heading', { level: 1, name: project.name })).toBeVisible()
  await keys(page, 'g l')
  await review(page, 'You can undo it until then')
  await expect(toast(page, 'Go live')).toBeVisible()
  await keys(page, 'a n')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('about the delivery ')
  await page.clock.runFor(9000)
  const notice = toast(page, 'Survey Project Updated')
  await expect(notice).toContainText(project.name)
  await expect(notice).toContainText('Project is Live')
  await expect(notice).toBeVisible()
  await expect(notice.locator('[role=status], [role=alert]')).toHaveCount(0)
  await page.keyboard.type('of the panel')
  await expect(field(page)).toHaveValue('about the delivery of the panel')
  await expect(page.getByRole('dialog', { name: 'Survey Project Updated' })).toHaveCount(0)
})
