import type { Page } from '@playwright/test'
import { addDays } from '../../contract/pacing.ts'
import { expect, test } from '../support/e2e.ts'
import { today } from '../support/today.ts'
import { answer, call, dialog, list, login, open, pane, pickMarkets, press, toast } from './verbs.ts'

/*
 * From the client's empty form to the request that everyone can see, by keyboard, on the real server.
 */

const asTyped = (day: string) => day.replace(/(\d{4})-(\d\d)-(\d\d)/, '$2/$3/$1')
let serial = 0
const fresh = () => `Cereal survey ${Date.now()} ${++serial}`

/** A second browser, signed in as an administrator. */
async function desk(page: Page): Promise<Page> {
  const context = await page
    .context()
    .browser()!
    .newContext({ baseURL: new URL((await page.request.get('/healthz')).url()).origin })
  const made = await context.newPage()
  await login(made)
  return made
}

async function type(page: Page, label: string, text: string): Promise<void> {
  await pane(page).getByLabel(label, { exact: true }).focus()
  await page.keyboard.type(text)
}
async function fill(page: Page, name: string): Promise<void> {
  await type(page, 'Project name *', name)
  await type(page, 'Goal *', '250')
  await type(page, 'Start date *', asTyped(addDays(today(), 7)))
  await pane(page).getByRole('group', { name: 'Gender' }).getByRole('checkbox', { name: 'All', exact: true }).focus()
  await page.keyboard.press('Space')
  await pickMarkets(page, 'Top 25')
}
const requests = async (page: Page, name: string) =>
  (await call(page, 'campaign.requestList', { step: 'all', search: name })).data.campaigns

test.beforeEach(({ page }) => login(page, 'client'))

test('a client user asks for a survey with its file, and everybody sees it arrive', { tag: '@quick' }, async ({ page }) => {
  const name = fresh()
  const admin = await desk(page)
  await open(admin, 'surveyProjects')
  await list(admin)

  await open(page, 'allProjects')
  await list(page)
  await press(page, 'go.clientRequest')
  await fill(page, name)
  await pane(page)
    .locator('input[type=file]')
    .setInputFiles({ name: 'questions.csv', mimeType: 'text/csv', buffer: Buffer.from('id,question\n1,Why?\n') })
  await expect(pane(page).getByRole('region', { name: 'Summary' })).toContainText('by 1 file.')
  await type(page, 'Length of interview', '12')
  await type(page, 'Incidence', '45')
  await press(page, 'form.send')
  await expect((await dialog(page, 'Request created')).getByRole('button', { name: 'OK' })).toBeFocused()
  await page.keyboard.press('Enter')

  await test.step('the client finds it on top of the requests, with who acts next', async () => {
    await expect(page).toHaveURL(/survey-request\/requested\?id=\d+/)
    await expect(pane(page)).toContainText(`Your request ${name}`)
    await expect(pane(page).locator('[aria-current=step]')).toHaveText('Requirements')
    await expect(pane(page).getByRole('row').filter({ hasText: name })).toContainText('Requirements')
  })
  await test.step('an administrator sees it without a reload', () =>
    expect(pane(admin).getByRole('row').filter({ hasText: name })).toBeVisible())
  await test.step('it has what was requested', async () => {
    const [request] = await requests(page, name)
    const { data } = await call(page, 'project.get', { id: request!.id })
    expect(data).toMatchObject({
      generation: 'campaign',
      goal: 250,
      start_dt: addDays(today(), 7),
      end_dt: addDays(today(), 14),
      loi_minutes: 12,
      incidence: 45,
    })
    expect(data.activities[0]!.target).toMatchObject({ age: '2,3,4,5,6,7', gender: 'female,male,other' })
    expect(data.files.map(({ original_name, kind }) => [original_name, kind])).toEqual([['questions.csv', 'document']])
  })
  await test.step('undo withdraws it before anybody is mailed', async () => {
    await press(page, 'command.undo')
    await expect.poll(() => requests(page, name)).toEqual([])
  })
  await admin.context().close()
})

test('a request that is sent again after a lost response creates one project', async ({ page }) => {
  const name = fresh()
  // Before the page opens: on a busy machine, a page that is open learns of a route a moment later.
  let lost = true
  await page.route('**/v1/campaigns', async (route) => {
    if (!lost) return route.continue()
    lost = false
    // The server has created it, and its response gets lost.
    await route.fetch()
    await route.abort()
  })
  await open(page, 'clientRequest')
  await fill(page, name)
  await type(page, 'Survey URL', 'https://survey.example/cereal')
  await press(page, 'form.send')
  await expect(toast(page, 'The request wasn’t sent')).toBeVisible()
  await expect(pane(page).getByLabel('Project name *', { exact: true })).toHaveValue(name)
  page.on('dialog', (asked) => void asked.accept())
  await page.reload()
  await expect(pane(page).getByLabel('Project name *', { exact: true })).toHaveValue(name)
  await press(page, 'form.send')
  await answer(page, 'OK', 'Request created')
  expect(await requests(page, name)).toHaveLength(1)
})

test('typed text is there again after signing out and in', async ({ page }) => {
  const name = fresh()
  await login(page, 'client', 'own')
  await open(page, 'clientRequest')
  await type(page, 'Project name *', name)
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain(name)
  page.on('dialog', (asked) => void asked.accept())
  await page.request.delete('/v3/portal/auth/sign_out', { headers: { 'x-fieldwork': 'workspace' } })
  await page.goto('/login')
  await login(page, 'client', 'own')
  await open(page, 'clientRequest')
  await expect(pane(page).getByLabel('Project name *', { exact: true })).toHaveValue(name)
})

test('the older form sends the seven answers of its questions', async ({ page }) => {
  const name = fresh()
  await open(page, 'interactiveForm')
  await expect(pane(page).getByLabel('Project name *', { exact: true })).toBeFocused()
  const keys = [name, 'Enter', '80', 'Enter', asTyped(addDays(today(), 3)), 'Enter', 'Enter', 'Enter', '1', 'Enter', '1']
  for (const key of keys) await (/^(Enter|1)$/.test(key) ? page.keyboard.press(key) : page.keyboard.type(key))
  await expect(pane(page)).toContainText('7 of 7')
  await pane(page).locator('summary').press('Enter')
  await type(page, 'Survey URL', 'https://survey.example/seven')
  await press(page, 'form.send')
  await answer(page, 'OK', 'Request created')
  await expect(pane(page)).toContainText(`Your request ${name}`)
  expect(await requests(page, name)).toMatchObject([{ goal: 80, gender: 'female,male,other', age_range: '2,3,4,5,6,7' }])
})
