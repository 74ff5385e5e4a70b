import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { href } from '../../src/routes.ts'
import { expect, test } from '../support/e2e.ts'
import {
  call,
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

// What a screen reader is told, and what is left for who sees little, or moves without a mouse. Every screen as it opens: screens.spec.ts.
test.describe.configure({ mode: 'parallel', timeout: 90_000 })
test.beforeEach(({ page }) => login(page))

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** What axe finds in a part of the page, in both themes, in words. */
async function faults(page: Page, part: string): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(page.locator('html')).toHaveClass(colorScheme === 'dark' ? /\bdark\b/ : /^(?!.*\bdark\b)/)
    const { violations } = await new AxeBuilder({ page }).include(part).withTags(RULES).analyze()
    found.push(
      ...violations.map(
        ({ id, nodes }) =>
          `${colorScheme}: ${id}: ${nodes
            .slice(0, 3)
            .map((node) => `${node.html.slice(0, 140)} ${node.failureSummary?.split('\n')[1] ?? ''}`)
            .join(' | ')}`,
      ),
    )
  }
  return found
}

/** Every `aria-activedescendant` on the page that names nothing, or nothing that is selected or under the cursor. */
const liars = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('[aria-activedescendant]')].flatMap((element) => {
      const id = element.getAttribute('aria-activedescendant')!
      const named = document.getElementById(id)
      if (!named) return [`${element.tagName} names ${id}, which is not on the page`]
      const chosen = named.getAttribute('aria-selected') === 'true' || named.hasAttribute('data-cursor')
      return chosen ? [] : [`${element.tagName} names ${id}, which is not chosen`]
    }),
  )

/** Presses keys one by one, and after each asks whether what is named to a screen reader is there. */
async function truly(page: Page, sequence: string): Promise<void> {
  for (const key of sequence.split(' ')) {
    await keys(page, key)
    await expect.poll(() => liars(page), { message: `after ${key}` }).toEqual([])
  }
}

test.describe('what has the focus is named truly after every key', () => {
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
    const project = await projectFor(page, 'project.assignPartner')
    await goTo(page, `${href('project', { id: project.id })}?do=project.assignPartner`)
    await expect(field(page)).toBeFocused()
    await truly(page, 'a ArrowDown ArrowDown Backspace e ArrowUp Escape')
  })
})

/** Opens the state that a name says, and answers the part of the page to look at. */
const states: Record<string, (page: Page) => Promise<string>> = {
  'the strip of keys that can follow': async (page) => {
    await keys(page, 'g')
    await expect(page.getByRole('status', { name: 'Keys that can follow' })).toContainText('Clients')
    return '[aria-label="Keys that can follow"]'
  },
  'a list with marked rows': async (page) => {
    await keys(page, 'x j Shift+j')
    await expect(pane(page)).toContainText('3 marked')
    return 'section[role=tabpanel]:not([inert])'
  },
  'the menu of sorting': async (page) => {
    await press(page, 'list.sort')
    await expect(page.getByRole('menu')).toBeVisible()
    return '[role=menu]'
  },
  'the filters': async (page) => {
    await press(page, 'list.filter')
    const shown = page.locator('[role=menu], [role=dialog]')
    await expect(shown.first()).toBeVisible()
    return '[role=menu], [role=dialog]'
  },
  'the menu of a row': async (page) => {
    await pane(page)
      .getByRole('button', { name: /^Everything for/ })
      .first()
      .press('Enter')
    await expect(page.getByRole('menu')).toBeVisible()
    return '[role=menu]'
  },
  'the ? sheet, searched': async (page) => {
    await press(page, 'help.keys')
    await page.getByRole('dialog').getByRole('searchbox').fill('tab')
    await expect(page.getByRole('dialog').getByText('Close tab', { exact: true })).toBeVisible()
    return '[role=dialog]'
  },
  'the palette': async (page) => {
    await search(page)
    await expect(selected(page)).toHaveCount(1)
    return '[data-palette]'
  },
  'the palette with results, some of which can’t run': async (page) => {
    await search(page, 'resume')
    await expect(selected(page)).toHaveCount(1)
    return '[data-palette]'
  },
  'the palette without results': async (page) => {
    await search(page, 'zzqqxx')
    await expect(palette(page)).toContainText('Nothing is called')
    return '[data-palette]'
  },
  'your menu': async (page) => {
    await page.getByRole('button', { name: /your menu$/ }).press('Enter')
    await expect(page.getByRole('menu')).toBeVisible()
    return '[role=menu]'
  },
  'a notice': async (page) => {
    await press(page, 'command.undo')
    await toast(page, 'There is nothing to undo.').hover()
    return '[data-sonner-toast]'
  },
}

test.describe('clean in both themes (WCAG 2.2 AA)', () => {
  const names = Object.keys(states)
  for (const half of [names.slice(0, 6), names.slice(6)]) {
    test(`${half[0]} to ${half.at(-1)}`, async ({ page }) => {
      await open(page, 'allProjects')
      for (const name of half) {
        await pane(page).locator('[role=grid], [role=treegrid]').focus()
        await list(page)
        expect.soft(await faults(page, await states[name]!(page)), name).toEqual([])
        await page.keyboard.press('Escape')
        await expect(page.locator('[role=dialog], [role=menu]'), `after ${name}`).toHaveCount(0)
      }
    })
  }

  test('each kind of question, and the review', async ({ page }) => {
    const quoted = (await call(page, 'project.list')).data.find((row) => row.allowed_actions.includes('project.setCost'))!
    const at = href('project', { id: quoted.id })
    const asks: [name: string, command: string, answer: string | null][] = [
      ['a record', 'project.assignPartner', null],
      ['a number', 'project.setCost', null],
      ['a date', 'project.setCost', '1200'],
      ['an option', 'project.setStatus', null],
      ['a file', 'project.addAsset', null],
      ['a text', 'note.create', null],
    ]
    for (const [name, command, answer] of asks) {
      await goTo(page, `${at}?do=${command}`)
      await expect(palette(page)).toBeVisible()
      await expect(palette(page).locator(':focus')).toHaveCount(1)
      if (answer) {
        await page.keyboard.type(answer)
        await page.keyboard.press('Enter')
        await expect(palette(page).locator('[data-pill]')).toHaveCount(1)
      }
      expect.soft(await faults(page, '[data-palette]'), name).toEqual([])
    }
    await goTo(page, `${at}?do=project.clone`)
    await expect(palette(page)).toContainText('Clone')
    expect.soft(await faults(page, '[data-palette]'), 'the review').toEqual([])
  })

  test('dialogs: of a command, of keys, of leaving; a pane that fails, and what can be restored', async ({ page }) => {
    await open(page, 'newSurveyRequest')
    await pane(page)
      .getByRole('textbox', { name: /project name|^name/i })
      .first()
      .fill('Not sent')
    await pane(page).getByRole('heading', { level: 1 }).first().click()
    await press(page, 'tab.close')
    await expect(page.getByRole('dialog')).toBeVisible()
    expect.soft(await faults(page, '[role=dialog]'), 'leaving').toEqual([])

    await open(page, 'account')
    await page.getByRole('searchbox', { name: 'Search commands' }).fill('Clients')
    await page.getByRole('button', { name: 'Change the keys of Clients', exact: true }).press('Enter')
    await expect(page.getByRole('dialog').getByLabel('Press the keys')).toBeFocused()
    await keys(page, 'g')
    await expect(page.getByRole('dialog').getByRole('status')).toContainText('Is the beginning of')
    expect.soft(await faults(page, '[role=dialog]'), 'keys').toEqual([])

    await goTo(page, '/dashboard/clients?beside=/no-such-screen')
    await expect(page.getByRole('button', { name: /Restore my panes/ })).toBeVisible()
    expect.soft(await faults(page, 'main'), 'an error pane and the offer').toEqual([])

    await list(page)
    await run(page, 'client.edit')
    expect.soft(await faults(page, '[data-palette], [role=dialog]'), 'a prefilled question').toEqual([])
  })

  test('regions, headings and landmarks', async ({ page }) => {
    const [project] = await projects(page)
    for (const path of [href('allProjects'), href('project', { id: project!.id }), href('account'), href('newSurveyRequest')]) {
      await goTo(page, path)
      const { violations } = await new AxeBuilder({ page })
        .withRules(['heading-order', 'landmark-one-main', 'landmark-unique', 'region', 'page-has-heading-one', 'bypass'])
        .analyze()
      const said = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)}`)
      expect.soft(said, path).toEqual([])
    }
  })
})

test.describe('the focus', () => {
  test('goes back to the very element when something over the page closes', async ({ page }) => {
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

  test('stays in a dialog however often Tab is pressed, and hears none of the page’s keys there', async ({ page }) => {
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
    await page.waitForTimeout(300)
    await expect(dialog).toBeVisible()
    await expect(page).toHaveURL(/all-projects$/)
  })

  test('goes past the frame by the first stop of Tab', async ({ page }) => {
    await open(page, 'allProjects')
    await list(page)
    const skip = page.getByRole('button', { name: 'To the content' })
    const first = await page.evaluate(() => document.querySelector('a[href], button, input, [tabindex="0"]')?.textContent)
    expect(first).toBe('To the content')
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
  test('of a column: arrows walk and show, Delete closes, the panel is named', async ({ page }) => {
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
    await expect(page).toHaveTitle(/^Clients – /)
    const panel = page.locator(`#${await first.getAttribute('aria-controls')}`)
    await expect(panel).toHaveRole('tabpanel')
    await expect(panel).toHaveAttribute('aria-labelledby', (await first.getAttribute('id'))!)
    await page.keyboard.press('End')
    await expect(second).toBeFocused()
    await page.keyboard.press('Delete')
    await expect(strip.getByRole('tab')).toHaveCount(1)
    await expect(first).toBeFocused()
  })

  test('of a screen: arrows walk and show, the panel is named', async ({ page }) => {
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

test.describe('what is said', () => {
  test('is read out politely, and a failure at once', async ({ page }) => {
    await open(page, 'allProjects')
    await list(page)
    await press(page, 'command.undo')
    await expect(toast(page, 'There is nothing to undo.')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Notices' })).toHaveAttribute('aria-live', 'polite')
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('no'))
    })
    await press(page, 'copy.link')
    await expect(page.locator('[data-sonner-toast]').getByRole('alert')).toContainText('does not let this page copy')
  })

  test('can be reached by a key', async ({ page }) => {
    await open(page, 'allProjects')
    await list(page)
    await press(page, 'command.undo')
    await expect(toast(page, 'There is nothing to undo.')).toBeVisible()
    await press(page, 'notices.focus')
    await expect(page.locator('[data-sonner-toast]:focus')).toContainText('There is nothing to undo.')
  })

  test('of a countdown is said once, not every second', async ({ page }) => {
    const project = await projectFor(page, 'project.notifyCost').catch(() => projectFor(page, 'project.mailPartner'))
    const id = project.allowed_actions.includes('project.notifyCost') ? 'project.notifyCost' : 'project.mailPartner'
    await page.clock.install()
    await open(page, 'project', { id: project.id })
    await run(page, id, ...(id === 'project.mailPartner' ? ['a'] : []))
    // An Enter pressed before the review is there confirms nothing.
    await expect(selected(page)).toHaveAttribute('data-row', 'go')
    await page.evaluate(() => {
      const said: string[] = []
      Object.assign(window, { said })
      new MutationObserver((changes) => {
        for (const { target } of changes) {
          const element = target instanceof Element ? target : target.parentElement
          const live = element?.closest('[aria-live], [role=status], [role=alert]')
          if (live && !element?.closest('[aria-hidden=true]')) said.push(element?.textContent ?? '')
        }
      }).observe(document.body, { subtree: true, childList: true, characterData: true })
    })
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

test.describe('for who', () => {
  test('wants no motion, nothing moves', async ({ page }) => {
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

  test('has colours of the system, focus and choice are lines', async ({ page }) => {
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

  test('zooms to 400 %, everything is in one column of 320 px', async ({ page }) => {
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

  test('hears titles, hears the active pane’s', async ({ page }) => {
    await goTo(page, '/dashboard/all-projects?beside=/clients')
    await expect(page).toHaveTitle(/^All projects – /i)
    await press(page, 'column.second')
    await expect(page).toHaveTitle(/^Clients – /)
    await ready(page)
    await expect(cursorRow(page)).toBeVisible()
  })
})
