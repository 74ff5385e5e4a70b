import type { Page } from '@playwright/test'
import { addDays } from '../../contract/pacing.ts'
import { href } from '../../src/routing/routes.ts'
import { type test as base, expect } from '../support/e2e.ts'
import { today } from '../support/today.ts'
import { call, cursorRow, dialog, drawn, goTo, keys, list, login, palette, pane, press, review, search, visit } from './verbs.ts'

/* A client's locations from the form to an activity: a group, its places, the map, links, and undo. */

/** An activity of its own client. */
async function anActivity(page: Page): Promise<{ id: number; client_id: number }> {
  const { data: client } = await call(page, 'client.create', { name: `Pier ${Date.now()}` })
  const { data: project } = await call(page, 'project.create', {
    ...{ name: `Wave ${Date.now()}`, client_id: client.id, goal: 300, start_dt: today(), end_dt: addDays(today(), 20) },
  })
  const { data } = await call(page, 'activity.create', {
    project_id: project.id,
    name: 'Shelf check',
    about: 'Answer ten questions.',
    activity_type: 'survey',
  })
  return { id: data.id, client_id: client.id }
}

/** Adds the test of the whole flow to a file, whose options choose the server's engine. */
export function placeFlow(test: typeof base, engine: string): void {
  test(`locations are added to a group, shown on a map and linked to an activity by keys, on ${engine}`, async ({ page }) => {
    test.setTimeout(150_000)
    const type = async (label: string | RegExp, text: string) => {
      const field = pane(page).getByRole('textbox', { name: label })
      await field.focus()
      await page.keyboard.type(text)
      await expect(field).toHaveValue(text)
    }
    await login(page, 'admin')
    const activity = await anActivity(page)
    const name = `Jetty ${Date.now()}`
    const [first, second] = [`${name} #1`, `${name} #2`]
    let id = 0
    const group = async () => (await call(page, 'group.get', { id })).data

    await test.step('a group is created by its form, which leads to its locations', async () => {
      await goTo(page, href('newGroup', { id: activity.client_id }))
      await press(page, 'form.send')
      await expect(pane(page)).toContainText('Group Location Name cannot be blank')
      await type(/^Group name/, name)
      await press(page, 'form.send')
      await dialog(page, 'Location Group created')
      await keys(page, 'Enter')
      await expect(page).toHaveURL(/group-info\/\d+\/locations/)
      id = Number(/group-info\/(\d+)/.exec(page.url())![1])
      await expect(pane(page)).toContainText('This group has no locations yet.')
    })

    await test.step('a location is created in the group by its form', async () => {
      await visit(page, href('newLocation', {}, { query: { group: id } }))
      await expect(pane(page).getByRole('button', { name: `Remove ${name}` })).toBeVisible()
      await press(page, 'form.send')
      await expect(pane(page)).toContainText('Location Name cannot be blank')
      await expect(pane(page)).toContainText('Location Address cannot be blank')
      await type(/^Location name/, first)
      await type(/^Address/, `${Date.now() % 100_000} Main St`)
      await type(/^City/, 'Boston')
      await type(/^State/, 'MA')
      await type(/^ZIP/, '02108')
      await type(/^Coordinates/, '42.36, -71.06')
      await press(page, 'form.send')
      await dialog(page, 'Location created')
      await keys(page, 'Enter')
      await expect(cursorRow(page)).toContainText(first)
      expect((await group()).positions).toMatchObject({ exact: 1 })
    })

    await test.step('a known location is added on the way from an activity', async () => {
      await call(page, 'location.create', {
        name: second,
        address: `${Date.now() % 100_000} Pier Rd`,
        city: 'Boston',
        state: 'MA',
      })
      await visit(page, href('addLocation', { id, activity_id: activity.id }))
      await expect(pane(page)).toContainText('This group isn’t linked to')
      await press(page, 'form.send')
      await expect(pane(page)).toContainText('Choose a location')
      const box = pane(page).getByRole('searchbox', { name: 'Search locations' })
      await box.focus()
      await page.keyboard.type(second)
      await expect(pane(page).getByRole('option', { name: second })).toBeVisible()
      await expect(pane(page).getByRole('option')).toHaveCount(1)
      await keys(page, 'Enter')
      await expect(pane(page).getByRole('button', { name: `Remove ${second}` })).toBeVisible()
      await press(page, 'form.send')
      await dialog(page, 'Location added')
      await keys(page, 'Enter')
      await expect(page).toHaveURL(/group-info\/\d+\/locations/)
      await expect(pane(page)).toContainText(second)
      expect((await group()).locations_count).toBe(2)
    })

    await test.step('a key shows the group on a map, and hides it again', async () => {
      await list(page)
      await press(page, 'location.showMap')
      const map = pane(page).getByRole('region', { name: 'Map', exact: true })
      await expect(map).toBeVisible()
      await list(page)
      await press(page, 'location.showMap')
      await expect(map).toHaveCount(0)
    })

    await test.step('Delete removes a location from the group, and undo restores it', async () => {
      await press(page, 'list.first')
      await expect(cursorRow(page)).toContainText(first)
      await press(page, 'group.removeLocations')
      await review(page, 'The location stays.')
      await expect.poll(async () => (await group()).locations_count).toBe(1)
      await expect(pane(page)).not.toContainText(first)
      await press(page, 'command.undo')
      await expect.poll(async () => (await group()).locations_count).toBe(2)
      await expect(pane(page)).toContainText(first)
    })

    await test.step('the group is linked to the activity, and unlinked in its list', async () => {
      await visit(page, href('linkActivityGroup', { id: activity.id }, { query: { groups: id } }))
      await expect(pane(page).getByRole('button', { name: `Remove ${name}` })).toBeVisible()
      await expect(pane(page)).toContainText('2 locations in 1 market area')
      await pane(page).getByRole('searchbox').focus()
      await press(page, 'form.send')
      await dialog(page, 'Location Group added')
      await keys(page, 'Enter')
      await expect(page).toHaveURL(/activity-info\/\d+\/locations/)
      await list(page)
      await expect(cursorRow(page)).toContainText(name)
      await press(page, 'activity.unlinkGroup')
      await review(page, 'targets 2 locations fewer')
      await expect(pane(page)).toContainText('No location group is linked')
      await press(page, 'command.undo')
      await expect(cursorRow(page)).toContainText(name)
    })

    await test.step('the palette finds the group, whose deletion says what the activity loses', async () => {
      await search(page, name)
      await expect(palette(page).getByRole('option', { name }).first()).toBeVisible()
      await keys(page, 'Escape')
      await keys(page, 'Escape')
      await expect(palette(page)).toHaveCount(0)
      await visit(page, href('clientGroups', {}, { query: { search: name } }))
      await list(page)
      await drawn(page)
      await press(page, 'group.remove')
      await review(page, '1 activity loses 2 locations. The locations stay.')
      await expect(pane(page)).toContainText(/No location groups match|No results/)
      await press(page, 'command.undo')
      await expect(cursorRow(page)).toContainText(name)
    })
  })
}
