import { count, dollars } from '../../../../contract/format.ts'
import { readAmount } from '../../../../contract/money.ts'
import { codeOf } from '../../../../contract/nounOf.ts'
import { rewardFields } from '../../../../contract/rewardFields.ts'
import { AnswerError } from '../../../data/AnswerError.tsx'
import { useCall } from '../../../data/useCall.ts'
import { Button } from '../../../ui/Button.tsx'
import { FieldForm } from '../../shared/form/FieldForm.tsx'
import { useFieldForm } from '../../shared/form/useFieldForm.ts'
import { RecordState } from '../../shared/RecordState.tsx'
import { rewardDrawn } from '../../shared/rewardForm.tsx'
import type { Reward } from './rewardColumns.tsx'

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
  const form = useFieldForm('reward', rewardFields, {
    record: reward,
    saved: () => ({ leads: onClose }),
    review: (values, changed) =>
      changed.includes('amount') && reward.pending_count
        ? {
            title: `Change the amount to ${dollars(readAmount(values.amount).cents ?? 0)}?`,
            lines: [
              `${count(reward.pending_count)} pending ${reward.pending_count === 1 ? 'entry keeps' : 'entries keep'} ${dollars(reward.amount_cents)}.`,
            ],
            confirm: 'Save',
          }
        : null,
  })
  return (
    <FieldForm
      {...rewardDrawn(form)}
      form={form}
      fields={rewardFields}
      title={`Edit ${reward.name}`}
      aside={<p className="mt-0.5 font-mono text-meta text-muted">{codeOf('reward', reward.id)}</p>}
      actions={
        <Button data-view="" variant="ghost" onClick={onClose}>
          Close
        </Button>
      }
    />
  )
}
