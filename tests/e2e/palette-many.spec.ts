import type { Page } from '@playwright/test'
import { href } from '../../src/routing/routes.ts'
import { expect, test } from '../support/e2e.ts'
import {
  call,
  drawn,
  field,
  goTo,
  keys,
  list,
  login,
  open,
  palette,
  pane,
  press,
  projects,
  review,
  run,
  seen,
  toast,
} from './verbs.ts'

// Actions on many records at once.
test.describe.configure({ mode: 'parallel' })
test.use({ permissions: ['clipboard-read', 'clipboard-write'] })
test.beforeEach(({ page }) => login(page))

const REASON = 'The quota is under review'

/** Selects all projects, some of which can't be paused; returns those that can. */
async function selectAll(page: Page) {
  const { data: all, count } = await call(page, 'project.list', { per_page: 200 })
  const able = all.filter((row) => row.allowed_actions.includes('project.pause'))
  await open(page, 'allProjects')
  await list(page)
  await press(page, 'list.markAll', 'list')
  await expect(pane(page)).toContainText(`${count} selected`)
  return able
}

test('a bulk command lists refusals by name and reason, retries them alone, and undoes what was done', { tag: '@quick' }, async ({
  page,
}) => {
  const able = await selectAll(page)
  const [odd] = able
  let refuse = true
  const paused: number[] = []
  await page.route('**/v3/portal/projects/*/status', async (route) => {
    const id = Number(/projects\/(\d+)\/status/.exec(route.request().url())![1])
    if (id === odd!.id && refuse)
      return route.fulfill({ status: 409, json: { message: 'somebody else is at it', code: 'not_now' } })
    paused.push(id)
    await route.continue()
  })
  await run(page, 'project.pause', REASON)
  await review(page, 'can be done')
  const resultDialog = page.getByRole('dialog').filter({ hasText: 'refused' })
  await expect(resultDialog).toContainText(odd!.name)
  await expect(resultDialog).toContainText('somebody else is at it')
  refuse = false
  await resultDialog.getByRole('button', { name: 'Try this again' }).click()
  await expect(toast(page, `“${odd!.name}” is paused`)).toBeVisible()
  await expect(resultDialog).toHaveCount(0)
  expect([...paused].sort((a, b) => a - b)).toEqual(able.map(({ id }) => id).sort((a, b) => a - b))
  await press(page, 'command.undo')
  await press(page, 'command.undo')
  await expect.poll(async () => (await projects(page, 'Paused')).filter(({ id }) => paused.includes(id)).length).toBe(0)
  const back = await Promise.all(able.map(({ id }) => call(page, 'project.get', { id })))
  expect(new Set(back.map(({ data }) => data.stored_status))).toEqual(new Set(['active']))
})

test('a bulk command is undone by one undo, repeated by the . key, and undone again', async ({ page }) => {
  const selected = (await call(page, 'project.listAll', { per_page: 3 })).data.map(({ id }) => id)
  const notes = async () =>
    (await Promise.all(selected.map(async (id) => (await call(page, 'note.list', { id })).data))).map(
      (all) => all.filter(({ note }) => note === 'Once and again').length,
    )
  await open(page, 'allProjects')
  await list(page)
  await keys(page, 'x j x j x')
  await run(page, 'note.create', 'Once and again')
  await review(page, 'Add this note to 3 projects?')
  await expect(toast(page, '3 projects have your note')).toBeVisible()
  expect(await notes()).toEqual([1, 1, 1])
  await press(page, 'command.undo')
  await expect.poll(notes).toEqual([0, 0, 0])
  // What was undone can be repeated: its review opens with the same answer.
  await press(page, 'command.again')
  await expect(palette(page).locator('[data-pill]')).toHaveText(['Once and again'])
  await seen(page)
  await review(page, 'Add this note to 3 projects?')
  // Only now does the page know how to undo it.
  await expect(toast(page, '3 projects have your note')).toBeVisible()
  expect(await notes()).toEqual([1, 1, 1])
  await press(page, 'command.undo')
  await expect.poll(notes).toEqual([0, 0, 0])
  await press(page, 'command.undo')
  await expect(toast(page, 'Nothing to undo.')).toBeVisible()
})

test('a link’s records are a pill, and are deselected one by one when it is edited', async ({ page }) => {
  const [subject, one, two] = await projects(page, 'Active')
  await goTo(page, `${href('project', { id: subject!.id })}?do=compare.open&with=${one!.id},${two!.id}`)
  const pill = palette(page).locator('[data-pill]')
  await expect(pill).toHaveText([`${one!.name}, ${two!.name}`])
  await expect(field(page)).toBeFocused()
  await drawn(page)
  await page.keyboard.press('Backspace')
  const ticked = palette(page).locator('[role=option][aria-checked=true]')
  await expect(ticked).toHaveText([new RegExp(one!.name), new RegExp(two!.name)])
  await page.keyboard.press('Space')
  await expect(ticked).toHaveText([new RegExp(two!.name)])
  await page.keyboard.press('Control+Enter')
  await expect(pill).toHaveText([two!.name])
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`${subject!.id}/.*beside=.*${two!.id}`))
})
