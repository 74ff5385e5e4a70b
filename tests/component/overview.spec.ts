import { addDays } from '../../contract/pacing.ts'
import { keys, open, pane, run } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'
import { figures } from '../support/marketplace.ts'
import { today } from '../support/today.ts'

// The charts of an Overview describe exactly their data.

const slices = (...counts: [label: string, count: number][]) => {
  const total = counts.reduce((sum, [, count]) => sum + count, 0)
  return counts.map(([label, count], at) => ({ value: at, label, count, percent: Math.round((1000 * count) / total) / 10 }))
}

test('a bar fills its share of the track, a nonzero share is never 0 %, and a long label is cut only where it is drawn', async ({
  page,
  api,
}) => {
  figures(api, 530, {
    age: slices(['18 to 24', 224], ['25 to 34', 720], ['American Indian or Alaska Native', 3]),
    gender: slices(['Female', 947]),
    total: 947,
  })
  await open(page, 'project', { id: 530 })
  const age = pane(page).getByRole('list', { name: 'Age' })
  await expect(age.getByRole('listitem')).toHaveText([
    '18 to 2422424 %',
    '25 to 3472076 %',
    // As drawn, and whole for a screen reader.
    'American Indian…American Indian or Alaska Native3< 1 %',
  ])
  const lengths = await age
    .locator('[aria-hidden] > span')
    .evaluateAll((all) => all.map((bar) => Math.round((100 * bar.clientWidth) / bar.parentElement!.clientWidth)))
  expect(lengths.slice(0, 2)).toEqual([24, 76])
  const all = pane(page).getByRole('list', { name: 'Gender' }).getByText('100 %')
  expect((await all.boundingBox())!.height).toBeLessThan(20)
})

test('the trend’s crosshair snaps to days, by pointer and by arrows, and follows them; a filter hides plan and goal', async ({
  page,
  api,
}) => {
  const days = [0, 1, 2, 3, 4, 5, 6].map((at) => addDays(today(), at - 3))
  figures(api, 530, {
    delivery_trend: days.map((date, at) => ({
      date,
      delivered: 40,
      cumulative: at > 3 ? null : 40 * (at + 1),
      expected: 33.4 * (at + 1),
    })),
  })
  await open(page, 'project', { id: 530 })
  const trend = pane(page).getByRole('slider', { name: 'Delivery trend' })
  const readout = trend.locator('[data-readout]')
  await trend.focus()
  await keys(page, 'ArrowLeft')
  await expect(readout).toHaveText(/· 120 · plan 100 \(\+20\)/)
  await expect(trend).toHaveAttribute('aria-valuetext', /120 delivered, 20 more than planned/)
  await keys(page, 'ArrowRight')
  await expect(readout).toHaveText(/so far · 160 · plan 134 \(\+26\)/)
  // Two points on one day share a position.
  const plot = trend.locator('.u-over')
  const { width, height } = (await plot.boundingBox())!
  const stands = () => trend.locator('.u-cursor-x').evaluate((line) => line.getBoundingClientRect().left)
  await plot.hover({ position: { x: width / 3 - 9, y: height / 2 } })
  const first = await stands()
  await plot.hover({ position: { x: width / 3 + 9, y: height / 2 } })
  await expect(readout).toHaveText(/· 120 · plan 100/)
  expect(await stands()).toBe(first)
  await page.mouse.move(0, 0)
  await expect(readout).toBeHidden()
  await keys(page, 'ArrowLeft')
  await expect(readout).toHaveText(/· 120 · plan 100/)
  await keys(page, 'Escape')
  await expect(readout).toBeHidden()

  await open(page, 'project', { id: 530 }, { query: { gender: 'female' } })
  await trend.focus()
  await keys(page, 'ArrowLeft')
  await expect(readout).toHaveText(/· 120$/)
  await expect(pane(page).getByRole('region', { name: 'Delivery trend' })).toContainText('matching the filters')
})

test('“funnel” finds the performance funnel, which opens over the Overview that is shown', async ({ page, api }) => {
  const counts = { entrants: 1000, terminates_value: 450, overquota_value: 100, partials_value: 150, completes_value: 300 }
  figures(api, 530, { funnel: { ...counts, incidence: 55, drop_off: 33.3, loi_minutes: 12.5, left_open: 2 } })
  await open(page, 'project', { id: 530 }, { tab: 'overview' })
  await expect(pane(page).getByRole('list', { name: 'Performance funnel' })).toBeVisible()
  await run(page, 'project.funnel')
  const funnel = page.getByRole('dialog', { name: /^Performance funnel of / })
  await expect(funnel.getByRole('listitem').last()).toContainText('Completes300')
  await page.keyboard.press('Escape')
  await expect(funnel).toHaveCount(0)
  await expect(page.getByRole('tablist', { name: 'Open screens' }).getByRole('tab')).toHaveCount(1)
})

test('the funnel has losses in per cent and its rates; without responses the page says so once, and draws nothing', async ({
  page,
  api,
}) => {
  const counts = { entrants: 1000, terminates_value: 450, overquota_value: 100, partials_value: 150, completes_value: 300 }
  figures(api, 530, { funnel: { ...counts, incidence: 55, drop_off: 33.3, loi_minutes: 12.5, left_open: 2 } })
  await open(page, 'project', { id: 530 })
  const funnel = pane(page).getByRole('list', { name: 'Performance funnel' })
  await expect(funnel.getByRole('listitem')).toHaveText([
    'Entrants1,000 100 %',
    'Qualified550 55 % −450terminates45 %',
    'Within quota450 45 % −100overquota10 %',
    'Completes300 30 % −150partials15 %',
  ])
  await expect(pane(page).getByLabel('Rates')).toContainText(/Incidence.*55\s%.*12\.5\smin.*Drop-off.*33\.3\s%/)
  await open(page, 'project', { id: 527 })
  await expect(pane(page).getByText('No responses yet.')).toHaveCount(1)
  await expect(pane(page).getByRole('region', { name: 'Age' })).toHaveCount(0)
})

test('when the figures can’t be read at once, each part is read by itself, and one that fails is tried again alone', async ({
  page,
  api,
}) => {
  figures(api, 530, { total: 0 })
  const fault = { status: 500, json: { code: 'fault', message: 'It can’t be counted.', errors: ['It can’t be counted.'] } }
  const logged: string[] = []
  page.on('console', (line) => logged.push(line.text()))
  let isBroken = true
  await page.route('**/v3/portal/projects/530/overview*', (route) => route.fulfill(fault))
  await page.route('**/v3/portal/surveys/runtime/**', (route) => {
    const part = new URL(route.request().url()).pathname.split('/').at(-1)!
    if (part === 'gender' && isBroken) return route.fulfill(fault)
    const data = { age: slices(['18 to 24', 224]), gender: slices(['Female', 947]) }[part] ?? []
    if (part === 'age' || part === 'gender') return route.fulfill({ json: { data, count: 1, page: 1, total: 1 } })
    return route.fulfill(fault)
  })
  await open(page, 'project', { id: 530 })
  await expect(pane(page).getByRole('list', { name: 'Age' }).getByRole('listitem')).toHaveText(['18 to 24224100 %'])
  const gender = pane(page).getByRole('region', { name: 'Gender' })
  await expect(gender).toContainText('This couldn’t be loaded.')
  expect(logged).toContain('Gender Error: It can’t be counted.')
  expect(logged).not.toContain('Age Error: It can’t be counted.')
  isBroken = false
  await gender.getByRole('button', { name: 'Try again' }).click()
  await expect(gender.getByRole('listitem')).toHaveText(['Female947100 %'])
  await expect(pane(page).getByRole('region', { name: 'Household income' })).toContainText('This couldn’t be loaded.')
})
