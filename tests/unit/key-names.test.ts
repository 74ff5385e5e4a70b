import { describe, expect, it } from 'vitest'
import { type KeyPress, normalize, readingsOf, shownAs, tokenOf } from '../../src/runner/keys/keyReading.ts'

type Held = Partial<KeyPress> & { altGraph?: boolean }
const keyPress = (key: string, code: string, { altGraph, ...more }: Held = {}): KeyPress => ({
  key,
  code,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  getModifierState: (modifier) => modifier === 'AltGraph' && altGraph === true,
  ...more,
})
const pressed = (key: string, code: string, more: Held = {}) => tokenOf(keyPress(key, code, more), false)
/** All readings of a press. */
const may = (key: string, code: string, more: Held = {}) => readingsOf(keyPress(key, code, more), false).map(({ name }) => name)
const onMac = (key: string, code: string, more: Held = {}) => readingsOf(keyPress(key, code, more), true).map(({ name }) => name)
const shiftKey = true
const ctrlKey = true
const altKey = true

describe('the name of a key', () => {
  it('is its letter', () => expect(pressed('g', 'KeyG')).toBe('g'))
  it('has Shift with a letter', () => expect(pressed('G', 'KeyG', { shiftKey })).toBe('Shift+g'))
  it('is the lowercase letter under Caps Lock', () => expect(pressed('G', 'KeyG')).toBe('g'))
  it('has no Shift with a sign', () => expect(pressed('?', 'Slash', { shiftKey })).toBe('?'))
  it('is nothing for a modifier alone', () => expect(pressed('Shift', 'ShiftLeft', { shiftKey })).toBeNull())
  it('is nothing during composition', () => expect(pressed('Process', 'KeyA')).toBeNull())
  it('is nothing for a dead key', () => expect(pressed('Dead', 'BracketLeft')).toBeNull())
  it('is nothing for a dead key of AltGr, which waits for its letter too', () =>
    expect(pressed('Dead', 'Digit2', { ctrlKey, altKey, altGraph: true })).toBeNull())
  it('has Shift with a non-Latin letter at an unknown position', () => {
    expect(pressed('Ж', '', { shiftKey })).toBe('Shift+ж')
    expect(pressed('ж', '')).toBe('ж')
  })
  it('is lowercase for those under Caps Lock', () => expect(pressed('Ж', '')).toBe('ж'))
  it('names Space', () => expect(pressed(' ', 'Space')).toBe('Space'))
  it('is nothing with the Windows key, which belongs to the system', () =>
    expect(pressed('k', 'KeyK', { metaKey: true })).toBeNull())
})

describe('the name of a key on other keyboards', () => {
  it('is by position on a Russian one, so Ctrl+K works there', () => expect(pressed('л', 'KeyK', { ctrlKey })).toBe('Mod+k'))
  it('keeps Shift by position on a Russian one', () => expect(pressed('П', 'KeyG', { shiftKey })).toBe('Shift+g'))
  it('is the shifted sign by position', () => {
    expect(pressed('Ю', 'Period', { shiftKey })).toBe('>')
    expect(pressed('ю', 'Period')).toBe('.')
    expect(pressed('Х', 'BracketLeft', { shiftKey })).toBe('{')
  })
  it('is by letter on a French one, where A is at Q', () => expect(may('a', 'KeyQ')).toEqual(['a']))
  it('is also the digit on a French one, whose digits need Shift', () => {
    expect(may('&', 'Digit1')).toEqual(['&', '1'])
    expect(may('é', 'Digit2')).toEqual(['2'])
    expect(may('1', 'Digit1', { shiftKey })).toEqual(['1'])
  })
  it('isn’t a digit where Shift makes it a sign', () => expect(may('(', 'Digit9', { shiftKey })).toEqual(['(']))
  it('is the bracket that a French AltGr types', () =>
    expect(may('[', 'Digit5', { ctrlKey, altKey, altGraph: true })).toEqual(['[']))
  it('is a German AltGr+7, which types a brace', () =>
    expect(may('{', 'Digit7', { ctrlKey, altKey, altGraph: true })).toEqual(['{']))
  it('is a typed sign even if a browser reports AltGr as Ctrl and Alt', () =>
    expect(may('{', 'Digit7', { ctrlKey, altKey })).toEqual(['{']))
  it('stays Ctrl+Alt with the key’s own letter', () => expect(may('k', 'KeyK', { ctrlKey, altKey })).toEqual(['Mod+Alt+k']))
  it('is also the position of a German Ctrl+#, which is Ctrl+\\', () =>
    expect(may('#', 'Backslash', { ctrlKey })).toEqual(['Mod+#', 'Mod+\\']))
  it('is the position of a German ü, which is a bracket', () => expect(may('ü', 'BracketLeft')).toEqual(['[']))
  it('is by letter on a Dvorak one, with Ctrl and with Alt too', () => {
    expect(may('h', 'KeyJ')).toEqual(['h'])
    expect(may('k', 'KeyV', { ctrlKey })).toEqual(['Mod+k'])
    expect(may('h', 'KeyJ', { altKey })).toEqual(['Alt+h'])
  })
  it('is by position for Alt and a digit on a French one', () => expect(may('&', 'Digit1', { altKey })).toContain('Alt+1'))
  it('is by position with Ctrl for a dead key', () => expect(may('Dead', 'BracketLeft', { ctrlKey })).toEqual(['Mod+[']))
})

describe('the name of a key on a Mac', () => {
  it('has Mod for ⌘', () => expect(onMac('k', 'KeyK', { metaKey: true })).toEqual(['Mod+k']))
  it('leaves Ctrl to the caret of a Mac’s fields', () => expect(onMac('k', 'KeyK', { ctrlKey })).toEqual(['Control+k']))
  it('is by position with Alt, which types signs', () => expect(onMac('˙', 'KeyH', { altKey })).toEqual(['Alt+h']))
  it('is by position with Alt for a dead key', () => expect(onMac('Dead', 'KeyN', { altKey })).toEqual(['Alt+n']))
  it('keeps Alt+Shift with a letter', () => expect(onMac('Ó', 'KeyH', { altKey, shiftKey })).toEqual(['Alt+Shift+h']))
  it('is the position of a German Alt+5, which types a bracket', () =>
    expect(onMac('[', 'Digit5', { altKey })).toEqual(['Alt+5']))
})

describe('a binding', () => {
  it('is normalized', () =>
    expect(['Ctrl+Shift+K', 'mod+k', 'G', 'g  p', '+', 'Control+k'].map(normalize)).toEqual([
      'Mod+Shift+k',
      'Mod+k',
      'Shift+g',
      'g p',
      '+',
      'Control+k',
    ]))
  it('is never a pattern: what tinykeys would read as a regular expression has no keys', () =>
    expect(['(a|b)', 'g ([0-9', 'Mod+(', '( x'].map(normalize)).toEqual(['', '', 'Mod+(', '( x']))
  it('is shown as it is pressed', () =>
    expect([shownAs('Mod+k', false), shownAs('Mod+k', true), shownAs('g p', false)]).toEqual(['Ctrl+K', '⌘K', 'g p']))
})
