import type { Page } from '@playwright/test'
import { addDays } from '../../contract/pacing.ts'
import { dialog, keys, open, pane, pickIn, press, toast } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'
import { today } from '../support/today.ts'

/*
 * Forms by mouse and keyboard: dates in words, groups and sections, and how many keys a request takes.
 */

const us = (day: string) => `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`
const field = (page: Page, label: string) => pane(page).getByLabel(label, { exact: true })
/** The text that describes the field being filled in. */
const says = (page: Page, label: string) =>
  pane(page)
    .locator('[data-field]', { has: page.getByLabel(label, { exact: true }) })
    .locator('[data-says]')

test.describe('a date', { tag: '@quick' }, () => {
  test('is parsed from words as in the palette, shown while typing, and sent as a date', async ({ page, api }) => {
    await open(page, 'newProject', {}, { query: { client: api.market.clients[0]!.id } })
    await field(page, 'Start date *').fill('tomorrow')
    await expect(says(page, 'Start date *')).toContainText(String(Number(addDays(today(), 1).slice(8))))
    await expect(field(page, 'End date')).toHaveValue(us(addDays(today(), 22)))
    await field(page, 'End date').fill('+45')
    await field(page, 'Project name *').fill('In words')
    await expect(field(page, 'Start date *')).toHaveValue(us(addDays(today(), 1)))
    await expect(field(page, 'End date')).toHaveValue(us(addDays(today(), 45)))
    await field(page, 'Goal *').fill('100')
    await keys(page, 'Mod+Enter')
    await dialog(page, 'Project Created')
    expect(api.writes).toMatchObject([
      { id: 'project.create', input: { start_dt: addDays(today(), 1), end_dt: addDays(today(), 45) } },
    ])
  })

  test('of a filter waits until it is complete, and keeps what is typed meanwhile', async ({ page }) => {
    await open(page, 'brands')
    const from = pane(page).getByLabel('From', { exact: true })
    await from.pressSequentially('12/24/2026')
    await expect(from).toHaveValue('12/24/2026')
    await expect(page).toHaveURL(/from=2026-12-24/)
  })
})

test.describe('one choice of several', { tag: '@quick' }, () => {
  const list = (page: Page) => page.getByRole('listbox', { name: 'Client' })

  test('closed, it leaves a sequence to its command, and never takes a key as a choice', async ({ page }) => {
    await open(page, 'newTeam')
    const client = pane(page).getByLabel('Client *', { exact: true })
    await pickIn(client, { index: 1 })
    const chosen = await client.inputValue()
    await client.focus()
    await keys(page, 'g s')
    await expect(page).not.toHaveURL(/new-team/)
    await page.goBack()
    await expect(client).toHaveValue(chosen)
    await client.focus()
    await page.keyboard.press('q')
    await expect(toast(page, 'Space opens the choices')).toBeVisible()
    // Arrows open the list; Escape and leaving it choose nothing.
    await keys(page, 'ArrowDown ArrowDown ArrowDown Escape')
    await expect(list(page)).toHaveCount(0)
    await expect(client).toBeFocused()
    await expect(client).toHaveValue(chosen)
    await keys(page, 'ArrowUp ArrowUp')
    await pane(page).getByLabel('Team name *', { exact: true }).focus()
    await expect(list(page)).toHaveCount(0)
    await expect(client).toHaveValue(chosen)
  })

  test('open, it filters by typed letters, and is a combobox with a listbox to a screen reader', async ({ page }) => {
    await open(page, 'newTeam')
    const client = pane(page).getByLabel('Client *', { exact: true })
    await client.focus()
    await expect(client).toHaveAttribute('aria-expanded', 'false')
    await keys(page, 'Space')
    await expect(client).toHaveAttribute('aria-expanded', 'true')
    const names = await list(page).getByRole('option').allTextContents()
    const name = names.at(-1)!
    await page.keyboard.type(name.slice(0, 6).toUpperCase())
    const active = list(page).locator('[aria-selected=true]')
    await expect(active).toHaveText(name)
    await expect(client).toHaveAttribute('aria-activedescendant', (await active.getAttribute('id'))!)
    await page.keyboard.type('zzz')
    await expect(page.getByText('No match. Backspace shows all choices.')).toBeVisible()
    // Enter on nothing keeps the list and what is typed.
    await keys(page, 'Enter')
    await expect(client).toHaveAttribute('aria-expanded', 'true')
    await keys(page, 'Backspace Backspace Backspace Enter')
    await expect(list(page)).toHaveCount(0)
    await expect(client).toHaveValue(name)
    await expect(page).toHaveURL(/new-team/)
    // Tab chooses, too, and goes on.
    await keys(page, 'Space Home Tab')
    await expect(client).toHaveValue('')
    await expect(client).not.toBeFocused()
  })

  test('Back closes its list, and Ctrl+Enter in it chooses and sends', async ({ page, api }) => {
    await open(page, 'clients')
    await keys(page, 'n p')
    const client = pane(page).getByLabel('Client *', { exact: true })
    await client.focus()
    await keys(page, 'Space')
    await page.goBack()
    await expect(page.getByRole('listbox', { name: 'Client' })).toHaveCount(0)
    await expect(page).toHaveURL(/new-project/)
    await keys(page, 'ArrowDown Control+Enter')
    await expect(client).toHaveValue(api.market.clients.map(({ name }) => name).sort()[0]!)
    await expect(pane(page).locator('[data-faults]')).toContainText('Project Name cannot be blank')
  })

  test('in a dialog, Escape closes its list first', async ({ page }) => {
    await open(page, 'usersInfo', {}, { tab: 'clientUsers', query: { search: 'paul' } })
    await press(page, 'user.services', 'user')
    const box = await dialog(page, 'Visitation services of Paul Abbott')
    const sameAs = box.getByRole('combobox', { name: 'Same as' })
    await sameAs.focus()
    await keys(page, 'Space ArrowDown Escape')
    await expect(page.getByRole('listbox', { name: 'Same as' })).toHaveCount(0)
    await expect(box).toBeVisible()
    await keys(page, 'Escape')
    await expect(box).toHaveCount(0)
  })
})

test.describe('one choice of several, by touch', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })

  test('is the system’s select', async ({ page }) => {
    await open(page, 'newTeam')
    await expect(pane(page).locator('select')).toHaveCount(1)
  })
})

test.describe('a group of boxes', { tag: '@quick' }, () => {
  test('is a single tab stop with arrow keys, and says that it is required', async ({ page }) => {
    await open(page, 'newSurveyRequest')
    const ages = pane(page).getByRole('group', { name: 'Age required' })
    await ages.getByRole('checkbox').first().focus()
    await keys(page, 'ArrowRight ArrowRight')
    await expect(ages.getByRole('checkbox').nth(2)).toBeFocused()
    await keys(page, 'Home ArrowDown')
    await expect(ages.locator(':focus')).toHaveCount(1)
    await keys(page, 'Tab')
    await expect(pane(page).getByRole('group', { name: 'Gender required' }).getByRole('checkbox').first()).toBeFocused()
    await keys(page, 'Shift+Tab')
    await expect(ages.locator(':focus')).toHaveCount(1)
  })
})

/** Presses keys and counts them; a chord counts as one, and typed text doesn't count. */
function counting(page: Page) {
  const count = { keys: 0 }
  return {
    count,
    press: async (sequence: string) => {
      count.keys += sequence.split(' ').length
      await keys(page, sequence)
    },
    type: (text: string) => page.keyboard.type(text),
  }
}

test.describe('the request form', { tag: '@quick' }, () => {
  test('is filled in and sent with at most 60 keys', async ({ page, api }) => {
    await open(page, 'allProjects')
    const { count, press, type } = counting(page)
    await press('n s')
    await expect(field(page, 'Client *')).toBeFocused()
    await press('ArrowDown Tab Tab')
    await expect(field(page, 'Project name *')).toBeFocused()
    await type('Coffee habits')
    await press('Tab')
    await type('400')
    await press('Tab')
    await type('tomorrow')
    await press('Tab Tab')
    await type('12')
    await press('Tab')
    await type('45')
    await press('F8 Tab')
    await expect(field(page, 'Survey URL')).toBeFocused()
    await type('https://survey.example/coffee')
    await press('F8 Tab Space')
    await expect(
      pane(page).getByRole('group', { name: 'Gender' }).getByRole('checkbox', { name: 'All', exact: true }),
    ).toBeChecked()
    await press('Tab')
    await expect(pane(page).getByRole('group', { name: 'Household income' }).locator(':focus')).toHaveCount(1)
    await press('ArrowRight Space')
    await press('F8 ArrowRight')
    await expect(pane(page).getByRole('radio', { name: /^No/ })).toBeChecked()
    // Presets are enabled once their areas are loaded.
    await expect(pane(page).getByRole('button', { name: 'Top 10' })).toBeEnabled()
    await press('Tab Tab Enter')
    await expect(pane(page).getByRole('button', { name: 'Top 10', pressed: true })).toBeVisible()
    await expect(pane(page).getByText('7 of 7')).toBeVisible()
    await expect(pane(page).getByText('Still needed')).toHaveCount(0)
    await press('Mod+Enter')
    await dialog(page)
    await press('Enter')
    await expect(page).toHaveURL(/project-info\/\d+\/specifications/)
    expect(api.writes.map(({ id }) => id)).toEqual(['request.create'])
    expect(count.keys).toBeLessThanOrEqual(60)
  })

  test('has at most 24 tab stops, with its list of sections after the fields', async ({ page }) => {
    await open(page, 'newSurveyRequest')
    await expect(field(page, 'Client *')).toBeFocused()
    const stops: string[] = []
    for (let at = 0; at < 60; at++) {
      stops.push(
        await page.evaluate(
          () =>
            document.activeElement?.closest('[data-field]')?.getAttribute('data-field') ?? document.activeElement!.textContent!,
        ),
      )
      await keys(page, 'Tab')
      if (await page.evaluate(() => document.activeElement?.closest('nav') !== null)) break
    }
    expect(stops.length, stops.join(', ')).toBeLessThanOrEqual(24)
    expect(stops.filter((stop) => stop === 'age')).toHaveLength(1)
  })

  test('names what is missing', async ({ page }) => {
    await open(page, 'newSurveyRequest')
    const missing = /Still needed: Name, Goal, Start, Gender, Location · Also needed: Client, Survey URL or file/
    // Once to be seen, and once to be heard.
    await expect(pane(page).getByText(missing)).toHaveCount(2)
    await expect(pane(page).getByText(missing).first()).toBeVisible()
  })
})

test('a refused form announces its errors once, then only how many are left; an error at the focus is announced', async ({
  page,
}) => {
  await open(page, 'newProject')
  const spoken = () => pane(page).locator('[data-spoken]').allInnerTexts()
  await keys(page, 'Mod+Enter')
  await expect.poll(spoken).toContainEqual(expect.stringMatching(/^Fix \d errors\. Client: /))
  await expect(field(page, 'Client *')).toBeFocused()
  await field(page, 'Project name *').fill('Mended')
  await expect.poll(async () => (await spoken()).join('|')).toMatch(/^\|\d errors left$/)
  await field(page, 'Project name *').fill('')
  const live = pane(page).locator('[data-field=name] [aria-live=assertive]')
  await expect(live).toContainText('Project Name cannot be blank')
})

test('a file dropped beside the drop zone goes to the form, or the page says where files go; nothing is lost', {
  tag: '@quick',
}, async ({ page, api }) => {
  const drop = (selector: string) =>
    page.evaluate((selector) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['%PDF'], 'brief.pdf', { type: 'application/pdf' }))
      const at = document.querySelector(selector)!
      const isPrevented = ['dragover', 'drop'].map(
        (type) => !at.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })),
      )
      return isPrevented
    }, selector)
  await open(page, 'addAsset', { id: api.market.projects[0]!.id })
  await expect(pane(page).getByRole('group', { name: 'Row 1' })).toBeVisible()
  expect(await drop('[data-column][data-active] form h1')).toEqual([true, true])
  await expect(pane(page).getByRole('group', { name: 'Row 1' })).toContainText('brief.pdf')
  expect(await drop('header')).toEqual([true, true])
  await expect(toast(page, 'Drop files on the box for files.')).toBeVisible()
})

test('the file button’s name has what it shows and the limit, and groups say that they are required', async ({ page }) => {
  await open(page, 'newSurveyRequest')
  await expect(pane(page).getByRole('button', { name: /Choose files, or drop them here.*MB/ })).toHaveCount(1)
  for (const name of ['Age required', 'Gender required'])
    await expect(pane(page).getByRole('group', { name, exact: true })).toHaveCount(1)
})
