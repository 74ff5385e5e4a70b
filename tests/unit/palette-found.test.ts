import { describe, expect, it } from 'vitest'
import type { Subject } from '../../src/commands/subject.ts'
import type { ListController, WorkspaceApi } from '../../src/commands/workspaceApi.ts'
import { type Before, type Section, sectionsFor } from '../../src/palette/paletteRows.ts'
import { buildIndex } from '../../src/search/build.ts'
import { type Entry, toEntity } from '../../src/search/feed.ts'
import { openIndex } from '../../src/search/searcher.ts'
import type { CommandId } from '../support/commands.ts'
// Loads the commands of all areas.
import '../support/commands.ts'
import { checkRows } from './rows.ts'

/* Queries for things other than records, and how they rank among records. */

const project: Subject = {
  kind: 'project',
  id: 4812,
  name: 'Summer Snack Tracker',
  allowed_actions: ['project.assignPartner', 'project.clone', 'project.pause', 'project.delete'],
  refused_actions: {},
}
const item = (label: string) => ({ id: label.toLowerCase(), label, onSelect() {} })
const column = (header: string) => ({ id: header.toLowerCase(), header })
const list = {
  cursor: null,
  selected: [],
  orders: () => [item('Newest first'), item('Cost'), item('Ends')],
  columnsAt: { all: [column('Cost'), column('Client'), column('Delivered')], chosen: [] },
} as unknown as ListController
const places: Record<string, { value: string; label: string; detail: string }[]> = {
  filter: [
    { value: '3', label: 'Status', detail: 'Active' },
    { value: '4', label: 'Client', detail: '' },
  ],
  tab: [{ value: 'notes', label: 'Notes', detail: '' }],
}
const given = (chip: readonly Subject[] = [project]): Before => {
  const at = { focused: chip[0] ?? null, cursor: null, selected: [] }
  return {
    workspace: {
      me: { id: 1, role: 'admin', acting: false },
      list: () => list,
      form: () => null,
      undoList: () => [],
      commandHistory: () => [],
      files: { ready: () => null },
      places: (kind: string) => places[kind] ?? [],
      layout: { openTabs: () => [], isZen: () => false },
      unread: () => 0,
      needsMe: () => 0,
      compare: { cannot: () => null },
      subjects: () => at,
    } as unknown as WorkspaceApi,
    at,
    chip,
    keysOf: (id: CommandId) => (id === 'session.signOut' ? 'g l' : null),
    usage: () => 0,
    last: null,
    questions: [],
  }
}
const before = given()
const titlesOf = (sections: readonly Section[]) => sections.flatMap(({ rows }) => rows.map(({ title }) => title))
const titles = (typed: string) => titlesOf(sectionsFor(typed, before, [], [], 0, 'https://fieldwork.test'))

describe('commands, screens and help are found first by everyday words', () => {
  it('in any wording and order', () => {
    checkRows(
      [
        // Commands, by people's words for them.
        ['log out', 'Sign out'],
        ['logout', 'Sign out'],
        ['sing out', 'Sign out'],
        ['log out everywhere', 'Sign out everywhere else'],
        ['dark mode', 'Dark theme'],
        ['night mode', 'Dark theme'],
        ['theme dark', 'Dark theme'],
        ['dakr theme', 'Dark theme'],
        ['light mode', 'Light theme'],
        ['pw', 'Send a temporary password'],
        ['pasword', 'Send a temporary password'],
        ['change password', 'Send a temporary password'],
        ['reset pw', 'Send a temporary password'],
        ['full screen', 'Zen: only this pane'],
        ['zen', 'Zen: only this pane'],
        ['compact', 'Compact rows'],
        ['density', 'Compact rows'],
        ['undo', 'Undo'],
        ['go back', 'Back in this pane'],
        ['close tab', 'Close tab'],
        ['reopen tab', 'Reopen closed tab'],
        ['copy link', 'Copy link'],
        ['link copy', 'Copy link'],
        ['print', 'Print'],
        ['impersonate', 'Act as this user…'],
        ['assing partner', 'Invite partners…'],
        ['partner invite', 'Invite partners…'],
        ['inp', 'Invite partners…'],
        ['pause', 'Pause…'],
        ['pasue', 'Pause…'],
        ['suspend', 'Pause…'],
        ['clone', 'Clone project'],
        ['duplicate project', 'Clone project'],
        ['delete project', 'Delete project'],
        ['remove project', 'Delete project'],
        ['new project', 'New project'],
        ['create project', 'New project'],
        ['add client', 'New client…'],
        ['invite user', 'Invite a user…'],
        ['compare', 'Compare…'],
        ['split view', 'Compare…'],
        ['save view', 'Save this view…'],
        ['new api key', 'New API key…'],
        // Screens and tabs.
        ['clients', 'Clients'],
        ['client', 'Clients'],
        ['cleints', 'Clients'],
        ['customers', 'Clients'],
        ['vendors', 'Partners'],
        ['suppliers', 'Partners'],
        ['people', 'Users'],
        ['users', 'Users'],
        ['survey', 'Survey library'],
        ['surveys', 'Survey library'],
        ['questionnaires', 'Survey library'],
        ['teams', 'Teams'],
        ['inbox', 'Inbox'],
        ['alerts', 'Notifications'],
        ['sent mails', 'Outbox'],
        ['go to mail', 'Go to email…'],
        ['send me a test mail', 'Send me a test email'],
        ['take out of the group', 'Remove from group'],
        ['give access', 'Give access to users…'],
        ['background jobs', 'Jobs'],
        ['stores', 'Locations'],
        ['projects', 'All projects'],
        ['home', 'All projects'],
        ['company settings', 'Organization'],
        ['preferences', 'Account settings'],
        ['my account', 'Account settings'],
        ['timezone', 'Account settings'],
        ['history', 'History'],
        ['audit log', 'History'],
        ['notes', 'Notes'],
        ['gift cards', 'Rewards'],
        // Settings, filters, orders, columns and tabs of the pane.
        ['usual margin', 'Setting: Usual margin'],
        ['margin usual', 'Setting: Usual margin'],
        ['filter status', 'Filter: Status'],
        ['filter by client', 'Filter: Client'],
        ['status filter', 'Filter: Status'],
        ['sort by cost', 'Sort: Cost'],
        ['order ends', 'Sort: Ends'],
        ['newest first', 'Sort: Newest first'],
        ['column delivered', 'Column: Delivered'],
        ['hide column cost', 'Column: Cost'],
        // Keys and help.
        ['shortcuts', 'Keys and commands'],
        ['hotkeys', 'Keys and commands'],
        ['keyboard shortcuts', 'Keys and commands'],
        ['cheat sheet', 'Keys and commands'],
        ['help', 'Keys and commands'],
      ],
      ([typed, title]) => expect(titles(typed)[0]).toBe(title),
    )
  })

  it('a command is found by the verb that its title no longer has', () => {
    expect(titles('take access')).toContain('Remove access from users…')
    expect(titles('take off client')).toContain('Remove from a client…')
  })

  it('what downloads is found by “download”', () =>
    expect(titles('download').filter((title) => /Export|Download/.test(title)).length).toBeGreaterThan(2))
  it('a screen in the sidebar and one beside it with the same title are one result', () =>
    expect(titles('sur').filter((title) => title === 'Survey projects')).toHaveLength(1))
  it('help is searched by what users call the commands', () => expect(titles('?log out')[0]).toBe('Sign out'))
})

describe('records among the other results', () => {
  const entries: Entry[] = [
    ['project', 1, 'Reopened Panel', 'Acme · Completed'],
    ['project', 2, 'Reopened Panel Two', 'Acme · Active'],
    ['survey', 3, 'Reopened Panel', 'survey · Reopened Panel'],
    ...Array.from({ length: 6 }, (_, n): Entry => ['activity', 10 + n, 'Snack survey', `activity · Snack Study ${n}`]),
    ['project', 20, 'Snack Survey Study', 'Acme · Active'],
    ['client', 21, 'Snack Foods', 'client'],
  ]
  const found = (typed: string, used: readonly string[] = []) => {
    const searcher = openIndex(buildIndex(entries.map(toEntity)))
    searcher.use(used.map((key) => [key, 5] as const))
    return sectionsFor(typed, before, searcher.search(typed, { limit: 40 }).hits, [], entries.length, 'https://fieldwork.test')
  }
  const rowsOf = (sections: readonly Section[]) => sections.flatMap(({ rows }) => rows)

  it('an opened record is above all disabled commands, which stay visible', () => {
    const plain = rowsOf(found('re'))
    const cannot = plain.filter(({ reason }) => reason !== null)
    expect(cannot.length).toBeGreaterThan(3)
    expect(plain.findIndex(({ reason }) => reason !== null)).toBeLessThan(
      plain.findIndex(({ title }) => title === 'Reopened Panel'),
    )
    const used = rowsOf(found('re', ['project:1']))
    const at = used.findIndex(({ key }) => key === 'entity:project:1')
    expect(used.slice(0, at).filter(({ reason }) => reason !== null)).toEqual([])
    expect(used.filter(({ reason }) => reason !== null)).toHaveLength(cannot.length)
    expect(found('re', ['project:1']).at(-1)!.title === 'Can’t run now' || at === 0).toBe(true)
  })
  it('at most three results of one title are together, and further ones follow all others', () => {
    const among = found('snack').find(({ title }) => title.startsWith('Found'))!
    const names = among.rows.map(({ title }) => title)
    expect(names).toHaveLength(8)
    expect(names.slice(0, 5).filter((title) => title === 'Snack survey')).toHaveLength(3)
    expect(names.slice(5)).toEqual(['Snack survey', 'Snack survey', 'Snack survey'])
  })
  it('a survey is behind its project and says its kind, and a finished project is behind a running one', () => {
    const rows = rowsOf(found('reopened')).filter(({ act }) => act.type === 'entity')
    expect(rows.map(({ key }) => key)).toEqual(['entity:project:2', 'entity:project:1', 'entity:survey:3'])
    expect(rows.map(({ detail }) => detail)).toEqual([
      'P-2 · Acme · Active',
      'P-1 · Acme · Completed',
      'S-3 · survey · Reopened Panel',
    ])
  })
  describe('that are announcements, or lack a word,', () => {
    const more: Entry[] = [
      ['notice', 30, 'Exports as Excel', 'inbox'],
      ['notice', 31, 'Help us improve', 'inbox'],
      ['client', 32, 'Lantern Mutual Assurance', 'client'],
      ...Array.from({ length: 8 }, (_, n): Entry => ['location', 40 + n, `Go Mart ${n}`, 'location']),
    ]
    const among = (typed: string) => {
      const searcher = openIndex(buildIndex([...entries, ...more].map(toEntity)))
      const { hits } = searcher.search(typed, { limit: 40 })
      return sectionsFor(typed, before, hits, [], 60, 'https://fieldwork.test')
    }
    const first = (typed: string) => rowsOf(among(typed))[0]!
    it('come after commands, but for an announcement’s whole title', () => {
      for (const typed of ['export', 'help']) expect(first(typed).act.type, typed).toBe('command')
      expect(first('exports as excel').key).toBe('entity:notice:30')
      expect(rowsOf(among('export')).map(({ key }) => key)).toContain('entity:notice:30')
    })
    it('come after the command whose own word is typed', () => {
      expect(first('assign').act.type).toBe('command')
    })
    it('are last and few without a typed word, and none for a short one', () => {
      const sections = among('go live')
      const without = sections.flatMap(({ rows }) => rows.filter(({ detail }) => detail.startsWith('without')))
      expect(without.length).toBeLessThanOrEqual(3)
      expect(sections.at(-1)!.rows.slice(-without.length || undefined)).toEqual(without.length ? without : sections.at(-1)!.rows)
      expect(rowsOf(among('dark')).filter(({ detail }) => detail.startsWith('without'))).toEqual([])
    })
  })
  it('one row adds a thing', () => {
    for (const thing of ['New team', 'New survey', 'New activity', 'New location'])
      expect(
        titlesOf(found(thing)).filter((title) => title.replace(/…$/, '') === thing),
        thing,
      ).toHaveLength(1)
  })
  it('nobody reads a version of the interface in a title', () => {
    for (const typed of ['teams', 'users', 'locations', 'survey', 'older', 'v3'])
      expect(
        titlesOf(found(typed)).filter((title) => /\bv[13]\b|\bolder\b/i.test(title)),
        typed,
      ).toEqual([])
  })
  it('sections are in the order of their best rows', () => {
    expect(found('snack survey study')[0]!.title).toBe('Found among 11')
    expect(titlesOf(found('surveys'))[0]).toBe('Survey library')
    expect(titlesOf(found('clone'))[0]).toBe('Clone project')
  })
})
