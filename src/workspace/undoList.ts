import { atom } from 'jotai'
import type { Option } from '../commands/subject.ts'

/** Steps to undo, then steps to redo, latest first; the value is `u` or `r` and the entry's key. */
export const undoAtom = atom<readonly Option[]>([])
