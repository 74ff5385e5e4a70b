import type { Page } from '@playwright/test'
import { MESSAGES, PASSWORD_RULE } from '../../contract/messages.ts'
import { expect, test } from '../support/e2e.ts'
import { call, login, PASSWORD, PEOPLE, run } from './verbs.ts'

const username = (page: Page) => page.getByLabel('Username (email)')
const NEW = 'Another-Word-2!'

async function typeLogin(page: Page, email: string, word: string): Promise<void> {
  await expect(username(page)).toBeFocused()
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(word)
  await page.keyboard.press('Enter')
}

/** An active client user that no other test uses. */
async function somebody(admin: Page, at: number) {
  const { data } = await call(admin, 'user.list', { role: 'client', per_page: 100 } as never)
  return data.filter((user) => user.status === 'active' && user.email !== PEOPLE.client)[at]!
}
/** The text of the newest email to an address. */
async function mailTo(admin: Page, address: string): Promise<string> {
  const { data } = await call(admin, 'outbox.list', { search: address })
  return (await call(admin, 'outbox.reveal', { id: data[0]!.id })).data.body
}

test('signing in leads to the requested page', { tag: '@quick' }, async ({ page }) => {
  await page.goto('/dashboard/jobs?status=done')
  await expect(page).toHaveURL(/\/login\?to=/)
  await typeLogin(page, PEOPLE.admin, PASSWORD)
  await expect(page).toHaveURL(/\/dashboard\/jobs\?status=done/)
})

test('an empty sign-in names both blank fields', async ({ page }) => {
  await page.goto('/login')
  await expect(username(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText(MESSAGES.loginName)).toBeVisible()
  await expect(page.getByText(MESSAGES.loginPassword)).toBeVisible()
  await expect(username(page)).toBeFocused()
})

test('a wrong password is refused and the address stays', { tag: '@quick' }, async ({ page }) => {
  await page.goto('/login')
  await typeLogin(page, PEOPLE.admin, 'wrong')
  await expect(page.getByRole('alert')).toHaveText(/Invalid login credentials/)
  await expect(username(page)).toHaveValue(PEOPLE.admin)
})

test('a browser that refuses the cookie is told so, and keeps what was typed', async ({ page }) => {
  await page.route('**/auth/**', async (route) => {
    const response = await route.fetch()
    const { 'set-cookie': _, ...headers } = response.headers()
    // The fetch itself kept it.
    await page.context().clearCookies()
    await route.fulfill({ response, headers })
  })
  await page.goto('/login')
  await typeLogin(page, PEOPLE.admin, PASSWORD)
  await expect(page.getByRole('alert')).toHaveText(/Your browser refuses the cookie/)
  await expect(username(page)).toHaveValue(PEOPLE.admin)
})

test('what a password manager filled in without an event is sent', async ({ page }) => {
  await page.goto('/login')
  await expect(username(page)).toBeFocused()
  await page.evaluate(
    (values) => {
      const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!
      for (const [at, field] of document.querySelectorAll('form input').entries()) set!.call(field, values[at])
    },
    [PEOPLE.admin, PASSWORD],
  )
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard\//)
})

test('signed-in users go from sign-in to all projects', async ({ page }) => {
  await page.goto('/login')
  await typeLogin(page, PEOPLE.client, PASSWORD)
  await expect(page).toHaveURL(/\/dashboard\//)
  await page.goto('/login')
  await expect(page).toHaveURL(/\/dashboard\/all-projects/)
})

test('a forgotten password is set by the email’s link', async ({ page, browser, baseURL }) => {
  const admin = await (await browser.newContext({ baseURL: baseURL! })).newPage()
  await login(admin, 'admin')
  const { email } = await somebody(admin, 0)
  await page.goto('/forgotPassword')
  await expect(page.getByLabel('Email')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText(MESSAGES.forgotEmailBlank)).toBeVisible()
  await page.keyboard.type('nobody')
  await page.keyboard.press('Enter')
  await expect(page.getByText(MESSAGES.emailField)).toBeVisible()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(email)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status')).toContainText('on its way')
  const link = /https?:\/\/\S+reset_password_token=\S+/.exec(await mailTo(admin, email))![0]
  await page.goto(link)
  await expect(page.getByLabel('New password')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText(MESSAGES.passwordBlank)).toBeVisible()
  await page.keyboard.type('short')
  await page.keyboard.press('Enter')
  await expect(page.getByText(PASSWORD_RULE)).toBeVisible()
  await expect(page.getByText(MESSAGES.passwordMatch)).toBeVisible()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(NEW)
  await page.getByLabel('Confirm password').focus()
  await page.keyboard.type(NEW)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status')).toHaveText(MESSAGES.passwordChanged)
  await expect(page.getByRole('link', { name: 'Go to Login page' })).toBeFocused()
  await page.keyboard.press('Enter')
  await typeLogin(page, email, NEW)
  await expect(page).toHaveURL(/\/dashboard\//)
})

test('an email’s link works in a browser where somebody is signed in: it offers to continue as its own user', async ({
  page,
  browser,
  baseURL,
}) => {
  const admin = await (await browser.newContext({ baseURL: baseURL! })).newPage()
  await login(admin, 'admin')
  const { email } = await somebody(admin, 3)
  await call(admin, 'session.forgot', { email })
  const link = /https?:\/\/\S+reset_password_token=\S+/.exec(await mailTo(admin, email))![0]
  const invited = await call(admin, 'user.invite', {
    email: `signed.in.${Date.now()}@fieldwork.test`,
    role_id: 'admin',
    skip_invitation: true,
  } as never)
  await page.goto('/login')
  await typeLogin(page, PEOPLE.client, PASSWORD)
  await expect(page).toHaveURL(/\/dashboard\//)
  await page.goto(link)
  await expect(page.getByRole('heading')).toHaveText('You’re signed in')
  await expect(page.getByRole('main')).toContainText(PEOPLE.client)
  await expect(page.getByRole('button', { name: 'Sign out and continue' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('New password')).toBeFocused()
  await page.keyboard.type(NEW)
  await page.getByLabel('Confirm password').focus()
  await page.keyboard.type(NEW)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status')).toHaveText(MESSAGES.passwordChanged)
  await admin.goto('/dashboard/all-projects')
  await expect(admin).toHaveURL(/\/dashboard\//)
  await expect.poll(() => admin.evaluate(() => localStorage.getItem('fieldwork.signed-in'))).toMatch(/^u\d+$/)
  await admin.goto(invited.link!)
  await expect(admin.getByRole('heading')).toHaveText('You’re signed in')
  await expect(admin.getByRole('button', { name: 'Sign out and continue' })).toBeFocused()
  await admin.keyboard.press('Enter')
  await expect(admin.getByRole('main')).toContainText('signed.in.')
})

test('signing in after somebody else doesn’t open their page, except for the same user whose session ended', async ({ page }) => {
  await page.goto('/dashboard/outbox')
  await typeLogin(page, PEOPLE.admin, PASSWORD)
  await expect(page).toHaveURL(/:\d+\/dashboard\/outbox/)
  // The session ends without the page noticing.
  await page.context().clearCookies()
  await page.goto('/dashboard/outbox')
  await expect(page).toHaveURL(/\/login\?to=/)
  // The page that noticed is reloaded, and still knows whose session it was.
  await page.goto('/dashboard/outbox')
  await expect(page).toHaveURL(/\/login\?to=/)
  await typeLogin(page, PEOPLE.client, PASSWORD)
  await expect(page).toHaveURL(/\/dashboard\/all-projects/)
  await page.context().clearCookies()
  await page.goto('/dashboard/jobs')
  await expect(page).toHaveURL(/\/login\?to=/)
  await typeLogin(page, PEOPLE.client, PASSWORD)
  await expect(page).toHaveURL(/:\d+\/dashboard\/jobs/)
  // A signed-out page leaves nothing to return to.
  await run(page, 'session.signOut')
  await expect(page).toHaveURL(/\/login$/)
})

test('a used password link says so', async ({ page }) => {
  await page.goto('/password_reset?reset_password_token=used')
  await expect(page.getByLabel('New password')).toBeFocused()
  await page.keyboard.type(NEW)
  await page.getByLabel('Confirm password').focus()
  await page.keyboard.type(NEW)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText(MESSAGES.passwordFailed('Fieldwork'))
})

test('a temporary password is changed before anything else', async ({ page, browser, baseURL }) => {
  const admin = await (await browser.newContext({ baseURL: baseURL! })).newPage()
  await login(admin, 'admin')
  const { id, email } = await somebody(admin, 1)
  await call(admin, 'user.resetPassword', { id })
  const temporary = /Temporary password: (\S{10})/.exec(await mailTo(admin, email))![1]!
  await page.goto('/login')
  await typeLogin(page, email, temporary)
  await expect(page).toHaveURL(/\/password_reset/)
  await page.goto('/dashboard/all-projects')
  await expect(page).toHaveURL(/\/password_reset/)
  await expect(page.getByLabel('New password')).toBeFocused()
  // It meets all five conditions, and is refused at once, with that reason.
  await page.keyboard.type('Abcdef1!')
  await expect(page.getByText('This password is too easy to guess. Choose another one.')).toBeVisible()
  await expect(page.getByRole('list', { name: 'A password needs' }).locator('li.text-green-ink')).toHaveCount(5)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(NEW)
  await page.getByLabel('Confirm password').focus()
  await page.keyboard.type(NEW)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard\/all-projects/)
})

test('an invitation ends at sign-in, with an account', { tag: '@quick' }, async ({ page, browser, baseURL }) => {
  const admin = await (await browser.newContext({ baseURL: baseURL! })).newPage()
  await login(admin, 'admin')
  const email = `new.colleague.${Date.now()}@fieldwork.test`
  const { link } = await call(admin, 'user.invite', { email, role_id: 'admin', skip_invitation: true } as never)
  await page.goto(link!)
  await expect(page.getByRole('main')).toContainText(email)
  await page.getByLabel('First name').focus()
  await page.keyboard.press('Enter')
  for (const message of [MESSAGES.firstName, MESSAGES.lastName, MESSAGES.phoneBlank, MESSAGES.passwordBlank])
    await expect(page.getByText(message)).toBeVisible()
  for (const text of ['Noor', 'Haddad', '2125550143']) {
    await page.keyboard.type(text)
    await page.keyboard.press('Tab')
  }
  await page.keyboard.type(NEW)
  await page.getByLabel('Confirm password').focus()
  await page.keyboard.type(NEW)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/login/)
  await expect(page.getByRole('status')).toContainText('Your account is ready')
  await typeLogin(page, email, NEW)
  await expect(page).toHaveURL(/\/dashboard\//)
})

test('a registration without its whole link says so', async ({ page }) => {
  await page.goto('/registration?invitation_token=short')
  await expect(page.getByRole('main')).toContainText('Your invitation link is incomplete')
})

test('an account request’s message says what comes next', async ({ page }) => {
  await page.goto('/request-account')
  await page.getByLabel('Name').focus()
  await page.keyboard.press('Enter')
  for (const message of [MESSAGES.requestName, MESSAGES.requestCompany, MESSAGES.requestEmailBlank, MESSAGES.requestPhoneBlank])
    await expect(page.getByText(message)).toBeVisible()
  for (const text of ['Robin Vale', 'Vale Foods', 'robin@vale.test', '21255501']) {
    await page.keyboard.type(text)
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  await expect(page.getByText(MESSAGES.requestPhone)).toBeVisible()
  await page.keyboard.press('End')
  await page.keyboard.type('99')
  await expect(page.getByLabel('Phone')).toHaveValue('(212) 555-0199')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status')).toHaveText(`Account request sent. ${MESSAGES.requestFollows('Fieldwork')}`)
})
