import { setTimeout as delay } from 'node:timers/promises'
import {
  cursorRow,
  dialog,
  field,
  keys,
  list,
  open,
  optionOf,
  palette,
  pane,
  pickIn,
  press,
  review,
  run,
  toast,
} from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'
import { give } from '../support/marketplace.ts'

/* Brands, services and access to them. */

const ALDER = { id: 1 }

test('only active services are listed, until Inactive or All is chosen', { tag: '@quick' }, async ({ page, api }) => {
  await api.set('services', 13, { status: 'inactive' })
  await open(page, 'visitation')
  const grid = await list(page)
  await expect(grid).toContainText('Cafés')
  await expect(grid).not.toContainText('Drive-ins')
  await open(page, 'visitation', {}, { query: { status: '0' } })
  await expect(await list(page)).not.toContainText('Cafés')
  await expect(pane(page)).toContainText('Drive-ins')
  await open(page, 'visitation', {}, { query: { status: '2' } })
  await expect(pane(page).getByRole('grid')).toHaveAttribute('aria-rowcount', /^[34]$/)
})

test('a week’s estimated unique devices say how far off they may be', async ({ page, api }) => {
  api.shows('service.list', ({ data }) => {
    for (const one of data) if (one.id === 12) Object.assign(one, { uniques_7: 400, uniques_7_error: 0.006 })
  })
  await page.setViewportSize({ width: 1920, height: 900 })
  await open(page, 'visitation')
  await list(page)
  await expect(pane(page).getByRole('row', { name: /Cafés/ })).toContainText('≈ 400 ±0.6 %')
  await expect(pane(page).getByRole('row', { name: /Drive-ins/ })).not.toContainText('≈')
})

test('a list shows at most 500 and says so, in columns of 15 if that was chosen before', async ({ page, api }) => {
  await api.change((tx) => tx.updateTable('services').set({ status: 'inactive' }).execute())
  for (let at = 1; at <= 612; at++)
    await api.make.service({ id: 2000 + at, brand_id: 1, name: `Shop ${String(at).padStart(3, '0')}`, category_id: null })
  await open(page, 'visitation')
  await list(page)
  await expect(pane(page)).toContainText('Showing 500 of 612. Search to narrow.')
  await press(page, 'brand.compactView')
  const column = pane(page).getByRole('rowgroup').first()
  await expect(column.getByRole('row')).toHaveCount(15)
  await keys(page, 'l')
  await expect(cursorRow(page)).toContainText('Shop 016')
  await page.reload()
  await expect(column.getByRole('row')).toHaveCount(15)
})

test('a brand says its progress at 320 px, too', async ({ page, api }) => {
  api.shows('brand.list', ({ data }) => {
    for (const one of data) if (one.id === 1) Object.assign(one, { ordered: 500, percentage: 68 })
  })
  await page.setViewportSize({ width: 320, height: 500 })
  await open(page, 'brands')
  await list(page)
  const figure = pane(page).getByText('68 %')
  // Text that a row cuts off is invisible, though it has a box.
  await expect
    .poll(() =>
      figure.evaluate((node) => {
        const { right, top, bottom } = node.getBoundingClientRect()
        return node.contains(document.elementFromPoint(right - 12, (top + bottom) / 2))
      }),
    )
    .toBe(true)
})

test('a brand expands to its services, and one of them is deactivated in place', async ({ page, api }) => {
  await open(page, 'brands')
  const grid = await list(page)
  await expect(grid).not.toContainText('Drive-ins')
  await press(page, 'list.expand')
  await keys(page, 'j j')
  await expect(cursorRow(page)).toContainText('Drive-ins')
  await press(page, 'service.setActive', 'service')
  await review(page, 'Its visits stay, and new ones still count.')
  await expect(cursorRow(page)).toContainText('Inactive')
  expect(api.writes).toMatchObject([{ id: 'service.edit', input: { id: 13, status: 'inactive' } }])
  // A service is selected like a brand, independently of the brand with the same id, and has its own commands.
  await keys(page, 'x')
  await expect(pane(page)).toContainText('1 selected')
  await expect(cursorRow(page).getByRole('checkbox', { name: 'Select' })).toBeChecked()
  await expect(grid.getByRole('checkbox', { name: 'Select', checked: true })).toHaveCount(1)
  const bar = pane(page).locator('[data-command="service.setActive"]')
  await expect(bar).toHaveCount(1)
  await keys(page, 'k x')
  await expect(pane(page)).toContainText('2 selected')
  await press(page, 'service.setActive', 'service')
  await review(page, '1 of 2 can be done')
  await expect.poll(() => api.writes.length).toBeGreaterThan(1)
  expect(api.writes.slice(1).every(({ id }) => id === 'service.edit')).toBe(true)
  // With a brand among them, no command acts on both; collapsed, they stay selected.
  await keys(page, 'k x')
  await expect(pane(page)).toContainText('3 selected')
  await expect(bar).toHaveCount(0)
  await press(page, 'list.collapse')
  await expect(pane(page)).toContainText('3 selected')
})

test('the editor changes a brand and its services in place, and says what is wrong with a name', async ({ page, api }) => {
  await open(page, 'brandEditor', ALDER)
  await pane(page).getByRole('button', { name: 'Edit Brand name' }).click()
  const box = pane(page).getByRole('textbox', { name: 'Brand name' })
  await box.fill(' ')
  await box.press('Enter')
  await expect(pane(page)).toContainText('Brand Name cannot be blank')
  await box.fill('Alder & Ash')
  await box.press('Enter')
  await expect(pane(page).getByRole('heading', { level: 1 })).toHaveText('Alder & Ash')
  await open(page, 'brandEditor', ALDER, { tab: 'services' })
  await list(page)
  await keys(page, 'e')
  const service = pane(page).getByRole('textbox', { name: 'Service' })
  await service.fill('Coffee bars')
  await service.press('Enter')
  await expect(cursorRow(page)).toContainText('Coffee bars')
  expect(api.writes.map(({ id }) => id)).toEqual(['brand.edit', 'service.edit'])
})

test('the editor shows the history of a brand, and of one of its services', async ({ page, api }) => {
  await api.call('brand.edit', { id: 1, name: 'Alder & Ash', lock_version: 1 })
  await api.call('service.edit', { id: 13, name: 'Drive-ins', ordered: 500, lock_version: 1 })
  await open(page, 'brandEditor', ALDER)
  const history = pane(page).getByRole('region', { name: 'History' })
  await expect(history).toContainText('Sara Miller edited the brand')
  await pickIn(pane(page).getByLabel('History of'), 'Drive-ins')
  await expect(history).toContainText('Sara Miller edited the service')
  await expect(page).toHaveURL(/history=13/)
})

test('a category in use can’t be deleted, with the server’s message', async ({ page, api }) => {
  const message = '2 services are in Eating places'
  api.refusals.set('category.check', { status: 409, body: { message, code: 'in_use', fields: {} } })
  await open(page, 'brandEditor', ALDER, { tab: 'categories' })
  await list(page)
  await keys(page, 'Enter')
  await expect(toast(page, message)).toBeVisible()
})

test('Space in the grid of users grants a service', async ({ page, api }) => {
  await open(page, 'brandEditor', ALDER, { tab: 'users' })
  const grid = pane(page).getByRole('grid', { name: 'Who sees which service' })
  await grid.focus()
  await keys(page, 'l Space')
  await expect(grid.getByRole('gridcell', { name: /^Paul Abbott, Drive-ins: has access/ })).toBeVisible()
  expect(api.writes).toMatchObject([{ id: 'service.setUsers', input: { user_ids: [6], add: [13] } }])
  // A user without access to the brand is added as a row, and gets what is under the cursor.
  const adder = pane(page).getByRole('combobox', { name: 'Add a user' })
  const other = await (await optionOf(adder, { index: 1 })).getAttribute('data-value')
  await pickIn(adder, { value: other! })
  await expect(grid).toBeFocused()
  expect(api.writes).toHaveLength(1)
  await keys(page, 'Space')
  await expect.poll(() => api.writes.length).toBe(2)
  expect(api.writes[1]).toMatchObject({ id: 'service.setUsers', input: { user_ids: [Number(other)], remove: [] } })
  await expect(await optionOf(adder, { value: other! })).toHaveCount(0)
})

test('a search finds the client users beyond the first answer', async ({ page, api }) => {
  for (let at = 1; at <= 600; at++)
    await api.make.user({
      id: 4999 + at,
      first_name: `Zed ${at}`,
      last_name: 'Zimmer',
      email: `zed${at}@mail.test`,
      clients: [101],
    })
  await open(page, 'brandEditor', ALDER, { tab: 'users' })
  const adder = pane(page).getByRole('combobox', { name: 'Add a user' })
  await expect(await optionOf(adder, { index: 400 })).toBeAttached()
  await expect(await optionOf(adder, /Zed 600 Zimmer/)).toHaveCount(0)
  await pane(page)
    .getByRole('searchbox', { name: /^Search \d+ client users/ })
    .fill('Zed 600')
  await expect(await optionOf(adder, /Zed 600 Zimmer/)).toHaveCount(1)
  await pickIn(adder, { value: '5599' })
  await expect(pane(page).getByRole('rowheader', { name: /Zed 600 Zimmer/ })).toBeVisible()
})

test('a new service takes venues from a file, and skips lines with errors', async ({ page, api }) => {
  await open(page, 'newService', ALDER)
  const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  const input = pane(page).locator('input[type=file]')
  await input.setInputFiles(
    file('venues.csv', 'Code,Name,Lat,Lng,Phone\nA1,First,40.7,-74,\n,Second,40,-74,\nA3,Third,400,-74,\n'),
  )
  await expect(pane(page)).toContainText('2 lines with errors are skipped')
  await expect(pane(page)).toContainText('Ignored columns: “Phone”.')
  await expect(pane(page).getByRole('row', { name: /^4 Lat 400/ })).toContainText('Latitude 400 is out of range')
  await pickIn(pane(page).getByRole('combobox', { name: 'Delimiter' }), 'Semicolon')
  await expect.poll(() => api.writes.at(-1)).toMatchObject({ id: 'service.readVenues', input: { delimiter: ';' } })
  await pickIn(pane(page).getByRole('combobox', { name: 'Delimiter' }), 'Comma')
  await pickIn(pane(page).getByRole('combobox', { name: '“Phone” holds' }), 'Address')
  const mapping = '["code","name","latitude","longitude","address"]'
  await expect
    .poll(() => api.writes.at(-1))
    .toMatchObject({ id: 'service.readVenues', input: { delimiter: ',', heading_line: 1, mapping } })
  await pane(page).getByRole('textbox', { name: 'Service name' }).fill('Kiosks')
  await press(page, 'form.send')
  await (await dialog(page, 'Service created')).getByRole('button', { name: 'OK' }).click()
  await expect(cursorRow(page)).toContainText('Kiosks')
  expect(api.writes.at(-1)).toMatchObject({
    id: 'service.create',
    input: { brand_id: 1, venues: [{ code: 'A1', name: 'First' }] },
  })
})

test('thousands of venues are added later: the form says so, and the editor how many', async ({ page, api }) => {
  api.shows('brand.get', ({ data }) => {
    for (const one of data.children) if (one.name === 'Kiosks') Object.assign(one, { venues_count: 3, venues_coming: 1500 })
  })
  const codes = Array.from({ length: 1500 }, (_, at) => `B${at},501`)
  await open(page, 'newService', ALDER)
  await pane(page)
    .locator('input[type=file]')
    .setInputFiles({ name: 'many.csv', mimeType: 'text/csv', buffer: Buffer.from(`Code,DMA\n${codes.join('\n')}\n`) })
  await expect(pane(page)).toContainText('1,500 venues')
  await pane(page).getByRole('textbox', { name: 'Service name' }).fill('Kiosks')
  await press(page, 'form.send')
  const summary = await dialog(page, 'Service created')
  await expect(summary).toContainText('Its 1,500 venues are being added.')
  await summary.getByRole('button', { name: 'OK' }).click()
  await expect(pane(page)).toContainText('Kiosks: 3 of 1,503 venues added')
  await expect(pane(page).getByRole('progressbar', { name: 'Venues of Kiosks' })).toBeVisible()
  expect(api.writes.at(-1)!.input).toMatchObject({ venues: { length: 1500 } })
})

test('a user’s services: Space grants one at once, and revoking asks first', async ({ page, api }) => {
  const others = api.market.people.filter(({ id, role }) => role === 'client' && id !== 6)
  for (const { id } of others.slice(0, -1)) await give(api, 71, id)
  await open(page, 'usersInfo', {}, { tab: 'clientUsers', query: { search: 'paul' } })
  await list(page)
  await press(page, 'user.services', 'user')
  const box = await dialog(page, 'Visitation services of Paul Abbott')
  await expect(box).toContainText('Access to 1 of 3')
  await keys(page, 'Space')
  const asked = await dialog(page, /^Remove access to “Cafés”/)
  await expect(asked).toContainText('1 user would lose 1 service; 1 user would have no services left and see the viewer.')
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await expect(box.locator(':focus')).toHaveCount(1)
  await keys(page, 'j Space')
  await expect(box).toContainText('Access to 2 of 3')
  const given = api.db.selectFrom('service_users').select('service_id').where('user_id', '=', 6)
  expect(await given.execute()).toEqual([{ service_id: 12 }, { service_id: 13 }])
  // An arrow on the closed list opens it, and picks nobody yet.
  const sameAs = box.getByRole('combobox', { name: 'Same as' })
  // Its users are read first: the question that opens hides this dialog from roles.
  const second = (await (await optionOf(sameAs, { index: 2 })).textContent())!.split(' · ')[0]!
  await keys(page, 'Escape')
  await expect(box).toBeVisible()
  await keys(page, 'ArrowDown ArrowDown Enter')
  const copied = await dialog(page, `Give Paul Abbott the same access as ${second}?`)
  await copied.getByRole('button', { name: 'Cancel' }).click()
  // Even a user without any access can be chosen, which removes everything.
  await pickIn(sameAs, /no services/)
  await expect(await dialog(page, /^Remove access to all services from Paul Abbott/)).toContainText(
    '1 user would lose 2 services',
  )
})

test('keys typed before the services of a user have loaded change nothing in the list below', async ({ page }) => {
  await page.route('**/assets/UserServices-*', async (route) => {
    await delay(400)
    await route.continue()
  })
  await open(page, 'usersInfo', {}, { tab: 'clientUsers', query: { search: 'paul' } })
  await list(page)
  await press(page, 'user.services', 'user')
  await keys(page, 'x')
  await dialog(page, 'Visitation services of Paul Abbott')
  await keys(page, 'Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(pane(page).locator('[role=row][aria-selected=true]')).toHaveCount(0)
})

test('keys typed while a user’s services are read or saved wait for them, and / searches', { tag: '@quick' }, async ({
  page,
  api,
}) => {
  for (const address of ['**/services_for_user*', '**/service_users*'])
    await page.route(address, async (route) => {
      await delay(400)
      await route.continue()
    })
  await open(page, 'usersInfo', {}, { tab: 'clientUsers', query: { search: 'paul' } })
  await list(page)
  await press(page, 'user.services', 'user')
  const box = await dialog(page, 'Visitation services of Paul Abbott')
  // The second service is given, and its second Space asks before it is removed again.
  await keys(page, 'j Space Space')
  await expect(await dialog(page, /^Remove access to /)).toContainText('1 user would lose 1 service')
  expect(api.writes.filter(({ id }) => id === 'service.setUsers')).toHaveLength(1)
  await keys(page, 'Escape')
  await expect(box).toContainText('Access to 2 of 3')
  await keys(page, '/')
  await page.keyboard.type('drive')
  await expect(box.getByRole('listbox').getByRole('option')).toHaveCount(1)
  await keys(page, 'Enter')
  await expect(box.getByRole('listbox')).toBeFocused()
})

test('a client user without services gets the viewer, and asks for access once', async ({ page, api }) => {
  api.as('client')
  await api.change((tx) => tx.deleteFrom('service_users').execute())
  await open(page, 'visitation')
  await expect(page).toHaveURL(/\/visitation\/viewer$/)
  await expect(pane(page)).toContainText('Visitation counts visits to a brand’s places by day, market and venue.')
  await expect(pane(page)).toContainText('no names, no home addresses')
  await expect(pane(page)).toContainText('You have no services yet. Administrators give access to them.')
  await open(page, 'brands')
  await expect(pane(page)).toContainText('You have no services yet.')
  await expect(pane(page).getByRole('button', { name: 'Ask for access' })).toBeVisible()
  await open(page, 'brand', { id: 0, filter: 'none' })
  await expect(page).toHaveURL(/\/visitation\/viewer$/)
  await run(page, 'service.request')
  await review(page, 'Administrators get an email with your name and client.')
  await expect(pane(page).getByRole('status')).toContainText('Asked on')
  await expect(pane(page).getByRole('button', { name: 'Ask for access' })).toHaveCount(0)
})

test('a key that sends visits is asked which services it is for, and opens no surveys', async ({ page, api }) => {
  await open(page, 'account')
  await run(page, 'key.create', 'Visit feed', 'Chosen services', 'Drive-ins')
  // It is selected; the row below continues with it.
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveAttribute('aria-label', 'Valid')
  await page.keyboard.type('For ever')
  await expect(field(page)).toHaveValue('For ever')
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveAttribute('aria-label', 'Reads questions')
  await page.keyboard.type('No')
  await expect(field(page)).toHaveValue('No')
  await page.keyboard.press('Enter')
  await expect.poll(() => api.writes.length).toBe(1)
  expect(api.writes).toMatchObject([{ id: 'key.create', input: { name: 'Visit feed', services: [13], all_services: false } }])
  await expect(await dialog(page, 'API key “Visit feed”')).toContainText('It’s shown once.')
})

test('visits are imported from a file, and refused lines are listed', async ({ page, api }) => {
  await open(page, 'visitation')
  await list(page)
  // Awaited first: until the browser expects it, a real file chooser opens.
  page.waitForEvent('filechooser').catch(() => {})
  await run(page, 'visit.import')
  const text = 'device,venue,at\nphone,A1,2026-05-01T10:00:00Z\nphone,nowhere,2026-05-01T10:00:00Z\n'
  await palette(page)
    .locator('input[type=file]')
    .setInputFiles({ name: 'visits.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await review(page, 'The visits of visits.csv are added.')
  await expect(await dialog(page, '1 line refused')).toContainText('1 visit added to “Cafés”.')
  expect(api.writes).toMatchObject([{ id: 'visit.ingest', input: { service_id: 12 } }])
})
