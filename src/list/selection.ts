import type { Subject } from '../commands/subject.ts'

/** A selected record, and what the list showed when it was selected. */
export interface Selected {
  subject: Subject
  under: string
}
export type Selection = ReadonlyMap<number, Selected>

/** After so many it is cheaper to read all that match again than to name each. */
export const FEW = 2000
export const NOTHING_SELECTED: Selection = new Map()

/** Selects a record, or takes one out that was selected. */
export function toggled(selection: Selection, subject: Subject, under: string): Selection {
  const next = new Map(selection)
  if (!next.delete(subject.id)) next.set(subject.id, { subject, under })
  return next
}

/** Selects all of these too. */
export function withSelected(selection: Selection, subjects: Iterable<Subject>, under: string): Selection {
  const next = new Map(selection)
  for (const subject of subjects) next.set(subject.id, { subject, under })
  return next
}

/**
 * The selection after the list was read again: `there` says which of those selected under `under` still match, as they are now.
 * What a search hides stays selected; what left the list after something was done to it does not. The same object when nothing changed.
 */
export function checked(
  selection: Selection,
  under: string,
  asked: ReadonlySet<number>,
  there: ReadonlyMap<number, Subject>,
): Selection {
  let changed = false
  const next = new Map<number, Selected>()
  for (const [id, one] of selection) {
    if (one.under !== under || !asked.has(id)) {
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

/** True when two readings of a record allow the same: then nothing has to be drawn again. */
const alike = (a: Subject, b: Subject): boolean =>
  a.name === b.name &&
  (a.record?.lock_version === undefined ||
    b.record?.lock_version === undefined ||
    a.record.lock_version === b.record.lock_version) &&
  (a.allowed_actions ?? []).join() === (b.allowed_actions ?? []).join()
