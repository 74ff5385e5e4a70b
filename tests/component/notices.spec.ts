import { dialog, open, pane, ready, toast } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

test('a shortcut tip waits until no notice offers an undo', { tag: '@quick' }, async ({ page, api }) => {
  await page.clock.install()
  await open(page, 'project', { id: api.market.projects[0]!.id }, { tab: 'notes' })
  await ready(page)
  await pane(page)
    .getByRole('button', { name: /^Add note/ })
    .first()
    .click()
  const asked = await dialog(page)
  await page.keyboard.type('The client called')
  await asked.getByRole('button', { name: /^Add note/ }).press('Enter')
  const done = toast(page, /note/i).filter({ has: page.getByRole('button', { name: 'Undo' }) })
  await expect(done).toBeVisible()
  // From here on only the test moves the clock: on a slow machine the notice's seconds ran out meanwhile.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 100)
  await page.clock.runFor(3000)
  await expect(toast(page, 'Shortcut for “Add note”')).toHaveCount(0)
  await expect(done).toHaveAttribute('data-front', 'true')
  // The notice disappears.
  await page.clock.runFor(8000)
  await page.clock.resume()
  await expect(toast(page, 'Shortcut for “Add note”')).toBeVisible()
})
