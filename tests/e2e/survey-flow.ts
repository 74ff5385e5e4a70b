import type { Locator, Page } from '@playwright/test'
import { href } from '../../src/routing/routes.ts'
import { type test as base, expect } from '../support/e2e.ts'
import { call, cursorRow, dialog, drawn, goTo, keys, list, login, palette, pane, press, select, toast } from './verbs.ts'

/* A survey from its form to its questionnaire: questions by form and sheet, order, refresh, categories. */

const MAP = [
  'Key\tQuestion\tAnswer type\tAnswers',
  'q1\tWhich snack do you like?\tSingle\tChips|Nuts|Both',
  'q2\tWhich brands do you know?\tMultiple\tAlder|Birch',
  'q9\tWhy so?\tOpen\t',
].join('\n')
const SHEET = [
  'Key\tQuestion\tAnswer type\tAnswers',
  'q2\tWhich brands do you know?\tMultiple\tAlder|Birch|None',
  'q3\tHow many packs a week?\tNumber\t',
].join('\n')

/** A survey activity without a survey, in its own project. */
async function freshActivity(page: Page): Promise<{ id: number; project_id: number }> {
  const { data: projects } = await call(page, 'project.list', { per_page: 500 })
  const { data } = await call(page, 'project.clone', { id: projects[0]!.id })
  const { data: activity } = await call(page, 'activity.create', {
    project_id: data.project_id,
    name: 'Snack wave',
    about: 'Answer ten questions.',
    activity_type: 'survey',
  })
  return { id: activity.id, project_id: data.project_id }
}

/** Adds the test of the whole flow to a file, whose options choose the server's engine. */
export function surveyFlow(test: typeof base, engine: string): void {
  test(`a survey gets its questions, their order and its categories by keys, on ${engine}`, async ({ page }) => {
    test.setTimeout(120_000)
    const questions = (): Locator => pane(page).locator('[role=row][aria-rowindex]:not([aria-rowindex="1"])')
    const type = async (label: string | RegExp, text: string) => {
      const field = pane(page).getByRole('textbox', { name: label })
      await field.focus()
      await page.keyboard.type(text)
      await expect(field).toHaveValue(text)
    }
    await login(page, 'admin')
    const activity = await freshActivity(page)
    let id = 0
    const survey = async () => (await call(page, 'survey.get', { id })).data
    const order = async () =>
      (await call(page, 'survey.questions', { id, type: 'survey' })).data.map(({ name }) => name.split(' ')[1])

    await test.step('its form asks for a link, and leads to its details', async () => {
      await goTo(page, href('newActivitySurvey', { id: activity.id }))
      await expect(pane(page).getByRole('textbox', { name: /^Name/ })).toHaveValue(/Snack wave$/)
      await press(page, 'form.send')
      await expect(pane(page)).toContainText('Survey Link cannot be blank')
      await expect(pane(page)).toContainText('Survey Questions cannot be blank')
      await type(/^Survey link/, 'https://survey.test/snacks')
      await type(/^Questions\b(?! from)/, '12')
      await press(page, 'form.send')
      await dialog(page, 'Survey Created')
      await keys(page, 'Enter')
      await expect(page).toHaveURL(/survey-info\/\d+\/details/)
      id = Number(/survey-info\/(\d+)/.exec(page.url())![1])
      await expect(pane(page)).toContainText('https://survey.test/snacks')
      expect(await survey()).toMatchObject({
        activity_id: activity.id,
        questions_count: 12,
        survey_link: 'https://survey.test/snacks',
      })
    })

    await test.step('a data map is attached to it from the palette', async () => {
      await press(page, 'survey.attachSource')
      await select(page, palette(page).locator('[role=option]').filter({ hasText: 'a data map' }))
      const chooser = page.waitForEvent('filechooser')
      await keys(page, 'Enter')
      await expect(palette(page)).toContainText('Choose a file')
      await drawn(page)
      await keys(page, 'Enter')
      await (await chooser).setFiles({ name: 'snacks.csv', mimeType: 'text/csv', buffer: Buffer.from(MAP) })
      await expect(toast(page, 'Survey Updated')).toBeVisible()
      await expect(pane(page)).toContainText('snacks.csv')
    })

    await test.step('one question is added by form, two from a pasted sheet', async () => {
      await keys(page, '2')
      await expect(pane(page)).toContainText('No questions yet.')
      await press(page, 'question.create', 'survey')
      await type(/^Question\b/, 'Which snack do you like?')
      await type(/^Answers/, 'Chips\nNuts\nBoth')
      await press(page, 'form.send')
      await dialog(page, 'Question Created')
      await keys(page, 'Enter')
      await list(page)
      await expect(cursorRow(page)).toContainText('Which snack do you like?')
      await press(page, 'question.paste', 'question')
      const sheet = pane(page).getByRole('textbox', { name: 'Questions from a sheet' })
      await expect(sheet).toBeFocused()
      await page.keyboard.insertText(SHEET)
      await expect(pane(page).getByText('2 questions, no errors')).toBeVisible()
      await press(page, 'form.send')
      await expect(toast(page, '2 questions added.')).toBeVisible()
      await list(page)
      await expect(questions()).toContainText(['Which snack', 'Which brands', 'How many packs'])
    })

    await test.step('keys reorder them, and undo restores the order', async () => {
      await press(page, 'list.first')
      await expect(cursorRow(page)).toContainText('Which snack')
      await press(page, 'question.moveDown')
      await press(page, 'question.moveDown')
      await expect(questions()).toContainText(['Which brands', 'How many packs', 'Which snack'])
      await expect.poll(order).toEqual(['brands', 'many', 'snack'])
      await press(page, 'command.undo')
      await expect.poll(order).toEqual(['snack', 'brands', 'many'])
      await expect(questions()).toContainText(['Which snack', 'Which brands', 'How many packs'])
    })

    await test.step('a refresh is reviewed before anything is written', async () => {
      await press(page, 'survey.refresh')
      await expect(await dialog(page, 'Review the changes')).toContainText('1 added')
      expect(await order()).toEqual(['snack', 'brands', 'many'])
      await keys(page, 'Enter')
      const review = pane(page).getByRole('region', { name: 'Review the refresh' })
      await expect(review).toContainText('Why so?')
      await drawn(page)
      await review.getByRole('button', { name: 'Apply the changes' }).press('Enter')
      await expect(toast(page, /^Questions refreshed/)).toBeVisible()
      await expect(questions()).toContainText(['Which snack', 'Which brands', 'Why so?'])
      await press(page, 'command.undo')
      await expect(questions()).toContainText(['Which snack', 'Which brands', 'How many packs'])
      await expect.poll(order).toEqual(['snack', 'brands', 'many'])
    })

    await test.step('a category is selected for its project, and deselected by undo', async () => {
      const ticked = async () =>
        (await call(page, 'category.ofProject', { project: activity.project_id })).data.filter(({ selected }) => selected).length
      const before = await ticked()
      await keys(page, '3')
      await list(page)
      await press(page, 'category.check')
      await expect.poll(async () => Math.abs((await ticked()) - before)).toBe(1)
      await press(page, 'command.undo')
      await expect.poll(ticked).toBe(before)
    })
  })
}
