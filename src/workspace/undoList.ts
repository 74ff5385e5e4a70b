import { atom } from 'jotai'
import type { Option } from '../commands/subject.ts'

/** Steps to undo, then to redo, latest first; `u` or `r` and the entry's key. */
export const undoAtom = atom<readonly Option[]>([])
