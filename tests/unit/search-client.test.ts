import { expect, test, vi } from 'vitest'
import { buildIndex } from '../../src/palette/search/build.ts'
import { toBytes } from '../../src/palette/search/bytes.ts'
import { forgetEntityIndex, openEntityIndex } from '../../src/palette/search/client.ts'
import { FeedReader } from '../../src/palette/search/feed.ts'
import type { Helper } from '../../src/palette/search/helper.ts'
import type { Kept } from '../../src/palette/search/journal.ts'
import type { EntityIndex } from '../../src/palette/search/open.ts'
import { openIndex } from '../../src/palette/search/searcher.ts'
import type { Store } from '../../src/palette/search/store.ts'
import type { Changes, Entity, Hit } from '../../src/palette/search/types.ts'
import { type Reply, startWork } from '../../src/palette/search/work.ts'
import { makeEntities } from '../bench/search-names.ts'

function memoryStore(): Store & { kept: Map<string, ArrayBuffer>; journals: Map<string, Kept> } {
  const kept = new Map<string, ArrayBuffer>()
  const journals = new Map<string, Kept>()
  return {
    kept,
    journals,
    read: async (user) => kept.get(user)?.slice() ?? null,
    write: async (user, bytes) => void kept.set(user, bytes.slice()),
    readJournal: async (user) => journals.get(user) ?? null,
    writeJournal: async (user, journal) => void journals.set(user, structuredClone(journal)),
    forget: async (user) => {
      kept.delete(user)
      journals.delete(user)
    },
    keepOnly: async (user) => {
      for (const other of [...kept.keys()]) if (other !== user) kept.delete(other)
    },
  }
}

/** The worker's side on this thread, with messages given away as between threads. */
function helperOn(store: Store): Helper {
  let listener: (reply: Reply) => void = () => undefined
  const work = startWork((reply, transfer) => {
    const sent = structuredClone(reply, { transfer: transfer as ArrayBuffer[] })
    setTimeout(() => listener(sent))
  }, store)
  return {
    post: (order, transfer) => void work(structuredClone(order, { transfer: transfer as ArrayBuffer[] })),
    onReply: (next) => {
      listener = next
    },
    onFail: () => undefined,
    end: () => {
      listener = () => undefined
    },
  }
}

const ENTITIES = makeEntities(2500)
const entry = ({ kind, id, name, detail }: Entity) => [kind, id, name, detail]
/** Cuts a text into pieces of bytes, some of them in the middle of a letter. */
async function* pieces(text: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += 4999) yield bytes.slice(at, at + 4999)
}
const fullText = (put: readonly Entity[], cursor: number): string =>
  `{"cursor":${cursor},"full":true,"drop":[],"put":[\n${put.map((one) => JSON.stringify(entry(one))).join(',\n')}${put.length ? '\n' : ''}]}\n`
/** Everything, an entry a line, as the server writes it. */
const full = (put: readonly Entity[], cursor: number) => pieces(fullText(put, cursor))
const delta = (put: readonly Entity[], drop: readonly string[], cursor: number) =>
  pieces(JSON.stringify({ cursor, full: false, put: put.map(entry), drop: drop.map((key) => key.split(':')) }))
const fresh = (id: number, name: string): Entity => ({ key: `project:${id}`, kind: 'project', id, name, detail: '' })
const changes = (put: readonly Entity[], drop: readonly string[] = []): Changes => ({ put, drop })
const found = (index: EntityIndex, text: string): string[] => index.search(text, { budgetMs: 1000 }).hits.map(({ name }) => name)

test('a first visit loads everything, a second one is warm and asks for what changed', async () => {
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
  await index.apply(changes(more), 20)
  // The order to pack is out, its answer is not back yet.
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

test('what the budget cut comes late, once, without what was shown', async () => {
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
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(arrived).toBe(false)
})

test('a used name leads its tier at once and after a rebuild', async () => {
  const store = memoryStore()
  const index = openEntityIndex({ user: 'ann', store, helper: () => helperOn(store), load: async () => full(ENTITIES, 10) })
  await index.current
  const wanted = index.search('summer', { limit: 40, budgetMs: 1000 }).hits[30]!
  index.use(wanted.key)
  expect(index.search('summer', { budgetMs: 1000 }).hits[0]!.key).toBe(wanted.key)
  await index.reload()
  expect(index.search('summer', { budgetMs: 1000 }).hits[0]!.key).toBe(wanted.key)
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

test('a second visit knows what changed since the index was packed, and asks from there', async () => {
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
])('a kept file that is %s is built anew without fuss', async (_, spoil) => {
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

test("who signs in finds nothing of another person's, and leaves nothing of it behind", async () => {
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

test('a worker that fails leaves the building to the page', async () => {
  const store = memoryStore()
  const broken = (): Helper => {
    let fail: () => void = () => undefined
    return {
      post: () => setTimeout(() => fail()),
      onReply: () => undefined,
      onFail: (told) => (fail = told),
      end: () => undefined,
    }
  }
  const index = openEntityIndex({ user: 'ann', store, helper: broken, load: async () => full(ENTITIES, 10) })
  await index.current
  expect(index.size).toBe(ENTITIES.length)
})

test('an answer that breaks off is a failure, not half of the names', async () => {
  const text = fullText(ENTITIES, 10)
  const half = () => pieces(text.slice(0, text.lastIndexOf('\n', text.length / 2)))
  const index = openEntityIndex({ user: 'ann', store: memoryStore(), helper: () => null, load: async () => half() })
  await expect(index.ready).rejects.toThrow('broke off')
  expect(index.size).toBe(0)
})

test.each([1, 7, 64, 100_000])('names arrive as they were sent in pieces of %i bytes', (size) => {
  const sent = [fresh(1, 'Zürich 東京 𝐌 "quoted" \\ back'), fresh(2, 'line\nbreak'), fresh(3, '],[')]
  const bytes = new TextEncoder().encode(fullText(sent, 4711))
  const got: string[] = []
  const reader = new FeedReader((entity) => got.push(`${entity.key} ${entity.name} ${entity.code}`))
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size))
  expect(reader.end()).toBe(4711)
  expect(got).toEqual(sent.map(({ id, name }) => `project:${id} ${name} P-${id}`))
})

test('at a first visit what has come can be found while the rest is on its way', async () => {
  const store = memoryStore()
  const many = makeEntities(60_000)
  const text = fullText(many, 10)
  const middle = text.indexOf('\n', (text.length * 2) / 3) + 1
  let goOn = () => {}
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const load = async function* () {
    yield new TextEncoder().encode(text.slice(0, middle))
    await held
    yield* pieces(text.slice(middle))
  }
  const index = openEntityIndex({ user: 'ann', store, helper: () => helperOn(store), load: async () => load() })
  expect(index.lacking).toEqual({ how: 'coming', names: 0 })
  await new Promise<void>((resolve) => index.onChange(resolve))
  expect(index.lacking).toEqual({ how: 'coming', names: index.size })
  expect(index.size).toBeGreaterThan(20_000)
  const [first] = many
  expect(found(index, first!.name)).toContain(first!.name)
  // Half of the names is nothing to ask for changes from.
  expect(index.cursor).toBeNull()
  goOn()
  await index.current
  expect([index.size, index.lacking, index.cursor]).toEqual([60_000, null, 10])
  const whole = openIndex(buildIndex(many))
  for (const query of ['summer', 'sn tr', 'gsp', 'smmer'])
    expect(index.search(query, { limit: 50, budgetMs: 1000 }).hits.map(({ key }) => key)).toEqual(
      whole.search(query, { limit: 50, budgetMs: 1000 }).hits.map(({ key }) => key),
    )
}, 30_000)

test('a document without lines is read once, not again with each piece', () => {
  const one = JSON.stringify({ cursor: 5, full: true, put: makeEntities(30_000).map(entry), drop: [] })
  const bytes = new TextEncoder().encode(one)
  let got = 0
  const reader = new FeedReader(() => got++)
  let looked = 0
  const plain = String.prototype.indexOf
  const spy = vi.spyOn(String.prototype, 'indexOf').mockImplementation(function (this: string, ...args) {
    looked += this.length
    return plain.apply(this, args as [string])
  })
  for (let at = 0; at < bytes.length; at += 4096) reader.push(bytes.subarray(at, at + 4096))
  spy.mockRestore()
  expect(reader.end()).toBe(5)
  expect(got).toBe(30_000)
  expect(looked).toBeLessThan(bytes.length)
})

test('a first load that fails says so, and one that comes later mends it', async () => {
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
  await index.current.catch(() => undefined)
  expect(index.lacking?.how).toBe('failed')
  fails = false
  await index.reload()
  expect(index.lacking).toBeNull()
})
