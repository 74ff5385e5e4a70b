import type { Page } from '@playwright/test'
import {
  call,
  cursorRow,
  drawn,
  field,
  keys,
  list,
  open,
  palette,
  pane,
  projectFor,
  read,
  rows,
  select,
  selected,
  toast,
} from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

// Keys have their whole intended effect, or none, with a notice.

/** Opens a project's specifications, and waits until its shortcuts work. */
async function at(page: Page, project: { id: number; name: string }): Promise<void> {
  await open(page, 'project', { id: project.id }, { tab: 'specifications' })
  await expect(pane(page).getByRole('heading', { level: 1, name: project.name })).toBeVisible()
}

/** The project with the most pending rewards. */
async function withRewards(page: Page): Promise<{ id: number; name: string }> {
  const { data } = await read<{ data: { id: number; name: string; pending_rewards: number }[] }>(
    page,
    '/v3/portal/projects/all?page=1&per_page=200',
  )
  return data.sort((a, b) => b.pending_rewards - a.pending_rewards)[0]!
}

/** Types like a fast typist. */
const type = (page: Page, text: string, delay = 20) => page.keyboard.type(text, { delay })
const notesOf = async (page: Page, id: number) =>
  (await call(page, 'note.list', { project_id: id } as never)) as { data: unknown[] }

/** Holds code or responses until released. */
async function hold(page: Page, address: RegExp): Promise<() => void> {
  let come = () => {}
  const held = new Promise<void>((resolve) => {
    come = resolve
  })
  await page.route(address, async (route) => {
    if (route.request().resourceType() !== 'document') await held
    await route.continue()
  })
  return () => come()
}

/** Of the paces, `npm test` tries the fastest. */
const hasty = (delay: number) => ({ tag: delay ? [] : '@quick' })

test.describe('after a refusal', () => {
  for (const delay of [0, 20, 83])
    test(`text meant for its question runs nothing, and is given back (${delay} ms a key)`, hasty(delay), async ({ page }) => {
      const project = await projectFor(page, 'project.resume', 'Paused')
      await at(page, project)
      const before = await notesOf(page, project.id).catch(() => null)
      await type(page, 'pp', delay)
      await type(page, 'panel overused, speed up next wave', delay)
      await page.keyboard.press('Enter')
      const notice = toast(page, 'can’t run now')
      await expect(notice).toContainText('What you typed wasn’t used: “panel overused, speed up next wave”')
      await expect(notice.getByRole('button', { name: 'Copy' })).toBeVisible()
      await expect(palette(page)).toHaveCount(0)
      expect(await notesOf(page, project.id).catch(() => null)).toEqual(before)
      // Keys after a pause work again.
      await keys(page, 'a n')
      await expect(field(page)).toBeFocused()
    })

  test('the notice stays while the text is typed, however long that takes, and gives it back', async ({ page }) => {
    await page.clock.install()
    await at(page, await projectFor(page, 'project.resume', 'Paused'))
    await keys(page, 'p p')
    await expect(toast(page, 'can’t run now')).toBeVisible()
    for (const letter of 'panel overused') {
      await page.keyboard.type(letter)
      await page.clock.runFor(500)
    }
    await expect(toast(page, 'can’t run now')).toBeVisible()
    await page.clock.runFor(1000)
    await expect(toast(page, 'can’t run now')).toContainText('What you typed wasn’t used: “panel overused”')
    await page.clock.runFor(9000)
    await expect(toast(page, 'can’t run now')).toHaveCount(0)
  })

  test('the text is no search in the palette', async ({ page }) => {
    await at(page, await projectFor(page, 'project.resume', 'Paused'))
    await page.keyboard.press('Control+k')
    await expect(field(page)).toBeFocused()
    await type(page, 'pause')
    await select(page, rows(page, 'project.pause'))
    await page.keyboard.press('Enter')
    await type(page, ' client asked')
    await expect(toast(page, 'What you typed wasn’t used: “client asked”')).toBeVisible()
    await expect(field(page)).toHaveValue('pause')
  })
})

test.describe('with a command moved to other keys', () => {
  for (const delay of [0, 20, 83])
    test(`its old keys and the words after them change nothing (${delay} ms a key)`, hasty(delay), async ({ page }) => {
      const project = await projectFor(page, 'project.complete', 'Active')
      const { data } = await call(page, 'account.get' as never)
      const before = (data as { preferences?: { keys?: object } }).preferences ?? {}
      await page.request.put('/v3/portal/account', {
        headers: { 'x-fieldwork': 'workspace' },
        data: { preferences: { ...before, keys: { 'project.pause': 'z z' } } },
      })
      try {
        await at(page, project)
        await type(page, 'ppfast typed reason', delay)
        await page.keyboard.press('Enter')
        await expect(toast(page, 'it is on Z Z now')).toContainText('What you typed wasn’t used: “fast typed reason”')
        await expect(palette(page)).toHaveCount(0)
        expect((await call(page, 'project.get', { id: project.id })).data.stored_status).toBe('active')
      } finally {
        await page.request.put('/v3/portal/account', {
          headers: { 'x-fieldwork': 'workspace' },
          data: { preferences: { ...before, keys: {} } },
        })
      }
    })
})

test('a dialog of buttons takes neither a space nor an Enter after letters typed in it', { tag: '@quick' }, async ({ page }) => {
  await open(page, 'newClient')
  await expect(pane(page).getByLabel(/Client name/)).toBeFocused()
  await page.keyboard.type('Typed and not saved')
  await keys(page, 'Escape')
  await keys(page, 'Alt+w')
  const asked = page.getByRole('dialog', { name: 'Close this tab?' })
  await expect(asked.locator(':focus')).toHaveCount(1)
  await type(page, 'some words')
  await page.keyboard.press('Enter')
  await expect(asked.getByRole('alert')).toContainText('Press Enter again')
  await expect(asked).toBeVisible()
})

/** Waits for the code that runs commands: until it has loaded, every key waits behind the first. */
async function runnerIsThere(page: Page): Promise<void> {
  await keys(page, 'g u')
  await expect(page).toHaveURL(/admin-users/)
  await list(page)
  await keys(page, 'g p')
  await expect(page).toHaveURL(/all-projects/)
  await list(page)
}

test.describe('while a screen loads', () => {
  for (const delay of [0, 20, 83])
    test(`all keys wait for its list (${delay} ms a key)`, hasty(delay), async ({ page }) => {
      await open(page, 'allProjects')
      await list(page)
      const come = await hold(page, /assets\/ClientsPane-.*\.js|portal\/clients/)
      await type(page, 'gcjjjjjx', delay)
      await drawn(page)
      come()
      await expect(page).toHaveURL(/dashboard\/clients/)
      await expect(cursorRow(page)).toHaveAttribute('aria-rowindex', '7')
      await expect(cursorRow(page)).toHaveAttribute('aria-selected', 'true')
      await expect(pane(page).locator('[role=row][aria-selected=true]')).toHaveCount(1)
    })

  for (const delay of [0, 20, 83])
    test(`the Reward Center selects what was meant (${delay} ms a key)`, hasty(delay), async ({ page }) => {
      const project = await withRewards(page)
      await open(page, 'allProjects')
      await list(page)
      await page.keyboard.press('Control+k')
      await expect(field(page)).toBeFocused()
      await type(page, String(project.id), delay)
      await expect(selected(page)).toContainText(project.name)
      await page.keyboard.press('Enter')
      await type(page, '4jjxjxjjx', delay)
      await expect(page).toHaveURL(new RegExp(`${project.id}/project-rewarded`))
      const chosen = pane(page).locator('[role=row][aria-selected=true]')
      await expect(chosen).toHaveCount(3)
      expect(await chosen.evaluateAll((all) => all.map((one) => Number(one.getAttribute('aria-rowindex')) - 1))).toEqual([
        3, 4, 6,
      ])
    })

  test('typed text goes to the first field of a form', async ({ page }) => {
    await open(page, 'allProjects')
    await list(page)
    const come = await hold(page, /assets\/newClientForm-.*\.js/)
    await type(page, 'ncgp x and Sons')
    come()
    await expect(pane(page).getByLabel(/Client name/)).toHaveValue('gp x and Sons')
    await expect(page).toHaveURL(/new-client-form/)
  })

  test('a key that means the same on any screen doesn’t wait', async ({ page }) => {
    await open(page, 'allProjects')
    await list(page)
    await runnerIsThere(page)
    const come = await hold(page, /portal\/clients/)
    await keys(page, 'g c')
    await expect(page).toHaveURL(/dashboard\/clients/)
    await keys(page, 'g p')
    await expect(page).toHaveURL(/all-projects/)
    come()
  })

  test('a click elsewhere discards the waiting keys, and says so', async ({ page }) => {
    await open(page, 'allProjects')
    await list(page)
    await runnerIsThere(page)
    const come = await hold(page, /portal\/clients/)
    await type(page, 'gcjjx')
    await expect(page).toHaveURL(/dashboard\/clients/)
    await page
      .locator('header')
      .first()
      .click({ position: { x: 5, y: 5 } })
    await expect(toast(page, 'Your keys weren’t used')).toContainText('“jjx”')
    come()
    await expect(cursorRow(page)).toHaveAttribute('aria-rowindex', '2')
    await expect(pane(page).locator('[role=row][aria-selected=true]')).toHaveCount(0)
  })

  test('the ? sheet gets what is typed right after its key', async ({ page }) => {
    await open(page, 'allProjects')
    await list(page)
    const come = await hold(page, /assets\/HelpSheet-.*\.js/)
    await type(page, '?jx')
    come()
    await expect(page.getByRole('dialog', { name: 'Keys and commands' }).getByRole('combobox')).toHaveValue('jx')
  })
})
