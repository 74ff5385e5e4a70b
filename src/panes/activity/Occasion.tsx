import { type ComponentType, type ReactNode, useMemo } from 'react'
import type { FieldValues, Path } from 'react-hook-form'
import type { Output } from '../../../contract/calls.ts'
import { readDate } from '../../../contract/dates.ts'
import { fileSize } from '../../../contract/format.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { PICTURES, VIDEOS } from '../../../contract/vocabulary.ts'
import { api } from '../../data/apiClient.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { DateInput } from '../../ui/DateInput.tsx'
import { FileDrop } from '../../ui/FileDrop.tsx'
import { FormSkeleton } from '../../ui/Skeletons.tsx'
import { TextArea, TextInput } from '../../ui/TextInput.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import type { KeptFile } from '../shared/form/drafts.ts'
import { FormField } from '../shared/form/FormField.tsx'
import { type FormRules, valuesOf } from '../shared/form/formRules.ts'
import { RecordForm, type RecordSection } from '../shared/form/RecordForm.tsx'
import { type RecordFormOptions, type RecordFormState, useRecordForm } from '../shared/form/useRecordForm.ts'
import { acceptOf } from '../shared/form/useUploads.ts'
import { RecordError } from '../shared/RecordError.tsx'

/** The stored file of an event, promotion or post. */
interface OccasionFile {
  id: number
  original_name: string
  mime: string
  size: number
  url: string
  thumbnail: string
  rotation: number
}

/** Full call IDs, because the build drops calls whose ID never appears in the code. */
const CALLS = {
  event: { get: 'event.get', edit: 'event.edit' },
  promo: { get: 'promo.get', edit: 'promo.edit' },
  post: { get: 'post.get', edit: 'post.edit' },
} as const
type OccasionKind = keyof typeof CALLS
type Read<F extends OccasionKind> = Output<`${F}.get`>['data']

/** Loads an activity's older representation and shows its form, or the error. */
export function OccasionPane<F extends OccasionKind>({
  occasion,
  id,
  form: Form,
}: {
  occasion: F
  id: number
  form: ComponentType<{ record: Read<F> }>
}) {
  const { data, error, retry } = useCall(CALLS[occasion].get as 'event.get', { id }, { fresh: true })
  if (error && !data)
    return (
      <RecordError error={error} retry={retry} what={`Activity ${id}`} home={href('activities')} homeTitle="all activities" />
    )
  return data ? <Form record={data.data as Read<F>} /> : <FormSkeleton />
}

const filesOf = (file: OccasionFile | null): KeptFile[] =>
  file ? [{ id: file.id, name: file.original_name, bytes: file.size }] : []

interface OccasionValues {
  name: string
  files: KeptFile[]
}
interface OccasionFormOptions<V> extends Pick<RecordFormOptions<V & FieldValues>, 'rows' | 'shown'> {
  occasion: OccasionKind
  record: { id: number; lock_version: number; file: OccasionFile | null }
  /** The fields as loaded, without the file; the same object until they change. */
  draft: Omit<V, 'files'>
  labels: Readonly<Record<keyof V & string, string>>
  noun: string
  schema: FormRules<V>['schema']
  also?: (values: V) => Partial<Record<keyof V & string, string>>
}

/** The form state of an event, promotion or post, including its file. */
export function useOccasionForm<V extends OccasionValues & FieldValues>({
  occasion,
  record,
  draft,
  schema,
  also,
  shown,
  ...options
}: OccasionFormOptions<V>) {
  const { id, file } = record
  const initial = useMemo(() => ({ ...draft, files: filesOf(file) }) as unknown as V, [draft, file])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a form's schema and rules are the same on every render
  const rules = useMemo<FormRules<V>>(
    () => ({
      schema,
      input: ({ files, ...values }) => ({ id, ...values, file_id: files.at(-1)?.id ?? null }),
      fieldOf: (name) => (name === 'file' || name === 'file_id' ? 'files' : name),
      ...(also ? { also: also as never } : {}),
    }),
    [id],
  )
  return useRecordForm<V>({
    form: CALLS[occasion].edit,
    record: id,
    initial,
    lock: record.lock_version,
    rules,
    files: 'files' as never,
    shown: (field, value) =>
      field === 'files' ? (value as KeptFile[]).map(({ name }) => name).join(', ') : (shown?.(field, value) as string),
    theirs: (theirs, base) => {
      const fileId = theirs.file_id as number | null | undefined
      const files = fileId === undefined ? base.files : fileId ? [{ id: fileId, name: `File ${fileId}`, bytes: 0 }] : []
      return { ...valuesOf(theirs, base), files }
    },
    ...options,
    async save({ patch, lock, attempt, values }) {
      const input = { id, ...patch, lock_version: lock } as never
      const { data, message } = await api.write(CALLS[occasion].edit as 'event.edit', input, { attempt })
      const leads = href('activity', { id }, { tab: 'details' })
      return { title: message, name: values.name, leads, lock: data.lock_version }
    },
  })
}

/** The fields that events and promotions share. */
export interface DatedDraft extends OccasionValues {
  start_date: string
  end_date: string
  location: string
  address: string
}
export const DATED_LABELS = {
  name: 'Name',
  start_date: 'Start date',
  end_date: 'End date',
  location: 'Location',
  address: 'Address',
} as const

/** Converts a v1 date (MM/DD/YYYY) to ISO; empty for anything else. */
const isoOf = (us: string): string => readDate(us) ?? ''
type DatedRecord = Record<keyof typeof DATED_LABELS, string>
/** The initial values of an event or promotion form. */
export const datedDraft = ({ name, start_date, end_date, location, address }: DatedRecord) => ({
  ...{ name, location, address },
  start_date: isoOf(start_date),
  end_date: isoOf(end_date),
})

interface DatedFormProps<V extends DatedDraft & FieldValues> {
  form: RecordFormState<V>
  record: React.ComponentProps<typeof OccasionAside>['record'] & { name: string; file: OccasionFile | null }
  /** The section's title ("Event"); `about` is the field for its description. */
  title: string
  hint?: string
  about: { field: keyof V & string; label: string }
  sections?: readonly RecordSection<V>[]
  warnings?: readonly string[]
}

/** The form of an event or promotion: dates and location, sections of its own, and a picture. */
export function DatedForm<V extends DatedDraft & FieldValues>(props: DatedFormProps<V>) {
  const { form, record, title, hint, about, sections = [], warnings } = props
  return (
    <RecordForm
      form={form}
      title={`${title}: ${record.name}`}
      aside={<OccasionAside record={record} />}
      {...(warnings ? { warnings } : {})}
      sections={[
        {
          id: 'face',
          title,
          ...(hint ? { hint } : {}),
          fields: [...(Object.keys(DATED_LABELS) as (keyof V & string)[]), about.field],
          children: (
            <>
              <DatedFields form={form} />
              <FormField control={form.control} name={about.field as unknown as Path<V>} label={about.label} wide>
                {(bound) => <TextArea {...textOf(bound)} rows={4} maxLength={10_000} />}
              </FormField>
            </>
          ),
        },
        ...sections,
        {
          id: 'picture',
          title: 'Picture',
          fields: ['files'],
          children: <FileField form={form} label="Picture" stored={record.file} />,
        },
      ]}
    />
  )
}

/** The line below the form's title: the activity's code and name. */
export function OccasionAside({ record }: { record: { activity_id: number; activity_name: string; saved: boolean } }) {
  return (
    <p className="mt-0.5 flex flex-wrap gap-x-3 text-meta text-muted">
      <span className="font-mono">{codeOf('activity', record.activity_id)}</span>
      <PaneLink to={href('activity', { id: record.activity_id }, { tab: 'details' })} className="text-accent-ink hover:underline">
        {record.activity_name}
      </PaneLink>
      {!record.saved && <span>Prefilled from the activity. Not saved yet.</span>}
    </p>
  )
}

/** Name, dates, location and address. */
function DatedFields<V extends DatedDraft & FieldValues>({ form }: { form: RecordFormState<V> }) {
  const { control } = form
  return (
    <>
      <FormField control={control} name={'name' as Path<V>} label={DATED_LABELS.name} required wide>
        {(bound) => <TextInput {...textOf(bound)} maxLength={200} autoComplete="off" />}
      </FormField>
      <FormField control={control} name={'start_date' as Path<V>} label={DATED_LABELS.start_date} required>
        {(bound) => <DateInput {...textOf(bound)} />}
      </FormField>
      <FormField control={control} name={'end_date' as Path<V>} label={DATED_LABELS.end_date} required>
        {(bound) => <DateInput {...textOf(bound)} />}
      </FormField>
      <FormField control={control} name={'location' as Path<V>} label={DATED_LABELS.location}>
        {(bound) => <TextInput {...textOf(bound)} maxLength={300} />}
      </FormField>
      <FormField control={control} name={'address' as Path<V>} label={DATED_LABELS.address}>
        {(bound) => <TextInput {...textOf(bound)} maxLength={500} />}
      </FormField>
    </>
  )
}
type Text = { value: string; onChange: (value: string) => void; onBlur: () => void }
const textOf = (bound: unknown) => bound as Text

/** An upload field; shows the stored file beside the one that replaces it. */
export function FileField<V extends { files: KeptFile[] } & FieldValues>({
  form,
  label,
  video = false,
  stored,
  required,
}: {
  form: RecordFormState<V>
  label: string
  video?: boolean
  stored: OccasionFile | null
  required?: boolean
}) {
  const types = video ? VIDEOS : PICTURES
  const kept = form.values.files as KeptFile[]
  const replaced = stored && kept.at(-1)?.id !== stored.id
  const add = (files: File[]) => {
    if (!files.length) return
    for (const file of form.uploads.files) form.uploads.remove(file.id)
    form.uploads.add(files.slice(0, 1), types)
  }
  return (
    <FormField control={form.control} name={'files' as Path<V>} label={label} group wide {...(required ? { required } : {})}>
      {() => (
        <div
          className="flex flex-col gap-3"
          onPaste={(event) => {
            const files = [...event.clipboardData.files]
            if (!files.length) return
            event.preventDefault()
            add(files)
          }}
        >
          <FileDrop
            files={form.uploads.files}
            onAdd={add}
            onRemove={form.uploads.remove}
            onRetry={form.uploads.retry}
            accept={acceptOf(types)}
            multiple={false}
            label={
              kept.length ? 'Choose a file to replace it, or drop or paste it here' : 'Choose a file, or drop or paste it here'
            }
            hint={`${types.join(', ')}, under 10 MB.`}
          />
          {stored && (
            <Preview file={stored} video={video}>
              {replaced ? (kept.length ? 'Replaced when you save' : 'Removed when you save') : fileSize(stored.size)}
            </Preview>
          )}
        </div>
      )}
    </FormField>
  )
}

function Preview({ file, video, children }: { file: OccasionFile; video: boolean; children: ReactNode }) {
  return (
    <figure className="flex items-start gap-3">
      {file.thumbnail ? (
        <span className="flex size-40 shrink-0 items-center justify-center rounded-md border border-line bg-sunken">
          <img
            src={file.thumbnail}
            alt=""
            className="max-h-full max-w-full object-contain"
            style={file.rotation ? { transform: `rotate(${file.rotation}deg)` } : undefined}
          />
        </span>
      ) : video ? (
        // biome-ignore lint/a11y/useMediaCaption: participants' videos have no captions
        <video src={file.url} controls preload="metadata" className="max-h-40 max-w-60 rounded-md border border-line" />
      ) : null}
      <figcaption className="min-w-0 text-meta text-muted">
        <span className="block truncate text-ink">{file.original_name}</span>
        {children}
        {file.thumbnail && (
          <span className="mt-2 block">
            <CommandButton
              id="file.rotate"
              subjects={[{ kind: 'file', id: file.id, name: file.original_name, record: { ...file } }]}
            />
          </span>
        )}
      </figcaption>
    </figure>
  )
}
