import type { Page } from '@playwright/test'
import { expect, test } from '../support/e2e.ts'
import {
  allProjects,
  call,
  drawn,
  field,
  keys,
  login,
  open,
  palette,
  pane,
  projectFor,
  projects,
  run,
  selected,
  toast,
} from './verbs.ts'

// Keys have their whole intended effect, or none, with a notice. Tests are independent: two workers.
test.describe.configure({ mode: 'parallel' })
test.beforeEach(({ page }) => login(page))

/** Opens a project's specifications, and waits until its shortcuts work. */
async function at(page: Page, project: { id: number; name: string }): Promise<void> {
  await open(page, 'project', { id: project.id }, { tab: 'specifications' })
  await expect(pane(page).getByRole('heading', { level: 1, name: project.name })).toBeVisible()
}

/** Types like a fast typist. */
const type = (page: Page, text: string, delay = 20) => page.keyboard.type(text, { delay })

/** Holds code or responses until released. */
async function hold(page: Page, address: RegExp): Promise<() => void> {
  let come = () => {}
  const held = new Promise<void>((resolve) => {
    come = resolve
  })
  await page.route(address, async (route) => {
    if (route.request().resourceType() !== 'document') await held
    await route.continue()
  })
  return () => come()
}

test.describe('after a refusal', () => {
  test('of a command without a row to act on, nothing typed is run either', async ({ page }) => {
    const project = (await projects(page))[0]!
    await at(page, project)
    const aside = page.getByRole('navigation').first()
    await type(page, 'rr')
    await type(page, 'ws bad rows here')
    await expect(toast(page, 'What you typed wasn’t used')).toBeVisible()
    await expect(aside).toBeVisible()
  })
})

test('a review ignores the Enter after letters typed in it', async ({ page }) => {
  const project = await projectFor(page, 'project.complete', 'Active')
  await at(page, project)
  await keys(page, 'p e')
  await expect(selected(page)).toHaveAttribute('data-row', 'go')
  await expect(field(page)).toBeFocused()
  await drawn(page)
  await type(page, 'd reason')
  await expect(palette(page).getByRole('alert')).toContainText('“dreason” isn’t used here')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Enter')
  await expect(palette(page).getByRole('alert')).toContainText('Press Enter again')
  await expect(palette(page)).toHaveCount(1)
  expect((await call(page, 'project.get', { id: project.id })).data.stored_status).toBe('active')
  await keys(page, 'Escape')
  await expect(palette(page)).toHaveCount(0)
})

test('Enter waits for choices that are still loading, and so do the keys after it', async ({ page }) => {
  const project = (await allProjects(page, 'OnQuote')).find(({ partners }) => partners.length > 1)!
  await at(page, project)
  const come = await hold(page, /\/quote$/)
  await run(page, 'invitation.newLink')
  await expect(field(page)).toBeFocused()
  await type(page, project.partners[0]!.name)
  await page.keyboard.press('Enter')
  await type(page, 'zz')
  await page.keyboard.press('Enter')
  come()
  await expect(palette(page).getByRole('alert')).toContainText('isn’t used here')
  await expect(palette(page)).toContainText('Make a new link')
})
