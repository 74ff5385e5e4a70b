import { Pill } from '../ui/Pill.tsx'
import { usePart } from '../workspace/compareRole.ts'

/** Labels a compared pane: baseline, linked, or why it couldn't follow. */
export function ComparedPill({ short, className }: { short?: boolean; className?: string }) {
  const part = usePart()
  if (!part) return null
  if (part.is === 'apart')
    return (
      <span role="status" className={className}>
        <Pill tone="amber">{part.why}</Pill>
      </span>
    )
  return (
    <Pill
      tone={part.is === 'baseline' ? 'blue' : 'grey'}
      shape={part.is === 'baseline' ? 'diamond' : 'ring'}
      className={className}
    >
      {part.is === 'baseline' ? 'Baseline' : short ? 'Linked' : 'Linked to the first'}
    </Pill>
  )
}
