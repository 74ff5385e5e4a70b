/** The part of a keyboard event that names its key. */
export interface KeyPress {
  key: string
  code: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
  /** AltGr is held: it types a character, and is no Ctrl+Alt. */
  altGraph?: boolean
}

const NAMED: Record<string, string> = {
  ' ': 'Space',
  Esc: 'Escape',
  Left: 'ArrowLeft',
  Right: 'ArrowRight',
  Up: 'ArrowUp',
  Down: 'ArrowDown',
  Del: 'Delete',
}
const MODIFIERS = new Set(['Control', 'Shift', 'Alt', 'Meta', 'AltGraph', 'CapsLock', 'NumLock', 'Process', 'Unidentified', 'Fn'])
/** What stands at a place of an American keyboard: without Shift, and with it. */
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

/** The key by where it stands, with what Shift makes of it there: `[`, `{`, a letter, a digit; null where nothing is known to stand. */
function placed(code: string, shift: boolean): string | null {
  const letter = /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase()
  if (letter) return letter
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1]
  if (digit) return shift && code.startsWith('Digit') ? OVER_DIGITS[Number(digit)]! : digit
  return CODES[code]?.[shift ? 1 : 0] ?? null
}

/**
 * What a key press may mean, the likeliest first, as the keymap writes it: `g`, `Shift+g`, `?`, `Mod+k`, `Alt+Shift+h`, `ArrowDown`; empty for a
 * modifier alone, a dead key or a word being composed.
 *
 * By `key` where it is Latin, else by where the key stands (`code`), so that a Russian Ctrl+K is Ctrl+K and a Dvorak k is a k. What is Latin but no letter may
 * also mean its place: a French `&` is the key 1, a German Ctrl+# is Ctrl+\. On a Mac, where Alt types signs, Alt goes by place. AltGr types: it is
 * no Ctrl+Alt. Mod is ⌘ on a Mac and Ctrl elsewhere; a Mac's own Ctrl is `Control`, and the Windows key belongs to the system.
 */
export function tokensOf(press: KeyPress, mac = isMac): string[] {
  if (press.metaKey && !mac) return []
  const single = [...press.key].length === 1
  const dead = press.key === 'Dead'
  const modified = press.ctrlKey || press.metaKey || press.altKey
  if (MODIFIERS.has(press.key) || (dead && !modified)) return []
  // Some browsers say Ctrl and Alt for AltGr and nothing else: a sign that is not the key's own was typed with it.
  const typed =
    press.altGraph === true ||
    (!mac &&
      press.ctrlKey &&
      press.altKey &&
      single &&
      !/[a-z0-9]/i.test(press.key) &&
      press.key !== placed(press.code, press.shiftKey))
  const mod = !typed && (mac ? press.metaKey : press.ctrlKey)
  const control = !typed && mac && press.ctrlKey
  const alt = !typed && press.altKey
  const write = (key: string, shift: boolean) =>
    `${mod ? 'Mod+' : ''}${control ? 'Control+' : ''}${alt ? 'Alt+' : ''}${shift ? 'Shift+' : ''}${key}`
  if (!single && !dead) return [write(NAMED[press.key] ?? press.key, press.shiftKey)]
  if (press.key === ' ') return [write('Space', press.shiftKey)]
  const place = placed(press.code, false)
  // With Alt a place keeps its name and Shift is said; without it Shift makes another sign of the key (`?`, `*`).
  const byPlace = alt
    ? place && write(place, press.shiftKey)
    : place && (LETTER.test(place) ? write(place, press.shiftKey) : write(placed(press.code, press.shiftKey)!, false))
  const latin = LATIN.test(press.key)
  const letter = LETTER.test(press.key)
  const byKey = latin ? write(letter ? press.key.toLowerCase() : press.key, letter && press.shiftKey) : null
  if (typed) return [byKey ?? press.key]
  if (letter || (/^\d$/.test(press.key) && alt)) return [byKey!]
  if (alt && mac) return byPlace ? [byPlace] : []
  if (!latin) return byPlace ? [byPlace] : dead ? [] : [write(press.key, false)]
  const also = mod || control || alt || (/^Digit/.test(press.code) && !press.shiftKey)
  return also && byPlace && byPlace !== byKey ? [byKey!, byPlace] : [byKey!]
}

/** The first of what a key press may mean, or null: what a binding that is being chosen takes. */
export const tokenOf = (press: KeyPress, mac = isMac): string | null => tokensOf(press, mac)[0] ?? null

/** A browser's event as the part that names its key. */
export const pressOf = (event: KeyboardEvent | Omit<KeyPress, 'altGraph'>): KeyPress => ({
  key: event.key,
  code: event.code,
  ctrlKey: event.ctrlKey,
  metaKey: event.metaKey,
  altKey: event.altKey,
  shiftKey: event.shiftKey,
  altGraph: 'getModifierState' in event ? event.getModifierState('AltGraph') : false,
})

/** Writes a binding in one way: `Ctrl+Shift+K` → `Mod+Shift+k`, `mod+k`, `G` → `Shift+g`. */
export function normalize(binding: string): string {
  return binding
    .trim()
    .split(/\s+/)
    .map((chord) => {
      const parts = chord === '+' ? ['+'] : chord.split(/\+(?!$)/)
      let key = parts.at(-1)!
      const has = (name: RegExp) => parts.slice(0, -1).some((part) => name.test(part))
      const shift = has(/^shift$/i) || (/^[A-Z]$/.test(key) && parts.length === 1)
      if (/^[A-Z]$/.test(key)) key = key.toLowerCase()
      return `${has(/^(ctrl|mod|cmd|meta)$/i) ? 'Mod+' : ''}${has(/^control$/i) ? 'Control+' : ''}${has(/^alt$/i) ? 'Alt+' : ''}${shift ? 'Shift+' : ''}${key}`
    })
    .join(' ')
}

/** How a chord is shown to people: `Mod+k` is ⌘K on a Mac and Ctrl+K elsewhere; a sequence stays `g p`. */
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
