import { count } from '../../contract/format.ts'
import type { IndexStatus } from '../search/open.ts'
import { useDelayed } from '../ui/useDelayed.ts'

/** Names that come sooner need no mention. */
const MENTION_MS = 400

/** What is said while names are missing, a moment after they are missed; null while all are there. */
export function useIndexStatus(lacking: IndexStatus | null): string | null {
  const late = useDelayed(lacking !== null, MENTION_MS)
  if (!lacking || !late) return null
  if (lacking.how === 'coming') return 'Still loading names'
  return `${lacking.names ? 'Some names' : 'The names'} couldn’t be loaded. Retrying…`
}

/** The quiet line of it, above the palette's foot; for the eye, as the number of rows says it to a screen reader. */
export function LackingLine({ words, lacking }: { words: string; lacking: IndexStatus }) {
  return (
    <p
      aria-hidden="true"
      data-lacking={lacking.how}
      className="border-t border-line px-4 py-1.5 text-meta text-muted tabular-nums"
    >
      {words}
      {lacking.how === 'coming' && lacking.names > 0 && `: ${count(lacking.names)} so far`}
    </p>
  )
}
