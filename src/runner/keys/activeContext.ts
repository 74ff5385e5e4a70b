import { atom } from 'jotai'
import { preferencesAtom } from '../../data/preferences.ts'
import { meAtom } from '../../data/session.ts'
import { match } from '../../routing/match.ts'
import { workspace } from '../../workspace/currentWorkspace.ts'
import { focusedPane } from '../../workspace/navigation.ts'
import { commandIdsAtom } from '../areasAtom.ts'
import { type At, inUse, type Keymap } from './bindings.ts'

/** The keymap as it works now for who is signed in: their own keys, single letters off or on, their role. The same object until one of these changes. */
export const keymapAtom = atom((get): Keymap => {
  // What a person's role may do is known of commands that have come.
  get(commandIdsAtom)
  const { keys, single_keys } = get(preferencesAtom)
  return inUse({ keys, single_keys, role: get(meAtom)?.role ?? 'client' })
})

/** Where the focus is, for the keymap. A pane that is still reading its record has the record's keys already. */
export function atNow(): At {
  const { focused, cursor, view } = workspace.subjects()
  return {
    focused: focused?.kind ?? kindToCome(),
    list: workspace.list() !== null,
    view: Boolean(view),
    row: cursor?.kind ?? null,
  }
}

/** The kind of record that the focused pane's screen is about; null for lists and the like. */
export const kindToCome = (): At['focused'] => match(focusedPane().ref)?.row.subject ?? null
