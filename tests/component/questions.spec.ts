import type { Locator, Page } from '@playwright/test'
import { faults, WCAG } from '../e2e/axe.ts'
import { column, columns, cursorRow, drawn, keys, list, open, pane, press, review, toast } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

const survey = (page: Page, query: Record<string, string> = {}) => open(page, 'survey', { id: 71 }, { tab: 'questions', query })
const names = (page: Page): Locator => pane(page).locator('[role=row][aria-rowindex]:not([aria-rowindex="1"])')
const paste = (page: Page, text: string) => pane(page).getByRole('textbox', { name: 'Questions from a sheet' }).fill(text)

test('keys reorder questions: shown at once, with one write and one undo step for a run of them', async ({ page, api }) => {
  await survey(page)
  await list(page)
  await expect(names(page)).toContainText(['How often?', 'Which brands?', 'How many packs?', 'Why?', 'What is your job?'])
  await expect(cursorRow(page)).toContainText('How often?')
  for (let at = 0; at < 3; at++) await press(page, 'question.moveDown')
  await expect(names(page)).toContainText(['Which brands?', 'How many packs?', 'Why?', 'How often?', 'What is your job?'])
  await press(page, 'question.moveUp')
  await expect(names(page)).toContainText(['Which brands?', 'How many packs?', 'How often?', 'Why?', 'What is your job?'])
  await expect(cursorRow(page)).toContainText('How often?')
  await expect.poll(() => api.writes).toEqual([{ id: 'question.reorder', input: { id: 71, ids: [302, 303, 301, 304] } }])
  await expect(names(page)).toContainText(['Which brands?', 'How many packs?', 'How often?', 'Why?', 'What is your job?'])
  await press(page, 'command.undo')
  await expect(names(page).first()).toContainText('How often?')
  await expect.poll(() => api.writes.length).toBe(2)
})

test('selected questions keep their order, and closing the list saves what was moved', async ({ page, api }) => {
  await survey(page)
  await list(page)
  await press(page, 'list.mark')
  await press(page, 'list.down')
  await press(page, 'list.mark')
  await press(page, 'question.moveDown')
  await review(page, 'Move question down: 2 questions?')
  await expect(names(page)).toContainText(['How many packs?', 'How often?', 'Which brands?', 'Why?', 'What is your job?'])
  await keys(page, '1')
  await expect.poll(() => api.writes).toEqual([{ id: 'question.reorder', input: { id: 71, ids: [303, 301, 302, 304] } }])
})

test('a profile question has no order, and says so', async ({ page, api }) => {
  await survey(page, { type: 'profile' })
  await list(page)
  await press(page, 'question.moveDown')
  await expect(toast(page, 'profile questions have no order')).toBeVisible()
  expect(api.writes).toEqual([])
})

test('an order that somebody else changed meanwhile is kept, with who changed it', { tag: '@quick' }, async ({ page, api }) => {
  await survey(page)
  await list(page)
  await press(page, 'question.moveDown')
  await expect(names(page).first()).toContainText('Which brands?')
  // Somebody else moves the last one to the top.
  await api.call('question.reorder', { id: 71, ids: [304, 301, 302, 303] })
  await expect(toast(page, 'Order changed by Sara Miller')).toBeVisible()
  expect(api.writes).toEqual([{ id: 'question.reorder', input: { id: 71, ids: [304, 302, 301, 303] } }])
})

test('a pasted sheet is recognized, corrected, checked by row and written once', { tag: '@quick' }, async ({ page, api }) => {
  await survey(page)
  await list(page)
  await press(page, 'question.paste')
  await paste(
    page,
    'Question\tAnswer type\tAnswers\nDo you like it?\tRadio\tYes|No\n\tSingle\tYes|No\nOnly one?\tSingle\tYes\nHow so?\tSlider\t',
  )
  const form = pane(page).getByRole('form', { name: 'Paste questions' })
  await expect(form.getByText('4 questions, 3 with errors')).toBeVisible()
  await expect(form).toContainText('Question Name cannot be blank')
  await expect(form).toContainText('A single or multiple choice needs two answers.')
  await expect(form).toContainText('“Slider” isn’t an answer type: Single, Multiple, Number or Open.')
  await press(page, 'form.send')
  expect(api.writes).toEqual([])
  await paste(page, 'Yes|No|Maybe\tDo you like it?\nSweet|Salty\tWhich ones?')
  await expect(form.getByText('2 questions, no errors')).toBeVisible()
  const second = form.getByRole('combobox', { name: 'Column 2' })
  await expect(second).toHaveValue('Question')
  await press(page, 'form.send')
  await expect(toast(page, '2 questions added.')).toBeVisible()
  await list(page)
  await expect(names(page)).toHaveCount(7)
  expect(api.writes).toHaveLength(1)
  await press(page, 'command.undo')
  await expect(names(page)).toHaveCount(5)
})

test('a new question follows the rules of its type, in the words of the specification', { tag: '@quick' }, async ({
  page,
  api,
}) => {
  await open(page, 'newQuestion', { id: 71, questionType: 'survey' })
  const form = pane(page)
  await expect(form.getByRole('textbox', { name: /^Order/ })).toHaveValue('5')
  await form.getByRole('textbox', { name: /^Order/ }).fill('0')
  await press(page, 'form.send')
  await expect(form).toContainText('Question Name cannot be blank')
  await expect(form).toContainText('Question Order must be at least 1')
  await expect(form).toContainText('A single or multiple choice needs two answers.')
  await form.getByRole('textbox', { name: /^Answers/ }).fill('Yes\nyes')
  await press(page, 'form.send')
  await expect(form).toContainText('“yes” is listed twice.')
  await form.getByRole('textbox', { name: /^Answers/ }).fill('Yes\nTotal')
  await press(page, 'form.send')
  await expect(form).toContainText('Charts leave a row "Total" out.')
  expect(api.writes).toEqual([])
  await open(page, 'newQuestion', { id: 71, questionType: 'dessert' })
  await expect(pane(page)).toContainText('There are survey, profile and reward questions.')
})

test('letters typed before the first invalid field gets the focus stay where they were typed', { tag: '@quick' }, async ({
  page,
}) => {
  await open(page, 'newQuestion', { id: 71, questionType: 'survey' })
  const answers = pane(page).getByRole('textbox', { name: /^Answers/ })
  await expect(pane(page).getByRole('textbox', { name: /^Order/ })).toHaveValue('5')
  await page.evaluate(() => {
    const frame = window.requestAnimationFrame.bind(window)
    const held: FrameRequestCallback[] = []
    window.requestAnimationFrame = (work) => held.push(work)
    Object.assign(window, {
      draw: () => {
        window.requestAnimationFrame = frame
        for (const work of held.splice(0)) frame(work)
      },
    })
  })
  await press(page, 'form.send')
  await expect(pane(page)).toContainText('Question Name cannot be blank')
  await answers.focus()
  await page.keyboard.type('Ye')
  await page.evaluate(() => (window as unknown as { draw(): void }).draw())
  await drawn(page)
  await page.keyboard.type('s')
  await expect(answers).toHaveValue('Yes')
})

test('an answered question is retired with a review that says so, another one is deleted', { tag: '@quick' }, async ({
  page,
}) => {
  await survey(page)
  await list(page)
  await press(page, 'question.remove', 'question')
  await review(page, 'It has answers, so it is retired: charts keep it under “Retired”.')
  await expect(names(page)).toHaveCount(4)
  await expect(pane(page)).toContainText('Retired 1')
  await press(page, 'command.undo')
  await expect(names(page)).toHaveCount(5)
  await press(page, 'list.last')
  await expect(cursorRow(page)).toContainText('What is your job?')
  await press(page, 'question.remove', 'question')
  await review(page, 'No complete answered it.')
  await expect(names(page)).toHaveCount(4)
})

test('a retired question that an undo brings back is listed without live events', async ({ page }) => {
  // The stream connects to nothing, as on a slow network.
  await page.route(/\/v3\/portal\/live$/, () => {})
  await survey(page)
  await list(page)
  await press(page, 'question.remove', 'question')
  await review(page, 'It has answers, so it is retired: charts keep it under “Retired”.')
  await expect(names(page)).toHaveCount(4)
  await press(page, 'command.undo')
  await expect(names(page)).toHaveCount(5)
})

test('what a colleague changed while the live stream was connecting is listed once it is connected', async ({ page, api }) => {
  const connects = Promise.withResolvers<void>()
  await page.route(/\/v3\/portal\/live$/, async (route) => {
    await connects.promise
    await route.continue()
  })
  await survey(page)
  await list(page)
  await api.call('question.edit', { id: 302, name: 'Reworded by a colleague', lock_version: 1 })
  connects.resolve()
  await expect(names(page).nth(1)).toContainText('Reworded by a colleague')
})

test('a link to a question puts the cursor there', async ({ page }) => {
  await survey(page, { q: '304' })
  await list(page)
  await expect(cursorRow(page)).toContainText('Why?')
  await press(page, 'list.up')
  await expect(cursorRow(page)).toContainText('How many packs?')
})

test('Enter opens a question’s chart beside its list, and the list has no accessibility violations', async ({ page }) => {
  await survey(page)
  await list(page)
  expect(await faults(page, WCAG)).toEqual([])
  await press(page, 'list.down')
  await expect(cursorRow(page)).toContainText('Which brands?')
  await press(page, 'list.open')
  await expect(columns(page)).toHaveCount(2)
  await expect(column(page, 1)).toContainText('How often?')
  await expect(page).toHaveURL(/userResponses/)
})
