import type { Control } from 'react-hook-form'
import { dollars } from '../../../contract/format.ts'
import { DEFAULT_DAYS } from '../../../contract/pacing.ts'
import {
  ACTION_TYPES,
  ACTIVITY_TYPES,
  ADULT_AGES,
  AGES,
  CHILDREN,
  ETHNICITIES,
  GENDERS,
  INCOMES,
  MARITAL,
  OLDER_AGES,
  PROVIDERS,
  SOCIAL_TYPES,
} from '../../../contract/vocabulary.ts'
import { CheckGroup } from '../../ui/Checkbox.tsx'
import { DateInput } from '../../ui/DateInput.tsx'
import { FileDrop } from '../../ui/FileDrop.tsx'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { Select } from '../../ui/Select.tsx'
import { NumberInput, TextArea, TextInput } from '../../ui/TextInput.tsx'
import type { Dmas } from '../shared/dma.ts'
import { FormField } from '../shared/form/FormField.tsx'
import { acceptOf, type useUploads } from '../shared/form/useUploads.ts'
import { DmaPicker } from './DmaPicker.tsx'
import { type Draft, needsAction } from './requestDraft.ts'
import { LABELS } from './requestRules.ts'

type Form = { control: Control<Draft>; draft: Draft }
type Bare = Pick<Form, 'control'>
export type Choice = { value: string; label: string }

/** The request's client. */
export function ClientField({ control, clients, onClient }: Bare & { clients: readonly Choice[]; onClient: () => void }) {
  return (
    <FormField control={control} name="client_id" label={LABELS.client_id} required>
      {({ onChange, ...bound }) => (
        <Select
          {...bound}
          options={clients}
          placeholder="Choose a client"
          onChange={(value) => {
            onChange(value)
            onClient()
          }}
        />
      )}
    </FormField>
  )
}

/** The parent project, if any. */
export function ParentField({ control, parents }: Bare & { parents: readonly Choice[] }) {
  return (
    <FormField control={control} name="parent_id" label={LABELS.parent_id} hint="Only if it’s part of a larger project.">
      {(bound) => <Select {...bound} options={parents} placeholder="None" />}
    </FormField>
  )
}

/** The project's name. */
export function NameField({ control, wide }: Bare & { wide?: boolean }) {
  return (
    <FormField control={control} name="name" label={LABELS.name} required {...(wide ? { wide } : {})}>
      {(bound) => <TextInput {...bound} maxLength={200} autoComplete="off" />}
    </FormField>
  )
}

/** The number of completes ordered. */
export function GoalField({ control }: Bare) {
  return (
    <FormField control={control} name="goal" label={LABELS.goal} required>
      {(bound) => <NumberInput {...bound} unit="completes" />}
    </FormField>
  )
}

/** The first day in field. */
export function StartField({ control, onStart }: Bare & { onStart: (start: string) => void }) {
  return (
    <FormField control={control} name="start_dt" label={LABELS.start_dt} required>
      {({ onChange, ...bound }) => (
        <DateInput
          {...bound}
          onChange={(value) => {
            onChange(value)
            onStart(value)
          }}
        />
      )}
    </FormField>
  )
}

/** The last day in field; follows the start until the user sets it. */
export function EndField({ control, ends }: Bare & { ends: 'newer' | 'older' }) {
  return (
    <FormField
      control={control}
      name="end_dt"
      label={LABELS.end_dt}
      hint={`Defaults to ${DEFAULT_DAYS[ends]} days after the start.`}
    >
      {(bound) => <DateInput {...bound} />}
    </FormField>
  )
}

/** Expected length of interview and incidence, if known. */
export function ExpectedFields({ control }: Bare) {
  return (
    <>
      <FormField control={control} name="loi_minutes" label={LABELS.loi_minutes} hint="If known.">
        {(bound) => <NumberInput {...bound} unit="minutes" />}
      </FormField>
      <FormField control={control} name="incidence" label={LABELS.incidence} hint="If known.">
        {(bound) => <NumberInput {...bound} unit="%" />}
      </FormField>
    </>
  )
}

/** Requirements that the form's questions don't cover. */
export function RequirementsField({ control }: Bare) {
  return (
    <FormField control={control} name="requirements" label={LABELS.requirements} wide hint="Saved as a note on the project.">
      {(bound) => <TextArea {...bound} rows={2} maxLength={10_000} />}
    </FormField>
  )
}

/** The survey's URL, if it is on the web. */
export function UrlField({ control, draft }: Form) {
  return (
    <FormField
      control={control}
      name="url"
      wide
      label={draft.activity_type === 'survey' ? LABELS.url : 'URL'}
      {...(draft.activity_type === 'survey' ? { hint: 'Or upload the survey as a file, below.' } : {})}
    >
      {(bound) => <TextInput {...bound} inputMode="url" placeholder="https://" />}
    </FormField>
  )
}

/** Client, name, goal and dates. */
export function ProjectSection({
  control,
  clients,
  parents,
  onClient,
  onStart,
}: Bare & { clients: readonly Choice[]; parents: readonly Choice[]; onClient: () => void; onStart: (start: string) => void }) {
  return (
    <>
      <ClientField control={control} clients={clients} onClient={onClient} />
      <ParentField control={control} parents={parents} />
      <NameField control={control} />
      <GoalField control={control} />
      <StartField control={control} onStart={onStart} />
      <EndField control={control} ends="newer" />
      <ExpectedFields control={control} />
      <FormField control={control} name="description" label={LABELS.description} wide>
        {(bound) => <TextArea {...bound} rows={2} maxLength={10_000} />}
      </FormField>
      <RequirementsField control={control} />
    </>
  )
}

/** What participants are asked to do; without `link`, the address is asked elsewhere. */
export function ActivitySection({ control, draft, link = true }: Form & { link?: boolean }) {
  const social = draft.activity_type === 'social'
  return (
    <>
      <FormField control={control} name="activity_type" label={LABELS.activity_type} required group wide>
        {({ value, onChange }) => <RadioGroup value={value} onChange={onChange} options={ACTIVITY_TYPES} />}
      </FormField>
      {needsAction(draft.activity_type) && (
        <FormField control={control} name="action_type" label={LABELS.action_type} required>
          {(bound) => <Select {...bound} options={ACTION_TYPES} placeholder="Choose an action" />}
        </FormField>
      )}
      {social && (
        <>
          <FormField control={control} name="social_type" label={LABELS.social_type}>
            {(bound) => <Select {...bound} options={SOCIAL_TYPES} placeholder="Choose where" />}
          </FormField>
          <FormField control={control} name="social_link" label={LABELS.social_link}>
            {(bound) => <TextInput {...bound} inputMode="url" placeholder="https://" />}
          </FormField>
          <FormField control={control} name="social_text" label={LABELS.social_text} wide>
            {(bound) => <TextArea {...bound} rows={2} maxLength={2000} />}
          </FormField>
        </>
      )}
      {link && <UrlField control={control} draft={draft} />}
    </>
  )
}

/** Ages of the audience. −1 ('18+', 'All') exists only in the interface and is never sent (decisions.md 9). */
export function AgeField({ control, older = false }: Bare & { older?: boolean }) {
  return (
    <FormField control={control} name="age" label={LABELS.age} required group wide>
      {({ value, onChange }) => (
        <CheckGroup
          options={older ? OLDER_AGES : AGES}
          value={value}
          onChange={onChange}
          all="All"
          presets={[{ label: '18+', values: ADULT_AGES }]}
          columns={88}
        />
      )}
    </FormField>
  )
}

/** Genders of the audience. */
export function GenderField({ control }: Bare) {
  return (
    <FormField control={control} name="gender" label={LABELS.gender} required group wide>
      {({ value, onChange }) => <CheckGroup<string> options={GENDERS} value={value} onChange={onChange} all="All" columns={88} />}
    </FormField>
  )
}

/** Optional audience fields; empty means any. */
export function NarrowerFields({ control }: Bare) {
  return (
    <>
      <FormField control={control} name="hhi" label={LABELS.hhi} group wide hint="Leave empty for any.">
        {({ value, onChange }) => (
          <CheckGroup<number> options={INCOMES} value={value} onChange={onChange} all="All" columns={152} />
        )}
      </FormField>
      <FormField control={control} name="ethnicity" label={LABELS.ethnicity} group wide>
        {({ value, onChange }) => (
          <CheckGroup<string> options={ETHNICITIES} value={value} onChange={onChange} all="All" columns={152} />
        )}
      </FormField>
      <FormField control={control} name="marital_status" label={LABELS.marital_status} group wide>
        {({ value, onChange }) => (
          <CheckGroup<string> options={MARITAL} value={value} onChange={onChange} all="All" columns={88} />
        )}
      </FormField>
      <FormField control={control} name="children" label={LABELS.children} group wide>
        {({ value, onChange }) => (
          <CheckGroup<number> options={CHILDREN} value={value} onChange={onChange} all="All" columns={88} />
        )}
      </FormField>
    </>
  )
}

/** The target audience. */
export function AudienceSection({ control, older = false }: Bare & { older?: boolean }) {
  return (
    <>
      <AgeField control={control} older={older} />
      <GenderField control={control} />
      <NarrowerFields control={control} />
    </>
  )
}

/** Whether interviews are held at locations. */
export function LocationBasedField({ control, required }: Bare & { required?: boolean }) {
  return (
    <FormField
      control={control}
      name="location_based"
      label={LABELS.location_based}
      group
      wide
      {...(required ? { required } : {})}
    >
      {({ value, onChange }) => (
        <RadioGroup
          value={value as 'yes' | 'no' | ''}
          onChange={onChange}
          options={[
            { value: 'yes', label: 'Yes', hint: 'At locations. Link a location list later.' },
            { value: 'no', label: 'No', hint: 'By market area.' },
          ]}
        />
      )}
    </FormField>
  )
}

/** The market areas. */
export function MarketsField({ control, dmas }: Bare & { dmas: Dmas }) {
  return (
    <FormField control={control} name="targeted_locations" label={LABELS.targeted_locations} required group wide>
      {({ value, onChange }) => <DmaPicker read={dmas} value={value} onChange={onChange} />}
    </FormField>
  )
}

/** The target markets and locations. */
export function MarketSection({ control, draft, dmas }: Form & { dmas: Dmas }) {
  return (
    <>
      <LocationBasedField control={control} required />
      {draft.location_based === 'no' && <MarketsField control={control} dmas={dmas} />}
    </>
  )
}

/** Attached files. */
export function FilesSection({
  control,
  required,
  uploads,
}: Bare & { required?: boolean; uploads: ReturnType<typeof useUploads> }) {
  return (
    <FormField control={control} name="file_ids" label={LABELS.file_ids} group wide {...(required ? { required } : {})}>
      {() => (
        <FileDrop
          files={uploads.files}
          onAdd={(files) => uploads.add(files)}
          onRemove={uploads.remove}
          onRetry={uploads.retry}
          accept={acceptOf()}
          hint="Images, audio, video and documents, each under 10 MB."
        />
      )}
    </FormField>
  )
}

/** The reward for participants. */
export function RewardSection({ control, draft }: Form) {
  const provider = PROVIDERS.find((one) => String(one.value) === draft.partner_id)
  return (
    <>
      <FormField control={control} name="partner_id" label={LABELS.partner_id}>
        {(bound) => (
          <Select
            {...bound}
            placeholder="None"
            options={PROVIDERS.map((one) => ({ value: String(one.value), label: one.label }))}
          />
        )}
      </FormField>
      {provider?.value === 600 && (
        <FormField
          control={control}
          name="reward_amount_cents"
          label={LABELS.reward_amount_cents}
          hint="Creates a reward of this amount with the project."
        >
          {(bound) => (
            <Select
              {...bound}
              placeholder="$5.00"
              options={provider.allowed.map((cents) => ({ value: String(cents), label: dollars(cents) }))}
            />
          )}
        </FormField>
      )}
    </>
  )
}
