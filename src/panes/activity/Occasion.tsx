import type { ReactNode } from 'react'
import type { StoredFile, Texts } from '../../../contract/fieldKinds.ts'
import { fileSize } from '../../../contract/format.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { FileDrop } from '../../ui/FileDrop.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import type { RecordFormState } from '../shared/form/useRecordForm.ts'
import { acceptOf } from '../shared/form/useUploads.ts'

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

/** Takes an upload; shows the stored file beside the one that replaces it. */
export function PictureControl({
  form,
  types,
  stored,
  files: kept,
}: {
  form: Pick<RecordFormState<Texts>, 'uploads'>
  types: readonly string[]
  stored: OccasionFile | null
  files: readonly object[]
}) {
  const replaced = stored && (kept.at(-1) as StoredFile | undefined)?.id !== stored.id
  const add = (files: File[]) => {
    if (!files.length) return
    for (const file of form.uploads.files) form.uploads.remove(file.id)
    form.uploads.add(files.slice(0, 1), types)
  }
  return (
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
        label={kept.length ? 'Choose a file to replace it, or drop or paste it here' : 'Choose a file, or drop or paste it here'}
        hint={`${types.join(', ')}, under 10 MB.`}
      />
      {stored && (
        <Preview file={stored} video={stored.mime.startsWith('video/')}>
          {replaced ? (kept.length ? 'Replaced when you save' : 'Removed when you save') : fileSize(stored.size)}
        </Preview>
      )}
    </div>
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
