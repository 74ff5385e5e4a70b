import type { Page } from '@playwright/test'
import { cursorRow, list, open } from './verbs.ts'

/** The tabs of a column, counted from 1. */
export const tabs = (page: Page, at = 1) =>
  page
    .locator(`[data-column="${at}"]`)
    .getByRole('tablist', { name: /^Open screens/ })
    .getByRole('tab')

/** The tab of a column that shows. */
export const shownTab = (page: Page, at = 1) =>
  page
    .locator(`[data-column="${at}"]`)
    .getByRole('tablist', { name: /^Open screens/ })
    .locator('[role=tab][aria-selected=true]')

/** The column with the focus. */
export const activeColumn = (page: Page) => page.locator('[data-column][data-active]')

/** The address of the page. */
export const addressOf = (page: Page) => {
  const { pathname, search } = new URL(page.url())
  return pathname + search
}

/** The name under the cursor. The other cells of a row, and which row it is, change by what other tests do; the code is not there in a narrow column. */
export const nameUnderCursor = (page: Page) => cursorRow(page).getByRole('gridcell').nth(1)

/** Opens the list of all projects, with the keys in it. */
export async function atProjects(page: Page) {
  await open(page, 'allProjects')
  await list(page)
}
