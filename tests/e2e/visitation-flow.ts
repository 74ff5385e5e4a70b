import { href } from '../../src/routing/routes.ts'
import { type test as base, expect } from '../support/e2e.ts'
import { call, cursorRow, dialog, goTo, keys, list, login, PEOPLE, pane, pickIn, press, toast, visit } from './verbs.ts'

/* A brand from its name to what a client user can see of it: service, venues, access, undo. */

const VENUES =
  'Code,Name,Address,Latitude,Longitude\nA1,North,1 Main St,42.36,-71.06\nA2,South,2 Main St,42.3,-71.1\n,Nameless,,,\n'

/** Adds the test of the whole flow to a file, whose options choose the server's engine. */
export function visitationFlow(test: typeof base, engine: string): void {
  test(`a brand gets a service with venues by keys, which a client user sees and loses, on ${engine}`, async ({
    page,
    browser,
  }) => {
    test.setTimeout(150_000)
    await login(page, 'admin')
    const context = await browser.newContext()
    const other = await context.newPage()
    await login(other, 'client')
    const brand = `Brand ${Date.now().toString(36)}`
    const service = `Stores of ${brand}`
    const visible = async () => (await call(other, 'service.list', { search: service, status: '2' })).count

    await test.step('a new brand opens in its editor', async () => {
      await goTo(page, href('brands'))
      await list(page)
      await press(page, 'brand.create')
      await page.keyboard.type(brand)
      await keys(page, 'Enter')
      await expect(pane(page).getByRole('heading', { name: brand })).toBeVisible()
      await expect(page).toHaveURL(/brand-editor/)
    })

    await test.step('its form says what is missing, reads venues from a file, and leads to the editor', async () => {
      await press(page, 'brand.newService')
      const name = pane(page).getByRole('textbox', { name: /^Service name/ })
      await expect(name).toBeFocused()
      await press(page, 'form.send')
      await expect(pane(page).getByText('Service Name cannot be blank').first()).toBeVisible()
      await expect(pane(page).getByText('Please choose a category').first()).toBeVisible()
      await name.fill(service)
      await pickIn(pane(page).getByRole('combobox', { name: /^Category/ }), 'Restaurants')
      const file = { name: 'venues.csv', mimeType: 'text/csv', buffer: Buffer.from(VENUES) }
      await pane(page).locator('input[type=file]').setInputFiles(file)
      await expect(pane(page).getByText('2 venues')).toBeVisible()
      await expect(pane(page).getByRole('row', { name: /^4 Code .*The venue has no code$/ })).toBeVisible()
      await press(page, 'form.send')
      await dialog(page, 'Service created')
      await keys(page, 'Enter')
      await expect(page).toHaveURL(/brand-editor\/\d+\/services/)
      await list(page)
      await expect(cursorRow(page)).toContainText(service)
      await expect(cursorRow(page)).toContainText('2')
    })

    await test.step('a client user is granted access in a dialog, and sees it', async () => {
      expect(await visible()).toBe(0)
      await visit(page, href('usersInfo', {}, { tab: 'clientUsers', query: { search: PEOPLE.client } }))
      await list(page)
      await expect(cursorRow(page)).toContainText(PEOPLE.client)
      await press(page, 'user.services')
      const box = await dialog(page, /^Visitation services of/)
      await box.getByRole('searchbox', { name: 'Search services' }).fill(service)
      await expect(box.getByRole('listbox', { name: 'Services' }).getByRole('option')).toHaveCount(1)
      await keys(page, 'Enter Space')
      await expect(box.getByRole('listbox', { name: 'Services' }).getByRole('option')).toHaveAttribute('aria-selected', 'true')
      await expect.poll(visible).toBe(1)
    })

    await test.step('revoking it asks first, and undo grants it again', async () => {
      const box = page.getByRole('dialog', { name: /^Visitation services of/ })
      await box.getByRole('listbox', { name: 'Services' }).focus()
      await keys(page, 'Space')
      await expect(await dialog(page, /^Remove access to “/)).toContainText('1 user would lose 1 service')
      await keys(page, 'Enter')
      await expect.poll(visible).toBe(0)
      await expect(box.getByRole('listbox', { name: 'Services' }).getByRole('option')).toHaveAttribute('aria-selected', 'false')
      await box.getByRole('listbox', { name: 'Services' }).focus()
      await keys(page, 'Escape')
      await expect(box).toHaveCount(0)
      await press(page, 'command.undo')
      await expect.poll(visible).toBe(1)
    })

    await test.step('the user opens it among their services', async () => {
      await goTo(other, href('visitation', {}, { query: { search: service } }))
      await list(other)
      await expect(cursorRow(other)).toContainText(service)
    })
    await expect(toast(page, 'couldn’t')).toHaveCount(0)
    await context.close()
  })
}
