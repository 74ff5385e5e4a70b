import {
  columns,
  field,
  keys,
  list,
  open,
  palette,
  pane,
  projects,
  ready,
  review,
  rows,
  search,
  select,
  selected,
} from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

test('a change of status begins at the present one, and forces nothing in the usual order', { tag: '@quick' }, async ({
  page,
  api,
}) => {
  const [project] = await projects(page, 'Active')
  await open(page, 'project', { id: project!.id }, { tab: 'overview' })
  await ready(page)
  await keys(page, 'p s')
  const options = palette(page).getByRole('option')
  await expect(options.first()).toHaveText(/Active.*now/)
  await expect(options.filter({ hasText: 'Paused' })).not.toContainText('skips a step')
  await expect(options.filter({ hasText: 'Pending' })).toContainText('skips a step')
  await page.keyboard.type('paus')
  await keys(page, 'Enter')
  await expect(palette(page)).not.toContainText('Skipping a step')
  await review(page, `Change “${project!.name}” to Paused?`)
  await expect
    .poll(() => api.writes.at(-1))
    .toMatchObject({ id: 'project.setStatus', input: { id: project!.id, status: 'paused', force: false } })
})

test('keys pressed right after F2 in the palette are recorded, however late the recorder loads', async ({ page }) => {
  await open(page, 'clients')
  await list(page)
  let come = () => {}
  const coming = new Promise<void>((done) => {
    come = done
  })
  await page.route(/KeyDialog.*\.js/, async (route) => {
    await coming
    await route.continue()
  })
  await search(page, 'outbox')
  await select(page, rows(page, 'go.outbox'))
  await keys(page, 'F2 z q')
  come()
  const recorder = page.getByRole('dialog', { name: 'Keys of “Outbox”' })
  await expect(recorder.getByLabel('Press the keys')).toBeFocused()
  await expect(recorder).toContainText(/z\s*q/)
  await keys(page, 'Enter')
  await expect(rows(page, 'go.outbox').locator('kbd')).toHaveText('z q')
  await expect(field(page)).toHaveValue('outbox')
})

test('three projects are compared and filtered by age in at most fourteen keys', { tag: '@quick' }, async ({ page }) => {
  await open(page, 'allProjects')
  await list(page)
  let pressed = 0
  const hit = async (sequence: string) => {
    pressed += sequence.split(' ').length
    await keys(page, sequence)
  }
  await hit('x j x j x c c')
  await expect(columns(page)).toHaveCount(3)
  await ready(page)
  await hit('f')
  await expect(field(page)).toBeFocused()
  await hit('a g')
  await expect(selected(page)).toContainText('Age')
  await hit('Enter')
  await expect(page.locator('[role=menu] :focus').first()).toBeVisible()
  await hit('ArrowDown')
  await expect(page.locator('[role=menu] :focus')).toContainText('13 to 17')
  await hit('Enter')
  await expect(page).toHaveURL(/age=.*beside=.*age=.*beside=.*age=/)
  expect(pressed).toBeLessThanOrEqual(14)
})

test('presets of market areas are a tab stop while the areas are still loading', async ({ page }) => {
  let come = () => {}
  const coming = new Promise<void>((done) => {
    come = done
  })
  await page.route('**/dma/list*', async (route) => {
    await coming
    await route.continue()
  })
  await page.goto('/dashboard/new-survey-form')
  await page.getByRole('radio', { name: /By market area/ }).check({ timeout: 8000 })
  const search = page.getByLabel('Search market areas')
  await search.focus({ timeout: 8000 })
  await keys(page, 'Tab')
  const focused = page.locator(':focus')
  await expect(focused).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByRole('group', { name: 'Sets of market areas' }).locator(':focus')).toHaveCount(1)
  come()
  await expect(focused).not.toHaveAttribute('aria-disabled')
  await keys(page, 'Enter')
  await expect(focused).toHaveAttribute('aria-pressed', 'true')
})

test('what pausing does is said beside its reason, in the palette and in the dialog, and described by the field', {
  tag: '@quick',
}, async ({ page, api }) => {
  const active = api.market.projects.find(({ status }) => status === 'active')!
  const EFFECT = 'Fieldwork stops until you resume it. Its end stays where it is, and responses that still arrive count.'
  await open(page, 'project', { id: active.id }, { tab: 'overview' })
  await ready(page)
  await keys(page, 'p p')
  await expect(palette(page)).toContainText(EFFECT)
  await expect(field(page)).toHaveAccessibleDescription(new RegExp(EFFECT))
  await keys(page, 'Escape')
  await expect(palette(page)).toHaveCount(0)
  await pane(page).getByRole('button', { name: 'Pause…' }).click()
  await expect(page.getByRole('dialog')).toHaveAccessibleDescription(EFFECT)
})
