import { type ReactNode, useState } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import type { Field as DeclaredField } from '../../../contract/fieldKinds.ts'
import { olderRequestFields, requestFields } from '../../../contract/requestFields.ts'
import { AGES, ETHNICITIES, ethnicitiesOf, OLDER_AGES, type Term } from '../../../contract/vocabulary.ts'
import { FileDrop } from '../../ui/FileDrop.tsx'
import type { Dmas } from '../shared/dma.ts'
import { FieldControl, isGroup } from '../shared/form/FieldControl.tsx'
import { type Bound, FormField } from '../shared/form/FormField.tsx'
import { acceptOf, type useUploads } from '../shared/form/useUploads.ts'
import { DmaPicker } from './DmaPicker.tsx'
import type { Draft } from './requestDraft.ts'

type Form = { control: Control<Draft>; draft: Draft }
type Bare = Pick<Form, 'control'>
export type Choice = { value: string; label: string }
const choicesOf = (terms: readonly Term[]) => terms.map(({ value, label }) => ({ value: String(value), label }))

/** A field of the request, drawn by its declaration. */
export function Declared({
  control,
  name,
  draft,
  ends = 'newer',
  options,
  onValue,
  wide,
  children,
  ...more
}: Bare & {
  name: keyof typeof requestFields
  /** The values on which it depends whether the field applies. */
  draft?: Draft | undefined
  /** Which form's default duration applies. */
  ends?: 'newer' | 'older'
  /** The records that it can name. */
  options?: readonly Choice[]
  onValue?: (value: string) => void
  wide?: boolean
  label?: string
  hint?: string | undefined
  /** A control of its own. */
  children?: (bound: Bound<string>) => ReactNode
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
      required={Boolean(field.required ?? (draft && field.needed?.({ ...draft })))}
      group={isGroup(field)}
      wide={wide ?? isGroup(field)}
      {...more}
    >
      {(typed) => {
        const bound = typed as unknown as Bound<string>
        if (children) return children(bound)
        const onChange = (value: string) => {
          bound.onChange(value)
          onValue?.(value)
        }
        return <FieldControl field={field} options={options} {...bound} onChange={onChange} />
      }}
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
      <Declared {...shared} name="activity_type" />
      <Declared {...shared} name="action_type" />
      <Declared {...shared} name="social_type" />
      <Declared {...shared} name="social_link" />
      <Declared {...shared} name="social_text" wide />
      {link && <UrlField control={control} draft={draft} />}
    </>
  )
}

/** Ages of the audience. −1 ('18+', 'All') exists only in the interface and is never sent (decisions.md 9). */
export const AgeField = ({ control, older }: Bare & { older?: boolean }) => (
  <Declared control={control} name="age" options={choicesOf(older ? OLDER_AGES : AGES)} />
)

/** Genders of the audience. */
export const GenderField = ({ control }: Bare) => <Declared control={control} name="gender" />

/** Optional audience fields; empty means any. A generation's ethnicities include a chosen one that it doesn't offer. */
export function NarrowerFields({ control, older }: Bare & { older?: boolean }) {
  const [hasOther, setHasOther] = useState(false)
  const chosen = useWatch({ control, name: 'ethnicity' })
  if (!hasOther && chosen.includes('other')) setHasOther(true)
  const ethnicities = hasOther ? ETHNICITIES : ethnicitiesOf(older ? 'campaign' : 'project')
  return (
    <>
      <Declared control={control} name="hhi" />
      <Declared control={control} name="ethnicity" options={choicesOf(ethnicities)} />
      <Declared control={control} name="marital_status" />
      <Declared control={control} name="children" />
    </>
  )
}

/** The target audience. */
export function AudienceSection(props: Bare & { older?: boolean }) {
  return (
    <>
      <AgeField {...props} />
      <GenderField {...props} />
      <NarrowerFields {...props} />
    </>
  )
}

/** Whether interviews are held at locations, which the older forms leave to market areas. */
export const LocationBasedField = ({ control }: Bare) => <Declared control={control} name="location_based" ends="older" />

/** The market areas; the newer form asks for them only without locations. */
export function MarketsField({ control, draft, dmas }: Bare & { draft?: Draft; dmas: Dmas }) {
  return (
    <Declared control={control} name="targeted_locations" {...(draft ? { draft } : { ends: 'older' })}>
      {({ value, onChange }) => (
        <DmaPicker read={dmas} value={value as unknown as readonly string[]} onChange={onChange as never} />
      )}
    </Declared>
  )
}

/** The target markets and locations. */
export function MarketSection({ control, draft, dmas }: Form & { dmas: Dmas }) {
  return (
    <>
      <Declared control={control} name="location_based" />
      <MarketsField control={control} draft={draft} dmas={dmas} />
    </>
  )
}

/** Attached files. */
export function FilesSection({ control, draft, uploads }: Bare & { draft?: Draft; uploads: ReturnType<typeof useUploads> }) {
  return (
    <Declared control={control} name="file_ids" draft={draft} hint={undefined}>
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
    </Declared>
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
