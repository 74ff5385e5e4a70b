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
