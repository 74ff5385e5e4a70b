import { connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { migratedDatabase } from '../support/engine.ts'
import { fire } from '../torture/input/fire.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
let port: number
beforeAll(async () => {
  app = await fieldwork()
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.app.server.address() as { port: number }).port
})

/** Sends raw bytes that no well-behaved client would; returns the response. */
function speak(bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    let heard = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.setTimeout(5000, () => socket.destroy(new Error('no response within five seconds')))
    socket.on('data', (chunk) => (heard += chunk.toString('latin1')))
    socket.on('error', reject)
    socket.on('close', () => resolve(heard))
  })
}

test('2,000 requests generated from the contract, valid and broken, get a response, none a 5xx', async () => {
  // Fixed, so that every run is the same; `npm run torture -- input --seed <n>` takes others, and many more requests.
  const seed = 403_285_167
  const fired = await fire(await migratedDatabase(), { seed, requests: 2000 })
  expect(fired.faults.slice(0, 5), `seed ${seed}`).toEqual([])
  // Requests reach the handlers, not only the first check.
  expect(fired.taken).toBeGreaterThan(50)
}, 120_000)

test('a body that is plain text is refused, as it would be ignored and nothing changed', async () => {
  const client = await app.make.client()
  const admin = app.as('admin')
  const change = JSON.stringify({ id: client.id, name: 'Renamed as text' })
  const answer = await admin.raw('PUT', '/v3/portal/clients', change, { 'content-type': 'text/plain;charset=UTF-8' })
  expect([answer.status, answer.body.code]).toEqual([415, 'media_type'])
  const accepted = await admin.raw('PUT', '/v3/portal/clients', change, { 'content-type': 'application/json' })
  expect([accepted.status, accepted.body]).toEqual([
    200,
    expect.objectContaining({ data: expect.objectContaining({ name: 'Renamed as text' }) }),
  ])
})

describe('a refusal names the field', () => {
  test('with a null character, in path, query, body and form', async () => {
    const admin = app.as('admin')
    const named = async (answer: Promise<{ status: number; body: { fields: object } }>) => {
      const { status, body } = await answer
      return [status, Object.keys(body.fields)]
    }
    expect(await named(admin.raw('GET', '/v3/portal/clients?search=a%00b'))).toEqual([422, ['search']])
    expect(await named(admin.raw('GET', '/v3/portal/clients/%00'))).toEqual([422, ['id']])
    expect(await named(admin.raw('POST', '/v3/portal/clients', { name: 'a\u0000b' }))).toEqual([422, ['name']])
    const form = '--b\r\ncontent-disposition: form-data; name="description"\r\n\r\na\u0000b\r\n--b--\r\n'
    expect(
      await named(
        admin.raw('POST', '/v3/portal/files', Buffer.from(form), { 'content-type': 'multipart/form-data; boundary=b' }),
      ),
    ).toEqual([422, ['description']])
  })

  test('with null in place of a form, without running the form’s rules', async () => {
    const project = await app.make.project({ client_id: app.client.id, generation: 'campaign' })
    const answer = await app.as('admin').raw('PUT', `/v1/campaigns/${project.id}`, { survey_activity: null })
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([422, ['survey_activity']])
  })

  test('named like an object’s built-in property', async () => {
    const project = await app.make.project({ client_id: app.client.id })
    for (const word of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
      const overview = await app.as('admin').raw('GET', `/v3/portal/projects/${project.id}/overview?gender=${word}`)
      expect([overview.status, Object.keys(overview.body.fields)], word).toEqual([422, ['gender']])
      const sorted = await app.as('admin').raw('GET', `/v3/portal/projects?column=${word}`)
      expect([sorted.status, Object.keys(sorted.body.fields)], word).toEqual([422, ['column']])
    }
  })

  test('of a request whose dates aren’t text', async () => {
    const dates = { start_dt: { toString: 'x' }, end_dt: { toString: 'x' } }
    const answer = await app.as('client').raw('POST', '/v3/portal/projects/request', dates)
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([422, expect.arrayContaining(['start_dt', 'end_dt'])])
  })

  test('naming a missing client, in the v1 spelling too', async () => {
    const project = await app.make.project({ client_id: app.client.id, generation: 'campaign' })
    const answer = await app.as('admin').call('campaign.edit', { id: project.id, client_id: 999_999 })
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([422, ['client_id']])
  })
})

describe('a malformed request', () => {
  test('an upload that is cut off, or isn’t a form, is a 400 and leaves nothing behind', async () => {
    for (const body of ['--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n\u0089PNG', 'nothing']) {
      const answer = await app
        .as('admin')
        .raw('POST', '/v3/portal/files', Buffer.from(body, 'latin1'), { 'content-type': 'multipart/form-data; boundary=b' })
      expect([answer.status, answer.body.code], answer.text).toEqual([400, 'bad_form'])
    }
    const bare = await app
      .as('admin')
      .raw('POST', '/v3/portal/files', Buffer.from('x'), { 'content-type': 'multipart/form-data' })
    expect(bare.status).toBe(400)
  })

  test('an address that is too long or invalid is refused in the usual error format', async () => {
    // Where the workspace is built, a URL too long for a call is looked up among its files.
    for (const [path, code] of [
      [`/v3/portal/clients/${'9'.repeat(700)}`, expect.stringMatching(/^(too_long|unknown_call)$/)],
      ['/v3/portal/clients/%ff', 'bad_url'],
      ['/%', 'bad_url'],
    ]) {
      const answer = await app.as('admin').raw('GET', String(path))
      expect(answer.body, String(path)).toMatchObject({ code, request_id: expect.any(String), errors: [expect.any(String)] })
      expect(answer.headers['x-content-type-options']).toBe('nosniff')
    }
  })

  test.each([
    ['no HTTP', 'hello\r\n\r\n', '400'],
    ['a header without end', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`, '431'],
    ['two lengths', 'POST /v3/portal/clients HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello', '400'],
    [
      'a length and chunks',
      'POST /v3/portal/clients HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      '400',
    ],
    ['a chunk of no size', 'POST /v3/portal/clients HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n', '400'],
    ['a line in a header', 'GET /v3/portal/config HTTP/1.1\r\nhost: a\r\nx: a\u0000b\r\n\r\n', '400'],
    ['a proxy’s address', 'GET http://evil.test/v3/portal/clients HTTP/1.1\r\nhost: evil.test\r\nconnection: close\r\n\r\n', '4'],
    ['a climb out of the folder', 'GET /../../../../etc/passwd HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n', ''],
    ['a climb in disguise', 'GET /assets/..%2f..%2f..%2fpackage.json HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n', '4'],
  ])('%s gets a response and reveals nothing', async (_name, bytes, status) => {
    const heard = await speak(bytes)
    expect(heard).toMatch(new RegExp(`^HTTP/1.1 ${status}`))
    expect(heard).not.toMatch(/HTTP\/1.1 5|root:|"scripts"/)
  })
})
