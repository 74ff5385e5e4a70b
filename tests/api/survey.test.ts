import { beforeAll, describe, expect, test } from 'vitest'
import { type Fieldwork, fieldwork } from './support.ts'
import { person, send } from './surveyed.ts'

let app: Fieldwork
let project: { id: number }
let survey: { id: number }
let activity: { id: number }
beforeAll(async () => {
  app = await fieldwork()
  project = await app.make.project({ client_id: app.client.id, name: 'Summer Snack Tracker' })
  activity = await app.make.activity({ project_id: project.id, name: 'Survey' })
  survey = await app.make.survey({ project_id: project.id, activity_id: activity.id, name: 'Snacks 100%' })
  for (const [position, question_type] of [
    [2, 'survey'],
    [1, 'survey'],
    [0, 'profile'],
  ] as const)
    await app.make.question({ survey_id: survey.id, name: `Question ${position}`, position, question_type })
})
const admin = () => app.as('admin')
const client = () => app.as('client')

describe('the list of surveys', () => {
  test('is for administrators', async () => {
    expect((await app.as('stranger').call('survey.list')).status).toBe(401)
    expect((await client().call('survey.list')).status).toBe(403)
  })
  test('finds by survey or project name, character by character', async () => {
    expect((await admin().call('survey.list', { search: 'SNACKS 100%' })).body).toMatchObject({
      count: 1,
      page: 1,
      data: [{ id: survey.id, project_name: 'Summer Snack Tracker', survey_project_id: project.id }],
    })
    expect((await admin().call('survey.list', { search: 'snack tracker' })).body.count).toBe(1)
    expect((await admin().call('survey.list', { search: '1_0' })).body.count).toBe(0)
  })
  test('has ten per page, in the requested order', async () => {
    const other = await app.make.project({ client_id: (await app.make.client()).id })
    for (let at = 0; at < 11; at++) await app.make.survey({ project_id: other.id, name: `Zebra ${at}` })
    const { body } = await admin().call('survey.list', { column: 'name', order: 'desc', page: 1 })
    expect(body.data).toHaveLength(10)
    expect(body.count).toBe(12)
    expect(body.data[0]!.name).toBe('Zebra 9')
  })
})

describe('one survey', () => {
  test('is visible to client users of its project, and hidden from others', async () => {
    const other = await app.make.project({ client_id: (await app.make.client()).id })
    const theirs = await app.make.survey({ project_id: other.id })
    expect((await client().call('survey.get', { id: survey.id })).body.data.name).toBe('Snacks 100%')
    expect((await client().call('survey.get', { id: theirs.id })).status).toBe(404)
  })
  test('has the median interview length of completes with a known start', async () => {
    const length = async () => (await client().call('survey.length', { id: survey.id })).body.data
    expect(await length()).toEqual({ median_seconds: null, timed: 0, left_open: 0 })
    const at = new Date(Date.now() - 3_600_000)
    const took = (seconds: number, more: object = {}) =>
      person({ at: at.toISOString(), started_at: new Date(at.getTime() - seconds * 1000).toISOString(), ...more })
    const last = took(4000)
    await send(app, survey.id, [took(60), took(600), took(900), last, took(1, { outcome: 'partials' }), person()])
    expect(await length()).toEqual({ median_seconds: 750, timed: 4, left_open: 0 })
    await admin().call('runtime.withdraw', { surveyId: survey.id, respondentId: last.respondent_id })
    expect(await length()).toEqual({ median_seconds: 600, timed: 3, left_open: 0 })
  })
  test('says what its link returns, and requests no internal address', async () => {
    const check = () => admin().call('survey.checkLink', { id: survey.id })
    expect((await check()).body.fields).toEqual({ survey_link: 'Survey Link cannot be blank' })
    await app.write((tx) =>
      tx.updateTable('surveys').set({ survey_link: 'http://127.0.0.1:9/' }).where('id', '=', survey.id).execute(),
    )
    expect((await check()).body.data).toEqual({
      status: null,
      trouble: 'it leads into a private network',
      at: expect.any(String),
    })
    expect((await client().call('survey.checkLink', { id: survey.id })).status).toBe(403)
  })
  test('is found by its activity and its project; an activity without one has null', async () => {
    expect((await client().call('survey.ofActivity', { id: activity.id })).body.data).toMatchObject({ id: survey.id })
    expect((await client().call('survey.ofProject', { id: project.id })).body).toMatchObject({ count: 1 })
    expect((await client().call('survey.ofActivity', { id: 999_999 })).status).toBe(404)
    await app.write((tx) => tx.updateTable('surveys').set({ activity_id: null }).where('id', '=', survey.id).execute())
    expect((await client().call('survey.ofActivity', { id: activity.id })).body).toEqual({ data: null })
  })
  test('has its questions by type, in their order', async () => {
    const { body } = await admin().call('survey.questions', { id: survey.id, type: 'survey' })
    expect(body.data.map((question) => [question.order, question.name, question.options])).toEqual([
      [1, 'Question 1', ['Yes', 'No']],
      [2, 'Question 2', ['Yes', 'No']],
    ])
    expect((await admin().call('survey.questions', { id: survey.id, type: 'reward' })).body.count).toBe(0)
  })
  test('an unknown type of question is refused by its name', async () => {
    const answer = await admin().raw('GET', `/v3/portal/surveys/${survey.id}/questions/quiz`)
    expect(answer.status).toBe(422)
    expect(answer.body.fields).toHaveProperty('type')
  })
})
