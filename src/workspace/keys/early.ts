import { type Keeping, type Kept, type Key, PLACES } from './kept.ts'

/*
 * Keys that are not for what stands now: typed between the key that opens something to type into and the moment its field has the focus, pressed
 * while a screen is coming, or meant for what was refused. They are kept in order and played when it is there, or dropped whole, which is said.
 */

/** What can't come must not keep the keyboard. */
const LONGEST_MS = 10_000
const NAMED = new Set(['Enter', 'Backspace', 'Tab', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End'])
/** Held down alone they are no key yet. */
export const LONE = new Set(['Control', 'Shift', 'Alt', 'Meta', 'AltGraph', 'CapsLock'])

let keeping: Keeping | null = null

/** What the dispatcher alone can tell. */
interface Around {
  /** The screen before the person, or the row under its cursor, is still on its way. */
  isComing(): boolean
  /** Says that keys were dropped. */
  dropped(keys: readonly Kept[]): void
}
let around: Around = { isComing: () => false, dropped: () => {} }
export const keepWith = (told: Around): void => {
  around = told
}

/** What takes keys before anybody else hears them, while there is such a thing (aside.ts): a refusal, a dialog that nobody can have seen. */
export interface First {
  /** True when it takes the key. */
  take(key: Key): boolean
  /** Something was clicked. */
  pointed(): void
  /** The focus is in a palette, a dialog or a menu. */
  placed(): void
}
let first: First | null = null
export const hearFirst = (one: First): void => {
  first = one
}

function begin(page: boolean): Keeping {
  const { keys, end } = keeping ?? { keys: [], end: new AbortController() }
  if (keeping) clearTimeout(keeping.timer)
  keeping = { keys, end, timer: setTimeout(dropKeys, LONGEST_MS), playing: false, page }
  return keeping
}

/** Begins to keep keys, or goes on: a field is about to come. The signal fires when Escape takes it all back. */
export function keepKeys(): AbortSignal {
  // When one of the kept keys began this, the rest of them is for the new field.
  return begin(false).end.signal
}

/** What keys are kept for now; another object once something else has begun to keep them. */
export const keptFor = (): object | null => keeping

/** Keeps keys for the screen that is coming, and presses them when it is there. */
export function keepForScreen(keys: readonly Key[]): void {
  const now = begin(true)
  now.keys.push(...keys)
  void played(now)
}

/** True when a key is to be kept for the screen that is coming: it has to wait, or others wait before it. One that is being pressed again never is. */
export const isKeeping = (waits: () => boolean): boolean => !sending && (keeping ? keeping.page : waits())

/** A sign that is typed, with AltGr too. */
export const isTyped = (key: Key): boolean =>
  [...key.key].length === 1 && (!(key.ctrlKey || key.metaKey || key.altKey) || key.getModifierState?.('AltGraph') === true)
/** What somebody presses who writes an answer. Ctrl+Enter goes on with several: before the letters and ticks that it comes after it would go on with nothing. */
export const isAnswer = (key: Key): boolean =>
  isTyped(key) || (key.key === 'Enter' && !key.altKey) || (NAMED.has(key.key) && !key.ctrlKey && !key.metaKey && !key.altKey)

/** What somebody presses who edits what they are typing: select all, Delete, a word or a line further. It waits with the letters it is about. */
const isEdit = ({ key, ctrlKey, metaKey, altKey }: Key): boolean =>
  !altKey && (key === 'Delete' || ((ctrlKey || metaKey) && /^(a|Backspace|Arrow(Left|Right)|Home|End)$/i.test(key)))

/** Takes a key that belongs to something else than what stands; what it means is `kept`, `ended` (Escape: nothing opens), or null when it is not ours. */
export function keepKey(key: Key): 'kept' | 'ended' | null {
  if (sending || key.isComposing || key.keyCode === 229) return null
  if (first?.take(key)) return 'kept'
  if (!keeping) return waitsForAnswer(key)
  if (keeping.page ? LONE.has(key.key) : key.key !== 'Escape' && !isAnswer(key) && !isEdit(key)) return null
  if (key.key === 'Escape' && !keeping.page) {
    const { end, playing, timer } = keeping
    clearTimeout(timer)
    keeping = null
    // The field is there: the Escape is its own.
    if (playing) return null
    end.abort()
    return 'ended'
  }
  // A key that is still held from before types nothing.
  if (!key.repeat) keeping.keys.push(key)
  return 'kept'
}

/** Takes text that comes without keys while kept ones are still being played into its field: its place is behind them. */
export function keepText({ data, isComposing }: Pick<InputEvent, 'data' | 'isComposing'>): boolean {
  if (!keeping?.playing || !data || isComposing) return false
  keeping.keys.push({ text: data })
  return true
}

/** A question whose choices are still read, or whose answer is looked up: an Enter, and all that comes after it, is for what it will be. */
function waitsForAnswer(key: Key): 'kept' | null {
  if (typeof document === 'undefined' || key.repeat || !(isAnswer(key) || isEdit(key))) return null
  const shell = document.activeElement?.closest<HTMLElement>('[data-reading]')
  if (!shell || (key.key !== 'Enter' && shell.dataset.reading !== 'all')) return null
  const now = begin(false)
  now.keys.push(key)
  void played(now)
  return 'kept'
}

/** Nothing will open that could be typed into: what was kept is heard as if it had been pressed now. */
export function letGo(): void {
  if (keeping && !keeping.playing) void played(keeping)
}

/** Something has the focus: when it is what the keys are kept for, they are its own. */
export function focusIn(target: EventTarget | null): void {
  if (!(target instanceof Element && target.closest(PLACES))) return
  first?.placed()
  if (keeping && !keeping.playing && !keeping.page) void played(keeping)
}

/** Forgets what was kept: nothing came that it was meant for. */
export function forgetKeys(): void {
  if (keeping) clearTimeout(keeping.timer)
  keeping = null
}

/** What was kept, which is then forgotten: for who says what becomes of it. */
export function takeKept(): readonly Kept[] {
  const keys = keeping?.keys ?? []
  forgetKeys()
  return keys
}

/** The same where a person is told that it was dropped. */
export function dropKeys(): void {
  const keys = takeKept()
  if (keys.length) around.dropped(keys)
}

/** Keeps a key for what a dialog is withdrawn from. */
export function keepBack(key: Key, withdraw: () => void): void {
  const now = begin(false)
  now.keys.push(key)
  withdraw()
  void played(now, true)
}

/** Playing comes with its own code: nothing of it is needed before something was kept. */
const loadPlay = () => import('./play.ts')
export const preparePlay = (): void => void loadPlay()

async function played(now: Keeping, back = false): Promise<void> {
  now.playing = true
  clearTimeout(now.timer)
  const goesOn = () => keeping === now && now.playing
  try {
    const { play } = await loadPlay()
    const whole = await play(now, { goesOn, isComing: around.isComing, back, send })
    if (!goesOn()) return
    if (whole) keeping = null
    else dropKeys()
  } catch {
    if (goesOn()) dropKeys()
  }
}

/** A kept key is on its way to the page, and is not to be kept again. */
let sending = false
function send(press: () => boolean): boolean {
  sending = true
  try {
    return press()
  } finally {
    sending = false
  }
}

/** Who clicks has gone on to something else than what was on its way. */
export function pointed(): void {
  first?.pointed()
  if (!keeping?.page && (!keeping?.keys.length || keeping.playing)) return
  const { end } = keeping
  dropKeys()
  // Nor does what they were for open over it.
  end.abort()
}
