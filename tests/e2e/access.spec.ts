import type { Page } from '@playwright/test'
import { href } from '../../src/routing/routes.ts'
import { expect, test } from '../support/e2e.ts'
import {
  cursorRow,
  drawn,
  field,
  goTo,
  keys,
  list,
  login,
  open,
  palette,
  pane,
  press,
  projectFor,
  projects,
  ready,
  run,
  search,
  selected,
  toast,
} from './verbs.ts'

// For people who use a screen reader, have low vision or don't use a mouse. For the screens, see screens.spec.ts.
test.describe.configure({ mode: 'parallel', timeout: 90_000 })
test.beforeEach(({ page }) => login(page))

/** Every `aria-activedescendant` that refers to nothing, or to an element neither selected nor at the cursor. */
const liars = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('[aria-activedescendant]')].flatMap((element) => {
      const id = element.getAttribute('aria-activedescendant')!
      const named = document.getElementById(id)
      if (!named) return [`${element.tagName} names ${id}, which is not on the page`]
      const chosen = named.getAttribute('aria-selected') === 'true' || named.closest('[data-cursor]') !== null
      return chosen ? [] : [`${element.tagName} names ${id}, which is not chosen`]
    }),
  )

/** Presses keys one by one, checking after each that `aria-activedescendant` refers to something real. */
async function truly(page: Page, sequence: string): Promise<void> {
  for (const key of sequence.split(' ')) {
    await keys(page, key)
    await expect.poll(() => liars(page), { message: `after ${key}` }).toEqual([])
  }
}

test.describe('the focused element’s name is right after every key', () => {
  test('in a list', async ({ page }) => {
    await open(page, 'allProjects')
    await list(page)
    await truly(page, 'j k Shift+g g g Shift+j x * Escape ] j l')
    await expect(pane(page).locator('[role=grid], [role=treegrid]')).toHaveAttribute('aria-activedescendant', /./)
  })

  test('in the palette', async ({ page }) => {
    await open(page, 'allProjects')
    await list(page)
    await page.keyboard.press('Control+k')
    await expect(field(page)).toBeFocused()
    await truly(page, 'p a ArrowDown ArrowDown ArrowUp z q x Backspace Backspace Backspace')
    await expect(field(page)).toHaveAttribute('aria-controls', /./)
    await expect(page.locator(`#${await field(page).getAttribute('aria-controls')}`.replaceAll(':', '\\:'))).toHaveRole('listbox')
  })

  test('in a command’s questions', async ({ page }) => {
    const project = await projectFor(page, 'project.invitePartners')
    await goTo(page, `${href('project', { id: project.id })}?do=project.invitePartners`)
    await expect(field(page)).toBeFocused()
    await truly(page, 'a ArrowDown ArrowDown Backspace e ArrowUp Escape')
  })
})

test.describe('the focus', () => {
  test('returns to the same element when an overlay closes', async ({ page }) => {
    await open(page, 'clients')
    await list(page)
    const sort = pane(page).getByRole('button', { name: /^Sort/ }).first()
    await sort.focus()
    const over: [string, string][] = [
      ['Control+k', '[data-palette]'],
      ['Shift+?', '[role=dialog]'],
    ]
    for (const [key, part] of over) {
      await page.keyboard.press(key)
      await expect(page.locator(part).locator(':focus')).toHaveCount(1)
      await page.keyboard.press('Escape')
      await expect(page.locator(part)).toHaveCount(0)
      await expect(sort, key).toBeFocused()
    }
    await sort.press('Enter')
    await expect(page.getByRole('menu')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(sort).toBeFocused()
    await page.keyboard.press('Control+\\')
    await expect(page.locator('[data-column]')).toHaveCount(2)
    await press(page, 'tab.close')
    await expect(page.locator('[data-column]')).toHaveCount(1)
    await expect(sort).toBeFocused()
  })

  test('stays in a dialog through any Tab, without the page’s shortcuts', async ({ page }) => {
    await open(page, 'allProjects')
    await list(page)
    await press(page, 'help.keys')
    const dialog = page.getByRole('dialog', { name: 'Keys and commands' })
    await expect(dialog.locator(':focus')).toHaveCount(1)
    for (let i = 0; i < 6; i++) {
      await page.keyboard.press(i % 3 ? 'Tab' : 'Shift+Tab')
      await expect(dialog.locator(':focus')).toHaveCount(1)
    }
    await dialog.getByRole('button', { name: 'Close' }).focus()
    await keys(page, 'g c')
    await drawn(page)
    await expect(dialog).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(page).toHaveURL(/all-projects$/)
  })

  test('skips the frame by the first tab stop', async ({ page }) => {
    await open(page, 'allProjects')
    await list(page)
    const skip = page.getByRole('button', { name: 'Skip to content' })
    const first = await page.evaluate(() => document.querySelector('a[href], button, input, [tabindex="0"]')?.textContent)
    expect(first).toBe('Skip to content')
    await skip.focus()
    await expect(skip).toBeInViewport()
    await page.keyboard.press('Enter')
    await expect(pane(page).locator(':focus')).toHaveCount(1)
  })

  test('of a menu that opens for the first time is on its first item', async ({ page }) => {
    await open(page, 'allProjects')
    await list(page)
    const you = page.getByRole('button', { name: /your menu$/ })
    await you.focus()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('menu').getByRole('menuitem').first()).toBeFocused()
  })
})

test.describe('tabs', () => {
  test('of a column: arrows move and select, Delete closes, the panel is named', async ({ page }) => {
    await open(page, 'clients')
    await list(page)
    await press(page, 'go.allProjects')
    await expect(page).toHaveURL(/all-projects/)
    await list(page)
    const strip = page.getByRole('tablist', { name: 'Open screens' })
    const [first, second] = [strip.getByRole('tab').nth(0), strip.getByRole('tab').nth(1)]
    await second.focus()
    await page.keyboard.press('ArrowLeft')
    await expect(first).toBeFocused()
    await expect(first).toHaveAttribute('aria-selected', 'true')
    await expect(second).toHaveAttribute('tabindex', '-1')
    await expect(page).toHaveTitle(/^(\(\d+\) )?Clients – /)
    const panel = page.locator(`#${await first.getAttribute('aria-controls')}`)
    await expect(panel).toHaveRole('tabpanel')
    await expect(panel).toHaveAttribute('aria-labelledby', (await first.getAttribute('id'))!)
    await page.keyboard.press('End')
    await expect(second).toBeFocused()
    await page.keyboard.press('Delete')
    await expect(strip.getByRole('tab')).toHaveCount(1)
    await expect(first).toBeFocused()
  })

  test('of a screen: arrows move and select, the panel is named', async ({ page }) => {
    const [project] = await projects(page)
    await open(page, 'project', { id: project!.id })
    const row = pane(page).getByRole('tablist', { name: 'Project' })
    const tab = row.getByRole('tab', { selected: true })
    await tab.focus()
    const before = (await tab.getAttribute('id'))!
    await page.keyboard.press('ArrowRight')
    await expect(tab).not.toHaveAttribute('id', before)
    await expect(tab).toBeFocused()
    const id = (await tab.getAttribute('id'))!
    await expect(page.locator(`#${await tab.getAttribute('aria-controls')}`)).toHaveAttribute('aria-labelledby', id)
  })
})

test.describe('an announcement', () => {
  test('is polite, and assertive for a failure', async ({ page }) => {
    await open(page, 'allProjects')
    await list(page)
    await press(page, 'command.undo')
    await expect(toast(page, 'Nothing to undo.')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Notices' })).toHaveAttribute('aria-live', 'polite')
    await page.evaluate(() => {
      navigator.clipboard.writeText = navigator.clipboard.write = () => Promise.reject(new Error('no'))
    })
    await press(page, 'copy.link')
    await expect(toast(page, 'blocked copying')).toBeVisible()
  })

  test('can be reached by a key', async ({ page }) => {
    await open(page, 'allProjects')
    await list(page)
    await press(page, 'command.undo')
    await expect(toast(page, 'Nothing to undo.')).toBeVisible()
    await press(page, 'notices.focus')
    await expect(page.locator('[data-sonner-toast]:focus')).toContainText('Nothing to undo.')
  })

  test('of a countdown is made once, not every second', async ({ page }) => {
    const project = await projectFor(page, 'project.sendQuote')
    await page.clock.install()
    await open(page, 'project', { id: project.id })
    await run(page, 'project.sendQuote')
    // An Enter pressed before the review appears confirms nothing.
    await expect(selected(page)).toHaveAttribute('data-row', 'go')
    await expect(field(page)).toBeFocused()
    await page.evaluate(() => {
      const announced: string[] = []
      Object.assign(window, { said: announced })
      new MutationObserver((changes) => {
        for (const { target } of changes) {
          const element = target instanceof Element ? target : target.parentElement
          const live = element?.closest('[aria-live], [role=status], [role=alert]')
          if (live && !element?.closest('[aria-hidden=true]')) announced.push(element?.textContent ?? '')
        }
      }).observe(document.body, { subtree: true, childList: true, characterData: true })
    })
    await drawn(page)
    await page.keyboard.press('Enter')
    await expect(page.locator('[data-sonner-toast]').getByRole('button', { name: 'Undo' })).toBeVisible()
    await page.clock.runFor(2500)
    await drawn(page)
    const ticks = await page.evaluate(() =>
      (window as never as { said: string[] }).said.filter((text) => /\bin \d+ s$/.test(text)),
    )
    expect(ticks).toEqual([])
    await press(page, 'command.undo')
  })
})

test.describe('for users who', () => {
  test('want no motion, nothing moves', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await open(page, 'allProjects')
    await list(page)
    await press(page, 'command.undo')
    await expect(page.locator('[data-sonner-toast]')).toBeVisible()
    await press(page, 'help.keys')
    await expect(page.getByRole('dialog')).toBeVisible()
    const moving = await page.evaluate(() =>
      document.getAnimations().map((one) => String((one.effect as KeyframeEffect | null)?.target?.className)),
    )
    expect(moving).toEqual([])
  })

  test('have system colours, focus and selection are outlines', async ({ page }) => {
    await page.emulateMedia({ forcedColors: 'active' })
    await open(page, 'allProjects')
    await list(page)
    const outlined = (part: string) =>
      page
        .locator(part)
        .first()
        .evaluate((element) => getComputedStyle(element).outlineStyle)
    expect(await outlined('[role=row][data-cursor]'), 'the row under the cursor').not.toBe('none')
    expect(await outlined('[role=tab][aria-selected=true]'), 'the shown tab').not.toBe('none')
    expect(await outlined('nav [aria-current=page]'), 'the screen in the sidebar').not.toBe('none')
    await search(page, 'cl')
    await expect(selected(page)).toHaveCount(1)
    expect(await outlined('[data-palette] [role=option][aria-selected=true]'), 'the row of the palette').not.toBe('none')
  })

  test('zoom to 400 %, everything is in one column of 320 px', async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 256 })
    const [project] = await projects(page)
    for (const path of [href('allProjects'), href('project', { id: project!.id }), href('newSurveyRequest'), href('account')]) {
      await goTo(page, path)
      expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(320)
    }
    await page.keyboard.press('Control+k')
    await expect(field(page)).toBeFocused()
    await expect
      .poll(async () => {
        const box = (await palette(page).boundingBox())!
        return box.x >= 0 && box.x + box.width <= 320
      })
      .toBe(true)
    await expect(selected(page)).toBeInViewport()
  })

  test('hear page titles, the title is the active pane’s', async ({ page }) => {
    await goTo(page, '/dashboard/all-projects?beside=/clients')
    await expect(page).toHaveTitle(/^(\(\d+\) )?All projects – /i)
    await press(page, 'column.second')
    await expect(page).toHaveTitle(/^(\(\d+\) )?Clients – /)
    await ready(page)
    await expect(cursorRow(page)).toBeVisible()
  })
})
