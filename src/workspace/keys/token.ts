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
const MODIFIERS = new Set(['Control', 'Shift', 'Alt', 'Meta', 'AltGraph', 'CapsLock', 'Dead', 'Process', 'Unidentified', 'Fn'])
const CODES: Record<string, string> = {
  BracketLeft: '[',
  BracketRight: ']',
  Backslash: '\\',
  Slash: '/',
  Period: '.',
  Comma: ',',
  Minus: '-',
  Equal: '=',
  Semicolon: ';',
  Quote: "'",
  Backquote: '`',
  IntlBackslash: '\\',
}

const fromCode = (code: string): string | null =>
  /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() ?? /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1] ?? CODES[code] ?? null

/**
 * A key press as the keymap writes it: `g`, `Shift+g`, `?`, `Mod+k`, `Alt+Shift+h`, `ArrowDown`; null for a modifier alone or a dead key.
 * By `key` where it is Latin, else by where the key stands (`code`), so that a Russian Ctrl+K is Ctrl+K; Alt+letter by `code`, as macOS types signs with it.
 */
export function tokenOf(press: KeyPress): string | null {
  if (MODIFIERS.has(press.key) && !(press.key === 'Dead' && press.altKey)) return null
  const typed = press.altGraph === true
  const ctrl = !typed && (press.ctrlKey || press.metaKey)
  const alt = !typed && press.altKey
  const single = [...press.key].length === 1
  const latin = single && /^[\x21-\x7e]$/.test(press.key)
  const placed = fromCode(press.code)
  let key = NAMED[press.key] ?? press.key
  if (single && press.key !== ' ') key = (alt || (!latin && !typed)) && placed ? placed : press.key
  const letter = /^[a-z]$/i.test(key)
  if (letter) key = key.toLowerCase()
  // Shift makes another sign of a digit or mark (`?`, `*`): it is part of the sign then, not a modifier — unless the key is named by its place.
  const shift = press.shiftKey && (letter || key.length > 1 || (alt && placed === key))
  return `${ctrl ? 'Mod+' : ''}${alt ? 'Alt+' : ''}${shift ? 'Shift+' : ''}${key}`
}

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
      return `${has(/^(ctrl|mod|cmd|meta)$/i) ? 'Mod+' : ''}${has(/^alt$/i) ? 'Alt+' : ''}${shift ? 'Shift+' : ''}${key}`
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

/** True on a Mac, where Mod is ⌘. */
export const isMac = typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.platform)
