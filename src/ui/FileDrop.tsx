import { FileText, Upload, X } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import { fileSize } from '../../contract/format.ts'
import { IconButton } from './Button.tsx'
import { cx } from './cx.ts'
import { Progress } from './Progress.tsx'
import { useField } from './useField.ts'

/** A file in an upload: `progress` 0…1 while sending; `error` says why it failed, `lasts` that a retry won't help. */
export type DroppedFile = { id: string; name: string; bytes: number; progress?: number; error?: string; lasts?: true }

const keyOf = (name: string, bytes: number) => `${bytes} ${name}`

/** A drop zone and chooser. The caller checks files and passes them back as `files`; `onRemove` also cancels. */
export function FileDrop({
  files,
  onAdd,
  onRemove,
  onRetry,
  accept,
  hint,
  multiple = true,
  label = 'Choose files, or drop them here',
  disabled,
}: {
  files: readonly DroppedFile[]
  onAdd: (files: File[]) => void
  onRemove: (id: string) => void
  onRetry?: (id: string) => void
  /** The browser's `accept`, ".csv,.xlsx". It only filters the file dialog. */
  accept?: string
  hint?: ReactNode
  multiple?: boolean
  label?: string
  disabled?: boolean
}) {
  const input = useRef<HTMLInputElement>(null)
  const depth = useRef(0)
  const [over, setOver] = useState(false)
  const [twice, setTwice] = useState<readonly string[]>([])
  const own = useId()
  const { 'aria-invalid': _invalid, 'aria-required': _required, ...links } = useField()
  // The accessible name is the field's label followed by the zone's own text.
  const named = links['aria-labelledby'] ? { 'aria-labelledby': `${links['aria-labelledby']} ${own}` } : {}
  const add = (added: File[]) => {
    // Ignores files already listed. To add another of the same name and size, remove the first one.
    const here = new Set(files.flatMap((file) => (file.error ? [] : [keyOf(file.name, file.bytes)])))
    const fresh = added.filter(({ name, size }) => !here.has(keyOf(name, size)) && here.add(keyOf(name, size)))
    setTwice(added.filter((file) => !fresh.includes(file)).map((file) => file.name))
    if (fresh.length) onAdd(multiple ? fresh : fresh.slice(0, 1))
  }
  const leave = () => {
    depth.current = 0
    setOver(false)
  }
  return (
    <div className="flex flex-col gap-1.5">
      <button
        data-view=""
        data-drop-zone=""
        type="button"
        {...links}
        {...named}
        disabled={disabled}
        onClick={() => input.current?.click()}
        onDragEnter={(event) => {
          event.preventDefault()
          depth.current++
          setOver(true)
        }}
        onDragOver={(event) => event.preventDefault()}
        onDragLeave={() => --depth.current <= 0 && leave()}
        onDrop={(event) => {
          event.preventDefault()
          leave()
          const dropped = [...event.dataTransfer.files]
          if (dropped.length) add(dropped)
        }}
        className={cx(
          'flex min-h-14 w-full items-center gap-3 rounded-md border border-dashed px-3 py-2 text-left',
          over ? 'border-accent bg-accent-wash' : 'border-control bg-surface hover:bg-hover',
        )}
      >
        <Upload size={16} aria-hidden="true" className="shrink-0 text-muted" />
        <span id={own} className="min-w-0">
          <span className="block">{over ? 'Drop to add' : label}</span>{' '}
          {hint && <span className="block text-meta text-faint">{hint}</span>}
        </span>
      </button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        multiple={multiple}
        onChange={(event) => {
          const chosen = [...(event.target.files ?? [])]
          event.target.value = ''
          if (chosen.length) add(chosen)
        }}
      />
      {twice.length > 0 && (
        <p role="status" className="text-meta text-amber-ink">
          {twice.length === 1 ? (
            <>
              <bdi>{twice[0]}</bdi> is already here.
            </>
          ) : (
            `${twice.length} of these are already here.`
          )}
        </p>
      )}
      {files.length > 0 && (
        <ul className="flex flex-col divide-y divide-line rounded-md border border-line">
          {files.map((file) => (
            <li key={file.id} className="flex min-h-9 items-center gap-2 py-1 pr-1 pl-2.5">
              <FileText size={14} aria-hidden="true" className={cx('shrink-0', file.error ? 'text-red-ink' : 'text-muted')} />
              <span className="min-w-0 flex-1">
                <span className="flex gap-2">
                  <span className="truncate">{file.name}</span>
                  <span className="shrink-0 text-faint tabular-nums">{fileSize(file.bytes)}</span>
                </span>
                {file.error && <span className="block text-meta whitespace-pre-wrap text-red-ink">{file.error}</span>}
              </span>
              {file.progress !== undefined && !file.error && (
                <Progress value={file.progress} label={`Sending ${file.name}`} className="w-28" showValue />
              )}
              {file.error && !file.lasts && onRetry && (
                <button type="button" className="px-1 text-meta text-accent-ink underline" onClick={() => onRetry(file.id)}>
                  Try again
                </button>
              )}
              <IconButton label={`Remove ${file.name}`} onClick={() => onRemove(file.id)}>
                <X size={14} aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
