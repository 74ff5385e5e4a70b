import type { Page } from '@playwright/test'
import { addDays } from '../../contract/pacing.ts'
import { href } from '../../src/routing/routes.ts'
import { expect, test } from '../support/e2e.ts'
import { today as workspaceDay } from '../support/today.ts'
import {
  call,
  clipboard,
  cursorRow,
  dialog,
  field,
  goTo,
  keys,
  list,
  login,
  open,
  palette,
  pane,
  press,
  review,
  run,
  selected,
  toast,
} from './verbs.ts'

/*
 * Channel partners by keyboard: the list with its figures and last answers, and the form that adds them.
 */

let serial = 0
const fresh = (word: string) => `${word} ${Date.now()}${++serial}`
const partnerNamed = async (page: Page, name: string) =>
  (await call(page, 'partner.list', { search: name })).data.find((one) => one.name === name)
const panel = (page: Page) => pane(page).getByRole('complementary', { name: 'Last answers' })
const alert = (page: Page) => pane(page).locator('[data-inline]').getByRole('alert')

/** A new partner, invited to a new project on quote if requested. */
async function partner(page: Page, invited = false, domain = 'panel.test') {
  const { data } = await call(page, 'partner.create', { name: fresh('Panel'), email: `quotes${++serial}@${domain}` })
  return { ...data, project: invited ? await project(page, [data.id]) : null }
}
async function project(page: Page, partner_ids: number[] = []) {
  const [client] = (await call(page, 'client.list')).data
  const today = workspaceDay()
  const days = { start_dt: today, end_dt: addDays(today, 20) }
  const { data } = await call(page, 'project.create', { name: fresh('Wave'), client_id: client!.id, goal: 300, ...days })
  if (partner_ids.length) await call(page, 'invitation.create', { id: data.id, partner_ids, mail: false })
  return data
}
const answered = (page: Page, campaign_id: number, partner_id: number, cpi_cents: number) =>
  call(page, 'proffer.create', {
    ...{ campaign_id, partner_id, fill_requirements: 'Yes', feasible_completes: 200, cpi_cents },
    on_behalf: 'They answered by phone',
  })
/** Shows the partners with the cursor on the one of this name. */
async function at(page: Page, name: string) {
  await goTo(page, href('partners', {}, { query: { search: name } }))
  await list(page)
  await expect(cursorRow(page)).toContainText(name)
}

test.beforeEach(({ page }) => login(page, 'admin'))

test.describe('the list of partners', () => {
  test('shows partners with figures, filters and the last answers of the row', async ({ page }) => {
    const asked = await partner(page, true)
    await answered(page, asked.project!.id, asked.id, 650)
    await at(page, asked.name)
    await expect(cursorRow(page)).toContainText('$6.50')
    await expect(panel(page)).toContainText(asked.project!.name)
    await expect(panel(page)).toContainText('Yes')
    await goTo(page, href('partners', {}, { query: { filter: 'never_asked', search: asked.name } }))
    await expect(pane(page)).toContainText('No partners match')
  })

  test('draws the CPI of several answers as a line', async ({ page }) => {
    const asked = await partner(page, true)
    await answered(page, asked.project!.id, asked.id, 400)
    await answered(page, (await project(page, [asked.id])).id, asked.id, 550)
    await at(page, asked.name)
    await expect(panel(page)).toContainText('CPI $4.00 → $5.50')
    await expect(panel(page).getByRole('img', { name: 'CPI of the last 2 answers: $4.00, $5.50' })).toBeVisible()
  })

  test('leads from a row to what the partner was asked', async ({ page }) => {
    const asked = await partner(page, true)
    await at(page, asked.name)
    await press(page, 'list.open')
    await expect(page).toHaveURL(new RegExp(`/survey-request/approve\\?partner=${asked.id}$`))
    await list(page)
    await expect(cursorRow(page)).toContainText(asked.project!.name)
  })

  test('edits in place, cell by cell, with the specification’s own messages', async ({ page }) => {
    // Wide enough for every column.
    await page.setViewportSize({ width: 1920, height: 900 })
    // Found by the domain of its address, whatever its name becomes.
    const domain = `panel${Date.now()}.test`
    const [one, other] = [await partner(page, false, domain), await partner(page)]
    await goTo(page, href('partners', {}, { query: { search: domain } }))
    await list(page)
    await expect(cursorRow(page)).toContainText(one.name)
    await press(page, 'list.edit')
    const box = pane(page).getByRole('textbox', { name: 'Partner' })
    await expect(box).toBeFocused()
    for (const [typed, message] of [
      ['', 'Partner Name cannot be blank'],
      [other.name, `A partner named ${other.name} exists`],
    ] as const) {
      await box.fill(typed)
      await page.keyboard.press('Enter')
      await expect(alert(page)).toHaveText(message)
    }
    await expect(toast(page, `A partner named ${other.name} exists`).getByRole('button', { name: 'Open' })).toBeVisible()
    const name = fresh('Renamed')
    await box.fill(name)
    await page.keyboard.press('Tab')
    await expect(pane(page).getByRole('textbox', { name: 'Contact' })).toBeFocused()
    await page.keyboard.type('Ada Bell')
    await page.keyboard.press('Tab')
    const email = pane(page).getByRole('textbox', { name: 'Email' })
    await expect(email).toBeFocused()
    await email.fill('nowhere')
    await page.keyboard.press('Enter')
    await expect(alert(page)).toHaveText('The Email is not valid')
    await email.fill(`ada@${domain}`)
    await page.keyboard.press('Enter')
    await expect
      .poll(async () => (await call(page, 'partner.get', { id: one.id })).data)
      .toMatchObject({
        ...{ name, contact: 'Ada Bell', email: `ada@${domain}` },
      })
  })

  test('deletes with a confirmation that counts, refuses while a project waits, and restores by undo', async ({ page }) => {
    const [free, awaited] = [await partner(page), await partner(page, true)]
    await at(page, awaited.name)
    await press(page, 'partner.remove')
    await expect(toast(page, 'a project waits for its answer')).toBeVisible()
    await at(page, free.name)
    await press(page, 'partner.remove')
    await expect(palette(page)).toContainText('no open invitation')
    await review(page, `Delete “${free.name}”?`)
    await expect(pane(page)).toContainText('No partners match')
    await keys(page, 'Mod+z')
    await expect.poll(async () => Boolean(await partnerNamed(page, free.name))).toBe(true)
  })

  test('edits every field from the keyboard', async ({ page }) => {
    const one = await partner(page)
    await at(page, one.name)
    await press(page, 'partner.edit')
    const name = fresh('Edited')
    for (const [label, typed] of [
      ['Partner name', name],
      ['Contact', 'Ada Bell'],
      ['Email', 'ada@panel.test'],
      ['Phone', '2125550100'],
      ['Notes', ''],
    ] as const) {
      await expect(field(page)).toHaveAccessibleName(new RegExp(label))
      await page.keyboard.press('Control+a')
      await page.keyboard.type(typed)
      await page.keyboard.press('Enter')
    }
    await expect(toast(page, 'Partner updated')).toBeVisible()
    await expect.poll(async () => (await call(page, 'partner.get', { id: one.id })).data.name).toBe(name)
  })

  test('invites a partner to a pending project', async ({ page }) => {
    const [one, wave] = [await partner(page), await project(page)]
    await at(page, one.name)
    await press(page, 'partner.invite')
    await expect(field(page)).toBeFocused()
    await page.keyboard.type(wave.name)
    await expect(selected(page)).toContainText(wave.name)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+Enter')
    await review(page, `Invite “${one.name}” to 1 project?`)
    await expect(toast(page, '1 invitation sent')).toBeVisible()
    const { rounds } = (await call(page, 'project.quote', { id: wave.id })).data
    expect(rounds[0]!.invitations).toMatchObject([{ partner_id: one.id }])
  })

  test('merges two partners, which undo reverts completely', async ({ page }) => {
    const [gone, stays] = [await partner(page, true), await partner(page)]
    await at(page, gone.name)
    await run(page, 'partner.merge', stays.name)
    await review(page, 'Its 1 invitation and its 0 answers move there')
    await expect(toast(page, /” was merged into “.*1 invitation and 0 answers moved\./)).toBeVisible()
    expect((await call(page, 'partner.get', { id: stays.id })).data.open_count).toBe(1)
    await expect(pane(page)).toContainText('No partners match')
    await keys(page, 'Mod+z')
    await expect.poll(async () => (await call(page, 'partner.get', { id: stays.id })).data.open_count).toBe(0)
    expect((await call(page, 'partner.get', { id: gone.id })).data.open_count).toBe(1)
  })

  test.describe('with a clipboard', () => {
    test.use({ permissions: ['clipboard-read', 'clipboard-write'] })
    test('copies the email', async ({ page }) => {
      const one = await partner(page)
      await at(page, one.name)
      await run(page, 'partner.copyEmail')
      await expect.poll(() => clipboard(page)).toBe(one.email)
    })
  })

  test('finds a partner in the palette by its email', async ({ page }) => {
    const one = await partner(page)
    await open(page, 'allProjects')
    await keys(page, 'Mod+k')
    await page.keyboard.type(one.email.split('@')[0]!)
    await expect(palette(page).locator('[role=option]').filter({ hasText: one.name })).toBeVisible()
  })
})

test.describe('the form for a new partner', () => {
  const input = (page: Page, label: string | RegExp) => pane(page).getByLabel(label)

  test('opens by its keys in its first field, and its dialog leads to the list with the cursor on it', async ({ page }) => {
    await open(page, 'partners')
    await list(page)
    await press(page, 'add.newPartner')
    await expect(input(page, /Partner name/)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(pane(page)).toContainText('Partner Name cannot be blank')
    const name = fresh('Zephyr Panel')
    await page.keyboard.type(name)
    await input(page, 'Email').fill('nowhere')
    await input(page, 'Phone').fill('212')
    await page.keyboard.press('Control+Enter')
    await expect(pane(page)).toContainText('The Email is not valid')
    await expect(pane(page)).toContainText('Phone Number must be 10 numbers')
    await input(page, 'Email').fill('quotes@zephyr.test')
    await input(page, 'Phone').fill('2125550100')
    await page.keyboard.press('Control+Enter')
    await dialog(page, 'Partner created.')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/dashboard\/partners/)
    await list(page)
    await expect(cursorRow(page)).toContainText(name)
    await keys(page, 'Mod+z')
    await expect.poll(async () => await partnerNamed(page, name)).toBeUndefined()
  })

  test('says who has the name already, with a link to it', async ({ page }) => {
    const one = await partner(page)
    await open(page, 'newPartner')
    await input(page, /Partner name/).fill(one.name)
    await page.keyboard.press('Control+Enter')
    await expect(pane(page)).toContainText(`A partner named ${one.name} exists`)
    await pane(page)
      .getByRole('link', { name: `Open ${one.name}` })
      .press('Enter')
    await list(page)
    await expect(cursorRow(page)).toContainText(one.name)
  })

  test('shows likely duplicates while typing, by name and by the domain of the address', async ({ page }) => {
    const word = `Quillon${Date.now()}`
    await call(page, 'partner.create', { name: `${word} Research`, email: `ada@${word.toLowerCase()}.test` })
    await open(page, 'newPartner')
    const likely = pane(page).getByRole('region', { name: 'Likely duplicates' })
    await input(page, /Partner name/).fill(`${word} Inc`)
    await expect(likely).toContainText(`${word} Research`)
    await input(page, /Partner name/).fill('Somebody else')
    await expect(likely).toHaveCount(0)
    await input(page, 'Email').fill(`bo@${word.toLowerCase()}.test`)
    await expect(likely).toContainText(`${word} Research`)
  })

  test('creates several from pasted lines, after a review that names what it skips; undo removes all', async ({ page }) => {
    const [one, other] = [fresh('Pasted'), fresh('Pasted')]
    await open(page, 'newPartner')
    await input(page, /Partner name/).focus()
    await page.evaluate((text) => {
      const data = new DataTransfer()
      data.setData('text/plain', text)
      document.activeElement!.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    }, `${one}, one@panel.test\n${other}\tother@panel.test\nBroken, not-an@address\n`)
    await expect(pane(page)).toContainText('Add 2 partners?')
    await expect(pane(page)).toContainText('1 line is skipped.')
    await expect(pane(page)).toContainText('The Email is not valid')
    await page.keyboard.press('Enter')
    await dialog(page, '2 partners created.')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/dashboard\/partners/)
    await list(page)
    await expect(cursorRow(page)).toContainText(one)
    expect(await partnerNamed(page, other)).toMatchObject({ email: 'other@panel.test' })
    await keys(page, 'Mod+z')
    await expect
      .poll(async () => [await partnerNamed(page, one), await partnerNamed(page, other)])
      .toEqual([undefined, undefined])
  })

  test('adds and invites to the project it was opened from, and leads back to it', async ({ page }) => {
    const wave = await project(page)
    await open(page, 'newPartner', {}, { query: { invite: wave.id } })
    await expect(pane(page).getByRole('button', { name: `Add and invite to ${wave.name}` })).toBeVisible()
    const name = fresh('Invited Panel')
    await input(page, /Partner name/).fill(name)
    await page.keyboard.press('Control+Enter')
    await expect(await dialog(page, 'Partner created.')).toContainText(`Invited to “${wave.name}”`)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`/project-info/${wave.id}/approval`))
    const { rounds } = (await call(page, 'project.quote', { id: wave.id })).data
    expect(rounds[0]!.invitations).toMatchObject([{ name }])
  })
})
