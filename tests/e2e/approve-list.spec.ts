import type { Page } from '@playwright/test'
import { addDays } from '../../contract/pacing.ts'
import { href } from '../../src/routing/routes.ts'
import { expect, test } from '../support/e2e.ts'
import { today } from '../support/today.ts'
import { call, cursorRow, goTo, keys, list, login, open, palette, pane, press, review } from './verbs.ts'

/*
 * Channel feasibility by keyboard: requests that wait for partners, for us or for the client.
 */

let serial = 0
const fresh = (word: string) => `${word} ${Date.now()}${++serial}`
const grid = (page: Page) => pane(page).getByRole('treegrid', { name: 'Channel feasibility' })
const rowOf = (page: Page, name: string) => grid(page).getByRole('row').filter({ hasText: name })

/** A new project with two new partners invited, of whom the first answers. */
async function request(page: Page, answers = true, word = fresh('Wave')) {
  const [client] = (await call(page, 'client.list')).data
  const days = { start_dt: today(), end_dt: addDays(today(), 20) }
  const { data } = await call(page, 'project.create', { name: word, client_id: client!.id, goal: 300, ...days })
  const partners = []
  for (const kind of ['Answering', 'Silent'])
    partners.push((await call(page, 'partner.create', { name: fresh(kind), email: 'quotes@panel.test' })).data)
  await call(page, 'invitation.create', { id: data.id, partner_ids: partners.map(({ id }) => id), mail: false })
  const yes = { fill_requirements: 'Yes', feasible_completes: 240, cpi_cents: 500, on_behalf: 'By phone' }
  if (answers) await call(page, 'proffer.create', { campaign_id: data.id, partner_id: partners[0]!.id, ...yes })
  return { ...data, partners }
}
/** Shows the list filtered to a project. */
async function at(page: Page, name: string, query: Record<string, string | number> = {}) {
  await goTo(page, href('approve', {}, { query: { ...query, search: name } }))
  await list(page)
  await expect(cursorRow(page)).toContainText(name)
}

test.describe('for administrators', () => {
  test.beforeEach(({ page }) => login(page, 'admin'))

  test('opens by its keys, with what has waited longest on top, totals below and a count in the sidebar', async ({ page }) => {
    await open(page, 'allProjects')
    await list(page)
    await press(page, 'go.approve')
    await expect(page).toHaveURL(/\/survey-request\/approve/)
    await list(page)
    const { campaigns, totals, count } = (await call(page, 'campaign.requestList', { per_page: 10 })).data
    await expect(cursorRow(page)).toContainText(campaigns[0]!.name)
    await expect(pane(page).getByLabel('Totals')).toContainText(`${totals.requests.toLocaleString('en-US')} requests`)
    expect(count).toBe(totals.requests)
    const ours = (await call(page, 'campaign.requestList', { step: 'ours', per_page: 1 })).data.count
    await expect(page.locator('#sidebar').getByRole('link', { name: /Channel feasibility/ })).toContainText(
      `${ours} waiting for us`,
    )
  })

  test('shows how far each is: answers as dots, the best mix and how much of the order it fills', async ({ page }) => {
    const { name } = await request(page)
    await at(page, name)
    await expect(cursorRow(page)).toContainText('Answers in')
    await expect(cursorRow(page)).toContainText('1 of 2')
    await expect(cursorRow(page)).toContainText('1 yes, 0 no, 1 silent')
    await expect(cursorRow(page)).toContainText('fills 80 %')
    await expect(cursorRow(page)).toContainText('$5.00')
  })

  test('expands a row to its answers, and closes it again', async ({ page }) => {
    const { name, partners } = await request(page)
    await at(page, name)
    await press(page, 'list.expand')
    await expect(rowOf(page, partners[0]!.name)).toContainText('$5.00')
    await expect(rowOf(page, partners[1]!.name)).toContainText('Silent')
    await press(page, 'list.down')
    // The first press moves to the parent, the second closes it.
    await press(page, 'list.collapse')
    await expect(cursorRow(page)).toHaveAttribute('aria-expanded', 'true')
    await press(page, 'list.collapse')
    await expect(rowOf(page, partners[0]!.name)).toHaveCount(0)
    await expect(cursorRow(page)).toContainText(name)
  })

  test('leads from a row, and from an answer below it, to the Approval tab', async ({ page }) => {
    const { id, name } = await request(page)
    await at(page, name)
    await press(page, 'list.expand')
    await press(page, 'list.down')
    await press(page, 'list.open')
    await expect(page).toHaveURL(new RegExp(`/project-info/${id}/approval`))
    const older = (await call(page, 'campaign.requestList', { per_page: 500 })).data.campaigns.find(
      (one) => one.generation === 'campaign',
    )!
    await at(page, older.name)
    await press(page, 'list.open')
    await expect(page).toHaveURL(new RegExp(`/surveyProInfo/${older.id}/approval`))
  })

  test('keeps step and partner in its link', async ({ page }) => {
    const { name, partners } = await request(page)
    await goTo(page, href('approve', {}, { query: { step: 'answers', partner: partners[0]!.id } }))
    await list(page)
    await expect(cursorRow(page)).toContainText(name)
    await expect(pane(page)).toContainText('1 request')
    await goTo(page, href('approve', {}, { query: { step: 'waiting', partner: partners[0]!.id } }))
    await expect(pane(page)).toContainText('No requests match')
  })

  test('follows an answer that arrives, without a reload', async ({ page }) => {
    const { id, name, partners } = await request(page, false)
    await at(page, name)
    await expect(cursorRow(page)).toContainText('Waiting for answers')
    const no = { fill_requirements: 'No', reason: 'Sold out', on_behalf: 'By phone' }
    await call(page, 'proffer.create', { campaign_id: id, partner_id: partners[0]!.id, ...no })
    await expect(cursorRow(page)).toContainText('0 yes, 1 no, 1 silent')
  })

  /** Two requests with a common prefix in their names, both selected. */
  async function bothSelected(page: Page) {
    const both = fresh('Twin wave')
    const requests = [await request(page, true, `${both} one`), await request(page, true, `${both} two`)]
    await goTo(page, href('approve', {}, { query: { search: both } }))
    await list(page)
    await press(page, 'list.markAll')
    await expect(pane(page)).toContainText('2 selected')
    return requests
  }

  test('reminds the silent partners of all selected requests', async ({ page }) => {
    const requests = await bothSelected(page)
    await press(page, 'project.remind')
    await review(page, 'Remind 2 silent partners of 2 projects?')
    for (const { id, partners } of requests) {
      const mailed = async () => {
        const { invitations } = (await call(page, 'project.quote', { id })).data.rounds[0]!
        return invitations.flatMap(({ partner_id, mailed_at }) => (mailed_at ? [partner_id] : []))
      }
      // They were invited without a mail, so this is their first.
      await expect.poll(mailed).toEqual([partners[1]!.id])
    }
  })

  test('takes the best mix of all selected requests at the usual margin', async ({ page }) => {
    const [first] = await bothSelected(page)
    await press(page, 'project.takeOffers')
    await expect(palette(page)).toContainText(first!.name)
    await expect(palette(page)).toContainText('(35 %)')
    await review(page, 'Each gets its cheapest mix at the usual margin.')
    const step = async () =>
      (await call(page, 'campaign.requestList', { search: first!.name })).data.campaigns.map(({ channel }) => channel?.step)
    await expect.poll(step).toEqual(['quoted'])
  })

  test('leads to the quotes by their keys', async ({ page }) => {
    await open(page, 'approve')
    await list(page)
    await keys(page, 'g q')
    await expect(page).toHaveURL(/\/survey-request\/requested/)
  })
})

test('a client user is pointed to their own list instead', async ({ page }) => {
  await login(page, 'client')
  await open(page, 'approve')
  await expect(pane(page).getByRole('alert')).toContainText('/survey-request/requested')
  await pane(page).getByRole('link', { name: '/survey-request/requested' }).press('Enter')
  await expect(page).toHaveURL(/\/survey-request\/requested/)
})
