import { describe, expect, it } from 'vitest'
import { copiedAnswers, emptyOlder, progressOfQuestions, toCampaign } from '../../src/panes/form/olderForm.ts'
import { summaryOf } from '../../src/panes/form/summarySentence.ts'
import { checkRows } from './rows.ts'

const empty = emptyOlder('7')
const summaryFor = (more: Partial<typeof empty>) =>
  summaryOf({ ...empty, ...more }, { client: 'Acorn Foods', dmas: [] })
    .map(({ text }) => text)
    .join('')

describe('the sentence of a request', () => {
  it('says what is still missing in its place', () => {
    expect(summaryFor({})).toBe(
      'Acorn Foods asks for a number of completes of a project from a start date to an end date, among an audience in a market, by a survey.',
    )
  })

  it('joins neighbouring ages', () => {
    checkRows(
      [
        [[2, 3, 4, 5, 6, 7], 'people aged 18 and over'],
        [[1, 2, 3, 4, 5, 6, 7], 'people aged 13 and over'],
        [[3, 4], 'people aged 25 to 44'],
        [[2, 4, 5], 'people aged 18 to 24 and 35 to 54'],
        [[6, 7], 'people aged 55 and over'],
        [[7], 'people aged 65 & Older'],
      ],
      ([age, words]) => {
        expect(summaryFor({ age: age.map(String), gender: ['female', 'male', 'other'] })).toContain(`among ${words} in`)
      },
    )
  })

  it('names what narrows the audience, but not a group that is selected completely', () => {
    const gender = ['male']
    expect(summaryFor({ gender, hhi: ['0', '1'], children: ['0', '1', '2', '3', '4'] })).toContain(
      'among men aged 18 and over with household income < $24,999 or $25K to $34,999 in',
    )
  })

  it('counts one complete and one file', () => {
    expect(summaryFor({ goal: '1', file_ids: [{ id: 1, name: 'a.csv', bytes: 1 }] })).toMatch(
      /asks for 1 complete of .*by 1 file\.$/,
    )
  })
})

describe('an older request', () => {
  it('is sent under the names of its call, without what was left blank', () => {
    const filled = { ...empty, name: 'Snacks', goal: '300', start_dt: '2026-12-01', gender: ['male'], seen: ['age'] }
    expect(toCampaign(filled)).toEqual({
      client_id: 7,
      campaign_name: 'Snacks',
      num_completed_actions: 300,
      start_date: '2026-12-01',
      age_range: ['2', '3', '4', '5', '6', '7'],
      gender: ['male'],
      hhi_range: [],
      ethnicity_range: [],
      marital_status_range: [],
      presence_of_children_range: [],
      location_based_ind: 'no',
      targeted_location: [],
      campaign_type: 'Survey',
      status: 'requirements',
      file_ids: [],
    })
  })

  it('counts a default once it was seen, and a typed answer at once', () => {
    const doneIn = (more: Partial<typeof empty>) =>
      progressOfQuestions({ ...empty, ...more }, empty)
        .filter(({ done }) => done)
        .map(({ label }) => label)
    const dates = { start_dt: '2026-12-01', end_dt: '2026-12-08', followed: '2026-12-08' }
    expect(doneIn({})).toEqual([])
    expect(doneIn({ age: ['3'] })).toEqual(['Age'])
    expect(doneIn(dates)).toEqual(['Start'])
    expect(doneIn({ ...dates, seen: ['end_dt', 'age'] })).toEqual(['Start', 'End', 'Age'])
    expect(doneIn({ ...dates, end_dt: '2026-12-24' })).toEqual(['Start', 'End'])
  })

  it('copies audience, markets and goal from an earlier one of either generation', () => {
    const earlier = {
      ...{ goal: 250, campaign_type: 'Survey', age_range: '3,4', gender: 'female,male', hhi_range: '0', ethnicity_range: '' },
      ...{ marital_status_range: '', presence_of_children_range: '4', location_based_ind: '' },
    }
    const taken = { goal: '250', age: ['3', '4'], gender: ['female', 'male'], hhi: ['0'], children: ['4'], location_based: 'no' }
    expect(copiedAnswers({ ...earlier, targeted_location: '501,803' })).toMatchObject({
      ...taken,
      targeted_locations: ['501', '803'],
    })
    expect(copiedAnswers({ ...earlier, targeted_location: [{ id: 501 }] })).toMatchObject({ targeted_locations: ['501'] })
  })
})
