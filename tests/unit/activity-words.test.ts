import { describe, expect, it } from 'vitest'
import { datesOutside, forcesNothing } from '../../contract/activityRules.ts'
import { agesInWords, audienceLine, marketsInWords } from '../../contract/audienceLine.ts'
import { presetOf } from '../../contract/dmaPresets.ts'

const any = {
  location_based: 'no',
  targeted_locations: '',
  age: '',
  gender: '',
  hhi: '',
  ethnicity: '',
  marital_status: '',
  children: '',
}
const none = () => null

describe('an audience in one line', () => {
  it('says “Any” without a target, and without a restriction', () => {
    expect([audienceLine(null, none), audienceLine(any, none)]).toEqual(['Any', 'Any'])
    expect(audienceLine({ ...any, age: '1,2,3,4,5,6,7', gender: 'female,male,other' }, none)).toBe('Any')
  })
  it('joins ages that follow each other, and names a preset', () => {
    expect(audienceLine({ ...any, age: '2,3,4', targeted_locations: '501' }, () => 'Top 25')).toBe('18–44, all genders, Top 25')
    expect([agesInWords('2,3,4,5,6,7'), agesInWords('2,4,7'), agesInWords('1')]).toEqual(['18+', '18–24, 35–44, 65+', '13–17'])
    expect([agesInWords('2,7', 'campaign'), agesInWords('6,7', 'campaign')]).toEqual(['18–24, 65 & Older', '55+'])
  })
  it('names one or two values of a group, and counts more', () => {
    const line = audienceLine({ ...any, gender: 'female', hhi: '0,1', ethnicity: 'white,asian,hispanic', children: '0' }, none)
    expect(line).toBe('all ages, Female, < $24,999, $25K to $34,999, 3 ethnicities, by children')
  })
  it('counts market areas that match no preset, and says when it goes by location groups', () => {
    expect(marketsInWords({ location_based: 'no', targeted_locations: '501,504' }, none)).toBe('2 market areas')
    expect(marketsInWords({ location_based: 'yes', targeted_locations: '501' }, none)).toBe('by location groups')
    expect(marketsInWords({ location_based: 'no', targeted_locations: '' }, none)).toBeNull()
  })
})

it('a set of areas is named as a preset only when it equals it', () => {
  const areas = Array.from({ length: 60 }, (_, at) => ({ code: String(500 + at), rank: at < 50 ? at + 1 : null }))
  const first = (count: number) => areas.slice(0, count).map(({ code }) => code)
  expect([presetOf(areas, first(10)), presetOf(areas, first(60)), presetOf(areas, first(11)), presetOf(areas, [])]).toEqual([
    'Top 10',
    'All DMAs',
    null,
    null,
  ])
})

it('survey and social have no action of their own', () => {
  expect(['survey', 'social', 'video', 'photo'].map(forcesNothing)).toEqual([true, true, false, false])
})

it('each date outside the project’s has a warning of its own', () => {
  const project = { start_dt: '2026-11-02', end_dt: '2026-12-01' }
  expect(datesOutside({ start_dt: '2026-11-02', end_dt: '2026-12-01' }, project, (civil) => civil)).toEqual([])
  expect(datesOutside({ start_dt: '2026-11-01', end_dt: null }, project, (civil) => civil)).toEqual([
    'It starts before its project, which starts on 2026-11-02.',
  ])
})
