import { expect, test } from 'vitest'
import type { CallSchema } from '../../contract/call.ts'
import { calls } from '../../contract/calls.ts'
import { sourceOf, sourcesOf } from '../support/graph.ts'

const fieldsOf = (schema: CallSchema): [string, CallSchema][] =>
  Object.entries((schema as unknown as { shape?: Record<string, CallSchema> }).shape ?? {})
const FIELDS = Object.entries(calls).flatMap(([name, { input }]) =>
  fieldsOf(input).map(([field, schema]) => ({ name: `${name} ${field}`, schema })),
)
/** TABLE  what JavaScript makes a number of, and no call does. */
const STRANGE = [true, false, [114], [[114]], { id: 114 }, '0x72', '0b1', '1e2', '11 4', '１１４', '114n', 'Infinity', '--1']

test('no call takes for a number what isn’t its digits', () => {
  const numbers = FIELDS.filter(({ schema }) => {
    const read = schema.safeParse('90')
    return read.success && read.data === 90
  })
  expect(numbers.length).toBeGreaterThan(200)
  for (const { name, schema } of numbers) {
    expect(schema.safeParse(90), name).toMatchObject({ data: 90 })
    for (const input of STRANGE) {
      const read = schema.safeParse(input)
      expect([name, input, read.success && read.data]).toEqual([name, input, false])
    }
  }
})

test('an id is its digits alone, also in lists', () => {
  const ids = FIELDS.filter(({ name }) => /(^| |_)ids?$/.test(name))
  let [single, lists] = [0, 0]
  for (const { name, schema } of ids) {
    const [one, many] = [schema.safeParse('114'), schema.safeParse(['114', '115'])]
    if (one.success && one.data === 114) {
      single++
      for (const input of [' 114', '114 ', '+114', '1,140', '114.0', 0, -1, 1.5, 2 ** 53, '0', '99999999999999999999'])
        expect([name, input, schema.safeParse(input).success]).toEqual([name, input, false])
    }
    if (!many.success || typeof (many.data as unknown[])[0] !== 'number') continue
    lists++
    for (const input of STRANGE) expect([name, input, schema.safeParse([114, input]).success]).toEqual([name, input, false])
  }
  expect([single > 150, lists > 10]).toEqual([true, true])
})

test('yes or no is a word for either, and nothing else is no', () => {
  const flags = FIELDS.filter(({ schema }) => {
    const [yes, no] = [schema.safeParse('Yes'), schema.safeParse('FALSE')]
    return yes.success && no.success && Number(yes.data) === 1 && Number(no.data) === 0
  })
  expect(flags.length).toBeGreaterThan(20)
  for (const { name, schema } of flags) {
    expect(schema.safeParse(1).data, name).toEqual(schema.safeParse(true).data)
    for (const input of ['maybe', 'ture', 'ja', '0x1', '1e0', '01', 2, -1, 0.5, [true], {}])
      expect([name, input, schema.safeParse(input).success]).toEqual([name, input, false])
  }
})

test('nothing is coerced', () => {
  const sources = ['contract', 'server'].flatMap(sourcesOf)
  expect(sources.length).toBeGreaterThan(300)
  expect(sources.filter((file) => /\bcoerce\b/.test(sourceOf(file)))).toEqual([])
})
