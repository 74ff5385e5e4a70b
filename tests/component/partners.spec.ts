import { field, keys, list, open, pane, review, run, toast } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'
import { withoutPartners } from '../support/marketplace.ts'

/*
 * The list of partners: duplicate names, and merging them.
 */

test('marks duplicate names, and a merge offers the duplicate first', { tag: '@quick' }, async ({ page, api }) => {
  const first = api.market.partners[0]!
  const twin = await api.make.partner({ name: first.name })
  await open(page, 'partners')
  await list(page)
  await expect(pane(page).getByText('name used twice')).toHaveCount(2)
  await run(page, 'partner.merge')
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await review(page, `Merge “${first.name}” into the partner you chose?`)
  await expect(toast(page, `merged into “${first.name}”`)).toBeVisible()
  await expect(pane(page).getByText('name used twice')).toHaveCount(0)
  expect(api.writes.filter(({ id }) => id === 'partner.merge').map(({ input }) => input)).toEqual([
    expect.objectContaining({ id: first.id, into_id: twin.id }),
  ])
  await keys(page, 'Mod+z')
  await expect(pane(page).getByText('name used twice')).toHaveCount(2)
})

test('says how to begin when there are no partners', async ({ page, api }) => {
  await withoutPartners(api)
  await open(page, 'partners')
  await expect(pane(page)).toContainText('Add the partners who field your projects')
  await expect(pane(page).locator('[data-command="add.newPartner"]').last()).toBeVisible()
})
