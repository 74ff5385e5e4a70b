import { atom } from 'jotai'
import { preferencesAtom } from '../../data/preferences.ts'
import { meAtom } from '../../data/session.ts'
import { match } from '../../routing/match.ts'
import { workspace } from '../../workspace/currentWorkspace.ts'
import { focusedPane } from '../../workspace/navigation.ts'
import { commandIdsAtom } from '../areasAtom.ts'
import { type At, inUse, type Keymap } from './bindings.ts'

/** The user's current keymap: own keys, single letters on or off, role. The same object until one of them changes. */
export const keymapAtom = atom((get): Keymap => {
  // A role's permissions are known only for commands that have loaded.
  get(commandIdsAtom)
  const { keys, single_keys } = get(preferencesAtom)
  return inUse({ keys, single_keys, role: get(meAtom)?.role ?? 'client' })
})

/** The focus, for the keymap. A pane still loading its record already has that record's shortcuts. */
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

/** True while the focus is in the form of a pane that has a list too: its keys are the form's there. */
const isInForm = (): boolean => workspace.form() !== null && Boolean(document.activeElement?.closest('form'))

/** The record kind of the focused pane's screen; null for lists and the like. */
export const kindToCome = (): At['focused'] => match(focusedPane().ref)?.row.subject ?? null
