import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { commandOfRoute } from '../../src/commands/navigation.ts'
import { commandIds, commandOf, isCommandId } from '../../src/commands/table.ts'
import { keymap } from '../../src/keymap.ts'
import { sections } from '../../src/routes.ts'
import { allBindings, chainOf, clashesWith, effective, keysOf } from '../../src/workspace/keys/bindings.ts'
import { lookUp, press } from '../../src/workspace/keys/chords.ts'
import { type Ears, listen } from '../../src/workspace/keys/dispatcher.ts'
import { type KeyPress, normalize, shownAs, tokenOf } from '../../src/workspace/keys/token.ts'

const pressed = (key: string, code: string, more: Partial<KeyPress> = {}) =>
  tokenOf({ key, code, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more })

describe('the name of a key', () => {
  it('is its letter', () => expect(pressed('g', 'KeyG')).toBe('g'))
  it('says Shift for a letter', () => expect(pressed('G', 'KeyG', { shiftKey: true })).toBe('Shift+g'))
  it('takes Shift as part of a sign', () => expect(pressed('?', 'Slash', { shiftKey: true })).toBe('?'))
  it('is the same for Ctrl and ⌘', () => expect(pressed('k', 'KeyK', { metaKey: true })).toBe('Mod+k'))
  it('is by place on a Russian keyboard, so that Ctrl+K works there', () =>
    expect(pressed('л', 'KeyK', { ctrlKey: true })).toBe('Mod+k'))
  it('is by letter on a French keyboard, where A stands at Q', () => expect(pressed('a', 'KeyQ')).toBe('a'))
  it('is by place with Alt, where a Mac types signs', () => expect(pressed('˙', 'KeyH', { altKey: true })).toBe('Alt+h'))
  it('keeps Alt+Shift with a letter', () => expect(pressed('Ó', 'KeyH', { altKey: true, shiftKey: true })).toBe('Alt+Shift+h'))
  it('is no Ctrl+Alt while AltGr types a sign', () =>
    expect(pressed('@', 'KeyQ', { ctrlKey: true, altKey: true, altGraph: true })).toBe('@'))
  it('is nothing for a modifier alone', () => expect(pressed('Shift', 'ShiftLeft', { shiftKey: true })).toBeNull())
  it('names the blank', () => expect(pressed(' ', 'Space')).toBe('Space'))
})

describe('a binding', () => {
  it('is written in one way', () =>
    expect(['Ctrl+Shift+K', 'mod+k', 'G', 'g  p', '+'].map(normalize)).toEqual(['Mod+Shift+k', 'Mod+k', 'Shift+g', 'g p', '+']))
  it('is shown as it is pressed', () =>
    expect([shownAs('Mod+k', false), shownAs('Mod+k', true), shownAs('g p', false)]).toEqual(['Ctrl+K', '⌘K', 'g p']))
})

describe('a chord', () => {
  const app = { 'g p': 'projects', 'g l': 'places', x: 'outer' }
  const project = { 'g l': 'live' }
  const list = { x: 'mark', 'g g': 'first' }
  it('waits for what can follow', () => expect(press([], 'g', [app]).kind).toBe('wait'))
  it('runs when it is whole', () => expect(press(['g'], 'p', [app])).toEqual({ kind: 'run', command: 'projects' }))
  it('means what the innermost place makes of it', () =>
    expect(press(['g'], 'l', [app, project])).toEqual({ kind: 'run', command: 'live' }))
  it('keeps what the outer place has beside it', () =>
    expect(press(['g'], 'p', [app, project, list])).toEqual({ kind: 'run', command: 'projects' }))
  it('does not wait for an outer longer one when an inner key is whole', () =>
    expect(press([], 'x', [{ 'x l': 'export' }, list])).toEqual({ kind: 'run', command: 'mark' }))
  it('waits when the same place has a longer one, and keeps what it means alone', () => {
    expect(press([], 'x', [{ x: 'mark', 'x l': 'export' }])).toMatchObject({ kind: 'wait', command: 'mark' })
  })
  it('ends at a wrong key, which is tried on its own', () =>
    expect(press(['g'], 'x', [app])).toEqual({ kind: 'run', command: 'outer' }))
  it('ends at Escape and does nothing else', () =>
    expect(press(['g'], 'Escape', [app, { Escape: 'clear' }])).toEqual({ kind: 'none', handled: true }))
  it('lists what can follow, innermost meaning', () =>
    expect([...lookUp(['g'], [app, project]).next]).toEqual([
      ['p', 'projects'],
      ['l', 'live'],
    ]))
})

describe('the keymap', () => {
  const contexts = Object.entries(keymap) as [string, Record<string, string>][]
  it('names commands that exist', () => {
    expect(contexts.flatMap(([, keys]) => Object.values(keys)).filter((id) => !isCommandId(id))).toEqual([])
  })
  it('is written in one way', () => {
    expect(contexts.flatMap(([, keys]) => Object.keys(keys)).filter((keys) => normalize(keys) !== keys)).toEqual([])
  })
  it('leaves to the browser what is the browser’s', () => {
    const theirs = /^Mod\+(Shift\+)?[tnwrlpq]$|^Mod\+Alt\+/
    expect(contexts.flatMap(([, keys]) => Object.keys(keys)).filter((keys) => theirs.test(keys))).toEqual([])
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
    // Sending a form and opening a row beside never meet: a list stands in no form.
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
    expect(clashesWith({}, 'density.compact', 'g p').map(({ commands }) => commands)).toEqual([['go.allProjects']]))
  it('clash with what they are the beginning of', () => expect(clashesWith({}, 'density.compact', 'y').length).toBeGreaterThan(2))
  it('clash with keys of a record when they hold everywhere', () =>
    expect(clashesWith({}, 'density.compact', 'a p').map(({ context }) => context)).toContain('project'))
  it('do not clash with their own', () => expect(clashesWith({}, 'go.allProjects', 'g p')).toEqual([]))
  it('ignore a command that is gone', () => expect(() => effective({ 'old.command': 'q' })).not.toThrow())
})

describe('the places that hold', () => {
  it('nest: product, record, list, row', () => {
    const chain = chainOf(effective({}), { focused: 'project', list: true, row: 'entry' })
    expect(chain).toEqual([keymap.app, keymap.project, keymap.list, keymap.entry])
  })
  it('know no row without a list', () =>
    expect(chainOf(effective({}), { focused: null, list: false, row: 'project' })).toHaveLength(1))
})

class FakeElement {
  private matches: string
  constructor(matches = '') {
    this.matches = matches
  }
  closest(selector: string) {
    return this.matches && selector.includes(this.matches) ? this : null
  }
}

describe('the listener', () => {
  let hear: (event: unknown) => void = () => {}
  const ran: string[] = []
  let pending: unknown = null
  let off = false
  const ears: Ears = {
    chain: () => [{ j: 'down', 'g p': 'projects', Enter: 'open', 'Mod+z': 'undo', '?': 'help', '*': 'all' }],
    run: (id) => ran.push(id),
    repeats: (id) => id === 'down',
    pending: (now) => {
      pending = now
    },
    lettersOff: () => off,
  }
  let stop = () => {}
  const key = (name: string, more: Record<string, unknown> = {}) => {
    const event = {
      key: name,
      code: '',
      ctrlKey: false,
      metaKey: false,
      altKey: false,
      shiftKey: false,
      repeat: false,
      isComposing: false,
      keyCode: 0,
      defaultPrevented: false,
      target: new FakeElement(),
      getModifierState: () => false,
      preventDefault() {
        this.defaultPrevented = true
      },
      ...more,
    }
    hear(event)
    return event
  }
  beforeEach(() => {
    vi.useFakeTimers()
    vi.stubGlobal('Element', FakeElement)
    vi.stubGlobal('document', { body: {}, querySelector: () => null })
    ran.length = 0
    off = false
    const target = {
      addEventListener: (type: string, listener: (event: unknown) => void) => {
        if (type === 'keydown') hear = listener
      },
      removeEventListener: () => {},
    }
    stop = listen(target as unknown as Document, ears)
  })
  afterEach(() => {
    stop()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('runs a command', () => {
    key('j')
    expect(ran).toEqual(['down'])
  })
  it('opens the palette by Ctrl+K in a field', () => {
    key('k', { ctrlKey: true, target: new FakeElement('textarea') })
    expect(ran).toEqual(['palette.open'])
  })
  it('opens the palette by F1 in a dialog', () => {
    key('F1', { target: new FakeElement('[role=dialog]') })
    expect(ran).toEqual(['palette.open'])
  })
  it('keeps Ctrl+K from the browser even while it is held', () =>
    expect(key('k', { ctrlKey: true, repeat: true }).defaultPrevented).toBe(true))
  it('leaves letters to a field', () => {
    key('j', { target: new FakeElement('textarea') })
    expect(ran).toEqual([])
  })
  it('leaves undo to a field', () => {
    key('z', { ctrlKey: true, target: new FakeElement('textarea') })
    expect(ran).toEqual([])
  })
  it('is silent in a dialog', () => {
    key('j', { target: new FakeElement('[role=dialog]') })
    expect(ran).toEqual([])
  })
  it('leaves Enter to a focused button', () => {
    key('Enter', { target: new FakeElement('button') })
    expect(ran).toEqual([])
  })
  it('is silent while a word is composed', () => {
    key('j', { isComposing: true })
    expect(ran).toEqual([])
  })
  it('leaves alone what somebody has taken', () => {
    key('j', { defaultPrevented: true })
    expect(ran).toEqual([])
  })
  it('repeats only what may be repeated', () => {
    key('j', { repeat: true })
    key('Enter', { repeat: true })
    expect(ran).toEqual(['down'])
  })
  it('tells what can follow', () => {
    key('g')
    expect(pending).toMatchObject({ keys: ['g'] })
  })
  it('runs a chord', () => {
    key('g')
    key('p')
    expect([ran, pending]).toEqual([['projects'], null])
  })
  it('forgets a chord that nobody ends', () => {
    key('g')
    vi.advanceTimersByTime(9000)
    key('p')
    expect(ran).toEqual([])
  })
  it('turns single letters and signs off', () => {
    off = true
    for (const name of ['j', '?', '*']) key(name)
    expect(ran).toEqual([])
  })
  it('keeps keys with Ctrl when letters are off', () => {
    off = true
    key('z', { ctrlKey: true })
    expect(ran).toEqual(['undo'])
  })
})

describe('every command', () => {
  it('has a title that begins with a capital', () =>
    expect(commandIds.filter((id) => !/^[A-Z“]|^v3/.test(commandOf(id).title))).toEqual([]))
  it('ends in dots when it asks something that is not prefilled', () => {
    const plain = commandIds.filter((id) => {
      const asks = Object.values(commandOf(id).asks ?? {})
      return asks.some((ask) => !ask.optional && !ask.when) && !commandOf(id).title.endsWith('…')
    })
    expect(plain).toEqual([])
  })
  it('that reaches people outside waits or says what can’t be taken back', () => {
    const mails = [
      'project.goLive',
      'project.mailPartner',
      'project.notifyCost',
      'user.invite',
      'user.resendActivation',
      'user.resetPassword',
    ] as const
    expect(mails.filter((id) => !commandOf(id).delay)).toEqual([])
  })
})
