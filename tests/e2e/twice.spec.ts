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
  ready,
  run,
  selected,
  toast,
} from './verbs.ts'
import { fresh, notes, notesOf, slow } from './written.ts'

// A double press, two tabs or a reload have one effect, and the second gets a message.
test.describe.configure({ mode: 'parallel', timeout: 90_000 })
test.beforeEach(({ page }) => login(page))

/** Lines of a project's history that set this status. */
const turned = async (page: Page, id: number, status: string) =>
  (await call(page, 'project.history', { id, per_page: 100 } as never)).data.filter((line) => line.after.status === status).length

/** Projects in field created for this test, so that no other test pauses them. */
async function active(page: Page, many = 2): Promise<{ id: number; name: string }[]> {
  const [one] = await projects(page, 'Active')
  const made: { id: number; name: string }[] = []
  for (let at = 0; at < many; at++) {
    const name = fresh('Held')
    const { data } = await call(page, 'project.clone', { id: one!.id })
    await call(page, 'project.edit', { id: data.project_id, name, start_dt: '2026-01-01', end_dt: '2031-01-01' } as never)
    await call(page, 'project.setCost', { id: data.project_id, cost: 100, hold: true } as never)
    await call(page, 'project.setStatus', { id: data.project_id, status: 'active', reason: 'For a test', force: true } as never)
    made.push({ id: data.project_id, name })
  }
  return made
}

test.describe('one user', () => {
  test('a double Enter, a key held down and a double click in the palette run a command once', async ({ page }) => {
    const [project] = await projects(page)
    await notes(page, project!)
    const entered = fresh('Entered')
    await run(page, 'note.create')
    await page.keyboard.type(entered)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await expect(pane(page).getByText(entered)).toBeVisible()

    const held = fresh('Held')
    await run(page, 'note.create')
    await page.keyboard.type(held)
    for (let at = 0; at < 8; at++) await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    await expect(pane(page).getByText(held)).toBeVisible()
    expect([await notesOf(page, project!.id, entered), await notesOf(page, project!.id, held)]).toEqual([1, 1])

    // Clicks the review's own line; the second click isn't meant for what is behind it.
    const name = fresh('Doubled')
    await call(page, 'client.create', { name })
    await open(page, 'clients', {}, { query: { search: name } })
    await list(page)
    await run(page, 'client.remove')
    const line = palette(page).locator('[data-row=go]')
    // Waits until it stops moving.
    await line.click({ trial: true })
    const box = (await line.boundingBox())!
    await page.mouse.dblclick(box.x + 80, box.y + box.height / 2)
    await expect(toast(page, name)).toHaveCount(1)
    await expect(page).toHaveURL(/\/dashboard\/clients\?search=/)
    expect((await call(page, 'client.list', { search: name })).data).toEqual([])
  })

  test('every submit clicked twice, or entered twice, sends once', { tag: '@quick' }, async ({ page }) => {
    // A dialog's button.
    const [project] = await projects(page)
    await notes(page, project!)
    const note = fresh('Clicked')
    await pane(page)
      .getByRole('button', { name: /^Add note/ })
      .first()
      .click()
    await page.getByRole('dialog').getByRole('textbox').fill(note)
    await page.getByRole('dialog').locator('[type=submit]').dblclick()
    await expect(pane(page).getByText(note)).toBeVisible()
    expect(await notesOf(page, project!.id, note)).toBe(1)

    // A form of one line, by Enter and by click, on a slow server.
    await slow(page, '**/v3/portal/clients', 300)
    const client = fresh('Submitted')
    await open(page, 'newClient')
    await pane(page).getByLabel('Client name').fill(client)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await pane(page).locator('[data-command="form.send"]').dblclick({ force: true })
    // A user who has acted since gets a notice: no dialog opens over what they are doing by now.
    await expect(toast(page, client).getByRole('button', { name: 'Open' })).toBeVisible()
    expect((await call(page, 'client.list', { search: client })).data).toHaveLength(1)

    await slow(page, '**/v3/portal/users/invite*', 300)
    const email = `${fresh('twice').replace(' ', '-')}@mail.test`
    await goTo(page, href('newUser', { id: (await call(page, 'client.list')).data[0]!.id }))
    await pane(page)
      .getByRole('textbox', { name: /^Email/ })
      .fill(email)
    await pane(page).locator('form [type=submit]').dblclick()
    await expect(toast(page, `The email to ${email} is sent in 8 seconds.`)).toBeVisible()
    expect((await call(page, 'user.list', { search: email } as never)).data).toHaveLength(1)
    expect((await call(page, 'outbox.list', { search: email })).data).toHaveLength(1)
  })

  test('a file dropped twice is sent once, with a notice', async ({ page }) => {
    await open(page, 'newSurveyRequest')
    const input = pane(page).locator('input[type=file]')
    const file = { name: `${fresh('list')}.csv`, mimeType: 'text/csv', buffer: Buffer.from('a,b\r\n1,2\r\n') }
    await input.setInputFiles([file])
    await expect(pane(page).getByText(file.name)).toBeVisible()
    await input.setInputFiles([file])
    await expect(
      pane(page)
        .getByRole('status')
        .filter({ hasText: `${file.name} is already here.` }),
    ).toBeVisible()
    await expect(pane(page).getByRole('button', { name: `Remove ${file.name}` })).toHaveCount(1)
  })
})

test.describe('two tabs of one browser', () => {
  test('one record: the second gets a conflict, and sees both versions', async ({ page, context }) => {
    const { id } = (await active(page, 1))[0]!
    const other = await context.newPage()
    for (const one of [page, other]) {
      await one.goto(href('editProject', { id }))
      await ready(one)
    }
    const type = async (one: Page, text: string) => {
      await pane(one).getByLabel('Project name *', { exact: true }).fill(text)
      await press(one, 'form.send')
    }
    const [first, second] = [fresh('First'), fresh('Second')]
    await pane(other).getByLabel('Project name *', { exact: true }).fill(second)
    await type(page, first)
    await expect(page.getByRole('dialog', { name: 'Project Updated' })).toBeVisible()
    await expect(pane(other).getByRole('status').filter({ hasText: 'in the meantime' })).toBeVisible()
    await pane(other).getByLabel('Project name *', { exact: true }).focus()
    await press(other, 'form.send')
    const dialog = other.getByRole('dialog', { name: 'Someone else changed this while you were editing' })
    await expect(dialog).toContainText(first)
    await expect(dialog).toContainText(second)
    expect((await call(page, 'project.get', { id })).data.name).toBe(first)
  })

  test('the same bulk command at the same time: each record is changed once, and the second sees what was refused', async ({
    page,
    context,
  }) => {
    const made = await active(page)
    const other = await context.newPage()
    for (const one of [page, other]) {
      await one.goto(href('allProjects', {}, { query: { search: `Held ${process.pid}` } }))
      await list(one)
      await press(one, 'list.first')
      await keys(one, 'x j x')
      await run(one, 'project.pause', 'Both at once')
      await expect(selected(one)).toHaveAttribute('data-row', 'go')
      await expect(field(one)).toBeFocused()
      await drawn(one)
    }
    await Promise.all([page.keyboard.press('Enter'), other.keyboard.press('Enter')])
    await expect.poll(() => Promise.all(made.map(({ id }) => turned(page, id, 'paused')))).toEqual([1, 1])
    // Together they did each once, and the errors name the records.
    const refused = (one: Page) => one.getByRole('dialog').or(toast(one, /paused|pause/i))
    await expect(refused(page).first()).toBeVisible()
    await expect(refused(other).first()).toBeVisible()
    const snapshot = async () => {
      const lines = (one: Page) => one.getByRole('region', { name: 'Refused, with reasons' }).locator('li').count()
      return (await lines(page)) + (await lines(other))
    }
    await expect.poll(snapshot).toBe(2)
  })
})
