import { beforeAll, describe, expect, test } from 'vitest'
import { exported } from './exporting.ts'
import { type Fieldwork, fieldwork } from './support.ts'
import { fresh, person, question, send } from './surveyed.ts'

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
    [
      'social_type',
      'myspace',
      'social_type must be one of facebook, twitter_follow (Twitter follow), twitter_tweet (Twitter tweet)',
    ],
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
    expect((await admin().call('activity.edit', { id, social_type: 'Twitter follow' })).body.data.social_type).toBe(
      'twitter_follow',
    )
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
  test('has them too where an older edit gives a project its first audience', async () => {
    const { id } = await projectOf({ generation: 'campaign' })
    const sent = { age_range: ['3'], gender: ['female'], location_based_ind: 'yes' }
    const answer = await admin().call('campaign.edit', { id, ...sent } as never)
    expect(answer.status).toBe(200)
    const [activity] = (await admin().call('activity.ofProject', { id })).body.data
    const versions = (await admin().call('target.versions', { id: activity!.id })).body.data
    expect(versions.map(({ version, who, at }) => [version, who, at !== null])).toEqual([[1, 'Ada Admin', true]])
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
    const { body } = await admin().call('survey.edit', { id: surveys[0]!.id, survey_link: 'https://survey.test/3' })
    expect(body).toMatchObject({ warnings: ['The same link changed in project “Snack wave”, activity “Snack wave”.'] })
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

test.each([
  ['campaign', '65 & Older', '65+'],
  ['project', '65+', '65 & Older'],
])('every figure and file of a %s has the ages as “%s”', async (generation, label, other) => {
  const { project, survey } = await fresh(app, { generation, status: 'active' })
  const asked = await question(app, survey.id)
  await send(app, survey.id, [person({ age: 7, answers: { [asked.id]: 'Nuts' } })])
  const { id } = await app.make.activity({ project_id: project.id, name: `Walk${generation}` })
  await admin().call('target.create', { activity_id: id, ...FIRST, age: ['7'] })
  const input = { id: project.id, question: asked.id, by: 'age' }
  const crosstab = await admin().call('runtime.crosstabV1', input as never)
  const texts: Record<string, string> = { crosstab: crosstab.text }
  for (const [source, filter] of [
    ['responses', { project_id: project.id }],
    ['userResponses', { project_id: project.id, ageRange: ['7'] }],
    ['activities', { search: `Walk${generation}` }],
  ] as const)
    texts[source] = (await exported(app, admin(), source, filter)).text
  const age = { column_key: 'age', include_in_report: 1 }
  await admin().call('report.save', { project_id: project.id, questions: [age] } as never)
  const { body: report } = await admin().call('report.export', { project_id: project.id })
  await app.services.jobs.settled(report.job_id, 10_000)
  texts.report = (await app.as('stranger').raw('GET', report.report_download_link)).text
  for (const [name, text] of Object.entries(texts))
    expect([name, text.includes(label), text.includes(other)]).toEqual([name, true, false])
})

test.each([
  ['people.txt', 'Email,Amount\n', 'Invalid file type.  File must be one of following types csv'],
  ['people.xlsx', 'no workbook', 'Invalid file type.  File must be one of following types csv'],
  ['people.csv', 'Email,Amount\n', 'This file has headings, and no rows below them.'],
])('people to reward in %s are refused by the type first, then by the content', async (name, content, sentence) => {
  const form = new FormData()
  form.append('project_id', String((await projectOf()).id))
  form.append('file', new Blob([content]), name)
  const request = new Request('http://fieldwork.test', { method: 'POST', body: form })
  const headers = { 'content-type': request.headers.get('content-type')! }
  const body = Buffer.from(await request.arrayBuffer())
  const answer = await admin().raw('POST', '/v3/rewards/redeem/file', body, headers)
  expect([answer.status, answer.body.message]).toEqual([422, sentence])
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

describe('a landing page', () => {
  test.each([
    [{}, 'Nothing to change was sent.'],
    [{ colour: 'red' }, 'Nothing to change was sent.'],
  ])('write of %j alone is refused', async (sent, message) => {
    const { id } = await projectOf()
    const { status, body } = await admin().raw('POST', `/v3/portal/landing_page/options?cid=${id}`, sent)
    expect([status, body.message]).toEqual([422, message])
  })
  test('takes a question in the specification’s spelling', async () => {
    const { id: cid } = await projectOf()
    const texts = { survey_url: 'https://survey.test', facebook_disqualify_text: 'Sorry', fulcrum_disqualify_text: 'Sorry' }
    const questions = { 'facebook_q1_text.question': 'Which?', 'fulcrum_q1_text.question': 'Why?' }
    const { status, body } = await admin().raw('POST', `/v3/portal/landing_page/options?cid=${cid}`, { ...texts, ...questions })
    expect([status, (body as { data?: unknown }).data]).toMatchObject([
      200,
      { facebook_q1_text: { question: 'Which?' }, fulcrum_q1_text: { question: 'Why?' } },
    ])
  })
})

describe('a notification’s url', () => {
  const make = (given: object) => admin().call('notification.create', { name: 'Wave', message: 'Hello', ...given } as never)
  const url = 'https://a.test'
  test.each([
    ['map', { status: 200, url: '' }],
    ['web', { status: 200, url }],
    ['feed', { status: 422, url: undefined }],
  ])('with the action %s is %j', async (message_action, expected) => {
    const made = await make({ message_action, url })
    expect({ status: made.status, url: made.body.data?.url }).toEqual(expected)
    const draft = (await make({ message_action: 'web', url })).body.data
    const changed = await admin().call('notification.edit', { id: draft.id, message_action, url } as never)
    expect({ status: changed.status, url: changed.body.data?.url }).toEqual(expected)
  })
  test('goes with a change from web to feed, and one that was read is taken back', async () => {
    const draft = (await make({ message_action: 'web', url })).body.data
    const { data } = (await admin().call('notification.edit', { id: draft.id, message_action: 'feed' })).body
    expect(data.url).toBe('')
    expect((await admin().call('notification.edit', data as never)).status).toBe(200)
  })
})

describe('a saved filter', () => {
  const save = async (given: object) => {
    const { id: brand_id } = await app.make.brand()
    return admin().raw('POST', '/v3/portal/visitation/save_filter', { brand_id, filter_name: 'Mine', filter: {}, ...given })
  }
  test.each([
    [{ customFilterURL: 'date=week&dmas=501' }, { filter_date_type: 'week', filter_body: { dmas: [501] } }],
    [{ customFilterURL: '/visitation/brand-info/1?date=today' }, { filter_date_type: 'today' }],
    [{ filter: { date_type: 'yesterday' } }, { filter_date_type: 'yesterday' }],
    [{ filter: { date: 'week', dmas: '501,803' }, customFilterURL: 'date=week&dmas=803,501' }, { filter_date_type: 'week' }],
  ])('of %j has what both say', async (given, data) => {
    const { status, body } = await save(given)
    expect([status, (body as { data?: unknown }).data]).toMatchObject([200, data])
  })
  test.each([
    [{ filter: { date: 'week' }, customFilterURL: 'date=today' }, 'customFilterURL'],
    [{ filter: { date: 'week', date_type: 'today' } }, 'filter.date_type'],
    [{ customFilterURL: 'date=someday' }, 'customFilterURL'],
    [{ filter: { date_type: 'custom', start: '2026-11-12', end: '2026-11-01' } }, 'end'],
  ])('of %j is refused', async (given, field) => {
    const { status, body } = await save(given)
    expect([status, Object.keys(body.fields)]).toEqual([422, [field]])
  })
})

test('add_service names the bucket and the dates at once', async () => {
  const { id: brand_id } = await app.make.brand()
  const dates = { start_date: '2026-12-02', end_date: '2026-12-01' }
  const service = { brand_id, category: 1, service_name: 'Stores', s3_bucket: 'No bucket', ...dates }
  const { body } = await admin().raw('POST', '/v3/portal/visitation/add_service', { service })
  expect(Object.keys(body.fields).sort()).toEqual(['end_date', 's3_bucket'])
})

describe('a message names its field', () => {
  test.each([
    ['PUT', '/v3/portal/projects_cost/0', { cost: 0 }, { cost: 'cost must be more than 0' }],
    ['POST', '/v3/portal/projects', { goal: 0 }, { goal: 'goal must be a positive number' }],
    ['POST', '/v3/portal/activities/target', { location_based: 'maybe' }, { location_based: 'location_based must be yes or no' }],
  ])('%s %s %j', async (method, url, sent, fields) => {
    const { id } = await projectOf()
    const { status, body } = await admin().raw(method, url.replace(/0$/, String(id)), sent)
    expect(status).toBe(422)
    expect(body.fields).toMatchObject(fields)
  })
  test('and has one full stop', async () => {
    const { id } = await projectOf({ status: 'completed' })
    const { body } = await admin().call('activity.create', { project_id: id, name: 'Late', about: 'a', activity_type: 'survey' })
    expect(body.message).toBe('The project is completed.')
  })
})

describe('a value that isn’t blank is told what is accepted', () => {
  const long = 'x'.repeat(300)
  test.each([
    ['PUT', 'projects', { name: long }, { name: 'name needs at most 200 characters' }],
    ['PUT', 'projects', { name: ' ' }, { name: 'Project Name cannot be blank' }],
    ['PUT', 'projects', { goal: 10_000_001 }, { goal: 'goal must be 10000000 or less' }],
    ['PUT', 'projects', { goal: 'abc' }, { goal: 'goal must be a number' }],
    ['PUT', 'projects', { goal: '' }, { goal: 'Project Goal cannot be blank' }],
    ['PUT', 'projects', { status: 5 }, { status: /^status is not a status\. Accepted: Pending/ }],
    ['POST', 'projects/request', { name: 5, goal: 'abc' }, { name: 'name must be text', goal: 'goal must be a number' }],
    ['POST', 'projects/request', { location_based: 'x' }, { location_based: 'location_based must be yes or no' }],
    ['PUT', 'surveys', { questions_count: -1 }, { questions_count: 'questions_count must be 0 or more' }],
    ['PUT', 'surveys', { questions_count: 'abc' }, { questions_count: 'questions_count must be a number' }],
    ['POST', 'projects/note', { project_id: 1, note: 5 }, { note: 'note must be text' }],
    ['POST', 'surveys/questions', { name: 5 }, { name: 'name must be text' }],
    ['PUT', 'users', { phone: 'abcdefghij' }, { phone: 'Phone Number must be 10 numbers' }],
    ['PUT', 'projects', { status: 'Live' }, { status: /^status is not a status\. Accepted: Pending \(requirements\), OnQuote/ }],
    ['PUT', 'projects', { survey_url: 5 }, { survey_url: 'survey_url must be a web address (https://…)' }],
    ['POST', 'activities/target', { activity_id: 1, age: {} }, { age: 'age must be a list of texts or numbers' }],
    ['POST', 'activities/target', { activity_id: 1, age: ['2', {}] }, { age: 'age must be a list of texts or numbers' }],
    [
      'POST',
      'auth/invitation',
      { email: 'x', role_id: 3 },
      { email: 'The Email is not valid', client_id: 'Please select the Client to send Invitation to' },
    ],
    ['POST', 'auth/invitation', { email: 'a@b.test', role_id: { x: 1 } }, { role_id: 'role_id must be text or a number' }],
  ])('%s %s %j', async (method, path, sent, fields) => {
    const { id } = await projectOf()
    const target = path === 'users' ? app.member.id : id
    const { status, body } = await admin().raw(method, `/v3/portal/${path}`, { id: target, ...sent })
    expect(status).toBe(422)
    expect(Object.keys(body.fields)).toEqual(expect.arrayContaining(Object.keys(fields)))
    for (const [field, sentence] of Object.entries(fields)) expect(body.fields[field]).toMatch(sentence)
  })
  test('a role is taken in words, and many invitations of a client’s need one', async () => {
    const invited = { email: 'words@mail.test', role_id: 'Administrator' }
    expect((await admin().raw('POST', '/v3/portal/auth/invitation', { user: invited })).status).toBe(200)
    const many = await admin().call('user.inviteMany', { people: [{ email: 'a@b.test' }], role_id: 'client' } as never)
    expect([many.status, many.body.fields]).toEqual([422, { client_id: 'Please select the Client to send Invitation to' }])
  })
})
