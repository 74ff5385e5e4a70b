import { type KeybindingPress, parseKeybinding } from 'tinykeys'
import { LONE } from '../../workspace/attention.ts'

/** The part of a keyboard event that identifies its key. */
export interface KeyPress {
  key: string
  code: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
  getModifierState?(modifier: string): boolean
}

/** Keys without a meaning, besides modifiers. */
const NO_KEY = /^(NumLock|Process|Unidentified|Fn)$/
/** The characters of a key position on a US keyboard, without and with Shift. */
const CODES: Record<string, readonly [string, string]> = {
  BracketLeft: ['[', '{'],
  BracketRight: [']', '}'],
  Backslash: ['\\', '|'],
  IntlBackslash: ['\\', '|'],
  Slash: ['/', '?'],
  Period: ['.', '>'],
  Comma: [',', '<'],
  Minus: ['-', '_'],
  Equal: ['=', '+'],
  Semicolon: [';', ':'],
  Quote: ["'", '"'],
  Backquote: ['`', '~'],
}
const OVER_DIGITS = ')!@#$%^&*('

/** True on a Mac, where Mod is ⌘. */
export const isMac = typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.platform)

const LETTER = /^[a-z]$/i
const LATIN = /^[\x21-\x7e]$/

/** Returns the character at a key position of a US keyboard, shifted or not; null if unknown. */
function placed(code: string, shift: boolean): string | null {
  const last = code.at(-1)!
  if (/^Key.$/.test(code)) return last.toLowerCase()
  if (/^(Digit|Numpad)\d$/.test(code)) return shift && code[0] === 'D' ? OVER_DIGITS[Number(last)]! : last
  return CODES[code]?.[shift ? 1 : 0] ?? null
}

/** One possible meaning of a key press, in the form that tinykeys matches and the keymap uses. */
export interface Reading {
  /** `g`, `Shift+g`, `?`, `Mod+k`, `Alt+Shift+h`, `ArrowDown`. */
  name: string
  key: string
  /** Always empty, so that tinykeys doesn't match it: `key` holds the position if that matters. */
  code: ''
  /** `Meta` stands for Mod: ⌘ on a Mac, Ctrl elsewhere. `Control` is a Mac's Ctrl key. */
  getModifierState(modifier: string): boolean
}

/**
 * Returns the possible readings of a press, likeliest first; none for a modifier, a dead key or an IME.
 * A Latin `key` counts, or else its position (`code`): a Russian Ctrl+K is Ctrl+K, a Dvorak k is a k.
 * A sign may also mean its position: a French `&` is 1, a German Ctrl+# is Ctrl+\. On a Mac, Alt uses the position.
 * AltGr types a character and isn't Ctrl+Alt. The Windows key belongs to the system.
 */
export function readingsOf(press: KeyPress, mac = isMac): Reading[] {
  if (press.metaKey && !mac) return []
  const single = [...press.key].length === 1
  const dead = press.key === 'Dead'
  if (LONE.has(press.key) || NO_KEY.test(press.key)) return []
  // Some browsers report AltGr as Ctrl+Alt together with a character that isn't the key's own.
  const typed =
    press.getModifierState?.('AltGraph') ||
    (!mac &&
      press.ctrlKey &&
      press.altKey &&
      single &&
      !/[a-z0-9]/i.test(press.key) &&
      press.key !== placed(press.code, press.shiftKey))
  // A dead key waits for its letter. With Ctrl or Alt it doesn't, and its position counts.
  if (dead && (typed || !(press.ctrlKey || press.metaKey || press.altKey))) return []
  const mod = !typed && (mac ? press.metaKey : press.ctrlKey)
  const control = !typed && mac && press.ctrlKey
  const alt = !typed && press.altKey
  const read = (key: string, shift: boolean): Reading => {
    const held = [mod && 'Mod', control && 'Control', alt && 'Alt', shift && 'Shift'].filter((one) => one !== false)
    return {
      name: [...held, key].join('+'),
      key,
      code: '',
      getModifierState: (name) => (held as string[]).includes(name === 'Meta' ? 'Mod' : name),
    }
  }
  if (!single && !dead) return [read(press.key, press.shiftKey)]
  if (press.key === ' ') return [read('Space', press.shiftKey)]
  const latin = LATIN.test(press.key)
  const letter = LETTER.test(press.key)
  const small = press.key.toLowerCase()
  // tinykeys treats `Ü` as `ü`, so a letter keeps its Shift. In a character such as `?`, Shift is used up.
  const byKey = read(small, press.shiftKey && (letter || small !== press.key))
  if (typed) return [byKey]
  if (letter || (/^\d$/.test(press.key) && alt)) return [byKey]
  const place = placed(press.code, false)
  // With Alt, a position keeps its name and Shift; without, Shift makes another character (`?`, `*`).
  const byPlace =
    place && (alt || LETTER.test(place) ? read(place, press.shiftKey) : read(placed(press.code, press.shiftKey)!, false))
  if (alt && mac) return byPlace ? [byPlace] : []
  if (!latin) return byPlace ? [byPlace] : dead ? [] : [byKey]
  const also = mod || control || alt || (/^Digit/.test(press.code) && !press.shiftKey)
  return also && byPlace && byPlace.name !== byKey.name ? [byKey, byPlace] : [byKey]
}

/** Returns a key press as the keymap writes it, to record a shortcut; null for modifiers and the like. */
export const tokenOf = (press: KeyPress, mac = isMac): string | null => readingsOf(press, mac)[0]?.name ?? null

const parsed = new Map<string, readonly KeybindingPress[]>()
/**
 * Parses a binding with tinykeys, cached. `Mod` becomes its `Meta` on every system, as in a reading.
 * Returns no presses for `(…)`, which tinykeys would turn into a regular expression, or throw.
 */
export function parse(binding: string): readonly KeybindingPress[] {
  const presses = parsed.get(binding) ?? (/\(\S/.test(binding) ? [] : parseKeybinding(binding.replaceAll('Mod+', 'Meta+')))
  parsed.set(binding, presses)
  return presses
}

const MODIFIER_NAMES = { Mod: /^(ctrl|mod|cmd|meta)$/i, Control: /^control$/i, Alt: /^alt$/i, Shift: /^shift$/i }

/** Normalizes a binding: `Ctrl+Shift+K` → `Mod+Shift+k`, `mod+k`, `G` → `Shift+g`. */
export const normalize = (binding: string): string =>
  parse(binding.trim().replace(/\s+/g, ' '))
    .map(([modifiers, , key]) => {
      const large = /^\p{Lu}$/u.test(key as string)
      const names = large && !modifiers.length ? ['Shift'] : modifiers
      const held = Object.entries(MODIFIER_NAMES).flatMap(([name, word]) => (names.some((one) => word.test(one)) ? [name] : []))
      return [...held, large ? (key as string).toLowerCase() : key].join('+')
    })
    .join(' ')

/** Formats a shortcut for display: `Mod+k` is ⌘K on a Mac, else Ctrl+K; a sequence stays `g p`. */
export function shownAs(binding: string, mac: boolean): string {
  return binding
    .split(' ')
    .map((chord) => {
      const words = chord.split(/\+(?!$)/).map(
        (part) =>
          ({
            Mod: mac ? '⌘' : 'Ctrl',
            Control: mac ? '⌃' : 'Ctrl',
            Alt: mac ? '⌥' : 'Alt',
            Shift: mac ? '⇧' : 'Shift',
            ArrowLeft: '←',
            ArrowRight: '→',
            ArrowUp: '↑',
            ArrowDown: '↓',
            Escape: 'Esc',
            Delete: 'Del',
          })[part] ?? part,
      )
      const last = words.length > 1 && /^[a-z]$/.test(words.at(-1)!) ? words.at(-1)!.toUpperCase() : words.at(-1)!
      return [...words.slice(0, -1), last].join(mac ? '' : '+')
    })
    .join(' ')
}
