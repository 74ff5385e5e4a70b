import { expect, test } from 'vitest'
import { apart } from '../../src/ui/charts/plotLines.ts'

/* The labels at the ends of a plot's lines lie on no line and not on each other. Heights grow downwards. */

const PLACE = { gap: 14, near: 60, floor: 200 }
const heights = (labels: readonly { y: number }[]) => labels.map(({ y }) => y)

test('a plan that ends at the goal is labelled below it, if the plot continues', () => {
  expect(heights(apart([{ x: 100, y: 20, passing: [20] }], PLACE))).toEqual([34])
})

test('a label stays on its side of a line that passes nearby', () => {
  expect(heights(apart([{ x: 100, y: 55, passing: [60] }], PLACE))).toEqual([46])
  expect(heights(apart([{ x: 100, y: 65, passing: [60] }], PLACE))).toEqual([74])
})

test('labels near each other are a line apart, others stay, and none is below the plot', () => {
  const at = (x: number, y: number) => ({ x, y, passing: [] })
  expect(heights(apart([at(100, 52), at(100, 50)], PLACE))).toEqual([50, 64])
  expect(heights(apart([at(100, 52), at(300, 50)], PLACE))).toEqual([50, 52])
  expect(heights(apart([at(100, 199), at(100, 198)], PLACE))).toEqual([186, 200])
})
