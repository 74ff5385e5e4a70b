import { describe, expect, it, vi } from 'vitest'
import { keymap } from '../../src/commands/keymap.ts'
import { type At, chainOf, type effective, inUse } from '../../src/runner/keys/bindings.ts'
import { listen } from '../../src/runner/keys/dispatcher.ts'
import { sheetOf } from '../../src/shell/help/sheet.ts'
import { FakeElement, onFakePage } from './fake-page.ts'
import { rounds } from './rounds.ts'
import '../support/commands.ts'

const ADMIN = { keys: {}, single_keys: true, role: 'admin' } as const

/** How far apart the kinds of rows are with which a kind's pane is tested. */
const APART = rounds(9, 1)

const presses = new Map<string, Record<string, unknown>>()
/** A press of a key in the keymap, created once, because nothing is stored in it. */
function asPressed(token: string): Record<string, unknown> {
  const press = presses.get(token) ?? pressOf(token)
  presses.set(token, press)
  return press
}

/** How to press a key of the keymap on a US keyboard. */
function pressOf(token: string): Record<string, unknown> {
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
    ]),
    // Every kind is beside every ninth one, or beside all of them.
    ...kinds.flatMap((focused, at) =>
      kinds.filter((_, to) => (at + to) % APART === 0).map((row): At => ({ focused, list: true, row })),
    ),
  ]
  /** Every key on the sheet that doesn't run its command where the sheet says. */
  function lies(map: ReturnType<typeof effective>, at: At): string[] {
    let hear: (event: unknown) => void = () => {}
    let ran: string[] = []
    let waiting = false
    const target = {
      addEventListener: (type: string, on: (event: unknown) => void) => {
        if (type === 'keydown') hear = on
      },
      removeEventListener() {},
    }
    const chain = chainOf(map, at)
    const ears = {
      chain: () => chain,
      run: (id: string) => ran.push(id),
      repeats: () => false,
      pending: (now: unknown) => {
        waiting = now !== null
      },
    }
    const stop = listen(target as unknown as Document, ears)
    const wrong = sheetOf(map, at)
      .filter(({ here }) => here)
      .flatMap(({ rows }) =>
        rows.flatMap(({ id, keys }) =>
          keys.flatMap((binding) => {
            ran = []
            for (const token of binding.split(' ')) hear(asPressed(token))
            // A key that also starts a longer shortcut runs after its timeout.
            if (waiting) vi.advanceTimersByTime(1100)
            return ran.join() === id ? [] : [`${JSON.stringify(at)} ${binding}: ${ran.join()} is not ${id}`]
          }),
        ),
      )
    stop()
    return wrong
  }
  onFakePage()

  it('is accurate: every shortcut runs its command in its context', () => {
    const map = inUse(ADMIN)
    expect(places.flatMap((at) => lies(map, at))).toEqual([])
  })
  it('is accurate for conflicting own shortcuts', () => {
    const own = { 'go.clients': 'x l', 'density.compact': 'g', 'project.goLive': 'j', 'go.rewards': 'Mod+j' }
    const map = inUse({ ...ADMIN, keys: own })
    expect(places.flatMap((at) => lies(map, at))).toEqual([])
  })
  it('leaves out shortcuts that an inner context hides', () => {
    const map = inUse({ ...ADMIN, keys: { 'go.clients': 'x l' } })
    const ids = sheetOf(map, { focused: null, list: true, row: null }).flatMap(({ rows }) => rows.map(({ id }) => id))
    expect(ids).not.toContain('go.clients')
  })
  it('has every command with shortcuts once', () => {
    const ids = sheetOf(inUse(ADMIN), places[0]!).flatMap(({ rows }) => rows.map(({ id }) => id))
    expect(ids.toSorted()).toEqual([...new Set(Object.values(keymap).flatMap((keys) => Object.values(keys)))].toSorted())
  })
  it('lists what works here first', () => {
    const contexts = sheetOf(inUse(ADMIN), { focused: 'project', list: true, row: 'entry' }).map(({ context }) => context)
    expect(contexts.slice(0, 4)).toEqual(['entry', 'list', 'project', 'app'])
  })
})
