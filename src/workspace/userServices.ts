import { atom } from 'jotai'
import type { Subject } from '../commands/subject.ts'

/** The client users whose visitation services a dialog shows; null while it is closed. */
export const userServicesAtom = atom<readonly Subject[] | null>(null)
