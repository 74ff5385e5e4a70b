import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { commandOfRoute } from '../../src/commands/navigation.ts'
import { commandIds, commandOf, isCommandId } from '../../src/commands/table.ts'
import { keymap } from '../../src/keymap.ts'
import { sections } from '../../src/routes.ts'
import { sheetOf } from '../../src/workspace/help/sheet.ts'
import { type At, allBindings, chainOf, effective, inUse, keysOf } from '../../src/workspace/keys/bindings.ts'
import { lookUp, press } from '../../src/workspace/keys/chords.ts'
import { clashesWith } from '../../src/workspace/keys/clashes.ts'
import { type Ears, listen } from '../../src/workspace/keys/dispatcher.ts'
import { ownedBy } from '../../src/workspace/keys/owned.ts'
import { type KeyPress, normalize, shownAs, tokenOf, tokensOf } from '../../src/workspace/keys/token.ts'

const keyPress = (key: string, code: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
})
const pressed = (key: string, code: string, more: Partial<KeyPress> = {}) => tokenOf(keyPress(key, code, more), false)
/** All that a press may mean. */
const may = (key: string, code: string, more: Partial<KeyPress> = {}) => tokensOf(keyPress(key, code, more), false)
const onMac = (key: string, code: string, more: Partial<KeyPress> = {}) => tokensOf(keyPress(key, code, more), true)
const shiftKey = true
const ctrlKey = true
const altKey = true

describe('the name of a key', () => {
  it('is its letter', () => expect(pressed('g', 'KeyG')).toBe('g'))
  it('says Shift for a letter', () => expect(pressed('G', 'KeyG', { shiftKey })).toBe('Shift+g'))
  it('is the small letter under Caps Lock', () => expect(pressed('G', 'KeyG')).toBe('g'))
  it('takes Shift as part of a sign', () => expect(pressed('?', 'Slash', { shiftKey })).toBe('?'))
  it('is nothing for a modifier alone', () => expect(pressed('Shift', 'ShiftLeft', { shiftKey })).toBeNull())
  it('is nothing for a word that is being composed', () => expect(pressed('Process', 'KeyA')).toBeNull())
  it('is nothing for a dead key', () => expect(pressed('Dead', 'BracketLeft')).toBeNull())
  it('names the blank', () => expect(pressed(' ', 'Space')).toBe('Space'))
  it('is nothing with the Windows key, which is the system’s', () => expect(pressed('k', 'KeyK', { metaKey: true })).toBeNull())
})

describe('the name of a key on other keyboards', () => {
  it('is by place on a Russian one, so that Ctrl+K works there', () => expect(pressed('л', 'KeyK', { ctrlKey })).toBe('Mod+k'))
  it('keeps Shift by place on a Russian one', () => expect(pressed('П', 'KeyG', { shiftKey })).toBe('Shift+g'))
  it('makes of Shift by place the sign that Shift makes there', () => {
    expect(pressed('Ю', 'Period', { shiftKey })).toBe('>')
    expect(pressed('ю', 'Period')).toBe('.')
    expect(pressed('Х', 'BracketLeft', { shiftKey })).toBe('{')
  })
  it('is by letter on a French one, where A stands at Q', () => expect(may('a', 'KeyQ')).toEqual(['a']))
  it('is also the digit on a French one, whose digits want Shift', () => {
    expect(may('&', 'Digit1')).toEqual(['&', '1'])
    expect(may('é', 'Digit2')).toEqual(['2'])
    expect(may('1', 'Digit1', { shiftKey })).toEqual(['1'])
  })
  it('is no digit where Shift makes a sign of it', () => expect(may('(', 'Digit9', { shiftKey })).toEqual(['(']))
  it('is the bracket that a French AltGr types', () =>
    expect(may('[', 'Digit5', { ctrlKey, altKey, altGraph: true })).toEqual(['[']))
  it('is a German AltGr+7, which types a brace', () =>
    expect(may('{', 'Digit7', { ctrlKey, altKey, altGraph: true })).toEqual(['{']))
  it('is a typed sign also where a browser says Ctrl and Alt for AltGr', () =>
    expect(may('{', 'Digit7', { ctrlKey, altKey })).toEqual(['{']))
  it('stays Ctrl+Alt with the key’s own letter', () => expect(may('k', 'KeyK', { ctrlKey, altKey })).toEqual(['Mod+Alt+k']))
  it('is also the place of a German Ctrl+#, which is Ctrl+\\', () =>
    expect(may('#', 'Backslash', { ctrlKey })).toEqual(['Mod+#', 'Mod+\\']))
  it('is the place of a German ü, which is a bracket', () => expect(may('ü', 'BracketLeft')).toEqual(['[']))
  it('is by letter on a Dvorak one, with Ctrl and with Alt too', () => {
    expect(may('h', 'KeyJ')).toEqual(['h'])
    expect(may('k', 'KeyV', { ctrlKey })).toEqual(['Mod+k'])
    expect(may('h', 'KeyJ', { altKey })).toEqual(['Alt+h'])
  })
  it('is by place for Alt and a digit on a French one', () => expect(may('&', 'Digit1', { altKey })).toContain('Alt+1'))
  it('is by place with Ctrl where the key is dead', () => expect(may('Dead', 'BracketLeft', { ctrlKey })).toEqual(['Mod+[']))
})

describe('the name of a key on a Mac', () => {
  it('says Mod for ⌘', () => expect(onMac('k', 'KeyK', { metaKey: true })).toEqual(['Mod+k']))
  it('leaves Ctrl to the caret of a Mac’s fields', () => expect(onMac('k', 'KeyK', { ctrlKey })).toEqual(['Control+k']))
  it('is by place with Alt, which types signs', () => expect(onMac('˙', 'KeyH', { altKey })).toEqual(['Alt+h']))
  it('is by place with Alt where the key is dead', () => expect(onMac('Dead', 'KeyN', { altKey })).toEqual(['Alt+n']))
  it('keeps Alt+Shift with a letter', () => expect(onMac('Ó', 'KeyH', { altKey, shiftKey })).toEqual(['Alt+Shift+h']))
  it('is the place of a German Alt+5, which types a bracket', () => expect(onMac('[', 'Digit5', { altKey })).toEqual(['Alt+5']))
})

describe('a binding', () => {
  it('is written in one way', () =>
    expect(['Ctrl+Shift+K', 'mod+k', 'G', 'g  p', '+', 'Control+k'].map(normalize)).toEqual([
      'Mod+Shift+k',
      'Mod+k',
      'Shift+g',
      'g p',
      '+',
      'Control+k',
    ]))
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
    const all = allBindings(map).filter(({ id }) => commandOf(id).access === 'admin')
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

class FakeElement {
  private is: string
  constructor(is = '') {
    this.is = is
  }
  closest(selector: string) {
    return this.is && selector.includes(this.is) ? this : null
  }
  matches(selector: string) {
    return this.closest(selector) !== null
  }
}

describe('the listener', () => {
  let hear: (event: unknown) => void = () => {}
  const ran: string[] = []
  let pending: unknown = null
  const ears: Ears = {
    chain: () => [
      {
        j: 'down',
        'g p': 'projects',
        Enter: 'open',
        'Mod+z': 'undo',
        '?': 'help',
        '*': 'all',
        1: 'tab',
        'g 3': 'third',
        F2: 'rename',
        'Alt+w': 'close',
        'Mod+ArrowLeft': 'left',
      },
    ],
    run: (id) => ran.push(id),
    repeats: (id) => id === 'down',
    pending: (now) => {
      pending = now
    },
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
  it('forgets a chord when the focus goes into a field in the middle of it', () => {
    key('g')
    key('p', { target: new FakeElement('textarea') })
    expect(pending).toBeNull()
  })
  it('takes the digit of a French keyboard, which has none without Shift', () => {
    key('&', { code: 'Digit1' })
    expect(ran).toEqual(['tab'])
  })
  it('takes a French digit as the end of a sequence', () => {
    key('g')
    key('"', { code: 'Digit3' })
    expect(ran).toEqual(['third'])
  })
  it('hears function keys in a field', () => {
    key('F2', { target: new FakeElement('textarea') })
    expect(ran).toEqual(['rename'])
  })
  it('leaves Alt to a field', () => {
    key('w', { code: 'KeyW', altKey: true, target: new FakeElement('textarea') })
    expect(ran).toEqual([])
  })
  it('leaves the caret’s keys with Ctrl to a field', () => {
    key('ArrowLeft', { ctrlKey: true, target: new FakeElement('textarea') })
    expect(ran).toEqual([])
  })
})

/** How a person presses a key that the keymap writes so, on an American keyboard. */
function asPressed(token: string): Record<string, unknown> {
  const parts = token.split(/\+(?!$)/)
  const last = parts.at(-1)!
  const shift = parts.includes('Shift')
  const code = /^[a-z]$/.test(last)
    ? `Key${last.toUpperCase()}`
    : /^\d$/.test(last)
      ? `Digit${last}`
      : ({ '[': 'BracketLeft', ']': 'BracketRight', '\\': 'Backslash', Space: 'Space' }[last] ?? last)
  const key = last === 'Space' ? ' ' : shift && /^[a-z]$/.test(last) ? last.toUpperCase() : last
  return {
    key,
    code,
    ctrlKey: parts.includes('Mod'),
    altKey: parts.includes('Alt'),
    shiftKey: shift || /^[?*>]$/.test(last),
    metaKey: false,
    repeat: false,
    isComposing: false,
    keyCode: 0,
    defaultPrevented: false,
    target: new FakeElement(),
    getModifierState: () => false,
    preventDefault() {},
  }
}

describe('the ? sheet', () => {
  const kinds = Object.keys(keymap).filter((context) => context !== 'app' && context !== 'list') as NonNullable<At['row']>[]
  const places: At[] = [
    { focused: null, list: false, row: null },
    { focused: null, list: true, row: null },
    ...kinds.flatMap((kind): At[] => [
      { focused: kind, list: false, row: null },
      { focused: null, list: true, row: kind },
      ...kinds.map((row): At => ({ focused: kind, list: true, row })),
    ]),
  ]
  /** Every key of the sheet that does not start its command where the sheet says that it works. */
  function lies(map: ReturnType<typeof effective>, at: At): string[] {
    let hear: (event: unknown) => void = () => {}
    let ran: string[] = []
    const target = {
      addEventListener: (type: string, on: (event: unknown) => void) => {
        if (type === 'keydown') hear = on
      },
      removeEventListener() {},
    }
    const ears = { chain: () => chainOf(map, at), run: (id: string) => ran.push(id), repeats: () => false, pending() {} }
    const stop = listen(target as unknown as Document, ears)
    const wrong = sheetOf(map, at)
      .filter(({ here }) => here)
      .flatMap(({ rows }) =>
        rows.flatMap(({ id, keys }) =>
          keys.flatMap((binding) => {
            ran = []
            for (const token of binding.split(' ')) hear(asPressed(token))
            // A key that is also the beginning of a longer one runs after its moment.
            vi.advanceTimersByTime(1100)
            return ran.join() === id ? [] : [`${JSON.stringify(at)} ${binding}: ${ran.join()} is not ${id}`]
          }),
        ),
      )
    stop()
    return wrong
  }
  beforeEach(() => {
    vi.useFakeTimers()
    vi.stubGlobal('Element', FakeElement)
    vi.stubGlobal('document', { body: {}, querySelector: () => null })
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it('is true: every key in it starts its command where it stands', () => {
    expect(places.flatMap((at) => lies(inUse(ADMIN), at))).toEqual([])
  })
  it('is true of keys of one’s own that clash', () => {
    const own = { 'go.clients': 'x l', 'density.compact': 'g', 'project.goLive': 'j', 'go.rewards': 'Mod+j' }
    expect(places.flatMap((at) => lies(inUse({ ...ADMIN, keys: own }), at))).toEqual([])
  })
  it('leaves out what an inner place hides', () => {
    const map = inUse({ ...ADMIN, keys: { 'go.clients': 'x l' } })
    const ids = sheetOf(map, { focused: null, list: true, row: null }).flatMap(({ rows }) => rows.map(({ id }) => id))
    expect(ids).not.toContain('go.clients')
  })
  it('holds every command that has keys in the table, once', () => {
    const ids = sheetOf(inUse(ADMIN), places[0]!).flatMap(({ rows }) => rows.map(({ id }) => id))
    expect(ids.toSorted()).toEqual([...new Set(Object.values(keymap).flatMap((keys) => Object.values(keys)))].toSorted())
  })
  it('says what works here first', () => {
    const contexts = sheetOf(inUse(ADMIN), { focused: 'project', list: true, row: 'entry' }).map(({ context }) => context)
    expect(contexts.slice(0, 4)).toEqual(['entry', 'list', 'project', 'app'])
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
