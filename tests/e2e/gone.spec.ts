import { href } from '../../src/routing/routes.ts'
import { expect, test } from '../support/e2e.ts'
import { call, goTo, login, open, pane, toast } from './verbs.ts'

test.beforeEach(({ page }) => login(page, 'admin'))

const NOBODYS = 999_999
for (const [screen, address, list] of [
  ['a project', href('project', { id: NOBODYS }, { tab: 'specifications' }), /\/dashboard\/all-projects/],
  ['a survey project', href('surveyProject', { id: NOBODYS }, { tab: 'specifications' }), /\/dashboard\/surveyProjects/],
  ['the form of a project', href('editProject', { id: NOBODYS }), /\/dashboard\/all-projects/],
  ['a client', href('client', { id: NOBODYS }, { tab: 'users' }), /\/dashboard\/clients/],
] as const)
  test(`a missing ${screen} leads to its list, with a notice`, async ({ page }) => {
    await goTo(page, address)
    await expect(page).toHaveURL(list)
    await expect(toast(page, 'doesn’t exist')).toBeVisible()
  })

test('a client deleted while open stays and says so', async ({ page }) => {
  const { data } = await call(page, 'client.create', { name: 'Vanishing Foods' })
  await open(page, 'client', { id: data.id }, { tab: 'details' })
  await expect(pane(page).getByRole('heading', { level: 1 })).toHaveText('Vanishing Foods')
  await call(page, 'client.remove', { id: data.id })
  await expect(pane(page)).toContainText('This client is gone')
  await expect(page).toHaveURL(/client-info/)
})

test('a record that fails to load stays, and a retry shows it', async ({ page }) => {
  const { data } = await call(page, 'client.create', { name: 'Faulty Foods' })
  await page.route(`**/v3/portal/clients/${data.id}`, (route) =>
    route.fulfill({ status: 500, json: { message: 'Broken', code: 'x' } }),
  )
  await goTo(page, href('client', { id: data.id }, { tab: 'details' }))
  await expect(pane(page)).toContainText('couldn’t be loaded')
  await page.unroute(`**/v3/portal/clients/${data.id}`)
  await pane(page).getByRole('button', { name: 'Try again' }).click()
  await expect(pane(page).getByRole('heading', { level: 1 })).toHaveText('Faulty Foods')
})

for (const path of ['users', 'teams', 'locations', 'surveys'])
  test(`/v3/${path} opens its screen`, async ({ page }) => {
    await goTo(page, `/v3/${path}`)
    await expect(page).toHaveURL(new RegExp(`/v3/${path}`))
    await expect(pane(page).getByRole('heading', { level: 1 }).first()).toBeVisible()
  })
