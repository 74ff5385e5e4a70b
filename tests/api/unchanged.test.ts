import { beforeAll, expect } from 'vitest'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import { type EffectId, unchangedOf } from '../../contract/writeEffects.ts'
import { type Maker, sendExample, WRITE_EXAMPLES, WRITES } from '../support/writeExamples.ts'
import { type Fieldwork, fieldwork, withoutDeliveries } from './support.ts'
import { testAll } from './wrong.ts'

// An edit that changes nothing says so, whatever its noun; one of nothing is refused.
let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
  withoutDeliveries(app)
})

const edits = WRITES.filter((id) => {
  const { method, reads }: Call = calls[id]
  return method === 'PUT' && reads !== undefined
})

testAll('an edit that is sent twice says the second time that nothing changed', edits, async (id) => {
  const example = await (WRITE_EXAMPLES[id] as Maker)(app)
  const first = await sendExample(id, example)
  expect([first.status, first.body.message], first.text).toEqual([200, expect.any(String)])
  expect(first.body.message).not.toBe(unchangedOf(id as EffectId))
  const second = await sendExample(id, example)
  expect([second.status, second.body.message], second.text).toEqual([200, unchangedOf(id as EffectId)])
})

/** Nothing at all, or the one thing that the call is for. */
const NOTHING =
  /^(Nothing to change was sent|Send what should change)|is required$|cannot be blank$|must be yes or no$|must be one of /

testAll('an edit of nothing is refused', edits, async (id) => {
  const { as, input } = await (WRITE_EXAMPLES[id] as Maker)(app)
  const { reads, path }: Call = calls[id]
  const by = typeof reads === 'object' ? Object.values(reads.by) : []
  const named = Object.entries(input).filter(([name]) => name === 'id' || by.includes(name) || path.includes(`{${name}}`))
  const answer = await sendExample(id as CallId, { as, input: Object.fromEntries(named) })
  expect([answer.status, answer.body.message], answer.text).toEqual([422, expect.stringMatching(NOTHING)])
})
