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
