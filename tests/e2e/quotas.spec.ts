import type { Page } from '@playwright/test'
import { addDays } from '../../contract/pacing.ts'
import { expect, test } from '../support/e2e.ts'
import { today } from '../support/today.ts'
import { call, field, keys, login, open, palette, pane, press, review } from './verbs.ts'

// Quotas by keyboard: why a cell doesn't fill, and places for those who come.

test.beforeEach(({ page }) => login(page))

/** A project whose survey wants 50 people of each age: of one nobody came, of the other 70, so that 20 were refused. */
async function lopsided(page: Page): Promise<number> {
  const [client] = (await call(page, 'client.list')).data
  const name = `Quotas ${process.pid}-${Date.now()}`
  const dates = { start_dt: today(), end_dt: addDays(today(), 20) }
  const project = (await call(page, 'project.create', { name, client_id: client!.id, goal: 100, ...dates })).data.id
  const task = { project_id: project, name, about: 'Answer.', activity_type: 'survey' as const }
  const activity_id = (await call(page, 'activity.create', task)).data.id
  const asked = { name, activity_id, survey_link: 'https://survey.test/1', questions_count: 2 }
  const survey = (await call(page, 'survey.create', asked)).data.id
  const cells = ['3', '4'].map((age) => ({ name: '', conditions: { age: [age] }, target: 50 }))
  const dimensions = [{ name: 'Age', kind: 'marginal' as const, fields: ['age'], cells }]
  const plan = (await call(page, 'quota.create', { id: project, survey_id: survey, dimensions })).data.id
  await call(page, 'quota.live', { id: plan })
  const arrivals = Array.from({ length: 70 }, (_, at) => ({ pid: `p${at}`, profile: { age: 4 } }))
  await call(page, 'quota.admit', { surveyId: survey, arrivals })
  return project
}
const cell = (page: Page, name: string) => pane(page).getByRole('gridcell', { name: new RegExp(`^${name}: target`) })

test('why a cell starves is read and 20 of its places are moved to a full one in ten keys, and undone @quick', async ({
  page,
}) => {
  const project = await lopsided(page)
  await open(page, 'project', { id: project }, { tab: 'overview' })
  await expect(pane(page).getByRole('heading', { level: 1 })).toBeVisible()
  let pressed = 0
  const tap = async (sequence: string) => {
    pressed += sequence.split(' ').length
    await keys(page, sequence)
  }
  await tap('q q')
  await expect(cell(page, 'Total')).toBeFocused()
  await tap('!')
  await expect(cell(page, '25 to 34')).toBeFocused()
  await expect(pane(page)).toContainText('Nobody who fits it arrived in the last 24 hours.')
  await tap('q m')
  await expect(palette(page)).toContainText('35 to 44')
  await tap('Enter')
  await expect(field(page)).toHaveAttribute('aria-label', 'Places')
  await tap('2 0 Enter')
  pressed++
  await review(page, '20 people more would have been admitted')
  await expect(cell(page, '35 to 44')).toHaveAccessibleName(/^35 to 44: target 70, 0 completes, 50 held, 20 free/)
  await expect(cell(page, '25 to 34')).toHaveAccessibleName(/^25 to 34: target 30,/)
  expect(pressed).toBe(10)
  await press(page, 'command.undo')
  await expect(cell(page, '35 to 44')).toHaveAccessibleName(/^35 to 44: target 50, 0 completes, 50 held, 0 free/)
  await expect(cell(page, '25 to 34')).toHaveAccessibleName(/^25 to 34: target 50,/)
})
