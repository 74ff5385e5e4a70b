import { useEffect, useMemo, useRef } from 'react'
import { count, counted } from '../../../contract/format.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { CommandMenu } from '../../runner/CommandMenu.tsx'
import { cx } from '../../ui/cx.ts'
import { Mark, Pill } from '../../ui/Pill.tsx'
import { Progress } from '../../ui/Progress.tsx'
import { MainAction } from '../../workspace/MainAction.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { isGone } from '../shared/RecordGone.tsx'
import { RecordState } from '../shared/RecordState.tsx'
import { FileColumns } from './FileColumns.tsx'
import { fileSubject, type LocationFile } from './fileSubject.ts'
import { LocationResult } from './LocationResult.tsx'

const STEPS = ['Columns', 'Import', 'Result'] as const
const LOOKS = {
  checked: ['grey', 'Columns'],
  running: ['blue', 'Running'],
  done: ['green', 'Done'],
  undone: ['grey', 'Undone'],
  failed: ['red', 'Failed'],
} as const

/** The path of a reward upload, which has its own screen. */
const uploadPath = (project: number, id: number) =>
  href('project', { id: project }, { tab: 'rewardUpload', query: { upload: id } })

/** Returns the index of a file's current step. */
const stepOf = ({ status, created, reused }: LocationFile): number =>
  status === 'checked' || (status === 'failed' && created + reused === 0) ? 0 : status === 'running' ? 1 : 2

/** Imports a location file into a group: columns, progress, result. Reward uploads open on their project's screen. */
export default function LocationFilePane({ params }: PaneProps) {
  const { setSubject, replace } = usePane()
  const id = Number(params.id)
  const answer = useCall('import.get', { id }, { fresh: true })
  const file = answer.data?.data
  const elsewhere = file?.kind === 'reward' ? uploadPath(file.project_id!, id) : null
  const subject = useMemo(() => (file && !elsewhere ? fileSubject(file) : null), [file, elsewhere])
  useEffect(() => setSubject(subject), [subject, setSubject])
  useEffect(() => {
    if (elsewhere) replace(elsewhere)
  }, [elsewhere, replace])
  const home = href('clientGroups')
  const failed = answer.error && (!file || isGone(answer.error))
  if (failed || !file || !subject) {
    const state = failed ? answer : { ...answer, error: undefined, loading: true }
    return <RecordState answer={state} what={`Import ${id}`} home={home} homeTitle="location groups" />
  }
  const step = stepOf(file)
  const [tone, word] = LOOKS[file.status]
  return (
    <div className="@container flex h-full min-h-0 flex-col">
      <header className="shrink-0 border-b border-line px-4 pt-3 pb-2">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 narrow:*:order-3">
          <h1
            dir="auto"
            className="min-w-0 truncate text-head @max-md:text-wrap narrow:order-1! narrow:flex-1 narrow:basis-[calc(100%-3.5rem)]"
          >
            {file.name}
          </h1>
          <Pill tone={tone}>{word}</Pill>
          <PaneLink
            to={href('client', { id: file.client_id! }, { tab: 'groups' })}
            className="min-w-0 truncate rounded-sm text-muted hover:text-accent-ink hover:underline"
          >
            <bdi>{file.client_name}</bdi>
          </PaneLink>
          <span className="ml-auto flex gap-1.5 narrow:order-2! narrow:short:order-4!">
            {file.allowed_actions.includes('import.show') && (
              <MainAction>
                <CommandButton id="import.show" subjects={[subject]} variant="primary" />
              </MainAction>
            )}
            <CommandMenu subjects={[subject]} label={file.name} />
          </span>
        </div>
        <div className="mt-1.5 flex flex-wrap items-center gap-x-4 gap-y-1 text-meta text-muted">
          <ol aria-label="Steps" className="flex items-center gap-1.5">
            {STEPS.map((title, at) => (
              <li
                key={title}
                aria-current={at === step ? 'step' : undefined}
                className={cx('flex items-center gap-1.5', at === step ? 'font-medium text-ink' : at > step && 'text-faint')}
              >
                {at > 0 && <span aria-hidden="true" className="mr-1 h-px w-4 bg-line" />}
                {at < step ? <Mark shape="tick" className="text-green-ink" /> : <span className="tabular-nums">{at + 1}</span>}
                {title}
              </li>
            ))}
          </ol>
          <span className="min-w-0 truncate">
            <bdi>{file.file_name}</bdi> · {counted(file.rows, 'row')}
            {file.activity_name && (
              <>
                {' · for '}
                <bdi>{file.activity_name}</bdi>
              </>
            )}
            {file.project_name && (
              <>
                {' · '}
                <bdi>{file.project_name}</bdi>
              </>
            )}
          </span>
        </div>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {step === 0 && <FileColumns key={file.id} file={file} />}
        {step === 1 && <Running file={file} />}
        {step === 2 && <LocationResult file={file} subject={subject} />}
      </div>
    </div>
  )
}

/** Step 2: progress, speed, and the lines rejected so far. */
function Running({ file }: { file: LocationFile }) {
  const processed = Math.max(file.done, file.created + file.reused + file.repeated + file.failed)
  const since = useRef({ at: performance.now(), done: processed })
  const seconds = (performance.now() - since.current.at) / 1000
  const rate = seconds > 0.5 && processed > since.current.done ? Math.round((processed - since.current.done) / seconds) : null
  const job = useMemo(() => ({ kind: 'job' as const, id: file.job_id!, name: file.name }), [file.job_id, file.name])
  return (
    <section aria-label="Import" className="max-w-2xl px-4 pt-4">
      <div className="flex items-center gap-3">
        <Progress
          value={file.rows ? processed / file.rows : null}
          label={`Importing “${file.name}”`}
          showValue
          className="flex-1"
        />
        {file.job_id !== null && <CommandButton id="job.cancel" subjects={[job]} />}
      </div>
      <p className="mt-2 text-muted tabular-nums">
        {count(processed)} of {counted(file.rows, 'row')}
        {rate !== null && ` · ${count(rate)} a second`}
        {` · ${counted(file.failed, 'error')} so far`}
      </p>
      <p className="mt-1 text-meta text-faint">You can leave this screen. Cancelling discards everything.</p>
    </section>
  )
}
