import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { checkRows } from './rows.ts'

vi.mock('virtual:calls', async () => {
  const { calls } = await import('../../contract/calls.ts')
  return {
    loadCalls: async () => {},
    calls: Object.fromEntries(
      Object.entries(calls).map(([id, call]) => [
        id,
        [call.method, call.path, (call as { refreshes?: string[] }).refreshes ?? []],
      ]),
    ),
  }
})
const { blocksOf, Bunches, readBlock } = await import('../../src/data/live.ts')
const { nounsOf, refreshedBy } = await import('../../src/data/staleNouns.ts')
const { concernsIndex } = await import('../../src/data/indexFeed.ts')
type LiveEvent = import('../../src/data/liveEvent.ts').LiveEvent

const event = (id: number, more: Partial<LiveEvent> = {}): LiveEvent => ({
  id,
  noun: 'project',
  subject_id: id,
  project_id: id,
  kind: 'put',
  own: false,
  ...more,
})

const streamOf = (pieces: readonly string[]) =>
  new ReadableStream<string>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })

describe('events are delivered in batches', () => {
  let batches: number[][] = []
  let writing = false
  let bunches: InstanceType<typeof Bunches>
  beforeEach(() => {
    vi.useFakeTimers()
    batches = []
    writing = false
    bunches = new Bunches(
      (events) => batches.push(events.map(({ id }) => id)),
      () => writing,
    )
  })
  afterEach(() => {
    bunches.stop()
    vi.useRealTimers()
  })

  test('the first at once, with those of the same write', () => {
    bunches.take(event(1))
    bunches.take(event(2))
    vi.advanceTimersByTime(30)
    expect(batches).toEqual([[1, 2]])
  })
  test('later ones wait a quarter of a second for each other', () => {
    bunches.take(event(1))
    vi.advanceTimersByTime(30)
    bunches.take(event(2))
    vi.advanceTimersByTime(100)
    bunches.take(event(3))
    expect(batches).toEqual([[1]])
    vi.advanceTimersByTime(150)
    expect(batches).toEqual([[1], [2, 3]])
  })
  test('counters wait longer, or come along with events that don’t', () => {
    bunches.take(event(1))
    vi.advanceTimersByTime(30)
    bunches.take(event(2, { kind: 'counters' }))
    vi.advanceTimersByTime(400)
    expect(batches).toEqual([[1]])
    bunches.take(event(3))
    vi.advanceTimersByTime(30)
    expect(batches).toEqual([[1], [2, 3]])
  })
  test('a stream of counters is delivered within a second', () => {
    for (let at = 0; at < 50; at++) {
      bunches.take(event(at, { kind: 'counters' }))
      vi.advanceTimersByTime(100)
    }
    expect(batches.flat().length).toBeGreaterThan(35)
    expect(batches.length).toBeLessThanOrEqual(7)
  })
  test('own events wait while this page writes, others’ don’t', () => {
    writing = true
    bunches.take(event(1, { own: true }))
    bunches.take(event(2))
    vi.advanceTimersByTime(40)
    expect(batches).toEqual([[2]])
    writing = false
    vi.advanceTimersByTime(300)
    expect(batches).toEqual([[2], [1]])
  })
  test('own events don’t wait forever', () => {
    writing = true
    bunches.take(event(1, { own: true }))
    vi.advanceTimersByTime(3000)
    expect(batches).toEqual([[1]])
  })
})

describe('the stream’s text', () => {
  test('is split into blocks wherever its pieces end', async () => {
    const text = 'id: 7\nevent: hello\ndata: {"cursor":7}\n\n: still here\n\nid: 8\ndata: {"id":8}\n\n'
    for (let size = 1; size < 12; size++) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size))
      const blocks: ReturnType<typeof readBlock>[] = []
      for await (const block of blocksOf(streamOf(pieces))) blocks.push(readBlock(block))
      expect(blocks).toEqual([
        { id: '7', event: 'hello', data: '{"cursor":7}' },
        { id: null, event: 'message', data: '' },
        { id: '8', event: 'message', data: '{"id":8}' },
      ])
    }
  })
})

describe('what a change makes stale', () => {
  test('a renamed client is read again wherever its name shows', () => {
    for (const id of ['project.list', 'project.listAll', 'project.get', 'campaign.list', 'client.get', 'user.list'] as const)
      expect(nounsOf(id), id).toContain('client')
  })
  test('a sent reward changes the rewards, the Overview and the history', () => {
    for (const id of ['entry.list', 'runtime.overview', 'project.history'] as const) expect(nounsOf(id), id).toContain('entry')
  })
  test('a write refreshes only its own noun and those its row names', () => {
    expect([...refreshedBy('client.edit')].sort()).toEqual(['client', 'history', 'project'])
  })
})

describe('the palette’s index is read again', () => {
  test('after a change of a noun in it', () => {
    checkRows(['project', 'client', 'user', 'partner', 'team', 'survey', 'activity', 'view'], (noun) => {
      expect(concernsIndex({ noun, kind: 'put' })).toBe(true)
      expect(concernsIndex({ noun, kind: 'drop' })).toBe(true)
      expect(concernsIndex({ noun, kind: 'counters' })).toBe(false)
    })
  })

  test('not after a change of another noun', () => {
    checkRows(['place', 'note', 'entry', 'file', 'job', 'outbox', 'target', 'runtime'], (noun) => {
      expect(concernsIndex({ noun, kind: 'put' })).toBe(false)
    })
  })

  test('after a changed role or scope, and after missed events', () => {
    expect(concernsIndex({ noun: 'account', kind: 'scope' })).toBe(true)
    expect(concernsIndex({ noun: '', kind: 'missed' })).toBe(true)
  })
})
