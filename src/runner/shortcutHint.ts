import type { CommandId } from '../commands/table.ts'
import { commandOf } from '../commands/table.ts'
import { plain } from '../commands/words.ts'
import { store } from '../data/jotaiStore.ts'
import { keymapAtom } from './keys/activeContext.ts'
import { keysOf } from './keys/bindings.ts'
import { isMac, shownAs } from './keys/token.ts'
import { toast } from './say.tsx'

const KEPT = 'fieldwork.mentioned'

/** After a command was run by mouse or palette its shortcut is mentioned, once and never again. */
export function mentionKeys(id: CommandId): void {
  const keys = keysOf(store.get(keymapAtom), id)
  if (!keys) return
  try {
    const known = new Set((localStorage.getItem(KEPT) ?? '').split(' '))
    if (known.has(id)) return
    localStorage.setItem(KEPT, [...known, id].join(' ').trim())
  } catch {
    return
  }
  void toast(`Shortcut for “${plain(commandOf(id))}”: ${shownAs(keys, isMac)}`, { lasts: 8000 })
}
