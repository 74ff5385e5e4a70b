import type { Control } from 'react-hook-form'
import { count } from '../../../contract/format.ts'
import { PROVIDERS } from '../../../contract/vocabulary.ts'
import { DateInput } from '../../ui/DateInput.tsx'
import { Select } from '../../ui/Select.tsx'
import { NumberInput, TextArea, TextInput } from '../../ui/TextInput.tsx'
import { FormField } from '../shared/form/FormField.tsx'
import { EDIT_LABELS, type EditDraft, type moveTo, STATUS_CHOICES } from './projectEdit.ts'
import type { Choice } from './requestSections.tsx'

type Form = { control: Control<EditDraft> }

/** Name, client, goal and dates. */
export function ProjectFields({
  control,
  clients,
  parents,
  clientHint,
}: Form & { clients: readonly Choice[]; parents: readonly Choice[]; clientHint: string | undefined }) {
  return (
    <>
      <FormField control={control} name="name" label={EDIT_LABELS.name} required wide>
        {(bound) => <TextInput {...bound} maxLength={200} autoComplete="off" />}
      </FormField>
      <FormField control={control} name="client_id" label={EDIT_LABELS.client_id} required hint={clientHint}>
        {(bound) => <Select {...bound} options={clients} />}
      </FormField>
      <FormField control={control} name="parent_id" label={EDIT_LABELS.parent_id}>
        {(bound) => <Select {...bound} options={parents} placeholder="None" />}
      </FormField>
    </>
  )
}

/** Goal and dates. */
export function FieldTimeFields({ control, family }: Form & { family: { own: number; children: number } | null }) {
  return (
    <>
      <FormField
        control={control}
        name="goal"
        label={EDIT_LABELS.goal}
        required
        hint={
          family
            ? `This project’s own goal. With its children’s ${count(family.children)}, ${count(family.own + family.children)} in total.`
            : undefined
        }
      >
        {(bound) => <NumberInput {...bound} unit="completes" />}
      </FormField>
      <div className="@max-lg:hidden" />
      <FormField control={control} name="start_dt" label={EDIT_LABELS.start_dt} required>
        {(bound) => <DateInput {...bound} />}
      </FormField>
      <FormField control={control} name="end_dt" label={EDIT_LABELS.end_dt} required>
        {(bound) => <DateInput {...bound} />}
      </FormField>
      <FormField control={control} name="loi_minutes" label={EDIT_LABELS.loi_minutes} hint="If known.">
        {(bound) => <NumberInput {...bound} unit="minutes" />}
      </FormField>
      <FormField control={control} name="incidence" label={EDIT_LABELS.incidence} hint="If known.">
        {(bound) => <NumberInput {...bound} unit="%" />}
      </FormField>
    </>
  )
}

/** The reward for participants. */
export function RewardFields({ control }: Form) {
  return (
    <FormField control={control} name="partner_id" label={EDIT_LABELS.partner_id}>
      {(bound) => (
        <Select
          {...bound}
          placeholder="None"
          options={PROVIDERS.map((one) => ({ value: String(one.value), label: one.label }))}
        />
      )}
    </FormField>
  )
}

/** Survey fields and the project's description. */
export function SurveyFields({ control }: Form) {
  return (
    <>
      <FormField control={control} name="campaign_type" label={EDIT_LABELS.campaign_type}>
        {(bound) => (
          <Select
            {...bound}
            options={[
              { value: 'Survey', label: 'Survey' },
              { value: 'Content', label: 'Content' },
            ]}
          />
        )}
      </FormField>
      <FormField control={control} name="survey_url" label={EDIT_LABELS.survey_url} wide>
        {(bound) => <TextInput {...bound} inputMode="url" placeholder="https://" />}
      </FormField>
      <FormField control={control} name="description" label={EDIT_LABELS.description} wide>
        {(bound) => <TextArea {...bound} rows={2} maxLength={10_000} />}
      </FormField>
      <FormField control={control} name="requirements" label={EDIT_LABELS.requirements} wide>
        {(bound) => <TextArea {...bound} rows={2} maxLength={10_000} />}
      </FormField>
    </>
  )
}

/** The activity's name and description, above what participants are asked to do. */
export function ActivityFields({ control }: Form) {
  return (
    <>
      <FormField control={control} name="activity_name" label={EDIT_LABELS.activity_name} required wide>
        {(bound) => <TextInput {...bound} maxLength={200} autoComplete="off" />}
      </FormField>
      <FormField control={control} name="about" label={EDIT_LABELS.about} wide>
        {(bound) => <TextArea {...bound} rows={2} maxLength={10_000} />}
      </FormField>
    </>
  )
}

const HINTS = {
  stays: undefined,
  ordered: 'The next status.',
  forced: 'This skips a step. The history keeps your reason.',
}

/** The status: any is allowed, but skipping the order requires a reason (decisions.md 2). */
export function StatusFields({ control, move }: Form & { move: ReturnType<typeof moveTo> }) {
  return (
    <>
      <FormField control={control} name="status" label={EDIT_LABELS.status} required hint={HINTS[move.kind]}>
        {(bound) => <Select {...bound} options={STATUS_CHOICES} placeholder="Choose a status" />}
      </FormField>
      {move.kind !== 'stays' && (
        <FormField control={control} name="reason" label={EDIT_LABELS.reason} required={move.reason} wide>
          {(bound) => <TextArea {...bound} rows={2} maxLength={2000} />}
        </FormField>
      )}
    </>
  )
}
