import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Call } from '../../contract/call.ts'
import { type CallId, calls } from '../../contract/calls.ts'
import { mayCompress } from '../../server/http/response.ts'
import { type Fieldwork, fieldwork } from './support.ts'

let app: Fieldwork
const LIST = '/v3/portal/projects/all?per_page=50'
beforeAll(async () => {
  app = await fieldwork()
  for (let nth = 0; nth < 12; nth++) await app.make.project({ client_id: app.client.id, name: `Café “№ ${nth}”` })
})

const ask = async (url: string, encoding?: string) => {
  const { headers } = app.as('admin')
  const answer = await app.app.inject({
    method: 'GET',
    url,
    headers: encoding === undefined ? headers : { ...headers, 'accept-encoding': encoding },
  })
  expect(answer.statusCode).toBe(200)
  return { headers: answer.headers, bytes: answer.rawPayload }
}

test('the document of the API is compressed, and not sent again to who has it', async () => {
  const read = (headers: Record<string, string>) => app.app.inject({ method: 'GET', url: '/openapi.json', headers })
  const plain = await read({})
  expect(plain.headers).toMatchObject({ 'cache-control': 'no-cache', vary: expect.stringContaining('accept-encoding') })
  const [br, gzip] = await Promise.all([read({ 'accept-encoding': 'gzip, br' }), read({ 'accept-encoding': 'gzip' })])
  expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain.body)
  expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body)
  expect(br.rawPayload.length).toBeLessThan(plain.rawPayload.length / 12)
  const again = await read({ 'if-none-match': String(plain.headers.etag) })
  expect([again.statusCode, again.body]).toEqual([304, ''])
})

describe('a response above 2 kB', () => {
  test('is sent as brotli or gzip where accepted, with the same content', async () => {
    const plain = await ask(LIST)
    const text = plain.bytes.toString()
    expect(plain.headers).toMatchObject({
      vary: expect.stringContaining('accept-encoding'),
      'content-type': 'application/json; charset=utf-8',
    })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(text).toContain('Café “№ 3”')
    for (const [encoding, named, open] of [
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['br;q=0.5', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['br;q=0, GZIP', 'gzip', gunzipSync],
    ] as const) {
      const { headers, bytes } = await ask(LIST, encoding)
      expect(headers['content-encoding'], encoding).toBe(named)
      expect(Number(headers['content-length']), encoding).toBe(bytes.length)
      expect(open(bytes).toString(), encoding).toBe(text)
      expect(bytes.length).toBeLessThan(plain.bytes.length / 4)
    }
  })

  test.each(['identity', 'br;q=0', 'gzip;q=0.0', '', 'brotli'])('is sent uncompressed for “%s”', async (encoding) => {
    const { headers, bytes } = await ask(LIST, encoding)
    expect(headers['content-encoding']).toBeUndefined()
    expect(JSON.parse(bytes.toString()).count).toBe(12)
  })

  test('and only above that: below, it is never compressed', async () => {
    const { headers, bytes } = await ask('/v3/portal/projects/all?search=nothing', 'br')
    expect(headers['content-encoding']).toBeUndefined()
    expect(bytes.length).toBeLessThan(2048)
  })
})

test('a response that may contain a key, a session or a working link is never compressed', async () => {
  const never = (Object.entries(calls) as [CallId, Call][]).filter(([id, row]) => !mayCompress(id, row)).map(([id]) => id)
  const secret = (Object.entries(calls) as [CallId, Call][]).filter(([, row]) => row.secret || row.secretPath).map(([id]) => id)
  expect(never).toEqual(expect.arrayContaining(secret))
  expect(never.some((id) => id.startsWith('session.')) && never.some((id) => id.startsWith('outbox.'))).toBe(true)
  const { headers } = app.as('admin')
  for (let nth = 0; nth < 30; nth++)
    await app.write((tx) =>
      tx
        .insertInto('mails')
        .values({
          to_address: `somebody${nth}@fieldwork.test`,
          subject: 'A link',
          body: 'x'.repeat(400),
          html: '',
          status: 'sent',
          error: '',
          about: '',
          not_before: new Date().toISOString(),
          created_at: new Date().toISOString(),
        } as never)
        .execute(),
    )
  const answer = await app.app.inject({
    method: 'GET',
    url: '/v3/portal/outbox?per_page=50',
    headers: { ...headers, 'accept-encoding': 'br' },
  })
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-encoding']).toBeUndefined()
})
