import { useMemo } from 'react'
import { count, dollars } from '../../../../contract/format.ts'
import { codeOf } from '../../../../contract/nounOf.ts'
import { centsIn } from '../../../commands/rewardAmount.ts'
import { AnswerError } from '../../../data/AnswerError.tsx'
import { api } from '../../../data/apiClient.ts'
import { useCall } from '../../../data/useCall.ts'
import { Button } from '../../../ui/Button.tsx'
import { RecordForm } from '../../shared/form/RecordForm.tsx'
import { useRecordForm } from '../../shared/form/useRecordForm.ts'
import { RecordState } from '../../shared/RecordState.tsx'
import {
  REWARD_LABELS,
  type RewardValues,
  rewardInput,
  rewardRules,
  rewardSection,
  warningsOf,
} from '../../shared/rewardForm.tsx'
import type { Reward } from './rewardColumns.tsx'

const valuesOf = (reward: Reward): RewardValues => ({
  name: reward.name,
  amount: String(reward.amount),
  partner_id: String(reward.partner_id),
  provider_code: reward.provider_code,
  description: reward.description,
})

/** Edits a reward in a panel beside its list, the catalogue at `home`. */
export function EditReward({ id, home, onClose }: { id: number; home: string; onClose: () => void }) {
  const answer = useCall('reward.get', { id }, { fresh: true })
  const reward = answer.data?.data
  return (
    <section
      aria-label={reward ? `Edit ${reward.name}` : 'Edit reward'}
      className="flex w-[420px] shrink-0 flex-col overflow-y-auto border-l border-line bg-ground @max-3xl:absolute @max-3xl:inset-0 @max-3xl:z-30 @max-3xl:w-auto"
    >
      {reward ? (
        <Form key={reward.id} reward={reward} onClose={onClose} />
      ) : (
        <RecordState
          answer={answer}
          record={{ noun: 'reward', id }}
          beside
          missing={answer.error && <AnswerError what="The reward" error={answer.error} retry={answer.retry} />}
          what="This reward"
          home={home}
          homeTitle="the catalogue"
          rows={6}
        />
      )}
    </section>
  )
}

function Form({ reward, onClose }: { reward: Reward; onClose: () => void }) {
  const rules = useMemo(() => rewardRules(reward.project_id), [reward.project_id])
  const form = useRecordForm<RewardValues>({
    form: 'reward.edit',
    record: reward.id,
    initial: valuesOf(reward),
    lock: reward.lock_version,
    labels: REWARD_LABELS,
    rules,
    noun: 'reward',
    review: (values, changed) =>
      changed.includes('amount') && reward.pending_count
        ? {
            title: `Change the amount to ${dollars(centsIn(values.amount) ?? 0)}?`,
            lines: [
              `${count(reward.pending_count)} pending ${reward.pending_count === 1 ? 'entry keeps' : 'entries keep'} ${dollars(reward.amount_cents)}.`,
            ],
            confirm: 'Save',
          }
        : null,
    theirs: (record, base) => ({ ...base, ...valuesOf({ ...reward, ...(record as Partial<Reward>) }) }),
    async save({ values, changed, lock, attempt }) {
      const all = rewardInput(values)
      const patch = Object.fromEntries(changed.map((field) => [field, all[field]]))
      const { data, message } = await api.write('reward.edit', { id: reward.id, ...patch, lock_version: lock } as never, {
        attempt,
      })
      return { title: message, name: data.name, lock: data.lock_version, leads: onClose }
    },
  })
  return (
    <RecordForm
      form={form}
      title={`Edit ${reward.name}`}
      aside={<p className="mt-0.5 font-mono text-meta text-muted">{codeOf('reward', reward.id)}</p>}
      actions={
        <Button data-view="" variant="ghost" onClick={onClose}>
          Close
        </Button>
      }
      warnings={warningsOf(form.values)}
      sections={[rewardSection(form)]}
    />
  )
}
