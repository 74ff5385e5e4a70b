import type { Page } from '@playwright/test'
import { href } from '../../src/routing/routes.ts'
import { expect, test } from '../support/e2e.ts'
import { COLOURS, faults, WCAG, wear } from './axe.ts'
import {
  call,
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
  run,
  search,
  selected,
  toast,
} from './verbs.ts'

// Runs axe on whatever opens over a screen, and on questions and notices. For the screens, see screens.spec.ts.
test.describe.configure({ mode: 'parallel', timeout: 90_000 })
test.beforeEach(({ page }) => login(page))

/** The rules for landmarks and headings. */
const REGIONS = {
  type: 'rule',
  values: ['heading-order', 'landmark-one-main', 'landmark-unique', 'region', 'page-has-heading-one', 'bypass'],
} as const

/** The violations that axe finds in a part of the page, and those of colors in the other theme, which it then wears. */
async function inBothThemes(page: Page, part: string): Promise<string[]> {
  const isDark = await page.locator('html.dark').count()
  const [first, second] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const)
  await wear(page, first)
  const found = (await faults(page, WCAG, part)).map((fault) => `${first}: ${fault}`)
  await wear(page, second)
  found.push(...(await faults(page, COLOURS, part)).map((fault) => `${second}: ${fault}`))
  return found
}

/** Opens each named state, and returns the part of the page to check. */
const states: Record<string, (page: Page) => Promise<string>> = {
  'the strip of keys that can follow': async (page) => {
    await keys(page, 'g')
    await expect(page.getByRole('status', { name: 'Keys that can follow' })).toContainText('Clients')
    return '[aria-label="Keys that can follow"]'
  },
  'a list with selected rows': async (page) => {
    await keys(page, 'x j Shift+j')
    await expect(pane(page)).toContainText('3 selected')
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
      .getByRole('button', { name: /^All actions for/ })
      .first()
      .press('Enter')
    await expect(page.getByRole('menu')).toBeVisible()
    return '[role=menu]'
  },
  'the ? sheet, searched': async (page) => {
    await press(page, 'help.keys')
    await page.getByRole('dialog').getByRole('combobox').fill('tab')
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
    await expect(palette(page)).toContainText('No results for')
    return '[data-palette]'
  },
  'your menu': async (page) => {
    await page.getByRole('button', { name: /your menu$/ }).press('Enter')
    await expect(page.getByRole('menu')).toBeVisible()
    return '[role=menu]'
  },
  'a notice': async (page) => {
    await press(page, 'command.undo')
    await toast(page, 'Nothing to undo.').hover()
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
        expect.soft(await inBothThemes(page, await states[name]!(page)), name).toEqual([])
        await page.keyboard.press('Escape')
        await expect(page.locator('[role=dialog], [role=menu]'), `after ${name}`).toHaveCount(0)
      }
    })
  }

  test('each kind of question, and the review', async ({ page }) => {
    const quoted = (await call(page, 'project.list')).data.find((row) => row.stored_status === 'submit_approval')!
    const at = href('project', { id: quoted.id })
    const asking = href('project', { id: (await projectFor(page, 'project.invitePartners')).id })
    const asks: [name: string, command: string, answer: string | null][] = [
      ['records', 'project.invitePartners', null],
      ['a number', 'project.setCost', null],
      ['a date', 'project.setCost', '1200'],
      ['an option', 'project.setStatus', null],
      ['a file', 'project.addAsset', null],
      ['a text', 'note.create', null],
    ]
    for (const [name, command, answer] of asks) {
      await goTo(page, `${command === 'project.invitePartners' ? asking : at}?do=${command}`)
      await expect(palette(page)).toBeVisible()
      await expect(palette(page).locator(':focus')).toHaveCount(1)
      if (answer) {
        await page.keyboard.type(answer)
        await page.keyboard.press('Enter')
        await expect(palette(page).locator('[data-pill]')).toHaveCount(1)
      }
      expect.soft(await inBothThemes(page, '[data-palette]'), name).toEqual([])
    }
    await goTo(page, `${at}?do=project.clone`)
    await expect(palette(page)).toContainText('Clone')
    expect.soft(await inBothThemes(page, '[data-palette]'), 'the review').toEqual([])
  })

  test('dialogs: of a command, of shortcuts, of unsaved changes; a failed pane, and what can be restored', async ({ page }) => {
    await open(page, 'newSurveyRequest')
    await pane(page)
      .getByRole('textbox', { name: /project name|^name/i })
      .first()
      .fill('Not sent')
    await pane(page).getByRole('heading', { level: 1 }).first().click()
    await press(page, 'tab.close')
    await expect(page.getByRole('dialog')).toBeVisible()
    expect.soft(await inBothThemes(page, '[role=dialog]'), 'leaving').toEqual([])

    await open(page, 'account')
    await page.getByRole('searchbox', { name: 'Search commands' }).fill('Clients')
    await page.getByRole('button', { name: 'Change the keys of Clients', exact: true }).press('Enter')
    await expect(page.getByRole('dialog').getByLabel('Press the keys')).toBeFocused()
    await keys(page, 'g')
    await expect(page.getByRole('dialog').getByRole('status')).toContainText('Is the beginning of')
    expect.soft(await inBothThemes(page, '[role=dialog]'), 'keys').toEqual([])

    await goTo(page, '/dashboard/account?beside=/clients')
    await goTo(page, '/dashboard/clients?beside=/no-such-screen')
    await expect(page.getByRole('button', { name: /Restore my panes/ })).toBeVisible()
    expect.soft(await inBothThemes(page, 'main'), 'an error pane and the offer').toEqual([])

    await list(page)
    await run(page, 'client.edit')
    expect.soft(await inBothThemes(page, '[data-palette], [role=dialog]'), 'a prefilled question').toEqual([])
  })

  test('regions, headings and landmarks', async ({ page }) => {
    const [project] = await projects(page)
    for (const path of [href('allProjects'), href('project', { id: project!.id }), href('account'), href('newSurveyRequest')]) {
      await goTo(page, path)
      const regionFaults = await faults(page, REGIONS)
      expect.soft(regionFaults, path).toEqual([])
    }
  })

  test('violations would be found', async ({ page }) => {
    await open(page, 'clients')
    await list(page)
    await pane(page).evaluate((pane) => {
      const box = document.createElement('div')
      box.innerHTML =
        '<p id="pale">Pale</p><p id="dim">Dim</p><input id="nameless"><img id="blind" src="/favicon.svg"><div role="row"></div>'
      box.querySelector<HTMLElement>('#pale')!.style.color = '#ccc'
      box.querySelector<HTMLElement>('#dim')!.style.color = '#333'
      pane.append(box)
    })
    const found = (await inBothThemes(page, 'section[role=tabpanel]:not([inert])')).join('\n')
    for (const fault of [
      'light: color-contrast: #pale',
      'light: label: #nameless',
      'light: image-alt: #blind',
      'dark: color-contrast: #dim',
    ])
      expect.soft(found).toContain(fault)
  })
})
