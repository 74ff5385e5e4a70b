import { describe, expect, it } from 'vitest'
import { keymap } from '../../src/commands/keymap.ts'
import type { Subject } from '../../src/commands/subject.ts'
import type { ListController, WorkspaceApi } from '../../src/commands/workspaceApi.ts'
import { type Before, browsing, kindsOf, pasted, readPrefix, sectionsFor } from '../../src/palette/paletteRows.ts'
import { inUse, keysOf } from '../../src/runner/keys/bindings.ts'
import type { Hit } from '../../src/search/types.ts'
import { type CommandId, commandOf } from '../support/commands.ts'
import { checkRows } from './rows.ts'

const origin = 'https://fieldwork.test'
const project: Subject = {
  kind: 'project',
  id: 4812,
  name: 'Summer Snack Tracker',
  allowed_actions: ['project.assignPartner', 'project.clone'],
  refused_actions: { 'project.pause': 'it is approved, not active' },
}
const at = (
  chip: readonly Subject[] = [project],
  role: 'admin' | 'client' = 'admin',
  uses: Record<string, number> = {},
): Before => ({
  workspace: {
    me: { id: 1, role, acting: false },
    list: () => null,
    form: () => null,
    undoList: () => [],
    commandHistory: () => [],
    files: { ready: () => null },
    places: () => [],
    layout: { openTabs: () => [], isZen: () => false },
    unread: () => 0,
    needsMe: () => 0,
    compare: { cannot: () => null },
    subjects: () => ({ focused: chip[0] ?? null, cursor: null, selected: [] }),
  } as unknown as WorkspaceApi,
  at: { focused: chip[0] ?? null, cursor: null, selected: [] },
  chip,
  keysOf: () => null,
  usage: (key) => uses[key] ?? 0,
  last: null,
  questions: [],
})
const hit = (name: string, tier: Hit['tier'] = 2): Hit => ({
  key: `project:${name}`,
  kind: 'project',
  id: 1,
  name,
  detail: 'Acme',
  score: 1,
  tier,
  ranges: [],
  detailRanges: [],
  used: false,
  without: [],
})
const titles = (text: string, given = at(), hits: Hit[] = [], late: Hit[] = []) =>
  sectionsFor(text, given, hits, late, 500, origin).flatMap(({ rows }) => rows.map(({ title }) => title))

it('a row’s own actions come first under “>”, whatever was used before', () => {
  const used = { ...at(), usage: (key: string) => (key.startsWith('add.') ? 9 : 0) }
  const sections = sectionsFor('>', used, [], [], 500, origin)
  expect(sections[0]!.title).toMatch(/^For “?/)
})

describe('typed text', () => {
  it('may begin with a prefix', () =>
    expect([readPrefix('>pause'), readPrefix('asp')]).toEqual([
      { prefix: '>', query: 'pause' },
      { prefix: '', query: 'asp' },
    ]))
  it('finds people after @ and no records after >', () =>
    expect([kindsOf('@'), kindsOf('>')]).toEqual([['user', 'partner'], null]))
})

describe('pasted text', () => {
  it('is a path of ours, with or without the origin', () => {
    expect([pasted('/dashboard/clients', origin)?.title, pasted(`${origin}/dashboard/clients`, origin)?.title]).toEqual([
      'Open Clients',
      'Open Clients',
    ])
  })
  it('is a whole layout when it has neighbours', () =>
    expect(pasted(`${origin}/dashboard/clients?beside=/users-info`, origin)?.act.type).toBe('link'))
  it('isn’t a search for a screen by its first word', () => expect(pasted('/clients', origin)).toBeNull())
  it('is refused for another site, with the reason', () =>
    expect(pasted('https://elsewhere.test/dashboard/clients', origin)?.reason).toBe('it leads to another site, elsewhere.test'))
  it('is nothing for an unknown path', () => expect(pasted('/dashboard/nowhere/4', origin)).toBeNull())
})

describe('the list', () => {
  it('finds "inp" as Invite partners first', () => expect(titles('inp')[0]).toBe('Invite partners…'))
  it('shows disabled commands with a reason when searched for', () => {
    const row = sectionsFor('pause', at(), [], [], 500, origin)[0]!.rows[0]!
    expect([row.title, row.reason]).toEqual(['Pause…', 'it is approved, not active'])
  })
  it('puts disabled commands before weaker matches, and after equal ones', () => {
    expect(titles('paus')[0]).toBe('Pause…')
    expect(titles('pause', at(), [hit('Pause Study')])[0]).toBe('Pause Study')
    expect(titles('paus', at(), [hit('Paul’s Study', 8)])[0]).toBe('Pause…')
  })
  it('puts a record that was opened before commands that match as well and were never run', () => {
    expect(titles('pri', at(), [{ ...hit('Primrose Study'), used: true }])[0]).toBe('Primrose Study')
  })
  it('says which typed words a record was found without, and marks its second line', () => {
    const found: Hit = { ...hit('Summer Study', 9), id: 7, without: ['final'], detailRanges: [[0, 4]] }
    const [row] = sectionsFor('acme final', at(), [found], [], 1, origin).flatMap(({ rows }) => rows)
    expect(row!.detail).toBe('without “final” · P-7 · Acme')
    expect(row!.detailRanges!.map(([from, to]) => row!.detail.slice(from, to))).toEqual(['Acme'])
  })
  it('leaves out disabled commands while nothing is typed', () => {
    expect(browsing(at(), []).flatMap(({ rows }) => rows.map(({ title }) => title))).not.toContain('Pause…')
  })
  it('offers a command without its record, and asks which', () => {
    const [row] = sectionsFor('assign partner', at([]), [], [], 500, origin).flatMap(({ rows }) => rows)
    expect([row!.detail, row!.act]).toMatchObject(['asks which project', { type: 'command', asksSubject: true }])
  })
  it('hides administrators’ commands from client users', () =>
    expect(titles('assign partner', at([project], 'client'))).not.toContain('Invite partners…'))
  it('puts used commands before unused ones, even while typing', () => {
    const plain = titles('c')
    const used = titles('c', at([project], 'admin', { 'project.clone project': 1 }))
    expect(used.indexOf('Clone project')).toBeLessThanOrEqual(plain.indexOf('Clone project'))
    expect(used.indexOf('Clone project')).toBe(0)
  })
  it('puts records first if they match better', () =>
    expect(titles('summer', at([]), [hit('Summer Snack Tracker', 1)])[0]).toBe('Summer Snack Tracker'))
  it('puts a command first if the typed word is in its title alone, whatever records begin with it', () => {
    for (const word of ['health', 'HEALTH', ' Health '])
      expect(titles(word, at([]), [hit('Health and more')])[0]).toBe('System health')
    // A record of that very name, and one that was opened before.
    expect(titles('health', at([]), [hit('Health', 1)])[0]).toBe('Health')
    expect(titles('health', at([]), [{ ...hit('Health care'), used: true }])[0]).toBe('Health care')
    // It is only begun.
    expect(titles('heal', at([]), [hit('Healthy')])[0]).toBe('Healthy')
  })
  it('says among how many names late records were found, unless earlier ones say so', () => {
    const sections = (hits: Hit[]) => sectionsFor('@prone', at(), hits, [hit('Prone')], 500, origin).map(({ title }) => title)
    expect(sections([])).toEqual(['Found among 500'])
    expect(sections([hit('Proneness')])).toEqual(['Found among 500', 'Also found'])
  })
  it('appends late records below everything', () =>
    expect(titles('clone', at(), [], [hit('Clone Wars Study')]).at(-1)).toBe('Clone Wars Study'))
  it('holds at most 50 rows', () =>
    expect(
      titles(
        'a',
        at(),
        Array.from({ length: 80 }, (_, number) => hit(`A${number}`)),
      ).length,
    ).toBeLessThanOrEqual(50))
  it('gives every row a unique key', () => {
    const keys = sectionsFor('pro', at(), [hit('Pro')], [hit('Prone')], 500, origin).flatMap(({ rows }) =>
      rows.map(({ key }) => key),
    )
    expect(new Set(keys).size).toBe(keys.length)
  })
  it('finds synonyms, in any wording', () => {
    checkRows(
      [
        ['log out', 'Sign out'],
        ['signout', 'Sign out'],
        ['darkmode', 'Dark theme'],
        ['keyboard shortcuts', 'Keys and commands'],
        ['keybindings', 'Keys and commands'],
        ['full screen', 'Zen: only this pane'],
        ['customers', 'Clients'],
        ['vendors', 'Partners'],
        ['people', 'Users'],
        ['gift cards', 'Rewards'],
        ['company settings', 'Organization'],
        ['impersonate', 'Act as this user…'],
        ['invite a colleague', 'Invite a user…'],
        ['create a project', 'New project'],
        ['pause the project', 'Pause…'],
        ['copy project', 'Clone project'],
        ['start project', 'Go live'],
        ['download list', 'Export this list…'],
        ['assing partner', 'Invite partners…'],
      ],
      ([typed, title]) => expect(titles(typed).slice(0, 2)).toContain(title),
    )
  })
  it('puts literal matches before synonyms', () =>
    expect(titles('add projects').indexOf('Add projects…')).toBeLessThan(titles('add projects').indexOf('New project')))
  it('finds nothing for a word that has no synonym here', () => expect(titles('billing webhooks')).toEqual([]))
  it('says which typed word a command was found without, and only if nothing has all of them', () => {
    const [row] = sectionsFor('clone project quickly', at(), [], [], 500, origin).flatMap(({ rows }) => rows)
    expect([row!.title, row!.detail.split(' · ')[0]]).toEqual(['Clone project', 'without “quickly”'])
    expect(sectionsFor('clone project quickly', at(), [], [], 500, origin, true)).toEqual([])
    expect(titles('clone project quickly', at(), [hit('Clone Project Quickly')])).toEqual(['Clone Project Quickly'])
  })
  it('finds the pane’s filters, tabs and fields, and settings, by their names', () => {
    const given = at()
    given.workspace.places = (kind) => (kind === 'filter' ? [{ value: '3', label: 'Status', detail: 'Active' }] : [])
    const [filter] = sectionsFor('filter by status', given, [], [], 500, origin).flatMap(({ rows }) => rows)
    expect([filter!.title, filter!.act]).toEqual([
      'Filter: Status',
      { type: 'command', id: 'pane.filter', subjects: [], answers: { filter: '3' } },
    ])
    expect(titles('usual margin')[0]).toBe('Setting: Usual margin')
    expect(titles('usual margin', at([project], 'client'))).not.toContain('Setting: Usual margin')
  })
  it('finds the list’s orders and columns by their names', () => {
    const given = at()
    const item = (label: string) => ({ id: label.toLowerCase(), label, onSelect() {} })
    const column = (header: string) => ({ id: header.toLowerCase(), header })
    const list = {
      orders: () => [item('Newest first'), item('Cost'), item('Ends')],
      columnsAt: { all: [column('Cost'), column('Client')], chosen: [] },
    }
    given.workspace.list = () => list as unknown as ListController
    expect(titles('sort by cost', given)[0]).toBe('Sort: Cost')
    expect(titles('order by ends', given)[0]).toBe('Sort: Ends')
    expect(titles('hide column client', given)).toContain('Column: Client')
  })
  it('finds only screens after /', () => expect(titles('/clie')[0]).toBe('Clients'))
})

describe('with single letters off', () => {
  /** Shortcuts that stay: chords with Ctrl or Alt, and keys that aren't characters. */
  const lettersOff = inUse({ keys: {}, single_keys: false, role: 'admin' })
  const given = { ...at([]), lettersOff: true, keysOf: (id: CommandId) => keysOf(lettersOff, id) }
  const commands = [...new Set(Object.values(keymap).flatMap((keys) => Object.values<CommandId>(keys)))]

  it('every command of the keymap keeps a key, or is found in the palette', () => {
    const lost = commands.filter((id) => given.keysOf(id) === null && commandOf(id).on === 'nothing')
    expect(lost.length).toBeGreaterThan(20)
    const found = (id: CommandId) =>
      sectionsFor(`${commandOf(id).opens ? '/' : '>'}${id}`, given, [], [], 500, origin).some(({ rows }) =>
        rows.some(({ act }) => act.type === 'command' && act.id === id),
      )
    expect(lost.filter((id) => !found(id))).toEqual([])
  })
})
