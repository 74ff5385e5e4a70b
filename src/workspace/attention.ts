/** Modifier keys, which mean nothing by themselves. */
export const LONE = new Set(['Control', 'Shift', 'Alt', 'Meta', 'AltGraph', 'CapsLock'])

/** How many keys, clicks and changes of a field there were, replayed ones included. */
let acts = 0
/** Whether the last act was a click rather than a key. */
let clicked = false
if (typeof document !== 'undefined')
  for (const act of ['keydown', 'pointerdown', 'input'])
    addEventListener(
      act,
      (event) => {
        if (LONE.has((event as KeyboardEvent).key)) return
        acts++
        if (act !== 'input') clicked = act === 'pointerdown'
      },
      { capture: true, passive: true },
    )

/** True for a user who clicks; one who uses keys gets a notice, as a dialog would be in the way of the next key. */
export const wasClicked = (): boolean => clicked

/**
 * Returns a function that tells whether nothing has been pressed, clicked or typed since.
 * Slow work opens a dialog, moves the focus or navigates only if that is so (docs/decisions/keys.md).
 */
export function attention(): () => boolean {
  const then = acts
  return () => acts === then
}

/** The same for a form, which has the focus as long as its user waits: in itself or, on a phone, in its main action's bar. */
export function attentionAt(form: () => HTMLElement | null, still = attention()): () => boolean {
  return () => {
    const at = document.activeElement
    return still() && (at === document.body || form()?.contains(at) === true || at?.closest('[data-main]') != null)
  }
}
