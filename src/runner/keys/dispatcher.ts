import { noteAct } from '../../workspace/attention.ts'
import { LONE } from '../../workspace/keys/typeahead.ts'
import { type Bindings, press, type Step } from './chords.ts'
import { type Reading, readingsOf } from './token.ts'

/** What the dispatcher asks of the workspace. */
export interface Listener {
  /** The contexts of the focused pane, outermost first, with what the person bound or turned off already in them. */
  chain(): readonly Bindings[]
  run(command: string): void
  /** Takes a key that belongs to something that is opening, before anything else hears it; true when it is taken. */
  early?(event: KeyboardEvent): boolean
  /** Takes text that comes without keys (pasted, dictated, from a picker) in the same case; true when it is taken. */
  earlyText?(event: InputEvent): boolean
  /** Called on every click. */
  pointed?(): void
  /** Hears where the focus goes. */
  focused?(target: EventTarget | null): void
  /**
   * Takes keys that must wait for something that is loading: the last press and those of its sequence. Returns true when it
   * takes them. `step` is null for keys that wait only when others do.
   */
  waits?(presses: readonly KeyboardEvent[], pending: readonly string[], may: readonly Reading[], step: Step | null): boolean
  /** A sequence that leads nowhere. */
  lost?(keys: readonly string[]): void
  /** True for commands that run again while their key is held. */
  repeats(command: string): boolean
  /** Pending keys with what can follow, or null; the strip shows them after a moment. */
  pending(now: { keys: readonly string[]; next: ReadonlyMap<string, string> } | null): void
}

const CHORD_MS = 1000
/** While the strip is shown it is being read, so the chord waits longer. */
const READING_MS = 8000
/** These work everywhere, even in fields and dialogs, and can't be rebound. */
const ALWAYS: Bindings = { 'Mod+k': 'palette.open', F1: 'palette.open' }

const FIELDS =
  'input:not([type=checkbox]):not([type=radio]):not([type=button]):not([type=range]), textarea, select, [contenteditable=""], [contenteditable=true]'
const editable = (target: EventTarget | null) => target instanceof Element && target.closest(FIELDS) !== null
const inDialog = (target: EventTarget | null) =>
  target instanceof Element &&
  (target.closest('[role=dialog], [role=alertdialog], [role=menu]') !== null ||
    // The focused element of an open dialog is gone: its keys must not reach the page behind.
    (target === document.body && document.querySelector(':is([role=dialog], [role=alertdialog])[data-state=open]') !== null))
/** True for keys that work in a field: Ctrl/⌘ and function keys, except undo, copy, paste and those that move the caret. */
const outOfField = (token: string) =>
  /^(Mod\+|(Shift\+)?F\d+$)/.test(token) && !/^Mod\+(Shift\+)?([acvxyz]|Arrow\w+|Home|End|Backspace|Delete)$/.test(token)
/** True for keys that the focused control handles itself: Enter and Space on buttons, arrows in radio groups and sliders. */
const ownKey = (target: EventTarget | null, token: string) =>
  target instanceof Element &&
  (token === 'Enter' || token === 'Space'
    ? target.closest('a[href], button, summary, [role=tab], [role=option], input') !== null
    : /^Arrow(Up|Down|Left|Right)$/.test(token) && target.matches('input[type=radio], input[type=range]'))

/**
 * Moves the focus from a form's field to its pane, where letters are keys again; returns false when it isn't in one. The text
 * stays, and the pane remembers the field.
 */
function leaveField(target: EventTarget | null): boolean {
  if (!editable(target) || inDialog(target)) return false
  const pane = (target as Element).closest('form')?.closest<HTMLElement>('section[role=tabpanel]')
  pane?.focus({ preventScroll: true })
  return Boolean(pane)
}

/** The one key listener of the product; returns how to stop it. */
export function listen(target: Pick<Document, 'addEventListener' | 'removeEventListener'>, ears: Listener): () => void {
  let pending: readonly string[] = []
  /** The presses that `pending` was made of. */
  let presses: readonly KeyboardEvent[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  const settle = (next: Parameters<Listener['pending']>[0]) => {
    clearTimeout(timer)
    pending = next?.keys ?? []
    if (!next) presses = []
    ears.pending(next)
  }

  const hear = (event: Event) => {
    const key = event as KeyboardEvent
    // Browsers that autofill a form dispatch keydown events without a key.
    if (!key.key || key.defaultPrevented || key.isComposing || key.keyCode === 229) return
    const may = readingsOf(key)
    if (!may[0]) return
    const token = may[0].name
    const always = press([], may.slice(0, 1), [ALWAYS])
    if (always.kind === 'run') {
      key.preventDefault()
      settle(null)
      if (!key.repeat && !ears.waits?.([key], [], may, null)) ears.run(always.command)
      return
    }
    if (token === 'Escape' && leaveField(key.target)) {
      key.preventDefault()
      settle(null)
      return
    }
    if (inDialog(key.target) || (editable(key.target) && !outOfField(token)) || ownKey(key.target, token)) {
      // The focus moved in the middle of a sequence: the next key doesn't end it.
      if (pending.length) settle(null)
      return
    }
    const step = press(pending, may, ears.chain())
    const all = [...presses, key]
    if (!key.repeat && ears.waits?.(all, pending, may, step)) {
      key.preventDefault()
      settle(null)
      return
    }
    if (step.kind === 'none') {
      if (step.handled) {
        const keys = [...pending, token]
        key.preventDefault()
        settle(null)
        if (token !== 'Escape') ears.lost?.(keys)
      }
      return
    }
    if (key.repeat && !(step.kind === 'run' && ears.repeats(step.command))) {
      key.preventDefault()
      return
    }
    key.preventDefault()
    if (step.kind === 'run') {
      settle(null)
      ears.run(step.command)
      return
    }
    settle({ keys: step.keys, next: step.next })
    presses = step.keys.length > 1 ? all : [key]
    const { command } = step
    timer = setTimeout(
      () => {
        settle(null)
        if (command) ears.run(command)
      },
      command ? CHORD_MS : READING_MS,
    )
  }

  const forget = () => {
    if (pending.length) settle(null)
  }
  const soon = (event: Event) => {
    const { key } = event as KeyboardEvent
    if (!LONE.has(key)) noteAct()
    if (!key || !ears.early?.(event as KeyboardEvent)) return
    event.preventDefault()
    event.stopPropagation()
  }
  const soonText = (event: Event) => {
    if (event.cancelable && ears.earlyText?.(event as InputEvent)) event.preventDefault()
  }
  const pointed = () => {
    noteAct()
    ears.pointed?.()
  }
  const focused = (event: Event) => ears.focused?.(event.target)
  target.addEventListener('keydown', soon, true)
  target.addEventListener('beforeinput', soonText, true)
  target.addEventListener('focusin', focused)
  target.addEventListener('keydown', hear)
  target.addEventListener('pointerdown', forget)
  target.addEventListener('pointerdown', pointed, true)
  return () => {
    clearTimeout(timer)
    target.removeEventListener('keydown', soon, true)
    target.removeEventListener('beforeinput', soonText, true)
    target.removeEventListener('focusin', focused)
    target.removeEventListener('keydown', hear)
    target.removeEventListener('pointerdown', forget)
    target.removeEventListener('pointerdown', pointed, true)
  }
}
