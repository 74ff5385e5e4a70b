/*
 * What is typed between the key that opens something to type into and the moment its field has the focus: nothing of it is lost, and nothing of it is
 * heard as a key of the list behind. Keys are kept in order and played into the field when it is there; if none comes, they mean what they meant.
 */

/** A key as it is kept. */
type Key = Pick<
  KeyboardEvent,
  'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey' | 'repeat' | 'isComposing' | 'keyCode'
> & {
  getModifierState?: (name: string) => boolean
}
/** What is kept: a key, or text that came without one (pasted, dictated, from a picker). */
type Kept = Key | { text: string }
interface Keeping {
  keys: Kept[]
  end: AbortController
  timer: ReturnType<typeof setTimeout>
  playing: boolean
}

/** Code that never comes must not keep the keyboard. */
const LONGEST_MS = 10_000
/** So long an Enter waits for choices that are being read. */
const CHOICES_MS = 5000
const NAMED = new Set(['Enter', 'Backspace', 'Tab', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End'])
const PLACES = '[data-palette], [role=dialog]'

let keeping: Keeping | null = null

/** Begins to keep keys, or goes on: a field is about to come. The signal fires when Escape takes it all back. */
export function keepKeys(): AbortSignal {
  if (keeping) clearTimeout(keeping.timer)
  // When one of the kept keys began this, the rest of them is for the new field.
  const { keys, end } = keeping ?? { keys: [], end: new AbortController() }
  keeping = { keys, end, timer: setTimeout(forgetKeys, LONGEST_MS), playing: false }
  return end.signal
}

/** Takes a key that belongs to what is opening; what it means is `kept`, `ended` (Escape: nothing opens), or null when it is not ours. */
export function keepKey(key: Key): 'kept' | 'ended' | null {
  if (!keeping || sending || key.isComposing || key.keyCode === 229) return null
  if (key.key === 'Escape') {
    const { end, playing, timer } = keeping
    clearTimeout(timer)
    keeping = null
    // The field is there: the Escape is its own.
    if (playing) return null
    end.abort()
    return 'ended'
  }
  const typed =
    [...key.key].length === 1 && (!(key.ctrlKey || key.metaKey || key.altKey) || key.getModifierState?.('AltGraph') === true)
  // Ctrl+Enter goes on with several: before the letters and ticks that it comes after it would go on with nothing.
  const goesOn = key.key === 'Enter' && (key.ctrlKey || key.metaKey) && !key.altKey
  if (!typed && !goesOn && !(NAMED.has(key.key) && !key.ctrlKey && !key.metaKey && !key.altKey)) return null
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

/** Nothing will open that could be typed into: what was kept is heard as if it had been pressed now. */
export function letGo(): void {
  if (keeping && !keeping.playing) void play(keeping)
}

/** Something has the focus: when it is what the keys are kept for, they are its own. */
export function focusIn(target: EventTarget | null): void {
  if (keeping && !keeping.playing && target instanceof Element && target.closest(PLACES)) void play(keeping)
}

/** Forgets what was kept: nothing came that it was meant for. */
export function forgetKeys(): void {
  if (keeping) clearTimeout(keeping.timer)
  keeping = null
}

const turn = (ms = 0): Promise<void> => new Promise((done) => setTimeout(done, ms))

async function play(now: Keeping): Promise<void> {
  now.playing = true
  clearTimeout(now.timer)
  // A command may have begun something else to type into: then the rest waits for that.
  const goesOn = () => keeping === now && now.playing
  // The page draws between two keys: each is for what the one before has made of it.
  await turn()
  while (goesOn() && now.keys.length) {
    const next = now.keys[0]!
    const reading = 'key' in next && next.key === 'Enter'
    for (let waited = 0; reading && waited < CHOICES_MS && goesOn() && at()?.closest('[data-reading]'); waited += 20)
      await turn(20)
    if (!goesOn()) return
    // What a person has not seen is not confirmed.
    if (reading && at()?.closest('[data-review]')) now.keys = []
    else {
      now.keys.shift()
      if ('key' in next) send(next)
      else enter(at(), next.text)
    }
    await turn()
  }
  if (keeping === now && now.playing) keeping = null
}

const at = (): Element | null => document.activeElement
/** A kept key is on its way to the page, and is not to be kept again. */
let sending = false

/** Presses a key, and does what a browser does with keys of a person alone: typing into a field. */
function send({ key, code, shiftKey, ctrlKey, metaKey }: Key): void {
  const target = at() ?? document.body
  sending = true
  // AltGr is Ctrl too, and types.
  const held = key === 'Enter' ? { ctrlKey, metaKey } : {}
  const mine = target.dispatchEvent(
    new KeyboardEvent('keydown', { key, code, shiftKey, ...held, bubbles: true, cancelable: true }),
  )
  sending = false
  if (!mine || at() !== target) return
  if (key === 'Backspace') enter(target, '')
  else if ([...key].length === 1) enter(target, key)
}

/** Types text where the caret of a field is, or rubs out what is before it when there is none. */
function enter(field: Element | null, text: string): void {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return
  const { selectionStart: start, selectionEnd: end } = field
  // A field for addresses does not say where its caret is, boxes have none.
  if (start !== null && end !== null)
    field.setRangeText(text, !text && start === end ? Math.max(0, start - 1) : start, end, 'end')
  else if (field.type === 'email' || field.type === 'number')
    // Past React's own setter, so that it sees another value than it knows.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(
      field,
      text ? field.value + text : field.value.slice(0, -1),
    )
  else return
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: text ? 'insertText' : 'deleteContentBackward' }))
}
