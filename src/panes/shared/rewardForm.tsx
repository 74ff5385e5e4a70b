import type { KeyboardEvent } from 'react'
import { useId } from 'react'
import { count, dollars } from '../../../contract/format.ts'
import { amountWarning, centsIn, PROVIDER_OPTIONS, usualCode } from '../../commands/rewardAmount.ts'
import { suggestedAmounts } from '../../commands/rewards/reward.ts'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { TextArea, TextInput } from '../../ui/TextInput.tsx'
import { FormField } from './form/FormField.tsx'
import type { FormRules } from './form/formRules.ts'
import type { RecordSection } from './form/RecordForm.tsx'
import type { RecordFormState } from './form/useRecordForm.ts'

/** A reward's form values; the amount is in dollars. */
export interface RewardValues {
  name: string
  amount: string
  partner_id: string
  provider_code: string
  description: string
}
export const REWARD_LABELS = {
  name: 'Reward name',
  amount: 'Amount',
  partner_id: 'Provider',
  provider_code: 'Provider code',
  description: 'Description',
} as const satisfies Readonly<Record<keyof RewardValues, string>>

/** The rules for creating a reward; editing uses the same ones. */
export const rewardRules = (project_id: number): FormRules<RewardValues> => ({
  schema: async () => (await import('../../../contract/reward.ts')).rewardCalls['reward.create'].input,
  input: (values) => ({ ...rewardInput(values), project_id }),
})
/** Converts form values to the calls' input. */
export const rewardInput = ({ partner_id, provider_code, amount, ...values }: RewardValues) => ({
  ...values,
  amount,
  partner_id: Number(partner_id),
  provider_code: provider_code.trim() || (centsIn(amount) ? usualCode(centsIn(amount)!, Number(partner_id)) : ''),
})

/** Warns about unusual amounts while typing. */
export const warningsOf = ({ amount, partner_id }: RewardValues): string[] => {
  const cents = centsIn(amount)
  const warning = cents ? amountWarning(cents, Number(partner_id)) : null
  return warning ? [warning] : []
}

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
            checked={centsIn(value) === cents}
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

/** The section with a reward's fields. */
export function rewardSection(form: RecordFormState<RewardValues>): RecordSection<RewardValues> {
  const { control, values } = form
  const provider = Number(values.partner_id)
  const cents = centsIn(values.amount)
  return {
    id: 'reward',
    title: 'Reward',
    fields: ['name', 'amount', 'partner_id', 'provider_code', 'description'],
    children: (
      <>
        <FormField control={control} name="name" label={REWARD_LABELS.name} required wide hint="As receivers see it.">
          {(bound) => <TextInput {...bound} maxLength={200} autoComplete="off" />}
        </FormField>
        <FormField control={control} name="partner_id" label={REWARD_LABELS.partner_id} required group wide>
          {(bound) => (
            <RadioGroup
              value={bound.value}
              onChange={bound.onChange}
              options={PROVIDER_OPTIONS.map(({ value, label, detail }) => ({ value, label, hint: detail }))}
            />
          )}
        </FormField>
        <div className="flex min-w-0 flex-col gap-2 @lg:col-span-2">
          <FormField control={control} name="amount" label={REWARD_LABELS.amount} required hint="In dollars.">
            {(bound) => (
              <>
                <TextInput {...bound} inputMode="decimal" autoComplete="off" maxLength={12} className="max-w-40 tabular-nums" />
              </>
            )}
          </FormField>
          <Amounts provider={provider} value={values.amount} onChange={(amount) => form.set('amount', amount)} />
        </div>
        <FormField
          control={control}
          name="provider_code"
          label={REWARD_LABELS.provider_code}
          hint={
            cents ? `${usualCode(cents, provider)} if left empty.` : 'GC-005 for a $5 gift card, PP-005 at the second provider.'
          }
        >
          {(bound) => <TextInput {...bound} maxLength={50} autoComplete="off" className="font-mono" />}
        </FormField>
        <div className="min-w-0">
          <span className="text-meta font-medium text-muted">Type</span>
          <p className="mt-1 flex h-7 items-center">Gift card</p>
        </div>
        <FormField control={control} name="description" label={REWARD_LABELS.description} wide>
          {(bound) => <TextArea {...bound} rows={3} maxLength={2000} />}
        </FormField>
      </>
    ),
  }
}

/** Shows "about 300 completes × $5.00 = $1,500.00 if everyone is rewarded". */
export function Estimate({ completes, amount }: { completes: number; amount: string }) {
  const cents = centsIn(amount)
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
