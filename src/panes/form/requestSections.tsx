import { useState } from 'react'
import type { Control } from 'react-hook-form'
import type { Field as DeclaredField } from '../../../contract/fieldKinds.ts'
import { olderRequestFields, requestFields } from '../../../contract/requestFields.ts'
import {
  ADULT_AGES,
  AGES,
  CHILDREN,
  ETHNICITIES,
  ethnicitiesOf,
  GENDERS,
  INCOMES,
  MARITAL,
  OLDER_AGES,
} from '../../../contract/vocabulary.ts'
import { CheckGroup } from '../../ui/Checkbox.tsx'
import { FileDrop } from '../../ui/FileDrop.tsx'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import type { Dmas } from '../shared/dma.ts'
import { FieldControl } from '../shared/form/FieldControl.tsx'
import { type Bound, FormField } from '../shared/form/FormField.tsx'
import { acceptOf, type useUploads } from '../shared/form/useUploads.ts'
import { DmaPicker } from './DmaPicker.tsx'
import type { Draft } from './requestDraft.ts'
import { LABELS } from './requestRules.ts'

type Form = { control: Control<Draft>; draft: Draft }
type Bare = Pick<Form, 'control'>
export type Choice = { value: string; label: string }

/** A field of the request, drawn by its declaration. */
export function Declared({
  control,
  name,
  draft,
  ends = 'newer',
  options,
  onValue,
  ...more
}: Bare & {
  name: keyof typeof requestFields
  /** The values on which it depends whether the field applies. */
  draft?: Draft
  /** Which form's default duration applies. */
  ends?: 'newer' | 'older'
  /** The records that it can name. */
  options?: readonly Choice[]
  onValue?: (value: string) => void
  wide?: boolean
  group?: true
  label?: string
  hint?: string | undefined
}) {
  const field: DeclaredField = (ends === 'older' ? olderRequestFields : requestFields)[name]
  const { hint, label } = field
  if (draft && field.when && !field.when({ ...draft })) return null
  return (
    <FormField
      control={control}
      name={name}
      label={label}
      hint={hint as string | undefined}
      required={field.required !== undefined}
      {...more}
    >
      {({ onChange, ...bound }) => (
        <FieldControl
          field={field}
          options={options}
          {...(bound as Omit<Bound<string>, 'onChange'>)}
          onChange={(value) => {
            onChange(value)
            onValue?.(value)
          }}
        />
      )}
    </FormField>
  )
}

/** Expected length of interview and incidence, if known. */
export function ExpectedFields({ control }: Bare) {
  return (
    <>
      <Declared control={control} name="loi_minutes" />
      <Declared control={control} name="incidence" />
    </>
  )
}

/** The survey's URL, if it is on the web. */
export function UrlField({ control, draft }: Form) {
  const survey = draft.activity_type === 'survey'
  return <Declared control={control} name="url" wide {...(survey ? {} : { label: 'URL', hint: undefined })} />
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
      <Declared control={control} name="client_id" options={clients} onValue={onClient} />
      <Declared control={control} name="parent_id" options={parents} />
      <Declared control={control} name="name" />
      <Declared control={control} name="goal" />
      <Declared control={control} name="start_dt" onValue={onStart} />
      <Declared control={control} name="end_dt" />
      <ExpectedFields control={control} />
      <Declared control={control} name="description" wide />
      <Declared control={control} name="requirements" wide />
    </>
  )
}

/** What participants are asked to do; without `link`, the address is asked elsewhere. */
export function ActivitySection({ control, draft, link = true }: Form & { link?: boolean }) {
  const shared = { control, draft }
  return (
    <>
      <Declared {...shared} name="activity_type" group wide />
      <Declared {...shared} name="action_type" />
      <Declared {...shared} name="social_type" />
      <Declared {...shared} name="social_link" />
      <Declared {...shared} name="social_text" wide />
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

/** The ethnicities of a generation of projects, and a chosen one that it doesn't offer. */
function EthnicityGroup({
  generation,
  value,
  onChange,
}: {
  generation: string
  value: readonly string[]
  onChange: (value: string[]) => void
}) {
  const [hasOther, setHasOther] = useState(false)
  if (!hasOther && value.includes('other')) setHasOther(true)
  const options = hasOther ? ETHNICITIES : ethnicitiesOf(generation)
  return <CheckGroup<string> options={options} value={value} onChange={onChange} all="All" columns={152} />
}

/** Optional audience fields; empty means any. */
export function NarrowerFields({ control, older = false }: Bare & { older?: boolean }) {
  return (
    <>
      <FormField control={control} name="hhi" label={LABELS.hhi} group wide hint="Leave empty for any.">
        {({ value, onChange }) => (
          <CheckGroup<number> options={INCOMES} value={value} onChange={onChange} all="All" columns={152} />
        )}
      </FormField>
      <FormField control={control} name="ethnicity" label={LABELS.ethnicity} group wide>
        {({ value, onChange }) => (
          <EthnicityGroup generation={older ? 'campaign' : 'project'} value={value} onChange={onChange} />
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
      <NarrowerFields control={control} older={older} />
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
          hint={requestFields.file_ids.hint}
        />
      )}
    </FormField>
  )
}

/** The reward for participants. */
export function RewardSection({ control, draft }: Form) {
  return (
    <>
      <Declared control={control} name="partner_id" />
      <Declared control={control} draft={draft} name="reward_amount_cents" />
    </>
  )
}
