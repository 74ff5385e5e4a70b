import { LONE } from '../../workspace/attention.ts'
import type { BufferedKey, Key } from '../../workspace/keys/keyBuffer.ts'
import { isAnswer, isTyped, onFirst, takeBuffered, withdrawAndBuffer } from '../../workspace/keys/typeahead.ts'

/** A pause of this many ms ends the words typed for something that was refused. */
const PAUSE_MS = 700
/** The fastest human reaction, in ms. */
const REACTION_MS = 400

/** Returns the typed text: letters minus deleted ones; or the names of the keys if there are no letters. */
export function textOf(keys: readonly BufferedKey[]): string {
  let text = ''
  for (const one of keys) {
    if ('text' in one) text += one.text
    else if (one.key === 'Backspace') text = text.slice(0, -1)
    else if (isTyped(one)) text += one.key
  }
  return text.trim() || [...new Set(keys.flatMap((one) => ('key' in one ? [one.key] : [])))].join(' ').trim()
}

/** The words being typed for something that was refused, and the callback for their end. */
let refused: { keys: BufferedKey[]; over: (text: string) => void; timer: ReturnType<typeof setTimeout> } | null = null

/** Swallows words typed for something that was refused until a pause, then passes them to `over` ('' for none). */
export function refuseKeys(over: (text: string) => void): void {
  const keys = [...(refused?.keys ?? []), ...takeBuffered()]
  clearTimeout(refused?.timer)
  // The words now belong to the later refusal.
  refused?.over('')
  refused = { keys, over, timer: setTimeout(endRefusal, PAUSE_MS) }
}

/** Stops swallowing: further keys are for the screen. */
function endRefusal(): void {
  if (!refused) return
  const { keys, over, timer } = refused
  clearTimeout(timer)
  refused = null
  over(textOf(keys))
}

function swallows(key: Key): boolean {
  if (!refused || LONE.has(key.key)) return false
  if (!isAnswer(key)) {
    endRefusal()
    return key.key === 'Escape'
  }
  clearTimeout(refused.timer)
  refused.timer = setTimeout(endRefusal, PAUSE_MS)
  if (!key.repeat) refused.keys.push(key)
  return true
}

/** Withdraws a dialog that opened by itself, before anyone can have seen it. */
let unasked: (() => void) | null = null
let seeing: ReturnType<typeof setTimeout> | undefined

/**
 * Registers a dialog that opened by itself.
 * A letter pressed before anyone can have seen the dialog withdraws it and goes where it was meant.
 */
export function openedUnasked(withdraw: () => void): void {
  clearTimeout(seeing)
  unasked = withdraw
  document.body.dataset.unseen = ''
}

/** True for a key that isn't meant for a dialog that just opened. It goes to the earlier focus; Enter is dropped. */
function givesWay(key: Key): boolean {
  const withdraw = unasked
  if (!withdraw || key.altKey || key.ctrlKey || key.metaKey) return false
  // Escape closes it; further keys are for the screen behind it.
  if (key.key === 'Escape') seen()
  if (key.key === 'Enter') return true
  if (!isTyped(key) && key.key !== 'Backspace') return false
  seen()
  withdrawAndBuffer(key, withdraw)
  return true
}

/** Called once it has been visible long enough to be seen, or was clicked. */
function seen(): void {
  clearTimeout(seeing)
  if (unasked) delete document.body.dataset.unseen
  unasked = null
}

onFirst({
  take: (key) => swallows(key) || givesWay(key),
  pointed() {
    seen()
    endRefusal()
  },
  placed() {
    if (unasked) seeing = setTimeout(seen, REACTION_MS)
  },
})
