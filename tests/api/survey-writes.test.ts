import { beforeAll, describe, expect, test } from 'vitest'
import { type Fieldwork, fieldwork } from './support.ts'
import { person, question, send } from './surveyed.ts'

let app: Fieldwork
let project: { id: number }
beforeAll(async () => {
  app = await fieldwork()
  project = await app.make.project({ client_id: app.client.id, name: 'Spring tracker', status: 'approved' })
})
const admin = () => app.as('admin')
const activity = (given: object = {}) => app.make.activity({ project_id: project.id, name: 'Wave 1', ...given })
const given = { name: 'Spring wave', survey_link: 'https://survey.test/1', questions_count: 12 }
const create = async (more: object = {}) =>
  admin().call('survey.create', { ...given, project_id: project.id, activity_id: (await activity()).id, ...more })

describe('a new survey', () => {
  test('is linked to its activity in the same write, with its questions', async () => {
    const { id } = await activity()
    const { body } = await create({ activity_id: id, questions: [{ name: 'Which?', options: 'Yes|No' }, { name: 'Why?' }] })
    expect(body.message).toBe('Survey Created')
    expect(body.data).toMatchObject({
      activity_id: id,
      activity_name: 'Wave 1',
      questions_count: 2,
      own_questions: 2,
      client_name: 'Acme Beverage',
    })
    const { body: asked } = await admin().call('survey.questions', { id: body.data.id, type: 'survey' })
    expect(asked.data.map(({ name, order, answer_type, options }) => [order, name, answer_type, options])).toEqual([
      [1, 'Which?', 'single', ['Yes', 'No']],
      [2, 'Why?', 'open', []],
    ])
  })
  test.each([
    ['Survey Name cannot be blank', { name: ' ' }, 'name'],
    ['Survey Link cannot be blank', { survey_link: '' }, 'survey_link'],
    ['Please upload a File or add a URL to the survey Project', { survey_link: '' }, 'source_file_id'],
    ['Survey Questions cannot be blank', { questions_count: '' }, 'questions_count'],
    ['Survey Questions cannot be blank', { questions_count: null }, 'questions_count'],
    ['Survey ID cannot be blank', { survey_vendor: 'Northstar' }, 'vendor_survey_id'],
    ['Please choose an activity', { activity_id: undefined }, 'activity_id'],
  ])('is refused: %s', async (sentence, more, field) => {
    const answer = await create(more)
    expect([answer.status, answer.body.fields[field]]).toEqual([422, sentence])
  })
  test('needs no link with a file, and no ID without a vendor', async () => {
    const file = await app.make.file({ project_id: project.id, uploaded_by: app.admin.id })
    const answer = await create({ survey_link: '', questions_count: undefined, source_file_id: file.id })
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({ source_file_id: file.id, source_file_name: expect.any(String) })
  })
  test('adopts the file that its form uploaded before it had a project, and undo releases it', async () => {
    const file = await app.make.file({ project_id: null, uploaded_by: app.admin.id })
    const placeOf = async () =>
      (await app.db.selectFrom('files').select('project_id').where('id', '=', file.id).executeTakeFirstOrThrow()).project_id
    const answer = await create({ survey_link: '', questions_count: undefined, source_file_id: file.id })
    expect([answer.status, await placeOf()]).toEqual([200, project.id])
    await admin().call('undo.take', { id: Number(answer.headers['x-undo']) })
    expect(await placeOf()).toBeNull()
    const { body } = await create()
    await admin().call('survey.edit', { id: body.data.id, source_file_id: file.id })
    expect(await placeOf()).toBe(project.id)
  })
  test('refuses a file of another project, and an invalid address', async () => {
    const other = await app.make.project({ client_id: app.client.id })
    const file = await app.make.file({ project_id: other.id, uploaded_by: app.admin.id })
    expect((await create({ source_file_id: file.id })).body.fields).toHaveProperty('source_file_id')
    expect((await create({ survey_link: 'javascript:alert(1)' })).body.fields).toHaveProperty('survey_link')
  })
  test('says which survey its activity already has, and replaces it on request', async () => {
    const { id } = await activity({ name: 'Wave 2' })
    const first = (await create({ activity_id: id, name: 'First' })).body.data
    const refused = await create({ activity_id: id })
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      409,
      'has_survey',
      `“Wave 2” already has a survey: S-${first.id} “First”.`,
    ])
    const second = await create({ activity_id: id, replace: true })
    expect(second.status).toBe(200)
    expect((await admin().call('survey.get', { id: first.id })).body.data.activity_id).toBeNull()
    const undone = await admin().call('undo.take', { id: Number(second.headers['x-undo']) })
    expect(undone.status).toBe(200)
    expect((await admin().call('survey.get', { id: first.id })).body.data.activity_id).toBe(id)
    expect((await admin().call('survey.get', { id: second.body.data.id })).status).toBe(404)
  })
  test('needs a survey activity of its own project', async () => {
    const photo = await activity({ activity_type: 'photo', name: 'Shelf' })
    expect((await create({ activity_id: photo.id })).body.fields.activity_id).toContain('This activity has no survey.')
    const other = await app.make.project({ client_id: app.client.id })
    const theirs = await app.make.activity({ project_id: other.id })
    expect((await create({ activity_id: theirs.id })).status).toBe(422)
  })
  test('is only for administrators', async () => {
    const input = { ...given, project_id: project.id, activity_id: (await activity()).id }
    expect((await app.as('client').call('survey.create', input)).status).toBe(403)
    expect((await app.as('client').call('survey.remove', { id: 1 })).status).toBe(403)
  })
})

describe('an edited survey', () => {
  test('changes only the fields sent, and undo restores all of it', async () => {
    const { id } = (await create()).body.data
    const before = (await admin().call('survey.get', { id })).body.data
    const answer = await admin().call('survey.edit', {
      id,
      name: 'Renamed',
      questions_count: 30,
      lock_version: before.lock_version,
    })
    expect(answer.body).toMatchObject({ message: 'Survey Updated', data: { name: 'Renamed', questions_count: 30 } })
    await admin().call('undo.take', { id: Number(answer.headers['x-undo']) })
    expect((await admin().call('survey.get', { id })).body.data).toMatchObject({ name: before.name, questions_count: 12 })
    expect((await admin().call('survey.edit', { id, name: 'Stale', lock_version: 1 })).body.code).toBe('stale')
  })
  test('read and written back changes nothing', async () => {
    const { id } = (await create()).body.data
    const { body } = await admin().call('survey.get', { id })
    const answer = await admin().raw('PUT', '/v3/portal/surveys', body.data)
    expect(answer.status, answer.text).toBe(200)
    expect((await admin().call('survey.get', { id })).body).toEqual(body)
  })
  test.each([
    ['Survey Name cannot be blank', { name: '' }, 'name'],
    ['Survey Link cannot be blank', { survey_link: '' }, 'survey_link'],
    ['Survey Questions cannot be blank', { questions_count: '' }, 'questions_count'],
    ['Survey ID cannot be blank', { survey_vendor: 'Northstar' }, 'vendor_survey_id'],
  ])('is refused: %s', async (sentence, more, field) => {
    const { id } = (await create()).body.data
    const answer = await admin().call('survey.edit', { id, ...more })
    expect([answer.status, answer.body.fields[field]]).toEqual([422, sentence])
  })
  test('counts its own questions, once it has some', async () => {
    const { id } = (await create()).body.data
    await question(app, id)
    const answer = await admin().call('survey.edit', { id, questions_count: 40 })
    expect(answer.body.fields.questions_count).toBe('Its one question is counted.')
    expect((await admin().call('survey.get', { id })).body.data.questions_count).toBe(1)
  })
  test('that never had a link can still be renamed', async () => {
    const old = await app.make.survey({ project_id: project.id, survey_link: '' })
    expect((await admin().call('survey.edit', { id: old.id, name: 'Still no link' })).status).toBe(200)
  })
  test('stays linked while it is in field', async () => {
    const live = await app.make.project({ client_id: app.client.id, status: 'active' })
    const { id: activity_id } = await app.make.activity({ project_id: live.id })
    const { id } = await app.make.survey({ project_id: live.id, activity_id })
    const answer = await admin().call('survey.edit', { id, activity_id: null })
    expect([answer.status, answer.body.message]).toEqual([409, "It's in field."])
  })
  test('with responses stays in its project', async () => {
    const live = await app.make.project({ client_id: app.client.id, status: 'active' })
    const { id } = await app.make.survey({ project_id: live.id })
    await send(app, id, [person()])
    const { id: activity_id } = await activity({ name: 'Elsewhere' })
    expect((await admin().call('survey.edit', { id, activity_id })).status).toBe(409)
  })
})

const LINKS = {
  'activity.linkSurvey': (survey_id: number, activity_id: number | null, from: number) =>
    admin().call('activity.linkSurvey', activity_id ? { activity_id, survey_id } : { activity_id: from, survey_id: null }),
  'survey.edit': (id: number, activity_id: number | null) => admin().call('survey.edit', { id, activity_id, replace: true }),
} as const
describe.each(Object.entries(LINKS))('linking a survey by %s', (_call, link) => {
  const surveyOf = async (id: number) => (await admin().call('survey.get', { id })).body.data
  const historyOf = async (project_id: number) =>
    (
      await app.db
        .selectFrom('history')
        .select(['subject', 'subject_id', 'after'])
        .where('project_id', '=', project_id)
        .where('after', 'like', '%survey_id%')
        .orderBy('id')
        .execute()
    ).map(({ subject, subject_id, after }) => [subject, Number(subject_id), JSON.parse(after!)])

  test('moves it, unlinks the previous one, is in the history of both activities, and undo restores both', async () => {
    const { id: project_id } = await app.make.project({ client_id: app.client.id, status: 'approved' })
    const [from, to] = [await app.make.activity({ project_id }), await app.make.activity({ project_id })]
    const moved = await app.make.survey({ project_id, activity_id: from.id })
    const former = await app.make.survey({ project_id, activity_id: to.id })
    const answer = await link(moved.id, to.id, from.id)
    expect(answer.status, answer.text).toBe(200)
    expect([await surveyOf(moved.id), await surveyOf(former.id)]).toMatchObject([{ activity_id: to.id }, { activity_id: null }])
    expect((await historyOf(project_id)).sort((a, b) => a[1] - b[1])).toEqual([
      ['activity', from.id, { survey_id: null }],
      ['activity', to.id, { survey_id: moved.id }],
    ])
    await admin().call('undo.take', { id: Number(answer.headers['x-undo']) })
    expect([await surveyOf(moved.id), await surveyOf(former.id)]).toMatchObject([
      { activity_id: from.id },
      { activity_id: to.id },
    ])
  })
  test('is refused across projects once there are responses, and for other activities, as is unlinking in field', async () => {
    const live = await app.make.project({ client_id: app.client.id, status: 'active' })
    const { id: activity_id } = await app.make.activity({ project_id: live.id })
    const { id } = await app.make.survey({ project_id: live.id, activity_id })
    await send(app, id, [person(), person()])
    const elsewhere = await link(id, (await activity()).id, activity_id)
    const sentence = `It has 2 responses in P-${live.id}, where they count.`
    expect([elsewhere.status, elsewhere.body.message, Object.values(elsewhere.body.fields)]).toEqual([409, sentence, [sentence]])
    const unlinked = await link(id, null, activity_id)
    expect([unlinked.status, unlinked.body.message]).toEqual([409, "It's in field."])
    const photo = await app.make.activity({ project_id: live.id, activity_type: 'photo', action_type: 'photo' })
    expect([409, 422]).toContain((await link(id, photo.id, activity_id)).status)
    expect((await surveyOf(id)).activity_id).toBe(activity_id)
  })
  test('moves it to the activity’s project, and linking it again changes nothing', async () => {
    const { id: other } = await app.make.project({ client_id: app.client.id, status: 'approved' })
    const { id } = await app.make.survey({ project_id: other })
    const { id: activity_id } = await activity()
    await link(id, activity_id, 0)
    const linked = await surveyOf(id)
    expect(linked).toMatchObject({ project_id: project.id, activity_id })
    expect((await link(id, activity_id, 0)).status).toBe(200)
    expect(await surveyOf(id)).toEqual(linked)
    expect((await link(id, null, activity_id)).status).toBe(200)
    expect(await surveyOf(id)).toMatchObject({ project_id: project.id, activity_id: null })
  })
})

describe('a deleted survey', () => {
  test('is gone, and undo restores it', async () => {
    const { id } = (await create()).body.data
    const answer = await admin().call('survey.remove', { id })
    expect(answer.status).toBe(200)
    expect((await admin().call('survey.get', { id })).status).toBe(404)
    await admin().call('undo.take', { id: Number(answer.headers['x-undo']) })
    expect((await admin().call('survey.get', { id })).status).toBe(200)
  })
  test('must have no responses', async () => {
    const live = await app.make.project({ client_id: app.client.id, status: 'active' })
    const { id } = await app.make.survey({ project_id: live.id })
    await send(app, id, [person(), person({ outcome: 'terminates' })])
    const { body } = await admin().call('survey.get', { id })
    expect(body.data).toMatchObject({ completes: 1, responses: 2, refused_actions: { 'survey.remove': 'it has 2 responses' } })
    const answer = await admin().call('survey.remove', { id })
    expect([answer.status, answer.body.message]).toEqual([409, 'It has 2 responses.'])
  })
})

describe('the list', () => {
  test('filters by vendor, link, questions, activity and the project’s status', async () => {
    const own = await app.make.project({ client_id: app.client.id, status: 'completed' })
    const { id: activity_id } = await app.make.activity({ project_id: own.id })
    const full = await app.make.survey({
      ...{ project_id: own.id, activity_id, survey_link: 'https://survey.test/2' },
      ...{ survey_vendor: 'Surveyline', vendor_survey_id: 'SL-7781' },
    })
    await question(app, full.id)
    const bare = await app.make.survey({ project_id: own.id, survey_link: '', questions_count: 0 })
    const found = async (filter: object) =>
      (await admin().call('survey.list', { project_id: own.id, ...filter })).body.data.map(({ id }) => id)
    expect(await found({})).toHaveLength(2)
    for (const yes of [{ vendor: 'Surveyline' }, { has_link: 'yes' }, { has_questions: 'yes' }, { activity: 'yes' }])
      expect([yes, await found(yes)]).toEqual([yes, [full.id]])
    for (const no of [{ has_link: 'no' }, { has_questions: 'no' }, { activity: 'no' }])
      expect([no, await found(no)]).toEqual([no, [bare.id]])
    expect(await found({ status: 'completed' })).toHaveLength(2)
    expect(await found({ status: 'active' })).toEqual([])
    expect((await admin().call('survey.list', { search: 'sl-7781' })).body.data.map(({ id }) => id)).toEqual([full.id])
    expect((await admin().call('survey.vendors')).body.data).toContainEqual({ name: 'Surveyline', surveys: 1 })
  })
  test('shows the last changed first', async () => {
    const { id } = (await create({ name: 'Newest of all' })).body.data
    expect((await admin().call('survey.list')).body.data[0]!.id).toBe(id)
  })
})
