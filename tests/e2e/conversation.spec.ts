import { addDays } from '../../contract/pacing.ts'
import { href } from '../../src/routing/routes.ts'
import { expect, test } from '../support/e2e.ts'
import { today } from '../support/today.ts'
import { call, cursorRow, field, goTo, keys, list, login, open, palette, pane, review, toast } from './verbs.ts'

// A partner asks by their link, an administrator answers from the desk, and the client's conversation doesn't show it.

test('a partner’s question is answered from the desk by keyboard, and its client never sees it', async ({
  page,
  browser,
  server,
}) => {
  await login(page)
  const context = await browser.newContext({ baseURL: server.url })
  const theirs = await context.newPage()
  await login(theirs, 'client')
  const { client_id } = (await call(theirs, 'campaign.requestList', { step: 'all' })).data.campaigns[0]!
  const name = `Asked about ${Date.now()}`
  const days = { start_dt: today(), end_dt: addDays(today(), 20), survey_url: 'https://survey.test/oats' }
  const { id } = (await call(page, 'project.create', { name, client_id, goal: 900_000, ...days })).data
  const [partner] = (await call(page, 'partner.dropdown')).data
  await call(page, 'invitation.create', { id, partner_ids: [partner!.id], mail: false })
  const link = (await call(page, 'invitation.link', { id, partner_id: partner!.id, renew: false })).data.url
  const question = 'Is the incidence after the screener?'

  const away = await browser.newContext({ baseURL: server.url })
  const visitor = await away.newPage()
  await visitor.goto(`${new URL(link).pathname}${new URL(link).search}&reply=1`)
  await test.step('the partner writes in the field that the link begins in', async () => {
    await expect(visitor.getByLabel('Your message')).toBeFocused()
    await visitor.keyboard.type(question)
    await visitor.keyboard.press('Control+Enter')
    await expect(visitor.getByRole('list', { name: 'Messages' })).toContainText(question)
    await expect(visitor.getByText('Sent. We answer here and by email.')).toBeVisible()
  })

  await test.step('the administrator answers from its line', async () => {
    await open(page, 'allProjects')
    await list(page)
    await keys(page, 'g d')
    await list(page)
    const line = pane(page).getByRole('row', { name: new RegExp(name) })
    await expect(line).toContainText('Partner waits for an answer')
    await keys(page, 'g g')
    await expect(cursorRow(page)).toContainText(name)
    await keys(page, 'Enter')
    await expect(palette(page)).toContainText(partner!.name)
    await keys(page, 'Enter')
    await expect(field(page)).toBeFocused()
    await page.keyboard.type('After it.')
    await keys(page, 'Enter')
    await review(page, 'No other partner sees it.')
    await expect(toast(page, 'Your message is on its way')).toBeVisible()
    await expect(line.filter({ hasText: 'Partner waits' })).toHaveCount(0)
  })

  await test.step('both read it where they are, and what the partner typed meanwhile stays', async () => {
    await visitor.keyboard.type('One more thing')
    await visitor.reload()
    await expect(visitor.getByLabel('Your message')).toHaveValue('One more thing')
    await expect(visitor.getByRole('list', { name: 'Messages' })).toContainText('After it.')
    await goTo(page, href('project', { id }, { tab: 'specifications' }))
    await expect(pane(page).getByRole('region', { name: `With ${partner!.name}` })).toContainText(question)
  })

  await test.step('its client doesn’t', async () => {
    await goTo(theirs, href('project', { id }, { tab: 'specifications' }))
    await expect(pane(theirs).getByRole('region', { name: 'With the agency' })).toBeVisible()
    for (const text of [question, 'After it.', partner!.name]) await expect(pane(theirs)).not.toContainText(text)
    expect((await call(theirs, 'message.list', { id })).data).toEqual([])
  })
  await away.close()
  await context.close()
})
