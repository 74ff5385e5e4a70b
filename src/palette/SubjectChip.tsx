import { subjectsWord } from '../commands/availability.ts'
import type { Subject } from '../commands/subject.ts'

/** The palette's subjects, "7 rewards ⌫", or "7 of 9 rewards" by `total`; a click or Backspace removes it. */
export function SubjectChip({ subjects, total, onDrop }: { subjects: readonly Subject[]; total?: number; onDrop?: () => void }) {
  if (!subjects.length) return null
  const name = subjectsWord(subjects, total)
  const words = (
    <span dir="auto" className="max-w-56 truncate">
      {name}
    </span>
  )
  const look = 'flex h-6 shrink-0 items-center gap-1.5 rounded-md bg-accent-wash px-2 text-meta font-medium text-accent-ink'
  return onDrop ? (
    <button type="button" tabIndex={-1} aria-label={`Remove ${name}`} data-chip="" onClick={onDrop} className={look}>
      {words}
      <span aria-hidden="true">⌫</span>
    </button>
  ) : (
    <span className={look} data-chip="">
      {words}
    </span>
  )
}
