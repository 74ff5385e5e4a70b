import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  activate,
  activePane,
  close,
  closeOthers,
  columnsOf,
  focusColumn,
  go,
  type Layout,
  MAX_COLUMNS,
  movePane,
  open,
  panesOf,
  pin,
  placeOf,
  reopen,
  resize,
  shownIn,
  single,
  split,
  tabBy,
  travel,
} from '../../src/routing/layout.ts'
import { reassignIds } from '../../src/routing/reassignIds.ts'
import { readLayout } from '../../src/workspace/layoutStorage.ts'
import { rounds } from './rounds.ts'

const HOME = '/dashboard/all-projects'
const refs = [
  '/dashboard/clients',
  '/dashboard/project-info/1/dashboard',
  '/dashboard/project-info/2/dashboard?age=2',
  '/dashboard/rewards',
  HOME,
]

type Step = { name: string; run: (layout: Layout) => Layout }
const someRef = fc.constantFrom(...refs)
const somePane = fc.nat(30)
const pick = (layout: Layout, n: number) => panesOf(layout)[n % panesOf(layout).length]!.id
const by = fc.constantFrom(-1 as const, 1 as const)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc
    .tuple(someRef, fc.constantFrom('here', 'beside', 'glance', 'pinned', 'background'))
    .map(([ref, where]) => ({ name: `open ${ref} ${where}`, run: (l: Layout) => open(l, ref, where as 'here') })),
  somePane.map((n) => ({ name: `close ${n}`, run: (l: Layout) => close(l, pick(l, n), HOME) })),
  somePane.map((n) => ({ name: `close others than ${n}`, run: (l: Layout) => closeOthers(l, pick(l, n), HOME) })),
  fc.constant({ name: 'reopen', run: reopen }),
  fc.constant({ name: 'split', run: split }),
  fc.tuple(somePane, by).map(([n, to]) => ({ name: `move ${n} by ${to}`, run: (l: Layout) => movePane(l, pick(l, n), to) })),
  somePane.map((n) => ({ name: `activate ${n}`, run: (l: Layout) => activate(l, pick(l, n)) })),
  fc.integer({ min: -2, max: 6 }).map((n) => ({ name: `focus column ${n}`, run: (l: Layout) => focusColumn(l, n) })),
  by.map((to) => ({ name: `tab by ${to}`, run: (l: Layout) => tabBy(l, to) })),
  fc
    .tuple(somePane, someRef, fc.constantFrom('push', 'replace'))
    .map(([n, ref, how]) => ({ name: `go ${n} ${ref} ${how}`, run: (l: Layout) => go(l, pick(l, n), ref, how as 'push') })),
  fc.tuple(somePane, by).map(([n, to]) => ({ name: `travel ${n} by ${to}`, run: (l: Layout) => travel(l, pick(l, n), to) })),
  somePane.map((n) => ({ name: `pin ${n}`, run: (l: Layout) => pin(l, pick(l, n)) })),
  fc
    .array(fc.integer({ min: -5, max: 90 }), { maxLength: 5 })
    .map((sizes) => ({ name: `resize ${sizes}`, run: (l: Layout) => resize(l, sizes) })),
)

/** A layout's faults, as sentences. */
function faults(layout: Layout): string[] {
  const ids = layout.columns.flatMap((column) => [column.id, ...column.tabs.map((pane) => pane.id)])
  const total = layout.columns.reduce((sum, column) => sum + column.size, 0)
  return [
    layout.columns.length >= 1 || 'there is no column',
    layout.columns.length <= MAX_COLUMNS || 'there are more than four columns',
    layout.columns[layout.active] !== undefined || 'the active column does not exist',
    new Set(ids).size === ids.length || 'an id stands twice',
    Math.abs(total - 100) < 1e-6 || `the sizes add up to ${total}`,
    ids.every((id) => Number(id.slice(1)) < layout.next) || 'the next id is taken',
    layout.closed.every(({ pane }) => !ids.includes(pane.id)) || 'a closed pane is open',
    ...layout.columns.flatMap((column) => [
      column.tabs.length > 0 || 'a column is empty',
      column.size > 0 || 'a column has no width',
      column.tabs.filter((pane) => !pane.pinned).length <= 1 || 'a column has two previews',
      [...column.mru].sort().join() ===
        column.tabs
          .map((pane) => pane.id)
          .sort()
          .join() || 'the order of use does not name the tabs',
      ...column.tabs.map((pane) => pane.history[pane.at] === pane.ref || 'a pane is not where its history says'),
    ]),
  ].filter((fault): fault is string => typeof fault === 'string')
}

describe('a layout, whatever is done to it', () => {
  it('is never empty, always has a valid active column, unique ids and widths that add up', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let layout = single(HOME)
        for (const { name, run } of steps) {
          layout = run(layout)
          expect(faults(layout), name).toEqual([])
        }
      }),
      { numRuns: rounds(100, 300) },
    )
  })

  it('loses a pane only by closing it', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), step, (before, last) => {
        const layout = before.reduce((l, { run }) => run(l), single(HOME))
        const after = last.run(layout)
        const closes = last.name.startsWith('close')
        const still = new Set(panesOf(after).map((pane) => pane.id))
        const lost = panesOf(layout).filter((pane) => !still.has(pane.id))
        expect(closes || lost.length === 0, `${last.name} lost ${lost.map((pane) => pane.id)}`).toBe(true)
      }),
      { numRuns: rounds(100, 300) },
    )
  })

  it('survives storing and reading back', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const layout = steps.reduce((l, { run }) => run(l), single(HOME))
        expect(readLayout(JSON.parse(JSON.stringify(layout)))).toEqual(layout)
      }),
    )
  })
})

describe('an imported layout', () => {
  it('shares no id with open panes, and is otherwise unchanged', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), fc.array(step, { maxLength: 20 }), (mine, theirs) => {
        const here = mine.reduce((l, { run }) => run(l), single(HOME))
        const there = theirs.reduce((l, { run }) => run(l), single(HOME))
        const got = reassignIds(there, here.next)
        const known = new Set(here.columns.flatMap((column) => [column.id, ...column.tabs.map((pane) => pane.id)]))
        expect(faults(got)).toEqual([])
        expect(got.columns.flatMap((column) => [column.id, ...column.mru]).filter((id) => known.has(id))).toEqual([])
        expect(got.columns.map((column) => shownIn(column).ref)).toEqual(there.columns.map((column) => shownIn(column).ref))
      }),
    )
  })
})

describe('opening', () => {
  it('shows a preview that the next preview replaces, and keeps its history', () => {
    const first = open(single(HOME), '/dashboard/clients')
    const second = open(first, '/dashboard/rewards')
    expect(panesOf(second).map((pane) => pane.ref)).toEqual([HOME, '/dashboard/rewards'])
    expect(activePane(travel(second, activePane(second).id, -1)).ref).toBe('/dashboard/clients')
  })

  it('leaves a kept preview alone', () => {
    const pinnedLayout = pin(open(single(HOME), '/dashboard/clients'), 'p2')
    expect(panesOf(open(pinnedLayout, '/dashboard/rewards'))).toHaveLength(3)
  })

  it('goes to the tab that already shows it', () => {
    const layout = open(open(single(HOME), '/dashboard/clients', 'pinned'), HOME)
    expect(panesOf(layout)).toHaveLength(2)
    expect(activePane(layout).ref).toBe(HOME)
  })

  it('beside adds a column to the right, and then replaces the preview there', () => {
    const once = open(single(HOME), '/dashboard/clients', 'beside')
    const again = open(focusColumn(once, 0), '/dashboard/rewards', 'beside')
    expect(again.columns.map((column) => shownIn(column).ref)).toEqual([HOME, '/dashboard/rewards'])
    expect(again.active).toBe(1)
  })

  it('at a glance opens like beside, and keeps the focus', () => {
    const beside = open(single(HOME), '/dashboard/clients', 'beside')
    const once = open(single(HOME), '/dashboard/clients', 'glance')
    expect(once).toEqual({ ...beside, active: 0 })
    const again = open(once, '/dashboard/rewards', 'glance')
    expect(again.columns.map((column) => shownIn(column).ref)).toEqual([HOME, '/dashboard/rewards'])
    expect(again.active).toBe(0)
  })
  it('beside four columns opens in the last', () => {
    const full = columnsOf([HOME, HOME, HOME, HOME], 3)
    const layout = open(full, '/dashboard/clients', 'beside')
    expect(layout.columns).toHaveLength(4)
    expect(activePane(layout).ref).toBe('/dashboard/clients')
  })

  it('in the background shows nothing new', () => {
    const layout = open(single(HOME), '/dashboard/clients', 'background')
    expect(activePane(layout).ref).toBe(HOME)
    expect(panesOf(layout)).toHaveLength(2)
  })
})

describe('closing', () => {
  it('returns to the previously used tab', () => {
    const three = open(open(single(HOME), '/dashboard/clients', 'pinned'), '/dashboard/rewards', 'pinned')
    const back = activate(three, 'p1')
    expect(activePane(close(back, 'p1', HOME)).ref).toBe('/dashboard/rewards')
  })

  it('opens home after the last pane', () => {
    expect(panesOf(close(single('/dashboard/clients'), 'p1', HOME)).map((pane) => pane.ref)).toEqual([HOME])
  })

  it('is undone by reopening, with the history', () => {
    const gone = go(open(single(HOME), '/dashboard/clients', 'pinned'), 'p2', '/dashboard/rewards', 'push')
    const back = reopen(close(gone, 'p2', HOME))
    expect(placeOf(back, 'p2')?.pane.history).toEqual(['/dashboard/clients', '/dashboard/rewards'])
    expect(activePane(back).id).toBe('p2')
  })

  it('of a column is undone with its column', () => {
    const back = reopen(close(columnsOf([HOME, '/dashboard/clients']), 'p2', HOME))
    expect(back.columns.map((column) => shownIn(column).ref)).toEqual([HOME, '/dashboard/clients'])
  })

  it('a column’s only tab gives its width to the neighbour', () => {
    const layout = close(columnsOf([HOME, '/dashboard/clients']), 'p2', HOME)
    expect(layout.columns.map((column) => column.size)).toEqual([100])
  })
})

describe('opening beside', () => {
  it('halves the neighbour if that is enough for both, else evens all columns', () => {
    const beside = (layout: Layout, n: number) => open(layout, `/dashboard/project-info/${n}/dashboard`, 'beside')
    const three = beside(pin(beside(single(HOME), 1), 'p2'), 2)
    expect(three.columns.map((column) => column.size)).toEqual([50, 25, 25])
    const four = beside(pin(three, activePane(three).id), 3)
    expect(four.columns.map((column) => column.size)).toEqual([25, 25, 25, 25])
  })
})

describe('moving', () => {
  it('moves a tab to the neighbouring column', () => {
    const layout = movePane(open(columnsOf([HOME, '/dashboard/clients']), '/dashboard/rewards', 'pinned'), 'p3', 1)
    expect(layout.columns.map((column) => column.tabs.map((pane) => pane.ref))).toEqual([
      [HOME],
      ['/dashboard/clients', '/dashboard/rewards'],
    ])
    expect(layout.active).toBe(1)
  })

  it('at the edge adds a column, but not from a column’s only tab', () => {
    const two = open(single(HOME), '/dashboard/clients', 'pinned')
    expect(movePane(two, 'p2', 1).columns).toHaveLength(2)
    expect(movePane(single(HOME), 'p1', 1).columns).toHaveLength(1)
  })
})

it('an invalid layout is refused', () => {
  for (const bad of [
    null,
    1,
    {},
    { v: 2 },
    { v: 1, columns: [] },
    { v: 1, columns: [{ id: 'c1', tabs: [], mru: [], size: 1 }] },
    { v: 1, columns: 'x' },
  ])
    expect(readLayout(bad)).toBeNull()
})

describe('one tab a record', () => {
  const at = (path: string) => `/dashboard/project-info/${path}`
  const paths = (layout: Layout) => shownIn(layout.columns[0]!) && layout.columns[0]!.tabs.map(({ ref }) => ref)

  it('shows its screens in the tab that it has, as a step back in its own history', () => {
    const first = pin(open(single(HOME), at('1/dashboard'), 'here'), 'p2')
    const second = open(open(first, '/dashboard/clients', 'tab'), at('1/specifications'))
    expect(paths(second)).toEqual([HOME, at('1/specifications'), '/dashboard/clients'])
    expect(activePane(second).ref).toBe(at('1/specifications'))
    expect(activePane(travel(second, activePane(second).id, -1)).ref).toBe(at('1/dashboard'))
    // Another record, a list, and what is opened behind on purpose have tabs of their own.
    expect(paths(open(second, at('2/dashboard'), 'tab'))).toHaveLength(4)
    expect(paths(open(second, at('1/notes'), 'background'))).toHaveLength(4)
  })

  it('leaves a tab with unsaved changes alone', () => {
    const first = open(single(HOME), at('1/dashboard'), 'tab')
    const { id } = activePane(first)
    expect(paths(open(first, at('1/notes'), 'here', false, (one) => one === id))).toHaveLength(3)
  })
})
