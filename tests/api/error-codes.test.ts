import { beforeAll, expect, test } from 'vitest'
import { ERROR_CODES, FIELD_CODES } from '../../contract/errorCodes.ts'
import { type Fieldwork, fieldwork, type Person } from './support.ts'
import { fresh } from './surveyed.ts'

let app: Fieldwork
let program: Person
beforeAll(async () => {
  app = await fieldwork()
  const made = await app.as('admin').call('token.create', { name: 'Program', scopes: ['*:write'] })
  program = app.person({ authorization: `Bearer ${made.body.data.token}` })
})

test('each wrong field has a code', async () => {
  const { id: client_id } = (await app.db.selectFrom('clients').select('id').executeTakeFirstOrThrow())!
  const sent = { name: '', client_id, parent_id: [], goal: 'many', colour: 'blue' }
  const strange = await program.raw('POST', '/v3/portal/projects', sent)
  expect([strange.status, strange.body.code, strange.body.field_codes]).toEqual([422, 'invalid', { colour: 'unknown_field' }])
  const { colour: _, ...known } = sent
  const wrong = await program.raw('POST', '/v3/portal/projects', known)
  expect(wrong.body.field_codes).toMatchObject({ name: 'required', goal: 'format' })
  expect(Object.keys(wrong.body.field_codes)).toEqual(Object.keys(wrong.body.fields))
  const missing = await program.raw('POST', '/v3/portal/tokens/none', {})
  expect([missing.body.field_codes, Object.hasOwn(ERROR_CODES, missing.body.code)]).toEqual([{}, true])
})

test('each refused row of a batch has a code', async () => {
  const { survey } = await fresh(app)
  const rows = [
    { respondent_id: 'a', outcome: 'maybe', at: '2026-03-01T14:05:00Z' },
    { outcome: 'completes', at: 'soon', agee: 3 },
  ]
  const answer = await app.as('admin').call('runtime.ingest', { surveyId: survey.id, rows, strict: true })
  expect([answer.status, answer.body.code], answer.text).toEqual([422, 'all_refused'])
  const errors = answer.body.data.errors as { field: string; code: string }[]
  expect(Object.fromEntries(errors.map(({ field, code }) => [field, code]))).toEqual({
    outcome: 'choice',
    respondent_id: 'required',
    at: 'format',
    agee: 'unknown_field',
  })
  expect(errors.every(({ code }) => Object.hasOwn(FIELD_CODES, code))).toBe(true)
})

/** The codes of a report's fields, by field. */
const codesOf = (rows: readonly { field: string; code: string }[]) =>
  Object.fromEntries(rows.map(({ field, code }) => [field, code]))

test('each refused visit has a code for each field', async () => {
  const brand = await app.make.brand()
  const service = await app.make.service({ brand_id: brand.id, start_dt: '2026-01-01' })
  const at = '2026-03-01T14:05:00Z'
  const rows = [
    { service_id: service.id, venue: 'a', at: 'soon', latitude: 95, longitude: 'east', strange: 1 },
    { service_id: 999_999, device: 'd', venue: 'a', at, dma: 1, latitude: 40 },
    { service_id: service.id, device: 'd', venue: 'new', at },
    { service_id: service.id, device: 'd', venue: 'new', at: '2025-12-01T00:00:00Z', dma: 501 },
  ]
  const answer = await app.as('admin').call('visit.ingest', { rows, strict: true })
  expect(answer.status, answer.text).toBe(422)
  expect(answer.body.data.errors.map(({ field_codes }) => field_codes)).toEqual([
    { device: 'required', at: 'format', latitude: 'range', longitude: 'type', strange: 'unknown_field', venue: 'choice' },
    { service_id: 'choice', dma: 'choice', longitude: 'required' },
    { venue: 'choice' },
    { at: 'range', venue: 'choice' },
  ])
  for (const { fields, field_codes } of answer.body.data.errors)
    expect(Object.keys(field_codes).sort()).toEqual(Object.keys(fields).sort())
})

test('each refused item of content has a code for each field', async () => {
  const { id: project_id } = await app.make.project({ client_id: app.client.id })
  const { id } = await app.make.activity({ project_id, activity_type: 'photo' })
  const rows = [
    { action: 'photo', email: 'nobody', at: 'soon', dma: 1 },
    { external_id: 'x', action: 'dance', url: 'ftp://x', person: 'z', comment: {} },
  ]
  const answer = await app.as('admin').call('content.import', { id, activity_id: id, rows } as never)
  expect(answer.status, answer.text).toBe(422)
  const { errors } = (
    answer.body as unknown as {
      data: { errors: { message: string; fields: { field: string; code: string; message: string }[] }[] }
    }
  ).data
  expect(errors.map(({ fields }) => codesOf(fields))).toEqual([
    { external_id: 'required', url: 'required', email: 'format', at: 'format', dma: 'choice' },
    { comment: 'type', action: 'choice', url: 'format', person: 'format' },
  ])
  for (const { message, fields } of errors) expect(message).toBe(fields.map((fault) => fault.message).join(', '))
})

test('each row of pasted questions that is refused has a code', async () => {
  const { survey } = await fresh(app)
  const rows = [
    { name: '', answer_type: 'dance', question_type: 'odd', vendor_key: 'k' },
    { name: 'Which?', answer_type: 'single', options: ['one'], vendor_key: 'k' },
  ]
  const answer = await app.as('admin').call('question.bulk', { id: survey.id, rows } as never)
  expect(answer.status, answer.text).toBe(422)
  const { rows: faults } = answer.body as unknown as { rows: { row: number; field: string; code: string }[] }
  expect(faults.map(({ row, field, code }) => `${row} ${field} ${code}`).sort()).toEqual([
    '1 answer_type choice',
    '1 name required',
    '1 question_type choice',
    '2 options invalid',
    '2 vendor_key taken',
  ])
})

test('each refused line of a file has a code, in its check and among its stored lines', async () => {
  const places = 'Name,Address,ZIP,Latitude,Longitude\n,350 5th Ave,abc,200,east\nShop,1 Main St,10118,,\n'
  const storage_key = `uploads/${crypto.randomUUID()}`
  await app.services.files.put(storage_key, Buffer.from(places), 'text/csv')
  const file = await app.make.file({ storage_key, original_name: 'Coded.csv', mime: 'text/csv', kind: 'location' })
  const sent = await app
    .as('admin')
    .call('import.process', { client_id: app.client.id, name: 'Coded', file_id: file.id, hold: true })
  expect(sent.status, sent.text).toBe(200)
  const id = sent.body.data.import_id!
  const expected = { Name: 'required', ZIP: 'format', Latitude: 'range' }
  const check = await app.as('admin').call('import.check', { id })
  expect(Object.fromEntries(check.body.data.errors.map(({ column, code }) => [column, code]))).toMatchObject(expected)
  const run = await app.as('admin').call('import.run', { id })
  await app.services.jobs.settled((run.body.data as { job_id: number }).job_id, 20_000)
  const stored = await app.as('admin').call('import.rows', { id })
  expect(Object.fromEntries(stored.body.data.map(({ column, code }) => [column, code]))).toMatchObject(expected)
})

test('the document lists the codes of errors', async () => {
  const document = (await program.raw('GET', '/openapi.json')).body as unknown as {
    components: { schemas: Record<string, { enum: string[]; 'x-codes': { code: string }[] }> }
  }
  const { schemas } = document.components
  expect(schemas.ErrorCode!.enum).toEqual(Object.keys(ERROR_CODES))
  expect(schemas.ErrorCode!['x-codes'].map(({ code }) => code)).toEqual(Object.keys(ERROR_CODES))
})
