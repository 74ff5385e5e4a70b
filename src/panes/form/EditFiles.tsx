import { ANY_FILE } from '../../../contract/fileFields.ts'
import { fileSize } from '../../../contract/format.ts'
import { Button } from '../../ui/Button.tsx'
import { FileDrop } from '../../ui/FileDrop.tsx'
import { workspace } from '../../workspace/currentWorkspace.ts'
import { acceptOf, type useUploads } from '../shared/form/useUploads.ts'
import type { Project } from './projectEdit.ts'

const LAST_SIGNED = 'The last signed document cannot be removed.'

/** A project's files in its editor: new uploads, and contents and signed documents to remove on save. */
export function EditFiles({
  project,
  uploads,
  removed,
  onRemoved,
}: {
  project: Project
  uploads: ReturnType<typeof useUploads>
  /** IDs of files that saving removes. */
  removed: readonly number[]
  onRemoved: (ids: number[]) => void
}) {
  const files = project.files.filter(({ kind }) => kind === 'asset' || kind === 'docsign')
  const signedLeft = files.filter(({ id, kind }) => kind === 'docsign' && !removed.includes(id)).length
  return (
    <div className="flex flex-col gap-3 @lg:col-span-2">
      <FileDrop
        files={uploads.files}
        onAdd={(added) => uploads.add(added)}
        onRemove={uploads.remove}
        onRetry={uploads.retry}
        accept={acceptOf()}
        hint={ANY_FILE}
      />
      {files.length > 0 && (
        <ul className="divide-y divide-line">
          {files.map(({ id, kind, original_name, asset_type, size }) => {
            const goes = removed.includes(id)
            return (
              <li key={id} className="flex min-h-9 items-center gap-3 py-1">
                <span className={goes ? 'min-w-0 truncate text-muted line-through' : 'min-w-0 truncate'}>
                  <bdi>{original_name}</bdi>
                </span>
                <span className="ml-auto shrink-0 text-meta text-muted">
                  {kind === 'docsign' ? 'Signed document' : asset_type}
                </span>
                <span className="w-16 shrink-0 text-right text-meta text-muted tabular-nums">{fileSize(size)}</span>
                <Button
                  variant="ghost"
                  aria-label={`${goes ? 'Keep' : 'Remove'} ${original_name}`}
                  onClick={() => {
                    if (goes) onRemoved(removed.filter((one) => one !== id))
                    else if (kind === 'docsign' && signedLeft <= 1) workspace.notice(LAST_SIGNED, 'bad')
                    else onRemoved([...removed, id])
                  }}
                >
                  {goes ? 'Keep' : 'Remove'}
                </Button>
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}
