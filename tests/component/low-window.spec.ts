import { cursorRow, drawn, keys, list, open, palette, pane, press, projectFor } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

test('a prefilled question still says what it asks', async ({ page }) => {
  const project = await projectFor(page, 'project.reprice')
  await open(page, 'project', { id: project.id }, { tab: 'specifications' })
  await press(page, 'project.reprice')
  const heading = palette(page).locator('[cmdk-group-heading]')
  await expect(heading).toHaveText('Cost')
  await keys(page, 'Enter')
  await expect(heading).toHaveText('Valid until')
})

test.describe('at 400 % zoom', () => {
  test.use({ viewport: { width: 320, height: 256 } })

  test('the rows of a list are visible below its filters', { tag: '@quick' }, async ({ page }) => {
    await open(page, 'allProjects')
    // The header is hidden there, so the first row is a record.
    await expect(pane(page).getByRole('row').first()).toBeInViewport({ ratio: 1 })
  })

  test('a review shows its question and its text scrolls by keys; a field with answers stays in view', async ({ page }) => {
    const project = await projectFor(page, 'project.reprice')
    await open(page, 'project', { id: project.id }, { tab: 'specifications' })
    await press(page, 'project.reprice')
    await page.keyboard.type('1450')
    await keys(page, 'Enter')
    await expect(palette(page).locator('[cmdk-group-heading]')).toHaveText('Valid until')
    await expect(palette(page).getByRole('combobox')).toBeInViewport({ ratio: 1 })
    await keys(page, 'Enter')
    await expect(palette(page).getByRole('combobox', { name: 'Reason' })).toBeFocused()
    await page.keyboard.type('Another sample, which costs less')
    await keys(page, 'Enter')
    await expect(palette(page).locator('[data-review-text] h2')).toBeInViewport({ ratio: 1 })
    await expect(palette(page).getByRole('option', { name: 'Back' })).toBeInViewport({ ratio: 1 })
    const text = palette(page).locator('[data-review-text]')
    // A text that doesn't fit, like a review of many records.
    await text.evaluate((box) =>
      box.append(
        ...Array.from({ length: 12 }, (_, at) => Object.assign(document.createElement('p'), { textContent: `Line ${at}` })),
      ),
    )
    await keys(page, 'PageDown PageDown PageDown PageDown PageDown PageDown PageDown')
    await expect(text.getByText('Line 11')).toBeInViewport()
  })

  test('no focused field is hidden behind its form’s header', async ({ page }) => {
    await open(page, 'newSurveyRequest')
    const hidden: string[] = []
    // Backwards, a field is scrolled to the upper edge.
    for (const key of [...Array(30).fill('Tab'), ...Array(25).fill('Shift+Tab')]) {
      await keys(page, key)
      const behind = await page.evaluate(() => {
        const field = document.activeElement as HTMLElement
        if (!field.closest('form')) return null
        const { left, right, top, bottom } = field.getBoundingClientRect()
        const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
        return seen && (field.contains(seen) || seen.contains(field) || seen.closest('label')?.contains(field))
          ? null
          : `${field.outerHTML.slice(0, 80)} behind ${seen?.outerHTML.slice(0, 60)}`
      })
      if (behind) hidden.push(behind)
    }
    expect(hidden).toEqual([])
  })
})

test('in low windows keys scroll the cursor’s row fully into view, also below a record’s header', async ({ page, api }) => {
  const sizes = [
    [320, 256],
    [360, 225],
    [480, 300],
  ] as const
  await page.setViewportSize({ width: 320, height: 256 })
  for (const show of [
    () => open(page, 'clients'),
    () => open(page, 'project', { id: api.market.rewards[0]!.project_id }, { tab: 'rewardCenter' }),
  ]) {
    await show()
    await list(page)
    // The code that scrolls the pane loads once the page is idle.
    await page.locator('[data-announcer]').waitFor({ state: 'attached' })
    await keys(page, 'g g')
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height })
      await drawn(page)
      await keys(page, 'j')
      const { height: tall } = (await cursorRow(page).boundingBox())!
      expect(tall).toBeGreaterThan(20)
      await expect(cursorRow(page), `${width} × ${height}`).toBeInViewport({ ratio: 0.99 })
    }
  }
})
