import { useState } from 'react'
import { fileSize } from '../../../contract/format.ts'
import { PAGE } from '../../../contract/pages.ts'
import { FILE_KINDS, labelOf } from '../../../contract/vocabulary.ts'
import type { Subject } from '../../commands/subject.ts'
import { moment } from '../../data/format.ts'
import { useMay } from '../../data/permissions.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { CommandMenu } from '../../runner/CommandMenu.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { WebLink } from '../../ui/WebLink.tsx'
import type { Project } from './ProjectHead.tsx'

/** Lists assets and the survey URL, five per page (projects-area 2). */
export function FileRows({ files, url, none }: { files: Project['files']; url?: string; none: string }) {
  const [page, setPage] = useState(1)
  const changes = useMay('file.remove')
  const all = [...(url ? [{ url }] : []), ...files]
  if (!all.length) return <p className="mt-1 text-muted">{none}</p>
  return (
    <>
      <ul className="mt-1 divide-y divide-line">
        {all.slice((page - 1) * PAGE.small, page * PAGE.small).map((file) =>
          'url' in file ? (
            <li key="url" className="flex h-(--row) items-center gap-3">
              <span className="shrink-0 text-muted">Survey URL</span>
              <WebLink url={file.url} className="min-w-0 truncate" />
            </li>
          ) : (
            <li key={file.id} className="flex h-(--row) items-center gap-3">
              <span className="min-w-0 truncate font-medium">{file.original_name}</span>
              <span className="truncate text-muted">{file.asset_type || labelOf(FILE_KINDS, file.kind, '')}</span>
              <span className="ml-auto whitespace-nowrap text-meta text-muted tabular-nums">
                {fileSize(file.size)} · {moment(file.created_at)}
              </span>
              <CommandButton id="file.download" only="icon" variant="ghost" subjects={[fileSubject(file)]} />
              {changes && <CommandMenu subjects={[fileSubject(file)]} />}
            </li>
          ),
        )}
      </ul>
      {all.length > PAGE.small && (
        <Pager page={page} size={PAGE.small} total={all.length} onPage={setPage} most={PAGE.links} noun="assets" />
      )}
    </>
  )
}

const fileSubject = (file: Project['files'][number]): Subject => ({
  kind: 'file',
  id: file.id,
  name: file.original_name,
  record: file,
})
