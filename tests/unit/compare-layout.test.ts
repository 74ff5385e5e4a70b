import { describe, expect, it } from 'vitest'
import { comparisonOf, counterpart, follow, link, swap, unlink, unlinkable } from '../../src/routing/compareLayout.ts'
import { columnsOf, go, type Layout, panesOf, placeOf, shownIn, travel } from '../../src/routing/layout.ts'
import { match } from '../../src/routing/match.ts'
import { addTo, lineUp } from '../../src/workspace/lineUp.ts'

const project = (id: number, tab = 'dashboard') => `/dashboard/project-info/${id}/${tab}`
const campaign = (id: number, tab = 'overview') => `/dashboard/surveyProInfo/${id}/${tab}`
const refsOf = (layout: Layout) => layout.columns.map((column) => shownIn(column).ref)
const paneAt = (layout: Layout, at: number) => shownIn(layout.columns[at]!)
/** Applies a step like the workspace. */
const step = (layout: Layout, operation: (layout: Layout) => Layout) => follow(layout, operation(layout))

describe('the same screen of another record', () => {
  const of = (other: string, lead: string) => counterpart(match(other)!, match(lead)!)
  it('is on the same tab with the same filters', () =>
    expect(of(project(2), `${project(1, 'project-rewarded')}?status=sent`)).toBe(`${project(2, 'project-rewarded')}?status=sent`))
  it('has its own path in the other generation', () =>
    expect(of(campaign(2, 'notes'), `${project(1)}?age=2`)).toBe(`${campaign(2)}?age=2`))
  it('does not exist where there is no such tab', () => expect(of(campaign(2), project(1, 'landing-page'))).toBeNull())
  it('does not exist for a record of another kind', () => expect(of('/dashboard/clients', project(1))).toBeNull())
  it('keeps parameters of its own record', () =>
    expect(of(`${project(2, 'project-rewarded')}?like=7`, `${project(1, 'project-rewarded')}?like=9&status=all`)).toBe(
      `${project(2, 'project-rewarded')}?like=7&status=all`,
    ))
})

describe('linked columns', () => {
  const two = columnsOf([project(1), project(2)], 0, true)
  it('step through each pane’s own history together', () => {
    const there = step(two, (layout) => go(layout, 'p1', project(1, 'specifications'), 'push'))
    const back = step(there, (layout) => travel(layout, 'p1', -1))
    expect([refsOf(back), paneAt(back, 1).history]).toEqual([
      [project(1), project(2)],
      [project(2), project(2, 'specifications')],
    ])
  })
  it('change a filter in place in all of them', () => {
    const after = step(two, (layout) => go(layout, 'p2', `${project(2)}?age=2,3`, 'replace'))
    expect([refsOf(after), paneAt(after, 0).history.length]).toEqual([[`${project(1)}?age=2,3`, `${project(2)}?age=2,3`], 1])
  })
  it('leave a pane without that tab in place', () => {
    const mixed = columnsOf([project(1), campaign(2), project(3)], 0, true)
    const after = step(mixed, (layout) => go(layout, 'p1', project(1, 'landing-page'), 'push'))
    expect(refsOf(after)).toEqual([project(1, 'landing-page'), campaign(2), project(3, 'landing-page')])
  })
  it('take the active one’s tab and filters when linked', () => {
    const loose = columnsOf([project(1, 'project-notes'), `${project(2)}?age=2`], 1, false)
    expect(refsOf(step(loose, link))).toEqual([`${project(1)}?age=2`, `${project(2)}?age=2`])
  })
  it('are the same panes after linking and unlinking', () => {
    const loose = columnsOf([project(1), project(2)], 0, false)
    const after = step(step(loose, link), unlink)
    expect(panesOf(after)).toEqual(panesOf(loose))
  })
  it('require records of one kind', () => {
    expect(unlinkable(columnsOf([project(1), campaign(2)], 0))).toBeNull()
    expect(unlinkable(columnsOf([project(1), '/dashboard/clients'], 0))).toBe('no other column shows a record like this one')
    expect(unlinkable(columnsOf(['/dashboard/clients', '/dashboard/clients'], 0))).not.toBeNull()
  })
})

describe('a comparison', () => {
  it('has its members from left to right, whichever has the focus', () =>
    expect(comparisonOf(columnsOf([project(1), '/dashboard/clients', project(2)], 2, true))?.members).toEqual(['p1', 'p3']))
  it('says who couldn’t follow, and why', () =>
    expect(comparisonOf(columnsOf([project(1, 'landing-page'), campaign(2), project(3, 'landing-page')], 0, true))).toEqual({
      members: ['p1', 'p3'],
      apart: [{ id: 'p2', why: 'This survey project has no Landing page.' }],
    }))
  it('continues without a failed pane: the next is the baseline', () =>
    expect(comparisonOf(columnsOf([project(1), project(2), project(3)], 0, true), new Set(['p1']))?.members).toEqual([
      'p2',
      'p3',
    ]))
  it('doesn’t exist for unlinked columns', () => expect(comparisonOf(columnsOf([project(1), project(2)], 0))).toBeNull())
  it('doesn’t exist for a single record', () =>
    expect(comparisonOf(columnsOf([project(1), '/dashboard/clients'], 0, true))).toBeNull())
})

describe('lining up', () => {
  const open = columnsOf(['/dashboard/all-projects', project(2, 'project-notes'), '/dashboard/clients'], 0)
  it('makes linked columns of equal width, the first with the focus', () => {
    const after = lineUp(open, [project(1), project(2), project(3)])
    expect([refsOf(after), after.linked, after.active, after.columns.map(({ size }) => Math.round(size))]).toEqual([
      [project(1), project(2), project(3)],
      true,
      0,
      [33, 33, 33],
    ])
  })
  it('reuses a pane that already shows a record, with its history', () => {
    const after = lineUp(open, [project(1), project(2)])
    expect(paneAt(after, 1)).toMatchObject({ id: 'p2', history: [project(2, 'project-notes'), project(2)] })
  })
  it('shows one record twice in two panes', () => {
    const after = lineUp(open, [project(2), project(2)])
    expect(new Set(panesOf(after).map(({ id }) => id)).size).toBe(2)
  })
  it('keeps panes with unsaved typing behind the first', () => {
    const after = lineUp(open, [project(1), project(3)], new Set(['p2']))
    expect([after.columns[0]!.tabs.map(({ id }) => id).includes('p2'), paneAt(after, 0).ref]).toEqual([true, project(1)])
  })
  it('has at most four', () =>
    expect(
      lineUp(
        open,
        [1, 2, 3, 4, 5].map((id) => project(id)),
      ).columns,
    ).toHaveLength(4))
  it('adds one on the tab and filters of the others', () => {
    const two = columnsOf([`${project(1)}?age=2`, `${project(2)}?age=2`], 0, true)
    expect(refsOf(addTo(two, [campaign(3)]))).toEqual([`${project(1)}?age=2`, `${project(2)}?age=2`, `${campaign(3)}?age=2`])
  })
})

describe('swapping columns', () => {
  const three = columnsOf([project(1), project(2), project(3)], 1, true)
  it('makes another one the baseline, and follows it with the focus', () => {
    const after = swap(three, -1)
    expect([refsOf(after), comparisonOf(after)?.members[0], after.active]).toEqual([
      [project(2), project(1), project(3)],
      'p2',
      0,
    ])
  })
  it('keeps each column where it is', () =>
    expect(swap(three, 1).columns.map(({ id }) => id)).toEqual(three.columns.map(({ id }) => id)))
  it('does nothing at the edge', () => expect(swap(swap(three, -1), -1)).toEqual(swap(three, -1)))
  it('loses no pane', () => expect(['p1', 'p2', 'p3'].every((id) => placeOf(swap(three, -1), id))).toBe(true))
})
