import { describe, expect, test } from 'vitest'
import {
  type CellCount,
  ceilingOf,
  designEffect,
  fullestOf,
  leastFilled,
  overlapIn,
  PlanMatcher,
  type RuleDimension,
  seatOf,
  targetsOf,
} from '../../contract/quotaRules.ts'

const cell = (id: number, target: number, completes: number, held = 0, more: Partial<CellCount> = {}): CellCount => ({
  ...{ id, target, completes, held, ceiling: target, closed: false },
  ...more,
})

describe('targets by largest remainder', () => {
  test('475 over the census shares of the design', () => {
    expect(targetsOf(475, [12.11, 17.54, 16.72, 15.65, 16.24, 21.74])).toEqual([58, 83, 80, 74, 77, 103])
  })

  test('any shares add up to the total, and none is off by one or more', () => {
    let seed = 7
    const random = () => {
      seed = (seed * 1103515245 + 12345) % 2 ** 31
      return seed / 2 ** 31
    }
    for (let round = 0; round < 500; round++) {
      const total = Math.floor(random() * 5000)
      const shares = Array.from({ length: 1 + Math.floor(random() * 20) }, () => Math.round(random() * 1000) / 10 + 0.1)
      const all = shares.reduce((one, other) => one + other, 0)
      const targets = targetsOf(total, shares)
      expect(targets.reduce((one, other) => one + other, 0)).toBe(total)
      for (const [at, target] of targets.entries()) expect(Math.abs(target - (total * shares[at]!) / all)).toBeLessThan(1)
    }
  })
})

test('a ceiling is the target and the overage, rounded down', () => {
  expect([ceilingOf(58, 0), ceilingOf(58, 10), ceilingOf(9, 10), ceilingOf(100, 7)]).toEqual([58, 63, 9, 107])
})

describe('least fill', () => {
  test('40/100, 38/100 and 41/80: the second', () => {
    expect(leastFilled([cell(1, 100, 40), cell(2, 100, 38), cell(3, 80, 41)])?.id).toBe(2)
  })
  test('ties go to fewer held, then to the lower id', () => {
    expect(leastFilled([cell(1, 100, 30, 10), cell(2, 100, 38, 2)])?.id).toBe(2)
    expect(leastFilled([cell(5, 100, 40), cell(4, 50, 20)])?.id).toBe(4)
  })
  test('full and closed concepts are left out', () => {
    expect(leastFilled([cell(1, 2, 2), cell(2, 100, 99, 0, { closed: true }), cell(3, 100, 99)])?.id).toBe(3)
    expect(leastFilled([cell(1, 2, 1, 1), cell(2, 0, 0)])).toBeNull()
  })
})

test('closing 100 and 60 of 100 and 100 has a design effect of 1.067: 160 interviews work like 150', () => {
  const { deff, effective } = designEffect([
    { target: 100, completes: 100 },
    { target: 100, completes: 60 },
  ])!
  expect(deff.toFixed(3)).toBe('1.067')
  expect(Math.round(effective)).toBe(150)
  expect(
    designEffect([
      { target: 10, completes: 0 },
      { target: 10, completes: 5 },
    ]),
  ).toBeNull()
})

test('a refusal names the fullest cell, then the lowest id', () => {
  expect(fullestOf([cell(3, 10, 10), cell(2, 10, 10), cell(1, 10, 9)])?.id).toBe(2)
  expect(fullestOf([cell(1, 100, 100), cell(2, 100, 110, 0, { ceiling: 110 })])?.id).toBe(2)
  expect(fullestOf([cell(1, 10, 9)])).toBeNull()
})

test('cells of a dimension overlap if somebody could be in two', () => {
  expect(overlapIn(['age'], [{ age: [1, 2] }, { age: [3] }])).toBeNull()
  expect(overlapIn(['age'], [{ age: [1, 2] }, { age: [3] }, { age: [2] }])).toEqual([0, 2])
  const both = ['age', 'gender']
  expect(
    overlapIn(both, [
      { age: [1], gender: ['male'] },
      { age: [1], gender: ['female'] },
    ]),
  ).toBeNull()
  expect(
    overlapIn(both, [
      { age: [1, 2], gender: ['male'] },
      { age: [2], gender: ['female', 'male'] },
    ]),
  ).toEqual([0, 1])
})

describe('matching', () => {
  const dimensions: RuleDimension[] = [
    {
      id: 1,
      name: 'Age',
      kind: 'marginal',
      fields: ['age'],
      cells: [
        { id: 11, conditions: { age: [2, 3] } },
        { id: 12, conditions: { age: [4] } },
      ],
    },
    {
      id: 2,
      name: 'Age and gender',
      kind: 'interlock',
      fields: ['age', 'gender'],
      cells: [
        { id: 21, conditions: { age: [2, 3, 4], gender: ['female'] } },
        { id: 22, conditions: { age: [2, 3, 4], gender: ['male', 'other'] } },
      ],
    },
    {
      id: 3,
      name: 'Concept',
      kind: 'concept',
      fields: ['age'],
      cells: [
        { id: 31, conditions: {} },
        { id: 32, conditions: { age: [4] } },
      ],
    },
  ]
  const refusing = new PlanMatcher({ unknown: 'refuse', total: 1, dimensions })
  const admitting = new PlanMatcher({ unknown: 'admit', total: 1, dimensions })

  test('a person matches one cell of each dimension, and the concepts they may see', () => {
    expect(refusing.match({ age: '4', gender: 'other' })).toEqual({ cells: [1, 12, 22], concepts: [[31, 32]], mismatch: null })
    expect(refusing.match({ age: '2', gender: 'female' })).toEqual({ cells: [1, 11, 21], concepts: [[31]], mismatch: null })
  })
  test('what is unknown is refused, or counts in no cell', () => {
    expect(refusing.match({ age: '2' }).mismatch).toEqual({ reason: 'unknown', dimension: 'Age and gender' })
    expect(admitting.match({ age: '2' })).toEqual({ cells: [1, 11], concepts: [[31]], mismatch: null })
  })
  test('a code that no cell has is outside of the plan', () => {
    expect(admitting.match({ age: '7', gender: 'male' }).mismatch).toEqual({ reason: 'outside', dimension: 'Age' })
  })
  test('a seat needs a place in every cell, and in one concept', () => {
    const counts = (...cells: CellCount[]) => new Map(cells.map((one) => [one.id, one]))
    const match = refusing.match({ age: '4', gender: 'male' })
    const rest = [cell(1, 10, 0), cell(12, 5, 0), cell(22, 5, 0)]
    expect(seatOf(match, counts(...rest, cell(31, 4, 4), cell(32, 4, 1)))).toEqual({ cells: [1, 12, 22, 32] })
    expect(seatOf(match, counts(...rest, cell(31, 4, 4), cell(32, 4, 4)))).toEqual({ full: cell(31, 4, 4) })
    expect(seatOf(match, counts(cell(1, 10, 0), cell(12, 5, 3, 2), cell(22, 5, 0), cell(31, 4, 0), cell(32, 4, 0)))).toEqual({
      full: cell(12, 5, 3, 2),
    })
  })
})
