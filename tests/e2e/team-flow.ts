import type { Page } from '@playwright/test'
import { addDays } from '../../contract/pacing.ts'
import { href } from '../../src/routing/routes.ts'
import { type test as base, expect } from '../support/e2e.ts'
import { today } from '../support/today.ts'
import {
  call,
  cursorRow,
  dialog,
  drawn,
  goTo,
  keys,
  list,
  login,
  palette,
  pane,
  press,
  review,
  select,
  toast,
  visit,
} from './verbs.ts'

/* A team from its form to its deletion: who can see what before and after each step, and undo. */

let serial = 0
const fresh = (word: string) => `${word} ${Date.now().toString(36)}${++serial}`

/** A client with two users and two projects without a team. */
async function freshClient(page: Page) {
  const { data: client } = await call(page, 'client.create', { name: fresh('Client') })
  const people = []
  for (const first_name of ['Ana', 'Ben']) {
    const email = `${fresh(first_name).replace(' ', '.').toLowerCase()}@mail.test`
    const person = { email, first_name, last_name: fresh('Diaz'), role_id: 'client', client_id: client.id, skip_invitation: true }
    people.push((await call(page, 'user.invite', person as never)).data)
  }
  const days = { start_dt: today(), end_dt: addDays(today(), 21) }
  const projects = []
  for (const word of ['Wave', 'Shelf'])
    projects.push((await call(page, 'project.create', { name: fresh(word), client_id: client.id, goal: 300, ...days })).data)
  const [ana, ben] = people
  const [wave, shelf] = projects
  return { client, ana: ana!, ben: ben!, wave: wave!, shelf: shelf! }
}

/** Adds the test of the whole flow to a file, whose options choose the server's engine. */
export function teamFlow(test: typeof base, engine: string): void {
  test(`a team gets users and projects by keys, and says who sees what, on ${engine}`, async ({ page }) => {
    test.setTimeout(150_000)
    await login(page, 'admin')
    const { client, ana, ben, wave, shelf } = await freshClient(page)
    const name = fresh('West')
    let id = 0
    const counts = async () => {
      const { users_count, projects_count } = (await call(page, 'team.get', { id })).data
      return [users_count, projects_count]
    }
    /** Selects a record in a form's picker by its name. */
    const pick = async (words: string, text: string) => {
      const search = pane(page).getByRole('searchbox', { name: `Search ${words}` })
      await search.focus()
      await page.keyboard.type(text)
      const option = pane(page).getByRole('option', { name: new RegExp(text) })
      await expect(option).toHaveCount(1)
      await keys(page, 'ArrowDown Space')
      await expect(option).toHaveAttribute('aria-selected', 'true')
    }

    await test.step('its form says what is missing, and who will lose what before it is sent', async () => {
      await goTo(page, href('newClientTeam', { id: client.id }))
      const field = pane(page).getByRole('textbox', { name: /^Team name/ })
      await expect(field).toBeFocused()
      await press(page, 'form.send')
      await expect(pane(page)).toContainText('Team Name cannot be blank')
      await field.focus()
      await page.keyboard.type(name)
      await pick('users', ana.last_name)
      await pick('projects', wave.name)
      const loses = `will lose “${wave.name}”, which had no team, and keep 1 other.`
      await expect(pane(page).getByText(loses)).toBeVisible()
      await press(page, 'form.send')
      await expect(await dialog(page, `Create “${name}”?`)).toContainText(loses)
      await keys(page, 'Enter')
      await dialog(page, 'Team created')
      await keys(page, 'Enter')
      await expect(page).toHaveURL(/client-teams/)
      const { data } = await call(page, 'team.list', { client_id: client.id })
      id = data[0]!.id
      expect(await counts()).toEqual([1, 1])
    })

    await test.step('its details say who sees what and why', async () => {
      await visit(page, href('team', { id }, { tab: 'details' }))
      await expect(pane(page).getByRole('table')).toContainText('This team')
      await expect(pane(page)).toContainText('1 user, 1 project')
    })

    await test.step('a user is added from the palette, whose review names the effect; undo takes it back', async () => {
      await press(page, 'team.addUsers')
      await page.keyboard.type(ben.last_name)
      const row = palette(page).locator('[role=option]').filter({ hasText: ben.last_name })
      await select(page, row)
      await keys(page, 'Enter')
      await drawn(page)
      await keys(page, 'Mod+Enter')
      await review(page, `${ben.first_name} ${ben.last_name} will see “${wave.name}”.`)
      await expect(toast(page, '1 user added')).toBeVisible()
      await expect.poll(counts).toEqual([2, 1])
      await press(page, 'command.undo')
      await expect.poll(counts).toEqual([1, 1])
    })

    await test.step('Delete in its users removes them from the team and deletes nobody', async () => {
      await visit(page, href('team', { id }, { tab: 'users' }))
      await list(page)
      await press(page, 'list.first')
      await expect(cursorRow(page)).toContainText(ana.last_name)
      await press(page, 'team.removeUsers', 'member')
      await review(page, 'will lose')
      await expect.poll(counts).toEqual([0, 1])
      expect((await call(page, 'user.get', { id: ana.id })).data.clients.map((one) => one.id)).toEqual([client.id])
      await expect(pane(page)).toContainText('Nobody is on this team, so nobody sees its projects but administrators.')
      await press(page, 'command.undo')
      await expect.poll(counts).toEqual([1, 1])
    })

    await test.step('a project is added by its form, which leads to the projects', async () => {
      await visit(page, href('addProject', { id }, { query: { projects: String(shelf.id) } }))
      await expect(pane(page).getByText(`will lose “${shelf.name}”`)).toBeVisible()
      await press(page, 'form.send')
      await expect(await dialog(page, 'Project added')).toContainText(`lost “${shelf.name}”`)
      await keys(page, 'Enter')
      await expect(page).toHaveURL(new RegExp(`team-info/${id}/projects`))
      await expect(pane(page)).toContainText(shelf.name)
    })

    await test.step('it says who of the team sees a project, and why', async () => {
      await visit(page, href('teamUsers', { id, project_id: wave.id }))
      await list(page)
      await expect(pane(page)).toContainText('this team')
    })

    await test.step('deleting it says what opens to everybody, and leaves the list', async () => {
      await visit(page, href('teams', {}, { query: { client: String(client.id) } }))
      await list(page)
      await press(page, 'list.first')
      await expect(cursorRow(page)).toContainText(name)
      await press(page, 'team.remove', 'team')
      await review(page, 'will have no team: all 2 client users')
      await expect(pane(page)).not.toContainText(name)
      await press(page, 'command.undo')
      await expect(pane(page)).toContainText(name)
    })
  })
}
