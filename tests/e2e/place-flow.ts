import { href } from '../../src/routing/routes.ts'
import { type test as base, expect } from '../support/e2e.ts'
import { call, cursorRow, dialog, goTo, keys, login, pane, press } from './verbs.ts'

/* A client's locations by their forms: a group, and a place in it from a pasted address. */

/** Adds the test of the whole flow to a file, whose options say on which engine the server runs. */
export function placeFlow(test: typeof base, engine: string): void {
  test(`a group and a place in it are made by keys, on ${engine}`, async ({ page }) => {
    const type = async (label: string | RegExp, text: string) => {
      const field = pane(page).getByRole('textbox', { name: label })
      await field.focus()
      await page.keyboard.type(text)
      await expect(field).toHaveValue(text)
    }
    await login(page, 'admin')
    const [client] = (await call(page, 'client.list')).data
    let id = 0
    const group = async () => (await call(page, 'group.get', { id })).data

    await test.step('a group is made by its form, which leads to its locations', async () => {
      await goTo(page, href('newGroup', { id: client!.id }))
      await press(page, 'form.send')
      await expect(pane(page)).toContainText('Group Location Name cannot be blank')
      await type(/^Group name/, 'Jetty Stores')
      await press(page, 'form.send')
      await dialog(page, 'Location Group created')
      await keys(page, 'Enter')
      await expect(page).toHaveURL(/group-info\/\d+\/locations/)
      id = Number(/group-info\/(\d+)/.exec(page.url())![1])
      await expect(pane(page)).toContainText('This group has no locations yet.')
    })

    await test.step('a place is made in the group, from a pasted address', async () => {
      await goTo(page, href('newLocation', {}, { query: { group: id } }))
      await expect(pane(page).getByRole('button', { name: 'Take off Jetty Stores' })).toBeVisible()
      await press(page, 'form.send')
      await expect(pane(page)).toContainText('Location Name cannot be blank')
      await expect(pane(page)).toContainText('Location Address cannot be blank')
      await type(/^Location name/, 'Jetty #1')
      await type(/^Address/, '120 Main St')
      await type(/^City/, 'Boston')
      await type(/^State/, 'MA')
      await type(/^ZIP/, '02108')
      await type(/^Coordinates/, '42.36, -71.06')
      await press(page, 'form.send')
      await dialog(page, 'Location created')
      await keys(page, 'Enter')
      await expect(cursorRow(page)).toContainText('Jetty #1')
      expect((await group()).positions).toMatchObject({ exact: 1 })
    })
  })
}
