import { count } from '../../contract/format.ts'
import type { IndexStatus } from '../search/entities.ts'
import { useDelayed } from '../ui/useDelayed.ts'

/** How long (ms) names may load before the status shows. */
const MENTION_MS = 400

/** Returns a text while names are loading, after a short delay; null once all are loaded. */
export function useIndexStatus(lacking: IndexStatus | null): string | null {
  const late = useDelayed(lacking !== null, MENTION_MS)
  if (!lacking || !late) return null
  if (lacking.how === 'coming') return 'Still loading names'
  return `${lacking.names ? 'Some names' : 'The names'} couldn’t be loaded. Retrying…`
}

/** Shows the status above the palette's footer; screen readers get it with the row count. */
export function IndexStatusLine({ words, lacking }: { words: string; lacking: IndexStatus }) {
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
