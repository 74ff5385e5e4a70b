import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { lookUp, press } from '../../src/runner/keys/chords.ts'
import { type Listener, listen } from '../../src/runner/keys/dispatcher.ts'
import { readingsOf } from '../../src/runner/keys/keyReading.ts'
import { FakeElement, onFakePage } from './fake-page.ts'

/** A key pressed alone, as the listener reads it. */
const reads = (key: string) => readingsOf({ key, code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false })

describe('a chord', () => {
  const app = { 'g p': 'projects', 'g l': 'places', x: 'outer' }
  const project = { 'g l': 'live' }
  const list = { x: 'mark', 'g g': 'first' }
  it('waits for what can follow', () => expect(press([], reads('g'), [app]).kind).toBe('wait'))
  it('runs when complete', () => expect(press(['g'], reads('p'), [app])).toEqual({ kind: 'run', command: 'projects' }))
  it('means what the innermost context defines', () =>
    expect(press(['g'], reads('l'), [app, project])).toEqual({ kind: 'run', command: 'live' }))
  it('keeps the outer context’s other continuations', () =>
    expect(press(['g'], reads('p'), [app, project, list])).toEqual({ kind: 'run', command: 'projects' }))
  it('doesn’t wait for a longer outer one if an inner key is complete', () =>
    expect(press([], reads('x'), [{ 'x l': 'export' }, list])).toEqual({ kind: 'run', command: 'mark' }))
  it('waits if the same context has a longer one, and keeps its own meaning', () => {
    expect(press([], reads('x'), [{ x: 'mark', 'x l': 'export' }])).toMatchObject({ kind: 'wait', command: 'mark' })
  })
  it('ends at a wrong letter, which does nothing else, as it may belong to a word', () =>
    expect(press(['g'], reads('x'), [app])).toEqual({ kind: 'none', handled: true }))
  it('ends at any other wrong key, which is tried on its own', () =>
    expect(press(['g'], reads('ArrowDown'), [app, { ArrowDown: 'down' }])).toEqual({ kind: 'run', command: 'down' }))
  it('ends at Escape and does nothing else', () =>
    expect(press(['g'], reads('Escape'), [app, { Escape: 'clear' }])).toEqual({ kind: 'none', handled: true }))
  it('lists what can follow, with the innermost meaning', () =>
    expect([...lookUp(['g'], [app, project]).next]).toEqual([
      ['p', 'projects'],
      ['l', 'live'],
    ]))
})

describe('the listener', () => {
  let hear: (event: unknown) => void = () => {}
  const ran: string[] = []
  let pending: unknown = null
  let singleKeys = true
  const ears: Listener = {
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
    run: (id, count) => ran.push(count === 1 ? id : `${count} ${id}`),
    singleKeys: () => singleKeys,
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
  onFakePage()
  beforeEach(() => {
    ran.length = 0
    const target = {
      addEventListener: (type: string, listener: (event: unknown) => void) => {
        if (type === 'keydown') hear = listener
      },
      removeEventListener: () => {},
    }
    stop = listen(target as unknown as Document, ears)
  })
  afterEach(() => stop())

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
  it('ignores an autofill’s key without a name', () => expect(() => hear({ defaultPrevented: false })).not.toThrow())
  it('ignores handled events', () => {
    key('j', { defaultPrevented: true })
    expect(ran).toEqual([])
  })
  it('repeats only repeatable commands', () => {
    key('j', { repeat: true })
    key('Enter', { repeat: true })
    expect(ran).toEqual(['down'])
  })
  it('reports what can follow', () => {
    key('g')
    expect(pending).toMatchObject({ keys: ['g'] })
  })
  it('reads a count after a 0, and runs the command that many times', () => {
    for (const one of ['0', '1', '5']) key(one)
    expect(pending).toMatchObject({ keys: ['0', '1', '5'] })
    key('j')
    expect(ran).toEqual(['15 down'])
    expect(pending).toBeNull()
  })
  it('counts for a chord, too', () => {
    for (const one of ['0', '3', 'g', 'p']) key(one)
    expect(ran).toEqual(['3 projects'])
  })
  it('leaves digits without a 0 to the tabs, and forgets a count after its command', () => {
    for (const one of ['0', '2', 'j', '1', 'j']) key(one)
    expect(ran).toEqual(['2 down', 'tab', 'down'])
  })
  it('ends a count at Escape, at a key that leads nowhere, and in a field', () => {
    for (const end of ['Escape', 'q']) {
      for (const one of ['0', '4', end, 'j']) key(one)
    }
    key('0')
    key('x', { target: new FakeElement('textarea') })
    key('j')
    expect(ran).toEqual(['down', 'down', 'down'])
  })
  it('counts nothing where single letters are off', () => {
    singleKeys = false
    for (const one of ['0', '2', 'j']) key(one)
    singleKeys = true
    expect(ran).toEqual(['down'])
  })
  it('runs letters on a closed select, which would choose by them unseen', () => {
    const target = new FakeElement('select')
    for (const one of ['g', 'p', 'j']) key(one, { target })
    const lost = key('q', { target })
    key('ArrowDown', { target })
    expect([ran, lost.defaultPrevented]).toEqual([['projects', 'down'], true])
  })
  it('leaves letters to a select where single letters are off, and in a dialog', () => {
    singleKeys = false
    const off = key('j', { target: new FakeElement('select') })
    singleKeys = true
    const within = key('j', { target: new FakeElement('select', '[role=dialog]') })
    expect([ran, off.defaultPrevented, within.defaultPrevented]).toEqual([[], false, false])
  })
  it('ends a chord on a select at Escape, which stays in its form', () => {
    const target = new FakeElement('select')
    for (const one of ['g', 'Escape', 'j']) key(one, { target })
    expect(ran).toEqual(['down'])
  })
  it('runs a chord', () => {
    key('g')
    key('p')
    expect([ran, pending]).toEqual([['projects'], null])
  })
  it('drops an unfinished chord', () => {
    key('g')
    vi.advanceTimersByTime(9000)
    key('p')
    expect(ran).toEqual([])
  })
  it('drops a chord when the focus enters a field midway', () => {
    key('g')
    key('p', { target: new FakeElement('textarea') })
    expect(pending).toBeNull()
  })
  it('accepts a French keyboard’s digit, which needs Shift', () => {
    key('&', { code: 'Digit1' })
    expect(ran).toEqual(['tab'])
  })
  it('accepts a French digit at the end of a sequence', () => {
    key('g')
    key('"', { code: 'Digit3' })
    expect(ran).toEqual(['third'])
  })
  it('handles function keys in a field', () => {
    key('F2', { target: new FakeElement('textarea') })
    expect(ran).toEqual(['rename'])
  })
  it('leaves Alt to a field', () => {
    key('w', { code: 'KeyW', altKey: true, target: new FakeElement('textarea') })
    expect(ran).toEqual([])
  })
  it('leaves Ctrl with caret keys to a field', () => {
    key('ArrowLeft', { ctrlKey: true, target: new FakeElement('textarea') })
    expect(ran).toEqual([])
  })
})
