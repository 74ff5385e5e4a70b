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
  expect(wrong.body.field_codes).toMatchObject({ name: 'required', goal: expect.stringMatching(/^(type|invalid)$/) })
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

test('the document lists the codes of errors', async () => {
  const document = (await program.raw('GET', '/openapi.json')).body as unknown as {
    components: { schemas: Record<string, { enum: string[]; 'x-codes': { code: string }[] }> }
  }
  const { schemas } = document.components
  expect(schemas.ErrorCode!.enum).toEqual(Object.keys(ERROR_CODES))
  expect(schemas.ErrorCode!['x-codes'].map(({ code }) => code)).toEqual(Object.keys(ERROR_CODES))
})
