import { useId } from 'react'
import type { Output } from '../../../../contract/calls.ts'
import { count, dollars } from '../../../../contract/format.ts'
import { REWARD_STATUSES } from '../../../../contract/vocabulary.ts'
import { FigureDifference } from '../../../compare/FigureDifference.tsx'

type Total = NonNullable<Output<'entry.list'>['totals']>[number]
/** The status filter. */
export type StatusFilter = Total['status'] | 'all'

/** The four statuses as radio buttons, with counts and totals. */
export function StatusChoice({
  shown,
  totals,
  onShow,
}: {
  shown: StatusFilter
  totals: readonly Total[] | undefined
  onShow: (shown: StatusFilter) => void
}) {
  const name = useId()
  const whole = totals && {
    count: totals.reduce((sum, one) => sum + one.count, 0),
    amount_cents: totals.reduce((sum, one) => sum + one.amount_cents, 0),
  }
  const choices = [...REWARD_STATUSES, { value: 'all', label: 'All' }] as const
  return (
    <fieldset className="flex flex-wrap gap-1.5">
      <legend className="sr-only">Status</legend>
      {choices.map(({ value, label }) => {
        const total = value === 'all' ? whole : totals?.find((one) => one.status === value)
        return (
          <label
            key={value}
            className="flex h-6 narrow:h-8 items-center gap-1 rounded-md border border-edge px-2 text-meta whitespace-nowrap text-muted tabular-nums hover:text-ink has-checked:border-accent has-checked:bg-accent-wash has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={name}
              value={value}
              checked={shown === value}
              onChange={() => onShow(value)}
              className="sr-only"
            />
            {label}
            {total && (
              <>
                <b className="font-medium text-ink">{count(total.count)}</b>
                <FigureDifference topic={`rewards ${value}`} value={total.count} />
                {total.amount_cents > 0 && (
                  <span className="@max-2xl:sr-only">
                    · {dollars(total.amount_cents)}
                    <FigureDifference topic={`rewards ${value} sum`} value={total.amount_cents} unit="cents" />
                  </span>
                )}
              </>
            )}
          </label>
        )
      })}
    </fieldset>
  )
}
