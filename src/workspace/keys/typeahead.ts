import { type BufferedKey, type Key, type KeyBuffer, PLACES } from './keyBuffer.ts'

/*
 * Buffers keys that are not for what has the focus now: typed between the key that opens a field and the moment the field
 * has the focus, pressed while a screen is loading, or meant for a command that was refused. They are replayed in order
 * when it is there, or dropped as a whole, with a notice.
 */

/** What can't come must not keep the keyboard. */
const LONGEST_MS = 10_000
const NAMED = new Set(['Enter', 'Backspace', 'Tab', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End'])
/** Held down alone they are no key yet. */
export const LONE = new Set(['Control', 'Shift', 'Alt', 'Meta', 'AltGraph', 'CapsLock'])

let buffer: KeyBuffer | null = null

/** What the dispatcher alone can tell. */
interface Around {
  /** The screen before the person, or the row under its cursor, is still on its way. */
  isComing(): boolean
  /** Tells the person that keys were dropped. */
  dropped(keys: readonly BufferedKey[]): void
}
let around: Around = { isComing: () => false, dropped: () => {} }
export const setTypeaheadHooks = (told: Around): void => {
  around = told
}

/** Intercepts keys before all other handlers (aside.ts): after a refusal, or for a dialog that nobody can have seen yet. */
export interface First {
  /** True when it takes the key. */
  take(key: Key): boolean
  /** Something was clicked. */
  pointed(): void
  /** The focus is in a palette, a dialog or a menu. */
  placed(): void
}
let first: First | null = null
export const onFirst = (one: First): void => {
  first = one
}

function begin(page: boolean): KeyBuffer {
  const { keys, end } = buffer ?? { keys: [], end: new AbortController() }
  if (buffer) clearTimeout(buffer.timer)
  buffer = { keys, end, timer: setTimeout(discardWithNotice, LONGEST_MS), playing: false, page }
  return buffer
}

/** Begins to keep keys, or goes on: a field is about to come. The signal fires when Escape takes it all back. */
export function bufferKeys(): AbortSignal {
  // When one of the buffered keys began this, the rest of them are for the new field.
  return begin(false).end.signal
}

/** What keys are buffered for; a new object when something else starts buffering. */
export const keptFor = (): object | null => buffer

/** Keeps keys for the screen that is coming, and presses them when it is there. */
export function bufferForScreen(keys: readonly Key[]): void {
  const now = begin(true)
  now.keys.push(...keys)
  void played(now)
}

/** True when a key must wait for a loading screen: it needs the screen, or earlier keys are waiting. */
export const mustBuffer = (waits: () => boolean): boolean => !sending && (buffer ? buffer.page : waits())

/** A sign that is typed, with AltGr too. */
export const isTyped = (key: Key): boolean =>
  [...key.key].length === 1 && (!(key.ctrlKey || key.metaKey || key.altKey) || key.getModifierState?.('AltGraph') === true)
/** The keys that write an answer. Ctrl+Enter confirms several choices, so it must not overtake the keys before it. */
export const isAnswer = (key: Key): boolean =>
  isTyped(key) || (key.key === 'Enter' && !key.altKey) || (NAMED.has(key.key) && !key.ctrlKey && !key.metaKey && !key.altKey)

/** The keys that edit typed text: select all, Delete, word and line moves. They wait with the letters they apply to. */
const isEdit = ({ key, ctrlKey, metaKey, altKey }: Key): boolean =>
  !altKey && (key === 'Delete' || ((ctrlKey || metaKey) && /^(a|Backspace|Arrow(Left|Right)|Home|End)$/i.test(key)))

/** Buffers a key for something that is loading; null if it isn't meant for that, `ended` for Escape: nothing opens. */
export function bufferKey(key: Key): 'buffered' | 'ended' | null {
  if (sending || key.isComposing || key.keyCode === 229) return null
  if (first?.take(key)) return 'buffered'
  if (!buffer) return waitsForAnswer(key)
  if (buffer.page ? LONE.has(key.key) : key.key !== 'Escape' && !isAnswer(key) && !isEdit(key)) return null
  if (key.key === 'Escape' && !buffer.page) {
    const { end, playing, timer } = buffer
    clearTimeout(timer)
    buffer = null
    // The field is there: the Escape is its own.
    if (playing) return null
    end.abort()
    return 'ended'
  }
  // A key that is still held from before types nothing.
  if (!key.repeat) buffer.keys.push(key)
  return 'buffered'
}

/** Buffers text that comes without keys while buffered keys are still being typed into its field, behind them. */
export function bufferText({ data, isComposing }: Pick<InputEvent, 'data' | 'isComposing'>): boolean {
  if (!buffer?.playing || !data || isComposing) return false
  buffer.keys.push({ text: data })
  return true
}

/** A question whose choices are loading: Enter, and everything after it, waits for the result. */
function waitsForAnswer(key: Key): 'buffered' | null {
  if (typeof document === 'undefined' || key.repeat || !(isAnswer(key) || isEdit(key))) return null
  const shell = document.activeElement?.closest<HTMLElement>('[data-reading]')
  if (!shell || (key.key !== 'Enter' && shell.dataset.reading !== 'all')) return null
  const now = begin(false)
  now.keys.push(key)
  void played(now)
  return 'buffered'
}

/** Nothing opened that could be typed into: replays the buffered keys as if they were pressed now. */
export function flush(): void {
  if (buffer && !buffer.playing) void played(buffer)
}

/** Plays the buffered keys when the focus reaches what they are for. */
export function focusIn(target: EventTarget | null): void {
  if (!(target instanceof Element && target.closest(PLACES))) return
  first?.placed()
  if (buffer && !buffer.playing && !buffer.page) void played(buffer)
}

/** Discards the buffered keys: what they were for didn't come. */
export function discardKeys(): void {
  if (buffer) clearTimeout(buffer.timer)
  buffer = null
}

/** Returns the buffered keys and clears the buffer. */
export function takeBuffered(): readonly BufferedKey[] {
  const keys = buffer?.keys ?? []
  discardKeys()
  return keys
}

/** The same, and tells the person that they were dropped. */
export function discardWithNotice(): void {
  const keys = takeBuffered()
  if (keys.length) around.dropped(keys)
}

/** Keeps a key for what a dialog is withdrawn from. */
export function withdrawAndBuffer(key: Key, withdraw: () => void): void {
  const now = begin(false)
  now.keys.push(key)
  withdraw()
  void played(now, true)
}

/** Playback is loaded on demand, with the first buffered key. */
const loadPlay = () => import('./play.ts')
export const preparePlay = (): void => void loadPlay()

async function played(now: KeyBuffer, back = false): Promise<void> {
  now.playing = true
  clearTimeout(now.timer)
  const goesOn = () => buffer === now && now.playing
  try {
    const { play } = await loadPlay()
    const whole = await play(now, { goesOn, isComing: around.isComing, back, send })
    if (!goesOn()) return
    if (whole) buffer = null
    else discardWithNotice()
  } catch {
    if (goesOn()) discardWithNotice()
  }
}

/** True while a buffered key is being pressed, so that it isn't buffered again. */
let sending = false
function send(press: () => boolean): boolean {
  sending = true
  try {
    return press()
  } finally {
    sending = false
  }
}

/** A click means that the person has moved on from what was loading. */
export function pointed(): void {
  first?.pointed()
  if (!buffer?.page && (!buffer?.keys.length || buffer.playing)) return
  const { end } = buffer
  discardWithNotice()
  // Nor does what they were for open over it.
  end.abort()
}
