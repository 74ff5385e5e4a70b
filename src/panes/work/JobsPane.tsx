import { stripBidi } from '../../../contract/bidi.ts'
import { count, fileSize } from '../../../contract/format.ts'
import { subjectAs } from '../../commands/subject.ts'
import { useMay } from '../../data/permissions.ts'
import { ListScreen } from '../../list/ListScreen.tsx'
import { columnsOf, type Looks, type RowOf } from '../../list/nounColumns.tsx'
import { useNounList } from '../../list/useNounList.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import type { Column } from '../../ui/grid/columns.ts'
import { Progress } from '../../ui/Progress.tsx'

type Job = RowOf<'job'>

const LOOKS: Looks<Job['status']> = {
  queued: ['grey', 'ring'],
  running: ['blue', 'dot'],
  done: ['green', 'tick'],
  failed: ['red', 'cross'],
  cancelled: ['grey', 'cross'],
}

/** Converts a job to a command subject. */
const jobSubject = subjectAs<Job>('job', (job) => job.title)

/** Describes what a job produced, or why it failed. */
function resultOf(job: Job): string {
  if (job.error) return job.error
  const { rows, size, file_name, sent, returned, rejected } = job.result
  if (file_name)
    return [file_name, rows !== undefined && `${count(Number(rows))} rows`, size !== undefined && fileSize(Number(size))]
      .filter(Boolean)
      .join(' · ')
  if (sent !== undefined)
    return `${count(Number(sent))} sent, ${count(Number(returned ?? 0))} back to pending, ${count(Number(rejected ?? 0))} rejected`
  return job.status === 'done' ? 'Done' : ''
}

const share = (job: Job) => (job.status === 'done' ? 1 : job.total ? job.done / job.total : null)

const columns: readonly Column<Job>[] = [
  ...columnsOf('job', {
    title: {
      min: 180,
      flex: 2,
      priority: 9,
      render: (job) => <span className="truncate font-medium">{stripBidi(job.title)}</span>,
    },
    status: { width: 112, priority: 8, narrow: 'aside', looks: LOOKS },
    progress: {
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
    result: {
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
    by: {
      width: 144,
      priority: 2,
      narrow: 'hidden',
      render: (job) => <span className="truncate text-muted">{job.created_by_name || 'Fieldwork'}</span>,
    },
    created_at: { width: 128, priority: 4, narrow: 'meta' },
  }),
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
const STATUSES = [
  { value: 'all', label: 'all' },
  { value: 'open', label: 'unfinished' },
  { value: 'done', label: 'done' },
  { value: 'failed', label: 'failed' },
  { value: 'cancelled', label: 'cancelled' },
] as const

/** Lists exports, imports and payments with their progress and results. */
export default function JobsPane() {
  const list = useNounList('job', {
    filters: FILTERS,
    where: ({ status, mine }) => ({
      status: STATUSES.find((one) => one.value === status)?.value ?? 'all',
      ...(mine ? { mine: true } : {}),
    }),
  })
  const seesOthers = useMay('job.ofEverybody')
  return (
    <ListScreen<Job>
      {...list}
      title="Jobs"
      columns={columns}
      subjectOf={jobSubject}
      filters={[
        { name: 'status', label: 'Status', options: STATUSES },
        ...(seesOthers
          ? [
              {
                name: 'mine',
                label: 'Owner',
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
      empty={{
        sentence: 'No exports yet. Export a list and its file appears here.',
        command: 'go.allProjects',
      }}
    />
  )
}
