import { expect, test } from 'vitest'
import { isPresent, optionsOf } from '../../src/panes/activity/audienceFields.ts'
import { demographicsOf } from '../../src/panes/project/demographicFilters.ts'

const five = ['white', 'african', 'indian', 'asian', 'hispanic']
const six = [...five, 'other']
const values = (options: readonly { value: string | number }[]) => options.map(({ value }) => value)
const filter = (generation: string, other?: boolean) =>
  values(demographicsOf(generation, other).find(({ key }) => key === 'ethnicity')!.terms)

test('an audience offers Other as an ethnicity in an older project only (projects-area 9)', () => {
  expect(values(optionsOf('ethnicity', 'project'))).toEqual(five)
  expect(values(optionsOf('ethnicity', 'campaign'))).toEqual(six)
  expect(values(optionsOf('gender', 'project'))).toContain('other')
})

test('a newer project shows Other where it was chosen or has completes, so that its figures add up', () => {
  expect(values(optionsOf('ethnicity', 'project', isPresent(['other'], undefined)))).toEqual(six)
  expect(values(optionsOf('ethnicity', 'project', isPresent([], [{ value: 'other', completes: 2 }])))).toEqual(six)
  expect(values(optionsOf('ethnicity', 'project', isPresent(['white'], [{ value: 'other', completes: 0 }])))).toEqual(five)
})

test('its filter offers Other only where there are respondents with it', () => {
  expect(filter('project', false)).toEqual(five)
  expect(filter('project', true)).toEqual(six)
  expect(filter('campaign')).toEqual(six)
})
