import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { buildIndex } from '../../src/search/build.ts'
import { toBytes } from '../../src/search/bytes.ts'
import type { Store } from '../../src/search/indexStore.ts'
import { forgetEntityIndex, openEntityIndex } from '../../src/search/searchClient.ts'
import type { Hit } from '../../src/search/types.ts'
import type { Helper } from '../../src/search/workerClient.ts'
import { changes, delta, ENTITIES, found, fresh, full, helperOn, memoryStore } from './search-index.ts'

test('a first visit loads everything, a second one starts warm and requests changes', async () => {
  const store = memoryStore()
  const asked: (number | null)[] = []
  const visit = (feed: AsyncIterable<Uint8Array>) =>
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

  let arrive: (feed: AsyncIterable<Uint8Array>) => void = () => undefined
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
  await delay()
  arrive(delta([fresh(1, 'Brand new name')], [ENTITIES[5]!.key], 11))
  await second.current
  expect(asked).toEqual([null, 10])
  expect(second.cursor).toBe(11)
  expect(found(second, 'brand new name')).toEqual(['Brand new name'])
  expect(second.get(ENTITIES[5]!.key)).toBeNull()
})

test('names that were read ahead open without another look at the store', async () => {
  const store = memoryStore()
  const first = openEntityIndex({ user: 'ann', store, helper: () => helperOn(store), load: async () => full(ENTITIES, 10) })
  await first.current
  first.close()
  const bytes = store.kept.get('ann')!.slice(0)
  const never = () => {
    throw new Error('The store was read again.')
  }
  const options = { user: 'ann', helper: never, load: () => new Promise<never>(() => undefined) }
  const second = openEntityIndex({ ...options, store: { ...store, hasFile: never, read: never }, ahead: Promise.resolve(bytes) })
  await second.ready
  expect(found(second, ENTITIES[5]!.name)[0]).toBe(ENTITIES[5]!.name)
  expect(second.cursor).toBe(10)
})

test.each([
  ['nothing was read ahead', null],
  ['what was read ahead is damaged', new ArrayBuffer(64)],
])('if %s, all names load', async (_, bytes) => {
  const store = memoryStore()
  const helper = () => helperOn(store)
  const index = openEntityIndex({
    user: 'ann',
    store,
    helper,
    load: async () => full(ENTITIES, 10),
    ahead: Promise.resolve(bytes),
  })
  await index.ready
  expect(index.size).toBe(ENTITIES.length)
})

test('many changes are packed in the background, and stored with their cursor', async () => {
  const store = memoryStore()
  const index = openEntityIndex({ user: 'ann', store, helper: () => helperOn(store), load: async () => full(ENTITIES, 10) })
  await index.current
  const more = Array.from({ length: 4200 }, (_, i) => fresh(100_000 + i, `Late arrival ${i}`))
  await index.apply(changes(more), 20)
  // The request to pack is sent, and its reply isn't back yet.
  for (let i = 0; i < 10; i++) await null
  const during = index.apply(changes([fresh(7, 'While packing')]), 21)
  await during
  await new Promise<void>((resolve) => index.onChange(resolve))
  expect(index.size).toBe(ENTITIES.length + 4201)
  index.close()
  const next = openEntityIndex({ user: 'ann', store, helper: () => helperOn(store), load: () => new Promise(() => undefined) })
  await next.ready
  expect(next.cursor).toBe(20)
  expect(found(next, 'late arrival 4100')[0]).toBe('Late arrival 4100')
})

test('hits beyond the budget arrive late, once, without repeats', async () => {
  const store = memoryStore()
  const index = openEntityIndex({ user: 'ann', store, helper: () => helperOn(store), load: async () => full(ENTITIES, 10) })
  await index.current
  const whole = index.search('smmr trckr', { budgetMs: 1000 }).hits.map(({ key }) => key)
  await index.apply(changes([fresh(8, 'Anything')]), 11)
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
  await delay(50)
  expect(arrived).toBe(false)
})

test('a used name leads its tier immediately and after a rebuild', async () => {
  const store = memoryStore()
  const index = openEntityIndex({ user: 'ann', store, helper: () => helperOn(store), load: async () => full(ENTITIES, 10) })
  await index.current
  const wanted = index.search('summer', { limit: 40, budgetMs: 1000 }).hits[30]!
  index.use(wanted.key)
  expect(index.search('summer', { budgetMs: 1000 }).hits[0]!.key).toBe(wanted.key)
  await index.reload()
  expect(index.search('summer', { budgetMs: 1000 }).hits[0]!.key).toBe(wanted.key)
})

test('forgetting leaves nothing behind', async () => {
  const store = memoryStore()
  const index = openEntityIndex({ user: 'ann', store, helper: () => helperOn(store), load: async () => full(ENTITIES, 10) })
  await index.current
  expect(store.kept.size).toBe(1)
  await forgetEntityIndex('ann', store)
  expect(store.kept.size).toBe(0)
})

test('a second visit has the changes since the packed index, and continues from there', async () => {
  const store = memoryStore()
  const first = openEntityIndex({ user: 'ann', store, helper: () => helperOn(store), load: async () => full(ENTITIES, 10) })
  await first.current
  await first.apply(changes([fresh(9, 'Came in later')], [ENTITIES[3]!.key]), 31)
  await expect.poll(() => store.journals.get('ann')?.cursor, { timeout: 4000 }).toBe(31)
  first.close()
  const asked: (number | null)[] = []
  const load = (since: number | null) => {
    asked.push(since)
    return new Promise<never>(() => undefined)
  }
  const second = openEntityIndex({ user: 'ann', store, helper: () => helperOn(store), load })
  await second.ready
  expect(found(second, 'came in later')).toEqual(['Came in later'])
  expect(second.get(ENTITIES[3]!.key)).toBeNull()
  await expect.poll(() => asked).toEqual([31])
})

test.each([
  ['cut short', (bytes: ArrayBuffer) => bytes.slice(0, bytes.byteLength - 4096)],
  ['of another program', () => new TextEncoder().encode('no index, but long enough to be looked at').buffer as ArrayBuffer],
  [
    'of another version',
    (bytes: ArrayBuffer) => {
      new Uint32Array(bytes)[1]! += 1
      return bytes
    },
  ],
  [
    'with a spoilt head',
    (bytes: ArrayBuffer) => {
      new Uint8Array(bytes).fill(1, 16, 40)
      return bytes
    },
  ],
])('a stored file that is %s is rebuilt silently', async (_, spoil) => {
  const store = memoryStore()
  store.kept.set('ann', spoil(toBytes(buildIndex(ENTITIES.slice(0, 50)), 5)))
  const asked: (number | null)[] = []
  const load = async (since: number | null) => {
    asked.push(since)
    return full(ENTITIES, 10)
  }
  const index = openEntityIndex({ user: 'ann', store, helper: () => helperOn(store), load })
  await index.ready
  expect(asked).toEqual([null])
  expect(index.size).toBe(ENTITIES.length)
})

test('a worker reads the stored index; the page does so without a worker, and if it fails', async () => {
  const store = memoryStore()
  store.kept.set('ann', toBytes(buildIndex(ENTITIES.slice(0, 50)), 5))
  const readers: string[] = []
  const by = (reader: string): Store => ({
    ...store,
    read: (user) => {
      readers.push(reader)
      return store.read(user)
    },
  })
  const failing = (): Helper => ({ ...helperOn(store), post: () => undefined, onFail: (failure) => setTimeout(failure) })
  for (const helper of [() => helperOn(by('worker')), failing, () => null]) {
    const load = () => new Promise<never>(() => undefined)
    const index = openEntityIndex({ user: 'ann', store: by('page'), helper, load })
    await index.ready
    expect(index.size).toBe(50)
    index.close()
  }
  expect(readers).toEqual(['worker', 'page', 'page'])
})

test('a new user finds nothing of another’s, and leaves nothing of it behind', async () => {
  const store = memoryStore()
  const ann = openEntityIndex({ user: 'ann', store, helper: () => helperOn(store), load: async () => full(ENTITIES, 10) })
  await ann.current
  ann.close()
  const bob = openEntityIndex({
    user: 'bob',
    store,
    helper: () => helperOn(store),
    load: async () => full([fresh(1, 'Mine')], 10),
  })
  await bob.current
  expect(bob.size).toBe(1)
  expect([...store.kept.keys()]).toEqual(['bob'])
})

test('a failed worker leaves building to the page', async () => {
  const store = memoryStore()
  const broken = (): Helper => {
    let fail: () => void = () => undefined
    return {
      post: () => setTimeout(() => fail()),
      onReply: () => undefined,
      onFail: (failure) => (fail = failure),
      end: () => undefined,
    }
  }
  const index = openEntityIndex({ user: 'ann', store, helper: broken, load: async () => full(ENTITIES, 10) })
  await index.current
  expect(index.size).toBe(ENTITIES.length)
})
