import type { Page } from '@playwright/test'
import { cursorRow, list, open } from './verbs.ts'

/** A column's tabs, counted from 1. */
export const tabs = (page: Page, at = 1) =>
  page
    .locator(`[data-column="${at}"]`)
    .getByRole('tablist', { name: /^Open screens/ })
    .getByRole('tab')

/** A column's visible tab. */
export const shownTab = (page: Page, at = 1) =>
  page
    .locator(`[data-column="${at}"]`)
    .getByRole('tablist', { name: /^Open screens/ })
    .locator('[role=tab][aria-selected=true]')

/** The focused column. */
export const activeColumn = (page: Page) => page.locator('[data-column][data-active]')

/** The page's address. */
export const addressOf = (page: Page) => {
  const { pathname, search } = new URL(page.url())
  return pathname + search
}

/** The name under the cursor. A row's other cells and position change with other tests; narrow columns hide codes. */
export const nameUnderCursor = (page: Page) => cursorRow(page).getByRole('gridcell').nth(1)

/** Opens the list of all projects, focused. */
export async function atProjects(page: Page) {
  await open(page, 'allProjects')
  await list(page)
}
