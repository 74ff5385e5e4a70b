import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../support/e2e.ts'
import { call, drawn, login, open, pane, press, run, withFigures } from './verbs.ts'

const chart = (page: Page, code: string): Locator =>
  pane(page)
    .getByRole('region', { name: new RegExp(`^${code} `) })
    .getByRole('listbox')
const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
const figure = (value: number) => value.toLocaleString('en-US')

test('charts read by keys are what is counted, follow new completes, and go into a file', async ({ page }) => {
  await login(page)
  const alone = (await withFigures(page)).filter(({ children, delivered }) => !children.length && delivered > 50)
  // The last one, as tests of lists begin with the first.
  const project = alone.findLast(({ survey_id }) => survey_id)!
  const surveyId = project.survey_id!
  const asked = { surveyId, scope: 'project', gender: 'female,male' } as const
  const before = await call(page, 'runtime.userResponses', asked)
  const [first] = before.data.filter(({ answer_type, question_type }) => answer_type === 'single' && question_type === 'survey')
  const code = `Q${first!.number}`
  await open(page, 'project', { id: project.id }, { tab: 'userResponses', query: { q: first!.question_id } })
  const head = pane(page).locator('[data-base]')
  await expect(head).toContainText(`Base ${figure(before.base.base)} of ${figure(before.base.completes)} completes`)
  const bars = chart(page, code).getByRole('option')
  await expect(bars).toHaveCount(first!.rows.length)
  for (const [at, { label, value }] of first!.rows.entries())
    await expect(bars.nth(at)).toHaveAccessibleName(
      new RegExp(`^${literal(label)}: .*, ${figure(value)} of ${figure(first!.answered)}`),
    )

  await press(page, 'responses.sort')
  await expect(page).toHaveURL(/sort=largest/)
  await chart(page, code).focus()
  await press(page, 'responses.nextAnswer')
  await expect(bars.first()).toHaveAttribute('aria-selected', 'true')
  await press(page, 'responses.open')
  const crosstab = (await call(page, 'runtime.crosstab', { ...asked, question: first!.question_id, by: 'gender' })).data
  const row = pane(page).locator('tr[aria-current]')
  const largest = crosstab.rows.toSorted((a, b) => b.count - a.count)[0]!
  await expect(row.getByRole('rowheader')).toHaveText(largest.label)
  await press(page, 'responses.unit')
  await expect(row.getByRole('cell').first()).toHaveText(figure(largest.count))
  await press(page, 'responses.unit')
  await press(page, 'responses.close')

  await expect(page.getByText('live', { exact: true })).toBeVisible()
  // The least frequent answer overtakes nobody while its chart has the focus.
  const last = first!.rows.toSorted((a, b) => b.value - a.value).at(-1)!
  const order = await bars.evaluateAll((all) => all.map((one) => one.getAttribute('data-answer')))
  const rows = Array.from({ length: 200 }, (_, at) => ({
    respondent_id: `chart ${Date.now()} ${at}`,
    outcome: 'completes' as const,
    gender: 'female',
    age: 3,
    answers: { [first!.question_id]: last.label },
  }))
  await call(page, 'runtime.ingest', { surveyId, rows } as never)
  await expect(head).toContainText(`Base ${figure(before.base.base + 200)} of`)
  await expect(chart(page, code).getByRole('option', { name: new RegExp(`^${literal(last.label)}: `) })).toHaveAccessibleName(
    new RegExp(`, ${figure(last.value + 200)} of`),
  )
  expect(await bars.evaluateAll((all) => all.map((one) => one.getAttribute('data-answer')))).toEqual(order)

  await drawn(page)
  await run(page, 'responses.export', 'Excel')
  await expect
    .poll(
      async () =>
        (await call(page, 'job.list', { mine: true } as never)).data.find(({ title }) => /user responses/.test(title))?.status,
    )
    .toBe('done')
})
