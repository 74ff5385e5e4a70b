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
  projectFor,
  projects,
  selected,
  toast,
} from './verbs.ts'

// What hands do all day: in few keys, the same everywhere.
test.beforeEach(({ page }) => login(page, 'admin'))

test('a project is paused and resumed with three keys each, and the row says what Enter does', async ({ page }) => {
  const { id, name } = await projectFor(page, 'project.pause', 'Active')
  await open(page, 'project', { id }, { tab: 'specifications' })
  await expect(pane(page).getByRole('heading', { name })).toBeVisible()
  await keys(page, 'p p')
  await expect(selected(page)).toHaveText(/^Pause without a reason/)
  await keys(page, 'Enter')
  await expect(toast(page, `“${name}” is paused`)).toBeVisible()
  await expect(pane(page).locator('header')).toContainText('Paused')
  await keys(page, 'p r')
  await expect(selected(page)).toHaveText(/^Resume without a reason/)
  await page.keyboard.type('They called')
  await expect(selected(page)).toHaveText(/^Resume(?! without)/)
  await keys(page, 'Enter')
  await expect(toast(page, `“${name}” is back in field`)).toBeVisible()
  expect((await call(page, 'project.get', { id })).data.stored_status).toBe('active')
})

test('several users are picked in a form as in a question: Space, a name and Enter, Ctrl+A', async ({ page }) => {
  const { data } = await call(page, 'client.list', { per_page: 1, column: 'projects_count', direction: 'desc' } as never)
  await open(page, 'newClientTeam', { id: data[0]!.id })
  const search = pane(page).getByRole('searchbox', { name: 'Search users' })
  const users = pane(page).getByRole('listbox').first()
  const chosen = users.locator('[aria-selected=true]')
  await expect(users.getByRole('option').first()).toBeVisible()
  await search.focus()
  await keys(page, 'Space')
  await expect(chosen).toHaveCount(1)
  await expect(users).toBeFocused()
  await keys(page, 'Control+a')
  await expect(chosen).toHaveCount(await users.getByRole('option').count())
  await keys(page, 'Control+a')
  await expect(chosen).toHaveCount(0)
  // Letters filter from the list, too, where they were shortcuts; "/" goes to the search and types nothing.
  await users.focus()
  await page.keyboard.type('zzz')
  await expect(search).toBeFocused()
  await expect(search).toHaveValue('zzz')
  await expect(users.getByRole('option')).toHaveCount(0)
  await users.focus()
  await keys(page, 'Backspace')
  await expect(search).toHaveValue('zz')
  await users.focus()
  await keys(page, '/')
  await expect(search).toBeFocused()
  await expect(search).toHaveValue('zz')
  await keys(page, 'Escape')
  const first = (await users.getByRole('option').first().locator('bdi').textContent())!.split(' ')[0]!
  await page.keyboard.type(first)
  await keys(page, 'Enter')
  await expect(chosen).toHaveCount(1)
  await expect(search).toBeFocused()
  await expect(chosen.first()).toContainText(first)
})

test('a survey’s wizard takes the project at hand, or what is typed, and its activity, by Enter', async ({ page }) => {
  const { data } = await call(page, 'activity.list', { per_page: 500 } as never)
  const free = data.find(({ activity_type, survey_id }) => activity_type === 'survey' && survey_id === null)
  const project = (free ?? data[0]!) as { project_id: number; project_name: string }
  await open(page, 'project', { id: project.project_id }, { tab: 'specifications' })
  await expect(pane(page).getByRole('heading', { name: project.project_name })).toBeVisible()
  await keys(page, 'n w')
  await expect(pane(page)).toContainText('Which activity counts its responses?')
  await expect(page).toHaveURL(new RegExp(`project=${project.project_id}`))
  await open(page, 'newSurvey')
  await pane(page).getByRole('textbox', { name: 'Find a project' }).focus()
  await page.keyboard.type(`P-${project.project_id}`)
  await expect(pane(page).getByRole('radio')).toHaveCount(1)
  await keys(page, 'ArrowDown')
  await expect(pane(page).getByRole('radio')).toBeFocused()
  await keys(page, 'Enter')
  await expect(pane(page)).toContainText('Which activity counts its responses?')
  // The project's keys work here, too.
  const allowed = (await projects(page)).find(({ allowed_actions }) => allowed_actions.includes('activity.create'))!
  await goTo(page, `/dashboard/new-survey?project=${allowed.id}`)
  await expect(pane(page).getByRole('button', { name: /^New activity/ })).toBeEnabled()
  await keys(page, 'Escape a a')
  await expect(palette(page)).toBeVisible()
})

test('a market form that was open before its audience existed saves', async ({ page }) => {
  const { data } = await call(page, 'project.list', { per_page: 1 })
  const made = await call(page, 'activity.create', {
    ...{ project_id: data[0]!.id, name: 'Opened early', about: 'A survey', activity_type: 'survey', action_type: 'nothing' },
  } as never)
  const { id } = (made as { data: { id: number } }).data
  await open(page, 'editMarket', { id, project_id: data[0]!.id })
  await expect(pane(page)).toContainText('has no audience yet')
  const target = { activity_id: id, location_based: 'no', targeted_locations: '501', age: '2,3', gender: 'male,female' }
  await call(page, 'target.create', target as never)
  await expect(pane(page)).toContainText('Version 1')
  await pane(page).getByRole('searchbox', { name: 'Search market areas' }).focus()
  await page.keyboard.type('Los Angeles')
  await keys(page, 'Enter')
  await expect(pane(page)).toContainText('2 of 210 selected')
  await keys(page, 'Control+Enter')
  await expect(page.getByText('Market Updated').first()).toBeVisible()
  const { targeted_locations } = (await call(page, 'activity.target', { id })).data!
  expect(targeted_locations.split(',').sort()).toEqual(['501', '803'])
})

test('twenty rows are selected with a count', async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  await keys(page, '0 2 0 x')
  await expect(pane(page)).toContainText('20 selected')
})

test('the palette is closed by touch, as it covers a phone’s window', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await open(page, 'allProjects')
  await list(page)
  await keys(page, 'Control+k')
  await expect(field(page)).toBeFocused()
  await drawn(page)
  await palette(page).getByRole('button', { name: 'Close' }).click()
  await expect(palette(page)).toHaveCount(0)
})

test('Alt+W and Escape work in a text field, and nothing typed is lost', async ({ page }) => {
  await open(page, 'newProject')
  const name = pane(page).getByLabel('Project name *', { exact: true })
  await name.focus()
  await page.keyboard.type('Kept words')
  await keys(page, 'Escape')
  await expect(name).not.toBeFocused()
  await expect(name).toHaveValue('Kept words')
  await name.focus()
  await keys(page, 'Alt+w')
  await expect(page.getByRole('dialog', { name: 'Close this tab?' })).toBeVisible()
  await keys(page, 'Escape')
  await open(page, 'clients')
  await list(page)
  await keys(page, '/')
  await page.keyboard.type('a')
  await keys(page, 'Escape Escape')
  await expect(pane(page).getByRole('grid')).toBeFocused()
  await keys(page, '/')
  await keys(page, 'Alt+w')
  await expect(page).not.toHaveURL(/clients/)
})

test('Ctrl+Enter sends a form from any of its controls', async ({ page }) => {
  for (const screen of ['newProject', 'newSurveyRequest', 'newTeam', 'newClient'] as const) {
    await open(page, screen)
    const form = pane(page).locator('form').first()
    await expect(form).toBeVisible()
    const kinds = [
      'input[type=text]:not([role=combobox])',
      '[role=combobox]',
      'input[type=checkbox]',
      'input[type=radio]',
      'input[type=search]',
      '[role=listbox]',
      'textarea',
      'button[type=button]:not([tabindex="-1"])',
    ]
    for (const kind of kinds) {
      const control = form.locator(`${kind}:not(:disabled)`).filter({ visible: true }).first()
      if (!(await control.count())) continue
      await page.reload()
      await expect(form).toBeVisible()
      await control.focus()
      await keys(page, 'Control+Enter')
      await expect(form.locator('[data-faults], [aria-invalid=true]').first(), `${screen}: ${kind}`).toBeVisible()
    }
  }
})
