import type { Page } from '@playwright/test'
import { fileOf, SCRIPTS } from '../clients/j-toker.ts'
import { expect, test } from '../support/e2e.ts'

// An app of others with j-toker, which needs jQuery and a browser; the other clients are in api/real-clients.

/** A promise of jQuery 1, whose handlers' results don't count. */
interface Deferred<T = unknown> {
  then(done: (value: T) => void, failed?: () => void): void
}
interface Toker {
  configure(config: object): Deferred
  emailSignIn(person: object): Deferred
  signOut(): Deferred
  user: { email?: string }
}
declare global {
  interface Window {
    $: { auth: Toker; get(url: string): Deferred<{ data: unknown[] }> }
  }
}

/** The app's page, opened or loaded again; resolves to whether its session is still valid. */
async function openApp(page: Page): Promise<boolean> {
  await page.goto('/their-app')
  return await page.evaluate(
    () =>
      new Promise<boolean>((valid) =>
        window.$.auth.configure({ apiUrl: '/v3/portal', storage: 'localStorage' }).then(
          () => valid(true),
          () => valid(false),
        ),
      ),
  )
}

test('j-toker signs in, keeps the session over a reload, and signs out', async ({ page, context }) => {
  const tags = SCRIPTS.map((name) => `<script src="/their-app/${name}"></script>`).join('')
  await page.route('**/their-app', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<title>Their app</title>${tags}` }),
  )
  await page.route('**/their-app/*', (route) =>
    route.fulfill({ contentType: 'text/javascript', path: fileOf(route.request().url().split('/').at(-1)!) }),
  )
  expect(await openApp(page)).toBe(false)
  const signIn = (password: string) =>
    page.evaluate(
      (person) =>
        new Promise<string | undefined>((signedIn) =>
          window.$.auth.emailSignIn(person).then(
            () => signedIn(window.$.auth.user.email),
            () => signedIn('refused'),
          ),
        ),
      { email: 'admin@fieldwork.test', password },
    )
  expect(await signIn('wrong')).toBe('refused')
  expect(await signIn('Fieldwork-1!')).toBe('admin@fieldwork.test')
  // Only what j-toker has stored counts from here.
  await context.clearCookies()
  const rows = () =>
    page.evaluate(
      () =>
        new Promise<number | string>((read) =>
          window.$.get('/v3/portal/projects?per_page=3').then(
            ({ data }) => read(data.length),
            () => read('refused'),
          ),
        ),
    )
  expect(await rows()).toBe(3)
  expect(await openApp(page)).toBe(true)
  expect(await rows()).toBe(3)
  await page.evaluate(() => new Promise<void>((ended) => window.$.auth.signOut().then(() => ended())))
  expect(await rows()).toBe('refused')
  expect(await openApp(page)).toBe(false)
})
