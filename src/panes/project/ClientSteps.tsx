import type { ClientStep } from '../../../contract/quoteRecord.ts'
import { cx } from '../../ui/cx.ts'
import { Mark } from '../../ui/Pill.tsx'

const WAY = ['requirements', 'pricing', 'approval', 'approved'] as const
const WORDS = { requirements: 'Requirements', pricing: 'Pricing', approval: 'Your approval', approved: 'Approved' } as const

/** A request's progress, as its client sees it. */
export function ClientSteps({ step }: { step: ClientStep }) {
  const now = WAY.indexOf((step === 'expired' ? 'approval' : step) as 'approval')
  return (
    <ol className="flex flex-wrap gap-x-4 gap-y-1">
      {WAY.map((one, at) => (
        <li
          key={one}
          aria-current={at === now ? 'step' : undefined}
          className={cx('flex items-center gap-1.5', at === now ? 'font-medium text-accent-ink' : 'text-muted')}
        >
          <Mark shape={at < now ? 'tick' : at === now ? 'dot' : 'ring'} />
          {WORDS[one]}
        </li>
      ))}
    </ol>
  )
}
