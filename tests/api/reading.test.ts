import { beforeAll, describe, expect, test } from 'vitest'
import { readSettings } from '../../server/core/settings.ts'
import { ADDRESSES } from '../../server/http/addresses.ts'
import { type Fieldwork, fieldwork } from './support.ts'
import { WHOLE_TABLE, wrongIn } from './wrong.ts'

const APP = 'https://app.example.com'
let app: Fieldwork
beforeAll(async () => {
  app = await fieldwork({ CORS_ORIGINS: APP, LIMITS: 'writes_day=1000,token_minute=7' })
})
const admin = () => app.as('admin')

describe('a cached read', () => {
  test('is a 304 until it changes', async () => {
    const { id } = await app.make.client({ name: 'Kept' })
    const url = `/v3/portal/clients/${id}`
    const first = await admin().raw('GET', url)
    const etag = String(first.headers.etag)
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/)
    const again = await admin().raw('GET', url, undefined, { 'if-none-match': etag })
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag])
    // Compared weakly, in a list of several.
    expect((await admin().raw('GET', url, undefined, { 'if-none-match': `"x", ${etag.slice(2)}` })).status).toBe(304)
    await admin().call('client.edit', { id, name: 'Kept no more' })
    const changed = await admin().raw('GET', url, undefined, { 'if-none-match': etag })
    expect([changed.status, (changed.body as unknown as { data: object }).data]).toEqual([
      200,
      expect.objectContaining({ name: 'Kept no more' }),
    ])
  })

  test('a 304 needs access too: a stranger still gets 401', async () => {
    const { headers } = await admin().raw('GET', '/v3/portal/clients')
    const asked = await app.as('stranger').raw('GET', '/v3/portal/clients', undefined, { 'if-none-match': String(headers.etag) })
    expect(asked.status).toBe(401)
    const refused = await app.as('client').raw('GET', '/v3/portal/clients', undefined, { 'if-none-match': '*' })
    expect(refused.status).toBe(403)
  })
})

describe('a page of a list', () => {
  test('links to the first, previous, next and last page, with the same query; to the next by cursor', async () => {
    for (let nth = 0; nth < 7; nth++) await app.make.client({ name: `Linked ${nth}` })
    const page = async (at: number) =>
      String((await admin().raw('GET', `/v3/portal/clients?search=Linked&per_page=3&page=${at}`)).headers.link).replace(
        /cursor=[\w-]+/,
        'cursor=…',
      )
    const next = '</v3/portal/clients?search=Linked&per_page=3&cursor=…>; rel="next"'
    const to = (at: number, rel: string) => `</v3/portal/clients?search=Linked&per_page=3&page=${at}>; rel="${rel}"`
    expect(await page(1)).toBe([to(1, 'first'), next, to(3, 'last')].join(', '))
    expect(await page(2)).toBe([to(1, 'first'), to(1, 'prev'), next, to(3, 'last')].join(', '))
    expect(await page(3)).toBe([to(1, 'first'), to(2, 'prev'), to(3, 'last')].join(', '))
    expect(await page(9)).toBe([to(1, 'first'), to(3, 'prev'), to(3, 'last')].join(', '))
  })

  test('links lead from the first page through every record once', async () => {
    const seen: number[] = []
    let url: string | undefined = '/v3/portal/clients?search=Linked&per_page=2&column=name'
    while (url) {
      const { body, headers } = await admin().raw('GET', url)
      seen.push(...(body as unknown as { data: { id: number }[] }).data.map(({ id }) => id))
      url = /<([^>]+)>; rel="next"/.exec(String(headers.link))?.[1]
    }
    expect(seen).toHaveLength(7)
    expect(new Set(seen).size).toBe(7)
  })

  test('has links in the older spelling too; a response that isn’t a page has none', async () => {
    expect(String((await admin().raw('GET', '/v1/users?per_page=1')).headers.link)).toContain('rel="next"')
    expect((await admin().raw('GET', '/v3/portal/account')).headers.link).toBeUndefined()
  })
})

describe('a wrong method', () => {
  test.each([
    ['PATCH', '/v3/portal/clients/1', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/v3/portal/auth/sign_in', 'POST'],
    ['GET', '/v3/portal/auth/sign_in', 'POST'],
    ['POST', '/v3/portal/projects/all/', 'GET, HEAD'],
  ])('%s %s is a 405 that names %s', async (method, url, allow) => {
    const answer = await admin().raw(method, url, method === 'GET' ? undefined : {})
    expect([answer.status, answer.body.code]).toEqual([405, 'method'])
    for (const one of allow.split(', ')) expect(String(answer.headers.allow).split(', ')).toContain(one)
    expect(String(answer.headers.allow).split(', ')).not.toContain(method)
  })
})

test('what an address takes is true: by OPTIONS, in Allow, and of its calls', { timeout: WHOLE_TABLE }, async () => {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH']
  const addresses = new Set(ADDRESSES.map(({ path }) => path))
  const wrong = await wrongIn([...addresses], async (path) => {
    const url = path.replace(/\{\w+\}/g, '7')
    const options = await admin().raw('OPTIONS', url)
    expect(options.status).toBe(204)
    const allowed = String(options.headers.allow).split(', ')
    for (const method of methods) {
      // A stranger's request goes no further than the question who they are.
      const answer = await app.as('stranger').raw(method, url, ['POST', 'PUT'].includes(method) ? {} : undefined)
      expect([method, answer.status === 405], answer.text).toEqual([method, !allowed.includes(method)])
      if (answer.status === 405) expect(answer.headers.allow).toBe(allowed.join(', '))
    }
  })
  expect(wrong, wrong.join('\n')).toEqual([])
  const project = await admin().raw('OPTIONS', '/v3/portal/projects/4181')
  expect(project.headers.allow).toBe('GET, HEAD, PUT, DELETE, OPTIONS')
  for (const [url, allow] of [
    ['/openapi.json', 'GET, HEAD, OPTIONS'],
    ['/mcp', 'POST, OPTIONS'],
  ] as const)
    expect((await admin().raw('OPTIONS', url)).headers.allow, url).toBe(allow)
  expect((await admin().raw('OPTIONS', '/v3/portal/nonsense')).status).toBe(404)
})

test('a write says how many are left today', async () => {
  const left = async () => (await admin().call('client.create', { name: `Counted ${Math.random()}` })).headers
  const first = await left()
  expect(first['ratelimit-limit']).toBe('1000')
  const second = await left()
  expect(Number(second['ratelimit-remaining'])).toBeLessThan(1000)
  expect(Number(second['ratelimit-remaining'])).toBeLessThanOrEqual(Number(first['ratelimit-remaining']))
  expect(Number(second['ratelimit-reset'])).toBeGreaterThan(0)
  expect((await admin().call('client.list')).headers).not.toHaveProperty('ratelimit-limit')
})

test('every response to a token says how many calls are left, a read’s, an error’s and a 304, too', async () => {
  const scopes = ['client:read']
  const { body } = await admin().call('token.create', { name: 'Counted', scopes })
  const token = app.person({ authorization: `Bearer ${body.data.token}` })
  const most = app.services.settings.limits.token_minute
  const first = await token.call('client.list')
  expect(first.headers).toMatchObject({ 'ratelimit-limit': String(most), 'ratelimit-remaining': String(most - 1) })
  const again = [
    await token.raw('GET', '/v3/portal/clients', undefined, { 'if-none-match': String(first.headers.etag) }),
    await token.raw('GET', '/v3/portal/clients/999999999'),
    await token.raw('GET', '/v3/portal/clients?page=none'),
    await token.raw('GET', '/v3/portal/projects'),
    await token.raw('POST', '/v3/portal/clients', { name: 'Refused' }),
  ]
  expect(again.map(({ status }) => status)).toEqual([304, 404, 422, 403, 403])
  for (const { headers } of again) {
    expect(headers['ratelimit-limit']).toBe(String(most))
    expect(Number(headers['ratelimit-remaining'])).toBeLessThan(most)
    expect(Number(headers['ratelimit-reset'])).toBeGreaterThan(0)
  }
  await token.call('client.list')
  // The second refusal is answered from memory.
  for (const { status, headers } of [await token.call('client.list'), await token.call('client.list')]) {
    expect([status, headers['ratelimit-limit'], headers['ratelimit-remaining']]).toEqual([429, String(most), '0'])
    expect(Number(headers['ratelimit-reset'])).toBeGreaterThan(50)
  }
})

describe('a page of another origin', () => {
  const ask = (origin: string, more: Record<string, string> = {}, method = 'GET', who = admin()) =>
    who.raw(method, '/v3/portal/clients', undefined, { origin, ...more })

  test('can read by token if its origin is allowed, and never by cookie', async () => {
    const { headers } = await ask(APP)
    expect(headers['access-control-allow-origin']).toBe(APP)
    expect(headers['access-control-allow-credentials']).toBeUndefined()
    expect(String(headers['access-control-expose-headers'])).toContain('access-token')
    expect(headers.vary).toContain('Origin')
    const cookie = app.person({ cookie: `fieldwork=${admin().headers['access-token']}`, 'content-type': 'application/json' })
    expect((await cookie.raw('POST', '/v3/portal/clients', { name: 'By cookie' }, { origin: APP })).status).toBe(403)
  })

  test('gets a response to its preflight request', async () => {
    const asked = await ask(APP, { 'access-control-request-method': 'POST' }, 'OPTIONS', app.as('stranger'))
    expect([asked.status, asked.headers['access-control-allow-origin']]).toEqual([204, APP])
    expect(String(asked.headers['access-control-allow-headers'])).toContain('access-token')
    expect(String(asked.headers['access-control-allow-methods'])).toContain('DELETE')
  })

  test('of any other origin gets nothing, and without the setting none gets anything', async () => {
    for (const origin of ['https://app.example.com.evil.test', 'http://app.example.com', 'https://app.example.com:8443', 'null'])
      expect((await ask(origin)).headers['access-control-allow-origin'], origin).toBeUndefined()
    const closed = await fieldwork()
    const { headers } = await closed.as('admin').raw('GET', '/v3/portal/clients', undefined, { origin: APP })
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })

  test('the setting accepts exact origins only', () => {
    for (const origin of ['*', 'https://app.example.com/', 'https://*.example.com', 'app.example.com', 'ftp://example.com'])
      expect(() => readSettings({ CORS_ORIGINS: origin }), origin).toThrow('CORS_ORIGINS must be origins')
    expect(readSettings({ CORS_ORIGINS: `${APP}, http://localhost:3000` }).corsOrigins).toEqual([APP, 'http://localhost:3000'])
  })
})
