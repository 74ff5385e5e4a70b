import { setTimeout as delay } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { buildIndex } from '../../src/search/build.ts'
import { FeedReader } from '../../src/search/feed.ts'
import { openEntityIndex } from '../../src/search/searchClient.ts'
import { openIndex } from '../../src/search/searcher.ts'
import { makeEntities } from '../bench/search-names.ts'
import { checkRows } from './rows.ts'
import { ENTITIES, entry, found, fresh, full, fullText, helperOn, memoryStore, pieces } from './search-index.ts'

test('a failed first load rejects, and reload recovers', async () => {
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

test('concurrent reloads share the next load', async () => {
  let loads = 0
  const index = openEntityIndex({
    user: 'ann',
    store: memoryStore(),
    helper: () => null,
    load: async () => {
      loads++
      await delay(5)
      return full(ENTITIES.slice(0, 10), loads)
    },
  })
  await index.current
  const first = index.reload()
  await delay(1)
  await Promise.all([first, index.reload(), index.reload(), index.reload()])
  expect(loads).toBe(3)
})

test('a truncated response is a failure, not half of the names', async () => {
  const text = fullText(ENTITIES, 10)
  const half = () => pieces(text.slice(0, text.lastIndexOf('\n', text.length / 2)))
  const index = openEntityIndex({ user: 'ann', store: memoryStore(), helper: () => null, load: async () => half() })
  await expect(index.ready).rejects.toThrow('broke off')
  expect(index.size).toBe(0)
})

test('names arrive intact in pieces of any size', () => {
  checkRows(
    [1, 7, 64, 100_000],
    (size) => {
      const sent = [fresh(1, 'Zürich 東京 𝐌 "quoted" \\ back'), fresh(2, 'line\nbreak'), fresh(3, '],[')]
      const bytes = new TextEncoder().encode(fullText(sent, 4711))
      const got: string[] = []
      const reader = new FeedReader((entity) => got.push(`${entity.key} ${entity.name} ${entity.code}`))
      for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size))
      expect(reader.end()).toBe(4711)
      expect(got).toEqual(sent.map(({ id, name }) => `project:${id} ${name} P-${id}`))
    },
    (size) => `${size} bytes`,
  )
})

test('on a first visit early names can be found while the rest loads', async () => {
  const store = memoryStore()
  const many = makeEntities(24_000)
  const text = fullText(many, 10)
  const middle = text.indexOf('\n', (text.length * 11) / 12) + 1
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
  // Changes can't be requested on the basis of half of the names.
  expect(index.cursor).toBeNull()
  goOn()
  await index.current
  expect([index.size, index.lacking, index.cursor]).toEqual([24_000, null, 10])
  const whole = openIndex(buildIndex(many))
  for (const query of ['summer', 'sn tr', 'gsp', 'smmer'])
    expect(index.search(query, { limit: 50, budgetMs: 1000 }).hits.map(({ key }) => key)).toEqual(
      whole.search(query, { limit: 50, budgetMs: 1000 }).hits.map(({ key }) => key),
    )
}, 30_000)

test('a document without lines is parsed once, not per piece', () => {
  const one = JSON.stringify({ cursor: 5, full: true, put: makeEntities(5000).map(entry), drop: [] })
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
  expect(got).toBe(5000)
  expect(looked).toBeLessThan(bytes.length)
})

test('a failed first load is reported, and a later one recovers', async () => {
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
