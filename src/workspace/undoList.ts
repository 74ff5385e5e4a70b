import { atom } from 'jotai'
import type { Option } from '../commands/subject.ts'

/** What can be undone and then redone, the latest first, for the undo list; `u` or `r` and the entry's key. */
export const undoAtom = atom<readonly Option[]>([])
