import { goTo, list, open, pane, press, toast } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

declare global {
  interface Window {
    copied: string[]
  }
}

test('a link is copied at its first key where only the key itself may copy, as in WebKit', async ({ page }) => {
  await page.addInitScript(() => {
    let isEvent = false
    for (const type of ['keydown', 'click'])
      addEventListener(
        type,
        () => {
          isEvent = true
          setTimeout(() => {
            isEvent = false
          })
        },
        { capture: true },
      )
    window.copied = []
    const allowed = () => {
      if (!isEvent) throw new DOMException('The request is not allowed.', 'NotAllowedError')
    }
    const value = {
      async writeText(text: string) {
        allowed()
        window.copied.push(text)
      },
      async write([item]: ClipboardItem[]) {
        allowed()
        const text = await item!.getType('text/plain')
        window.copied.push(await text.text())
      },
    }
    Object.defineProperty(navigator, 'clipboard', { value })
  })
  await open(page, 'allProjects')
  await list(page)
  const copied = () => page.evaluate(() => window.copied)
  await press(page, 'copy.link')
  await expect(toast(page, /^Copied: .*all-projects/)).toBeVisible()
  expect(await copied()).toEqual([expect.stringMatching(/\/dashboard\/all-projects$/)])
  await press(page, 'copy.snapshot')
  await expect.poll(copied).toEqual([expect.anything(), expect.stringMatching(/\/w\//)])
})

test('a text area grows with its text where the browser doesn’t let it', async ({ page }) => {
  await page.addInitScript(() => {
    const { supports } = CSS
    CSS.supports = ((...of: [string]) => of[0] !== 'field-sizing' && supports.apply(CSS, of)) as typeof CSS.supports
    addEventListener('DOMContentLoaded', () => {
      const style = new CSSStyleSheet()
      style.replaceSync('textarea { field-sizing: fixed !important }')
      document.adoptedStyleSheets.push(style)
    })
  })
  await goTo(page, '/dashboard/new-project-form')
  const text = pane(page).getByRole('textbox', { name: /^Description/ })
  await text.fill('one')
  const small = (await text.boundingBox())!.height
  await text.fill(['one', 'two', 'three', 'four', 'five', 'six', 'seven'].join('\n'))
  await expect.poll(async () => (await text.boundingBox())!.height).toBeGreaterThan(small + 60)
  expect(await text.evaluate((one) => one.scrollHeight <= one.clientHeight)).toBe(true)
  await text.fill('one')
  await expect.poll(async () => (await text.boundingBox())!.height).toBe(small)
})

test('a browser that lacks what the page needs is told so', async ({ page }) => {
  const errors: string[] = []
  await page.addInitScript(() => {
    Reflect.deleteProperty(Map, 'groupBy')
  })
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  await page.goto('/dashboard/all-projects')
  await expect(page.getByRole('alert')).toHaveText(
    /This page needs a newer browser: Chrome or Edge 120, Firefox 125, Safari 17\.4/,
  )
  await expect(page.locator('body')).not.toContainText('All projects')
  // The page's policy for scripts lets it run.
  expect(errors.filter((text) => text.includes('Content Security Policy'))).toEqual([])
})
