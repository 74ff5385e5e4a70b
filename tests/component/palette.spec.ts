import { atProject, chip } from '../e2e/at-palette.ts'
import {
  call,
  columns,
  cursorRow,
  field,
  goTo,
  keys,
  list,
  named,
  open,
  palette,
  pane,
  press,
  projectFor,
  projects,
  rows,
  search,
  selected,
} from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

declare global {
  interface Window {
    /** While true, every look at the clock takes five milliseconds. */
    slow: boolean
  }
}

test.describe('opening and closing', () => {
  test('Ctrl+K opens it from within a field', async ({ page }) => {
    await open(page, 'allProjects')
    await list(page)
    await press(page, 'list.search')
    await expect(pane(page).getByRole('searchbox')).toBeFocused()
    await page.keyboard.press('Control+k')
    await expect(field(page)).toBeFocused()
  })

  test('text typed before it has opened isn’t lost', async ({ page }) => {
    let come = () => {}
    const held = new Promise<void>((resolve) => {
      come = resolve
    })
    await page.route('**/assets/Palette-*.js', async (route) => {
      await held
      await route.continue()
    })
    await open(page, 'allProjects')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('partners')
    await expect(palette(page)).toHaveCount(0)
    come()
    await expect(field(page)).toHaveValue('partners')
  })

  test('Escape returns the focus to where it was', async ({ page }) => {
    await open(page, 'allProjects')
    await list(page)
    await search(page)
    await page.keyboard.press('Escape')
    await expect(palette(page)).toBeHidden()
    await list(page)
    const before = (await cursorRow(page).textContent()) ?? ''
    await keys(page, 'j')
    await expect(cursorRow(page)).not.toHaveText(before)
  })

  test('reopened while it closes, it keeps the focus', async ({ page }) => {
    await goTo(page, '/dashboard/all-projects')
    await list(page)
    await search(page)
    // In one task, like fast hands on a slow machine: Radix restores the focus only after a timer.
    await page.evaluate(async () => {
      const press = (key: string, ctrlKey = false) =>
        document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true }))
      press('Escape')
      for (let turn = 0; turn < 1000 && document.querySelector('[role=dialog]'); turn++) await null
      if (document.querySelector('[role=dialog]')) throw new Error('The palette did not close in its own task.')
      press('k', true)
    })
    await expect(field(page)).toBeFocused()
    await page.keyboard.type('clone')
    await expect(field(page)).toHaveValue('clone')
  })
})

test.describe('what it acts on', () => {
  test('is shown by a chip', async ({ page }) => {
    const [project] = await projects(page)
    await atProject(page, project!)
    await search(page)
    await expect(chip(page)).toContainText(project!.name)
  })

  test('is dropped by Backspace on an empty field', async ({ page }) => {
    const [project] = await projects(page)
    await atProject(page, project!)
    await search(page)
    await expect(chip(page)).toBeVisible()
    await page.keyboard.press('Backspace')
    await expect(chip(page)).toHaveCount(0)
  })

  test('is the selected rows of a list, with their count', async ({ page }) => {
    await open(page, 'allProjects')
    await list(page)
    await keys(page, 'x j x')
    await search(page)
    await expect(chip(page)).toContainText('2 projects')
  })
})

test.describe('finding', () => {
  test('“inp” finds Invite partners first', async ({ page }) => {
    await atProject(page, await projectFor(page, 'project.invitePartners'))
    await search(page, 'inp')
    await expect(selected(page)).toHaveAttribute('data-command', 'project.invitePartners')
  })

  test('a typo still finds', async ({ page }) => {
    await open(page, 'allProjects')
    await search(page, 'prtners')
    await expect(rows(page, 'go.partners')).toBeVisible()
  })

  test('a command that can’t run now is greyed, with its reason', async ({ page }) => {
    const project = (await projects(page, 'Completed')).find((one) => one.refused_actions['project.pause'])!
    await atProject(page, project)
    await search(page, 'pause')
    const row = rows(page, 'project.pause')
    await expect(row).toHaveAttribute('data-off', '')
    await expect(row).toContainText(project.refused_actions['project.pause']!)
  })

  test('Enter on a greyed command does nothing', async ({ page }) => {
    const project = (await projects(page, 'Completed')).find((one) => one.refused_actions['project.pause'])!
    await atProject(page, project)
    await search(page, '>pause')
    // The first row that can run is selected, although the greyed one is above it.
    await expect(rows(page, 'project.pause')).toBeVisible()
    for (let at = 0; at < 10; at++) await page.keyboard.press('ArrowUp')
    await expect(selected(page)).toHaveAttribute('data-command', 'project.pause')
    await page.keyboard.press('Enter')
    await expect(field(page)).toHaveValue('>pause')
  })

  test('a command that can’t run now is left out while nothing is typed', async ({ page }) => {
    const project = (await projects(page, 'Completed')).find((one) => one.refused_actions['project.pause'])!
    await atProject(page, project)
    await search(page)
    await expect(rows(page).first()).toBeVisible()
    await expect(rows(page, 'project.pause')).toHaveCount(0)
  })

  test('> finds commands only', async ({ page }) => {
    const [project] = await projects(page)
    await open(page, 'allProjects')
    const [word] = project!.name.split(' ')
    await search(page, word)
    await expect(palette(page).locator('[data-row^="entity:"]').first()).toBeVisible()
    await field(page).fill(`>${word}`)
    await expect(palette(page).locator('[data-row^="entity:"]')).toHaveCount(0)
  })

  test('/ finds screens', async ({ page }) => {
    await open(page, 'allProjects')
    await search(page, '/clie')
    await expect(selected(page)).toHaveAttribute('data-command', 'go.clients')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/dashboard\/clients/)
  })

  test('@ finds people', async ({ page }) => {
    await open(page, 'allProjects')
    await search(page, '@a')
    await expect(palette(page).locator('[data-row^="entity:user:"]').first()).toBeVisible()
    await expect(palette(page).locator('[data-row^="entity:project:"]')).toHaveCount(0)
  })

  test('records of a kind that only a newer version knows aren’t offered', async ({ page }) => {
    await page.route('**/palette/index*', async (route) => {
      const answer = await route.fetch()
      const index = await answer.json()
      index.put.push(['gadget', 7, 'Zanzibar', ''], ['client', 8, 'Zanzibari Ltd', ''])
      await route.fulfill({ response: answer, json: index })
    })
    await open(page, 'allProjects')
    await search(page, 'zanzibar')
    await expect(palette(page).locator('[data-row="entity:client:8"]')).toBeVisible()
    await expect(palette(page).locator('[data-row^="entity:"]')).toHaveCount(1)
  })

  test('a row that was found late is gone once its name has changed', async ({ page, api }) => {
    await open(page, 'allProjects')
    const { data: client } = await call(page, 'client.create', { name: 'Zanzibari Ltd' })
    await search(page, 'zanzibar')
    const found = rows(page).filter({ hasText: 'Zanzibari Ltd' })
    await expect(found).toBeVisible()
    await expect.poll(() => api.isHeard).toBe(true)
    // Each step of a search takes longer than all of it may block the page.
    await page.evaluate(() => {
      const now = performance.now.bind(performance)
      let ahead = 0
      window.slow = true
      performance.now = () => {
        if (window.slow) ahead += 5
        return now() + ahead
      }
    })
    await page.keyboard.type('i')
    await expect(found).toBeVisible()
    await page.evaluate(() => {
      window.slow = false
    })
    await call(page, 'client.edit', { id: client.id, name: 'Other Ltd' })
    await expect(found).toHaveCount(0)
  })

  test('a new name is found even if it couldn’t be read at first', async ({ page, api }) => {
    await open(page, 'allProjects')
    await search(page, 'zanzibari')
    await expect(palette(page)).toContainText('No results for “zanzibari”')
    await expect.poll(() => api.isHeard).toBe(true)
    let reads = 0
    await page.route('**/palette/index*', (route) => (reads++ ? route.continue() : route.fulfill({ status: 503, json: {} })))
    await call(page, 'client.create', { name: 'Zanzibari Ltd' })
    await expect.poll(() => reads).toBe(1)
    await expect(rows(page).filter({ hasText: 'Zanzibari Ltd' })).toBeVisible()
  })

  test('# finds by number', async ({ page }) => {
    const project = (await projects(page))[3]!
    await open(page, 'allProjects')
    await search(page, `#${project.id}`)
    await expect(selected(page)).toContainText(project.name)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`/project-info/${project.id}/`))
  })

  test('? lists what works here with its keys', async ({ page }) => {
    await atProject(page, (await projects(page))[0]!)
    await search(page, '?')
    await expect(palette(page)).toContainText('Keys and commands')
    await expect(rows(page).first().locator('kbd')).not.toHaveCount(0)
  })

  test('never more than 50 rows are rendered', async ({ page }) => {
    await open(page, 'allProjects')
    for (const text of ['', 'a', '>', '/', '@a', '?']) {
      await search(page, text)
      await expect(rows(page).first()).toBeVisible()
      expect(await rows(page).count(), text).toBeLessThanOrEqual(50)
      await page.keyboard.press('Escape')
    }
  })

  test('a screen reader always announces the row that Enter would take', async ({ page }) => {
    await atProject(page, (await projects(page))[0]!)
    await search(page)
    for (const letter of 'asp'.concat('\b\b\b', '>go', '\b\b\b', 'tracker')) {
      await page.keyboard.press(letter === '\b' ? 'Backspace' : letter)
      await named(page)
    }
    await page.keyboard.press('ArrowDown')
    await named(page)
  })
})

test.describe('opening a result', () => {
  test('Alt+Enter opens it beside and leaves the palette open', async ({ page }) => {
    const [project] = await projects(page)
    await open(page, 'clients')
    await search(page, `#${project!.id}`)
    await expect(selected(page)).toContainText(project!.name)
    await page.keyboard.press('Alt+Enter')
    await expect(columns(page)).toHaveCount(2)
    await expect(field(page)).toBeFocused()
  })

  test('Tab on a record shows its commands', async ({ page }) => {
    const project = await projectFor(page, 'project.invitePartners')
    await open(page, 'clients')
    await search(page, `#${project.id}`)
    await expect(selected(page)).toContainText(project.name)
    await page.keyboard.press('Tab')
    await expect(chip(page)).toContainText(project.name)
    await expect(rows(page, 'project.invitePartners')).toBeVisible()
  })

  test('a pasted link can be opened', async ({ page }) => {
    await open(page, 'allProjects')
    await search(page, `${new URL(page.url()).origin}/dashboard/clients?beside=/surveyProjects`)
    await expect(selected(page)).toContainText('Open Clients')
    await page.keyboard.press('Enter')
    await expect(columns(page)).toHaveCount(2)
    await expect(page).toHaveURL(/clients\?beside=\/surveyProjects/)
  })
})
