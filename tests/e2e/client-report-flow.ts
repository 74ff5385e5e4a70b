import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { addDays } from '../../contract/pacing.ts'
import { href } from '../../src/routing/routes.ts'
import { type test as base, expect } from '../support/e2e.ts'
import { today as workspaceDay } from '../support/today.ts'
import {
  call,
  cursorRow,
  drawn,
  field,
  keys,
  list,
  login,
  open,
  palette,
  pane,
  press,
  review,
  run,
  selected,
  toast,
  visit,
} from './verbs.ts'

/*
 * A client's report, its landing page, its channels and their offers by keyboard, on the real server.
 */

const OPTIONS = ['Every day', 'Weekly', 'Never'] as const
let serial = 0
const unique = (words: string) => `${words} ${process.pid}-${Date.now()}${++serial}`

async function project(page: Page, words: string): Promise<number> {
  const [client] = (await call(page, 'client.list')).data
  const today = workspaceDay()
  const dates = { start_dt: today, end_dt: addDays(today, 9) }
  return (await call(page, 'project.create', { name: unique(words), client_id: client!.id, goal: 100, ...dates })).data.id
}

/** A project with a survey of two questions, and 40 completes. */
async function reported(page: Page) {
  const id = await project(page, 'Report')
  const task = { project_id: id, name: unique('Task'), about: 'Answer.', activity_type: 'survey' as const }
  const { data: activity } = await call(page, 'activity.create', task)
  const asked = { name: unique('Survey'), activity_id: activity.id, survey_link: 'https://survey.test/1', questions_count: 2 }
  const survey = (await call(page, 'survey.create', asked)).data.id
  const questions: number[] = []
  for (const name of ['How often?', 'How often before?'])
    questions.push(
      (
        await call(page, 'question.create', {
          survey_id: survey,
          name,
          answer_type: 'single',
          options: [...OPTIONS],
          order: questions.length + 1,
        })
      ).data.id,
    )
  const rows = Array.from({ length: 40 }, (_, at) => ({
    respondent_id: `report ${id} ${at}`,
    outcome: 'completes',
    gender: at % 2 ? 'female' : 'male',
    answers: { [questions[0]!]: OPTIONS[at % 3], [questions[1]!]: OPTIONS[(at * at) % 3] },
  }))
  await call(page, 'runtime.ingest', { surveyId: survey, rows } as never)
  return { id, survey, questions: questions as [number, number], rows }
}
/** The lines of a file that a key downloads. */
async function fetched(page: Page): Promise<{ name: string; lines: string[] }> {
  const download = page.waitForEvent('download')
  await press(page, 'job.fetchLatest')
  const file = await download
  const text = readFileSync((await file.path())!, 'utf8').replace(/^\uFEFF/, '')
  return { name: file.suggestedFilename(), lines: text.trimEnd().split('\r\n') }
}
/** Accepts the initial answer to a question of the palette. */
async function accept(page: Page, label: string): Promise<void> {
  await expect(field(page)).toHaveAttribute('aria-label', label)
  await expect(selected(page)).toHaveCount(1)
  await drawn(page)
  await keys(page, 'Enter')
}

/** Adds the tests of the whole flow to a file, whose options choose the server's engine. */
export function clientReportFlow(test: typeof base, engine: string): void {
  test(`columns of a client’s report are named, left out, ordered, kept as a template and exported by keyboard, on ${engine}`, async ({
    page,
  }) => {
    test.setTimeout(90_000)
    await login(page)
    const { id, survey, questions, rows } = await reported(page)
    const columnsOf = async () => (await call(page, 'report.questions', { project_id: id, per_page: 2000 })).data
    const column = (await columnsOf()).find(({ question_id }) => question_id === questions[0])!
    const name = unique('Snacking')

    await test.step('a column is found by the search, renamed in its row and moved by keys', async () => {
      await open(page, 'project', { id }, { tab: 'clientReporting', query: { search: column.column_key } })
      await list(page)
      await expect(cursorRow(page)).toContainText(column.column_key)
      await keys(page, 'e')
      const box = pane(page).getByRole('textbox', { name: 'Column name' })
      await expect(box).toBeVisible()
      await box.fill(' ')
      await box.press('Enter')
      await expect(pane(page).getByText('question name cannot be blank')).toBeVisible()
      await box.fill(name)
      await box.press('Enter')
      await expect(cursorRow(page)).toContainText(name)
      await press(page, 'report.moveDown')
      await expect(cursorRow(page)).toContainText(String(column.order + 1))
      await expect(pane(page).getByText('1 change not saved')).toBeVisible()
      await press(page, 'report.save')
      await expect(toast(page, '1 column saved')).toBeVisible()
      expect((await columnsOf()).find(({ question_id }) => question_id === questions[0])).toMatchObject({
        ...{ column_name: name, should_include: 1, order: column.order + 1 },
      })
    })

    await test.step('the current columns become a template, and the other question is left out', async () => {
      await run(page, 'report.saveTemplate', unique('Mine'), 'Every client')
      await expect(toast(page, /Template “Mine .* saved/)).toBeVisible()
      const other = (await columnsOf()).find(({ question_id }) => question_id === questions[1])!
      await visit(page, href('project', { id }, { tab: 'clientReporting', query: { search: other.column_key } }))
      await list(page)
      await expect(cursorRow(page)).toContainText(other.column_key)
      await press(page, 'report.include')
      await expect(pane(page).getByRole('checkbox', { name: `Include ${other.column_name}` })).not.toBeChecked()
      await press(page, 'report.save')
      await expect(pane(page).getByText('Saved', { exact: true })).toBeVisible()
    })

    await test.step('the data map is a job whose file one key fetches', async () => {
      await press(page, 'report.datamap')
      await accept(page, 'Format')
      await expect(toast(page, 'Data map ready')).toBeVisible()
      const { name: file, lines } = await fetched(page)
      expect(file).toMatch(/data[- ]map.*\.csv$/i)
      expect(lines.some((line) => line.includes(name))).toBe(true)
    })

    await test.step('the report has a row per complete, and counts as User Responses does', async () => {
      await press(page, 'report.export')
      await accept(page, 'Format')
      await accept(page, 'Respondents')
      await expect(toast(page, 'The report is on its way')).toBeVisible()
      await expect(toast(page, 'Report ready')).toBeVisible()
      const { name: file, lines } = await fetched(page)
      expect(file).toMatch(/report.*\.csv$/)
      const [names, ...people] = lines as [string, ...string[]]
      const at = names.split(',').indexOf(name)
      expect(at).toBeGreaterThan(0)
      expect(names).not.toContain('How often before?')
      expect(people.length).toBe(rows.length)
      const { data } = await call(page, 'runtime.userResponses', { surveyId: survey, questions: [questions[0]] } as never)
      for (const { label, value } of data[0]!.rows)
        expect(people.filter((line) => line.split(',')[at] === label).length, label).toBe(value)
    })
  })

  test(`a channel is switched by Space, its landing page is written, and its offers are read by keyboard, on ${engine}`, async ({
    page,
  }) => {
    test.setTimeout(90_000)
    await login(page)
    const id = await project(page, 'Landing')
    const box = (name: string) => pane(page).getByRole('textbox', { name })

    await test.step('a channel without a landing page asks before it is enabled, and undo reverts the switch', async () => {
      await open(page, 'project', { id }, { tab: 'audience' })
      await list(page)
      await expect(cursorRow(page)).toContainText('Facebook')
      await press(page, 'audience.switch')
      await review(page, 'Its landing page isn’t complete.')
      await expect(cursorRow(page)).toContainText('Enabled')
      await press(page, 'audience.switch')
      await expect(cursorRow(page)).toContainText('Disabled')
      await run(page, 'command.undo')
      await expect(cursorRow(page)).toContainText('Enabled')
    })

    await test.step('the landing page requires the marked fields, previews them while typing, and is saved', async () => {
      await open(page, 'project', { id }, { tab: 'landingPage' })
      await box('Facebook question').fill('Did you shop this week?')
      await expect(pane(page).getByRole('region', { name: 'Facebook preview' })).toContainText('Did you shop this week?')
      await keys(page, 'Control+Enter')
      await expect(pane(page).getByText('All fields marked (*) are required.').first()).toBeVisible()
      await box('Facebook disqualify text').fill('Thank you')
      await box('Survey URL').fill('https://survey.test/1')
      await run(page, 'landing.copyChannel')
      await expect(box('Fulcrum question')).toHaveValue('Did you shop this week?')
      await keys(page, 'Control+Enter')
      await expect(page.getByRole('dialog', { name: 'Landing Page Updated' })).toBeVisible()
      const { data } = await call(page, 'landing.get', { cid: id })
      expect(data).toMatchObject({ fulcrum_disqualify_text: 'Thank you', survey_url: 'https://survey.test/1' })
    })

    await test.step('a channel whose landing page is complete is enabled without a question', async () => {
      await open(page, 'project', { id }, { tab: 'audience' })
      await list(page)
      await press(page, 'list.down')
      await expect(cursorRow(page)).toContainText('Fulcrum')
      await press(page, 'audience.switch')
      await expect(cursorRow(page)).toContainText('Enabled')
      await expect(palette(page)).toHaveCount(0)
    })

    await test.step('offers are filtered and searched, and Space shows one in full', async () => {
      const all = (await call(page, 'project.list', { per_page: 500 })).data
      const offered = await (async () => {
        for (const { id: of } of all.filter(({ delivered }) => delivered > 0)) {
          const { data } = await call(page, 'offer.list', { id: of, per_page: 500 })
          if (data.length > 1) return { of, offer: data[1]!, others: data.filter((_, at) => at !== 1) }
        }
        throw new Error('no project of the demo has two offers')
      })()
      const { of, offer } = offered
      await open(page, 'project', { id: of }, { tab: 'offers', query: { search: offer.name } })
      await list(page)
      await expect(cursorRow(page)).toContainText(offer.name)
      await press(page, 'offer.show')
      await expect(page.getByRole('dialog', { name: offer.name })).toContainText('a respondent')
      await keys(page, 'Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    })
  })
}
