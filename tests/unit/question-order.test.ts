import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  flushOrders,
  movedTo,
  moveLater,
  onOrder,
  orderRead,
  orderShown,
  writtenOrders,
} from '../../src/commands/questionOrder.ts'
import { warnOfUnsavedOrder } from '../../src/runner/unsavedOrder.ts'
import { wait } from '../../src/ui/wait.ts'

const leaving = new Set<(event: { preventDefault(): void }) => void>()
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('addEventListener', (_: string, ear: () => void) => leaving.add(ear))
  vi.stubGlobal('removeEventListener', (_: string, ear: () => void) => leaving.delete(ear))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

let last = 0
/** A survey on a server, and keys that move its questions. */
function fake(order: number[]) {
  const survey = ++last
  const server = { order, writes: [] as number[][], fails: false, slow: 0 }
  const write = async (apply: (order: readonly number[]) => readonly number[]) => {
    if (server.slow) await wait(server.slow)
    if (server.fails) throw new Error('no connection')
    server.order = [...apply(server.order)]
    server.writes.push(server.order)
    return server.order
  }
  const press = (by: 1 | -1, ...ids: number[]) => moveLater(survey, { ids, by }, write)
  return { survey, server, press, shown: (loaded = order) => orderShown(survey, loaded) }
}

test('a run of key presses is shown at once and written once', async () => {
  const { server, press, shown } = fake([1, 2, 3, 4])
  const heard = vi.fn()
  const stop = onOrder(heard)
  void press(1, 1)
  expect(shown()).toEqual([2, 1, 3, 4])
  await vi.advanceTimersByTimeAsync(400)
  void press(1, 1)
  await vi.advanceTimersByTimeAsync(400)
  void press(-1, 4)
  expect(shown()).toEqual([2, 3, 4, 1])
  expect([server.writes, heard.mock.calls.length]).toEqual([[], 3])
  await vi.advanceTimersByTimeAsync(500)
  expect(server.writes).toEqual([[2, 3, 4, 1]])
  stop()
})

test('a block keeps its order and stops at the end, and a place is counted among all', () => {
  const { press, shown } = fake([1, 2, 3, 4])
  for (let at = 0; at < 5; at++) void press(1, 1, 3)
  expect(shown()).toEqual([2, 4, 1, 3])
  expect(movedTo([1, 2, 3, 4], [4, 2], 1)).toEqual([2, 4, 1, 3])
  expect(movedTo([1, 2, 3, 4], [1], 99)).toEqual([2, 3, 4, 1])
})

test('presses during a write wait for it, and are written after it', async () => {
  const { server, press, shown } = fake([1, 2, 3, 4])
  server.slow = 1000
  void press(1, 1)
  await vi.advanceTimersByTimeAsync(600)
  void press(1, 1)
  await vi.advanceTimersByTimeAsync(600)
  expect([server.writes, shown()]).toEqual([[], [2, 3, 1, 4]])
  await vi.advanceTimersByTimeAsync(2000)
  expect(server.writes).toEqual([
    [2, 1, 3, 4],
    [2, 3, 1, 4],
  ])
})

test('nothing is lost when the list closes or the page is about to', async () => {
  warnOfUnsavedOrder()
  const { survey, server, press } = fake([1, 2, 3])
  void press(1, 1)
  flushOrders()
  await writtenOrders(survey)
  expect([server.writes, leaving.size]).toEqual([[[2, 1, 3]], 0])
  void press(1, 1)
  const asked = vi.fn()
  for (const ear of leaving) ear({ preventDefault: asked })
  await writtenOrders(survey)
  expect([server.writes.at(-1), asked.mock.calls.length]).toEqual([[2, 3, 1], 1])
})

test('an order that others changed is kept: moves are applied to it', async () => {
  const { server, press } = fake([1, 2, 3, 4])
  void press(1, 1)
  server.order = [4, 1, 2, 3]
  await vi.advanceTimersByTimeAsync(500)
  expect(server.writes).toEqual([[4, 2, 1, 3]])
})

test('what was written stays on the screen until the list has read it; a refused move goes back', async () => {
  const { survey, server, press, shown } = fake([1, 2, 3])
  void press(1, 1)
  await vi.advanceTimersByTimeAsync(500)
  expect([shown([1, 2, 3]), shown([2, 1, 3])]).toEqual([
    [2, 1, 3],
    [2, 1, 3],
  ])
  orderRead(survey)
  expect(shown([3, 2, 1])).toEqual([3, 2, 1])
  server.fails = true
  const refused = expect(press(1, 3)).rejects.toThrow('no connection')
  expect(shown([3, 2, 1])).toEqual([2, 3, 1])
  await vi.advanceTimersByTimeAsync(500)
  await refused
  expect(shown([3, 2, 1])).toEqual([3, 2, 1])
})
