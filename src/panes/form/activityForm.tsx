import type { Control, FieldValues } from 'react-hook-form'
import { DateInput } from '../../ui/DateInput.tsx'
import { FileDrop } from '../../ui/FileDrop.tsx'
import { TextArea, TextInput } from '../../ui/TextInput.tsx'
import type { KeptFile } from '../shared/form/drafts.ts'
import { FormField } from '../shared/form/FormField.tsx'
import { acceptOf, type useUploads } from '../shared/form/useUploads.ts'
import { type Draft, needsAction } from './requestDraft.ts'
import { LABELS } from './requestRules.ts'

/** Form values of an activity, named as in the request form. */
export interface ActivityValues extends FieldValues {
  name: string
  about: string
  activity_type: string
  action_type: string
  social_type: string
  social_text: string
  social_link: string
  url: string
  start_dt: string
  end_dt: string
  file_ids: KeptFile[]
}
type Name = Exclude<keyof ActivityValues, number | symbol> & string

/** Labels, in form order. */
export const ACTIVITY_LABELS = {
  name: 'Activity name',
  about: 'Description',
  activity_type: LABELS.activity_type,
  action_type: LABELS.action_type,
  social_type: LABELS.social_type,
  social_link: LABELS.social_link,
  social_text: LABELS.social_text,
  url: LABELS.url,
  start_dt: LABELS.start_dt,
  end_dt: LABELS.end_dt,
  file_ids: LABELS.file_ids,
} as const satisfies Partial<Record<Name, string>>

/** Casts a form's control for the request form's sections, whose field names it shares. */
export const asRequest = <V extends FieldValues>(control: Control<V>): Control<Draft> => control as unknown as Control<Draft>

/** Converts values to the call's input; drops the action type and social fields of other activity types. */
export function activityInput({ file_ids, ...values }: ActivityValues): Record<string, unknown> {
  const social = values.activity_type === 'social'
  return {
    ...values,
    action_type: needsAction(String(values.activity_type)) ? values.action_type : 'nothing',
    ...(social ? {} : { social_type: '', social_text: '', social_link: '' }),
    file_ids: file_ids.map((file: KeptFile) => file.id),
  }
}

/** Warns about a social activity without a link, which is allowed but unusual. */
export const socialWarning = (values: ActivityValues): string[] =>
  values.activity_type === 'social' && !values.social_link.trim() ? ['A social activity usually has a link.'] : []

/** Name and description, which participants read. */
export function NameFields<V extends ActivityValues>({ control }: { control: Control<V> }) {
  const bound = control as unknown as Control<ActivityValues>
  return (
    <>
      <FormField control={bound} name="name" label={ACTIVITY_LABELS.name} required wide>
        {(field) => <TextInput {...field} maxLength={200} autoComplete="off" />}
      </FormField>
      <FormField
        control={bound}
        name="about"
        label={ACTIVITY_LABELS.about}
        required
        wide
        hint="What participants are asked to do."
      >
        {(field) => <TextArea {...field} rows={3} maxLength={10_000} />}
      </FormField>
    </>
  )
}

/** Start and end, with the project's dates beside them. */
export function TimeFields<V extends ActivityValues>({ control }: { control: Control<V> }) {
  const bound = control as unknown as Control<ActivityValues>
  return (
    <>
      <FormField control={bound} name="start_dt" label={ACTIVITY_LABELS.start_dt}>
        {(field) => <DateInput {...field} />}
      </FormField>
      <FormField control={bound} name="end_dt" label={ACTIVITY_LABELS.end_dt}>
        {(field) => <DateInput {...field} />}
      </FormField>
    </>
  )
}

/** Uploads files that belong to the activity. */
export function ActivityFiles<V extends ActivityValues>({
  control,
  uploads,
  required,
}: {
  control: Control<V>
  uploads: ReturnType<typeof useUploads>
  required?: boolean
}) {
  return (
    <FormField
      control={control as unknown as Control<ActivityValues>}
      name="file_ids"
      label={ACTIVITY_LABELS.file_ids}
      group
      wide
      {...(required ? { required } : {})}
    >
      {() => (
        <FileDrop
          files={uploads.files}
          onAdd={(files) => uploads.add(files)}
          onRemove={uploads.remove}
          onRetry={uploads.retry}
          accept={acceptOf()}
          hint="Images, audio and video are saved as graphics, other files as documents. Each under 10 MB."
        />
      )}
    </FormField>
  )
}
