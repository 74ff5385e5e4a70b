import { describe, expect, it } from 'vitest'
import { mayRun } from '../../src/commands/availability.ts'
import { keymap } from '../../src/commands/keymap.ts'
import { commandOfRoute } from '../../src/commands/navigationCommands.ts'
import { sections } from '../../src/routing/routes.ts'
import { allBindings, chainOf, effective, inUse, keysOf } from '../../src/runner/keys/bindings.ts'
import { conflictsWith } from '../../src/runner/keys/keyConflicts.ts'
import { normalize } from '../../src/runner/keys/keyReading.ts'
import { ownedBy } from '../../src/runner/keys/reservedShortcuts.ts'
import { commandOf, isCommandId } from '../support/commands.ts'

describe('the keymap', () => {
  const contexts = Object.entries(keymap) as [string, Record<string, string>][]
  it('names commands that exist', () => {
    expect(contexts.flatMap(([, keys]) => Object.values(keys)).filter((id) => !isCommandId(id))).toEqual([])
  })
  it('is normalized', () => {
    expect(contexts.flatMap(([, keys]) => Object.keys(keys)).filter((keys) => normalize(keys) !== keys)).toEqual([])
  })
  it('leaves the browser’s shortcuts alone', () => {
    const taken = contexts.flatMap(([, keys]) => Object.keys(keys)).filter((keys) => keys.split(' ').some((key) => ownedBy(key)))
    expect(taken).toEqual([])
  })
  it('has no key that begins another in its context, so nothing waits on a timer', () => {
    const waits = contexts.flatMap(([context, keys]) => {
      const all = Object.keys(keys)
      return all.flatMap((one) =>
        all.filter((other) => other.startsWith(`${one} `)).map((other) => `${context}: ${one} / ${other}`),
      )
    })
    expect(waits).toEqual([])
  })
  it('lets no context hide an app-wide key', () => {
    const app = keymap.app as Record<string, string>
    const hidden = contexts.flatMap(([context, keys]) =>
      context === 'app'
        ? []
        : Object.keys(keys).flatMap((one) =>
            Object.keys(app)
              .filter((other) => other === one || other.startsWith(`${one} `))
              .map((other) => `${context}: ${one} hides ${other}`),
          ),
    )
    // Submitting a form and opening a row beside never conflict, because no form contains a list.
    // In a list, a slash searches the list; in a chart of responses, it searches the questions.
    // Rows that are ordered by hand move by the keys that otherwise lead to the next record.
    const meant =
      /^((list|project.userResponses|surveyProject.userResponses): \/ hides \/|(list|report): Mod\+Enter hides Mod\+Enter|(question|report): Alt\+Arrow(Up|Down) hides .*)$/
    expect(hidden.filter((one) => !meant.test(one))).toEqual([])
  })
  it('lets no list key hide one of a project, whose keys work on its rows', () => {
    const firsts = new Set(Object.keys(keymap.list))
    expect(
      [...Object.keys(keymap.project), ...Object.keys(keymap.entry)].filter((keys) => firsts.has(keys.split(' ')[0]!)),
    ).toEqual([])
  })
  it('gives every sidebar entry a key', () => {
    const without = sections.flatMap(({ entries }) =>
      entries.filter(({ id }) => !keysOf(effective({}), commandOfRoute(id))).map(({ id }) => id),
    )
    expect(without).toEqual([])
  })
  it('lets no key of a tab hide one of its record', () => {
    const firsts = new Set(Object.keys(keymap.project).map((keys) => keys.split(' ')[0]!))
    const tabs = contexts.filter(([context]) => context.includes('.'))
    expect(tabs.flatMap(([, keys]) => Object.keys(keys).filter((one) => firsts.has(one) || one in keymap.project))).toEqual([])
  })
  it('has a record’s command in its record’s context', () => {
    const lost = allBindings(effective({})).filter(({ id, contexts }) => {
      const { on } = commandOf(id)
      return (
        on !== 'nothing' && !contexts.every((context) => (typeof on === 'string' ? [on] : on).some((kind) => kind === context))
      )
    })
    expect(lost.map(({ id }) => id)).toEqual([])
  })
})

describe('a user’s own keys', () => {
  it('replace the table’s', () => {
    const map = effective({ 'project.goLive': 'Ctrl+Shift+L' })
    expect([keysOf(map, 'project.goLive'), map.project!['g l']]).toEqual(['Mod+Shift+l', undefined])
  })
  it('remove a shortcut when empty', () => expect(keysOf(effective({ 'project.goLive': '' }), 'project.goLive')).toBeNull())
  it('add one to a command without', () => expect(keysOf(effective({ 'density.compact': 'w d' }), 'density.compact')).toBe('w d'))
  it('win over the keys’ former command', () =>
    expect(effective({ 'density.compact': 'g p' }).app!['g p']).toBe('density.compact'))
  it('conflict with the same keys', () =>
    expect(conflictsWith({}, 'density.compact', 'g p').map(({ command, how }) => [command, how])).toEqual([
      ['go.allProjects', 'same'],
    ]))
  it('conflict with what they begin', () => expect(conflictsWith({}, 'density.compact', 'y').length).toBeGreaterThan(2))
  it('report that they begin others', () =>
    expect(new Set(conflictsWith({}, 'density.compact', 'y').map(({ how }) => how))).toEqual(new Set(['begins'])))
  it('report that others begin them, which would run first', () =>
    expect(conflictsWith({}, 'density.compact', 'x l')).toMatchObject([{ keys: 'x', command: 'list.mark', how: 'follows' }]))
  it('conflict with a list’s keys if they are a record’s, as lists have its rows', () =>
    expect(conflictsWith({}, 'project.goLive', 'j')).toContainEqual(expect.objectContaining({ command: 'list.down' })))
  it('conflict with those of its tabs', () =>
    expect(conflictsWith({}, 'project.goLive', '%').map(({ command, context }) => [command, context])).toEqual([
      ['responses.unit', 'project.userResponses'],
    ]))
  it('don’t conflict with those of a record never shown together', () =>
    expect(conflictsWith({}, 'project.goLive', 'm w')).toEqual([]))
  it('report a conflict once, even for a command in two contexts', () =>
    expect(conflictsWith({}, 'density.compact', 'g l')).toHaveLength(1))
  it('conflict with a record’s keys if they apply everywhere', () =>
    expect(conflictsWith({}, 'density.compact', 'a p').map(({ context }) => context)).toContain('project'))
  it('don’t conflict with themselves', () => expect(conflictsWith({}, 'go.allProjects', 'g p')).toEqual([]))
  it('ignore keys that nobody can press', () =>
    expect(keysOf(effective({ 'density.compact': 'g ([0-9' }), 'density.compact')).toBeNull())
  it('ignore a command that is gone', () => expect(() => effective({ 'old.command': 'q' })).not.toThrow())
})

describe('keys that a browser owns', () => {
  it('are refused, with the reason', () => {
    for (const key of ['Mod+t', 'Mod+n', 'Mod+w', 'Mod+Shift+n', 'Mod+Alt+k', 'Mod+k', 'F1', 'F5'])
      expect(ownedBy(key), key).toMatch(/\w/)
  })
  it('don’t include those a page may use', () => {
    for (const key of ['g', 'Mod+j', 'Alt+t', 'Mod+Shift+l', 'F2']) expect(ownedBy(key), key).toBeNull()
  })
})

const ADMIN = { keys: {}, single_keys: true, role: 'admin' } as const

describe('the keys in use', () => {
  it('are all of them for an administrator', () => expect(inUse(ADMIN)).toEqual(keymap))
  it('leave out what a client user may never run', () => {
    const map = inUse({ ...ADMIN, role: 'client' })
    const all = allBindings(map).filter(({ id }) => !mayRun(id, commandOf(id), 'client'))
    expect(all).toEqual([])
    expect(map.app!['g p']).toBe('go.allProjects')
  })
  it('leave out single letters and signs, and sequences of them, when turned off', () => {
    const map = inUse({ ...ADMIN, single_keys: false })
    expect(Object.keys(map.list!)).toContain('ArrowDown')
    expect(Object.values(map).flatMap((keys) => Object.keys(keys).filter((key) => /^(Shift\+)?.( |$)/.test(key)))).toEqual([])
  })
  it('keep own keys with Ctrl when letters are off', () =>
    expect(inUse({ keys: { 'go.clients': 'Mod+j' }, single_keys: false, role: 'admin' }).app!['Mod+j']).toBe('go.clients'))
})

describe('the active contexts', () => {
  it('nest: app, record, list, row', () => {
    const chain = chainOf(effective({}), { focused: 'project', list: true, row: 'entry' })
    expect(chain).toEqual([keymap.app, keymap.project, keymap.list, keymap.entry])
  })
  it('have no row without a list, whose keys scroll the pane then', () =>
    expect(chainOf(effective({}), { focused: null, list: false, row: 'project' })).toEqual([keymap.pane, keymap.app]))
  it('put a row of the pane’s own kind innermost', () =>
    expect(chainOf(effective({}), { focused: 'user', list: true, row: 'user' })).toEqual([keymap.app, keymap.list, keymap.user]))
})
