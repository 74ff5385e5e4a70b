import { expect, test } from 'vitest'
import { type LinkedProject, linksApart } from '../../src/panes/shared/OtherLinks.tsx'

const [one, two] = ['https://survey.test/1', 'https://survey.test/2']
const activity = (id: number, url: string, activity_type = 'survey') => ({ id, name: `A${id}`, url, activity_type })
const survey = (id: number, activity_id: number | null, survey_link: string) => ({ id, name: `S${id}`, activity_id, survey_link })
const project = (survey_url: string, activities: object[], surveys: object[]) =>
  ({ survey_url, activities, surveys }) as unknown as LinkedProject
const keys = (...asked: Parameters<typeof linksApart>) => linksApart(...asked).map(({ key }) => key)

test('a project says which survey activities and surveys have another link', () => {
  const of = project(one, [activity(1, two), activity(2, one), activity(3, two, 'photo')], [survey(4, 1, two), survey(5, 2, one)])
  expect(keys(of, one)).toEqual(['activity 1', 'survey 4'])
  expect(keys(project('', [activity(1, two)], []), '')).toEqual([])
})

test('an activity names the project and its own surveys alone, a survey the project and its activity', () => {
  const of = project(one, [activity(1, two), activity(2, two)], [survey(4, 1, one), survey(5, 2, one)])
  expect(keys(of, two, { activity: 1 })).toEqual(['project', 'survey 4'])
  expect(keys(of, one, { activity: 2, survey: 5 })).toEqual(['activity 2'])
  expect(keys(of, two, { activity: null, survey: 6 })).toEqual(['project'])
})
