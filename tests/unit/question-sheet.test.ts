import { describe, expect, it } from 'vitest'
import { answerTypeOf, optionFaults, splitOptions } from '../../contract/questionRules.ts'
import { columnsOf, draftsOf, gridOf, rowsOf } from '../../contract/questionSheet.ts'

const read = (text: string) => {
  const grid = gridOf(text)
  const { columns, headed } = columnsOf(grid)
  return { columns, headed, ...draftsOf(rowsOf(grid, columns, headed)) }
}

describe('a pasted sheet', () => {
  it('is read with tabs, commas or semicolons, and with lines inside of quotes', () => {
    expect(gridOf('a\tb, c\n"d ""x""\ne"\tf')).toEqual([
      ['a', 'b, c'],
      ['d "x"\ne', 'f'],
    ])
    expect(gridOf('\uFEFFa;b,c;d')).toEqual([['a', 'b,c', 'd']])
    expect(gridOf('a,b\r\n\r\n')).toEqual([['a', 'b']])
  })
  it('recognizes its columns by their headings', () => {
    expect(read('Variable\tLabel\tFormat\tValue labels\tWho cares\nq1\tWhich?\tRadio\tYes|No\tx')).toMatchObject({
      headed: true,
      columns: ['vendor_key', 'name', 'answer_type', 'options', null],
      errors: [],
      drafts: [{ vendor_key: 'q1', name: 'Which?', answer_type: 'single', options: ['Yes', 'No'] }],
    })
  })
  it('recognizes columns without headings by their cells', () => {
    expect(read('q1\tsingle\tWhich snack do you like?\tChips|Nuts\nq2\topen\tWhy do you like it?\t')).toMatchObject({
      headed: false,
      columns: ['vendor_key', 'answer_type', 'name', 'options'],
      errors: [],
    })
    expect(read('Which snack?\nAnd why?').drafts.map(({ name, answer_type }) => [name, answer_type])).toEqual([
      ['Which snack?', 'open'],
      ['And why?', 'open'],
    ])
  })
  it('reports errors by row', () => {
    const { errors } = read('Key,Question,Type,Answers\nq1,,Open,\nq1,Which?,Radio,Yes\nq3,What?,Wheel,\n')
    expect(errors).toEqual([
      { row: 1, field: 'name', code: 'required', message: 'Question Name cannot be blank' },
      { row: 2, field: 'options', code: 'invalid', message: 'A single or multiple choice needs two answers.' },
      { row: 2, field: 'vendor_key', code: 'taken', message: 'Row 1 also has the key “q1”.' },
      {
        row: 3,
        field: 'answer_type',
        code: 'choice',
        message: '“Wheel” isn’t an answer type: Single, Multiple, Number or Open.',
      },
    ])
  })
})

it('answers are split by line, else by |', () => {
  expect(splitOptions(' Yes | No |')).toEqual(['Yes', 'No'])
  expect(splitOptions('Yes | maybe\nNo')).toEqual(['Yes | maybe', 'No'])
})
it('knows other tools’ names for types of answers', () => {
  expect(['Radio', 'multi-select', 'NUMERIC', 'open_end', 'slider'].map(answerTypeOf)).toEqual([
    'single',
    'multiple',
    'number',
    'open',
    undefined,
  ])
})
it('has no answer that is blank, repeated or "Total"', () => {
  expect([...optionFaults(['Yes', ' ', 'yes', 'total'])]).toEqual([
    [1, 'An answer cannot be blank.'],
    [2, '“yes” is listed twice.'],
    [3, 'Charts leave a row "Total" out.'],
  ])
})
