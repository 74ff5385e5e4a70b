import { describe, expect, it } from 'vitest'
import { ask, type Command, command } from '../../src/commands/command.ts'
import { linkable, linkedSubjects, ON, readAnswers, readSubjects } from '../../src/commands/commandLink.ts'
import type { Subject } from '../../src/commands/subject.ts'
import { commandLink, RESERVED, readLink } from '../../src/routing/codec.ts'
import { commandIds, commandOf, isCommandId } from '../support/commands.ts'
import { checkRows } from './rows.ts'

const colours = [
  { value: 'red', label: 'Red' },
  { value: 'sky blue', label: 'Blue' },
]
const every = command({
  title: 'Everything…',
  on: ['project', 'entry'],
  asks: {
    partner: ask.entity({ kind: 'partner', label: 'Partner' }),
    others: ask.entities({ kind: 'project', label: 'Beside' }),
    colour: ask.option({ label: 'Colour', options: colours }),
    ages: ask.several({ label: 'Colours', options: colours }),
    cost: ask.number({ label: 'Cost', money: true }),
    until: ask.date({ label: 'Until' }),
    reason: ask.text({ label: 'Reason' }),
    files: ask.file({ label: 'Files', types: ['csv'] }),
  },
  run: () => {},
}) as unknown as Command
const answers = {
  partner: 12,
  others: [4, 5],
  colour: 'sky blue',
  ages: ['red', 'sky blue'],
  cost: 125_050,
  until: '2026-11-24',
  reason: 'Maya said so',
  files: [new File(['x'], 'maya.csv')],
}
const round = (given: Record<string, unknown>) =>
  readLink(commandLink('/dashboard/all-projects?search=acme', 'x.y', linkable(every, given))).command!

describe('a command link', () => {
  it('restores every answer except texts and files', () => {
    const { reason: _, files: __, ...linked } = answers
    expect(readAnswers(every, round(answers).answers, [])).toEqual(linked)
  })
  it('contains no typed text and no file name', () =>
    expect(commandLink('/', 'x.y', linkable(every, answers))).not.toMatch(/maya/i))
  it('is tested with every kind of question', () =>
    expect([...new Set(Object.values(every.asks!).map(({ type }) => type))].sort()).toEqual(Object.keys(ask).sort()))
  it('accepts only possible answers', () => {
    const hostile = {
      partner: '1 or 1=1',
      others: '4,-5',
      colour: 'green',
      ages: 'x,y',
      cost: 'NaN',
      until: '2026-02-31',
      files: '/etc/passwd',
    }
    expect(readAnswers(every, hostile, [])).toEqual({})
  })
  it('ignores answers to unknown questions', () =>
    expect(readAnswers(every, { constructor: 'x', toString: 'y', do: 'z' }, [])).toEqual({}))
  it('finds no command under an object’s built-in property', () =>
    expect(['__proto__', 'constructor', 'toString', ''].filter(isCommandId)).toEqual([]))
})

describe('what a command link acts on', () => {
  const entries = [12, 13].map((id): Subject => ({ kind: 'entry', id, name: `maya${id}@mail.test` }))
  it('is given by kind and ids, without names', () => expect(linkedSubjects(entries)).toBe('entry:12,13'))
  it('is restored', () => expect(readSubjects(every, 'entry:12,13')).toEqual({ kind: 'entry', ids: [12, 13] }))
  it('is left out when too long', () =>
    expect(linkedSubjects(Array.from({ length: 101 }, (_, id) => ({ ...entries[0]!, id })))).toBeNull())
  it('is nothing for other text', () => {
    checkRows(
      ['user:12', 'entry:', 'entry:x', 'entry:0', 'entry', ':', `entry:${Array.from({ length: 101 }, (_, at) => at + 1)}`],
      (text) => expect(readSubjects(every, text)).toBeNull(),
    )
  })
  it('and a link’s other parameters never clash with a question', () => {
    const own = new Set([ON, ...RESERVED])
    expect(
      commandIds().flatMap((id) =>
        Object.keys(commandOf(id).asks ?? {}).flatMap((key) => (own.has(key) ? [`${id} asks ${key}`] : [])),
      ),
    ).toEqual([])
  })
})
