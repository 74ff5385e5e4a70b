import type { Page } from '@playwright/test'
import { expect } from '../support/e2e.ts'
import { open, type ProjectRow, palette, pane } from './verbs.ts'

/** What the palette acts on. */
export const chip = (page: Page) => palette(page).locator('[data-chip]')
/** The answers that were given. */
export const pills = (page: Page) => palette(page).locator('[data-pill]')

/** A project's own screen, with what can be done to it known. */
export async function atProject(page: Page, project: ProjectRow) {
  await open(page, 'project', { id: project.id }, { tab: 'specifications' })
  await expect(pane(page).getByRole('heading', { level: 1, name: project.name })).toBeVisible()
}
