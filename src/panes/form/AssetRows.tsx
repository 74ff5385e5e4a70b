import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { assetFields } from '../../../contract/fileFields.ts'
import { ASSET_FILES } from '../../../contract/vocabulary.ts'
import { IconButton } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { FileDrop } from '../../ui/FileDrop.tsx'
import { FieldContext } from '../../ui/useField.ts'
import { FieldControl } from '../shared/form/FieldControl.tsx'
import { acceptOf } from '../shared/form/useUploads.ts'
import type { AssetRow, useRowUploads } from './assetRows.ts'

/** File rows, each with an asset type and a description. */
export function AssetRows({
  rows,
  uploads,
  faults,
  onChange,
  onRemove,
  onRow,
  footer,
}: {
  rows: readonly AssetRow[]
  uploads: ReturnType<typeof useRowUploads>
  /** By row key. */
  faults: Readonly<Record<number, Partial<Record<keyof typeof assetFields, string>>>>
  onChange: (key: number, some: Partial<AssetRow>) => void
  onRemove: (key: number) => void
  /** Called with the key of the row that gets the focus. */
  onRow: (key: number) => void
  footer: ReactNode
}) {
  return (
    // Each control is labelled by itself, not by the field around all rows.
    <FieldContext value={null}>
      <div className="flex flex-col gap-4">
        {rows.map((row, at) => {
          const file = uploads.fileOf(row)
          const name = `row ${at + 1}`
          return (
            <fieldset
              key={row.key}
              data-row={row.key}
              aria-label={`Row ${at + 1}`}
              onFocusCapture={() => onRow(row.key)}
              className="grid min-w-0 grid-cols-[minmax(0,1fr)_auto] gap-2 rounded-md border border-line p-2.5"
            >
              <div className="flex min-w-0 flex-col gap-2">
                <Field label={`File of ${name}`} group required error={file ? null : (faults[row.key]?.file_id ?? null)}>
                  <FileDrop
                    files={file ? [file] : []}
                    onAdd={(files) => uploads.add(row.key, files)}
                    onRemove={() => uploads.remove(row.key)}
                    onRetry={() => uploads.retry(row.key)}
                    accept={acceptOf(ASSET_FILES)}
                    label={file ? 'Replace the file' : 'Choose files, or drop them here'}
                    hint={file ? null : 'Images, videos, documents and spreadsheets, each under 10 MB.'}
                  />
                </Field>
                <div className="grid gap-2 @lg:grid-cols-[200px_minmax(0,1fr)]">
                  {(['asset_type', 'description'] as const).map((name) => {
                    const { label, ...field } = assetFields[name]
                    return (
                      <Field key={name} label={label} required={'required' in field} error={faults[row.key]?.[name] ?? null}>
                        <FieldControl
                          field={assetFields[name]}
                          value={row[name]}
                          onChange={(value) => onChange(row.key, { [name]: value })}
                        />
                      </Field>
                    )
                  })}
                </div>
              </div>
              <IconButton
                label={`Remove ${name}`}
                reason={rows.length === 1 ? 'at least one row is needed' : null}
                onClick={() => onRemove(row.key)}
              >
                <X size={16} aria-hidden="true" />
              </IconButton>
            </fieldset>
          )
        })}
        {footer}
      </div>
    </FieldContext>
  )
}
