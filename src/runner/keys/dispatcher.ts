import { type Bindings, press, type Step } from './chords.ts'
import { isMac, type Reading, readingsOf } from './keyReading.ts'

/** What the dispatcher needs from the workspace. */
export interface Listener {
  /** Returns the focused pane's bindings, outermost first, including custom ones. */
  chain(): readonly Bindings[]
  /** Runs a command; `count` is the number typed before its keys, 1 without one. */
  run(command: string, count: number): void
  /** Returns true if single letters are shortcuts. A 0 then begins a count, since digits alone select tabs. */
  singleKeys?(): boolean
  /** Receives each key first, for something that is opening; returns true if it takes the key. */
  early?(event: KeyboardEvent): boolean
  /** Receives text without keys (pasted, dictated, from a picker) likewise; returns true if it takes the text. */
  earlyText?(event: InputEvent): boolean
  /** Called on every click. */
  pointed?(): void
  /** Called when the focus moves. */
  focused?(target: EventTarget | null): void
  /**
   * Receives keys that may have to wait for something loading, with their sequence; returns true if it takes them.
   * `step` is null for keys that wait only behind others.
   */
  waits?(presses: readonly KeyboardEvent[], pending: readonly string[], may: readonly Reading[], step: Step | null): boolean
  /** Returns true if a key with Alt works in a field: one for tabs and columns, not for rows. */
  inField?(token: string): boolean
  /** Called for a sequence without a command. */
  lost?(keys: readonly string[]): void
  /** Called for a key without a command here. Returns true if it begins a sequence elsewhere. */
  unbound?(key: string): boolean
  /** Returns true for commands that repeat while their key is held. */
  repeats(command: string): boolean
  /** Receives the pending keys and what can follow, or null; the strip shows them after a pause. */
  pending(now: { keys: readonly string[]; next: ReadonlyMap<string, string> } | null): void
}

const CHORD_MS = 1000
/** While the strip is visible, it is being read, so the sequence waits longer. */
const READING_MS = 8000
/** The most digits of a count, including its 0. */
const COUNT_DIGITS = 5
/** Bindings that work everywhere, even in fields and dialogs, and can't be changed. */
const ALWAYS: Bindings = { 'Mod+k': 'palette.open', F1: 'palette.open' }

const FIELDS =
  'input:not([type=checkbox]):not([type=radio]):not([type=button]):not([type=range]), textarea, select, [contenteditable=""], [contenteditable=true]'
const editable = (target: EventTarget | null) => target instanceof Element && target.closest(FIELDS) !== null
/** A closed list of choices (ui/Select.tsx), which takes no text. */
const isClosedList = (target: EventTarget | null) => target instanceof Element && target.matches('select, [data-closed]')
const CHARACTER = /^(Shift\+)?.$/u
const inDialog = (target: EventTarget | null) =>
  target instanceof Element &&
  (target.closest('[role=dialog], [role=alertdialog], [role=menu]') !== null ||
    // A dialog lost its focused element; its keys must not reach the page behind.
    (target === document.body && document.querySelector(':is([role=dialog], [role=alertdialog])[data-state=open]') !== null))
/** True for keys that work in a field: Ctrl/⌘ and function keys, except those that edit or move the caret. */
const outOfField = (token: string) =>
  /^(Mod\+|(Shift\+)?F\d+$)/.test(token) && !/^Mod\+(Shift\+)?([acvxyz]|Arrow\w+|Home|End|Backspace|Delete)$/.test(token)
/** True for Alt with a letter, which types nothing but on a Mac; with a digit it may be one of the keypad's codes. */
const isAltLetter = (token: string) => !isMac && /^Alt\+(Shift\+)?[a-z]$/.test(token)
/** True for keys that the focused control handles itself: Enter and Space on buttons, arrows in radios and sliders. */
const ownKey = (target: EventTarget | null, token: string) =>
  target instanceof Element &&
  (token === 'Enter' || token === 'Space'
    ? target.closest('a[href], button, summary, [role=tab], [role=option], input') !== null
    : /^Arrow(Up|Down|Left|Right)$/.test(token) && target.matches('input[type=radio], input[type=range]'))

/**
 * Moves the focus from a form's field to its pane, where letters are shortcuts. The field keeps its text.
 * Returns false outside a form; the pane remembers the field.
 */
function leaveField(target: EventTarget | null): boolean {
  if (!editable(target) || inDialog(target)) return false
  const pane = (target as Element).closest('form')?.closest<HTMLElement>('section[role=tabpanel]')
  pane?.focus({ preventScroll: true })
  return Boolean(pane)
}

/** The app's only key listener; returns a function that stops it. */
export function listen(target: Pick<Document, 'addEventListener' | 'removeEventListener'>, listener: Listener): () => void {
  let pending: readonly string[] = []
  /** The key events that make up `pending`. */
  let presses: readonly KeyboardEvent[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  /** The digits of a count, from its 0; a command's keys follow. */
  let digits = ''

  const settle = (next: Parameters<Listener['pending']>[0]) => {
    clearTimeout(timer)
    pending = next?.keys ?? []
    if (!next) {
      presses = []
      digits = ''
    }
    listener.pending(next && { ...next, keys: [...digits, ...next.keys] })
  }
  /** True for a digit of a count: the 0 it begins with, which can't be bound, or a further one. */
  const isOfCount = (token: string, may: readonly Reading[]) =>
    !pending.length &&
    /^\d$/.test(token) &&
    (digits
      ? digits.length < COUNT_DIGITS
      : token === '0' && listener.singleKeys?.() === true && press([], may, listener.chain()).kind === 'none')

  const onKeyDown = (event: Event) => {
    const key = event as KeyboardEvent
    // Autofill in some browsers dispatches keydown events without a key.
    if (!key.key || key.defaultPrevented) return
    const may = readingsOf(key)
    if (!may[0]) return
    const token = may[0].name
    const always = press([], may.slice(0, 1), [ALWAYS])
    if (always.kind === 'run') {
      key.preventDefault()
      settle(null)
      if (!key.repeat && !listener.waits?.([key], [], may, null)) listener.run(always.command, 1)
      return
    }
    // A closed list takes no letters; the system's would take one as a choice, unseen.
    const chooses = isClosedList(key.target) && CHARACTER.test(token) && listener.singleKeys?.() === true
    if (token === 'Escape' && !pending.length && !digits && leaveField(key.target)) {
      key.preventDefault()
      settle(null)
      return
    }
    if (
      inDialog(key.target) ||
      (editable(key.target) &&
        !outOfField(token) &&
        !(isAltLetter(token) && listener.inField?.(token)) &&
        !(
          chooses ||
          (isClosedList(key.target) && /^Mod\+(Shift\+)?[yz]$/.test(token)) ||
          (pending.length && token === 'Escape')
        )) ||
      ownKey(key.target, token)
    ) {
      // The focus moved within the sequence, so the next key doesn't continue it.
      if (pending.length || digits) settle(null)
      return
    }
    const all = [...presses, key]
    if (!key.repeat && isOfCount(token, may)) {
      key.preventDefault()
      if (listener.waits?.(all, [], may, null)) return settle(null)
      digits += token
      settle({ keys: [], next: new Map() })
      presses = all
      timer = setTimeout(() => settle(null), READING_MS)
      return
    }
    if (digits && token === 'Escape') {
      key.preventDefault()
      return settle(null)
    }
    const step = press(pending, may, listener.chain())
    // A key that begins another sequence ends the count, too.
    if (pending.length && step.kind === 'wait' && step.keys.length === 1) digits = ''
    const count = Number(digits) || 1
    if (!key.repeat && listener.waits?.(all, pending, may, step)) {
      key.preventDefault()
      settle(null)
      return
    }
    if (step.kind === 'none') {
      if (step.handled || digits) {
        const keys = [...digits, ...pending, token]
        key.preventDefault()
        settle(null)
        if (token !== 'Escape') listener.lost?.(keys)
      } else if (chooses) {
        key.preventDefault()
        listener.lost?.([token])
      } else if (!key.repeat && listener.unbound?.(token)) {
        // Its second key must not act by itself: the two were one command.
        settle(null)
        pending = [token]
        presses = [key]
        timer = setTimeout(() => settle(null), CHORD_MS)
      }
      return
    }
    if (key.repeat && !(step.kind === 'run' && listener.repeats(step.command))) {
      key.preventDefault()
      return
    }
    key.preventDefault()
    if (step.kind === 'run') {
      settle(null)
      listener.run(step.command, count)
      return
    }
    settle({ keys: step.keys, next: step.next })
    presses = step.keys.length > 1 || digits ? all : [key]
    const { command } = step
    timer = setTimeout(
      () => {
        settle(null)
        if (command) listener.run(command, count)
      },
      command ? CHORD_MS : READING_MS,
    )
  }

  const forget = () => {
    if (pending.length || digits) settle(null)
  }
  const soon = (event: Event) => {
    if (!(event as KeyboardEvent).key || !listener.early?.(event as KeyboardEvent)) return
    event.preventDefault()
    event.stopPropagation()
  }
  const soonText = (event: Event) => {
    if (event.cancelable && listener.earlyText?.(event as InputEvent)) event.preventDefault()
  }
  const pointed = () => listener.pointed?.()
  const focused = (event: Event) => listener.focused?.(event.target)
  target.addEventListener('keydown', soon, true)
  target.addEventListener('beforeinput', soonText, true)
  target.addEventListener('focusin', focused)
  target.addEventListener('keydown', onKeyDown)
  target.addEventListener('pointerdown', forget)
  target.addEventListener('pointerdown', pointed, true)
  return () => {
    clearTimeout(timer)
    target.removeEventListener('keydown', soon, true)
    target.removeEventListener('beforeinput', soonText, true)
    target.removeEventListener('focusin', focused)
    target.removeEventListener('keydown', onKeyDown)
    target.removeEventListener('pointerdown', forget)
    target.removeEventListener('pointerdown', pointed, true)
  }
}
