import { describe, expect, it } from 'vitest'
import { mayRun } from '../../src/commands/availability.ts'
import { keymap } from '../../src/commands/keymap.ts'
import { commandOfRoute } from '../../src/commands/navigation.ts'
import { sections } from '../../src/routing/routes.ts'
import { allBindings, chainOf, effective, inUse, keysOf } from '../../src/runner/keys/bindings.ts'
import { clashesWith } from '../../src/runner/keys/clashes.ts'
import { ownedBy } from '../../src/runner/keys/reservedShortcuts.ts'
import { normalize } from '../../src/runner/keys/token.ts'
import { commandOf, isCommandId } from '../support/commands.ts'

describe('the keymap', () => {
  const contexts = Object.entries(keymap) as [string, Record<string, string>][]
  it('names commands that exist', () => {
    expect(contexts.flatMap(([, keys]) => Object.values(keys)).filter((id) => !isCommandId(id))).toEqual([])
  })
  it('is written in one way', () => {
    expect(contexts.flatMap(([, keys]) => Object.keys(keys)).filter((keys) => normalize(keys) !== keys)).toEqual([])
  })
  it('leaves to the browser what is the browser’s', () => {
    const taken = contexts.flatMap(([, keys]) => Object.keys(keys)).filter((keys) => keys.split(' ').some((key) => ownedBy(key)))
    expect(taken).toEqual([])
  })
  it('has no key that is the beginning of another in its place: nothing ever waits on a timer', () => {
    const waits = contexts.flatMap(([context, keys]) => {
      const all = Object.keys(keys)
      return all.flatMap((one) =>
        all.filter((other) => other.startsWith(`${one} `)).map((other) => `${context}: ${one} / ${other}`),
      )
    })
    expect(waits).toEqual([])
  })
  it('lets no place hide a key of the product', () => {
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
    // Submitting a form and opening a row beside never meet: no form contains a list.
    expect(hidden.filter((one) => one !== 'list: Mod+Enter hides Mod+Enter')).toEqual([])
  })
  it('lets no list key hide one of a project, whose keys work on its rows', () => {
    const firsts = new Set(Object.keys(keymap.list))
    expect(
      [...Object.keys(keymap.project), ...Object.keys(keymap.entry)].filter((keys) => firsts.has(keys.split(' ')[0]!)),
    ).toEqual([])
  })
  it('gives every entry of the sidebar its key', () => {
    const without = sections.flatMap(({ entries }) =>
      entries.filter(({ id }) => !keysOf(effective({}), commandOfRoute(id))).map(({ id }) => id),
    )
    expect(without).toEqual([])
  })
  it('holds a command of a record where its record is', () => {
    const lost = allBindings(effective({})).filter(({ id, contexts }) => {
      const { on } = commandOf(id)
      return (
        on !== 'nothing' && !contexts.every((context) => (typeof on === 'string' ? [on] : on).some((kind) => kind === context))
      )
    })
    expect(lost.map(({ id }) => id)).toEqual([])
  })
})

describe('a person’s own keys', () => {
  it('stand in the place of the table’s', () => {
    const map = effective({ 'project.goLive': 'Ctrl+Shift+L' })
    expect([keysOf(map, 'project.goLive'), map.project!['g l']]).toEqual(['Mod+Shift+l', undefined])
  })
  it('take a shortcut away when they are empty', () =>
    expect(keysOf(effective({ 'project.goLive': '' }), 'project.goLive')).toBeNull())
  it('give one to a command that had none', () =>
    expect(keysOf(effective({ 'density.compact': 'w d' }), 'density.compact')).toBe('w d'))
  it('win over what stood there', () => expect(effective({ 'density.compact': 'g p' }).app!['g p']).toBe('density.compact'))
  it('clash with the same keys', () =>
    expect(clashesWith({}, 'density.compact', 'g p').map(({ command, how }) => [command, how])).toEqual([
      ['go.allProjects', 'same'],
    ]))
  it('clash with what they are the beginning of', () => expect(clashesWith({}, 'density.compact', 'y').length).toBeGreaterThan(2))
  it('say that they are the beginning of others', () =>
    expect(new Set(clashesWith({}, 'density.compact', 'y').map(({ how }) => how))).toEqual(new Set(['begins'])))
  it('say that others are their beginning, as those would end them', () =>
    expect(clashesWith({}, 'density.compact', 'x l')).toMatchObject([{ keys: 'x', command: 'list.mark', how: 'follows' }]))
  it('clash with a list’s keys when they are a record’s, whose row stands in lists', () =>
    expect(clashesWith({}, 'project.goLive', 'j')).toMatchObject([{ command: 'list.down' }]))
  it('do not clash with those of a record that is never there too', () =>
    expect(clashesWith({}, 'project.goLive', 'm w')).toEqual([]))
  it('say a clash once, though the command has two places', () =>
    expect(clashesWith({}, 'density.compact', 'g l')).toHaveLength(1))
  it('clash with keys of a record when they hold everywhere', () =>
    expect(clashesWith({}, 'density.compact', 'a p').map(({ context }) => context)).toContain('project'))
  it('do not clash with their own', () => expect(clashesWith({}, 'go.allProjects', 'g p')).toEqual([]))
  it('ignore keys that nobody can press', () =>
    expect(keysOf(effective({ 'density.compact': 'g ([0-9' }), 'density.compact')).toBeNull())
  it('ignore a command that is gone', () => expect(() => effective({ 'old.command': 'q' })).not.toThrow())
})

describe('keys that a browser owns', () => {
  it('are refused, with the reason', () => {
    for (const key of ['Mod+t', 'Mod+n', 'Mod+w', 'Mod+Shift+n', 'Mod+Alt+k', 'Mod+k', 'F1', 'F5'])
      expect(ownedBy(key), key).toMatch(/\w/)
  })
  it('are not those that a page may have', () => {
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
  it('leave out single letters and signs, and what begins with one, where those are off', () => {
    const map = inUse({ ...ADMIN, single_keys: false })
    expect(Object.keys(map.list!)).toContain('ArrowDown')
    expect(Object.values(map).flatMap((keys) => Object.keys(keys).filter((key) => /^(Shift\+)?.( |$)/.test(key)))).toEqual([])
  })
  it('keep keys of one’s own that have Ctrl, where letters are off', () =>
    expect(inUse({ keys: { 'go.clients': 'Mod+j' }, single_keys: false, role: 'admin' }).app!['Mod+j']).toBe('go.clients'))
})

describe('the places that hold', () => {
  it('nest: product, record, list, row', () => {
    const chain = chainOf(effective({}), { focused: 'project', list: true, row: 'entry' })
    expect(chain).toEqual([keymap.app, keymap.project, keymap.list, keymap.entry])
  })
  it('know no row without a list', () =>
    expect(chainOf(effective({}), { focused: null, list: false, row: 'project' })).toHaveLength(1))
  it('put a row of the pane’s own kind innermost', () =>
    expect(chainOf(effective({}), { focused: 'user', list: true, row: 'user' })).toEqual([keymap.app, keymap.list, keymap.user]))
})
