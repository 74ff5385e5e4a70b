import type { KeyPress } from '../../src/runner/keys/keyReading.ts'

/** The characters of a key: alone, with Shift, with AltGr; '' for none. */
type Signs = readonly [plain: string, shift: string, altGraph?: string]
type Layout = Readonly<Record<string, Signs>>

const letters = (codes: string, typed = codes.toLowerCase()): Layout =>
  Object.fromEntries([...codes].map((code, at) => [`Key${code}`, [typed[at]!, typed[at]!.toUpperCase()]]))
const row = (plain: string, shift: string): Layout =>
  Object.fromEntries([...'1234567890'].map((digit, at) => [`Digit${digit}`, [plain[at]!, shift[at]!]]))

/** Three keyboards by key position (`code`); a key that only waits for the next one is `Dead`. */
export const layouts = {
  us: {
    ...letters('ABCDEFGHIJKLMNOPQRSTUVWXYZ'),
    ...row('1234567890', '!@#$%^&*()'),
    Minus: ['-', '_'],
    Equal: ['=', '+'],
    BracketLeft: ['[', '{'],
    BracketRight: [']', '}'],
    Backslash: ['\\', '|'],
    Semicolon: [';', ':'],
    Quote: ["'", '"'],
    Backquote: ['`', '~'],
    Comma: [',', '<'],
    Period: ['.', '>'],
    Slash: ['/', '?'],
  },
  de: {
    ...letters('ABCDFGHIJKLNOPRSTUVWX'),
    ...letters('YZ', 'zy'),
    ...row('1234567890', '!"§$%&/()='),
    KeyQ: ['q', 'Q', '@'],
    KeyE: ['e', 'E', '€'],
    KeyM: ['m', 'M', 'µ'],
    Digit2: ['2', '"', '²'],
    Digit7: ['7', '/', '{'],
    Digit8: ['8', '(', '['],
    Digit9: ['9', ')', ']'],
    Digit0: ['0', '=', '}'],
    Minus: ['ß', '?', '\\'],
    Equal: ['Dead', 'Dead'],
    BracketLeft: ['ü', 'Ü'],
    BracketRight: ['+', '*', '~'],
    Backslash: ['#', "'"],
    Semicolon: ['ö', 'Ö'],
    Quote: ['ä', 'Ä'],
    Backquote: ['Dead', '°'],
    Comma: [',', ';'],
    Period: ['.', ':'],
    Slash: ['-', '_'],
    IntlBackslash: ['<', '>', '|'],
  },
  fr: {
    ...letters('BCDFGHIJKLNOPRSTUVXY'),
    ...letters('AQ', 'qa'),
    ...letters('WZ', 'zw'),
    ...row('&é"\'(-è_çà', '1234567890'),
    KeyE: ['e', 'E', '€'],
    Digit2: ['é', '2', '~'],
    Digit3: ['"', '3', '#'],
    Digit4: ["'", '4', '{'],
    Digit5: ['(', '5', '['],
    Digit6: ['-', '6', '|'],
    Digit8: ['_', '8', '\\'],
    Digit0: ['à', '0', '@'],
    Minus: [')', '°', ']'],
    Equal: ['=', '+', '}'],
    BracketLeft: ['Dead', 'Dead'],
    BracketRight: ['$', '£', '¤'],
    Backslash: ['*', 'µ'],
    Semicolon: ['m', 'M'],
    Quote: ['ù', '%'],
    Backquote: ['²', ''],
    KeyM: [',', '?'],
    Comma: [';', '.'],
    Period: [':', '/'],
    Slash: ['!', '§'],
    IntlBackslash: ['<', '>'],
  },
} satisfies Record<string, Layout>

/** Keys with the same name on every keyboard. */
const NAMED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['Escape', 'Enter', 'Tab', 'Backspace', 'Delete', 'Home', 'End', 'PageUp', 'PageDown', 'F1', 'F2', 'F11'].map((key) => [
      key,
      key,
    ]),
  ),
  ...Object.fromEntries(['Left', 'Right', 'Up', 'Down'].map((side) => [`Arrow${side}`, `Arrow${side}`])),
  Space: ' ',
  ShiftLeft: 'Shift',
  ControlLeft: 'Control',
  AltRight: 'AltGraph',
}

/** A press's modifiers; on Windows AltGr is Ctrl and Alt too, and some browsers report only those. */
export interface Held {
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
  altGraph: 'no' | 'said' | 'as Ctrl+Alt'
  capsLock: boolean
}

/** The event for a key position on a keyboard. */
export function pressAt(name: keyof typeof layouts, code: string, held: Held): KeyPress {
  const { altGraph, capsLock, ...modifiers } = held
  const signs = (layouts[name] as Layout)[code]
  const letter = signs && signs[0].length === 1 && signs[0] !== signs[0].toUpperCase()
  const sign = altGraph !== 'no' && signs?.[2] ? signs[2] : signs?.[Number(held.shiftKey !== (capsLock && letter))]
  return {
    ...modifiers,
    ...(altGraph === 'no' ? {} : { ctrlKey: true, altKey: true }),
    getModifierState: (modifier) => modifier === 'AltGraph' && altGraph === 'said',
    key: sign || (NAMED[code] ?? 'Unidentified'),
    code,
  }
}

/** Every key of a keyboard. */
export const codesOf = (name: keyof typeof layouts): string[] => [...Object.keys(layouts[name]), ...Object.keys(NAMED)]
