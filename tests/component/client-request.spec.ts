import type { Page } from '@playwright/test'
import { MESSAGES } from '../../contract/messages.ts'
import { UPLOAD_LIMIT } from '../../contract/vocabulary.ts'
import { href } from '../../src/routing/routes.ts'
import { faults, WCAG } from '../e2e/axe.ts'
import { answer, dialog, goTo, open, palette, pane, pickIn, pickMarkets, press, toast } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'
import { PIXEL } from '../support/marketplace.ts'
import type { Portal } from '../support/portal.ts'

/*
 * The older request form on one page: its questions, messages and draft. Sending it is tested end to end.
 */

const NAME = 'Project name *'

/** Types into a labeled field, reached by keyboard. */
async function type(page: Page, label: string, text: string): Promise<void> {
  await pane(page).getByLabel(label, { exact: true }).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}
async function tick(page: Page, group: string, option: string): Promise<void> {
  await pane(page).getByRole('group', { name: group }).getByRole('checkbox', { name: option, exact: true }).focus()
  await page.keyboard.press('Space')
}
async function fill(page: Page, name: string): Promise<void> {
  await type(page, NAME, name)
  await type(page, 'Goal *', '400')
  await type(page, 'Start date *', '12/01/2026')
  await tick(page, 'Gender', 'Female')
  await pickMarkets(page, 'Top 10')
  await type(page, 'Survey URL', 'https://survey.test/snacks')
}
const summary = (page: Page) => pane(page).getByRole('region', { name: 'Summary' })
const sent = (api: Portal) => api.writes.filter(({ id }) => id === 'campaign.create').map(({ input }) => input)
const files = (page: Page) => pane(page).locator('input[type=file]')
const stored = (page: Page) => page.evaluate(() => JSON.stringify(localStorage))

test.describe('a client user’s request', () => {
  test.beforeEach(async ({ page, api }) => {
    api.as('client')
    await api.set('users', api.me.id, { company: 'Acorn Foods' })
    await open(page, 'clientRequest')
  })

  test('opens in its first field, and sums itself up in a sentence while it is filled in', async ({ page }) => {
    await expect(pane(page).getByLabel(NAME, { exact: true })).toBeFocused()
    await expect(pane(page).getByRole('heading', { name: 'Project', exact: true })).toBeInViewport()
    await expect(summary(page)).toContainText('Acorn Foods asks for a number of completes of a project from a start date')
    await fill(page, 'Snack habits')
    await expect(summary(page)).toContainText(
      'Acorn Foods asks for 400 completes of “Snack habits” from Dec 1, 2026 to Dec 8, 2026, among women aged 18 and over in the top 10 market areas, by the survey at survey.test.',
    )
  })

  test('says when no market area matches, in a list of areas only', async ({ page }) => {
    await pane(page).getByLabel('Search market areas').fill('Atlantis')
    await expect(pane(page)).toContainText('No results for “Atlantis”.')
    expect(await faults(page, WCAG, '[role=listbox]')).toEqual([])
    await pane(page).getByLabel('Search market areas').fill('new york')
    await page.keyboard.press('Enter')
    await expect(pane(page).getByRole('option', { name: 'New York', selected: true })).toBeVisible()
  })

  test('is sent by Ctrl+Enter, and leads to the list of requests with the new one on top', { tag: '@quick' }, async ({
    page,
    api,
  }) => {
    await fill(page, 'Snack habits')
    await expect(pane(page)).toContainText('7 of 7')
    await press(page, 'form.send')
    await answer(page, 'OK', 'Request created')
    await expect(page).toHaveURL(/survey-request\/requested\?id=\d+/)
    await expect(pane(page)).toContainText('Your request Snack habits')
    expect(sent(api)).toMatchObject([
      {
        campaign_name: 'Snack habits',
        num_completed_actions: 400,
        start_date: '2026-12-01',
        end_date: '2026-12-08',
        age_range: ['2', '3', '4', '5', '6', '7'],
        gender: ['female'],
        client_id: 101,
        campaign_type: 'Survey',
        survey_url: 'https://survey.test/snacks',
      },
    ])
  })

  test('names everything missing at once, in the specification’s words, and goes to the first', async ({ page, api }) => {
    await tick(page, 'Age', '18+')
    await press(page, 'form.send')
    const sum = pane(page).locator('[data-faults]')
    for (const message of [
      MESSAGES.projectName,
      MESSAGES.projectGoal,
      MESSAGES.projectStart,
      MESSAGES.oneAge,
      MESSAGES.oneGender,
      MESSAGES.oneMarket,
      MESSAGES.surveyFileOrUrl,
    ])
      await expect(sum).toContainText(message)
    await expect(sum).toContainText('Fix 7 errors')
    await expect(pane(page).getByLabel(NAME, { exact: true })).toBeFocused()
    expect(sent(api)).toEqual([])
  })

  test('must start before its end', async ({ page }) => {
    await fill(page, 'Backwards')
    await type(page, 'End date', '11/30/2026')
    await press(page, 'form.send')
    await expect(pane(page).locator('[data-faults]')).toContainText(MESSAGES.startBeforeEnd)
    await expect(pane(page).getByLabel('Start date *', { exact: true })).toBeFocused()
  })

  test('drops an error that another field has fixed', async ({ page }) => {
    await fill(page, 'Mended')
    await pane(page).getByLabel('Survey URL', { exact: true }).fill('')
    await type(page, 'End date', '11/30/2026')
    await press(page, 'form.send')
    const sum = pane(page).locator('[data-faults]')
    await expect(sum).toContainText(MESSAGES.startBeforeEnd)
    await expect(sum).toContainText(MESSAGES.surveyFileOrUrl)
    await type(page, 'End date', '12/30/2026')
    await expect(sum).not.toContainText(MESSAGES.startBeforeEnd)
    await files(page).setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b') })
    await expect(sum).toHaveCount(0)
  })

  test('ends seven days after its start until the end is set by hand', async ({ page }) => {
    const end = pane(page).getByLabel('End date', { exact: true })
    await type(page, 'Start date *', '12/01/2026')
    await expect(end).toHaveValue('12/08/2026')
    await type(page, 'Start date *', '12/03/2026')
    await expect(end).toHaveValue('12/10/2026')
    await type(page, 'End date', '12/24/2026')
    await type(page, 'Start date *', '12/05/2026')
    await expect(end).toHaveValue('12/24/2026')
  })

  test('shows the server’s error at its field', async ({ page, api }) => {
    await fill(page, 'Snack habits')
    const fields = { campaign_name: 'campaign_name must differ from “Snack Tracker”', files: MESSAGES.fileTooLarge(10) }
    api.refusals.set('campaign.create', { status: 422, body: { message: 'Not like this', code: 'invalid', fields } })
    await press(page, 'form.send')
    await expect(pane(page).locator('[data-faults]')).toContainText('Project name must differ from “Snack Tracker”')
    await expect(pane(page).locator('[data-faults]')).toContainText('Files: File must be smaller than 10 MB')
    await expect(pane(page).getByLabel(NAME, { exact: true })).toBeFocused()
  })

  test('shows a server failure in a notice to who uses keys, and keeps everything typed', { tag: '@quick' }, async ({
    page,
    api,
  }) => {
    await fill(page, 'Snack habits')
    const body = { message: 'You can make 20 requests a day.', code: 'too_often', fields: {} }
    api.refusals.set('campaign.create', { status: 429, body })
    await press(page, 'form.send')
    await expect(toast(page, 'The request wasn’t sent')).toContainText('You can make 20 requests a day.')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(pane(page).getByLabel(NAME, { exact: true })).toHaveValue('Snack habits')
  })

  test('is kept over a reload, until started over', { tag: '@quick' }, async ({ page }) => {
    await fill(page, 'Half a thought')
    await expect.poll(() => stored(page)).toContain('Half a thought')
    page.on('dialog', (asked) => void asked.accept())
    await page.reload()
    await expect(pane(page).getByLabel(NAME, { exact: true })).toHaveValue('Half a thought')
    await expect(pane(page).getByRole('status')).toContainText('Draft restored.')
    await pane(page).getByRole('button', { name: 'Start over' }).press('Enter')
    await answer(page, 'Start over')
    await expect(pane(page).getByLabel(NAME, { exact: true })).toHaveValue('')
  })

  test('is kept even if the page closes at once', async ({ page }) => {
    page.on('dialog', (asked) => void asked.accept())
    await pane(page).getByLabel(NAME, { exact: true }).fill('Typed and gone')
    await page.reload()
    await expect(pane(page).getByLabel(NAME, { exact: true })).toHaveValue('Typed and gone')
  })

  test('takes several files at once, each with its own error and retry', async ({ page, api }) => {
    await fill(page, 'With files')
    let away = true
    await page.route('**/v3/portal/documents', (route) => (away ? route.abort() : route.continue()))
    await files(page).setInputFiles([
      { name: 'logo.png', mimeType: 'image/png', buffer: PIXEL },
      { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b') },
      { name: 'tool.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ') },
      { name: 'large.txt', mimeType: 'text/plain', buffer: Buffer.alloc(UPLOAD_LIMIT, 'a') },
    ])
    const row = (name: string) => pane(page).getByRole('listitem').filter({ hasText: name })
    await expect(row('tool.exe')).toContainText('Invalid file type.  File must be one of following types')
    await expect(row('large.txt')).toContainText(MESSAGES.fileTooLarge(10))
    await expect(row('tool.exe').getByRole('button', { name: 'Try again' })).toHaveCount(0)
    await expect(row('list.csv')).toContainText('Can’t reach the server.')
    await expect(summary(page)).toContainText('the survey at survey.test and 1 file')
    await press(page, 'form.send')
    await expect(pane(page).locator('[data-faults]')).toContainText('Files:')
    expect(sent(api)).toEqual([])
    for (const name of ['tool.exe', 'large.txt'])
      await pane(page)
        .getByRole('button', { name: `Remove ${name}` })
        .press('Enter')
    away = false
    await row('list.csv').getByRole('button', { name: 'Try again' }).press('Enter')
    await expect(row('list.csv').getByRole('button', { name: 'Try again' })).toHaveCount(0)
    await expect(summary(page)).toContainText('the survey at survey.test and 2 files')
    await press(page, 'form.send')
    await dialog(page, 'Request created')
    expect((sent(api)[0] as { file_ids: number[] }).file_ids).toHaveLength(2)
  })

  test('copies audience, markets and goal from an earlier one', async ({ page, api }) => {
    const earlier = { name: 'The earlier one' }
    await api.call('campaign.create', {
      ...{ campaign_name: earlier.name, client_id: 101, num_completed_actions: 200, campaign_type: 'Survey' },
      ...{ start_date: '2030-01-07', end_date: '2030-01-14', survey_url: 'https://survey.test/earlier' },
      ...{ age_range: ['3', '4'], gender: ['female'], hhi_range: ['2'], targeted_location: ['501', '803'] },
    })
    await page.reload()
    await pane(page).getByRole('button', { name: 'Earlier request…' }).press('Enter')
    const asked = await dialog(page, 'New request from an earlier one')
    await pickIn(asked.getByLabel('Earlier request'), /^The earlier one/)
    await answer(page, 'New request from an earlier one')
    await expect(toast(page, `Audience, markets and goal are those of “${earlier!.name}”`)).toBeVisible()
    await expect(pane(page).getByLabel('Goal *', { exact: true })).toHaveValue('200')
    await expect(summary(page)).toContainText(
      'among women aged 25 to 44 with household income $35K to $49,999 in New York NY and Los Angeles CA',
    )
    await expect(page).toHaveURL(/client-request$/)
  })

  test('switches to one question at a time and back, with the same draft', async ({ page }) => {
    await fill(page, 'One draft')
    await pane(page).getByRole('link', { name: 'Question by question' }).press('Enter')
    await expect(page).toHaveURL(/interactive-form/)
    await expect(pane(page).getByLabel(NAME, { exact: true })).toHaveValue('One draft')
    await type(page, NAME, 'One draft, changed')
    await pane(page).getByRole('link', { name: 'All on one page' }).press('Enter')
    await expect(page).toHaveURL(/client-request/)
    await expect(pane(page).getByLabel(NAME, { exact: true })).toHaveValue('One draft, changed')
    await expect(pane(page).getByLabel('Survey URL', { exact: true })).toHaveValue('https://survey.test/snacks')
  })
})

test('asks a client user for their company if it isn’t known yet', async ({ page, api }) => {
  api.as('client')
  await open(page, 'clientRequest')
  await fill(page, 'First request')
  await type(page, 'Company', 'Acorn Holding')
  await press(page, 'form.send')
  await dialog(page, 'Request created')
  expect(api.writes.map(({ id }) => id)).toEqual(expect.arrayContaining(['user.setCompany', 'campaign.create']))
  expect((await api.row('users', api.me.id)).company).toBe('Acorn Holding')
})

test('a client user without a client is told whom to ask', async ({ page, api }) => {
  api.as('client')
  await api.change((tx) => tx.deleteFrom('user_clients').where('user_id', '=', api.me.id).execute())
  await open(page, 'clientRequest')
  await expect(pane(page)).toContainText('Ask support@fieldwork.test to add you to a client.')
  await expect(pane(page).getByRole('link', { name: 'support@fieldwork.test' })).toHaveAttribute(
    'href',
    /^mailto:support@fieldwork\.test/,
  )
})

test('a link sets client and parent, and the start can’t be before the parent’s', async ({ page, api }) => {
  const parent = await api.make.project({ client_id: 101, generation: 'campaign' })
  await goTo(page, href('clientRequest', {}, { query: { client: String(parent.client_id), parent: String(parent.id) } }))
  await expect(pane(page).getByLabel('Client *', { exact: true })).toHaveValue(
    api.market.clients.find(({ id }) => id === parent.client_id)!.name,
  )
  await expect(pane(page).getByLabel('Parent project', { exact: true })).toHaveValue(`P-${parent.id} ${parent.name}`)
  await fill(page, 'Too early')
  await type(page, 'Start date *', '01/01/2020')
  await press(page, 'form.send')
  await expect(pane(page).locator('[data-faults]')).toContainText('Start Date cant be before Star Date from Parent Campaign. (')
})

test('n e opens it for everybody, and the palette finds it as “New request”', async ({ page, api }) => {
  for (const role of ['admin', 'client'] as const) {
    api.as(role)
    await open(page, 'allProjects')
    await press(page, 'go.clientRequest')
    await expect(page).toHaveURL(/survey-request\/client-request/)
  }
  await page.keyboard.press('Control+k')
  await page.keyboard.type('New request')
  await expect(palette(page).locator('[role=option][data-command="go.clientRequest"]')).toContainText('New request')
})
