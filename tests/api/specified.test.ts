import { beforeAll, describe, expect, test } from 'vitest'
import { type Fieldwork, fieldwork } from './support.ts'

/* Sentences of the specifications that are about one field or one value each. */

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const admin = () => app.as('admin')
const projectOf = (given: object = {}) => app.make.project({ client_id: app.client.id, name: 'Shelf Diary', ...given })
const activityOf = async (given: object = {}) => app.make.activity({ project_id: (await projectOf()).id, ...given })
const request = {
  name: 'Snack wave',
  goal: 100,
  start_dt: '2027-01-04',
  activity_type: 'survey',
  url: 'https://survey.test/old',
  location_based: 'no',
  targeted_locations: ['501'],
  age: ['2'],
  gender: ['female'],
} as const
const requested = async (given: object = {}) =>
  (await admin().call('request.create', { client_id: app.client.id, ...request, ...given } as never)).body.data
const FIRST = { age: ['2'], gender: ['female'] }

describe('values in the specifications’ words', () => {
  test.each([
    ['age', '18-24,65+', '2,7'],
    ['age', ['13 to 17', '65 & Older'], '1,7'],
    ['age', ['-1', '2'], '2'],
    ['gender', 'Female, Male', 'female,male'],
    ['ethnicity', ['African American', 'American Indian'], 'african,indian'],
    ['hhi', 'under $24,999,$25K to $34,999,over $150,000', '0,1,6'],
    ['hhi', ['< $24,999', '> $150,000'], '0,6'],
    ['marital_status', 'Divorced', 'divorced'],
    ['children', '3-4,4+,0', '0,3,4'],
  ])('%s %j is stored as %s', async (field, sent, stored) => {
    const { id } = await activityOf()
    const target = { ...FIRST, location_based: 'yes', [field]: sent }
    const { status, body } = await admin().call('target.create', { activity_id: id, ...target } as never)
    expect([status, body.data?.[field as 'age']]).toEqual([200, stored])
  })
  test.each([
    ['age', '18-25', /^age has a value that is not an age: 18-25\. Accepted: 1 \(13 to 17\), .*7 \(65\+\)$/],
    ['gender', 'x', 'gender has a value that is not a gender: x. Accepted: female, male, other'],
  ])('a wrong %s is told what is accepted', async (field, sent, sentence) => {
    const { id } = await activityOf()
    const { body } = await admin().call('target.create', { activity_id: id, ...FIRST, [field]: sent } as never)
    expect(body.fields[field]).toMatch(sentence)
  })
  test('filters take them, too', async () => {
    const { id } = await projectOf({ status: 'active' })
    const survey = await app.make.survey({ project_id: id })
    for (const filter of ['ageRange[]=18-24&ageRange[]=65%2B', 'ageRange=65+', 'gender[]=Female', 'ethnicity=African American'])
      expect((await admin().raw('GET', `/v3/portal/surveys/runtime/${survey.id}/gender?${filter}`)).status, filter).toBe(200)
  })
})

describe('an activity', () => {
  test.each([
    ['social_type', 'myspace', 'social_type must be one of facebook, twitter_follow (Twitter follow), twitter_tweet (Twitter tweet)'],
    ['social_type', 'twitter', /^social_type must be one of/],
    ['activity_type', 'bogus', 'activity_type must be one of survey, social, video, photo'],
    ['activity_type', '', 'activity_type is required'],
    ['action_type', 'dance', 'action_type must be one of photo, video, comment, social, survey, nothing'],
    ['about', '', 'Activity Description cannot be blank'],
    ['about', undefined, 'Activity Description cannot be blank'],
  ])('with %s %j is refused', async (field, value, sentence) => {
    const { id: project_id } = await projectOf()
    const sent = { project_id, name: 'A1', about: 'd', activity_type: 'social', action_type: 'nothing', [field]: value }
    const { status, body } = await admin().raw('POST', '/v3/portal/activities', sent)
    expect([status, Object.keys(body.fields)]).toEqual([422, [field]])
    expect(body.fields[field]).toMatch(sentence)
  })
  test('keeps a social type that an older release stored, but takes no other', async () => {
    const { id } = await activityOf({ activity_type: 'social', action_type: 'nothing', social_type: 'myspace' })
    expect((await admin().call('activity.edit', { id, social_type: 'myspace', name: 'B' })).status).toBe(200)
    expect((await admin().call('activity.edit', { id, social_type: 'orkut' })).body.fields).toHaveProperty('social_type')
    expect((await admin().call('activity.edit', { id, social_type: 'Twitter follow' })).body.data.social_type).toBe('twitter_follow')
  })
  test('of a request has a description', async () => {
    const { id } = await requested({ description: 'Ten questions about snacks.' })
    const [activity] = (await admin().call('activity.ofProject', { id })).body.data
    expect(activity!.about).toBe('Ten questions about snacks.')
  })
})

describe('a target', () => {
  test.each([
    [{ location_based: 'no', targeted_locations: '' }, 422],
    [{ location_based: 'no' }, 422],
    [{ targeted_locations: '' }, 422],
    [{ location_based: 'no', targeted_locations: '501' }, 200],
    [{ location_based: 'yes' }, 200],
    // The audience alone, whose form asks for no market.
    [{}, 200],
  ])('with %j first is %d', async (sent, status) => {
    const { id } = await activityOf()
    const answer = await admin().call('target.create', { activity_id: id, ...FIRST, ...sent } as never)
    expect(answer.status).toBe(status)
    if (status === 422) expect(answer.body.fields).toEqual({ targeted_locations: 'Please choose at least one target market' })
  })
  test('has the date and the author of its first version, however it was made', async () => {
    const { id } = await requested()
    const [activity] = (await admin().call('activity.ofProject', { id })).body.data
    const copy = (await admin().call('activity.duplicate', { activity_id: activity!.id })).body.data
    for (const one of [activity!.id, copy.id]) {
      await admin().call('target.edit', { activity_id: one, age: ['3'] })
      const versions = (await admin().call('target.versions', { id: one })).body.data
      expect(versions.map(({ version, who, at }) => [version, who, at !== null])).toEqual([
        [2, 'Ada Admin', true],
        [1, 'Ada Admin', true],
      ])
    }
  })
})

describe('the survey link', () => {
  const places = async (id: number) => {
    const project = (await admin().call('project.get', { id })).body.data
    return [project.survey_url, project.activities[0]!.url, project.surveys[0]!.survey_link]
  }
  test.each([
    ['project.edit', (id: number) => ({ id, survey_url: 'https://survey.test/new' })],
    ['campaign.edit', (id: number) => ({ id, survey_url: 'https://survey.test/new' })],
  ] as const)('of one field changes everywhere by %s', async (call, input) => {
    const { id } = await requested()
    const { body } = await admin().call(call, input(id) as never)
    expect(body).toMatchObject({ warnings: ['The same link changed in activity “Snack wave”, survey “Snack wave”.'] })
    expect(await places(id)).toEqual(Array(3).fill('https://survey.test/new'))
  })
  test('changes from its activity or survey, and comes back by undo', async () => {
    const { id, activities, surveys } = await requested()
    const [activity] = activities
    const edited = await admin().call('activity.edit', { id: activity!.id, url: 'https://survey.test/2' })
    expect(await places(id)).toEqual(Array(3).fill('https://survey.test/2'))
    await admin().call('survey.edit', { id: surveys[0]!.id, survey_link: 'https://survey.test/3' })
    expect(await places(id)).toEqual(Array(3).fill('https://survey.test/3'))
    await admin().call('activity.editOlder', { id: activity!.id, survey_link: 'https://survey.test/4' })
    expect(await places(id)).toEqual(Array(3).fill('https://survey.test/4'))
    expect(edited.headers['x-undo']).toBeDefined()
  })
  test('stays where it differs on purpose', async () => {
    const { id, surveys } = await requested()
    await app.db.updateTable('surveys').set({ survey_link: 'https://own.test' }).where('id', '=', surveys[0]!.id).execute()
    await admin().call('project.edit', { id, survey_url: 'https://survey.test/new' })
    expect(await places(id)).toEqual(['https://survey.test/new', 'https://survey.test/new', 'https://own.test'])
  })
  test.each(['campaign.edit', 'project.edit'] as const)('can’t be blanked without a file by %s', async (call) => {
    const { id } = await requested()
    const refused = await admin().call(call, { id, survey_url: '' } as never)
    expect([refused.status, refused.body.fields]).toEqual([
      422,
      { survey_url: 'Please upload a File or add a URL to the survey Project' },
    ])
    await app.make.file({ project_id: id, uploaded_by: app.admin.id, kind: 'document' })
    expect((await admin().call(call, { id, survey_url: '' } as never)).status).toBe(200)
  })
})

test('a child has its id as child_project_id, in its own record and among the children', async () => {
  const parent = await projectOf()
  const child = await projectOf({ parent_id: parent.id })
  const { data } = (await admin().call('project.get', { id: parent.id })).body
  expect([data.child_project_id, data.children[0]!.child_project_id]).toEqual([null, child.id])
  expect((await admin().call('project.get', { id: child.id })).body.data.child_project_id).toBe(child.id)
})

test('a new survey names every error at once', async () => {
  const { body } = await admin().raw('POST', '/v3/portal/surveys/', { survey_vendor: 'Northstar' })
  expect(body.fields).toEqual({
    name: 'Survey Name cannot be blank',
    activity_id: 'Please choose an activity',
    survey_link: 'Survey Link cannot be blank',
    source_file_id: 'Please upload a File or add a URL to the survey Project',
    vendor_survey_id: 'Survey ID cannot be blank',
    questions_count: 'Survey Questions cannot be blank',
  })
})
