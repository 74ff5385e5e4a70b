import { beforeAll, describe, expect, test } from 'vitest'
import { addressOf, curlOf, mistakesIn, NO_VALUES, requestOf } from '../../src/apiDocs/composeRequest.ts'
import {
  type CallGroup,
  type DescribedCall,
  exampleOf,
  fieldsOf,
  groupsOf,
  limitWords,
  MESSAGES,
  resolvedSchema,
  typeWords,
  valuesOf,
} from '../../src/apiDocs/describedCalls.ts'
import { findCalls, searchableCalls, searchedFor } from '../../src/apiDocs/findCalls.ts'
import type { ApiDocument } from '../../src/data/apiDocument.ts'
import { rowOf } from '../../src/routing/routes.ts'
import { sourceOf } from '../support/graph.ts'
import { openApiDocument } from './openapi-document.ts'
import { checkRows } from './rows.ts'

let document: ApiDocument
let groups: CallGroup[]
beforeAll(async () => {
  document = await openApiDocument()
  groups = groupsOf(document)
})

const calls = () => groups.filter(({ name }) => name !== MESSAGES).flatMap((group) => group.calls)
function callOf(id: string): DescribedCall {
  const found = groups.flatMap((group) => group.calls).find((call) => call.id === id)
  if (!found) throw new Error(`${id} isn’t on the page`)
  return found
}

describe('the page of the API', () => {
  test('has every call of the document once, and every message of webhooks', () => {
    const ids = Object.values(document.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
    expect(
      calls()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(ids.sort())
    expect(groups.at(-1)!.calls).toHaveLength(Object.keys(document.webhooks).length)
  })

  test('leads to the screen of tokens, which the routes table names', () => {
    expect(sourceOf('src/apiDocs/GettingStarted.tsx')).toContain(`href="${rowOf('tokens').path}"`)
  })

  test('resolves every reference to a parameter or response', () => {
    for (const methods of Object.values(document.paths))
      for (const operation of Object.values(methods)) {
        const call = callOf(operation.operationId)
        expect(call.parameters.length, call.id).toBe(operation.parameters.length)
        expect(call.responses.length, call.id).toBe(Object.keys(operation.responses).length)
      }
  })

  test('says which calls change data, by GET, too', () => {
    expect(callOf('project.get').changesData).toBe(false)
    expect(callOf('project.goLive').changesData).toBe(true)
    const changing = calls().filter(({ method, changesData }) => method === 'GET' && changesData)
    expect(changing.map(({ path }) => path)).toContain('/v3/portal/projects/{id}/clear_pending_rewards')
  })

  test('knows which calls no token opens, and which any token opens', () => {
    expect(callOf('token.create').scopes).toBeNull()
    expect(callOf('token.current').scopes).toEqual([])
    expect(callOf('project.goLive').scopes).toContain('project:write')
    expect(callOf('session.signIn').open).toBe(true)
  })

  test('words types', () => {
    checkRows(
      [
        [{ type: 'array', items: { $ref: '#/components/schemas/Project' } }, 'list of Project'],
        [{ type: 'string', format: 'date-time' }, 'date-time'],
        [{ type: ['integer', 'null'] }, 'integer or null'],
        [{ anyOf: [{ type: 'string', const: '' }, { type: 'null' }, { type: 'integer' }] }, 'integer or null'],
        [{ const: 'project.updated' }, '"project.updated"'],
        [{}, 'any'],
      ],
      ([schema, words]) => expect(typeWords(schema)).toBe(words),
    )
  })

  test('words limits', () => {
    checkRows(
      [
        [{ type: 'integer', minimum: 1, maximum: 500, default: 50 }, '1 to 500, default 50'],
        [{ type: 'integer', exclusiveMinimum: 0, maximum: 2147483647 }, ''],
        [{ type: 'string', maxLength: 200, default: '' }, 'at most 200 characters'],
      ],
      ([schema, words]) => expect(limitWords(schema)).toBe(words),
    )
  })

  test('shows what a value means where that isn’t the value itself', () => {
    const status = fieldsOf(document, { $ref: '#/components/schemas/Project' }).find(({ name }) => name === 'status')!
    expect(valuesOf(status.schema)).toContainEqual({ value: 'Reporting', meaning: 'Reporting available' })
    expect(valuesOf(status.schema)).toContainEqual({ value: 'Active', meaning: null })
  })

  test('has an example of every body that is JSON, with everything that is required', () => {
    for (const call of calls()) {
      const schema = call.bodies['application/json']?.schema
      if (!schema) continue
      // A batch may be the list itself, whose rows then have what is required.
      const rows = schema.anyOf?.find(({ type }) => type === 'array')?.items
      const { required = [] } = rows ? resolvedSchema(document, rows).schema : schema
      const [example] = [exampleOf(document, schema)].flat() as object[]
      expect(Object.keys(example!).sort(), call.id).toEqual([...required].sort())
      expect(JSON.stringify(exampleOf(document, schema, true)).length, call.id).toBeLessThan(100_000)
    }
  })
})

describe('the search of the API', () => {
  const first = (query: string) => findCalls(searchableCalls(document, groups), query)[0]?.id
  const found = (query: string) => findCalls(searchableCalls(document, groups), query).map(({ id }) => id)

  test('finds a call by what people call it', () => {
    checkRows(
      [
        ['project.goLive', 'project.goLive'],
        ['go live', 'project.goLive'],
        ['/v3/portal/projects', 'project.list'],
        ['launch', 'project.goLive'],
        ['intake', 'runtime.intake'],
        ['sign in', 'session.signIn'],
      ],
      ([query, id]) => expect(first(query)).toBe(id),
    )
  })

  test('finds calls by a field that they take or return, also inside records', () => {
    expect(found('updated_since').length).toBeGreaterThan(20)
    expect(found('loi_minutes project edit')).toContain('project.edit')
  })

  test('finds the pages of limits and codes, and the call of an action that isn’t one', () => {
    checkRows(
      [
        ['rate limit', 'start'],
        ['RateLimit-Remaining', 'start'],
        ['idempotency key', 'start'],
        ['error code', 'codes'],
        ['not_now', 'codes'],
        ['project.pause', 'project.setStatus'],
        ['project.takeOffers', 'project.setCost'],
      ],
      ([query, id]) => expect(first(query), query).toBe(id),
    )
  })

  test('finds what is near for a typo, and says what it searched for', () => {
    const all = searchableCalls(document, groups)
    for (const [typed, meant] of [
      ['projct list', 'project list'],
      ['webhok', 'webhook'],
      ['rate limti', 'rate limit'],
    ] as const) {
      expect(searchedFor(all, typed)).toBe(meant)
      expect(found(typed)).toEqual(found(meant))
      expect(found(typed)).not.toEqual([])
    }
    expect(searchedFor(all, 'project list')).toBe('project list')
  })

  test('finds nothing for nothing, and for words that no call has', () => {
    expect(found('  ')).toEqual([])
    expect(found('zebra crossing')).toEqual([])
  })
})

describe('the request', () => {
  const values = (parameters: Record<string, string>, body = '') => ({ ...NO_VALUES, parameters, body })

  test('has its parameters in path and query, and lists by name[]', () => {
    expect(addressOf(callOf('project.get'), values({ 'path.id': '41/8' }))).toBe('/v3/portal/projects/41%2F8')
    expect(addressOf(callOf('project.list'), values({ 'query.search': 'a b', 'query.per_page': ' ' }))).toBe(
      '/v3/portal/projects?search=a+b',
    )
    expect(addressOf(callOf('runtime.overview'), values({ 'path.id': '7', 'query.age': '1, 2' }))).toMatch(
      /\?age\[\]=1&age\[\]=2$/,
    )
  })

  test('names what is missing or can’t be read', () => {
    expect(mistakesIn(callOf('project.get'), NO_VALUES)).toEqual({ 'path.id': 'Enter id' })
    expect(mistakesIn(callOf('project.edit'), values({}, '{"id":'))).toEqual({ body: expect.stringContaining('valid JSON') })
    expect(mistakesIn(callOf('project.edit'), values({}, '[1]'))).toEqual({ body: 'The body must be a JSON object' })
  })

  test('carries the token, and for a dry run dry=1', () => {
    const request = requestOf(callOf('project.edit'), values({}, '{"id":1}'), 'fwt_1', true)
    expect(request).toMatchObject({ method: 'PUT', path: '/v3/portal/projects?dry=1', body: '{"id":1}' })
    expect(request.headers).toMatchObject({ authorization: 'Bearer fwt_1', 'content-type': 'application/json' })
  })

  test('sends a form where the call takes files', async () => {
    const file = new File(['x'], 'a.txt')
    const request = requestOf(
      callOf('file.upload'),
      { ...values({}, '{"project_id":7}'), files: { file: [file] } },
      'fwt_1',
      false,
    )
    const form = request.body as FormData
    expect(form.get('project_id')).toBe('7')
    expect((form.get('file') as File).name).toBe('a.txt')
    expect(request.headers).not.toHaveProperty('content-type')
  })

  test('is a command for curl that a shell reads as one word each, without the token', () => {
    const command = curlOf(callOf('project.edit'), values({}, `{"name":"Ann's"}`), 'https://field.example')
    expect(command.split(' \\\n  ')).toEqual([
      'curl https://field.example/v3/portal/projects',
      '-X PUT',
      '-H "Authorization: Bearer $FIELDWORK_TOKEN"',
      `-H 'content-type: application/json'`,
      `-d '{"name":"Ann'\\''s"}'`,
    ])
    expect(curlOf(callOf('token.create'), values({}, ''), 'https://field.example')).toContain('-H "access-token: $ACCESS_TOKEN"')
    expect(curlOf(callOf('session.signIn'), values({}, ''), 'https://field.example')).not.toContain('-H')
    expect(curlOf(callOf('live.stream'), NO_VALUES, 'https://field.example')).toContain('-N')
  })
})
