import { describe, expect, test } from 'vitest'
import type { Subject } from '../../src/commands/subject.ts'
import { ApiError } from '../../src/data/api.ts'
import { isGap, itemMaker, shownOf } from '../../src/list/flattenRows.ts'
import { saveCell } from '../../src/list/gridColumns.tsx'
import { type ListState, patchTo, readState, settle, writeState } from '../../src/list/listState.ts'
import { checked, NOTHING_SELECTED, toggled, withSelected } from '../../src/list/selection.ts'
import { readQuery } from '../../src/routing/match.ts'
import { withQuery } from '../../src/routing/ref.ts'
import { ConcurrentEditError } from '../../src/ui/concurrentEditError.ts'
import { type Row, rowsFrom } from './list-rows.ts'

/** The same random numbers in each run. */
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

  test('omits defaults', () => {
    expect(writeState({ search: '', filters: { status: 'all' }, sort: { column: 'name', direction: 'asc' } }, usual)).toBe('')
  })

  test('of a view removes keys the view lacks, and keeps the rest of the link', () => {
    const ref = '/dashboard/all-projects?search=old&client=3&page=4&tab=x'
    expect(withQuery(ref, patchTo('status=active&unknown=1', usual))).toBe('/dashboard/all-projects?tab=x&status=active')
  })
})

const subjectOf = (row: Row): Subject => ({ kind: 'project', id: row.id, name: `P ${row.id}` })

describe('rows with expanded branches', () => {
  test('are placed as in a list built row by row', () => {
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

  test('cost nothing until accessed: 1,000,000 rows are laid out at once', () => {
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

describe('a selection', () => {
  const one = { ...subjectOf({ id: 1 }), allowed_actions: ['a'] }
  const two = subjectOf({ id: 2 })

  test('is toggled by the same key', () => {
    const selection = toggled(NOTHING_SELECTED, one, 'x')
    expect([...selection.keys()]).toEqual([1])
    expect(toggled(selection, one, 'x').size).toBe(0)
  })

  test('drops records that left the list after a change', () => {
    const selection = withSelected(NOTHING_SELECTED, [one, two], 'pending')
    const after = checked(selection, 'pending', new Set([1, 2]), new Map([[1, one]]))
    expect([...after.keys()]).toEqual([1])
  })

  test('keeps records hidden by a search', () => {
    const selection = withSelected(NOTHING_SELECTED, [one, two], 'all')
    expect(checked(selection, 'search', new Set([1, 2]), new Map())).toBe(selection)
  })

  test('has current allowed actions', () => {
    const selection = withSelected(NOTHING_SELECTED, [one], 'x')
    const now = { ...one, allowed_actions: ['b'] }
    expect(checked(selection, 'x', new Set([1]), new Map([[1, now]])).get(1)?.subject).toBe(now)
    expect(checked(selection, 'x', new Set([1]), new Map([[1, { ...one }]]))).toBe(selection)
  })
})

describe('a cell that is saved', () => {
  const record = { id: 1, name: 'Old', phone: '1', lock_version: 1 }
  /** A server where somebody else has already changed the record to `theirs`. */
  const edit = (theirs: Partial<typeof record>) => {
    let stored = { ...record, ...theirs, lock_version: 2 }
    return {
      stored: () => stored,
      value: (row: typeof record) => row.name,
      async save(row: typeof record, name: string) {
        if (row.lock_version !== stored.lock_version)
          throw new ApiError(409, 'stale', 'Changed', { more: { theirs: stored, clashes: ['name'] } })
        stored = { ...stored, name, lock_version: stored.lock_version + 1 }
        return stored
      },
    }
  }

  test('is saved on top of another field’s change', async () => {
    const cell = edit({ phone: '2' })
    await saveCell(cell, record, 'Mine')
    expect(cell.stored()).toMatchObject({ name: 'Mine', phone: '2' })
  })

  test('shows both versions of the same field, and keeps mine only on request', async () => {
    const cell = edit({ name: 'Theirs' })
    const clash = await saveCell(cell, record, 'Mine').catch((error: unknown) => error)
    expect(clash).toBeInstanceOf(ConcurrentEditError)
    expect((clash as ConcurrentEditError).theirs).toBe('Theirs')
    expect(cell.stored().name).toBe('Theirs')
    await (clash as ConcurrentEditError).keepMine('Mine, edited')
    expect(cell.stored().name).toBe('Mine, edited')
  })

  test('doesn’t conflict with the same value', async () => {
    await expect(saveCell(edit({ name: 'Same' }), record, 'Same')).resolves.toBeUndefined()
  })
})
