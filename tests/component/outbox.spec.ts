import { cursorRow, keys, list, open, pane, run, toast } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

/* Mails by keyboard: Enter opens the link of the one under the cursor. */

const MAIL = {
  ...{ id: 1, to_address: 'ann@mail.test', subject: 'Your invitation', status: 'outbox', error: '', attempts: 0, about: '' },
  ...{ not_before: '2026-01-05T09:00:00.000Z', created_at: '2026-01-05T09:00:00.000Z', sent_at: null },
  ...{ allowed_actions: ['outbox.reveal'], refused_actions: {} },
}

for (const [what, body, leads] of [
  ['opens its link', 'Hello,\nhttps://mail.test/registration?token=abc\n', true],
  ['says that there is none', 'Hello.', false],
] as const)
  test(`Enter on a mail ${what}`, async ({ page, context }) => {
    await page.route(
      (url) => url.pathname.startsWith('/v3/portal/outbox'),
      (route) =>
        route.fulfill({
          json: route.request().url().includes('/outbox/1')
            ? { data: { ...MAIL, body, html: '', secret: 'none' } }
            : { data: [MAIL], count: 1, page: 1 },
        }),
    )
    await context.route('https://mail.test/**', (route) => route.fulfill({ body: 'There' }))
    await open(page, 'outbox')
    await list(page)
    const opened = leads ? context.waitForEvent('page') : null
    await keys(page, 'Enter')
    if (!opened) return expect(toast(page, 'This email has no link.')).toBeVisible()
    const there = await opened
    await expect.poll(() => there.url()).toContain('mail.test/registration')
    await there.close()
  })

test('“Go to email…” finds an email by its address from anywhere, on whichever page and past the filters', {
  tag: '@quick',
}, async ({ page }) => {
  const mails = Array.from({ length: 60 }, (_, at) => ({
    ...{ ...MAIL, id: 60 - at, subject: 'Your quote', to_address: `person${60 - at}@mail.test` },
    status: at % 2 ? 'sent' : 'outbox',
  }))
  await page.route(
    (url) => url.pathname.startsWith('/v3/portal/outbox'),
    (route) => {
      const { pathname, searchParams: asked } = new URL(route.request().url())
      const id = /outbox\/(\d+)/.exec(pathname)?.[1]
      if (id) return route.fulfill({ json: { data: { ...mails[60 - Number(id)], body: 'Hello.', html: '', secret: 'none' } } })
      const status = asked.get('status')
      const found = mails.filter((one) => !status || status === one.status)
      const [from, size] = [(Number(asked.get('page') ?? 1) - 1) * Number(asked.get('per_page')), Number(asked.get('per_page'))]
      return route.fulfill({ json: { data: found.slice(from, from + size), count: found.length, page: 1 } })
    },
  )
  await open(page, 'outbox', {}, { query: { status: 'sent' } })
  await list(page)
  await run(page, 'outbox.goTo', 'person6@mail.test')
  await expect(cursorRow(page)).toContainText('person6@')
  await open(page, 'clients')
  await list(page)
  // Not the first one with a similar address.
  await run(page, 'outbox.goTo', 'person8@')
  await expect(cursorRow(page)).toContainText('person8@')
  await expect(page).toHaveURL(/entry=8/)
  await expect(pane(page).locator('[role=grid]')).toBeFocused()
})

test.describe('at 400 % zoom', { tag: '@quick' }, () => {
  test.use({ viewport: { width: 320, height: 256 } })

  test('an opened mail is below the list of mails, not over it', async ({ page }) => {
    await page.route(
      (url) => url.pathname.startsWith('/v3/portal/outbox'),
      (route) =>
        route.fulfill({
          json: route.request().url().includes('/outbox/')
            ? { data: { ...MAIL, body: 'Hello.', html: '', secret: 'none' } }
            : { data: [1, 2, 3, 4].map((id) => ({ ...MAIL, id })), count: 4, page: 1 },
        }),
    )
    await open(page, 'outbox')
    await list(page)
    const rows = (await pane(page).locator('[role=grid]').boundingBox())!
    const mail = (await pane(page).getByRole('complementary', { name: 'The email' }).boundingBox())!
    expect(mail.y).toBeGreaterThanOrEqual(rows.y + rows.height - 1)
  })
})
