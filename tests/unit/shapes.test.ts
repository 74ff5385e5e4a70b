import { expect, test } from 'vitest'
import { calls } from '../../contract/calls.ts'

/** TABLE  what JSON can hold in place of a text: objects without one, lists of them, and null. */
const SHAPES: readonly unknown[] = [
  { toString: 'x' },
  { valueOf: 1, toString: null },
  [{ toString: 'x' }],
  [[{}]],
  [null],
  { length: 1e9 },
  null,
]

test('no call’s rules throw, whatever shape its fields have', () => {
  for (const [name, { input }] of Object.entries(calls)) {
    const fields = Object.keys((input as unknown as { shape?: object }).shape ?? {})
    for (const value of SHAPES)
      for (const sent of [fields, ...fields.map((field) => [field])]) {
        const read = () => input.safeParse(Object.fromEntries(sent.map((field) => [field, value]))).error?.issues
        expect(read, `${name} ${sent.join()} ${JSON.stringify(value)}`).not.toThrow()
      }
  }
})
