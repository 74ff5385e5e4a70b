import type { Page } from '@playwright/test'
import { keys, open, palette, pane, press, review, toast } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'
import type { Portal } from '../support/portal.ts'

const arrival = (gender: string) => (_: unknown, nth: number) => ({ pid: `${gender}${nth}`, profile: { gender } })

/** A project with a live plan: 60 women are wanted and 2 came, 40 men are wanted and 38 came. */
async function field100(api: Portal) {
  const { id: project_id } = await api.make.project({ client_id: 101, ordered: 100 })
  const survey = await api.make.survey({ project_id })
  const cells = [
    { name: 'Women', conditions: { gender: ['female'] }, target: 60 },
    { name: 'Men', conditions: { gender: ['male'] }, target: 40 },
  ]
  const made = await api.call('quota.create', {
    id: project_id,
    dimensions: [{ name: 'Gender', fields: ['gender'], cells }],
  } as never)
  const plan = (made as { data: { id: number } }).data.id
  await api.call('quota.live', { id: plan })
  const arrivals = [...Array.from({ length: 2 }, arrival('female')), ...Array.from({ length: 38 }, arrival('male'))]
  await api.call('quota.admit', { surveyId: survey.id, arrivals })
  api.writes.length = 0
  return { project: project_id, survey: survey.id, plan }
}
const cell = (page: Page, name: string) => pane(page).getByRole('gridcell', { name: new RegExp(`^${name}: target`) })

test('a target is edited in its cell: what it adds up to and what it would have done are said before it is saved', async ({
  page,
  api,
}) => {
  const { project } = await field100(api)
  await open(page, 'project', { id: project }, { tab: 'quotas' })
  await expect(cell(page, 'Total')).toBeFocused()
  await keys(page, 'j j')
  await expect(cell(page, 'Men')).toBeFocused()
  await keys(page, 'q e')
  const input = pane(page).getByRole('textbox', { name: 'Target of Men' })
  await expect(input).toHaveValue('40')
  await input.fill('30')
  await expect(pane(page)).toContainText('The targets of “Gender” add up to 90, not to the total of 100.')
  await expect(pane(page)).toContainText('40 → 30.')
  await page.keyboard.press('Enter')
  await expect(pane(page).getByRole('alert')).toContainText('38')
  await input.fill('38')
  await page.keyboard.press('Enter')
  await expect(cell(page, 'Men')).toHaveAccessibleName('Men: target 38, 0 completes, 38 held, 0 free')
  await expect(cell(page, 'Men')).toBeFocused()
})

test('a cell is closed and reopened, and those whom it refused are listed live', async ({ page, api }) => {
  const { project, survey } = await field100(api)
  await open(page, 'project', { id: project }, { tab: 'quotas' })
  await expect(cell(page, 'Total')).toBeFocused()
  await keys(page, 'j q c')
  await review(page, 'Nobody else is admitted to it')
  await expect(cell(page, 'Women')).toHaveAccessibleName(/closed$/)
  await api.call('quota.admit', { surveyId: survey, arrivals: [{ pid: 'late', profile: { gender: 'female' } }] })
  await keys(page, 'Enter')
  await expect(pane(page).getByRole('heading', { name: 'Refused by Women' })).toBeVisible()
  await expect(pane(page)).toContainText('Refused: closed')
  await expect(pane(page)).toContainText('Gender female')
})

test('quotas are set from a pasted table, whose sums and overlaps are said while it is typed', async ({ page, api }) => {
  const { id } = await api.make.project({ client_id: 101, ordered: 100 })
  await api.make.survey({ project_id: id })
  await open(page, 'project', { id }, { tab: 'quotas' })
  await expect(pane(page)).toContainText('No quotas: nobody is turned away')
  await press(page, 'quota.fill', 'project')
  await expect(palette(page)).toContainText('Survey 1')
  await page.keyboard.press('Enter')
  await expect(palette(page)).toContainText('A table')
  await page.keyboard.type('table')
  await page.keyboard.press('Enter')
  const table = palette(page).locator('textarea')
  await table.fill('Gender, Target\nfemale, 60\nfemale, 40')
  await page.keyboard.press('Control+Enter')
  await expect(palette(page)).toContainText('overlap: a person could be in both')
  await table.fill('Gender, Target\nfemale, 60\nmale, 40')
  await page.keyboard.press('Control+Enter')
  await review(page, '60, 40 of 100')
  await expect(cell(page, 'Female')).toHaveAccessibleName(/^Female: target 60,/)
  await expect(toast(page, 'created')).toBeVisible()
})
