import type { CommandId } from '../../commands/table.ts'
import { commandOf } from '../../commands/table.ts'
import { preferencesAtom } from '../../data/preferences.ts'
import { store } from '../../data/store.ts'
import { effective, keysOf } from '../keys/bindings.ts'
import { isMac, shownAs } from '../keys/token.ts'
import { say } from './say.tsx'

const KEPT = 'fieldwork.mentioned'

/** After a command was run by mouse or palette its shortcut is mentioned, once and never again. */
export function mentionKeys(id: CommandId): void {
  const keys = keysOf(effective(store.get(preferencesAtom).keys), id)
  if (!keys) return
  try {
    const known = new Set((localStorage.getItem(KEPT) ?? '').split(' '))
    if (known.has(id)) return
    localStorage.setItem(KEPT, [...known, id].join(' ').trim())
  } catch {
    return
  }
  void say(`${commandOf(id).title.replace(/…$/, '')} is also on ${shownAs(keys, isMac)}`, { lasts: 8000 })
}
