import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { addDays } from '../../contract/pacing.ts'
import { href } from '../../src/routing/routes.ts'
import { type test as base, expect } from '../support/e2e.ts'
import { today as workspaceDay } from '../support/today.ts'
import { call, clipboard, drawn, field, keys, login, open, pane, press, run, selected, toast, visit } from './verbs.ts'

/*
 * User Responses by keyboard, on the real server: filters, splits, crosstabs, texts and new completes.
 * Then the figures are exported as a table, a picture and a file.
 */

const OPTIONS = ['Every day', 'Weekly', 'Never'] as const
const BRANDS = ['Chips', 'Nuts'] as const
interface Person {
  gender: 'female' | 'male' | 'other'
  age: number
  answers: Record<string, string | string[]>
}

/** A project whose respondents this test knows. */
async function surveyed(page: Page) {
  const [client] = (await call(page, 'client.list')).data
  const today = workspaceDay()
  const dates = { start_dt: today, end_dt: addDays(today, 9) }
  const name = `Answers ${process.pid}-${Date.now()}`
  const { data: project } = await call(page, 'project.create', { name, client_id: client!.id, goal: 500, ...dates })
  const task = { project_id: project.id, name, about: 'Answer.', activity_type: 'survey' as const }
  const { data: activity } = await call(page, 'activity.create', task)
  const { data: survey } = await call(page, 'survey.create', {
    name,
    activity_id: activity.id,
    survey_link: 'https://survey.test/1',
    questions_count: 3,
  })
  let order = 0
  const ask = async (title: string, answer_type: 'single' | 'multiple' | 'open', options: readonly string[]) =>
    (
      await call(page, 'question.create', {
        survey_id: survey.id,
        name: title,
        answer_type,
        options: [...options],
        order: ++order,
      })
    ).data.id
  const often = await ask('How often?', 'single', OPTIONS)
  const brands = await ask('Which brands?', 'multiple', BRANDS)
  const why = await ask('Why?', 'open', [])
  const people = Array.from({ length: 120 }, (_, at): Person => {
    const text = at % 4 ? `Reason ${at % 7}` : ''
    return {
      gender: at % 12 === 0 ? 'other' : at % 5 < 3 ? 'female' : 'male',
      age: 2 + (at % 3),
      answers: {
        [often]: OPTIONS[(at % 7) % 3]!,
        [brands]: at % 2 ? [...BRANDS] : [BRANDS[0]],
        ...(text ? { [why]: text } : {}),
      },
    }
  })
  await send(page, survey.id, people)
  return { project: project.id, survey: survey.id, often, brands, why, people }
}

let serial = 0
const send = (page: Page, surveyId: number, people: readonly Person[]) =>
  call(page, 'runtime.ingest', {
    surveyId,
    rows: people.map((one) => ({ respondent_id: `flow ${++serial}`, outcome: 'completes', ...one })),
  } as never)

const region = (page: Page, code: string): Locator => pane(page).getByRole('region', { name: new RegExp(`^${code} `) })
const chart = (page: Page, code: string): Locator => region(page, code).getByRole('listbox')
const share = (count: number, of: number) => ((100 * count) / of).toFixed(1)

/** Adds the test of the whole flow to a file, whose options choose the server's engine. */
export function responsesFlow(test: typeof base, engine: string): void {
  test(`responses are read, filtered, crossed, followed live and exported by keyboard, on ${engine}`, async ({ page }) => {
    test.setTimeout(90_000)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await login(page)
    const { project, survey, often, brands, why, people } = await surveyed(page)
    /** The answers to a question by respondents who pass, counted one by one. */
    const countOf = (question: number, passes: (one: Person) => boolean = ({ gender }) => gender !== 'other') =>
      people.filter(passes).flatMap(({ answers }) => answers[question] ?? [])
    const many = (answer: string, ...of: Parameters<typeof countOf>) => countOf(...of).filter((one) => one === answer).length
    const head = pane(page).locator('[data-base]')

    await test.step('a chart has each answer’s share and count, women and men at first', async () => {
      await open(page, 'project', { id: project }, { tab: 'userResponses' })
      await expect(head).toHaveText('Base 110 of 120 completes · Other off (10)')
      await press(page, 'responses.next')
      await expect(chart(page, 'Q1')).toBeFocused()
      for (const label of OPTIONS)
        await expect(chart(page, 'Q1').getByRole('option', { name: new RegExp(`^${label}: `) })).toHaveAccessibleName(
          new RegExp(`^${label}: ${share(many(label, often), 110)} percent, ${many(label, often)} of 110; Female`),
        )
    })

    await test.step('one key goes to the filters, and another splits the bars', async () => {
      await press(page, 'responses.filter')
      await expect(pane(page).locator('[data-filters] :focus')).toHaveCount(1)
      const other = pane(page).getByRole('button', { name: 'Other', exact: true })
      for (let at = 0; at < 9 && !(await other.evaluate((one) => one === document.activeElement)); at++) await keys(page, 'Tab')
      await keys(page, 'Enter')
      await expect(head).toHaveText('Base 120 of 120 completes')
      await keys(page, 'Enter')
      await expect(head).toHaveText('Base 110 of 120 completes · Other off (10)')
      await press(page, 'responses.split')
      await expect(field(page)).toBeFocused()
      await page.keyboard.type('age')
      await expect(selected(page)).toContainText('Age')
      await keys(page, 'Enter')
      const young = people.filter(
        ({ gender, age, answers }) => gender !== 'other' && age === 2 && answers[often] === 'Weekly',
      ).length
      await expect(chart(page, 'Q1').getByRole('option', { name: /^Weekly: / })).toHaveAccessibleName(
        new RegExp(`18 to 24 ${young}\\b`),
      )
    })

    await test.step('a question is crossed with another one', async () => {
      await press(page, 'responses.first')
      await expect(chart(page, 'Q1')).toBeFocused()
      await press(page, 'responses.crosstab')
      await expect(field(page)).toBeFocused()
      await page.keyboard.type('q2')
      await expect(selected(page)).toContainText('Which brands?')
      await keys(page, 'Enter')
      await press(page, 'responses.unit')
      const cells = region(page, 'Q1')
        .getByRole('row', { name: /^Never/ })
        .getByRole('cell')
      for (const [at, brand] of BRANDS.entries()) {
        const both = (one: Person) =>
          one.gender !== 'other' && one.answers[often] === 'Never' && one.answers[brands]!.includes(brand)
        // The first cell is the total.
        await expect(cells.nth(at + 1)).toHaveText(String(people.filter(both).length))
      }
      await press(page, 'responses.unit')
      await press(page, 'responses.close')
      await expect(region(page, 'Q1').getByRole('table')).toHaveCount(0)
    })

    await test.step('texts are a list with a search', async () => {
      await press(page, 'responses.last')
      await expect(region(page, 'Q3').locator(':focus')).toHaveCount(1)
      const texts = region(page, 'Q3').getByRole('listitem')
      await expect(texts).toHaveCount(new Set(countOf(why)).size)
      await press(page, 'responses.open')
      await expect(region(page, 'Q3').getByRole('searchbox')).toBeFocused()
      await page.keyboard.type('reason 5')
      await expect(texts).toHaveCount(1)
      await expect(texts).toContainText(String(many('Reason 5', why)))
      await keys(page, 'Escape')
    })

    await test.step('new completes move the bars, whose order is kept while their chart has the focus', async () => {
      await visit(page, href('project', { id: project }, { tab: 'userResponses', query: { q: often } }))
      await expect(page.getByText('live', { exact: true })).toBeVisible()
      await expect(chart(page, 'Q1')).toBeVisible()
      await press(page, 'responses.sort')
      await expect(page).toHaveURL(/sort=largest/)
      await chart(page, 'Q1').focus()
      const shown = () =>
        chart(page, 'Q1')
          .getByRole('option')
          .evaluateAll((all) => all.map((one) => one.getAttribute('data-answer')))
      const order = OPTIONS.toSorted((one, other) => many(other, often) - many(one, often))
      await expect.poll(shown).toEqual(order)
      const last = order.at(-1)!
      const more = Array.from({ length: 100 }, (): Person => ({ gender: 'male', age: 3, answers: { [often]: last } }))
      await send(page, survey, more)
      people.push(...more)
      await expect(head).toContainText('Base 210 of 220')
      await expect(chart(page, 'Q1').getByRole('option', { name: new RegExp(`^${last}: `) })).toHaveAccessibleName(
        new RegExp(`, ${many(last, often)} of 210`),
      )
      expect(await shown()).toEqual(order)
    })

    await test.step('a chart is copied for a spreadsheet and saved as a picture', async () => {
      await drawn(page)
      await press(page, 'responses.copy')
      await expect(toast(page, 'Copied')).toBeVisible()
      const [title, names, ...lines] = (await clipboard(page)).trim().split('\n')
      expect([title, names]).toEqual(['Q1 How often?', 'Answer\tShare (%)\tCount\tFemale\tMale'])
      for (const label of OPTIONS)
        expect(lines.find((line) => line.startsWith(`${label}\t`))).toContain(`\t${many(label, often)}\t`)
      const picture = page.waitForEvent('download')
      await run(page, 'responses.picture', 'SVG')
      const file = await picture
      expect(file.suggestedFilename()).toBe('Q1 How often.svg')
      const svg = readFileSync((await file.path())!, 'utf8')
      for (const label of OPTIONS) expect(svg).toContain(label)
    })

    await test.step('all charts are exported to a file, which says when it is ready and is fetched by one key', async () => {
      await run(page, 'responses.export', 'CSV')
      await expect(toast(page, 'User responses ready')).toBeVisible()
      const download = page.waitForEvent('download')
      await press(page, 'job.fetchLatest')
      const lines = readFileSync((await (await download).path())!, 'utf8')
        .slice(1)
        .trimEnd()
        .split('\r\n')
      expect(lines).toContain('Base,210,of 220 completes')
      expect(lines).toContain('Gender,"Female, Male"')
      for (const label of OPTIONS)
        expect(
          lines.some((line) => line.startsWith(`1,How often?,Single,210,0,${label},${many(label, often)},`)),
          label,
        ).toBe(true)
      for (const text of new Set(countOf(why)))
        expect(
          lines.some((line) => line.includes(`,${text},${many(text, why)},`)),
          text,
        ).toBe(true)
    })

    await test.step('a respondent is withdrawn by its id, and put back', async () => {
      const sent = `flow ${serial}`
      const before = await head.textContent()
      for (const [command, says, completes] of [
        ['runtime.withdraw', 'is withdrawn', 219],
        ['runtime.putBack', 'is back', 220],
      ] as const) {
        await run(page, command, '', sent)
        await expect(page.getByRole('dialog').or(page.locator('[data-palette]')).filter({ hasText: sent })).toBeVisible()
        await page.keyboard.press('Control+Enter')
        await expect(toast(page, `Respondent ${sent} ${says}`)).toBeVisible()
        await expect(head).toContainText(`of ${completes} completes`)
      }
      await expect(head).toHaveText(before!)
    })
  })
}
