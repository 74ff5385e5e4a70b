import { expect, test } from 'vitest'
import { PAGE } from '../../contract/pages.ts'
import { linksIn } from '../../src/list/ListBar.tsx'

test('a list has page links at every width, as many as there is room for: up to 10, of locations 5, of rewards 25', () => {
  const widths = [296, 366, 600, 900, 1200]
  expect(widths.map((width) => linksIn(width, PAGE.listLinks, 7))).toEqual([8, 10, 10, 10, 10])
  expect(widths.map((width) => linksIn(width, PAGE.listLinks, 281))).toEqual([5, 7, 10, 10, 10])
  expect(widths.map((width) => linksIn(width, PAGE.links, 281))).toEqual([5, 5, 5, 5, 5])
  expect(widths.map((width) => linksIn(width, PAGE.rewardLinks, 90))).toEqual([6, 8, 10, 10, 25])
  expect(linksIn(0, PAGE.listLinks, 300_000)).toBe(3)
})
