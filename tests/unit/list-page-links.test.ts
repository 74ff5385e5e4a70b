import { expect, test } from 'vitest'
import { PAGE } from '../../contract/pages.ts'
import { linksIn } from '../../src/list/ListBar.tsx'

test('a list has as many page links as its width has room for: up to 10, of locations 5, of rewards 25', () => {
  const widths = [390, 800, 1100, 1400]
  expect(widths.map((width) => linksIn(width, PAGE.listLinks))).toEqual([0, 5, 10, 10])
  expect(widths.map((width) => linksIn(width, PAGE.links))).toEqual([0, 5, 5, 5])
  expect(widths.map((width) => linksIn(width, PAGE.rewardLinks))).toEqual([0, 5, 10, 25])
})
