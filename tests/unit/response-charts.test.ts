import { describe, expect, it } from 'vitest'
import { sharesOf } from '../../contract/percentages.ts'
import { withCodes } from '../../contract/questionCode.ts'
import { baseText, differenceText, pointsBetween, shareSaid, shareText } from '../../src/panes/project/responses/answerShares.ts'
import { inOrder, partsIn, roundTop, segmentsOf } from '../../src/panes/project/responses/bars.ts'
import { isTotal, lineUp, matches, type Question, questionsOf } from '../../src/panes/project/responses/chart.ts'
import {
  gendersOn,
  isFiltered,
  responsesInput,
  splitPatch,
  switchAge,
  switchGender,
  viewOf,
} from '../../src/panes/project/responses/responsesView.ts'
import { readQuery } from '../../src/routing/match.ts'

const plain = (text: string) => text.replaceAll('\u00a0', ' ')
const shared = (count: number, base: number) => ({ count, percent: sharesOf([count], base)[0]! })
const answer = (label: string, female: number, male: number) => ({
  label,
  value: female + male,
  percent: 0,
  gender: { female, male, other: 0, unknown: 0 },
  age: { 1: 0, 2: female + male },
})

describe('a share', () => {
  it('has one decimal', () => expect(plain(shareText(shared(410, 1198), 1198))).toBe('34.2 %'))
  it('of something is never 0 %', () => expect(plain(shareText(shared(1, 16_700), 16_700))).toBe('< 0.1 %'))
  it('that rounds to a tenth is shown', () => expect(plain(shareText(shared(1, 2000), 2000))).toBe('0.1 %'))
  it('of nobody is 0', () => expect(plain(shareText(shared(0, 50), 50))).toBe('0.0 %'))
  it('that lacks somebody is never 100 %', () => expect(plain(shareText(shared(16_699, 16_700), 16_700))).toBe('> 99.9 %'))
  it('of an empty base is none', () =>
    expect([shareText(shared(0, 0), 0), shareSaid(shared(0, 0), 0)]).toEqual(['–', 'no share']))
  it('is described in words', () =>
    expect([shareSaid(shared(1, 16_700), 16_700), shareSaid(shared(1, 4), 4)]).toEqual(['less than 0.1 percent', '25.0 percent']))
  it('differs from another in points', () => {
    expect(pointsBetween([1, 4], [1, 5])).toBe(5)
    expect(pointsBetween([1, 3], [1, 3])).toBe(0)
    expect(pointsBetween([333, 1000], [3333, 10_000])).toBe(0)
    expect(pointsBetween([1, 3], [0, 0])).toBeNull()
  })
})

it('a base names those who skipped, if any', () =>
  expect([plain(baseText(1198, 10)), plain(baseText(3, 0))]).toEqual(['n = 1,198, 10 skipped', 'n = 3']))

describe('bars', () => {
  const never = answer('Never', 10, 30)
  it('are one piece without a split', () =>
    expect(segmentsOf(never, 'none', 80)).toEqual([{ key: 'all', label: 'All', value: 40, from: 0, width: 50 }]))
  it('are stacked in the order of the parts, and leave out empty ones', () =>
    expect(segmentsOf(never, 'gender', 100)).toEqual([
      { key: 'female', label: 'Female', value: 10, from: 0, width: 10 },
      { key: 'male', label: 'Male', value: 30, from: 10, width: 30 },
    ]))
  it('name only parts that somebody has', () =>
    expect(partsIn([never], 'gender', 'project').map(({ label }) => label)).toEqual(['Female', 'Male']))
  it('name the oldest as the project’s generation does', () => {
    const old = { ...never, age: { 7: 3 } }
    for (const [generation, label] of [
      ['campaign', '65 & Older'],
      ['project', '65+'],
    ] as const)
      expect(partsIn([old], 'age', generation).map((part) => part.label)).toEqual([label])
  })
  it('leave out a total row', () => {
    expect(['Total', ' TOTAL ', 'Total loss'].map(isTotal)).toEqual([true, true, false])
    expect(inOrder([never, answer('total', 50, 50)], 'asked').map(({ label }) => label)).toEqual(['Never'])
  })
  it('keep the order of the question, or are largest first with ties in that order', () => {
    const rows = [answer('A', 1, 1), answer('B', 3, 0), answer('C', 2, 0), answer('D', 9, 0)]
    expect(
      inOrder(rows, 'asked')
        .map(({ label }) => label)
        .join(''),
    ).toBe('ABCD')
    expect(
      inOrder(rows, 'largest')
        .map(({ label }) => label)
        .join(''),
    ).toBe('DBAC')
  })
  it('keep a frozen order, and add new ones at its end', () => {
    const rows = [answer('A', 9, 0), answer('B', 3, 0), answer('C', 5, 0)]
    expect(
      inOrder(rows, 'largest', ['B', 'A'])
        .map(({ label }) => label)
        .join(''),
    ).toBe('BAC')
  })
  it('end an axis of counts at a round figure', () =>
    expect([0, 3, 17, 100, 101, 410, 7301].map(roundTop)).toEqual([4, 4, 20, 100, 200, 500, 8000]))
})

const head = (question_id: number, title: string, more: Partial<Question> = {}): Question => ({
  ...{ question_id, title, question_ids: [question_id], survey_id: 1, survey_ids: [1], vendor_key: '', retired: false },
  ...{ number: question_id, question_type: 'survey', answer_type: 'single', id: String(question_id), code: `Q${question_id}` },
  ...{ same: `single ${title.toLowerCase()}`, ...more },
})

describe('questions', () => {
  it('have codes by their place, profile and reward questions by their own count', () => {
    const kinds = ['survey', 'profile', 'survey', 'reward', 'profile'] as const
    const heads = kinds.map((question_type, at) =>
      head(at, '', { question_type, number: question_type === 'survey' ? at + 1 : null }),
    )
    expect(withCodes(heads).map(({ code }) => code)).toEqual(['Q1', 'P1', 'Q3', 'R1', 'P2'])
  })
  it('are found by code, text and answer, all words in one of them', () => {
    const question = { code: 'Q7', title: 'How often do you snack?' }
    expect(['q7', 'SNACK often', 'day every', ''].map((text) => matches(question, ['Every day'], text))).toEqual([
      ...[true, true, true, true],
    ])
    expect(['weekly', 'often every'].map((text) => matches(question, ['Every day'], text))).toEqual([false, false])
  })
  it('are the same with the same text and type', () => {
    const same = (title: string, more: Partial<Question> = {}) => questionsOf([head(1, title, more)])[0]!.same
    expect(same(' How  often? ')).toBe(same('how often?'))
    expect(same('How often?')).not.toBe(same('How often?', { answer_type: 'multiple' }))
  })
  it('that a survey asks twice are the first and the second, each beside its own', () => {
    const twice = (ids: number[]) => questionsOf(ids.map((id) => head(id, 'Why?', { answer_type: 'open' })))
    expect(new Set(twice([1, 2]).map(({ same }) => same)).size).toBe(2)
    expect(lineUp(twice([7]), twice([1, 2])).map(({ question, gap }) => `${question.id}${gap ? ' gap' : ''}`)).toEqual([
      ...['7', '2 gap'],
    ])
  })
  it('line up with the first column’s, with gaps for what only that asks', () => {
    const first = [head(1, 'A'), head(2, 'B'), head(3, 'C')]
    const lines = lineUp([head(7, 'C'), head(8, 'X'), head(9, 'A')], first)
    expect(lines.map(({ question, gap }) => `${question.id} ${question.title}${gap ? ' gap' : ''}`)).toEqual([
      ...['9 A', '2 B gap', '7 C', '8 X'],
    ])
    expect(lineUp(first, null)).toHaveLength(3)
  })
  it('of the first column end with gaps for what only the others ask, each once', () => {
    const lines = lineUp([head(1, 'A')], null, [head(1, 'A'), head(7, 'X'), head(8, 'x'), head(9, 'Y')])
    expect(lines.map(({ question, gap }) => `${question.title}${gap ? ' gap' : ''}`)).toEqual(['A', 'X gap', 'Y gap'])
  })
  it('differ by their means, in the chart and in words', () => {
    expect(differenceText(5.5, 4, 'Alder')).toEqual({ shown: '+1.5', spoken: '1.5 more than Alder' })
    expect(differenceText(4, 4.254, 'Alder')).toEqual({ shown: '−0.25', spoken: '0.25 less than Alder' })
    expect(differenceText(4, 4.001, 'Alder')).toEqual({ shown: '±0', spoken: 'as in Alder' })
  })
})

describe('the link of User Responses', () => {
  it('means female and male without a gender', () => {
    expect(gendersOn({})).toEqual(['female', 'male'])
    expect(responsesInput({})).toEqual({ gender: 'female,male' })
  })
  it('means everybody with all', () => expect(responsesInput({ gender: 'all' })).toEqual({}))
  it('ignores a gender that nobody has', () => expect(gendersOn({ gender: 'cat' })).toEqual(['female', 'male']))
  it('switches a gender on and off, and leaves no trace at first', () => {
    expect(switchGender({}, 'other')).toEqual({ gender: 'female,male,other' })
    expect(switchGender({ gender: 'female,male,other' }, 'other')).toEqual({ gender: null })
    expect(switchGender({ gender: 'female,male,other' }, 'unknown')).toEqual({ gender: 'all' })
    expect(switchGender({ gender: 'female' }, 'female')).toEqual({ gender: 'female' })
  })
  it('switches ages', () => {
    expect(switchAge({}, '3')).toEqual({ age: '3' })
    expect(switchAge({ age: '3' }, '2')).toEqual({ age: '2,3' })
    expect(switchAge({ age: '3' }, '3')).toEqual({ age: null })
  })
  it('passes the other filters on', () =>
    expect(responsesInput({ gender: 'all', hhi: '0,1', dwell: '60+', notice: 'yes', age: '3,9' })).toEqual({
      ...{ hhi: '0,1', dwellRange: '60+', notice: 'yes', ageRange: '3' },
    }))
  it('says whether anything is filtered', () =>
    expect(['', 'gender=all', 'gender=female', 'age=2', 'q=7'].map((text) => isFiltered(readQuery(text)))).toEqual([
      ...[false, false, true, true, false],
    ]))
  it('is stacked by gender in v3, and plain in the older generation', () => {
    expect([viewOf({}, 'project').split, viewOf({}, 'campaign').split]).toEqual(['gender', 'none'])
    expect([splitPatch('gender', 'project'), splitPatch('gender', 'campaign')]).toEqual([{ split: null }, { split: 'gender' }])
  })
  it('reads the whole view, and drops what it does not know', () => {
    expect(
      viewOf(
        { q: '7', by: 'gender', unit: 'count', sort: 'largest', split: 'age', survey: '9', search: 'x', profile: '1' },
        'project',
      ),
    ).toEqual({
      ...{ question: '7', by: 'gender', unit: 'count', sort: 'largest', split: 'age', survey: 9, search: 'x', profile: true },
    })
    expect(viewOf({ q: 'x', unit: 'y', sort: 'z', split: 'w', survey: 'v' }, 'project')).toEqual({
      ...{ question: null, by: null, unit: 'share', sort: 'asked', split: 'gender', survey: null, search: '', profile: false },
    })
  })
})
