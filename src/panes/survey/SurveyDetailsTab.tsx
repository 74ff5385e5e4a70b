import { Copy } from 'lucide-react'
import { useEffect, useReducer, useSyncExternalStore } from 'react'
import { decimal } from '../../../contract/decimals.ts'
import { count, counted } from '../../../contract/format.ts'
import { leftOpenNote } from '../../../contract/interview.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { projectFields } from '../../../contract/projectFields.ts'
import { surveyFields } from '../../../contract/surveyFields.ts'
import { answerOf, isReached, linkCheckOf, onLinkCheck } from '../../commands/linkChecks.ts'
import { moment } from '../../data/format.ts'
import { serverTime } from '../../data/serverClock.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { toast } from '../../runner/toast.tsx'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { WebLink } from '../../ui/WebLink.tsx'
import { type EditRow, EditRows, fieldRows } from '../shared/EditRows.tsx'
import { type LinkedProject, linksApart, OtherLinks } from '../shared/OtherLinks.tsx'
import { RunningProject } from '../shared/RunningProject.tsx'
import { useRunningProject } from '../shared/useRunningProject.ts'
import { type Survey, type SurveyTabProps, surveyEdit } from './surveySubject.ts'

const Time = ({ at }: { at: string }) => (
  <time dateTime={at} title={moment(at, 'full')}>
    {moment(at)}
  </time>
)

/** The fields in its rows; a file and an activity are chosen elsewhere. */
const { source_file_id: _file, activity_id: _activity, ...DETAILS } = surveyFields

function rowsOf(survey: Survey, project: LinkedProject | undefined): EditRow<Survey>[] {
  const { project_id, activity_id } = survey
  return [
    ...fieldRows(DETAILS, survey, surveyEdit, {
      ...(survey.survey_link
        ? {
            survey_link: {
              shown: (
                <span className="flex flex-wrap items-center gap-x-2">
                  <WebLink url={survey.survey_link} className="min-w-0 break-all" />
                  <CopyLink text={survey.survey_link} />
                  <Checked survey={survey} />
                  {project && (
                    <OtherLinks links={linksApart(project, survey.survey_link, { activity: activity_id, survey: survey.id })} />
                  )}
                </span>
              ),
            },
          }
        : {}),
      ...(survey.own_questions
        ? {
            questions_count: {
              shown: `${count(survey.own_questions)}, counted`,
              to: href('survey', { id: survey.id }, { tab: 'questions' }),
            },
          }
        : {}),
    }),
    {
      id: 'activity',
      label: 'Activity',
      shown: activity_id === null ? '' : <bdi>{survey.activity_name}</bdi>,
      ...(activity_id === null ? {} : { to: href('activity', { id: activity_id }, { tab: 'survey' }) }),
    },
    {
      id: 'project',
      label: 'Project',
      shown: (
        <>
          <bdi>{survey.project_name}</bdi> · {codeOf('project', project_id)}
        </>
      ),
      to: href('project', { id: project_id }, { tab: 'overview' }),
    },
    {
      id: 'completes',
      label: 'Responses',
      shown: `${count(survey.completes)} ${survey.completes === 1 ? 'complete' : 'completes'} of ${count(survey.responses)} ${survey.responses === 1 ? 'entrant' : 'entrants'}`,
      to: href('project', { id: project_id }, { tab: 'userResponses' }),
    },
    { id: 'source', label: 'Source file', shown: survey.source_file_id === null ? '' : <bdi>{survey.source_file_name}</bdi> },
    { id: 'refreshed', label: 'Last refresh', shown: survey.refreshed_at && <Time at={survey.refreshed_at} /> },
    { id: 'created', label: 'Created', shown: <Time at={survey.created_at} /> },
    { id: 'changed', label: 'Last change', shown: <Time at={survey.updated_at} /> },
  ]
}

/** Shows a survey's link, vendor, activity and source, edited in place row by row. */
export function DetailsTab({ survey, subject }: SurveyTabProps) {
  const running = useRunningProject<null>(survey.project_id, () => [])
  // The expected length is the project's; the median comes from the survey's own responses.
  const project = useCall('project.get', { id: survey.project_id }).data?.data
  const length = project?.loi_minutes
  const timed = useCall('survey.length', { id: survey.id }).data?.data
  const rows = rowsOf(survey, project)
  if (timed) {
    const { median_seconds: seconds } = timed
    rows.splice(8, 0, { id: 'median', label: 'Median length', shown: seconds === null ? '' : lengthText(seconds, timed) })
  }
  if (length) rows.splice(8, 0, { id: 'length', label: projectFields.loi_minutes.short, shown: `${count(length)} min` })
  return (
    <section aria-label="Details" className="max-w-4xl pt-2 pb-8">
      <div className="mx-4 mb-2 empty:hidden">
        <RunningProject running={running} change={null} />
      </div>
      <EditRows label="Details" record={survey} rows={rows} />
      <div className="flex flex-wrap gap-1.5 border-t border-line px-4 pt-3">
        <CommandButton id="survey.attachSource" subjects={[subject]} />
        <CommandButton id="survey.checkLink" subjects={[subject]} />
        <CommandButton id="survey.refresh" subjects={[subject]} />
        <CommandButton id="survey.link" subjects={[subject]} />
        <CommandButton id="survey.cloneProject" subjects={[subject]} />
        <CommandButton id="survey.remove" subjects={[subject]} variant="danger" />
      </div>
    </section>
  )
}

/** Formats "12.5 min, of 3,604 completes with a start time". */
const lengthText = (seconds: number, { timed, left_open }: { timed: number; left_open: number }): string =>
  `${decimal(seconds / 60, 1)} min, of ${counted(timed, 'complete')} with a start time${leftOpenNote(left_open)}`

/** The result of the last link check: "answers 200, checked 2 min ago". */
function Checked({ survey: { id, survey_link } }: { survey: Survey }) {
  const check = useSyncExternalStore(onLinkCheck, () => linkCheckOf(id, survey_link))
  const [, redraw] = useReducer((drawn: number) => drawn + 1, 0)
  useEffect(() => {
    const timer = check ? setInterval(redraw, 30_000) : undefined
    return () => clearInterval(timer)
  }, [check])
  if (!check) return null
  const minutes = Math.max(0, Math.floor((serverTime().getTime() - Date.parse(check.at)) / 60_000))
  return (
    <span className={cx('text-meta', isReached(check) ? 'text-muted' : 'text-red-ink')}>
      {answerOf(check)}, checked{' '}
      <time dateTime={check.at} title={moment(check.at, 'full')}>
        {minutes === 0 ? 'just now' : minutes < 60 ? `${minutes} min ago` : moment(check.at)}
      </time>
    </span>
  )
}

function CopyLink({ text }: { text: string }) {
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => void toast('Link copied', { tone: 'good' }),
      () => void toast('Your browser blocked copying the link.', { tone: 'bad' }),
    )
  return (
    <Button data-view="" variant="ghost" aria-label="Copy the survey link" onClick={() => void copy()}>
      <Copy size={14} aria-hidden="true" />
    </Button>
  )
}
