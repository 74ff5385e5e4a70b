import { type KeyboardEvent, useId } from 'react'
import { count, dollars } from '../../../contract/format.ts'
import { readAmount } from '../../../contract/money.ts'
import type { rewardFields } from '../../../contract/rewardFields.ts'
import { amountWarning } from '../../commands/rewardAmount.ts'
import { suggestedAmounts } from '../../commands/rewards/reward.ts'
import type { useFieldForm } from './form/useFieldForm.ts'

type State = ReturnType<typeof useFieldForm<'reward', typeof rewardFields>>

/** The provider's amounts, picked by click or by their digit. */
function Amounts({ provider, value, onChange }: { provider: number; value: string; onChange: (amount: string) => void }) {
  const name = useId()
  const amounts = suggestedAmounts(provider)
  const byDigit = (event: KeyboardEvent) => {
    const cents = /^[1-9]$/.test(event.key) && !event.ctrlKey && !event.metaKey ? amounts[Number(event.key) - 1] : undefined
    if (cents === undefined) return
    event.preventDefault()
    event.stopPropagation()
    onChange(String(cents / 100))
  }
  return (
    <div role="radiogroup" aria-label="Amounts that the provider pays" className="flex flex-wrap gap-1.5" onKeyDown={byDigit}>
      {amounts.map((cents, at) => (
        <label
          key={cents}
          className="flex h-7 items-center gap-1 rounded-md border border-edge px-2 text-meta text-muted tabular-nums hover:text-ink has-checked:border-accent has-checked:bg-accent-wash has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            value={cents}
            checked={readAmount(value).cents === cents}
            onChange={() => onChange(String(cents / 100))}
          />
          {dollars(cents)}
          <span aria-hidden="true" className="font-mono text-faint narrow:hidden">
            {at + 1}
          </span>
        </label>
      ))}
    </div>
  )
}

/** What a reward's form has besides its fields, new or edited: the provider's amounts, and a warning about others. */
export function rewardDrawn({ values, set }: State) {
  const { amount, partner_id } = values
  const cents = readAmount(amount).cents
  const warning = cents ? amountWarning(cents, Number(partner_id)) : null
  return {
    warnings: warning ? [warning] : [],
    sections: [{ id: 'reward', title: 'Reward', fields: ['name', 'partner_id', 'amount', 'provider_code', 'description'] }],
    needs: ['partner_id'],
    below: {
      amount: <Amounts provider={Number(partner_id)} value={amount} onChange={(picked) => set('amount', picked)} />,
      provider_code: (
        <div className="min-w-0">
          <span className="text-meta font-medium text-muted">Type</span>
          <p className="mt-1 flex h-7 items-center">Gift card</p>
        </div>
      ),
    },
  }
}

/** Shows "about 300 completes × $5.00 = $1,500.00 if everyone is rewarded". */
export function Estimate({ completes, amount }: { completes: number; amount: string }) {
  const cents = readAmount(amount).cents
  return (
    <section aria-label="Estimated cost" className="rounded-md border border-line bg-surface px-3 py-2.5">
      <h2 className="text-meta font-medium text-muted">Estimated cost</h2>
      {cents && completes ? (
        <p className="mt-1 tabular-nums">
          about {count(completes)} {completes === 1 ? 'complete' : 'completes'} × {dollars(cents)} ={' '}
          <b className="font-semibold">{dollars(cents * completes)}</b> if everyone is rewarded
        </p>
      ) : (
        <p className="mt-1 text-muted">{completes ? 'Enter an amount.' : 'The project has no goal yet.'}</p>
      )}
    </section>
  )
}
