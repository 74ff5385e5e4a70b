import { atProject } from '../e2e/at-palette.ts'
import { field, keys, list, open, palette, press, projects, run, search, selected } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

test.describe('reasons and notes given before', { tag: '@quick' }, () => {
  test('are offered below the field, for their own command, and are taken by an arrow and Enter', async ({ page, api }) => {
    const [other] = await projects(page, 'Active')
    const [one] = await projects(page, 'Pending')
    await atProject(page, one!)
    await run(page, 'note.create', 'Panel overused')
    await expect.poll(() => api.writes.length).toBe(1)
    await atProject(page, other!)
    await press(page, 'note.create')
    await expect(palette(page).getByRole('option', { name: 'Panel overused' })).toBeVisible()
    await keys(page, 'ArrowDown')
    await expect(selected(page)).toHaveText('Panel overused')
    await keys(page, 'Enter')
    await expect(palette(page)).toHaveCount(0)
    await expect.poll(() => api.writes.at(-1)).toMatchObject({ input: { project_id: other!.id, note: 'Panel overused' } })
    await press(page, 'project.pause')
    await expect(field(page)).toBeFocused()
    await expect(palette(page)).not.toContainText('Panel overused')
  })

  test('narrow while typing; Enter takes what is typed as it is, and Tab moves a suggestion into the field', async ({
    page,
    api,
  }) => {
    const [one] = await projects(page)
    await atProject(page, one!)
    for (const text of ['Panel overused', 'Client asked for it']) {
      await run(page, 'note.create', text)
      await expect.poll(() => api.writes.at(-1)).toMatchObject({ input: { note: text } })
    }
    await press(page, 'note.create')
    await expect(field(page)).toBeFocused()
    await page.keyboard.type('pan')
    await expect(palette(page).getByRole('option')).toHaveText([/Continue/, 'Panel overused'])
    await keys(page, 'ArrowDown Tab')
    await expect(field(page)).toHaveValue('Panel overused')
    await page.keyboard.type('!')
    await keys(page, 'Enter')
    await expect.poll(() => api.writes.at(-1)).toMatchObject({ input: { note: 'Panel overused!' } })
  })
})

test('the command history runs a command again on its own records, after a reload too', { tag: '@quick' }, async ({
  page,
  api,
}) => {
  const [one] = await projects(page)
  await atProject(page, one!)
  await run(page, 'note.create', 'Panel overused')
  await expect.poll(() => api.writes.length).toBe(1)
  await open(page, 'clients')
  await list(page)
  await search(page, 'command history')
  await expect(selected(page)).toContainText('Command history')
  await keys(page, 'Enter')
  await expect(selected(page)).toContainText(`Add note: ${one!.name}`)
  await keys(page, 'Enter')
  await expect.poll(() => api.writes.length).toBe(2)
  expect(api.writes[1]).toMatchObject({ id: 'note.create', input: { project_id: one!.id, note: 'Panel overused' } })
})

test('signing out forgets both', { tag: '@quick' }, async ({ page, api }) => {
  const [one] = await projects(page)
  await atProject(page, one!)
  await run(page, 'note.create', 'Panel overused')
  await expect.poll(() => api.writes.length).toBe(1)
  const isStored = () => page.evaluate(() => JSON.stringify({ ...localStorage }).includes('Panel overused'))
  expect(await isStored()).toBe(true)
  await run(page, 'session.signOut')
  await expect.poll(isStored).toBe(false)
})
