import { expect, test } from 'vitest'
import { calls } from '../../contract/calls.ts'
import { PRESETS } from '../../contract/dmaPresets.ts'
import { defaultEnd, pacingColor } from '../../contract/pacing.ts'
import { PAGE } from '../../contract/pages.ts'
import { COLUMN_TYPES } from '../../contract/reportTypes.ts'
import type { Funnel } from '../../contract/runtime.ts'
import {
  ACTION_TYPES,
  ACTIVITY_TYPES,
  AGES,
  ASSET_TYPES,
  CHILDREN,
  ETHNICITIES,
  GENDERS,
  INCOMES,
  labelOf,
  MARITAL,
  OLDER_AGES,
  PROVIDERS,
  SOCIAL_TYPES,
  type Term,
  UPLOAD_LIMIT,
} from '../../contract/vocabulary.ts'
import { recentFunnel } from '../../server/calls/runtime/funnel.ts'
import { marketAreas } from '../../server/db/markets.ts'
import { emptyDraft, progressOf } from '../../src/panes/form/requestDraft.ts'
import { CLUSTERED_TO, FIRST_VIEW } from '../../src/ui/charts/map-view.ts'

// The sentences of projects-area 9, one test each.

const phrasesOf = (terms: readonly Term[]) => terms.map(({ value, label }) => `${value} is ${label}`)
const values = (terms: readonly Term[]) => terms.map(({ value }) => value)

/** Records on a page of a list that names no size. */
function pageOf(name: keyof typeof calls, given: object = {}): number {
  const input = calls[name].input.parse({ id: 1, ...given }) as { per_page: number }
  return input.per_page
}

test('a table’s default page size is 10, with up to 5 page links', () => {
  for (const name of ['project.list', 'activity.list', 'survey.list', 'client.list', 'partner.list'] as const)
    expect(pageOf(name, { client_id: 1, project_id: 1 }), name).toBe(10)
  expect(PAGE.links).toBe(5)
})

test('notes and history have 5 a page, assets and location files too', () => {
  expect(pageOf('note.list')).toBe(5)
  expect(pageOf('project.history')).toBe(5)
  expect(PAGE.small).toBe(5)
})

test('rewards tables have 50 a page, the client report table 200, the client users list 100', () => {
  expect(pageOf('entry.list')).toBe(50)
  expect(pageOf('report.questions', { project_id: 1 })).toBe(200)
  expect(pageOf('client.users')).toBe(100)
})

test('the default end date is the start plus 7 days, 21 in the newer form', () => {
  expect(defaultEnd('2026-02-25', 'older')).toBe('2026-03-04')
  expect(defaultEnd('2026-02-25', 'newer')).toBe('2026-03-18')
})

test('pacing is red below 30, orange below 70, and green from there', () => {
  const colors = [0, 29, 30, 69, 70, 140].map((pacing) => pacingColor('active', pacing))
  expect(colors).toEqual(['Red', 'Red', 'Orange', 'Orange', 'Green', 'Green'])
})

test('a request’s progress counts 7 fields', () => {
  const fields = progressOf(emptyDraft('1')).map(({ label }) => label)
  expect(fields).toEqual(['Name', 'Goal', 'Start', 'End', 'Age', 'Gender', 'Location'])
})

test('ages have the ids 1 to 7; 65+ is 65 & Older in older forms, and 0 or another displays Any', () => {
  expect(phrasesOf(AGES)).toEqual([
    '1 is 13 to 17',
    '2 is 18 to 24',
    '3 is 25 to 34',
    '4 is 35 to 44',
    '5 is 45 to 54',
    '6 is 55 to 64',
    '7 is 65+',
  ])
  expect(OLDER_AGES.at(-1)).toEqual({ value: 7, label: '65 & Older' })
  expect([0, 9, null].map((age) => labelOf(AGES, age))).toEqual(['Any', 'Any', 'Any'])
})

test('household income has the codes 0 to 6, another displays Any', () => {
  expect(phrasesOf(INCOMES)).toEqual([
    '0 is < $24,999',
    '1 is $25K to $34,999',
    '2 is $35K to $49,999',
    '3 is $50K to $74,999',
    '4 is $75K to $99,999',
    '5 is $100K to $149,999',
    '6 is > $150,000',
  ])
  expect(labelOf(INCOMES, 7)).toBe('Any')
})

test('marital status, children, gender and ethnicity have the specification’s values', () => {
  expect(values(MARITAL)).toEqual(['single', 'married', 'separated', 'widowed', 'divorced'])
  expect(phrasesOf(CHILDREN)).toEqual(['0 is 0', '1 is 1', '2 is 2', '3 is 3-4', '4 is 4+'])
  expect([...values(GENDERS)].sort()).toEqual(['female', 'male', 'other'])
  expect(labelOf(GENDERS, 'all')).toBe('Any')
  expect(values(ETHNICITIES)).toEqual(['white', 'african', 'indian', 'asian', 'hispanic', 'other'])
  expect([labelOf(ETHNICITIES, 'african'), labelOf(ETHNICITIES, 'indian')]).toEqual(['African American', 'American Indian'])
})

test('activities, actions, social posts and assets have the specification’s types', () => {
  expect(values(ACTIVITY_TYPES)).toEqual(['survey', 'social', 'video', 'photo'])
  expect(values(ACTION_TYPES)).toEqual(['photo', 'video', 'comment', 'social', 'survey', 'nothing'])
  expect(values(SOCIAL_TYPES)).toEqual(['facebook', 'twitter_follow', 'twitter_tweet'])
  expect(ASSET_TYPES).toEqual(['Survey Document', 'Creative Assets', 'Location List'])
})

test('a gift-card provider has the partner_id 1, a second one 600', () => {
  expect(values(PROVIDERS)).toEqual([1, 600])
})

test('report columns can be of eight types', () => {
  expect(values(COLUMN_TYPES)).toEqual([
    'record',
    'start_date',
    'end_date',
    'start_time',
    'interview_time',
    'zip_code',
    'lat_long',
    'birthdate',
  ])
})

test('presets are the top 10, top 25 and top 50 market areas', () => {
  expect(PRESETS.map(({ size }) => size)).toEqual([10, 25, 50, null])
  for (const { size } of PRESETS)
    if (size) expect(marketAreas().filter(({ rank }) => rank !== null && rank <= size)).toHaveLength(size)
})

test('the map clusters up to zoom 8 and begins at zoom 4 in the central US', () => {
  expect(CLUSTERED_TO).toBe(8)
  expect(FIRST_VIEW.zoom).toBe(4)
  const [lng, lat] = FIRST_VIEW.centre
  expect(lng > -105 && lng < -90 && lat > 35 && lat < 42).toBe(true)
})

test('the funnel is counted once within 2 seconds, unless something changed', async () => {
  let [counted, event] = [0, 7]
  const services = { live: { last: async () => event } } as unknown as Parameters<typeof recentFunnel>[0]
  const count = async () => ({ counted: ++counted }) as unknown as Funnel
  await recentFunnel(services, 'project 1', count)
  await recentFunnel(services, 'project 1', count)
  expect(counted).toBe(1)
  event++
  await recentFunnel(services, 'project 1', count)
  expect(counted).toBe(2)
})

test('a request’s files may have 10485760 bytes', () => {
  expect(UPLOAD_LIMIT).toBe(10_485_760)
})
