import { open, pane } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

// The charts of an Overview say what is there, and no more.

const slices = (...counts: [label: string, count: number][]) => {
  const total = counts.reduce((sum, [, count]) => sum + count, 0)
  return counts.map(([label, count], at) => ({ value: at, label, count, percent: Math.round((1000 * count) / total) / 10 }))
}

test('a bar fills its track of 100 % by its share; what is there is never 0 %, and a long label stays whole', async ({
  page,
  api,
}) => {
  api.market.figures[530] = {
    age: slices(['18 to 24', 224], ['25 to 34', 720], ['American Indian or Alaska Native', 3]),
    gender: slices(['Female', 947]),
    total: 947,
  }
  await open(page, 'project', { id: 530 })
  const age = pane(page).getByRole('list', { name: 'Age' })
  await expect(age.getByRole('listitem')).toHaveText([
    '18 to 2422424 %',
    '25 to 3472076 %',
    'American Indian or Alaska Native3< 1 %',
  ])
  const lengths = await age
    .locator('[aria-hidden] > span')
    .evaluateAll((all) => all.map((bar) => Math.round((100 * bar.clientWidth) / bar.parentElement!.clientWidth)))
  expect(lengths.slice(0, 2)).toEqual([24, 76])
  const all = pane(page).getByRole('list', { name: 'Gender' }).getByText('100 %')
  expect((await all.boundingBox())!.height).toBeLessThan(20)
})
