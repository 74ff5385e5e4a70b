import type { Page } from '@playwright/test'
import { expect } from '../support/e2e.ts'
import { open, type ProjectRow, palette, pane } from './verbs.ts'

/** The palette's subjects. */
export const chip = (page: Page) => palette(page).locator('[data-chip]')
/** The given answers. */
export const pills = (page: Page) => palette(page).locator('[data-pill]')

/** Opens a project's own screen, with its allowed actions loaded. */
export async function atProject(page: Page, project: ProjectRow) {
  await open(page, 'project', { id: project.id }, { tab: 'specifications' })
  await expect(pane(page).getByRole('heading', { level: 1, name: project.name })).toBeVisible()
}
