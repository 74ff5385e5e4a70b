import { useEffect, useMemo } from 'react'
import type { Output } from '../../../../contract/calls.ts'
import { count, dollars } from '../../../../contract/format.ts'
import { REWARD_STATUSES } from '../../../../contract/vocabulary.ts'
import { type Subject, subjectAs } from '../../../commands/subject.ts'
import { AnswerState } from '../../../data/AnswerState.tsx'
import { moment } from '../../../data/format.ts'
import { useCall } from '../../../data/useCall.ts'
import { CommandButton } from '../../../runner/CommandButton.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { FileResult, type LineKind, useFileLines } from '../../shared/FileResult.tsx'

export type Upload = Output<'reward.import'>['data']
const MESSAGE_HEADING = 'Problem'
const NONE = 'No errors and no flagged lines.'
const KINDS: readonly (LineKind & { kind: '' | 'error' | 'flagged' })[] = [
  { slug: 'all', kind: '', title: 'All', messageHeading: MESSAGE_HEADING, none: NONE },
  { slug: 'error', kind: 'error', title: 'Errors', messageHeading: MESSAGE_HEADING, none: 'No errors.' },
  { slug: 'flagged', kind: 'flagged', title: 'Flagged', messageHeading: MESSAGE_HEADING, none: 'No flagged lines.' },
]
const STOPPED = 'The upload stopped halfway. Process it again to continue from there; no line is processed twice.'

/** Summarizes the current state of an upload's entries: "Pending 12, Sent 3". */
export const entryStatuses = ({ now }: Pick<Upload, 'now'>): string =>
  now
    .filter(({ count }) => count > 0)
    .map(({ status, count: number }) => `${REWARD_STATUSES.find(({ value }) => value === status)!.label} ${count(number)}`)
    .join(', ')

const asImport = subjectAs<Upload>('import')

/** Shows an upload: progress, totals, errors and flagged lines. Shortcuts act on it while it is open. */
export function ShownUpload({
  id,
  setSubject,
  onClose,
}: {
  id: number
  setSubject: (subject: Subject | null) => void
  onClose: () => void
}) {
  const answer = useCall('reward.import', { id }, { fresh: true })
  const upload = answer.data?.data
  const subject = useMemo(() => (upload ? asImport(upload) : null), [upload])
  useEffect(() => {
    setSubject(subject)
    return () => setSubject(null)
  }, [subject, setSubject])
  if (!upload || !subject) return <AnswerState answer={answer} what="The upload" rows={6} />
  return (
    <section aria-label={`Upload ${upload.file_name}`} className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1">
          <h2 className="truncate text-title">
            <bdi>{upload.file_name}</bdi>
          </h2>
          <p className="text-meta text-muted">
            {moment(upload.created_at)} · <bdi>{upload.created_by_name}</bdi>
          </p>
        </div>
        <Button data-view="" onClick={onClose}>
          New upload
        </Button>
      </div>
      {upload.status === 'running' ? <Running upload={upload} /> : <Result upload={upload} subject={subject} />}
    </section>
  )
}

function Running({ upload: { file_name, job_id, rows } }: { upload: Upload }) {
  const job = useCall('job.get', job_id ? { id: job_id } : null)
  const { done = 0, total = 0 } = job.data?.data ?? {}
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Progress value={total ? done / total : null} label={`Creating entries from ${file_name}`} showValue className="w-72" />
      <span className="text-muted tabular-nums">
        {total ? `${count(done)} of ${count(total)} lines` : `${count(rows)} lines waiting to start`}
      </span>
      {job_id !== null && (
        <CommandButton id="job.cancel" subjects={[{ kind: 'job', id: job_id, name: `Rewards from ${file_name}` }]} />
      )}
    </div>
  )
}

function Result({ upload, subject }: { upload: Upload; subject: Subject }) {
  const at = useFileLines(KINDS, 'all', 'lines')
  const { kind } = KINDS.find(({ slug }) => slug === at.kind)!
  const answer = useCall('reward.importRows', { id: upload.id, kind, page: at.page })
  const may = (id: string) => upload.allowed_actions.includes(id)
  const subjects = [subject]
  return (
    <div>
      <FileResult
        note={
          upload.status === 'undone'
            ? 'This upload was undone. Entries already paid or rejected stayed.'
            : upload.status === 'checked'
              ? 'This upload was cancelled. No entries were created.'
              : null
        }
        problem={upload.status === 'failed' ? upload.error || STOPPED : null}
        figures={[
          ['Entries', upload.created],
          ['Total', dollars(upload.amount_cents)],
          ['Errors', upload.failed, upload.failed > 0 ? 'bad' : undefined],
          ['Flagged', upload.repeated, upload.repeated > 0 ? 'near' : undefined],
          ['Now', entryStatuses(upload) || '–'],
        ]}
        actions={
          <>
            {may('import.show') && (
              <CommandButton id="import.show" subjects={subjects} variant="primary">
                Show these entries
              </CommandButton>
            )}
            {may('import.errors') && <CommandButton id="import.errors" subjects={subjects} />}
            {may('import.again') && <CommandButton id="import.run" subjects={subjects} />}
            {may('import.undo') && <CommandButton id="import.undo" subjects={subjects} />}
          </>
        }
        kinds={KINDS}
        at={at}
        answer={answer}
        pageSize={answer.data?.page_size ?? 50}
      />
    </div>
  )
}
