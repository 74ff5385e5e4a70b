import { open, run } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

test('a project is printed from its overview', async ({ page, api }) => {
  await page.addInitScript(() => {
    window.print = () => document.body.setAttribute('data-printed', document.title)
  })
  await open(page, 'project', { id: api.market.projects[0]!.id }, { tab: 'overview' })
  await run(page, 'project.print')
  await expect(page.locator('body')).toHaveAttribute('data-printed', /./)
})
