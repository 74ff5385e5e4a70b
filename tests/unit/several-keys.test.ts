import type { KeyboardEvent } from 'react'
import { expect, test } from 'vitest'
import { ask } from '../../src/commands/command.ts'
import { numberTyped, severalKey } from '../../src/palette/multiSelect.ts'

const nothing = { draft: '', moved: false, atDone: false, chosen: 0, optional: false }
const key = (name: string, state: Partial<typeof nothing> = {}, held: Partial<KeyboardEvent> = {}) =>
  severalKey({ key: name, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held } as KeyboardEvent, {
    ...nothing,
    ...state,
  })

test('Space selects while nothing is typed or after an arrow, and is a blank otherwise', () => {
  expect(key(' ')).toBe('select')
  expect(key(' ', { draft: 'new' })).toBeNull()
  expect(key(' ', { draft: 'new', moved: true })).toBe('select')
})

test('Enter continues with what is selected, and after typing takes what was found', () => {
  expect(key('Enter', { chosen: 1 })).toBe('continue')
  expect(key('Enter', { chosen: 1, moved: true })).toBe('continue')
  expect(key('Enter', { chosen: 1, draft: 'ann' })).toBeNull()
  expect(key('Enter')).toBeNull()
  expect(key('Enter', { optional: true })).toBe('continue')
  expect(key('Enter', { optional: true, moved: true })).toBeNull()
  expect(key('Enter', {}, { ctrlKey: true })).toBe('continue')
})

test('Ctrl+A selects all, and the text where there is one', () => {
  expect(key('a', {}, { ctrlKey: true })).toBe('all')
  expect(key('a', { draft: 'ann' }, { metaKey: true })).toBeNull()
  expect(key('a')).toBeNull()
  expect(key('x')).toBeNull()
})

test('a number selects so many of the first, if no choice contains it', () => {
  const genders = ask.several({ label: 'Genders', options: [] })
  expect(numberTyped(genders, '2', 0, 3)).toBe(2)
  expect(numberTyped(genders, ' 20 ', 0, 3)).toBe(3)
  expect(numberTyped(genders, '2', 1, 3)).toBeNull()
  expect(numberTyped(genders, '0', 0, 3)).toBeNull()
  expect(numberTyped(ask.text({ label: 'Name' }), '2', 0, 3)).toBeNull()
})
