import { afterEach, expect, test, vi } from 'vitest'
import { connectionAtom } from '../../src/data/connection.ts'
import { store } from '../../src/data/jotaiStore.ts'
import { type Me, sessionAtom } from '../../src/data/me.ts'
import { href } from '../../src/routing/routes.ts'
import { readsOf } from '../../src/workspace/prefetchScreen.ts'

vi.stubGlobal('fetch', () => {
  throw new Error('Nothing may be fetched here.')
})
const signIn = (role: Me['role']) => store.set(sessionAtom, { state: 'in', me: { id: 1, role } as Me })
afterEach(() => {
  store.set(sessionAtom, { state: 'unknown' })
  store.set(connectionAtom, 'connecting')
})

test('a record’s screen prefetches its record, an Overview its figures too', () => {
  signIn('admin')
  expect(readsOf(href('project', { id: 7 }, { tab: 'overview' }))).toEqual([
    ['project.get', { id: 7 }],
    ['runtime.overview', { id: 7 }],
  ])
  expect(readsOf(href('surveyProject', { id: 7 }, { tab: 'specifications' }))).toEqual([['project.get', { id: 7 }]])
  expect(readsOf(href('client', { id: 7 }))).toEqual([['client.get', { id: 7 }]])
  expect(readsOf(href('survey', { id: 7 }, { tab: 'details' }))).toEqual([['survey.get', { id: 7 }]])
  expect(readsOf(href('brand', { id: 7, filter: 'none' }))).toEqual([['brand.get', { id: 7 }]])
})

test('lists, forms, filtered figures and screens without a record aren’t prefetched', () => {
  signIn('admin')
  expect(readsOf(href('clients'))).toEqual([])
  expect(readsOf(href('editProject', { id: 7 }))).toEqual([])
  expect(readsOf('/no/such/screen')).toEqual([])
  expect(readsOf(href('project', { id: 7 }, { tab: 'overview', query: { age: '2' } }))).toEqual([['project.get', { id: 7 }]])
})

test('what the user may not see is never prefetched', () => {
  expect(readsOf(href('project', { id: 7 }, { tab: 'overview' }))).toEqual([])
  signIn('client')
  expect(readsOf(href('client', { id: 7 }))).toEqual([])
  expect(readsOf(href('survey', { id: 7 }, { tab: 'details' }))).toEqual([])
  expect(readsOf(href('project', { id: 7 }, { tab: 'overview' }))).toEqual([
    ['project.get', { id: 7 }],
    ['runtime.overview', { id: 7 }],
  ])
})

test('a catalogue’s rows are prefetched with its project for a link to one of them, never under another filter or order', () => {
  signIn('admin')
  store.set(connectionAtom, 'live')
  const calls = (query: Record<string, string | number>) =>
    readsOf(href('project', { id: 7 }, { tab: 'catalogue', query })).map(([call]) => call)
  expect(calls({ at: 61 })).toEqual(['project.get', 'reward.ofProject'])
  expect(calls({})).toEqual(['project.get', 'reward.ofProject'])
  const others: Record<string, string | number>[] = [{ used: 'yes' }, { at: 61, search: 'card' }, { sort: '-name' }, { page: 2 }]
  for (const query of [...others, { at: 61, edit: 61 }]) expect(calls(query)).toEqual(['project.get'])
  store.set(connectionAtom, 'lost')
  expect(calls({ at: 61 })).toEqual(['project.get'])
  store.set(connectionAtom, 'live')
  signIn('client')
  expect(calls({ at: 61 })).toEqual([])
})
