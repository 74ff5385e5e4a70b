import type { Locator } from '@playwright/test'
import sharp from 'sharp'
import { hashPassword } from '../../server/core/passwords.ts'
import { atProject } from '../e2e/at-palette.ts'
import { faults } from '../e2e/axe.ts'
import {
  call,
  columns,
  cursorRow,
  dialog,
  field,
  keys,
  list,
  open,
  palette,
  pane,
  press,
  projectFor,
  projects,
  ready,
  review,
  rows,
  run,
  search,
  select,
  selected,
  toast,
} from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'
import { listen } from '../support/ears.ts'
import { figures } from '../support/marketplace.ts'

test.describe('with a screen reader', () => {
  test('inviting a partner and setting the cost announces whom it is about, how many match, and the review before Enter', async ({
    page,
    api,
  }) => {
    const project = await projectFor(page, 'project.invitePartners')
    await atProject(page, project)
    const ears = await listen(page)
    await press(page, 'project.invitePartners')
    await ears.hear(
      'dialog, Invite partners…',
      `combobox, Partners, Invite partners: ${project.name}.`,
      /^option, Panel North answers 0\s%, selected, not checked/,
    )
    await page.keyboard.type('qui')
    await ears.hear(/^option, Quick Answers answers 0\s%/, 'polite: 1 choice')
    await keys(page, 'Enter')
    await ears.hear('option, Continue with 1')
    await keys(page, 'Enter')
    await ears.hear(
      `polite: Invite this partner to “${project.name}”? Each gets an email with a link of its own, valid for 14 days.`,
      'option, Invite',
    )
    await expect(field(page)).toHaveAccessibleDescription(
      new RegExp(`^Invite partners: ${project.name}\\. Partners: Quick Answers\\..*Each gets an email`),
    )
    expect(api.writes).toEqual([])
    await review(page, 'Each gets an email')
    await ears.hear(/^polite: .*partners? invited/)
    await search(page, 'Set cost')
    await ears.hear(`combobox, Search or run a command, Acts on ${project.name}.`, /^option, Set cost/)
    await select(page, rows(page, 'project.setCost'))
    await keys(page, 'Enter')
    await ears.hear('combobox, Cost, Set cost: Cedar')
  })
})

test('with a screen reader, signing in and opening a project announces fields, errors, the list and the opened name', async ({
  page,
  api,
}) => {
  await api.set('users', api.me.id, { email: 'admin@fieldwork.test', password_hash: await hashPassword('Fieldwork-1!') })
  api.refusals.set('session.validate', { status: 401, body: { message: 'Sign in.', code: 'signed_out', fields: {} } })
  await page.goto('/login')
  const name = page.getByLabel('Username (email)')
  await expect(name).toBeFocused()
  const door = await listen(page)
  await keys(page, 'Tab')
  await door.hear(/^Password/)
  await keys(page, 'Enter')
  await door.hear(/^textbox, Username \(email\).*invalid/)
  await page.keyboard.type('admin@fieldwork.test')
  await keys(page, 'Tab')
  await page.keyboard.type('Fieldwork-1!')
  await door.forget()
  api.refusals.clear()
  await keys(page, 'Enter')
  await list(page)
  const ears = await listen(page)
  const [project] = await projects(page)
  await search(page, project!.name)
  await ears.hear('combobox, Search or run a command', new RegExp(`^option, .*${project!.name}`))
  await keys(page, 'Enter')
  await expect(page.getByRole('heading', { level: 1, name: project!.name })).toBeVisible()
  await ears.hear(/^tabpanel, /)
})

test('with a screen reader, requesting a survey announces each field’s name and need, what is missing, and what sending does', async ({
  page,
}) => {
  await open(page, 'newSurveyRequest')
  const ears = await listen(page)
  await pane(page).getByLabel('Project name *').focus()
  await ears.hear(/^textbox, Project name.*required/)
  await keys(page, 'Mod+Enter')
  await ears.hear(/^combobox, Client, Client is required/, /^assertive: Fix \d+ errors\. /)
  await pane(page).getByLabel('Project name *').focus()
  await ears.hear(/^textbox, Project name.*invalid/)
  await page.keyboard.type('By ear')
  await keys(page, 'Tab')
  await ears.hear(/^polite: \d+ (errors )?left/)

  await pane(page).getByLabel('Client *').focus()
  await keys(page, 'ArrowDown Enter')
  await pane(page).getByLabel('Project name *').focus()
  await keys(page, 'Tab')
  await page.keyboard.type('400')
  await keys(page, 'Tab')
  await ears.forget()
  await page.keyboard.type('tomorrow', { delay: 60 })
  await keys(page, 'Tab Tab')
  await ears.hear(/^textbox, Length of interview|^textbox, End date/)
  expect((await ears.heard()).filter((phrase) => phrase.includes('isn’t a date'))).toEqual([])
  await page.keyboard.type('12')
  await keys(page, 'Tab')
  await page.keyboard.type('45')
  await keys(page, 'F8 Tab')
  await page.keyboard.type('https://survey.example/by-ear')
  await keys(page, 'F8 Tab Space')
  await ears.hear('checkbox, All, not checked', 'polite: 6 of 7 · Still needed: Location')
  await keys(page, 'Tab ArrowRight Space F8 ArrowRight')
  await expect(pane(page).getByRole('button', { name: 'Top 10' })).toBeEnabled()
  await keys(page, 'Tab Tab Enter')
  await expect(pane(page).getByText('7 of 7').first()).toBeVisible()
  await ears.hear('polite: 7 of 7')
  await keys(page, 'Mod+Enter')
  await dialog(page, 'Request created')
  await ears.hear(/^dialog, Request created, .*pending/, 'button, OK')
  expect((await ears.heard()).filter((phrase) => phrase.includes('Still needed'))).toEqual([])
  await keys(page, 'Enter')
  await ears.hear(/^tabpanel, .* · Specifications/)
})

test('with a screen reader, reviewing rewards announces the selection, its sum and that it can be undone, before Enter pays', async ({
  page,
  api,
}) => {
  await open(page, 'project', { id: api.market.rewards[0]!.project_id }, { tab: 'rewardCenter' })
  await list(page)
  const ears = await listen(page)
  await keys(page, 'x j x')
  await ears.hear(/^polite: .*2 selected/)
  await press(page, 'entry.redeem')
  await ears.hear('Reward', /^polite: .*(You can undo it until then|Some repeat)/)
})

test('with a screen reader, comparing two projects announces the focused column, and whose each chart is', async ({ page }) => {
  const [one, other] = await projects(page)
  await open(page, 'project', { id: one!.id }, { tab: 'overview' })
  const ears = await listen(page)
  await run(page, 'compare.open')
  await page.keyboard.type(other!.name)
  await ears.hear('combobox', other!.name)
  await keys(page, 'Enter Enter')
  await ears.hear('polite: The columns are linked.')
  expect(await faults(page, { type: 'rule', values: ['landmark-unique'] })).toEqual([])
  await expect(page.getByRole('region', { name: `Age: ${one!.name}` })).toHaveCount(1)
  await keys(page, 'Alt+2')
  await ears.hear(`polite: Column 2 of 2: ${other!.name}.`)
  await press(page, 'compare.unlink')
  await ears.hear('polite: The columns are unlinked.')
})

test('with a screen reader, a preview beside is announced though the focus stays', async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  const ears = await listen(page)
  await press(page, 'list.preview')
  await ears.hear(/^polite: .+ opened beside, in column 2\.$/)
})

test.describe('a notice', () => {
  test('stays while focused, has its text as its name, and Escape returns the focus', { tag: '@quick' }, async ({ page }) => {
    await page.clock.install()
    await open(page, 'allProjects')
    await list(page)
    await press(page, 'command.undo')
    await expect(toast(page, 'Nothing to undo.')).toBeVisible()
    await press(page, 'notices.focus')
    const notice = page.locator('[data-sonner-toast]:focus')
    await expect(notice).toHaveAccessibleName('Nothing to undo.')
    await page.clock.runFor(20_000)
    await expect(notice).toBeVisible()
    await keys(page, 'Escape')
    await expect(pane(page).locator(':focus')).toHaveCount(1)
    await page.clock.runFor(5000)
    await expect(page.locator('[data-sonner-toast]')).toHaveCount(0)
  })
})

test('with the preference set, notices stay until closed', async ({ page }) => {
  await call(page, 'account.edit', { preferences: { notices_stay: true } } as never)
  await page.clock.install()
  await open(page, 'allProjects')
  await list(page)
  await press(page, 'command.undo')
  await expect(toast(page, 'Nothing to undo.')).toBeVisible()
  await page.clock.runFor(60_000)
  await expect(toast(page, 'Nothing to undo.')).toBeVisible()
})

test('with a screen reader, Tab on a project in the palette announces what it acts on now', async ({ page }) => {
  const [, project] = await projects(page)
  await open(page, 'allProjects')
  await list(page)
  const ears = await listen(page)
  await search(page, project!.name)
  await expect(selected(page)).toContainText(project!.name)
  await keys(page, 'Tab')
  await ears.hear(new RegExp(`(^polite: .*|Acts on )${project!.name}`))
  await expect(field(page)).toHaveAccessibleDescription(new RegExp(`Acts on ${project!.name}`))
})

test('with a screen reader, moving a tab to another column is announced, and clearing a selection announces the count', async ({
  page,
}) => {
  await open(page, 'allProjects')
  await list(page)
  await keys(page, 'o')
  await expect(columns(page)).toHaveCount(2)
  const ears = await listen(page)
  await keys(page, 'Alt+1')
  await list(page)
  await keys(page, 'x')
  await ears.hear(/^polite: 30 projects · 1 selected$/)
  await keys(page, 'Escape')
  await ears.hear(/^polite: 30 projects$/)
  await press(page, 'tab.moveRight')
  await ears.hear(/^polite: All projects moved to column \d\.$/)
})

test('the key recorder announces all keys pressed so far', async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  const ears = await listen(page)
  await search(page, 'Clients')
  await select(page, rows(page, 'go.clients' as never))
  await keys(page, 'F2')
  await expect(page.getByLabel('Press the keys')).toBeFocused()
  await keys(page, 'q x')
  await ears.hear(/^polite: .*q.*x/i)
})

test('in a review of several records, Enter on the first names opens their list, and Escape returns', async ({ page, api }) => {
  await open(page, 'project', { id: api.market.rewards[0]!.project_id }, { tab: 'rewardCenter' })
  await list(page)
  await keys(page, 'x j x')
  await press(page, 'entry.redeem')
  const names = rows(page).filter({ hasText: /^Review the 2 first/ })
  await expect(names).toBeVisible()
  await select(page, names)
  await keys(page, 'Enter')
  await expect(field(page)).not.toBeFocused()
  await expect(palette(page).locator(':focus')).toHaveCount(1)
  await keys(page, 'Escape')
  await expect(field(page)).toBeFocused()
})

test('a completed section of a form says so', async ({ page }) => {
  await open(page, 'newSurveyRequest')
  const sections = pane(page).getByRole('navigation', { name: 'Sections of this form' })
  const filled = sections.getByRole('button', { name: /, filled in$/ })
  const before = await filled.count()
  await pane(page).getByRole('group', { name: 'Gender required' }).getByRole('checkbox').first().check()
  await expect(filled).toHaveCount(before + 1)
})

test('the focused field of a record is a group, named by its label and value', async ({ page, api }) => {
  const [project] = api.market.projects
  await open(page, 'project', { id: project!.id }, { tab: 'specifications' })
  await ready(page)
  const row = pane(page).locator('[data-row=name]')
  await row.focus()
  await expect(row).toHaveRole('group')
  await expect(row).toHaveAccessibleName(`Project name ${project!.name} Edit Project name`)
})

test('loading a list speaks that it opens, and its count', async ({ page }) => {
  await page.addInitScript(() => {
    const spoken: string[] = []
    Object.assign(window, { spoken })
    const watch = new MutationObserver((changes) => {
      for (const { target } of changes) {
        const element = target instanceof Element ? target : target.parentElement
        const region = element?.closest('[role=status], [role=alert], [role=log], [aria-live]')
        if (region && region.getAttribute('aria-live') !== 'off' && region.textContent) spoken.push(region.textContent)
      }
    })
    addEventListener('DOMContentLoaded', () =>
      watch.observe(document.body, { subtree: true, childList: true, characterData: true }),
    )
  })
  await open(page, 'allProjects')
  await list(page)
  await expect(page.getByText('live', { exact: true })).toBeVisible()
  const spoken = await page.evaluate(() => (window as unknown as { spoken: string[] }).spoken)
  expect(spoken.filter((words) => !/^(Opening Fieldwork|[\d,]+ projects)$/.test(words))).toEqual([])
})

test('a row announces no heading without a value', async ({ page, api }) => {
  await open(page, 'project', { id: api.market.rewards[0]!.project_id }, { tab: 'rewardCenter' })
  await list(page)
  const { empty, spoken } = await cursorRow(page).evaluate((row) => {
    const ids = row.getAttribute('aria-labelledby')!.split(' ')
    const texts = ids.map((id) => document.getElementById(id)?.textContent ?? '')
    const cells = [...row.querySelectorAll('[role=gridcell]')]
    return {
      empty: cells.filter((cell) => ['', '–'].includes(cell.textContent ?? '')).length,
      spoken: ids.flatMap((id, at) => (id.includes('-h-') ? [[texts[at], texts[at + 1]]] : [])),
    }
  })
  expect(empty).toBeGreaterThan(0)
  expect(spoken.length).toBeGreaterThan(0)
  for (const [heading, value] of spoken) expect(value, heading).not.toMatch(/^–?$/)
})

test('a refused field speaks its error once: as its description, and aloud only after a key in it', async ({ page }) => {
  await open(page, 'newProject')
  await keys(page, 'Mod+Enter')
  const client = pane(page).getByLabel('Client *', { exact: true })
  await expect(client).toBeFocused()
  await expect(client).toHaveAccessibleDescription(/Client/)
  const aloud = pane(page).locator('[data-field=client_id] [aria-live=assertive]')
  await expect(aloud).toHaveCount(0)
})

test('letters in a number are refused aloud', async ({ page }) => {
  await open(page, 'newProject')
  const goal = pane(page).getByLabel('Goal *', { exact: true })
  await goal.pressSequentially('12a')
  await expect(goal).toHaveValue('12')
  await expect(pane(page).getByRole('alert')).toHaveText('Whole numbers only')
  await goal.pressSequentially('3')
  await expect(pane(page).getByRole('alert')).toHaveCount(0)
})

test('an icon button shows its name at keyboard focus, and headers are one tab stop with arrow keys', async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  await page.keyboard.press('Tab')
  const headers = pane(page).locator('[data-head] > button')
  await expect(headers.first()).toBeFocused()
  await keys(page, 'ArrowRight')
  await expect(headers.nth(1)).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(pane(page).locator('[data-head] button:focus')).toHaveCount(0)
  const icon = page.locator('button:has(> span[aria-hidden][title])').first()
  await icon.focus()
  await expect(page.locator('[data-cut-text]')).toHaveText((await icon.getAttribute('aria-label'))!)
})

test('a point of many completes on the map says where it is, by county and state', async ({ page, api }) => {
  figures(api, 530, { geoaddress: [40.7, 40.8].map((latitude) => ({ latitude, longitude: -74, count: 30 })), total: 60 })
  await open(page, 'project', { id: 530 }, { tab: 'overview' })
  await expect(pane(page).locator('button.point-map-bubble')).toHaveAccessibleName('60 around New York, New York, zoom in')
})

test('with the text spacing that readers may set, no text of a list overlaps another', async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  await page.evaluate(() => {
    const spacing = new CSSStyleSheet()
    spacing.replaceSync('* { letter-spacing: 0.12em !important; word-spacing: 0.16em !important; line-height: 1.5 !important; }')
    document.adoptedStyleSheets.push(spacing)
  })
  const over = await page.evaluate(() => {
    const boxes = [
      ...document.querySelectorAll('main [role=gridcell], main [role=columnheader], nav a, main h1, main [data-filter]'),
    ]
      .filter((one) => one.checkVisibility())
      .map((one) => ({ words: one.textContent, box: one.getBoundingClientRect() }))
    return boxes.flatMap((one, at) =>
      boxes
        .slice(at + 1)
        .filter(
          ({ box }) =>
            Math.min(one.box.right, box.right) - Math.max(one.box.left, box.left) > 2 &&
            Math.min(one.box.bottom, box.bottom) - Math.max(one.box.top, box.top) > 2,
        )
        .map(({ words }) => `${one.words} | ${words}`),
    )
  })
  expect(over).toEqual([])
})

test('a greyed row of the palette is announced as disabled, and Enter on it says why', async ({ page }) => {
  const [project] = await projects(page, 'Active')
  await open(page, 'project', { id: project!.id }, { tab: 'specifications' })
  const ears = await listen(page)
  await search(page, 'Go live')
  const row = rows(page, 'project.goLive')
  await expect(row).toHaveAttribute('aria-disabled', 'true')
  await select(page, row)
  await keys(page, 'Enter')
  await ears.hear(/^polite: “Go live.*” can’t run now: /)
})

test('a search in a question announces that nothing matches, and so does Enter with nothing to take', async ({ page }) => {
  await atProject(page, await projectFor(page, 'project.invitePartners'))
  const ears = await listen(page)
  await press(page, 'project.invitePartners')
  await ears.hear('combobox, Partners', 'option, Panel North')
  await keys(page, 'Space')
  await page.keyboard.type('zzz')
  await ears.hear('polite: No results for “zzz”.')
  await keys(page, 'Enter')
  await ears.hear('polite: No results for “zzz”.')
  // The selected items are used, without another confirmation.
  await keys(page, 'Control+Enter')
  await ears.hear('polite: Invite this partner to')
})

test('shortcuts are shown beside a control, not in its name; a single-choice menu has radio items', async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  const link = page.getByRole('link', { name: 'All projects', exact: true })
  await expect(link).toHaveAttribute('aria-keyshortcuts', 'g p')
  await expect(page.getByRole('button', { name: 'Search or run a command', exact: true })).toHaveAttribute(
    'aria-keyshortcuts',
    /^(Control|Meta)\+K$/,
  )
  await pane(page).locator('[data-filter] button').first().press('Enter')
  await expect(page.getByRole('menuitemradio', { checked: true })).toHaveCount(1)
})

test('an icon is named once: its tooltip isn’t repeated as a description', async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  const icons = page.locator('button[aria-label]:has(> [aria-hidden][title])')
  await expect(icons.first()).toBeVisible()
  for (const icon of await icons.all()) await expect(icon).toHaveAccessibleDescription('')
})

test('in forced colours a bar and the main button keep their shape', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await open(page, 'allProjects')
  await list(page)
  // Computed styles keep the colors that the system replaces, so only pixels tell.
  const drawnIn = async (of: Locator): Promise<string> => {
    const { width, height } = (await of.boundingBox())!
    const spot = { left: Math.floor(Math.min(3, width / 2)), top: Math.floor(height / 2), width: 1, height: 1 }
    return (
      await sharp(await of.screenshot())
        .extract(spot)
        .removeAlpha()
        .raw()
        .toBuffer()
    ).toString('hex')
  }
  const canvas = await drawnIn(pane(page).locator('[data-head=name]').first())
  expect(await drawnIn(pane(page).locator('span.bg-track > span:empty').filter({ visible: true }).first())).not.toBe(canvas)
  const plain = await drawnIn(pane(page).locator('[data-filter] button').first())
  expect(await drawnIn(pane(page).locator('button.bg-accent').first())).not.toBe(plain)
})

test('a record opened by a link is announced by its name once it has loaded', async ({ page, api }) => {
  const project = api.market.projects[0]!
  await open(page, 'allProjects')
  const ears = await listen(page)
  await page.evaluate((id) => {
    history.pushState(null, '', `/dashboard/project-info/${id}/specifications`)
    dispatchEvent(new PopStateEvent('popstate'))
  }, project.id)
  await ears.hear(`${project.name} · Specifications.`)
})
