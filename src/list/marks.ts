import type { Subject } from '../commands/subject.ts'

/** A marked record, and what the list showed when it was marked. */
export interface Mark {
  subject: Subject
  under: string
}
export type Marks = ReadonlyMap<number, Mark>

export const NO_MARKS: Marks = new Map()

/** Marks more, or takes the mark off one that had it. */
export function toggled(marks: Marks, subject: Subject, under: string): Marks {
  const next = new Map(marks)
  if (!next.delete(subject.id)) next.set(subject.id, { subject, under })
  return next
}

/** Marks all of these too. */
export function withMarks(marks: Marks, subjects: Iterable<Subject>, under: string): Marks {
  const next = new Map(marks)
  for (const subject of subjects) next.set(subject.id, { subject, under })
  return next
}

/**
 * Marks as they are after the list was read again: `there` says which of those marked under `under` still match, as they are now.
 * What a search hides stays marked; what left the list after something was done to it does not. The same object when nothing changed.
 */
export function checked(marks: Marks, under: string, asked: ReadonlySet<number>, there: ReadonlyMap<number, Subject>): Marks {
  let changed = false
  const next = new Map<number, Mark>()
  for (const [id, mark] of marks) {
    if (mark.under !== under || !asked.has(id)) {
      next.set(id, mark)
      continue
    }
    const subject = there.get(id)
    if (!subject) {
      changed = true
      continue
    }
    const same = mark.subject === subject || alike(mark.subject, subject)
    if (!same) changed = true
    next.set(id, same ? mark : { subject, under })
  }
  return changed ? next : marks
}

/** True when two readings of a record allow the same: then a mark need not be made again. */
const alike = (a: Subject, b: Subject): boolean =>
  a.name === b.name &&
  (a.record?.lock_version === undefined ||
    b.record?.lock_version === undefined ||
    a.record.lock_version === b.record.lock_version) &&
  (a.allowed_actions ?? []).join() === (b.allowed_actions ?? []).join()
