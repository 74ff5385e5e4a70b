import type { Page } from '@playwright/test'
import { href } from '../../src/routing/routes.ts'
import { column, type ProjectRow, withFigures } from './verbs.ts'

/** Two projects with figures, in field if there are any. */
export async function pair(page: Page): Promise<[ProjectRow, ProjectRow]> {
  const [first, second] = (await withFigures(page)).filter((row) => row.delivered > 200)
  if (!first || !second) throw new Error('The demo has no two projects with figures')
  return [first, second]
}

/** The address of linked projects side by side. */
export const beside = (first: ProjectRow, ...others: ProjectRow[]) =>
  `${href('project', { id: first.id })}?${others.map(({ id }) => `beside=/project-info/${id}/dashboard&`).join('')}linked=1`

/** A part of the Overview in a column. */
export const widget = (page: Page, at: number, name: string) =>
  column(page, at).getByRole('region', { name: new RegExp(`^${name}(?:$|: )`) })

/** A column's trend, as a slider over its days. */
export const trend = (page: Page, at: number) => column(page, at).getByRole('slider', { name: 'Delivery trend' })

/** The chip in the status line with the number of linked columns. */
export const chip = (page: Page) => page.locator('footer [data-command="compare.unlink"]')
