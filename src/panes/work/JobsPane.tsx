import type { Output } from '../../../contract/calls.ts'
import { listed } from '../../../contract/lists.ts'
import type { Subject } from '../../commands/subject.ts'
import { stripBidi } from '../../data/bidi.ts'
import { count, moment } from '../../data/format.ts'
import { currentMe } from '../../data/session.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { source } from '../../list/source.ts'
import { useListView } from '../../list/view.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { showBytes } from '../../ui/FileDrop.tsx'
import type { Column } from '../../ui/grid/columns.ts'
import { Pill, type Shape, type Tone } from '../../ui/Pill.tsx'
import { Progress } from '../../ui/Progress.tsx'

type Job = Output<'job.list'>['data'][number]

const LOOKS: Record<Job['status'], { word: string; tone: Tone; shape: Shape }> = {
  queued: { word: 'Waiting', tone: 'grey', shape: 'ring' },
  running: { word: 'Running', tone: 'blue', shape: 'dot' },
  done: { word: 'Done', tone: 'green', shape: 'tick' },
  failed: { word: 'Failed', tone: 'red', shape: 'cross' },
  cancelled: { word: 'Cancelled', tone: 'grey', shape: 'cross' },
}

/** A job as commands act on it. */
const jobSubject = (job: Job): Subject => ({
  kind: 'job',
  id: job.id,
  name: job.title,
  allowed_actions: job.allowed_actions,
  refused_actions: job.refused_actions,
  record: job,
})

/** What a job has made, or why it has not. */
function resultOf(job: Job): string {
  if (job.error) return job.error
  const { rows, size, file_name, sent, returned, rejected } = job.result
  if (file_name)
    return [file_name, rows !== undefined && `${count(Number(rows))} rows`, size !== undefined && showBytes(Number(size))]
      .filter(Boolean)
      .join(' · ')
  if (sent !== undefined)
    return `${count(Number(sent))} sent, ${count(Number(returned ?? 0))} back to pending, ${count(Number(rejected ?? 0))} rejected`
  return job.status === 'done' ? 'Done' : ''
}

const share = (job: Job) => (job.status === 'done' ? 1 : job.total ? job.done / job.total : null)

const columns: readonly Column<Job>[] = [
  {
    id: 'title',
    header: 'Job',
    min: 180,
    flex: 2,
    sortable: true,
    priority: 9,
    render: (job) => <span className="truncate font-medium">{stripBidi(job.title)}</span>,
  },
  {
    id: 'status',
    header: 'Status',
    width: 112,
    sortable: true,
    priority: 8,
    narrow: 'aside',
    render: (job) => (
      <Pill tone={LOOKS[job.status].tone} shape={LOOKS[job.status].shape}>
        {LOOKS[job.status].word}
      </Pill>
    ),
  },
  {
    id: 'progress',
    header: 'Progress',
    width: 152,
    priority: 7,
    narrow: 'meta',
    render: (job) =>
      job.status === 'running' || job.status === 'queued' ? (
        <Progress value={share(job)} label={job.title} showValue className="w-32" />
      ) : (
        <span className="text-faint tabular-nums">{job.total ? `${count(job.done)} of ${count(job.total)}` : ''}</span>
      ),
  },
  {
    id: 'result',
    header: 'Result',
    min: 160,
    flex: 3,
    priority: 6,
    narrow: 'meta',
    render: (job) => (
      <span title={resultOf(job)} className={job.error ? 'truncate text-red-ink' : 'truncate text-muted'}>
        {resultOf(job)}
      </span>
    ),
  },
  {
    id: 'by',
    header: 'Started by',
    width: 144,
    sortable: true,
    priority: 2,
    narrow: 'hidden',
    render: (job) => <span className="truncate text-muted">{job.created_by_name || 'Fieldwork'}</span>,
  },
  {
    id: 'created_at',
    header: 'Started',
    width: 128,
    sortable: true,
    priority: 4,
    narrow: 'meta',
    render: (job) => (
      <time dateTime={job.created_at} title={moment(job.created_at, 'full')} className="text-muted">
        {moment(job.created_at)}
      </time>
    ),
  },
  {
    id: 'file',
    header: 'File',
    width: 152,
    priority: 5,
    narrow: 'hidden',
    render: (job) =>
      job.download ? (
        <CommandButton id="job.link" subjects={[jobSubject(job)]} variant="ghost" className="h-6!">
          Download
        </CommandButton>
      ) : job.retryable ? (
        <CommandButton id="job.retry" subjects={[jobSubject(job)]} variant="ghost" className="h-6!" />
      ) : null,
  },
]

const FILTERS = { status: 'all', mine: '' } as const
type Sorting = 'title' | 'status' | 'by' | 'created_at' | ''
const STATUSES = [
  { value: 'all', label: 'all' },
  { value: 'open', label: 'not over yet' },
  { value: 'done', label: 'done' },
  { value: 'failed', label: 'failed' },
  { value: 'cancelled', label: 'cancelled' },
] as const

/** Long work: exports, imports and payments, with their results. */
export default function JobsPane() {
  const view = useListView(FILTERS)
  const admin = currentMe().role === 'admin'
  const status = STATUSES.find((one) => one.value === view.filters.status)?.value ?? 'all'
  const filter = {
    search: view.search,
    status,
    ...(view.filters.mine ? { mine: true } : {}),
    column: (view.sort?.column ?? '') as Sorting,
    order: view.sort?.direction ?? ('asc' as const),
  }
  const rows = source({
    call: 'job.list',
    input: (page, per_page) => ({ ...filter, page, per_page }),
    rows: (answer) => answer.data,
    count: (answer) => answer.count,
  })
  return (
    <ListScreen<Job>
      title="Jobs"
      noun="jobs"
      view={view}
      source={rows}
      pageSize={10}
      columns={columns}
      subjectOf={jobSubject}
      filters={[
        { name: 'status', label: 'Status', options: STATUSES },
        ...(admin
          ? [
              {
                name: 'mine',
                label: 'Of',
                options: [
                  { value: '', label: 'everybody' },
                  { value: '1', label: 'me' },
                ],
              },
            ]
          : []),
      ]}
      actions={['list.export']}
      bulk={['job.cancel', 'job.retry']}
      exportable={{ ...listed('job'), filter }}
      empty={{
        sentence: 'Nothing has been exported yet. Open a list and export it: the file lands here.',
        command: 'go.allProjects',
      }}
    />
  )
}
