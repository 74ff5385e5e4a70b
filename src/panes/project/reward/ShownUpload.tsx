import { useEffect, useMemo } from 'react'
import type { Output } from '../../../../contract/calls.ts'
import { count, dollars } from '../../../../contract/format.ts'
import { REWARD_STATUSES } from '../../../../contract/vocabulary.ts'
import type { Subject } from '../../../commands/subject.ts'
import { AnswerState } from '../../../data/AnswerState.tsx'
import { moment } from '../../../data/format.ts'
import { useCall } from '../../../data/useCall.ts'
import { href } from '../../../routing/routes.ts'
import { CommandIcon } from '../../../runner/icons.tsx'
import { useCommand } from '../../../runner/useCommands.ts'
import { Button } from '../../../ui/Button.tsx'
import { Pager } from '../../../ui/Pager.tsx'
import { Mark } from '../../../ui/Pill.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { PaneLink } from '../../../workspace/PaneLink.tsx'
import { usePane } from '../../../workspace/pane.tsx'

export type Upload = Output<'reward.import'>['data']
type Row = Pick<Output<'reward.importRows'>['data'][number], 'line' | 'kind' | 'column' | 'value' | 'message'>
const ASK_AGAIN_MS = 2000
const KINDS = [
  { value: '', label: 'All' },
  { value: 'error', label: 'Errors' },
  { value: 'flagged', label: 'Flagged' },
] as const

/** "Pending 12, Sent 3": what an upload's entries are now. */
export const standingOf = ({ now }: Pick<Upload, 'now'>): string =>
  now
    .filter(({ count }) => count > 0)
    .map(({ status, count: number }) => `${REWARD_STATUSES.find(({ value }) => value === status)!.label} ${count(number)}`)
    .join(', ')

/** An upload: its progress, its sums, and its errors and flagged lines row by row. */
export function ShownUpload({ id, projectId, onClose }: { id: number; projectId: number; onClose: () => void }) {
  const answer = useCall('reward.import', { id }, { fresh: true })
  const upload = answer.data?.data
  const job = useCall('job.get', upload?.status === 'running' && upload.job_id ? { id: upload.job_id } : null)
  const { retry } = answer
  const runs = upload?.status === 'running'
  useEffect(() => {
    if (!runs) return
    const timer = setInterval(retry, ASK_AGAIN_MS)
    return () => clearInterval(timer)
  }, [runs, retry])
  const subject = useMemo<Subject | null>(
    () => (upload ? { kind: 'import', id: upload.id, name: upload.name, record: upload } : null),
    [upload],
  )
  if (!upload || !subject) return <AnswerState answer={answer} what="The upload" rows={6} />
  const at = job.data?.data
  return (
    <section aria-label={`Upload ${upload.file_name}`} className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1">
          <h2 className="truncate text-title">
            <bdi>{upload.file_name}</bdi>
          </h2>
          <p className="text-meta text-muted">
            {moment(upload.created_at)} · <bdi>{upload.created_by_name}</bdi>
            {upload.status === 'undone' && ' · undone'}
          </p>
        </div>
        {upload.created > 0 && upload.status !== 'undone' && (
          <PaneLink
            to={href('project', { id: projectId }, { tab: 'rewardCenter', query: { import: upload.id } })}
            className="inline-flex h-7 items-center rounded-md bg-accent px-2.5 font-medium text-on-accent hover:opacity-90"
          >
            Show these entries
          </PaneLink>
        )}
        {upload.failed > 0 && <Act id="import.errors" subject={subject} />}
        {(upload.status === 'done' || upload.status === 'failed') && <Act id="import.undo" subject={subject} />}
        <Button onClick={onClose}>New upload</Button>
      </div>
      {runs && (
        <div className="flex items-center gap-3">
          <Progress
            value={at?.total ? at.done / at.total : null}
            label={`Making the entries of ${upload.file_name}`}
            showValue
            className="w-72"
          />
          <span className="text-muted tabular-nums">
            {at?.total ? `${count(at.done)} of ${count(at.total)} lines` : 'Waiting to begin'}
          </span>
        </div>
      )}
      {upload.status === 'failed' && (
        <p role="alert" className="rounded-md bg-red-wash px-3 py-2 text-red-ink">
          The upload stopped. Its job can be taken up again under Jobs; no line is done twice.
        </p>
      )}
      <dl className="flex flex-wrap gap-x-8 gap-y-2">
        {(
          [
            ['Entries', count(upload.created), false],
            ['Total', dollars(upload.amount_cents), false],
            ['Errors', count(upload.failed), upload.failed > 0],
            ['Flagged', count(upload.repeated), upload.repeated > 0],
            ['Now', standingOf(upload) || '–', false],
          ] as const
        ).map(([label, value, bad]) => (
          <div key={label}>
            <dt className="text-meta text-muted">{label}</dt>
            <dd className={`text-title tabular-nums ${bad ? 'text-red-ink' : ''}`}>{value}</dd>
          </div>
        ))}
      </dl>
      {!runs && <Lines id={upload.id} />}
    </section>
  )
}

/** A command on the upload without its keys, which act on the project here. */
function Act({ id, subject }: { id: 'import.errors' | 'import.undo'; subject: Subject }) {
  const shown = useCommand(
    id,
    useMemo(() => [subject], [subject]),
  )
  if (!shown) return null
  return (
    <Button
      variant={shown.command.danger ? 'danger' : 'default'}
      icon={<CommandIcon name={shown.command.icon} />}
      reason={shown.reason}
      data-command={id}
      onClick={shown.run}
    >
      {shown.title}
    </Button>
  )
}

/** The lines that failed or are flagged, by page. */
function Lines({ id }: { id: number }) {
  const { query, setQuery } = usePane()
  const kind = KINDS.find(({ value }) => value === query.lines)?.value ?? ''
  const page = Math.max(1, Number(query.page) || 1)
  const answer = useCall('reward.importRows', { id, kind, page })
  const data = answer.data
  return (
    <div className="flex flex-col gap-2">
      <fieldset className="flex gap-1.5">
        <legend className="sr-only">Lines</legend>
        {KINDS.map(({ value, label }) => (
          <label
            key={value}
            className="flex h-6 items-center rounded-md border border-edge px-2 text-meta text-muted hover:text-ink has-checked:border-accent has-checked:bg-accent-wash has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={`lines${id}`}
              className="sr-only"
              checked={kind === value}
              onChange={() => setQuery({ lines: value || null, page: null })}
            />
            {label}
          </label>
        ))}
      </fieldset>
      {!data ? (
        <AnswerState answer={answer} what="The lines" rows={4} />
      ) : data.data.length === 0 ? (
        <p className="flex items-center gap-2 text-muted">
          <span className="text-green-ink">
            <Mark shape="tick" />
          </span>
          No line failed and none is flagged.
        </p>
      ) : (
        <>
          <ImportRows label="Errors and flagged lines" rows={data.data} />
          {data.count > data.page_size && (
            <Pager
              page={page}
              size={data.page_size}
              total={data.count}
              onPage={(next) => setQuery({ page: next > 1 ? next : null })}
            />
          )}
        </>
      )}
    </div>
  )
}

const LOOKS = { error: 'text-red-ink', repeat: 'text-amber-ink', amount: 'text-amber-ink' } as const

/** Lines of a file with what is wrong. */
export function ImportRows({ label, rows }: { label: string; rows: readonly Row[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <div tabIndex={0} className="max-h-96 overflow-auto rounded-md border border-line">
      <table className="w-full border-collapse text-left">
        <caption className="sr-only">{label}</caption>
        <thead className="sticky top-0 bg-surface">
          <tr className="border-b border-line text-meta text-muted">
            <th scope="col" className="w-16 px-2.5 py-1.5 text-right font-medium">
              Line
            </th>
            <th scope="col" className="w-32 px-2.5 py-1.5 font-medium">
              Column
            </th>
            <th scope="col" className="px-2.5 py-1.5 font-medium">
              Value
            </th>
            <th scope="col" className="px-2.5 py-1.5 font-medium">
              What is wrong
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.line} ${row.column} ${row.kind}`} className="border-b border-line last:border-b-0">
              <td className="px-2.5 py-1 text-right text-muted tabular-nums">{row.line}</td>
              <td className="px-2.5 py-1">{row.column}</td>
              <td className="max-w-72 truncate px-2.5 py-1" title={row.value}>
                <bdi>{row.value || '–'}</bdi>
              </td>
              <td className={`px-2.5 py-1 ${LOOKS[row.kind]}`}>{row.message}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
