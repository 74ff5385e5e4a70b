import { afterEach, expect, test, vi } from 'vitest'
import { api, nameInReads } from '../../src/data/apiClient.ts'

afterEach(() => {
  nameInReads({ id: null })
  vi.unstubAllGlobals()
})

/** Collects the headers of the requests that the client sends. */
function sentHeaders(): Record<string, string>[] {
  const sent: Record<string, string>[] = []
  vi.stubGlobal('fetch', async (_url: string, { headers }: { headers: Record<string, string> }) => {
    sent.push(headers)
    return new Response('{"data":[]}', { headers: { 'content-type': 'application/json' } })
  })
  return sent
}

test('reads name the last event that the live stream delivered, writes don’t', async () => {
  const sent = sentHeaders()
  const at = { id: '41' as string | null }
  nameInReads(at)
  at.id = '42'
  await api.read('client.list', {})
  await api.write('client.create', { name: 'Acme' })
  expect(sent.map((headers) => headers['x-live-seen'])).toEqual(['42', undefined])
})

/** A response read before the client asked for it. */
const early = () => {
  globalThis.earlyReads = { '/v3/portal/clients': Promise.resolve(new Response('{"data":["early"]}')) }
}

test('a response read early is taken over once', async () => {
  const sent = sentHeaders()
  early()
  expect(await api.read('client.list', {})).toEqual({ data: ['early'] })
  expect(await api.read('client.list', {})).toEqual({ data: [] })
  expect(sent).toHaveLength(1)
})

test('a response read before a write or a live event isn’t taken over after it', async () => {
  sentHeaders()
  early()
  await api.write('client.create', { name: 'Acme' })
  expect(await api.read('client.list', {})).toEqual({ data: [] })
  early()
  nameInReads({ id: '43' })
  expect(await api.read('client.list', {})).toEqual({ data: [] })
})

test('a response read early is read again if something changed between it and the user', async () => {
  const answer = (body: string, last: number) => new Response(body, { headers: { 'x-live-last': String(last) } })
  const fetched = vi.fn(async (_url: string) => answer('{"data":["again"]}', 43))
  vi.stubGlobal('fetch', fetched)
  globalThis.earlyReads = {
    '/v3/portal/auth/validate_token': Promise.resolve(answer('{"data":{}}', 42)),
    '/v3/portal/clients': Promise.resolve(answer('{"data":["before"]}', 41)),
    '/v3/portal/teams': Promise.resolve(answer('{"data":["at once"]}', 42)),
  }
  await api.read('session.validate', {})
  expect(await api.read('client.list', {})).toEqual({ data: ['again'] })
  expect(await api.read('team.list', {})).toEqual({ data: ['at once'] })
  expect(fetched.mock.calls.map(([url]) => url)).toEqual(['/v3/portal/clients'])
})
