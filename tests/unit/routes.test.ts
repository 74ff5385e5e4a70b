import { readFileSync } from 'node:fs'
import { parse } from 'regexparam'
import { describe, expect, it } from 'vitest'
import { matchRoute } from 'wouter'
import { nounOf } from '../../contract/nounOf.ts'
import { match, refusal, resolve, resolveOrHome } from '../../src/routing/match.ts'
import { HOME, href, type RouteId, routeIds, rowOf, sections } from '../../src/routing/routes.ts'
import { paneTitle, tabsOf } from '../../src/routing/tabs.ts'
import { screens } from '../../src/screens.ts'
import { checkRows } from './rows.ts'

const VALUES: Record<string, string> = { questionType: 'survey', filter: 'none', key: 'abcdef12' }
const fill = (path: string) => path.replace(/\{(\w+)\}/g, (_, name: string) => VALUES[name] ?? '7')

describe('every route of the table', () => {
  const routes = routeIds.map((id) => ({ id, row: rowOf(id) }))
  const path = ({ path }: { path: string }) => path

  it('is found, by its canonical path', () => {
    checkRows(
      routes,
      ({ id, row }) => {
        const found = match(fill(row.path))!
        if (row.leads) expect(found.path).toBe(match(row.leads)!.path)
        else expect(found.id).toBe(id)
        expect(match(found.ref)!.ref).toBe(found.ref)
      },
      ({ row }) => row.path,
    )
  })
  it('has its tabs at their paths', () => {
    const tabs = routes.flatMap(({ id, row }) =>
      Object.entries(row.tabs ?? {}).map(([key, tab]) => ({ id, key, tab, path: `${row.path}/${tab.path}` })),
    )
    checkRows(
      tabs,
      ({ id, key, tab, path }) => {
        const found = match(fill(path))!
        expect([found.id, found.tabRow, found.tab]).toEqual([id, tab, tab.shows ?? key])
        expect(found.path).toBe(fill(path))
      },
      path,
    )
  })
  it('is what its aliases redirect to', () => {
    const aliases = routes.flatMap(({ id, row }) =>
      [...(row.aliases ?? []), ...Object.values(row.tabs ?? {}).flatMap((tab) => tab.aliases ?? [])].map((path) => ({
        id,
        path,
      })),
    )
    checkRows(
      aliases,
      ({ id, path }) => {
        const found = match(fill(path))!
        expect(found.id).toBe(id)
        expect(found.path).not.toBe(fill(path))
      },
      path,
    )
  })
})

const rows = readFileSync(new URL('../support/routes.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line && !line.startsWith('#'))
  .map((line) => line.split('\t') as [string, string, string])
it('every screen of the specification is there, for whom it says', () => {
  checkRows(
    rows,
    ([path, access]) => {
      const found = match(fill(path))
      expect(found).not.toBeNull()
      const row = found!
      if (access === 'admin') expect(refusal(row, 'client')).toBe('Only administrators can open this.')
      if (access === 'client' || access === 'public') expect(refusal(row, 'client')).toBeNull()
      if (access === 'public') expect(row.row.outside).toBe(true)
      expect(refusal(row, 'admin')).toBeNull()
    },
    ([path, access]) => `${path} for ${access}`,
  )
})

describe('what screens say of themselves', () => {
  it('has no API’s generation', () => {
    const spoken = routeIds.map((id) => [id, rowOf(id).title, rowOf(id).about].join(' '))
    expect(spoken.filter((words) => /\b(older|newer|legacy|v[13])\b/i.test(words))).toEqual([])
  })
})

describe('paths', () => {
  it('begin with a parameter only where it is a number', () => {
    expect(match('/dashboard/12/edit-project')?.id).toBe('editProjectWizard')
    expect(match('/dashboard/all/edit-project')).toBeNull()
    expect(match('/dashboard/12/edit-target')?.id).toBe('editTarget')
    expect(match('/dashboard/3/12/edit-market')?.params).toEqual({ project_id: '3', id: '12' })
  })
  it('without /dashboard lead to their /dashboard path', () => {
    expect(resolve('/clients')?.path).toBe('/dashboard/clients')
    expect(resolve('project-info/4')?.path).toBe('/dashboard/project-info/4/dashboard')
    expect(resolve('/12/edit-project')?.path).toBe('/dashboard/12/edit-project')
  })
  it('that are unknown lead to all projects', () => {
    expect(resolveOrHome('/dashboard/nonsense').path).toBe(HOME)
    expect(resolveOrHome('/dashboard/project-info/abc').path).toBe(HOME)
  })
  it('may end with a slash, and keep their query through a redirect', () => {
    expect(match('/dashboard/clients/?search=a')?.ref).toBe('/dashboard/clients?search=a')
    expect(match('/dashboard/allProjects?search=a')?.ref).toBe('/dashboard/all-projects?search=a')
  })
  it('of a screen with tabs open its opening tab', () => {
    expect(match('/dashboard/project-info/4')?.path).toBe('/dashboard/project-info/4/dashboard')
    expect(match('/dashboard/surveyProInfo/4')?.path).toBe('/dashboard/surveyProInfo/4/overview')
    expect(match('/dashboard/group-info/4')?.path).toBe('/dashboard/group-info/4')
  })
})

describe('a path, to wouter', () => {
  const paths = routeIds.flatMap((id) => {
    const row = rowOf(id)
    return [row.path, ...Object.values(row.tabs ?? {}).map((tab) => `${row.path}/${tab.path}`)]
  })
  it('has the same parameters as to us', () => {
    checkRows(paths, (path) => {
      const [matches, params] = matchRoute(parse, path.replace(/\{(\w+)\}/g, ':$1'), fill(path))
      expect([matches, params]).toMatchObject([true, match(fill(path))!.params])
    })
  })
  it('ignores case, unlike ours, which would give a screen two addresses', () => {
    expect(matchRoute(parse, '/dashboard/clients', '/dashboard/Clients')[0]).toBe(true)
    expect(match('/dashboard/Clients')).toBeNull()
  })
  it('accepts any text as a parameter, unlike ours', () => {
    expect(matchRoute(parse, '/dashboard/project-info/:id/dashboard', '/dashboard/project-info/all/dashboard')[0]).toBe(true)
    expect(match('/dashboard/project-info/all/dashboard')).toBeNull()
  })
})

describe('href', () => {
  it('builds the address of a screen, its tab and its query', () => {
    expect(href('project', { id: 4812 }, { tab: 'specifications', query: { age: '2,3', none: null } })).toBe(
      '/dashboard/project-info/4812/specifications?age=2,3',
    )
    expect(href('project', { id: 4812 })).toBe('/dashboard/project-info/4812/dashboard')
    expect(href('clients')).toBe('/dashboard/clients')
  })
  it('is rejected by the compiler for unknown routes', () => {
    // @ts-expect-error a parameter is missing
    expect(() => href('project')).toThrow()
    // @ts-expect-error no such tab
    expect(() => href('project', { id: 1 }, { tab: 'nonsense' })).toThrow()
    // @ts-expect-error no such route
    expect(() => href('nonsense')).toThrow()
  })
})

describe('the tab row', () => {
  it('of a project shows administrators the specification’s six, in order', () => {
    expect(tabsOf('/dashboard/project-info/4/dashboard', 'admin').map((tab) => tab.title)).toEqual([
      'Specifications',
      'Overview',
      'User Responses',
      'Reward Center',
      'History',
      'Notes',
    ])
  })
  it('of a project shows a client user three', () => {
    expect(tabsOf('/dashboard/project-info/4/dashboard', 'client').map((tab) => tab.title)).toEqual([
      'Specifications',
      'Overview',
      'User Responses',
    ])
  })
  it('of a survey project has Notes only for administrators', () => {
    const titles = (role: 'admin' | 'client') => tabsOf('/dashboard/surveyProInfo/4/overview', role).map((tab) => tab.title)
    expect(titles('admin')).toEqual([
      'Specifications',
      'Details',
      'User Responses',
      'User Content',
      'Approval',
      'History',
      'Notes',
    ])
    expect(titles('client')).not.toContain('Notes')
  })
  it('shows a second name of a screen as the screen itself', () => {
    const tabs = tabsOf('/dashboard/project-info/4/rewarded-per-project', 'admin')
    expect(tabs.filter((tab) => tab.selected).map((tab) => tab.title)).toEqual(['Reward Center'])
    const older = tabsOf('/dashboard/project-info/4/rewards', 'admin')
    expect(older.filter((tab) => tab.selected).map((tab) => tab.title)).toEqual(['Rewards'])
  })
})

it('a tab is titled by its record, plus the screen if it isn’t the first', () => {
  expect(paneTitle(match('/dashboard/project-info/4/dashboard'), 'W3')).toBe('W3')
  expect(paneTitle(match('/dashboard/project-info/4/project-rewarded'), 'W3')).toBe('W3 · Reward Center')
  expect(paneTitle(match('/dashboard/project-info/4/dashboard'), null)).toBe('Project 4')
  expect(paneTitle(match('/dashboard/brand-editor/0'), null)).toBe('New brand')
})

it('the sidebar has five sections, and each entry opens directly', () => {
  expect(sections.map(({ title }) => title)).toEqual(['Projects', 'Visitation', 'Add', 'Settings', 'v3'])
  for (const { entries } of sections) for (const { id, path } of entries) expect(match(path)?.id).toBe(id)
})

it('every screen has a header, a style class and a sentence, and a pane', () => {
  for (const id of routeIds as RouteId[]) {
    const row = rowOf(id)
    expect(row.header.text, id).toBeTruthy()
    expect(row.header.style, id).toMatch(/^page-[a-z0-9-]+$/)
    expect(row.about, id).toMatch(/\.$/)
    if (!row.leads && id !== 'snapshot') expect(screens[id], id).toBeTruthy()
  }
})

it('two screens about one record never have the same title, by which a screen reader distinguishes their tabs', () => {
  const titles = routeIds.flatMap((id) => {
    const row = rowOf(id)
    if (row.outside || row.leads || !row.subject || !nounOf(row.subject)?.screen) return []
    const tabs = Object.values(row.tabs ?? {})
    const paths = tabs.length ? tabs.filter((tab) => !tab.shows).map((tab) => `${row.path}/${tab.path}`) : [row.path]
    return paths.map((path) => `${row.subject}: ${paneTitle(match(path.replace(/\{\w+\}/g, '7')), 'W3')}`)
  })
  expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([])
})
