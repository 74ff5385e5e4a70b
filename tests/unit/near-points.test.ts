import { describe, expect, test } from 'vitest'
import { nearest, nextPoint, pointsIn } from '../../src/ui/charts/nearPoints.ts'

const BOSTON = [-71.06, 42.36, 1] as [number, number, number]
const NEW_YORK = [-74.0, 40.71, 1] as [number, number, number]
const CHICAGO = [-87.63, 41.88, 1] as [number, number, number]
const MIAMI = [-80.19, 25.76, 1] as [number, number, number]
const POINTS = [BOSTON, NEW_YORK, CHICAGO, MIAMI, NEW_YORK]

describe('points on a map', () => {
  test('an arrow goes to the nearest point in its direction', () => {
    expect(nextPoint(POINTS, 2, [1, 0])).toBe(1)
    expect(nextPoint(POINTS, 3, [0, 1])).toBe(1)
    expect(nextPoint(POINTS, 0, [0, -1])).toBe(4)
  })

  test('points at one place are visited one by one', () => {
    expect(nextPoint(POINTS, 1, [1, 0])).toBe(4)
    expect(nextPoint(POINTS, 4, [1, 0])).toBe(0)
    expect(nextPoint(POINTS, 4, [-1, 0])).toBe(1)
    expect(nextPoint(POINTS, 1, [-1, 0])).toBe(2)
  })

  test('an arrow with nothing in its direction stays', () => {
    expect(nextPoint(POINTS, 0, [1, 0])).toBe(0)
  })

  test('the nearest point and those in a box are found', () => {
    expect(nearest(POINTS, -72, 42)).toBe(0)
    expect(nearest([], -72, 42)).toBe(-1)
    expect(pointsIn(POINTS, { west: -75, south: 40, east: -70, north: 43 })).toEqual([0, 1, 4])
  })
})
