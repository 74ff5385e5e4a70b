import { newAttempt } from '../../../data/api.ts'
import { browserStore } from '../../../data/browserStore.ts'

/** A file already on the server. */
export interface KeptFile {
  id: number
  name: string
  bytes: number
}

/** A form's drafts in this browser, one for each user; they outlast a reload and a sign-out. */
export interface Drafts<V extends object> {
  /** Returns a user's draft, or null when there is none or it can't be read. */
  read(person: number, empty: V): V | null
  /** Stores a draft, or deletes it when null. */
  keep(person: number, draft: V | null): void
  /** Returns the draft's attempt id; it survives a reload, so a request already sent isn't created twice. */
  attempt(person: number): string
}

/** What was stored, field by field in the shape of `empty`: a field of another shape is the empty one. */
export function shapedLike<V extends object>(kept: unknown, empty: V): V | null {
  if (!kept || typeof kept !== 'object') return null
  const fields = Object.entries(empty).map(([name, otherwise]) => {
    const value = (kept as Record<string, unknown>)[name]
    return [name, Array.isArray(value) === Array.isArray(otherwise) && typeof value === typeof otherwise ? value : otherwise]
  })
  return Object.fromEntries(fields) as V
}

/** The drafts of a form, by its name in this browser's store. */
export function draftsOf<V extends object>(form: string): Drafts<V> {
  const keptAs = (person: number) => `fieldwork.${form}.${person}`
  const attemptAs = (person: number) => `${keptAs(person)}.attempt`
  /** Where the browser keeps nothing, a draft lasts until the page closes. */
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
