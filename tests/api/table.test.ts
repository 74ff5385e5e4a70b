import { beforeAll, describe, expect, test } from 'vitest'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import { requestOf } from './calling.ts'
import { type Fieldwork, fieldwork } from './support.ts'
import { testAll, WHOLE_TABLE, wrongIn } from './wrong.ts'

let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork()
})
const rows = Object.entries(calls) as [CallId, Call][]

// What each role gets from every call is in access.test.ts.
describe('every row of the calls table', () => {
  const writes = rows.filter(([, row]) => row.method !== 'GET').map(([id]) => id)
  test('handles an empty body: never a 5xx', { timeout: WHOLE_TABLE }, async () => {
    const somebody = () => app.make.user({ role: 'admin' }).then(app.signIn)
    const stays = await somebody()
    const wrong = await wrongIn(writes, async (id) => {
      const { method, url } = requestOf(id, {})
      // Some of these end sessions.
      const who = /^(session|account)\./.test(id) ? await somebody() : stays
      const answer = await who.raw(method, url, {})
      expect(answer.status, answer.text).toBeLessThan(500)
    })
    expect(wrong).toEqual([])
    expect((await stays.call('session.validate')).status).toBe(200)
  })

  test('no two rows claim one address', () => {
    const addresses = rows.map(([, row]) => `${row.method} ${row.path.replace(/\{\w+\}/g, '{}')}`)
    expect(addresses).toEqual([...new Set(addresses)])
  })
})

describe('addresses', () => {
  test('an unknown one returns 404 with unknown_call, signed in or not', async () => {
    for (const who of ['admin', 'stranger'] as const) {
      const answer = await app.as(who).raw('GET', '/v3/portal/nonsense')
      expect(answer.status).toBe(404)
      expect(answer.body.code).toBe('unknown_call')
    }
  })

  test('a trailing slash, .json, and an id in query or body are the same call', async () => {
    for (const [method, url, body] of [
      ['GET', '/v3/portal/clients/all/', undefined],
      ['GET', '/v3/portal/clients/all.json', undefined],
    ] as const) {
      expect((await app.as('admin').raw(method, url, body)).status, url).toBe(200)
    }
    const made = [await app.make.client(), await app.make.client(), await app.make.client()]
    expect((await app.as('admin').raw('DELETE', `/v3/portal/clients/?id=${made[0]!.id}`)).status).toBe(200)
    expect((await app.as('admin').raw('DELETE', '/v3/portal/clients', { id: made[1]!.id })).status).toBe(200)
    expect((await app.as('admin').raw('DELETE', `/v3/portal/clients/${made[2]!.id}`)).status).toBe(200)
  })

  test('the older spelling wraps its body in an object', async () => {
    const answer = await app.as('admin').raw('POST', '/v3/portal/clients', { client: { name: 'Wrapped' } })
    expect((answer.body as unknown as { data: { name: string } }).data.name).toBe('Wrapped')
  })
})

describe('answers', () => {
  test('an error has message, errors, code, request id and the fields by name', async () => {
    const answer = await app.as('admin').call('project.create', { name: '' })
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({
      code: 'invalid',
      request_id: answer.headers['x-request-id'],
      response: answer.body.message,
      fields: { name: 'Project Name cannot be blank' },
    })
  })

  test('invalid JSON is a 400, another media type a 415', async () => {
    expect(
      (await app.as('admin').raw('POST', '/v3/portal/clients', '{"name":', { 'content-type': 'application/json' })).status,
    ).toBe(400)
    expect((await app.as('admin').raw('POST', '/v3/portal/clients', 'name', { 'content-type': 'text/weird' })).status).toBe(415)
  })

  test('have a strict content security policy and are never cached', async () => {
    const { headers } = await app.as('admin').call('client.list')
    expect(headers['content-security-policy']).toContain("script-src 'self'")
    expect(headers['content-security-policy']).not.toMatch(/script-src[^;]*unsafe/)
    expect(headers['cache-control']).toBe('no-store')
  })

  test('GET /openapi.json has every row', async () => {
    const document = (await app.as('stranger').raw('GET', '/openapi.json')).body as unknown as {
      paths: Record<string, Record<string, { operationId: string }>>
    }
    const ids = Object.values(document.paths).flatMap((path) => Object.values(path).map((one) => one.operationId))
    expect(ids.sort()).toEqual(rows.map(([id]) => id).sort())
  })

  test('a GET that changes something takes token headers, not a cookie', async () => {
    const project = await app.make.project({ client_id: app.client.id })
    const path = `/v3/portal/projects/${project.id}/clear_pending_rewards`
    const cookie = { cookie: `fieldwork=${app.as('admin').headers['access-token']}` }
    expect((await app.person(cookie).raw('GET', `/v3/portal/projects/${project.id}`)).status).toBe(200)
    expect((await app.person(cookie).raw('GET', path)).status).toBe(401)
    expect((await app.as('admin').raw('GET', path)).status).toBe(200)
  })

  const from: readonly (readonly [number, string, Record<string, string>])[] = [
    [403, 'another site', { origin: 'https://evil.test' }],
    [403, 'no site at all', { origin: 'null' }],
    [403, 'another port', { origin: 'http://fieldwork.test:8080' }],
    [403, 'another scheme', { origin: 'https://fieldwork.test' }],
    [403, 'whatever Host says', { origin: 'http://evil.test', host: 'evil.test' }],
    [403, 'a neighbour of this site', { origin: 'http://fieldwork.test', 'sec-fetch-site': 'same-site' }],
    [403, 'another site, by the browser’s own word', { 'sec-fetch-site': 'cross-site' }],
    [403, 'nobody knows where', {}],
    [200, 'our own pages', { origin: 'http://fieldwork.test', 'sec-fetch-site': 'same-origin' }],
    [200, 'our own pages, in a browser that says no more', { origin: 'http://fieldwork.test' }],
    [200, 'the workspace', { 'x-fieldwork': 'workspace' }],
  ]
  testAll('a write by cookie is taken from our own pages alone', from, async ([status, , headers]) => {
    const cookie = { cookie: `fieldwork=${app.as('admin').headers['access-token']}` }
    const made = await app
      .person({ ...cookie, ...headers })
      .raw('POST', '/v3/portal/clients', { name: `Written ${JSON.stringify(headers)}` })
    expect(made.status).toBe(status)
  })

  test('can’t be framed, and request no device access', async () => {
    const { headers } = await app.as('stranger').raw('GET', '/v3/portal/config')
    expect(headers['x-frame-options']).toBe('DENY')
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['permissions-policy']).toMatch(/camera=\(\).*geolocation=\(\).*microphone=\(\)/)
  })
})
