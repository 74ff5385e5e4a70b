import type { Page } from '@playwright/test'
import { href } from '../../src/routing/routes.ts'
import { column, type ProjectRow, projects } from './verbs.ts'

/** Two projects in the field that have figures. */
export async function pair(page: Page): Promise<[ProjectRow, ProjectRow]> {
  const [first, second] = (await projects(page, 'Active')).filter((row) => row.delivered > 200)
  if (!first || !second) throw new Error('The demo has no two projects with figures')
  return [first, second]
}

/** The address of projects beside each other, linked. */
export const beside = (first: ProjectRow, ...others: ProjectRow[]) =>
  `${href('project', { id: first.id })}?${others.map(({ id }) => `beside=/project-info/${id}/dashboard&`).join('')}linked=1`

/** A part of the overview in a column. */
export const widget = (page: Page, at: number, name: string) => column(page, at).getByRole('region', { name, exact: true })

/** The trend of a column, as a slider over its days. */
export const trend = (page: Page, at: number) => column(page, at).getByRole('slider', { name: 'Delivery trend' })

/** Says how many columns are linked, in the last line of the page. */
export const chip = (page: Page) => page.locator('footer [data-command="compare.unlink"]')
