import { expect, test } from 'vitest'
import { z } from 'zod'
import { changedIn, conflictsIn, readByRules, valuesOf } from '../../src/panes/shared/form/formRules.ts'

const LABELS = { name: 'Name', goal: 'Goal', age: 'Age' }
const base = { name: 'Wave 1', goal: '10', age: [1, 2] }
const schema = async () =>
  z.object({ title: z.string().min(1, 'Project Name cannot be blank'), goal: z.coerce.number().int('must be a whole number') })

test('a form validates its values by the call’s rules, under its own names', async () => {
  const rules = {
    schema,
    input: ({ name, goal }: typeof base) => ({ title: name, goal }),
    fieldOf: (name: string) => (name === 'title' ? 'name' : name),
    also: ({ age }: typeof base) => (age.length ? {} : { age: 'Please choose at least one age' }),
  }
  expect(await readByRules(rules, LABELS, base)).toEqual({ input: { title: 'Wave 1', goal: 10 }, errors: {} })
  const wrong = await readByRules(rules, LABELS, { name: '', goal: '1.5', age: [] })
  expect(wrong.errors).toEqual({
    name: 'Project Name cannot be blank',
    goal: 'Goal must be a whole number',
    age: 'Please choose at least one age',
  })
})

test('an extra space isn’t a change, another choice is', () => {
  expect(changedIn(base, { ...base, name: 'Wave 1 ' })).toEqual([])
  expect(changedIn(base, { ...base, age: [1] })).toEqual(['age'])
})

test('only a field that both changed to different values conflicts', () => {
  const mine = { name: 'Mine', goal: '20', age: [1] }
  expect(conflictsIn(base, mine, { name: 'Theirs', goal: '20', age: [1, 2] })).toEqual(['name'])
})

test('the values of a conflict’s record have the shape of the form’s', () => {
  expect(valuesOf({ name: null, goal: 30, age: '[3]', id: 7 }, base)).toEqual({ name: '', goal: '30', age: [3] })
})
