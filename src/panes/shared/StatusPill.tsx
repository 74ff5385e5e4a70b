import { SPELLING, STATUSES, type Status } from '../../../contract/status.ts'
import { Pill, type Shape } from '../../ui/Pill.tsx'

const SHAPES: Record<Status, Shape> = {
  requirements: 'ring',
  pricing: 'ring',
  submit_approval: 'ring',
  approved: 'diamond',
  active: 'dot',
  paused: 'pause',
  completed: 'tick',
  reporting: 'tick',
  rejected: 'cross',
}

/** A project's status, by its stored name; each has its own shape and tone (decisions.md 2). */
export function StatusPill({ stored, shown, className }: { stored: string; shown: string; className?: string }) {
  const status = STATUSES.find((one) => one === stored)
  return (
    <Pill tone={status ? SPELLING[status].tone : 'grey'} shape={status ? SHAPES[status] : undefined} className={className}>
      {shown}
    </Pill>
  )
}
