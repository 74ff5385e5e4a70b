import { atom } from 'jotai'
import type { CommandId } from '../commands/table.ts'

/** The keys of every command as they are bound now, by command id: from the keymap and what the person changed. Set by the dispatcher. */
export const shortcutsAtom = atom<Readonly<Record<string, string>>>({})

/** What the keys do here, for the status line: the most useful first. Set by the dispatcher as the context changes. */
export const hintsAtom = atom<readonly { keys: string; label: string }[]>([])

/** Mentions the keys of something that was done by mouse without its command, once and never again. */
export const mentionLater = (id: CommandId): void => void import('./shortcutHint.ts').then(({ mentionKeys }) => mentionKeys(id))
