import { atom } from 'jotai'
import type { CommandId } from '../commands/table.ts'

/** Every command's current shortcut by id, including the user's own. Set by the dispatcher. */
export const shortcutsAtom = atom<Readonly<Record<string, string>>>({})

/** The shortcuts for the status line, most useful first. Set as the context changes, once the page is idle. */
export const hintsAtom = atom<readonly { keys: string; label: string }[]>([])

/** Mentions the shortcut of something done by mouse outside its command, once and never again. */
export const mentionLater = (id: CommandId): void => void import('./shortcutHint.ts').then(({ mentionKeys }) => mentionKeys(id))
