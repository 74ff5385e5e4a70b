import { expect, test } from 'vitest'
import { ENTRY_FLAGS, flagsThat, flagWords } from '../../contract/entryFlags.ts'
import { recordOf, type Subject } from '../../src/commands/subject.ts'
import { commandOf } from '../support/commands.ts'

const rewards = (...cents: (number | undefined)[]): Subject[] =>
  cents.map((amount_cents, at) => ({
    kind: 'entry',
    id: at + 1,
    name: `reward ${at + 1}`,
    ...(amount_cents === undefined ? {} : { record: { amount_cents } }),
  }))
const asks = (subjects: Subject[]) => commandOf('entry.redeem').confirm!(subjects, {} as never).title

test('a filter by one flag finds rewards that have others, too', () => {
  const found = Object.fromEntries(ENTRY_FLAGS.map((flag) => [flag, flagsThat(flag).map(flagWords)]))
  expect(found).toEqual({
    amount: ['Amount', 'Amount, Email', 'Amount, IP address', 'Amount, Email, IP address'],
    email: ['Email', 'Amount, Email', 'Email, IP address', 'Amount, Email, IP address'],
    ip: ['IP address', 'Amount, IP address', 'Email, IP address', 'Amount, Email, IP address'],
    any: expect.arrayContaining(['Amount', 'Email', 'IP address']),
    none: [''],
  })
  expect(found.any).toHaveLength(7)
})

test('a payment states its sum only if every amount is known', () => {
  expect(asks(rewards(150, 50))).toBe('Pay 2 rewards, $2.00 in all?')
  expect(asks(rewards(150, undefined))).toBe('Pay 2 rewards?')
  expect(asks(rewards(150))).toBe('Pay $1.50 to reward 1?')
  expect(asks(rewards(undefined))).toBe('Pay reward 1?')
})

test('a review sums by amount, by provider and by flag', () => {
  const [first, second, third] = rewards(500, 500, 700)
  const subjects = [
    { ...first!, record: { amount_cents: 500, partner_id: 1, project_id: 1, status: 'pending' } },
    { ...second!, record: { amount_cents: 500, partner_id: 600, project_id: 1, status: 'pending', email_counter: 2 } },
    { ...third!, record: { amount_cents: 700, partner_id: 1, project_id: 1, status: 'pending', amount_flag: true } },
  ]
  expect(commandOf('entry.redeem').confirm!(subjects, {} as never).lines).toEqual([
    { label: 'Amount $5.00', value: '2 rewards · $10.00' },
    { label: 'Amount $7.00', value: '1 reward · $7.00' },
    { label: 'Gift card', value: '2 rewards · $12.00' },
    { label: 'Second provider', value: '1 reward · $5.00' },
    { label: 'Flagged: amount', value: '1 reward · $7.00', bad: true },
    { label: 'Flagged: email repeats', value: '1 reward · $5.00', bad: true },
  ])
})

test('rewards of several projects are also summed by project', () => {
  const subjects = rewards(500, 1000).map((one, at) => ({
    ...one,
    record: {
      amount_cents: recordOf(one, 'entry').amount_cents,
      partner_id: 1,
      project_id: at + 1,
      project_name: `Wave ${at + 1}`,
    },
  }))
  const lines = commandOf('entry.reject').confirm!(subjects, {} as never).lines!
  expect(lines.filter(({ label }) => label.startsWith('Wave'))).toEqual([
    { label: 'Wave 1', value: '1 reward · $5.00' },
    { label: 'Wave 2', value: '1 reward · $10.00' },
  ])
})
