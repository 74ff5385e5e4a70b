import { describe, expect, test, vi } from 'vitest'
import type { Subject } from '../../src/commands/command.ts'
import { ApiError } from '../../src/data/api.ts'
import { Clash } from '../../src/ui/InlineEdit.tsx'
import { saveCell } from '../../src/workspace/list/gridColumns.tsx'
import { checked, NO_MARKS, toggled, withMarks } from '../../src/workspace/list/marks.ts'
import { isGap, itemMaker, shownOf } from '../../src/workspace/list/shown.ts'
import type { Source } from '../../src/workspace/list/source.ts'
import { type ListState, patchTo, readState, settle, writeState } from '../../src/workspace/list/state.ts'
import { openWindow, type Read } from '../../src/workspace/list/window.ts'
import { readQuery } from '../../src/workspace/match.ts'
import { withQuery } from '../../src/workspace/ref.ts'

/** The same numbers in every run. */
function dice(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state % below
  }
}
const pick = <T>(roll: (below: number) => number, from: readonly T[]): T => from[roll(from.length)]!

describe('a list’s state in its link', () => {
  const usual = { filters: { status: 'all', client: '', mine: '' }, sort: { column: 'name', direction: 'asc' as const } }
  const texts = ['', 'acme', 'a b', '50% off & more=less', 'näch;ste?', '#1 “quoted”', 'a+b', '-minus', 'x'.repeat(200)]

  test('is the same state again, whatever was typed', () => {
    const roll = dice(7)
    for (let at = 0; at < 2000; at++) {
      const state: ListState = {
        search: pick(roll, texts),
        filters: { status: pick(roll, ['all', 'active', 'x y']), client: pick(roll, ['', '12']), mine: pick(roll, ['', '1']) },
        sort: { column: pick(roll, ['name', 'pacing', 'created_at']), direction: pick(roll, ['asc', 'desc']) },
      }
      const text = writeState(state, usual)
      expect(readState(readQuery(text), usual)).toEqual(state)
      expect(settle(text, usual)).toBe(text)
    }
  })

  test('says nothing of what is as usual', () => {
    expect(writeState({ search: '', filters: { status: 'all' }, sort: { column: 'name', direction: 'asc' } }, usual)).toBe('')
  })

  test('of a view takes out what the view does not say, and leaves the rest of the link alone', () => {
    const ref = '/dashboard/all-projects?search=old&client=3&page=4&tab=x'
    expect(withQuery(ref, patchTo('status=active&unknown=1', usual))).toBe('/dashboard/all-projects?tab=x&status=active')
  })
})

interface Row {
  id: number
  children?: Row[]
}
const subjectOf = (row: Row): Subject => ({ kind: 'project', id: row.id, name: `P ${row.id}` })
const rowsFrom = (first: number, count: number): Row[] => Array.from({ length: count }, (_, at) => ({ id: first + at }))

/** A server with so many rows that answers when it is told to. */
function server(total: number) {
  const asked: {
    page: number
    counts: boolean
    answer: () => Promise<void>
    fail: (error: Error) => Promise<void>
    aborted: () => boolean
  }[] = []
  let count = total
  const source = (search = ''): Source<Row> => ({
    call: 'project.list',
    input: (page, per_page) => ({ search, page, per_page }),
    rows: (answer: { rows: Row[] }) => answer.rows,
    count: (answer: { count?: number }) => answer.count,
    chunk: 50,
    rowsAlone: { counts: false },
  })
  const read: Read = (_call, input, signal) =>
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
  /** Answers everything that is asked, and what is asked because of it. */
  const answerAll = async () => {
    for (let at = 0; at < asked.length; at++) if (!asked[at]!.aborted()) await asked[at]!.answer()
  }
  return { asked, source, read, answerAll, grow: (by: number) => (count += by) }
}
const wait = (ms: number) => new Promise((done) => setTimeout(done, ms))

describe('a window on 100,000 rows', () => {
  test('reads the first page alone, and then what lies ahead', async () => {
    const { asked, source, read, answerAll } = server(100_000)
    const window = openWindow<Row>(read)
    window.begin(source(`${Math.random()}`), 0)
    window.see(0, 30)
    expect(asked.map((one) => one.page)).toEqual([1])
    await answerAll()
    expect(window.snapshot().count).toBe(100_000)
    expect([...window.snapshot().chunks.keys()].sort((a, b) => a - b)).toEqual([1, 2, 3])
  })

  test('is counted once, however far it is scrolled, and again when something changed', async () => {
    const { asked, source, read, answerAll } = server(100_000)
    const window = openWindow<Row>(read)
    window.begin(source(`${Math.random()}`), 0)
    await answerAll()
    for (let row = 0; row < 2000; row += 25) {
      window.see(row, row + 30)
      await answerAll()
    }
    expect(asked.length).toBeGreaterThan(20)
    expect(asked.flatMap((one, at) => (one.counts ? [at] : []))).toEqual([0])
    const before = asked.length
    window.refresh()
    await answerAll()
    expect(asked.slice(before).filter((one) => one.counts)).toHaveLength(1)
    window.begin(source(`${Math.random()}`), 0)
    await answerAll()
    expect(asked.filter((one) => one.counts)).toHaveLength(3)
  })

  test('is counted again when rows went that nobody told of', async () => {
    const { asked, source, read, answerAll, grow } = server(1000)
    const window = openWindow<Row>(read)
    window.begin(source(`${Math.random()}`), 0)
    window.see(0, 30)
    await answerAll()
    grow(-120)
    window.see(860, 890)
    await wait(120)
    await answerAll()
    expect(window.snapshot().count).toBe(880)
    expect(asked.filter((one) => one.counts).length).toBe(2)
  })

  test('jumps to row 99,990 with a handful of requests', async () => {
    const { asked, source, read, answerAll } = server(100_000)
    const window = openWindow<Row>(read)
    window.begin(source(`${Math.random()}`), 0)
    await answerAll()
    window.see(99_960, 99_999)
    await wait(120)
    await answerAll()
    const { chunks } = window.snapshot()
    expect(chunks.get(2000)?.at(-1)?.id).toBe(100_000)
    expect(asked.length).toBeLessThan(10)
  })

  test('asks now and then for what a drag of the scrollbar passes, takes it back, and reads around where it rests', async () => {
    const { asked, source, read, answerAll } = server(100_000)
    const window = openWindow<Row>(read)
    window.begin(source(`${Math.random()}`), 0)
    await answerAll()
    const before = asked.length
    vi.useFakeTimers()
    try {
      // A second and a half of frames, 1,000 rows each.
      for (let row = 1000; row <= 90_000; row += 1000) {
        window.see(row, row + 30)
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
      window.stop()
    }
  })

  test('reads on around what is seen when a drag goes on slowly after a jump', async () => {
    const { asked, source, read } = server(100_000)
    const window = openWindow<Row>(read)
    window.begin(source(`${Math.random()}`), 0)
    await asked[0]!.answer()
    vi.useFakeTimers()
    try {
      for (let row = 20_000; row < 20_036; row += 3) {
        window.see(row, row + 30)
        vi.advanceTimersByTime(1000 / 60)
      }
      expect(asked.filter((one) => !one.aborted()).map((one) => one.page)).toEqual(expect.arrayContaining([401, 402]))
    } finally {
      vi.useRealTimers()
      window.stop()
    }
  })

  test('shows the rows of a drag that goes slowly enough', async () => {
    const { asked, source, read } = server(100_000)
    const window = openWindow<Row>(read)
    window.begin(source(`${Math.random()}`), 0)
    await asked[0]!.answer()
    window.see(20_000, 20_030)
    await asked.at(-1)!.answer()
    let drawn = 0
    window.subscribe(() => drawn++)
    window.see(20_100, 20_130)
    expect(window.snapshot().chunks.get(401)?.[0]?.id).toBe(20_001)
    // What comes for rows that are out of sight again is kept, and draws nothing.
    await wait(110)
    const late = asked.findLast((one) => !one.aborted())!
    window.see(50_000, 50_030)
    drawn = 0
    if (!late.aborted()) await late.answer()
    expect(drawn).toBe(0)
    window.stop()
  })

  test('takes back what is no longer wanted, and holds three requests at most', async () => {
    const { asked, source, read } = server(100_000)
    const window = openWindow<Row>(read)
    window.begin(source(`${Math.random()}`), 0)
    await asked[0]!.answer()
    window.see(40, 130)
    const flying = () => asked.slice(1).filter((one) => !one.aborted())
    expect(flying()).toHaveLength(3)
    const early = flying()
    window.see(50_000, 50_030)
    expect(early.every((one) => one.aborted())).toBe(true)
    window.stop()
  })

  test('shows what it has while another search is on its way, and says that it is stale', async () => {
    const { source, read, answerAll } = server(500)
    const window = openWindow<Row>(read)
    window.begin(source(`${Math.random()}`), 0)
    await answerAll()
    window.begin(source(`${Math.random()}`), 0)
    expect(window.snapshot()).toMatchObject({ stale: true, count: 500 })
    await answerAll()
    expect(window.snapshot().stale).toBe(false)
  })

  test('reads again what is in sight when something changed, and the rest when it is seen', async () => {
    const { asked, source, read, answerAll } = server(1000)
    const window = openWindow<Row>(read)
    window.begin(source(`${Math.random()}`), 0)
    await answerAll()
    window.see(0, 20)
    await answerAll()
    const before = asked.length
    window.refresh()
    await answerAll()
    expect(new Set(asked.slice(before).map((one) => one.page))).toEqual(new Set([1, 2]))
  })

  test('keeps its rows when one piece fails, and goes on after a retry', async () => {
    const { asked, source, read, answerAll } = server(1000)
    const window = openWindow<Row>(read)
    window.begin(source(`${Math.random()}`), 0)
    await asked[0]!.answer()
    window.see(0, 60)
    await asked[1]!.fail(new ApiError(500, 'broken', 'No luck'))
    expect(window.snapshot().error?.message).toBe('No luck')
    expect(window.snapshot().chunks.has(1)).toBe(true)
    window.retry()
    await answerAll()
    expect(window.snapshot().error).toBeNull()
  })

  test('comes back to what it showed, and reads it again', async () => {
    const { asked, source, read, answerAll } = server(1000)
    const search = `${Math.random()}`
    const first = openWindow<Row>(read)
    first.begin(source(search), 0)
    await answerAll()
    first.stop()
    const second = openWindow<Row>(read)
    const before = asked.length
    second.begin(source(search), 0)
    expect(second.snapshot()).toMatchObject({ count: 1000, remembered: true })
    expect(asked[before]?.page).toBe(1)
    await answerAll()
    expect(second.snapshot().remembered).toBe(false)
  })

  test('marks a stretch that nobody has loaded', async () => {
    const { source, read, answerAll } = server(1000)
    const window = openWindow<Row>(read)
    window.begin(source(`${Math.random()}`), 0)
    await answerAll()
    const stretch = window.stretch(20, 420, new AbortController().signal)
    for (let turn = 0; turn < 12; turn++) await answerAll()
    expect((await stretch).map((row) => row.id)).toEqual(rowsFrom(21, 401).map((row) => row.id))
  })
})

describe('rows with open branches', () => {
  test('stand where a list made row by row would have them', () => {
    const roll = dice(11)
    for (let turn = 0; turn < 60; turn++) {
      const count = 1 + roll(300)
      const chunks = new Map<number, Row[]>()
      const flat: (number | null)[] = []
      const open = new Set<number>()
      const all = Array.from(
        { length: count },
        (_, at): Row => ({
          id: at + 1,
          ...(roll(5) ? {} : { children: rowsFrom(10_000 + at * 10, 1 + roll(3)) }),
        }),
      )
      for (let page = 1; (page - 1) * 50 < count; page++) if (roll(4)) chunks.set(page, all.slice((page - 1) * 50, page * 50))
      for (const row of all) if (row.children && roll(2)) open.add(row.id)
      for (const [at, row] of all.entries()) {
        const loaded = chunks.has(Math.floor(at / 50) + 1)
        flat.push(loaded ? row.id : null)
        if (loaded && open.has(row.id)) flat.push(...(row.children ?? []).map((child) => child.id))
      }
      const shown = shownOf({
        count,
        chunk: 50,
        chunks,
        open,
        childrenOf: (row) => row.children ?? [],
        itemOf: itemMaker(subjectOf),
      })
      expect(shown.length).toBe(flat.length)
      for (const [at, id] of flat.entries()) {
        const one = shown.at(at)!
        expect(isGap(one) ? null : one.id).toBe(id)
        if (id !== null) expect(shown.indexOf(id)).toBe(at)
      }
      for (let record = 0; record < count; record++) expect(shown.recordAt(shown.indexAt(record))).toBe(record)
    }
  })

  test('cost nothing until they are looked at: 1,000,000 rows are laid out at once', () => {
    const shown = shownOf({
      count: 1_000_000,
      chunk: 50,
      chunks: new Map([[20_000, rowsFrom(999_951, 50)]]),
      open: new Set<number>(),
      childrenOf: undefined,
      itemOf: itemMaker(subjectOf),
    })
    expect(shown.at(999_999)).toMatchObject({ id: 1_000_000 })
    expect(shown.at(0)).toEqual({ gap: 0 })
    expect(shown.indexOf(1_000_000)).toBe(999_999)
    expect([...shown.items()]).toHaveLength(50)
  })
})

describe('marks', () => {
  const one = { ...subjectOf({ id: 1 }), allowed_actions: ['a'] }
  const two = subjectOf({ id: 2 })

  test('are set and taken off by the same key', () => {
    const marks = toggled(NO_MARKS, one, 'x')
    expect([...marks.keys()]).toEqual([1])
    expect(toggled(marks, one, 'x').size).toBe(0)
  })

  test('fall when their record left the list after something was done to it', () => {
    const marks = withMarks(NO_MARKS, [one, two], 'pending')
    const after = checked(marks, 'pending', new Set([1, 2]), new Map([[1, one]]))
    expect([...after.keys()]).toEqual([1])
  })

  test('stay when a search hides their record', () => {
    const marks = withMarks(NO_MARKS, [one, two], 'all')
    expect(checked(marks, 'search', new Set([1, 2]), new Map())).toBe(marks)
  })

  test('say what may be done now', () => {
    const marks = withMarks(NO_MARKS, [one], 'x')
    const now = { ...one, allowed_actions: ['b'] }
    expect(checked(marks, 'x', new Set([1]), new Map([[1, now]])).get(1)?.subject).toBe(now)
    expect(checked(marks, 'x', new Set([1]), new Map([[1, { ...one }]]))).toBe(marks)
  })
})

describe('a cell that is saved', () => {
  const record = { id: 1, name: 'Old', phone: '1', lock_version: 1 }
  /** A server whose record somebody else has changed to `theirs` already. */
  const edit = (theirs: Partial<typeof record>) => {
    let stored = { ...record, ...theirs, lock_version: 2 }
    return {
      stored: () => stored,
      value: (row: typeof record) => row.name,
      async save(row: typeof record, name: string) {
        if (row.lock_version !== stored.lock_version)
          throw new ApiError(409, 'stale', 'Changed', { more: { theirs: stored, clashes: ['name'] } })
        stored = { ...stored, name, lock_version: stored.lock_version + 1 }
      },
    }
  }

  test('goes on top of what somebody else did to another field', async () => {
    const cell = edit({ phone: '2' })
    await saveCell(cell, record, 'Mine')
    expect(cell.stored()).toMatchObject({ name: 'Mine', phone: '2' })
  })

  test('shows both versions of the same field, and keeps mine only when it is told to', async () => {
    const cell = edit({ name: 'Theirs' })
    const clash = await saveCell(cell, record, 'Mine').catch((error: unknown) => error)
    expect(clash).toBeInstanceOf(Clash)
    expect((clash as Clash).theirs).toBe('Theirs')
    expect(cell.stored().name).toBe('Theirs')
    await (clash as Clash).keepMine('Mine, edited')
    expect(cell.stored().name).toBe('Mine, edited')
  })

  test('has no clash with who wrote the same', async () => {
    await expect(saveCell(edit({ name: 'Same' }), record, 'Same')).resolves.toBeUndefined()
  })
})
