import { expect, test } from 'vitest'
import type { Subject } from '../../src/commands/subject.ts'
import { commandOf } from '../support/commands.ts'

const rewards = (...cents: (number | undefined)[]): Subject[] =>
  cents.map((amount_cents, at) => ({
    kind: 'entry',
    id: at + 1,
    name: `reward ${at + 1}`,
    ...(amount_cents === undefined ? {} : { record: { amount_cents } }),
  }))
const asks = (subjects: Subject[]) => commandOf('entry.redeem').confirm!(subjects, {} as never).title

test('a payment states its sum only if every amount is known', () => {
  expect(asks(rewards(150, 50))).toBe('Pay 2 rewards, $2.00 in all?')
  expect(asks(rewards(150, undefined))).toBe('Pay 2 rewards?')
  expect(asks(rewards(150))).toBe('Pay $1.50 to reward 1?')
  expect(asks(rewards(undefined))).toBe('Pay reward 1?')
})
