/** Modifier keys, which mean nothing by themselves. */
export const LONE = new Set(['Control', 'Shift', 'Alt', 'Meta', 'AltGraph', 'CapsLock'])

/** How many keys, clicks and changes of a field there were, replayed ones included. */
let acts = 0
if (typeof document !== 'undefined')
  for (const act of ['keydown', 'pointerdown', 'input'])
    addEventListener(act, (event) => LONE.has((event as KeyboardEvent).key) || acts++, { capture: true, passive: true })

/**
 * Returns a function that tells whether nothing has been pressed, clicked or typed since.
 * Slow work opens a dialog, moves the focus or navigates only if that is so (docs/decisions/0003-keys.md).
 */
export function attention(): () => boolean {
  const then = acts
  return () => acts === then
}
