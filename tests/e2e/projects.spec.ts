import { expect, test } from '../support/e2e.ts'
import {
  allProjects,
  answer,
  call,
  choose,
  column,
  columns,
  cursorRow,
  dialog,
  field,
  goTo,
  list,
  login,
  open,
  palette,
  pane,
  press,
  projects,
  read,
  ready,
  review,
  run,
  selected,
  toast,
  withFigures,
} from './verbs.ts'

test.beforeEach(({ page }) => login(page))

test('an approved project goes live after its countdown, and says so in the words of the specification', {
  tag: '@quick',
}, async ({ page }) => {
  const project = (await allProjects(page, 'Approved')).find((one) => one.allowed_actions.includes('project.goLive'))!
  await page.clock.install()
  await open(page, 'project', { id: project.id }, { tab: 'overview' })
  await expect(pane(page).getByRole('heading', { name: project.name })).toBeVisible()
  await press(page, 'project.goLive', 'project')
  await review(page, `Launch “${project.name}”?`)
  await expect(toast(page, /in \d s/)).toBeVisible()
  await page.clock.fastForward(8000)
  const notice = toast(page, 'Survey Project Updated')
  await expect(notice).toContainText(project.name)
  await expect(notice).toContainText('Project is Live')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(pane(page).locator('header')).toContainText('Active')
})

test('cloning asks once, and opens the clone’s specifications', { tag: '@quick' }, async ({ page }) => {
  const [project] = await projects(page, 'Completed')
  await open(page, 'project', { id: project!.id }, { tab: 'specifications' })
  await expect(pane(page).getByRole('heading', { name: project!.name })).toBeVisible()
  await press(page, 'project.clone', 'project')
  await review(page, 'Clone Project. Are you sure?')
  await expect(toast(page, /cloned as P-\d+/)).toBeVisible()
  await expect(page).not.toHaveURL(new RegExp(`/project-info/${project!.id}/`))
  await expect(page).toHaveURL(/\/project-info\/\d+\/specifications/)
  await expect(pane(page).locator('header')).toContainText('Pending')
})

test('a partner is invited, a cost set, and both are in the history', async ({ page }) => {
  const project = (await allProjects(page, 'Pending')).find((one) => one.stored_status === 'requirements')!
  await open(page, 'project', { id: project.id }, { tab: 'specifications' })
  await expect(pane(page).getByRole('heading', { name: project.name })).toBeVisible()
  await press(page, 'project.invitePartners', 'project')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('Voxly')
  await expect(selected(page)).toContainText('Voxly Panels')
  await page.keyboard.press('Enter')
  await expect(selected(page)).toHaveAttribute('data-row', 'done')
  await page.keyboard.press('Enter')
  await review(page, 'Invite this partner')
  await expect(palette(page)).toBeHidden()
  await expect(pane(page).getByRole('button', { name: /Remind partners/ })).toBeVisible()
  await press(page, 'project.setCost', 'project')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('1250')
  await page.keyboard.press('Enter')
  await expect(palette(page).locator('[data-pill]')).toHaveText(['$1,250.00'])
  // First what the cost is for, then until when it is valid.
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveAttribute('aria-label', 'Valid until')
  await page.keyboard.press('Enter')
  await review(page, 'to $1,250.00?')
  await expect(pane(page)).toContainText('$1,250.00')
  await page.keyboard.press('5')
  await expect(pane(page).getByRole('region', { name: 'History' })).toContainText('set the cost')
  await expect(pane(page).getByRole('region', { name: 'History' })).toContainText('invited a partner')
})

test('a status outside the order is forced with a reason, kept in the history', { tag: '@quick' }, async ({ page }) => {
  const project = (await projects(page, 'Paused'))[0]!
  await open(page, 'project', { id: project.id }, { tab: 'overview' })
  await expect(pane(page).getByRole('button', { name: /Status Paused/ })).toBeVisible()
  await press(page, 'project.setStatus', 'project')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('Appr')
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveValue('')
  await page.keyboard.type('The client wants to think again')
  await page.keyboard.press('Enter')
  await review(page, `Change “${project.name}” to Approved?`)
  await expect(pane(page).getByRole('button', { name: /Status Approved/ })).toBeVisible()
  await page.keyboard.press('5')
  await expect(pane(page)).toContainText('“Forced: The client wants to think again”')
})

test('a note is written, changed and deleted by keys and its menu', async ({ page }) => {
  const [project] = await projects(page, 'Active')
  await open(page, 'project', { id: project!.id }, { tab: 'notes' })
  const notes = pane(page).getByRole('region', { name: 'Notes' })
  await expect(notes.getByRole('button', { name: /Add note/ })).toBeVisible()
  await press(page, 'note.create', 'project')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('Call the panel on Monday')
  await page.keyboard.press('Enter')
  await expect(notes).toContainText('Call the panel on Monday')
  const menu = notes.getByRole('button', { name: /All actions for Call the panel/ })
  await menu.press('Enter')
  await choose(page, 'Edit note')
  await (await dialog(page)).getByLabel('Note').press('Control+a')
  await page.keyboard.type('Call the panel on Tuesday')
  await answer(page, 'Edit note')
  await expect(notes).toContainText('Call the panel on Tuesday')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await menu.press('Enter')
  await choose(page, 'Delete note')
  await answer(page, 'Delete')
  await expect(notes).not.toContainText('Call the panel on Tuesday')
})

test('a project’s responses are exported as a job', async ({ page }) => {
  const [project] = await projects(page, 'Active')
  await open(page, 'project', { id: project!.id }, { tab: 'overview' })
  await expect(pane(page).getByRole('heading', { name: project!.name })).toBeVisible()
  await press(page, 'project.export', 'project')
  await expect(selected(page)).toContainText('CSV')
  await page.keyboard.press('Enter')
  await expect(toast(page, `“${project!.name}” is being exported`)).toBeVisible()
})

test('the demographic filters are in the link, and the figures follow', async ({ page }) => {
  const [project] = await withFigures(page)
  const link = `/dashboard/project-info/${project!.id}/dashboard`
  await goTo(page, `${link}?age=2,3&gender=female`)
  const filters = pane(page).getByRole('group', { name: 'Demographic filters' })
  await expect(filters.getByRole('button', { name: 'Age 18 to 24, 25 to 34' })).toBeVisible()
  await expect(pane(page)).toContainText(/[\d,]+ completes match the filters/)
  await filters.getByRole('button', { name: /^Income/ }).focus()
  await page.keyboard.press('Enter')
  await choose(page, '< $24,999')
  await choose(page, '> $150,000')
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/[?&]hhi=0,6/)
  await filters.getByRole('button', { name: 'Clear filters' }).press('Enter')
  await expect(page).toHaveURL(new RegExp(`${link}$`))
})

test('a hidden widget stays hidden, and marital status shows on request', async ({ page }) => {
  const [project] = await withFigures(page)
  await open(page, 'project', { id: project!.id }, { tab: 'overview' })
  await expect(pane(page).getByRole('region', { name: 'Gender' })).toBeVisible()
  await expect(pane(page).getByRole('region', { name: 'Marital status' })).toHaveCount(0)
  await pane(page)
    .getByRole('button', { name: /^Widgets/ })
    .press('Enter')
  for (const name of ['Gender', 'Marital status', 'Brand lift']) await choose(page, name)
  await page.keyboard.press('Escape')
  const hidden = async () => JSON.stringify((await call(page, 'account.get')).data.preferences.hidden_widgets)
  await expect.poll(hidden).toMatch(/gender/)
  await expect.poll(hidden).not.toMatch(/marital|lift/)
  await page.reload()
  await expect(pane(page).getByRole('region', { name: 'Marital status' })).toContainText('Married')
  await expect(pane(page).getByRole('region', { name: 'Brand lift' })).toContainText('needs a survey that maps it')
  await expect(pane(page).getByRole('region', { name: 'Gender' })).toHaveCount(0)
})

test('a key shows the tables behind the charts', async ({ page }) => {
  const [project] = await withFigures(page)
  await open(page, 'project', { id: project!.id }, { tab: 'overview' })
  await expect(pane(page).getByRole('list', { name: 'Age' })).toBeVisible()
  await press(page, 'charts.tables')
  await expect(pane(page).getByRole('table', { name: 'Delivery trend' })).toBeVisible()
  await expect(pane(page).getByRole('table', { name: 'Performance funnel' })).toBeVisible()
  await press(page, 'charts.tables')
  await expect(pane(page).getByRole('list', { name: 'Age' })).toBeVisible()
})

test('two projects are open side by side, from the list', async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  await press(page, 'list.openBeside', 'list')
  await expect(columns(page)).toHaveCount(2)
  await ready(page)
  await expect(column(page, 2).getByRole('tab', { name: /Overview/ })).toBeVisible()
  await page.keyboard.press('Alt+1')
  await list(page)
  await press(page, 'list.down', 'list')
  await press(page, 'list.open', 'list')
  await expect(column(page, 1).getByRole('tab', { name: /Overview/ })).toBeVisible()
  await expect(page).toHaveURL(/\/project-info\/\d+\/dashboard\?beside=\/project-info\/\d+\/dashboard/)
})

test('parents unfold to their own part and their children, in the older list too', async ({ page }) => {
  const { data } = await read<{
    data: { campaigns: { id: number; name: string; own: object | null; children: { id: number; name: string }[] }[] }
  }>(page, '/v1/campaigns?sort=all')
  const parent = data.campaigns.find((one) => one.own && one.children.length)!
  await goTo(page, `/dashboard/surveyProjects?search=P-${parent.id}`)
  await list(page)
  await press(page, 'list.expand', 'list')
  await expect(
    pane(page)
      .getByRole('row', { name: new RegExp(parent.children[0]!.name) })
      .first(),
  ).toBeVisible()
  await press(page, 'list.down', 'list')
  await expect(cursorRow(page)).toContainText('Own part')
  await press(page, 'list.down', 'list')
  await press(page, 'list.open', 'list')
  await expect(page).toHaveURL(new RegExp(`/surveyProInfo/${parent.children[0]!.id}/overview`))
  await expect(pane(page).getByRole('tab', { name: /Details/ })).toHaveAttribute('aria-selected', 'true')
})

test('a name is changed in the list, and an empty one is refused in the words of the form', async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  await press(page, 'list.edit', 'list')
  const cell = pane(page).getByRole('textbox', { name: 'Project' })
  await expect(cell).toBeFocused()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await page.keyboard.press('Enter')
  await expect(pane(page)).toContainText('Project Name cannot be blank')
  await page.keyboard.type('Renamed by hand')
  await page.keyboard.press('Enter')
  await expect(pane(page).getByRole('row', { name: /Renamed by hand/ })).toBeVisible()
})

test('a missing project leads to all projects, and says why', async ({ page }) => {
  await page.goto('/dashboard/project-info/99999999/dashboard')
  await expect(page).toHaveURL(/\/dashboard\/all-projects/)
  await expect(toast(page, 'Project 99999999 doesn’t exist')).toBeVisible()
})

test('a missing survey project leads to the survey projects', async ({ page }) => {
  await page.goto('/dashboard/surveyProInfo/99999999/overview')
  await expect(page).toHaveURL(/\/dashboard\/surveyProjects/)
})

test('a client user has three tabs and no status selector', { tag: '@quick' }, async ({ page, context }) => {
  await context.clearCookies()
  await login(page, 'client')
  const [project] = await projects(page)
  await open(page, 'project', { id: project!.id }, { tab: 'overview' })
  await expect(pane(page).getByRole('tab', { name: /Overview/ })).toBeVisible()
  await expect(pane(page).getByRole('tablist', { name: 'Project' }).getByRole('tab')).toHaveText([
    /Specifications/,
    /Overview/,
    /User Responses/,
  ])
  await expect(pane(page).getByRole('button', { name: /^Status/ })).toHaveCount(0)
})

test('the palette runs a project’s commands as its keys do', async ({ page }) => {
  const project = (await projects(page, 'Active'))[1]!
  await open(page, 'project', { id: project.id }, { tab: 'overview' })
  await expect(pane(page).getByRole('heading', { name: project.name })).toBeVisible()
  await run(page, 'project.pause', 'The client asked for it')
  await expect(pane(page).locator('header')).toContainText('Paused')
})
