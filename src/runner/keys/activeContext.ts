import { atom } from 'jotai'
import { preferencesAtom } from '../../data/preferences.ts'
import { meAtom } from '../../data/session.ts'
import { match } from '../../routing/match.ts'
import { workspace } from '../../workspace/currentWorkspace.ts'
import { focusedPane } from '../../workspace/navigation.ts'
import { commandIdsAtom } from '../areasAtom.ts'
import { type At, inUse, type Keymap } from './bindings.ts'

/** The user's current keymap: custom keys, single letters, role. The same object until one of them changes. */
export const keymapAtom = atom((get): Keymap => {
  // What a role may do is known only for loaded commands.
  get(commandIdsAtom)
  const { keys, single_keys } = get(preferencesAtom)
  return inUse({ keys, single_keys, role: get(meAtom)?.role ?? 'client' })
})

/** Returns the current context for the keymap. A pane that loads a record already has that record's shortcuts. */
export function atNow(): At {
  const { focused, cursor, view } = workspace.subjects()
  const entries = workspace.list()?.entries === true
  const there = workspace.list() !== null && !isInForm()
  const found = match(focusedPane().ref)
  return {
    focused: focused?.kind ?? kindToCome(),
    tab: found?.tab ? `${found.id}.${found.tab}` : null,
    list: there && !entries,
    entries: there && entries,
    view: Boolean(view),
    row: cursor?.kind ?? null,
    rows: workspace.form()?.rows !== undefined,
  }
}

/** True while the focus is in the form of a pane that also has a list: keys then belong to the form. */
const isInForm = (): boolean => workspace.form() !== null && Boolean(document.activeElement?.closest('form'))

/** Returns the kind of record that the focused pane's screen shows; null for lists and the like. */
export const kindToCome = (): At['focused'] => match(focusedPane().ref)?.row.subject ?? null
