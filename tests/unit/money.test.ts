import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { dollarsInput, wholeNumber } from '../../contract/call.ts'
import { dollars } from '../../contract/format.ts'
import { amountFault, readAmount, readWhole, wholeFault } from '../../contract/money.ts'
import { ask } from '../../src/commands/command.ts'
import { wrongWith } from '../../src/commands/commandQuestions.ts'
import { readDraft } from '../../src/palette/steps.ts'

/** TABLE  amounts with their cents. */
const AMOUNTS: readonly [unknown, number][] = [
  ...([
    ['5', 500],
    [5, 500],
    ['$5.00', 500],
    [' 12.5 ', 1250],
    ['$ 1,250.50', 125_050],
    ['1,234,567.89', 123_456_789],
  ] as [unknown, number][]),
  ...([
    ['0.01', 1],
    [0.29, 29],
    ['.5', 50],
    ['5.', 500],
    [1.1, 110],
    ['99999999', 9_999_999_900],
  ] as [unknown, number][]),
]
/** TABLE  what isn't an amount, with the one that was probably meant, in cents. */
const OTHERS: readonly [unknown, number | null][] = [
  ...([
    ['12,5', 1250],
    ['2,50', 250],
    ['5,0', 500],
    ['1.250,50', 125_050],
    ['1 250,50', 125_050],
    ['1 250.50', 125_050],
    ['1 200', 120_000],
    ['1.234k', 123_400],
    ['2,5 k', 250_000],
    ['5M', 500_000_000],
    ['99999m', null],
  ] as [unknown, number | null][]),
  ...([
    ['1e3', 100_000],
    ['1234.565', 123_457],
    [1234.565, 123_457],
    [0.004, null],
    ['0.001', null],
  ] as [unknown, number | null][]),
  ...([
    ['0x10', null],
    [true, null],
    [[5], null],
    [null, null],
    ['', null],
    ['1,25,0', null],
    ['1,2500', null],
  ] as [unknown, number | null][]),
  ...([
    ['five', null],
    ['５', null],
    [Number.NaN, null],
    [1e21, null],
    ['123456789', null],
    ['5 5', null],
    ['--5', null],
  ] as [unknown, number | null][]),
]

describe('an amount', () => {
  test('is read as it is written, to the cent', () => {
    expect(AMOUNTS.map(([input]) => [input, readAmount(input).cents])).toEqual(AMOUNTS)
  })
  test('is nothing else, and what was probably meant is named', () => {
    const read = OTHERS.map(([input]) => {
      const amount = readAmount(input)
      return [input, amount.cents === null ? amount.likely : `taken as ${amount.cents}`]
    })
    expect(read).toEqual(OTHERS)
  })
  test('as the product writes it is read back, whatever it is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999 }), (cents) => {
        expect(readAmount(dollars(cents)).cents).toBe(cents)
        expect(readAmount(cents / 100).cents).toBe(cents)
      }),
    )
  })
  test('is the same in a call and in the palette', () => {
    const schema = dollarsInput({ blank: 'blank', unread: 'unread', wrong: 'wrong' })
    const question = ask.number({ label: 'Cost', money: true, min: 1 })
    const differ = [...AMOUNTS, ...OTHERS].flatMap(([input]) => {
      if (typeof input !== 'string' || !input.trim()) return []
      const called = schema.safeParse(input).data
      const answer = readDraft(question, input, '2026-11-29')
      // The palette alone takes 5k.
      if (/[km]$/i.test(input)) return []
      const typed = wrongWith(question, answer, {}) === null ? answer : undefined
      return called === typed || (called === undefined && typed !== undefined && Number(typed) > 1_000_000_000)
        ? []
        : [{ input, called, typed }]
    })
    expect(differ).toEqual([])
  })
  test('that is refused says what to write', () => {
    expect(amountFault('Must be more than 0', readAmount('2,5'))).toBe('Must be more than 0. Write 2.50 if you mean $2.50')
    const question = ask.number({ label: 'Cost', money: true, min: 1 })
    expect(wrongWith(question, readDraft(question, '1e3', '2026-11-29'), {})).toContain('if you mean $1,000.00')
    expect(wrongWith(question, readDraft(question, '1.234k', '2026-11-29'), {})).toContain('Write 1,234.00 if you mean $1,234.00')
  })
})

test('a whole number is read from its digits only', () => {
  expect(['1,200', ' 5 ', '-3', 7].map(readWhole)).toEqual([1200, 5, -3, 7])
  for (const other of ['1e3', '0x10', '12,5', '1.5', '', true, [5], null]) expect(readWhole(other)).toBe(other)
})

test('a whole number that is written otherwise is refused with what to write', () => {
  const meant = (input: unknown) => /Write (\d+) if you mean/.exec(wholeFault('Wrong', input))?.[1] ?? null
  expect(['1 200', "1'200", '1.200', '1e3', '5k', '2.5k'].map(meant)).toEqual(['1200', '1200', '1200', '1000', '5000', '2500'])
  expect(wholeNumber(z.number()).safeParse('1 200').error?.issues[0]?.message).toContain('Write 1200 if you mean 1,200')
  for (const other of ['1,200', '12', '12,5', '1.5', '', 'x', '0x10', true, [5], null, 7])
    expect([other, meant(other)]).toEqual([other, null])
})
