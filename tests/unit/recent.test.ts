import { expect, test } from 'vitest'
import type { LiveEvent } from '../../server/core/ports.ts'
import { recentOf } from '../../server/live/recent.ts'

/** A database of events that counts its reads. */
function database(ids: number[] = []) {
  const there = { ids, reads: 0, away: false, era: 'one' }
  const read = async (id: number, limit: number) => {
    there.reads++
    if (there.away) throw new Error('away')
    return there.ids
      .filter((one) => one > id)
      .slice(0, limit)
      .map((one) => ({ id: one, at: there.era }) as LiveEvent)
  }
  const recent = recentOf(read, async () => there.ids.at(-1) ?? 0)
  const commit = (...added: number[]) => {
    there.ids.push(...added)
    recent.stale()
  }
  const idsOf = async (after: number, limit = 500) => (await recent.since(after, limit)).map(({ id }) => id)
  return { there, recent, commit, idsOf }
}

test('hundreds of readers after one wake cost one query, and get the same events', async () => {
  const { there, recent, commit } = database([1, 2])
  await recent.since(2, 500)
  commit(3, 4)
  there.reads = 0
  const all = await Promise.all(Array.from({ length: 300 }, () => recent.since(2, 500)))
  expect(there.reads).toBe(1)
  expect(all.every((events) => events.length === 2 && events[0] === all[0]![0])).toBe(true)
})

test('a reader further behind than the cache queries by itself', async () => {
  const { commit, idsOf } = database([1, 2, 3])
  await idsOf(3)
  commit(4)
  expect([await idsOf(3), await idsOf(1), await idsOf(0, 2)]).toEqual([[4], [2, 3, 4], [1, 2]])
})

test('commits during a query are included for later readers', async () => {
  const { commit, idsOf } = database([1])
  await idsOf(1)
  commit(2)
  const first = idsOf(1)
  commit(3)
  expect(await idsOf(1)).toEqual([2, 3])
  expect((await first)[0]).toBe(2)
})

test('a gap isn’t hidden: a reader before it sees it', async () => {
  const { there, commit, idsOf } = database([1, 2])
  await idsOf(2)
  commit(3)
  expect(await idsOf(2)).toEqual([3])
  // 3 to 8 were swept before anything read them.
  there.ids.splice(0)
  commit(9, 10)
  expect([await idsOf(2), await idsOf(3), await idsOf(9)]).toEqual([[9, 10], [9, 10], [10]])
})

test('an import of thousands is read page by page by late readers', async () => {
  const { commit, idsOf } = database([1])
  await idsOf(1)
  commit(...Array.from({ length: 1200 }, (_, at) => at + 2))
  expect((await idsOf(1)).length).toBe(500)
  expect(await idsOf(1200)).toEqual([1201])
  commit(1202)
  expect(await idsOf(1201)).toEqual([1202])
})

test('the cache is limited without losing events', async () => {
  const { commit, idsOf } = database([1])
  await idsOf(1)
  for (let id = 2; id <= 1300; id++) {
    commit(id)
    if (id % 100 === 0) await idsOf(id - 1)
  }
  expect((await idsOf(1, 2000)).length).toBe(1299)
  expect(await idsOf(1298)).toEqual([1299, 1300])
})

test('a failover that lost events is noticed, also when others have their ids by then; a sweep isn’t one', async () => {
  const { there, recent, commit, idsOf } = database([1, 2])
  await idsOf(2)
  commit(3, 4)
  expect(await idsOf(2)).toEqual([3, 4])
  there.ids.splice(3)
  recent.stale()
  expect([await idsOf(2), recent.rewinds()]).toEqual([[3], 1])
  commit(4)
  expect([await idsOf(3), recent.rewinds()]).toEqual([[4], 1])
  there.era = 'another'
  commit(5)
  expect([await idsOf(4), recent.rewinds()]).toEqual([[5], 2])
  there.ids.splice(0)
  commit(9)
  expect([await idsOf(5), recent.rewinds()]).toEqual([[9], 2])
})

test('an unreachable database fails current readers, and the next one queries', async () => {
  const { there, commit, idsOf } = database([1])
  await idsOf(1)
  there.away = true
  commit(2)
  await expect(idsOf(1)).rejects.toThrow('away')
  there.away = false
  expect(await idsOf(1)).toEqual([2])
})
