import type { CommandId } from '../commands/table.ts'
import { commandOf } from '../commands/table.ts'
import { plain } from '../commands/words.ts'
import { browserStore } from '../data/browserStore.ts'
import { store } from '../data/jotaiStore.ts'
import { isTouch } from '../ui/isTouch.ts'
import { keymapAtom } from './keys/activeContext.ts'
import { keysOf } from './keys/bindings.ts'
import { isMac, shownAs } from './keys/keyReading.ts'
import { toast } from './toast.tsx'

const LOOK_MS = 500
const KEPT = 'fieldwork.mentioned'

/** Shows a command's shortcut after it was run by mouse or palette, once and never again. */
export function mentionKeys(id: CommandId): void {
  const keys = keysOf(store.get(keymapAtom), id)
  const { irreversible, danger } = commandOf(id)
  // Nobody decides about money or a deletion in order to learn its keys.
  if (!keys || irreversible || danger || isTouch()) return
  const known = new Set((browserStore.text(KEPT) ?? '').split(' '))
  if (known.has(id)) return
  browserStore.setText(KEPT, [...known, id].join(' ').trim())
  // Without storage the hint would repeat every time.
  if (browserStore.text(KEPT) === null) return
  const show = () => void toast(`Shortcut for “${plain(commandOf(id))}”: ${shownAs(keys, isMac)}`, { lasts: 8000 })
  // The hint would cover the Undo of what was just done, so it waits until no toast has a button.
  const wait = () => (document.querySelector('[data-sonner-toast] [data-button]') ? setTimeout(wait, LOOK_MS) : show())
  setTimeout(wait, LOOK_MS)
}
