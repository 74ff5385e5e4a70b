import { atom } from 'jotai'
import type { CommandId } from '../commands/table.ts'

/** Every command's current shortcut by id, including custom ones. Set by the dispatcher. */
export const shortcutsAtom = atom<Readonly<Record<string, string>>>({})

/** Shortcuts for the status line, most useful first. Set when the context changes, once the page is idle. */
export const hintsAtom = atom<readonly { keys: string; label: string }[]>([])

/** Shows the shortcut of an action done by mouse outside its command, once and never again. */
export const mentionLater = (id: CommandId): void => void import('./shortcutHint.ts').then(({ mentionKeys }) => mentionKeys(id))
