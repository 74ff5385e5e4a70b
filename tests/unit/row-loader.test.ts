import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { ApiError } from '../../src/data/api.ts'
import { createRowLoader } from '../../src/list/rowLoader.ts'
import type { ReadRows, RowSource } from '../../src/list/rowSource.ts'
import { type Row, rowsFrom } from './list-rows.ts'

/** A server with this many rows that responds on demand. */
function server(total: number) {
  const asked: {
    page: number
    counts: boolean
    answer: () => Promise<void>
    fail: (error: Error) => Promise<void>
    aborted: () => boolean
  }[] = []
  let count = total
  const source = (search = ''): RowSource<Row> => ({
    call: 'project.list',
    input: (page, per_page) => ({ search, page, per_page }),
    rows: (answer: { rows: Row[] }) => answer.rows,
    count: (answer: { count?: number }) => answer.count,
    chunk: 50,
    rowsAlone: { counts: false },
  })
  const read: ReadRows = (_call, input, signal) =>
    new Promise((resolve, reject) => {
      const { page, counts = true } = input as { page: number; counts?: boolean }
      const settled = async (work: () => void) => {
        work()
        for (let turn = 0; turn < 4; turn++) await Promise.resolve()
      }
      asked.push({
        page,
        counts,
        aborted: () => signal.aborted,
        answer: () =>
          settled(() =>
            resolve({
              ...(counts ? { count } : {}),
              rows: rowsFrom((page - 1) * 50 + 1, Math.max(0, Math.min(50, count - (page - 1) * 50))),
            }),
          ),
        fail: (error) => settled(() => reject(error)),
      })
    })
  /** Responds to all requests, including those that follow. */
  const answerAll = async () => {
    for (let at = 0; at < asked.length; at++) if (!asked[at]!.aborted()) await asked[at]!.answer()
  }
  return { asked, source, read, answerAll, grow: (by: number) => (count += by) }
}

describe('a viewport on 100,000 rows', () => {
  test('reads only the first page, then the rows ahead', async () => {
    const { asked, source, read, answerAll } = server(100_000)
    const loader = createRowLoader<Row>(read)
    loader.begin(source(`${Math.random()}`), 0)
    loader.see(0, 30)
    expect(asked.map((one) => one.page)).toEqual([1])
    await answerAll()
    expect(loader.snapshot().count).toBe(100_000)
    expect([...loader.snapshot().chunks.keys()].sort((a, b) => a - b)).toEqual([1, 2, 3])
  })

  test('is counted once however far it scrolls, and again after a change', async () => {
    const { asked, source, read, answerAll } = server(100_000)
    const loader = createRowLoader<Row>(read)
    loader.begin(source(`${Math.random()}`), 0)
    await answerAll()
    for (let row = 0; row < 2000; row += 25) {
      loader.see(row, row + 30)
      await answerAll()
    }
    expect(asked.length).toBeGreaterThan(20)
    expect(asked.flatMap((one, at) => (one.counts ? [at] : []))).toEqual([0])
    const before = asked.length
    loader.refresh()
    await answerAll()
    expect(asked.slice(before).filter((one) => one.counts)).toHaveLength(1)
    loader.begin(source(`${Math.random()}`), 0)
    await answerAll()
    expect(asked.filter((one) => one.counts)).toHaveLength(3)
  })

  test('is counted again if rows vanish without an event', async () => {
    const { asked, source, read, answerAll, grow } = server(1000)
    const loader = createRowLoader<Row>(read)
    loader.begin(source(`${Math.random()}`), 0)
    loader.see(0, 30)
    await answerAll()
    grow(-120)
    loader.see(860, 890)
    await wait(120)
    await answerAll()
    expect(loader.snapshot().count).toBe(880)
    expect(asked.filter((one) => one.counts).length).toBe(2)
  })

  test('jumps to row 99,990 with a handful of requests', async () => {
    const { asked, source, read, answerAll } = server(100_000)
    const loader = createRowLoader<Row>(read)
    loader.begin(source(`${Math.random()}`), 0)
    await answerAll()
    loader.see(99_960, 99_999)
    await wait(120)
    await answerAll()
    const { chunks } = loader.snapshot()
    expect(chunks.get(2000)?.at(-1)?.id).toBe(100_000)
    expect(asked.length).toBeLessThan(10)
  })

  test('requests rows in passing now and then during a drag, cancels them, and reads around where it rests', async () => {
    const { asked, source, read, answerAll } = server(100_000)
    const loader = createRowLoader<Row>(read)
    loader.begin(source(`${Math.random()}`), 0)
    await answerAll()
    const before = asked.length
    vi.useFakeTimers()
    try {
      // A second and a half of frames, 1,000 rows each.
      for (let row = 1000; row <= 90_000; row += 1000) {
        loader.see(row, row + 30)
        vi.advanceTimersByTime(1000 / 60)
      }
      const passed = asked.slice(before)
      expect(passed.length).toBeGreaterThan(10)
      expect(passed.length).toBeLessThan(17)
      expect(passed.slice(0, -1).every((one) => one.aborted())).toBe(true)
      vi.advanceTimersByTime(120)
      expect(asked.filter((one) => !one.aborted()).map((one) => one.page)).toEqual(expect.arrayContaining([1801, 1802, 1803]))
    } finally {
      vi.useRealTimers()
      loader.stop()
    }
  })

  test('keeps reading around visible rows when a drag continues slowly after a jump', async () => {
    const { asked, source, read } = server(100_000)
    const loader = createRowLoader<Row>(read)
    loader.begin(source(`${Math.random()}`), 0)
    await asked[0]!.answer()
    vi.useFakeTimers()
    try {
      for (let row = 20_000; row < 20_036; row += 3) {
        loader.see(row, row + 30)
        vi.advanceTimersByTime(1000 / 60)
      }
      expect(asked.filter((one) => !one.aborted()).map((one) => one.page)).toEqual(expect.arrayContaining([401, 402]))
    } finally {
      vi.useRealTimers()
      loader.stop()
    }
  })

  test('shows rows during a slow drag', async () => {
    const { asked, source, read } = server(100_000)
    const loader = createRowLoader<Row>(read)
    loader.begin(source(`${Math.random()}`), 0)
    await asked[0]!.answer()
    loader.see(20_000, 20_030)
    await asked.at(-1)!.answer()
    let drawn = 0
    loader.subscribe(() => drawn++)
    loader.see(20_100, 20_130)
    expect(loader.snapshot().chunks.get(401)?.[0]?.id).toBe(20_001)
    // Rows that have left the viewport are cached without rendering.
    await wait(110)
    const late = asked.findLast((one) => !one.aborted())!
    loader.see(50_000, 50_030)
    drawn = 0
    if (!late.aborted()) await late.answer()
    expect(drawn).toBe(0)
    loader.stop()
  })

  test('cancels what is no longer wanted, and has three requests at most', async () => {
    const { asked, source, read } = server(100_000)
    const loader = createRowLoader<Row>(read)
    loader.begin(source(`${Math.random()}`), 0)
    await asked[0]!.answer()
    loader.see(40, 130)
    const flying = () => asked.slice(1).filter((one) => !one.aborted())
    expect(flying()).toHaveLength(3)
    const early = flying()
    loader.see(50_000, 50_030)
    expect(early.every((one) => one.aborted())).toBe(true)
    loader.stop()
  })

  test('shows old rows as stale while another search loads', async () => {
    const { source, read, answerAll } = server(500)
    const loader = createRowLoader<Row>(read)
    loader.begin(source(`${Math.random()}`), 0)
    await answerAll()
    loader.begin(source(`${Math.random()}`), 0)
    expect(loader.snapshot()).toMatchObject({ stale: true, count: 500 })
    await answerAll()
    expect(loader.snapshot().stale).toBe(false)
  })

  test('rereads visible rows after a change, and the rest when seen', async () => {
    const { asked, source, read, answerAll } = server(1000)
    const loader = createRowLoader<Row>(read)
    loader.begin(source(`${Math.random()}`), 0)
    await answerAll()
    loader.see(0, 20)
    await answerAll()
    const before = asked.length
    loader.refresh()
    await answerAll()
    expect(new Set(asked.slice(before).map((one) => one.page))).toEqual(new Set([1, 2]))
  })

  test('rereads rows whose reread was cancelled because they were scrolled out of sight', async () => {
    const { asked, source, read, answerAll } = server(100_000)
    const loader = createRowLoader<Row>(read)
    loader.begin(source(`${Math.random()}`), 0)
    await answerAll()
    loader.refresh()
    const reread = asked.at(-1)!
    expect([reread.page, reread.aborted()]).toEqual([1, false])
    loader.see(50_000, 50_030)
    expect(reread.aborted()).toBe(true)
    await answerAll()
    const before = asked.length
    loader.see(0, 20)
    await vi.waitFor(() => expect(asked.slice(before).map((one) => one.page)).toContain(1))
    loader.stop()
  })

  test('keeps its rows if one piece fails, and continues after a retry', async () => {
    const { asked, source, read, answerAll } = server(1000)
    const loader = createRowLoader<Row>(read)
    loader.begin(source(`${Math.random()}`), 0)
    await asked[0]!.answer()
    loader.see(0, 60)
    await asked[1]!.fail(new ApiError(500, 'broken', 'No luck'))
    expect(loader.snapshot().error?.message).toBe('No luck')
    expect(loader.snapshot().chunks.has(1)).toBe(true)
    loader.retry()
    await answerAll()
    expect(loader.snapshot().error).toBeNull()
  })

  test('shows again what it showed before, and rereads it', async () => {
    const { asked, source, read, answerAll } = server(1000)
    const search = `${Math.random()}`
    const first = createRowLoader<Row>(read)
    first.begin(source(search), 0)
    await answerAll()
    first.stop()
    const second = createRowLoader<Row>(read)
    const before = asked.length
    second.begin(source(search), 0)
    expect(second.snapshot()).toMatchObject({ count: 1000, remembered: true })
    expect(asked[before]?.page).toBe(1)
    await answerAll()
    expect(second.snapshot().remembered).toBe(false)
  })

  test('selects a range that isn’t loaded', async () => {
    const { source, read, answerAll } = server(1000)
    const loader = createRowLoader<Row>(read)
    loader.begin(source(`${Math.random()}`), 0)
    await answerAll()
    const stretch = loader.stretch(20, 420, new AbortController().signal)
    for (let turn = 0; turn < 12; turn++) await answerAll()
    expect((await stretch).map((row) => row.id)).toEqual(rowsFrom(21, 401).map((row) => row.id))
  })
})
