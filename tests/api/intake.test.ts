import { beforeAll, describe, expect, test } from 'vitest'
import type { Output } from '../../contract/calls.ts'
import { hashToken } from '../../server/core/secrets.ts'
import { type Fieldwork, fieldwork } from './support.ts'
import { fresh, person, question, send } from './surveyed.ts'

let app: Fieldwork
let survey: { id: number }
beforeAll(async () => {
  app = await fieldwork()
  ;({ survey } = await fresh(app))
})
const admin = () => app.as('admin')
const client = () => app.as('client')

/** The response to a batch sent by HTTP. */
const taken = (answer: { body: unknown }) => (answer.body as Output<'runtime.ingest'>).data

describe('ingesting respondents', () => {
  const url = () => `/v3/portal/surveys/runtime/${survey.id}/responses`

  test('a stranger gets 401, a client user 403, a missing survey 404', async () => {
    expect((await app.as('stranger').call('runtime.ingest', { surveyId: survey.id, rows: [] })).status).toBe(401)
    expect((await client().call('runtime.ingest', { surveyId: survey.id, rows: [] })).status).toBe(403)
    expect((await admin().call('runtime.ingest', { surveyId: 999_999, rows: [] })).status).toBe(404)
  })

  test('an importer’s API key works here, and nowhere else', async () => {
    const key = 'fwk_importer'
    await app.write((tx) =>
      tx
        .insertInto('api_keys')
        .values({
          name: 'Importer',
          key_hash: hashToken(key),
          created_by: app.admin.id,
          created_at: new Date().toISOString(),
          last_used_at: null,
          revoked_at: null,
        })
        .execute(),
    )
    const importer = app.person({ authorization: `Bearer ${key}` })
    expect((await importer.call('runtime.ingest', { surveyId: survey.id, rows: [person()] })).status).toBe(200)
    expect((await importer.call('runtime.summary', { surveyId: survey.id })).status).toBe(401)
  })

  test('a body without rows says what is missing', async () => {
    const answer = await admin().raw('POST', url(), {})
    expect(answer.status).toBe(422)
    expect(answer.body.fields).toHaveProperty('rows')
  })

  test('more than 500 rows of JSON are refused, with a message on how to send more', async () => {
    const rows = Array.from({ length: 501 }, () => person())
    const answer = await send(app, survey.id, rows)
    expect(answer.status).toBe(422)
    expect(answer.body.fields.rows).toBe(
      'A batch as JSON holds at most 500 rows: send more as NDJSON (application/x-ndjson), a respondent a line',
    )
  })

  test('valid rows are kept, invalid ones reported one by one', async () => {
    const { survey: own } = await fresh(app)
    const answer = await send(app, own.id, [person(), person({ age: 99 }), person({ respondent_id: '' })])
    expect(answer.body.data).toMatchObject({
      added: 1,
      repeated: 0,
      errors: [
        { row: 2, field: 'age' },
        { row: 3, field: 'respondent_id', message: 'respondent_id is required' },
      ],
    })
  })

  test('a batch sent twice counts once', async () => {
    const { project: own, survey: its } = await fresh(app)
    const rows = [person(), person({ outcome: 'terminates' }), person()]
    await send(app, its.id, rows)
    expect((await send(app, its.id, rows)).body.data).toMatchObject({ added: 0, repeated: 3, errors: [] })
    const { body } = await admin().call('runtime.summary', { surveyId: its.id })
    expect(body.data).toMatchObject({ project_id: own.id, delivered: 2, completes: 2, terminates: 1, entrants: 3 })
  })

  test('NDJSON is accepted line by line, and so is a list as the body', async () => {
    const { survey: own } = await fresh(app)
    const address = `/v3/portal/surveys/runtime/${own.id}/responses/`
    const text = `${JSON.stringify(person())}\nnot JSON\n${JSON.stringify(person())}\n`
    const answer = await admin().raw('POST', address, text, { 'content-type': 'application/x-ndjson' })
    expect(taken(answer)).toMatchObject({ added: 2, errors: [{ row: 2, field: 'line' }] })
    expect(taken(await admin().raw('POST', address, [person()]))).toMatchObject({ added: 1 })
  })

  test('a full batch with many answers fits', async () => {
    const { survey: own } = await fresh(app)
    const ids = await Promise.all(Array.from({ length: 18 }, () => question(app, own.id)))
    const answers = Object.fromEntries(ids.map(({ id }) => [id, 'A rather long answer, as brands like to write them']))
    const text = Array.from({ length: 10_000 }, () =>
      JSON.stringify(person({ answers, email_hash: 'ab'.repeat(32), ip: '192.0.2.1' })),
    ).join('\n')
    const answer = await admin().raw('POST', `/v3/portal/surveys/runtime/${own.id}/responses`, text, {
      'content-type': 'application/x-ndjson',
    })
    expect(taken(answer)).toMatchObject({ added: 10_000 })
  })

  test('a batch is announced to open workspaces and added to the history', async () => {
    const { project: own, survey: its } = await fresh(app)
    await send(app, its.id, [person()])
    const events = await app.db
      .selectFrom('events')
      .select(['noun', 'subject_id', 'kind'])
      .where('project_id', '=', own.id)
      .orderBy('id')
      .execute()
    expect(events).toEqual([
      { noun: 'runtime', subject_id: its.id, kind: 'counters' },
      { noun: 'project', subject_id: own.id, kind: 'counters' },
    ])
    const line = await app.db
      .selectFrom('history')
      .select(['action', 'after'])
      .where('project_id', '=', own.id)
      .executeTakeFirstOrThrow()
    expect({ ...line, after: JSON.parse(line.after) }).toEqual({
      action: 'runtime.ingest',
      after: { added: 1, repeated: 0, errors: 0 },
    })
  })
})

test('a key reads back whether a respondent arrived, and whether its project still wants any', async () => {
  const { project: made, survey } = await fresh(app, { status: 'active', ordered: 3 })
  const { key } = (await app.as('admin').call('key.create', { name: 'Panel', surveys: [survey.id], reads: false })).body.data
  const panel = app.person({ authorization: `Bearer ${key}` })
  const rows = [person({ respondent_id: 'back' }), person({ respondent_id: 'out', outcome: 'terminates' })]
  const sent = await panel.call('runtime.ingest', { surveyId: survey.id, rows })
  expect(sent.body.data).toMatchObject({ added: 2, in_field: true, status: 'Active' })
  const read = (respondentId: string) => panel.call('runtime.respondent', { surveyId: survey.id, respondentId })
  expect((await read('back')).body.data).toMatchObject({ outcome: 'completes', withdrawn_at: null })
  expect((await read('nobody')).status).toBe(404)
  await panel.call('runtime.withdraw', { surveyId: survey.id, respondentId: 'out' })
  expect((await read('out')).body.data).toMatchObject({ outcome: 'terminates', withdrawn_at: expect.any(String) })
  const other = await fresh(app)
  expect((await panel.call('runtime.respondent', { surveyId: other.survey.id, respondentId: 'back' })).status).toBe(404)
  const listed = async () =>
    (await app.as('admin').call('runtime.intakeSurveys', { per_page: 500 })).body.data.find(({ id }) => id === survey.id)
  expect(await listed()).toMatchObject({ status: 'Active', ordered: 3, delivered: 1, remaining: 2, in_field: true })
  await app.as('admin').call('project.setStatus', { id: made.id, status: 'paused', reason: 'Enough' })
  const late = await panel.call('runtime.ingest', { surveyId: survey.id, rows: [person()] })
  expect(late.body).toMatchObject({ data: { added: 1, in_field: false, status: 'Paused' } })
  expect(late.body.message).toContain('the project isn’t in field (Paused)')
  expect(await listed()).toMatchObject({ in_field: false, remaining: 1 })
})
