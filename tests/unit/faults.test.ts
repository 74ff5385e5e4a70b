import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sourceOf } from '../support/graph.ts'
import { EVERY, planted } from '../torture/faults/every.ts'
import type { Fault } from '../torture/faults/faults.ts'

/* The faults of `npm run torture -- faults` follow the code: one that no longer applies would catch nothing. */

const root = join(import.meta.dirname, '../..')

test('every fault still applies; one that doesn’t is written again, or drawn with --draw', () => {
  const problemOf = (fault: Fault): string | undefined => {
    const { id, file, symbol, from, to } = fault
    if (!existsSync(join(root, file))) return `${id} no longer applies: ${file} doesn’t exist`
    if (!sourceOf(file).includes(symbol)) return `${id} no longer applies: ${file} has no ${symbol}`
    if (from === to) return `${id} changes nothing`
    try {
      planted(fault, sourceOf(file))
    } catch (problem) {
      return (problem as Error).message
    }
  }
  expect(EVERY.flatMap((fault) => problemOf(fault) ?? [])).toEqual([])
})

test('there are sixty faults at least, each with an id of its own', () => {
  const ids = EVERY.map(({ id }) => id)
  expect(ids.length).toBeGreaterThanOrEqual(60)
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
})
