import type { Subject } from '../commands/subject.ts'
import { lockOf } from '../commands/words.ts'

/** A selected record, and what the list showed at that time. */
interface Selected {
  subject: Subject
  under: string
}
export type Selection = ReadonlyMap<number, Selected>

/** Beyond this many, reading all matches is cheaper than checking each. */
export const FEW = 2000
export const NOTHING_SELECTED: Selection = new Map()

/** Identifies a record: by its id, unless the list has records of two nouns. */
export type KeyOf = (subject: Subject) => number
const idOf: KeyOf = ({ id }) => id

/** Toggles a record in the selection. */
export function toggled(selection: Selection, subject: Subject, under: string, keyOf = idOf): Selection {
  const next = new Map(selection)
  if (!next.delete(keyOf(subject))) next.set(keyOf(subject), { subject, under })
  return next
}

/** Adds all of these to the selection. */
export function withSelected(selection: Selection, subjects: Iterable<Subject>, under: string, keyOf = idOf): Selection {
  const next = new Map(selection)
  for (const subject of subjects) next.set(keyOf(subject), { subject, under })
  return next
}

/**
 * Returns the selection after a reload; `there` has those selected under `under` that still match, in current state.
 * Rows hidden by a search stay selected; those that left the list don't. Returns the same object if nothing changed.
 */
export function checked(
  selection: Selection,
  under: string,
  checkedIds: ReadonlySet<number>,
  there: ReadonlyMap<number, Subject>,
): Selection {
  let changed = false
  const next = new Map<number, Selected>()
  for (const [id, one] of selection) {
    if (one.under !== under || !checkedIds.has(id)) {
      next.set(id, one)
      continue
    }
    const subject = there.get(id)
    if (!subject) {
      changed = true
      continue
    }
    const same = one.subject === subject || alike(one.subject, subject)
    if (!same) changed = true
    next.set(id, same ? one : { subject, under })
  }
  return changed ? next : selection
}

/** True if two versions of a record allow the same, so that nothing needs to render. */
function alike(a: Subject, b: Subject): boolean {
  const [before, now] = [lockOf(a.record).lock_version, lockOf(b.record).lock_version]
  return (
    a.name === b.name &&
    (before === undefined || now === undefined || before === now) &&
    (a.allowed_actions ?? []).join() === (b.allowed_actions ?? []).join()
  )
}
