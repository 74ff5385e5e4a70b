import { describe, expect, it } from 'vitest'
import { readDay } from '../../contract/dates.ts'
import { civilToday } from '../../contract/pacing.ts'
import { ask } from '../../src/commands/command.ts'
import { readDraft, understood } from '../../src/palette/steps.ts'
import { checkRows } from './rows.ts'

// A Saturday.
const TODAY = '2026-11-21'
const read = (typed: string, today = TODAY) => readDay(typed, today)

describe('a date as people type it', () => {
  it('is read in any wording', () => {
    checkRows(
      [
        ['11/24/2026', '2026-11-24'],
        ['2026-11-24', '2026-11-24'],
        ['today', '2026-11-21'],
        ['Tomorrow', '2026-11-22'],
        ['yesterday', '2026-11-20'],
        ['+7d', '2026-11-28'],
        ['+2w', '2026-12-05'],
        ['-3d', '2026-11-18'],
        ['in 3 days', '2026-11-24'],
        ['2 weeks ago', '2026-11-07'],
        ['+1m', '2026-12-21'],
        ['in two weeks', '2026-12-05'],
        ['a month from now', '2026-12-21'],
        ['eom', '2026-11-30'],
        ['end of next month', '2026-12-31'],
        ['the end of the year', '2026-12-31'],
        ['end of next year', '2027-12-31'],
        ['eoq', '2026-12-31'],
        ['end of feb', '2027-02-28'],
        ['next week', '2026-11-23'],
        ['next month', '2026-12-01'],
        ['eow', '2026-11-27'],
        ['fri', '2026-11-27'],
        ['wednesday', '2026-11-25'],
        ['next fri', '2026-11-27'],
        ['nov 24', '2026-11-24'],
        ['24 nov 2027', '2027-11-24'],
        ['Dec 3rd', '2026-12-03'],
      ],
      ([typed, date]) => expect(read(typed)).toBe(date),
    )
  })
  it('is never today for today’s weekday', () => expect(read('sat')).toBe('2026-11-28'))
  it('is next week’s Friday after "next", even on a Wednesday', () => expect(read('next fri', '2026-11-18')).toBe('2026-11-27'))
  it('is next year’s once this year’s is past', () => expect(read('jan 5')).toBe('2027-01-05'))
  it('is the month’s last day if it has no such day', () => expect(read('+1m', '2027-01-31')).toBe('2027-02-28'))
  it('waits for a leap year', () => expect(read('2/29')).toBe('2028-02-29'))
  it('isn’t read from other text', () => {
    checkRows(['13/45/2026', 'fr', 'soon', '7', 'feb 30', '', 'next', '+7 apples', 'a', 'end of time', 'in a hurry'], (typed) =>
      expect(read(typed)).toBeNull(),
    )
  })
  it('is today in the user’s zone', () =>
    expect([
      civilToday('America/New_York', new Date('2026-11-21T03:00:00Z')),
      civilToday('Asia/Tokyo', new Date('2026-11-20T16:00:00Z')),
    ]).toEqual(['2026-11-20', '2026-11-21']))
})

describe('the understood answer', () => {
  const cost = ask.number({ label: 'Cost', money: true, min: 1 })
  const goal = ask.number({ label: 'Goal', unit: 'completes' })
  it('is shown back as a day', () => expect(understood(ask.date({ label: 'Until' }), 'fri', TODAY)).toBe('Fri, 11/27/2026'))
  it('is shown back as money', () => expect(understood(cost, '1.2k', TODAY)).toBe('$1,200.00'))
  it('is nothing for invalid text', () => expect(understood(cost, 'dear', TODAY)).toBeNull())
  it('accepts a unit typed with its number', () => expect(readDraft(goal, '400 completes', TODAY)).toBe(400))
  it('keeps whole cents', () => expect(readDraft(cost, '19.99', TODAY)).toBe(1999))
  it('leaves invalid numbers to the error message', () => expect(readDraft(goal, '1e9x', TODAY)).toBe('1e9x'))
})
