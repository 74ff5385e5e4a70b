import { atom } from 'jotai'
import type { FilesController } from '../commands/workspaceApi.ts'
import { store } from '../data/jotaiStore.ts'
import { personalPart, setPersonalPart } from '../data/personalStorage.ts'
import { currentMe } from '../data/session.ts'

/** How many downloaded jobs to remember; a list of jobs shows fewer. */
const MOST = 200

/** Files that became ready while this page was open and weren't downloaded, newest first. */
export const readyFilesAtom = atom<readonly { id: number; name: string }[]>([])

/** Records that a job's file is ready. */
export const fileReady = (id: number, name: string): void =>
  store.set(readyFilesAtom, (all) => [{ id, name }, ...all.filter((one) => one.id !== id)])

const fetchedIds = (): readonly unknown[] => {
  const kept = personalPart('fetched', currentMe().id)
  return Array.isArray(kept) ? kept : []
}

/** The files of jobs, as commands see them. */
export const filesController: FilesController = {
  ready: () => store.get(readyFilesAtom)[0] ?? null,
  isFetched: (id) => fetchedIds().includes(id),
  fetched: (id) => {
    setPersonalPart('fetched', currentMe().id, [id, ...fetchedIds().filter((one) => one !== id)].slice(0, MOST))
    store.set(readyFilesAtom, (all) => all.filter((one) => one.id !== id))
  },
}
