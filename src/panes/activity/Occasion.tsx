import type { ReactNode } from 'react'
import type { FieldValues, Path } from 'react-hook-form'
import { fileSize } from '../../../contract/format.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { PICTURES, VIDEOS } from '../../../contract/vocabulary.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { DateInput, readDate } from '../../ui/DateInput.tsx'
import { FileDrop } from '../../ui/FileDrop.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import type { KeptFile } from '../shared/form/drafts.ts'
import { FormField } from '../shared/form/FormField.tsx'
import { acceptOf } from '../shared/form/uploads.ts'
import type { RecordFormState } from '../shared/form/useRecordForm.ts'

/** The file of an occasion as it is read. */
export interface OccasionFile {
  id: number
  original_name: string
  mime: string
  size: number
  url: string
  thumbnail: string
  rotation: number
}

/** A date of the older spelling (MM/DD/YYYY) as the form has it. */
export const isoOf = (us: string): string => readDate(us) ?? ''
export const filesOf = (file: OccasionFile | null): KeptFile[] =>
  file ? [{ id: file.id, name: file.original_name, bytes: file.size }] : []

/** The fields that events and promotions share. */
export interface DatedDraft {
  name: string
  start_date: string
  end_date: string
  location: string
  address: string
  files: KeptFile[]
}
/** The call's input of a dated form. */
export const datedInput = (id: number, { files, ...values }: DatedDraft) => ({ id, ...values, file_id: files.at(-1)?.id ?? null })
/** The form's field for a call's name. */
export const fieldOfOccasion = (name: string): string => (name === 'file' || name === 'file_id' ? 'files' : name)

/** Below the form's title: whose face it is. */
export function OccasionAside({ record }: { record: { activity_id: number; activity_name: string; saved: boolean } }) {
  return (
    <p className="mt-0.5 flex flex-wrap gap-x-3 text-meta text-muted">
      <span className="font-mono">{codeOf('activity', record.activity_id)}</span>
      <PaneLink to={href('activity', { id: record.activity_id }, { tab: 'details' })} className="text-accent-ink hover:underline">
        {record.activity_name}
      </PaneLink>
      {!record.saved && <span>Filled in from the activity until the first save</span>}
    </p>
  )
}

/** Name, dates, location and address. */
export function DatedFields<V extends DatedDraft & FieldValues>({ form }: { form: RecordFormState<V> }) {
  const { control } = form
  return (
    <>
      <FormField control={control} name={'name' as Path<V>} label="Name" required wide>
        {(bound) => <TextInput {...textOf(bound)} maxLength={200} autoComplete="off" />}
      </FormField>
      <FormField control={control} name={'start_date' as Path<V>} label="Start date" required>
        {(bound) => <DateInput {...textOf(bound)} />}
      </FormField>
      <FormField control={control} name={'end_date' as Path<V>} label="End date" required>
        {(bound) => <DateInput {...textOf(bound)} />}
      </FormField>
      <FormField control={control} name={'location' as Path<V>} label="Location">
        {(bound) => <TextInput {...textOf(bound)} maxLength={300} />}
      </FormField>
      <FormField control={control} name={'address' as Path<V>} label="Address">
        {(bound) => <TextInput {...textOf(bound)} maxLength={500} />}
      </FormField>
    </>
  )
}
type Text = { value: string; onChange: (value: string) => void; onBlur: () => void }
const textOf = (bound: unknown) => bound as Text

/** The file of an occasion: dropped, pasted or chosen; the one that it replaces is shown beside. */
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
            label={kept.length ? 'Replace it: choose a file, drop or paste one here' : 'Choose a file, drop or paste one here'}
            hint={`${types.join(', ')}, smaller than 10 MB.`}
          />
          {stored && (
            <Preview file={stored} video={video}>
              {replaced ? (kept.length ? 'Is replaced when you save' : 'Is taken off when you save') : fileSize(stored.size)}
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
        // biome-ignore lint/a11y/useMediaCaption: participants' films have no captions
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
