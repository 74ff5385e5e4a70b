import type { StoredFile } from '../../../../contract/fieldKinds.ts'
import { newAttempt } from '../../../data/api.ts'
import { browserStore } from '../../../data/browserStore.ts'

/** A file already stored on the server. */
export type KeptFile = StoredFile

/** A form's drafts in this browser, one per user; they outlast reloads and sign-outs. */
export interface Drafts<V extends object> {
  /** Returns a user's draft; null if there is none or it is unreadable. */
  read(person: number, empty: V): V | null
  /** Stores a draft; null deletes it. */
  keep(person: number, draft: V | null): void
  /** Returns the draft's attempt ID, which survives a reload, so a request already sent isn't created twice. */
  attempt(person: number): string
}

/** Restores stored values in the shape of `empty`; fields of another type fall back to it. */
export function shapedLike<V extends object>(kept: unknown, empty: V): V | null {
  if (!kept || typeof kept !== 'object') return null
  const fields = Object.entries(empty).map(([name, otherwise]) => {
    const value = (kept as Record<string, unknown>)[name]
    return [name, Array.isArray(value) === Array.isArray(otherwise) && typeof value === typeof otherwise ? value : otherwise]
  })
  return Object.fromEntries(fields) as V
}

/** Creates the draft store of a form, by storage key. */
export function draftsOf<V extends object>(form: string): Drafts<V> {
  const keptAs = (person: number) => `fieldwork.${form}.${person}`
  const attemptAs = (person: number) => `${keptAs(person)}.attempt`
  /** Without browser storage, a draft lasts until the page closes. */
  const unkept = new Map<number, V>()
  return {
    read: (person, empty) => shapedLike(browserStore.get(keptAs(person)) ?? unkept.get(person), empty),
    keep(person, draft) {
      browserStore.set(keptAs(person), draft)
      if (draft && browserStore.text(keptAs(person)) === null) unkept.set(person, draft)
      else unkept.delete(person)
      if (!draft) browserStore.setText(attemptAs(person), null)
    },
    attempt(person) {
      const kept = browserStore.text(attemptAs(person)) ?? newAttempt()
      browserStore.setText(attemptAs(person), kept)
      return kept
    },
  }
}
