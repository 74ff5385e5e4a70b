import { LONE } from '../attention.ts'
import { type BufferedKey, type Key, type KeyBuffer, PLACES } from './keyBuffer.ts'

/*
 * Buffers keys that aren't for the current focus: typed before a field opens or a screen loads, or after a refusal.
 * They are replayed in order once it is ready, or dropped as a whole with a notice.
 */

/** How long (ms) something that never loads may hold the keyboard. */
const LONGEST_MS = 10_000
const NAMED = new Set(['Enter', 'Backspace', 'Tab', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'F2'])

let buffer: KeyBuffer | null = null

/** What only the dispatcher knows. */
interface TypeaheadHooks {
  /** Returns true while the current screen or its cursor row is loading. */
  isComing(): boolean
  /** Notifies the user that keys were dropped. */
  dropped(keys: readonly BufferedKey[]): void
}
let around: TypeaheadHooks = { isComing: () => false, dropped: () => {} }
export const setTypeaheadHooks = (hooks: TypeaheadHooks): void => {
  around = hooks
}

/** Intercepts keys before other handlers (swallowKeys.ts): after a refusal, or for a dialog not seen yet. */
export interface KeyInterceptor {
  /** Returns true if it takes the key. */
  take(key: Key): boolean
  /** Called on a click. */
  pointed(): void
  /** Called when the focus enters a palette, dialog or menu. */
  placed(): void
}
let first: KeyInterceptor | null = null
export const onFirst = (one: KeyInterceptor): void => {
  first = one
}

function begin(page: boolean): KeyBuffer {
  const { keys, end } = buffer ?? { keys: [], end: new AbortController() }
  if (buffer) clearTimeout(buffer.timer)
  buffer = { keys, end, timer: setTimeout(discardWithNotice, LONGEST_MS), playing: false, page }
  if (typeof document !== 'undefined' && document.hasFocus?.() === false) lookForFocus(buffer)
  return buffer
}

/** In a window without the focus, as of a browser driven by a program, no event tells that a field has it. */
function lookForFocus(mine: KeyBuffer): void {
  setTimeout(() => {
    if (buffer !== mine || mine.playing) return
    focusIn(document.activeElement)
    lookForFocus(mine)
  }, 50)
}

/** Starts or continues buffering for a field about to open. The signal aborts if Escape cancels that. */
export function bufferKeys(): AbortSignal {
  // If a buffered key started this, the remaining ones are for the new field.
  return begin(false).end.signal
}

/** Returns the current buffer, which identifies what keys are buffered for; null for none. */
export const keptFor = (): object | null => buffer

/** Buffers keys for a loading screen, and replays them when it is ready. */
export function bufferForScreen(keys: readonly Key[]): void {
  const now = begin(true)
  now.keys.push(...keys)
  void played(now)
}

/** True if a key must wait for a loading screen: the key needs the screen, or earlier keys are waiting. */
export const mustBuffer = (waits: () => boolean): boolean => !sending && (buffer ? buffer.page : waits())

/** True for a typed character, with AltGr too. */
export const isTyped = (key: Key): boolean =>
  [...key.key].length === 1 && (!(key.ctrlKey || key.metaKey || key.altKey) || key.getModifierState?.('AltGraph') === true)
/** True for keys that write an answer. Ctrl+Enter confirms choices, so it must not overtake earlier keys. */
export const isAnswer = (key: Key): boolean =>
  isTyped(key) || (key.key === 'Enter' && !key.altKey) || (NAMED.has(key.key) && !key.ctrlKey && !key.metaKey && !key.altKey)

/** True for keys that edit text: select all, undo, Delete, word and line moves. They wait with their letters. */
const isEdit = ({ key, ctrlKey, metaKey, altKey }: Key): boolean =>
  !altKey && (key === 'Delete' || ((ctrlKey || metaKey) && /^(a|y|z|Backspace|Arrow(Left|Right)|Home|End)$/i.test(key)))

/** Buffers a key for something that loads; null if it isn't meant for that, `ended` if Escape cancelled the opening. */
export function bufferKey(key: Key): 'buffered' | 'ended' | null {
  if (sending) return null
  if (first?.take(key)) return 'buffered'
  if (!buffer) return waitsForAnswer(key)
  if (buffer.page ? LONE.has(key.key) : key.key !== 'Escape' && !isAnswer(key) && !isEdit(key)) return null
  if (key.key === 'Escape' && !buffer.page) {
    const { end, playing, timer } = buffer
    clearTimeout(timer)
    buffer = null
    // The field is open, so Escape belongs to it.
    if (playing) return null
    end.abort()
    return 'ended'
  }
  // A key still held from before doesn't type.
  if (!key.repeat) buffer.keys.push(key)
  return 'buffered'
}

/** Buffers text without keys while earlier keys are still being typed into its field. */
export function bufferText({ data, isComposing }: Pick<InputEvent, 'data' | 'isComposing'>): boolean {
  if (sending || !buffer?.playing || !data || isComposing) return false
  buffer.keys.push({ text: data })
  return true
}

/** If a question's choices are loading, Enter and everything after it wait. */
function waitsForAnswer(key: Key): 'buffered' | null {
  if (typeof document === 'undefined' || key.repeat || !(isAnswer(key) || isEdit(key))) return null
  const shell = document.activeElement?.closest<HTMLElement>('[data-reading]')
  if (!shell || (key.key !== 'Enter' && shell.dataset.reading !== 'all')) return null
  const now = begin(false)
  now.keys.push(key)
  void played(now)
  return 'buffered'
}

/** Replays the buffered keys as if pressed now, because nothing opened to type into. */
export function flush(): void {
  if (buffer && !buffer.playing) void played(buffer)
}

/** Replays the buffered keys once the focus reaches their target. */
export function focusIn(target: EventTarget | null): void {
  if (!(target instanceof Element && target.closest(PLACES))) return
  first?.placed()
  if (buffer && !buffer.playing && !buffer.page) void played(buffer)
}

/** Drops the buffered keys, because their target failed to open. */
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

/** Drops the buffered keys with a notice. */
export function discardWithNotice(): void {
  const keys = takeBuffered()
  if (keys.length) around.dropped(keys)
}

/** Buffers a key for the screen behind a dialog that is withdrawn. */
export function withdrawAndBuffer(key: Key, withdraw: () => void): void {
  const now = begin(false)
  now.keys.push(key)
  withdraw()
  void played(now, true)
}

/** The code to replay keys loads with the first buffered key. */
const loadPlay = () => import('./replayKeys.ts')
export const preparePlay = (): void => void loadPlay()

async function played(now: KeyBuffer, back = false): Promise<void> {
  now.playing = true
  clearTimeout(now.timer)
  const continues = () => buffer === now && now.playing
  try {
    const { play } = await loadPlay()
    const whole = await play(now, { continues: continues, isComing: around.isComing, back, send })
    if (!continues()) return
    if (whole) buffer = null
    else discardWithNotice()
  } catch {
    if (continues()) discardWithNotice()
  }
}

/** True while a buffered key is being pressed, so that it isn't buffered again. */
let sending = false
function send(press: () => void): void {
  sending = true
  try {
    press()
  } finally {
    sending = false
  }
}

/** A click shows that the user has moved on from what was loading. */
export function pointed(): void {
  first?.pointed()
  if (!buffer?.page && (!buffer?.keys.length || buffer.playing)) return
  const { end } = buffer
  discardWithNotice()
  // Then its target doesn't open, either.
  end.abort()
}
