import { expect, test } from 'vitest'
import { type EntityIndex, forgetEntityIndex, openEntityIndex } from '../../src/palette/search/client.ts'
import type { Helper } from '../../src/palette/search/helper.ts'
import type { Store } from '../../src/palette/search/store.ts'
import type { Entity, Feed, Hit } from '../../src/palette/search/types.ts'
import { type Reply, startWork } from '../../src/palette/search/work.ts'
import { makeEntities } from '../bench/search-names.ts'

function memoryStore(): Store & { kept: Map<string, ArrayBuffer> } {
  const kept = new Map<string, ArrayBuffer>()
  return {
    kept,
    read: async (user) => kept.get(user)?.slice() ?? null,
    write: async (user, bytes) => void kept.set(user, bytes.slice()),
    forget: async (user) => void kept.delete(user),
  }
}

/** The worker's side on this thread, with messages copied as between threads. */
function helperOn(store: Store): Helper {
  let listener: (reply: Reply) => void = () => undefined
  const work = startWork((reply) => setTimeout(() => listener(reply)), store)
  return {
    post: (order) => void work(structuredClone(order)),
    onReply: (next) => {
      listener = next
    },
    onFail: () => undefined,
    end: () => undefined,
  }
}

const ENTITIES = makeEntities(2500)
const full = (put: readonly Entity[], cursor: number): Feed => ({ cursor, full: true, put, drop: [] })
const delta = (put: readonly Entity[], drop: readonly string[], cursor: number): Feed => ({ cursor, full: false, put, drop })
const fresh = (id: number, name: string): Entity => ({ key: `project:${id}`, kind: 'project', id, name, detail: '' })
const found = (index: EntityIndex, text: string): string[] => index.search(text, { budgetMs: 1000 }).hits.map(({ name }) => name)

test('a first visit loads everything, a second one is warm and asks for what changed', async () => {
  const store = memoryStore()
  const asked: (number | null)[] = []
  const visit = (feed: Feed) =>
    openEntityIndex({
      user: 'ann',
      store,
      helper: () => helperOn(store),
      load: async (since) => {
        asked.push(since)
        return feed
      },
    })
  const first = visit(full(ENTITIES, 10))
  await first.current
  expect(first.size).toBe(ENTITIES.length)
  first.close()

  let arrive: (feed: Feed) => void = () => undefined
  const second = openEntityIndex({
    user: 'ann',
    store,
    helper: () => helperOn(store),
    load: (since) => {
      asked.push(since)
      return new Promise((resolve) => {
        arrive = resolve
      })
    },
  })
  await second.ready
  expect(found(second, ENTITIES[5]!.name)[0]).toBe(ENTITIES[5]!.name)
  await new Promise((resolve) => setTimeout(resolve))
  arrive(delta([fresh(1, 'Brand new name')], [ENTITIES[5]!.key], 11))
  await second.current
  expect(asked).toEqual([null, 10])
  expect(second.cursor).toBe(11)
  expect(found(second, 'brand new name')).toEqual(['Brand new name'])
  expect(second.get(ENTITIES[5]!.key)).toBeNull()
})

test('many changes are packed behind, and kept for the next visit with their cursor', async () => {
  const store = memoryStore()
  const index = openEntityIndex({ user: 'ann', store, helper: () => helperOn(store), load: async () => full(ENTITIES, 10) })
  await index.current
  const more = Array.from({ length: 4200 }, (_, i) => fresh(100_000 + i, `Late arrival ${i}`))
  await index.apply(delta(more, [], 20))
  // The order to pack is out, its answer is not back yet.
  for (let i = 0; i < 10; i++) await null
  const during = index.apply(delta([fresh(7, 'While packing')], [], 21))
  await during
  await new Promise<void>((resolve) => index.onChange(resolve))
  expect(index.size).toBe(ENTITIES.length + 4201)
  index.close()
  const next = openEntityIndex({ user: 'ann', store, helper: () => helperOn(store), load: () => new Promise(() => undefined) })
  await next.ready
  expect(next.cursor).toBe(20)
  expect(found(next, 'late arrival 4100')[0]).toBe('Late arrival 4100')
})

test('what the budget cut comes late, once, without what was shown', async () => {
  const store = memoryStore()
  const index = openEntityIndex({ user: 'ann', store, helper: () => helperOn(store), load: async () => full(ENTITIES, 10) })
  await index.current
  const whole = index.search('smmr trckr', { budgetMs: 1000 }).hits.map(({ key }) => key)
  await index.apply(delta([fresh(8, 'Anything')], [], 11))
  const hits = await new Promise<Hit[]>((resolve) => {
    const answer = index.search('smmer trckr', { budgetMs: -1 }, resolve)
    expect(answer.complete).toBe(false)
    expect(answer.hits).toEqual([])
  })
  expect(hits.map(({ key }) => key)).toEqual(index.search('smmer trckr', { budgetMs: 1000 }).hits.map(({ key }) => key))
  expect(whole.length).toBeGreaterThan(0)
})

test('without a worker the page builds and finishes by itself', async () => {
  const index = openEntityIndex({ user: 'ann', store: memoryStore(), helper: () => null, load: async () => full(ENTITIES, 10) })
  await index.current
  const hits = await new Promise<Hit[]>((resolve) => index.search('smmr trckr', { budgetMs: -1 }, resolve))
  expect(hits.map(({ key }) => key)).toEqual(index.search('smmr trckr', { budgetMs: 1000 }).hits.map(({ key }) => key))
})

test('late hits of an older keystroke never arrive', async () => {
  const index = openEntityIndex({ user: 'ann', store: memoryStore(), helper: () => null, load: async () => full(ENTITIES, 10) })
  await index.current
  let arrived = false
  index.search('smmr trckr', { budgetMs: -1 }, () => {
    arrived = true
  })
  index.search('smmr trckr x')
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(arrived).toBe(false)
})

test('a used name leads its tier at once and after a rebuild', async () => {
  const store = memoryStore()
  const index = openEntityIndex({ user: 'ann', store, helper: () => helperOn(store), load: async () => full(ENTITIES, 10) })
  await index.current
  const wanted = index.search('summer', { limit: 40 }).hits[30]!
  index.use(wanted.key)
  expect(index.search('summer').hits[0]!.key).toBe(wanted.key)
  await index.apply(full(ENTITIES, 12))
  expect(index.search('summer').hits[0]!.key).toBe(wanted.key)
})

test('a failed first load rejects, and reload mends it', async () => {
  let fails = true
  const index = openEntityIndex({
    user: 'ann',
    store: memoryStore(),
    helper: () => null,
    load: async () => {
      if (fails) throw new Error('offline')
      return full(ENTITIES, 10)
    },
  })
  await expect(index.ready).rejects.toThrow('offline')
  fails = false
  await index.reload()
  expect(index.size).toBe(ENTITIES.length)
})

test('calls to reload while one is under way share the load that follows', async () => {
  let loads = 0
  const index = openEntityIndex({
    user: 'ann',
    store: memoryStore(),
    helper: () => null,
    load: async () => {
      loads++
      await new Promise((resolve) => setTimeout(resolve, 5))
      return full(ENTITIES.slice(0, 10), loads)
    },
  })
  await index.current
  const first = index.reload()
  await new Promise((resolve) => setTimeout(resolve, 1))
  await Promise.all([first, index.reload(), index.reload(), index.reload()])
  expect(loads).toBe(3)
})

test('forgetting leaves nothing behind', async () => {
  const store = memoryStore()
  const index = openEntityIndex({ user: 'ann', store, helper: () => helperOn(store), load: async () => full(ENTITIES, 10) })
  await index.current
  expect(store.kept.size).toBe(1)
  await forgetEntityIndex('ann', store)
  expect(store.kept.size).toBe(0)
})
