import { store } from '../data/jotaiStore.ts'
import { nextKey, type Work, worksAtom } from './runnerState.ts'

export interface Hooks {
  progress(done: number, total: number, note?: string): void
  signal: AbortSignal
}
/** The minimum ms between two shown updates of progress; the last one always shows. */
const TELL_EVERY_MS = 100

/** Shows work in the status line with progress and Cancel while it lasts. */
export async function working<T>(title: string, work: (hooks: Hooks) => Promise<T> | T): Promise<T> {
  const stop = new AbortController()
  const shown: Work = { key: nextKey(), title, done: 0, total: 0, note: '', cancel: () => stop.abort() }
  let shownAt = 0
  const progress: Hooks['progress'] = (done, total, note = '') => {
    const now = performance.now()
    if (done < total && now - shownAt < TELL_EVERY_MS) return
    shownAt = now
    store.set(worksAtom, (all) => all.map((one) => (one.key === shown.key ? { ...one, done, total, note } : one)))
  }
  const done = work({ progress, signal: stop.signal })
  // Finished work needs no display: a held key causes thirty a second.
  if (!(done instanceof Promise)) return done
  store.set(worksAtom, (all) => [...all, shown])
  try {
    return await done
  } finally {
    store.set(worksAtom, (all) => all.filter((one) => one.key !== shown.key))
  }
}
