import { hearFirst, isAnswer, isTyped, keepBack, LONE, takeKept } from '../../workspace/keys/early.ts'
import type { Kept, Key } from '../../workspace/keys/kept.ts'

/** After a refusal, words go on until they rest for so long. */
const PAUSE_MS = 700
/** Nobody reacts to what they see in less. */
const REACTION_MS = 400

/** What was typed: the letters, without what was rubbed out; where there were none, the keys by their names. */
export function textOf(keys: readonly Kept[]): string {
  let text = ''
  for (const one of keys) {
    if ('text' in one) text += one.text
    else if (one.key === 'Backspace') text = text.slice(0, -1)
    else if (isTyped(one)) text += one.key
  }
  return text.trim() || [...new Set(keys.flatMap((one) => ('key' in one ? [one.key] : [])))].join(' ').trim()
}

/** Words that are still typed for what was refused, and who hears of them when they rest. */
let refused: { keys: Kept[]; over: (text: string) => void; timer: ReturnType<typeof setTimeout> } | null = null

/** Something was refused that words are typed for: they are swallowed until they rest, and `over` hears which. */
export function refuseKeys(over: (text: string) => void): void {
  const keys = [...(refused?.keys ?? []), ...takeKept()]
  clearTimeout(refused?.timer)
  refused = { keys, over, timer: setTimeout(endRefusal, PAUSE_MS) }
}

/** The words are over: who goes on means what stands. */
function endRefusal(): void {
  if (!refused) return
  const { keys, over, timer } = refused
  clearTimeout(timer)
  refused = null
  const text = textOf(keys)
  if (text) over(text)
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

/** How to take away what opened unasked, for as long as nobody can have seen it. */
let unasked: (() => void) | null = null
let seeing: ReturnType<typeof setTimeout> | undefined

/** A dialog opens that nobody has asked for in this moment. A key that comes before anybody can have seen it is not its own: the dialog is withdrawn, and the key goes where it was meant. */
export function openedUnasked(withdraw: () => void): void {
  clearTimeout(seeing)
  unasked = withdraw
  document.body.dataset.unseen = ''
}

/** True when a key was not meant for the dialog that has just opened: it is kept for what was there before, and an Enter for nothing. */
function givesWay(key: Key): boolean {
  const withdraw = unasked
  if (!withdraw || key.altKey || key.ctrlKey || key.metaKey) return false
  // It is closed, and what comes next is for what stands then.
  if (key.key === 'Escape') seen()
  if (key.key === 'Enter') return true
  if (!isTyped(key) && key.key !== 'Backspace') return false
  seen()
  keepBack(key, withdraw)
  return true
}

/** It has been there for long enough to be seen, or was clicked. */
function seen(): void {
  clearTimeout(seeing)
  if (unasked) delete document.body.dataset.unseen
  unasked = null
}

hearFirst({
  take: (key) => swallows(key) || givesWay(key),
  pointed() {
    seen()
    endRefusal()
  },
  placed() {
    if (unasked) seeing = setTimeout(seen, REACTION_MS)
  },
})
