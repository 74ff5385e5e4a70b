import type { Page } from '@playwright/test'
import { expect, test } from '../support/e2e.ts'
import { COLOURS, faults, WCAG, wear } from './axe.ts'
import { troubles } from './troubles.ts'
import { login, pickIn } from './verbs.ts'

test.describe.configure({ mode: 'parallel' })

const search = (page: Page) => page.getByLabel('Search the calls')
/** The field in the header, or on a phone in the form. */
const tokenField = (page: Page) => page.getByLabel('Token for trying calls').filter({ visible: true })
const call = (page: Page, id: string) => page.locator('article').filter({ has: page.locator(`[id="${id}"]`) })
const request = (page: Page, id: string) => call(page, id).getByRole('form', { name: `Try ${id}` })
const response = (page: Page, id: string) => call(page, id).getByRole('region', { name: 'Response' })

async function openDocs(page: Page, id = ''): Promise<void> {
  await page.goto('/')
  await page.goto(`/api-docs${id && `#${id}`}`)
  await expect(page.getByRole('navigation', { name: 'Contents' })).toBeVisible()
}

/** A new token of the administrator, with these scopes. */
async function newToken(page: Page, scopes: string[]): Promise<string> {
  await login(page)
  const made = await page.request.post('/v3/portal/tokens', {
    headers: { 'x-fieldwork': 'workspace' },
    data: { name: 'Reader', scopes },
  })
  const { data } = (await made.json()) as { data: { token: string } }
  expect(data.token).toMatch(/^fwt_/)
  return data.token
}

test('a call is found by the keyboard alone, and its address can be shared', async ({ page }) => {
  const heard = troubles(page)
  await openDocs(page)
  await page.keyboard.press('/')
  await expect(search(page)).toBeFocused()
  await page.keyboard.type('project')
  const options = page.getByRole('option')
  await expect(options.nth(1)).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(options.nth(1)).toHaveAttribute('aria-selected', 'true')
  await expect(search(page)).toHaveAttribute('aria-activedescendant', (await options.nth(1).getAttribute('id'))!)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('launch')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/#project\.goLive$/)
  const heading = page.getByRole('heading', { name: /^Launches an approved project/ })
  await expect(heading).toBeFocused()
  await expect(heading).toBeInViewport()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Fieldwork API' })).toBeVisible()
  await page.goto('/api-docs#nothing.here')
  await expect(page.getByRole('alert')).toContainText('no call or subject named “nothing.here”')
  expect(heard).toEqual([])
})

test('a read is tried with a token, and its command has what was filled in', { tag: '@quick' }, async ({ page }) => {
  const token = await newToken(page, ['project:read'])
  await openDocs(page, 'project.list')
  const about = call(page, 'project.list')
  await about.getByRole('button', { name: 'Try it' }).click()
  await expect(request(page, 'project.list').getByRole('button', { name: 'Send' })).toHaveAttribute('aria-disabled', 'true')
  await tokenField(page).fill(token)
  await expect(page.getByText('“Reader” of admin@fieldwork.test: project:read').filter({ visible: true })).toBeVisible()
  const form = request(page, 'project.list')
  await pickIn(form.getByLabel('Add a parameter'), 'per_page')
  await form.getByRole('textbox', { name: 'per_page' }).fill('2')
  await expect(about.getByRole('region', { name: 'The command' })).toContainText('/v3/portal/projects?per_page=2')
  await expect(about.getByRole('region', { name: 'The command' })).toContainText('$FIELDWORK_TOKEN')
  await form.getByRole('button', { name: 'Send' }).click()
  await expect(response(page, 'project.list')).toContainText('200')
  // A screen reader hears the outcome, and not two projects.
  await expect(form.getByRole('status').filter({ hasText: 'Response' })).toHaveText(/^Response: 200( OK)?$/)
  const body = await response(page, 'project.list').getByRole('region', { name: 'The body' }).textContent()
  expect((JSON.parse(body!) as { data: unknown[] }).data).toHaveLength(2)
  expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain(token)
})

test('a write is run dry first, asks before it changes anything, and shows a refusal as it is', async ({ page }) => {
  const token = await newToken(page, ['client:write'])
  await openDocs(page, 'client.create')
  const form = request(page, 'client.create')
  await call(page, 'client.create').getByRole('button', { name: 'Try it' }).click()
  await tokenField(page).fill(token)
  await expect(page.getByText(/“Reader” of/).filter({ visible: true })).toBeVisible()
  const name = `Tried ${test.info().parallelIndex} ${Date.now()}`
  const exists = async () => {
    const list = await page.request.get(`/v3/portal/clients?search=${encodeURIComponent(name)}`)
    return ((await list.json()) as { data: { name: string }[] }).data.some((one) => one.name === name)
  }
  await form.getByLabel('Body, as JSON').fill('{"name":')
  await form.getByRole('button', { name: 'Dry run' }).click()
  await expect(form.getByText(/isn’t valid JSON/)).toBeVisible()
  await expect(form.getByLabel('Body, as JSON')).toBeFocused()
  await form.getByLabel('Body, as JSON').fill(JSON.stringify({ name }))
  await form.getByRole('button', { name: 'Dry run' }).click()
  await expect(response(page, 'client.create')).toContainText('Dry run: nothing was changed')
  expect(await exists()).toBe(false)
  await form.getByRole('button', { name: 'Send…' }).click()
  await expect(form.getByRole('alert')).toContainText('This changes data on')
  await expect(form.getByRole('button', { name: 'Send it' })).toBeFocused()
  expect(await exists()).toBe(false)
  await page.keyboard.press('Enter')
  await expect(response(page, 'client.create')).toContainText('200')
  await expect.poll(exists).toBe(true)
  await form.getByLabel('Body, as JSON').fill('{}')
  await form.getByRole('button', { name: 'Dry run' }).click()
  await expect(response(page, 'client.create')).toContainText('422')
  await expect(response(page, 'client.create')).toContainText('"fields"')
})

test('a token without the scope is told so before it is sent, and one that doesn’t exist at once', async ({ page }) => {
  const token = await newToken(page, ['client:read'])
  await openDocs(page, 'project.goLive')
  await call(page, 'project.goLive').getByRole('button', { name: 'Try it' }).click()
  await tokenField(page).fill(token)
  await expect(request(page, 'project.goLive')).toContainText('this call needs one of project.goLive, project:write, *:write')
  await tokenField(page).fill('fwt_nobody')
  await expect(tokenField(page)).toHaveAttribute('aria-invalid', 'true')
  await page.goto('/api-docs#token.create')
  await expect(call(page, 'token.create')).toContainText('No token opens this call')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })
  test('the contents open over the page, and nothing is wider than it', async ({ page }) => {
    await openPhone(page)
    await page.getByRole('button', { name: 'Open the contents' }).click()
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^runtime/ })
      .click()
    await expect(page.getByRole('heading', { level: 1, name: 'runtime' })).toBeVisible()
    await expect(page.getByRole('navigation', { name: 'Contents' })).toBeHidden()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  })
})

async function openPhone(page: Page): Promise<void> {
  await page.goto('/api-docs')
  await expect(page.getByRole('heading', { level: 1, name: 'Fieldwork API' })).toBeVisible()
}

test('the page has no fault that axe finds, in either theme', async ({ page }) => {
  await openDocs(page, 'client')
  await call(page, 'client.create').getByRole('button', { name: 'Try it' }).click()
  expect(await faults(page, WCAG)).toEqual([])
  await wear(page, 'dark')
  expect(await faults(page, COLOURS)).toEqual([])
})

test('every error code has its meaning and what to do about it', async ({ page }) => {
  const heard = troubles(page)
  await openDocs(page)
  await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Error codes' }).click()
  await expect(page).toHaveURL(/#codes$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Error codes' })).toBeFocused()
  const article = page.getByRole('article', { name: 'Error codes' })
  await expect(article).toContainText('The record’s state doesn’t allow this now.')
  await expect(article).toContainText('Send the same request again after Retry-After')
  await expect(article.locator('dt', { hasText: /^unknown_field$/ })).toBeVisible()
  expect(heard).toEqual([])
})
