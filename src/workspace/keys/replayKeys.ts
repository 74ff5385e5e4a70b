import { wait } from '../../ui/wait.ts'
import { type Key, type KeyBuffer, PLACES } from './keyBuffer.ts'

/** How long (ms) Enter waits for loading choices. */
const CHOICES_MS = 5000
/** How long (ms) a screen may take to load. */
const SCREEN_MS = 10_000
/** How long (ms) a form may take to receive the focus, or a closed dialog to return it. */
const FOCUS_MS = 400

interface Stage {
  /** Returns false once something else has started that the remaining keys are for. */
  continues(): boolean
  /** Returns true while the current screen or its cursor row is loading. */
  isComing(): boolean
  /** True if a closed dialog has yet to restore the focus. */
  back: boolean
  /** Presses a key or types a text without buffering it again. */
  send(press: () => void): void
}

const at = (): Element | null => document.activeElement
const inPlace = () => at()?.closest(PLACES) ?? null

/** Presses buffered keys in order, each after the page shows the effect of the last. False if their target failed. */
export async function play(now: KeyBuffer, { continues: goesOn, isComing, back, send }: Stage): Promise<boolean> {
  // Lets the page paint between two keys.
  await wait()
  for (let waited = 0; back && waited < FOCUS_MS && (at() === document.body || inPlace()); waited += 10) await wait(10)
  while (goesOn() && now.keys.length) {
    const next = now.keys[0]!
    const enters = 'key' in next && next.key === 'Enter'
    const reads = () => {
      const reading = at()?.closest<HTMLElement>('[data-reading]')?.dataset.reading
      return reading !== undefined && (enters || reading === 'all')
    }
    for (let waited = 0; waited < CHOICES_MS && goesOn() && reads(); waited += 20) await wait(20)
    if (!inPlace() && isComing() && !(await came(goesOn, isComing))) return false
    if (!goesOn()) return true
    // A letter selects an option natively, which can't be simulated.
    if ('key' in next && at() instanceof HTMLSelectElement && !/^(Enter|Tab|Escape)$/.test(next.key)) return false
    // Don't confirm what the user hasn't seen; the keys after it were meant for its result.
    if (enters && at()?.matches('[data-review] *, [role=dialog] button')) {
      now.keys.shift()
      return now.keys.length === 0
    } else {
      now.keys.shift()
      send(() => ('key' in next ? press(next) : enter(at(), next.text)))
    }
    await wait()
  }
  return true
}

/** Waits for a loading screen; returns false if it fails or never loads. */
async function came(goesOn: () => boolean, isComing: () => boolean): Promise<boolean> {
  for (let waited = 0; goesOn() && isComing(); waited += 16) {
    if (waited > SCREEN_MS) return false
    await wait(16)
  }
  const pane = document.querySelector('[data-column][data-active] section[role=tabpanel]:not([inert])')
  // A form focuses its first field a moment after it renders.
  for (let waited = 0; waited < FOCUS_MS && pane?.querySelector('[data-fill-in]') && !isField(at()); waited += 16) await wait(16)
  return !pane?.querySelector('[data-pane-scroller] > [role=alert]')
}

const isField = (one: Element | null): one is HTMLInputElement | HTMLTextAreaElement =>
  one instanceof HTMLTextAreaElement ||
  (one instanceof HTMLInputElement && !/^(checkbox|radio|button|submit|range)$/.test(one.type))

/** Presses a key, including what browsers do only for real keys: type, move to the next field, submit. */
function press(buffered: Key): void {
  const { key, code, shiftKey, ctrlKey, metaKey, altKey } = buffered
  const target = at() ?? document.body
  const typed = [...key].length === 1
  // AltGr is reported as Ctrl too, but types.
  const altGr = buffered.getModifierState?.('AltGraph') === true
  const held = altGr ? { modifierAltGraph: true } : { ctrlKey, metaKey, altKey }
  const event = new KeyboardEvent('keydown', { key, code, shiftKey, ...held, bubbles: true, cancelable: true })
  if (!target.dispatchEvent(event) || at() !== target) return
  if (key === 'Tab') step(target, shiftKey ? -1 : 1)
  else if (key === 'Enter' && target instanceof HTMLInputElement) target.form?.requestSubmit()
  else if (key === 'Enter' && target instanceof HTMLTextAreaElement) enter(target, '\n')
  else if (/^(Enter| )$/.test(key) && target.matches('button, a[href], input[type=checkbox], input[type=radio]'))
    (target as HTMLElement).click()
  else if (isField(target) && edit(target, buffered)) return
  else if (typed && (altGr || !(ctrlKey || metaKey || altKey))) enter(target, key)
}

/** Where the word before a place begins, with the blanks behind it. */
function wordBefore(text: string, place: number): number {
  let at = text.slice(0, place).trimEnd().length
  while (at > 0 && /\S/.test(text[at - 1]!)) at--
  return at
}

/** Moves a field's caret, selects, undoes or deletes as browsers do; returns false for a key that types text. */
function edit(field: HTMLInputElement | HTMLTextAreaElement, { key, shiftKey, ctrlKey, metaKey }: Key): boolean {
  const wide = ctrlKey || metaKey
  if (/^a$/i.test(key) && wide) {
    field.select()
    return true
  }
  if (/^[yz]$/i.test(key) && wide) {
    document.execCommand(shiftKey || /^y$/i.test(key) ? 'redo' : 'undo')
    return true
  }
  const back = /^(Backspace|ArrowLeft|Home)$/.test(key)
  if (!back && !/^(Delete|ArrowRight|End)$/.test(key)) return false
  const { value, selectionStart: start, selectionEnd: end } = field
  const deletes = key === 'Backspace' || key === 'Delete'
  // An email field doesn't expose its caret, so only the browser can delete.
  if (start === null || end === null) {
    if (key === 'Backspace') enter(field, '')
    return true
  }
  const leftwards = field.selectionDirection === 'backward'
  const caret = leftwards ? start : end
  const line = value.slice(0, caret).lastIndexOf('\n') + 1
  const lineEnd = value.indexOf('\n', caret) < 0 ? value.length : value.indexOf('\n', caret)
  let to = back ? Math.max(0, caret - 1) : Math.min(value.length, caret + 1)
  if (wide && back) to = wordBefore(value, caret)
  else if (wide) to = caret + (/^(\s*\S+|\s+)/.exec(value.slice(caret))?.[0].length ?? 0)
  if (key === 'Home') to = wide ? 0 : line
  if (key === 'End') to = wide ? value.length : lineEnd
  if (deletes) {
    if (start === end) field.setSelectionRange(Math.min(caret, to), Math.max(caret, to))
    enter(field, '')
  } else if (shiftKey) {
    const from = leftwards ? end : start
    field.setSelectionRange(Math.min(from, to), Math.max(from, to), to < from ? 'backward' : 'forward')
  } else if (start !== end && /^Arrow/.test(key) && !wide) field.setSelectionRange(back ? start : end, back ? start : end)
  else field.setSelectionRange(to, to)
  return true
}

const STOPS = ':is(a[href], button, input, select, textarea, [tabindex]):not([tabindex="-1"], :disabled, [type=hidden])'
/** Moves to the next control of the form, dialog or page, like Tab. */
function step(from: Element, by: 1 | -1): void {
  const room = from.closest('[role=dialog], section[role=tabpanel]') ?? document.body
  const stops = [...room.querySelectorAll<HTMLElement>(STOPS)].filter((one) => one.getClientRects().length)
  stops[stops.indexOf(from as HTMLElement) + by]?.focus()
  const now = at()
  if (now instanceof HTMLInputElement && isField(now)) now.select()
}

/** Types text at a field's caret; without text, deletes the selection or the character before the caret. */
function enter(field: Element | null, text: string): void {
  if (!isField(field)) return
  // The browser's own typing, so that Ctrl+Z undoes it; it also knows the caret of an email field, which isn't exposed.
  if (document.execCommand(text ? 'insertText' : 'delete', false, text)) return
  const { selectionStart: start, selectionEnd: end } = field
  if (start === null || end === null) return
  field.setRangeText(text, !text && start === end ? Math.max(0, start - 1) : start, end, 'end')
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: text ? 'insertText' : 'deleteContentBackward' }))
}
