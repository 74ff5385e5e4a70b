import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitOptions } from '../../contract/questionRules.ts'
import { joinTexts, type Separator, splitTexts } from '../../contract/severalTexts.ts'
import { answerColumns } from '../../server/domain/responses/answerCells.ts'
import { checkRows } from './rows.ts'

const SEPARATORS: readonly Separator[] = [';', '|', '\n']

test('texts in one cell can be told apart, whatever they hold', () => {
  const nasty = fc.array(fc.constantFrom(';', '|', '"', ' ', '\n', 'a', 'ü', ',', '\t', '""', '; '), { maxLength: 8 })
  const text = fc.oneof(
    fc.string(),
    nasty.map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(fc.array(text, { maxLength: 6 }), fc.constantFrom(...SEPARATORS), (texts, by) => {
      expect(splitTexts(joinTexts(texts, by), by)).toEqual(texts)
    }),
  )
})

test('plain texts stay plain, and a stray quote is only a quote', () => {
  checkRows<[texts: string[], cell: string]>(
    [
      [['Home', 'Work'], 'Home; Work'],
      [['Bar; pub', 'Home'], '"Bar; pub"; Home'],
      [['Bar; pub'], '"Bar; pub"'],
      [['Say "hi"', 'Yes, always'], '"Say ""hi"""; Yes, always'],
      [[], ''],
    ],
    ([texts, cell]) => expect(joinTexts(texts, ';')).toBe(cell),
  )
  checkRows<[cell: string, texts: string[]]>(
    [
      ['5" | 6"', ['5"', '6"']],
      ['"a" b | c', ['"a" b', 'c']],
      ['"open | b', ['"open', 'b']],
      [' | a || b | ', ['a', 'b']],
      ['"a | b" | "c"', ['a | b', 'c']],
    ],
    ([cell, texts]) => expect(splitTexts(cell, '|')).toEqual(texts),
  )
})

test('the options of a question are read as they were written, by lines too', () => {
  checkRows<[cell: string, options: string[]]>(
    [
      ['Red | Blue', ['Red', 'Blue']],
      ['Red\r\nBlue | green\n', ['Red', 'Blue | green']],
      [joinTexts(['Red | pink', 'Blue', 'Say "hi"'], '|'), ['Red | pink', 'Blue', 'Say "hi"']],
      [joinTexts(['Two\nlines', 'Blue'], '|'), ['Two\nlines', 'Blue']],
    ],
    ([cell, options]) => expect(splitOptions(cell)).toEqual(options),
  )
})

test('a question of several answers has one cell, or a column for each option', () => {
  const question = { name: 'Where', answer_type: 'multiple', offered: ['Bar; pub', 'Home'] }
  const read = (apart: boolean, answers: string[], of = question) =>
    answerColumns(of, apart).map(({ heading, textOf }) => [heading, textOf(answers)])
  expect(read(false, ['Bar; pub', 'Home'])).toEqual([['Where', '"Bar; pub"; Home']])
  expect(read(false, ['Bar; pub'])).toEqual([['Where', '"Bar; pub"']])
  expect(read(true, ['Home', 'Office'])).toEqual([
    ...[
      ['Where: Bar; pub', 'no'],
      ['Where: Home', 'yes'],
      ['Where: other answers', 'Office'],
    ],
  ])
  expect(read(true, [])).toEqual([
    ['Where: Bar; pub', ''],
    ['Where: Home', ''],
    ['Where: other answers', ''],
  ])
  // One answer can't be mistaken for several.
  expect(read(true, ['Bar; pub'], { ...question, answer_type: 'single' })).toEqual([['Where', 'Bar; pub']])
})
