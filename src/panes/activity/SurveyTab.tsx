import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Output } from '../../../contract/calls.ts'
import { count } from '../../../contract/format.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { surveyFields } from '../../../contract/surveyFields.ts'
import { type Subject, subjectAs } from '../../commands/subject.ts'
import { AnswerState } from '../../data/AnswerState.tsx'
import { moment } from '../../data/format.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { toast } from '../../runner/toast.tsx'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { WebLink } from '../../ui/WebLink.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import type { Activity, ActivityTabProps } from './activitySubject.ts'

const surveySubject = subjectAs<NonNullable<Output<'survey.ofActivity'>['data']>>('survey')
/** The number of questions in the tab. */
const FIRST = 5

/** Shows the survey that an activity's responses are counted by. */
export function SurveyTab({ activity, subject }: ActivityTabProps) {
  if (activity.activity_type !== 'survey')
    return (
      <EmptyState action={<CommandButton id="activity.linkSurvey" subjects={[subject]} />}>
        This activity has no survey.
      </EmptyState>
    )
  if (!activity.survey_id)
    return (
      <EmptyState
        action={
          <span className="flex flex-wrap justify-center gap-1.5">
            <CommandButton id="activity.linkSurvey" subjects={[subject]} variant="primary" />
            <CommandButton id="survey.create" />
          </span>
        }
      >
        No survey linked.
      </EmptyState>
    )
  return <Linked activity={activity} subject={subject} surveyId={activity.survey_id} />
}

function Linked({ activity, subject, surveyId }: { activity: Activity; subject: Subject; surveyId: number }) {
  const answer = useCall('survey.ofActivity', { id: activity.id })
  const survey = answer.data?.data
  const questions = useCall('survey.questions', { id: surveyId, type: 'survey' }, { fresh: true })
  const profile = useCall('survey.questions', { id: surveyId, type: 'profile' }, { fresh: true }).data?.count
  const reward = useCall('survey.questions', { id: surveyId, type: 'reward' }, { fresh: true }).data?.count
  const byType = [
    [questions.data?.count, 'survey'],
    [profile, 'profile'],
    [reward, 'reward'],
  ] as const
  const all = href('survey', { id: surveyId }, { tab: 'questions' })
  return (
    <section aria-label="Survey" className="max-w-4xl pt-3 pb-8">
      <AnswerState answer={answer} what="The survey" rows={6} />
      {survey && (
        <>
          <div className="flex flex-wrap gap-1.5 px-4 pb-3">
            <CommandButton id="activity.linkSurvey" subjects={[subject]} />
            <CommandButton id="activity.unlinkSurvey" subjects={[subject]} />
            <CommandButton id="survey.refresh" subjects={[surveySubject(survey)]} />
          </div>
          <dl className="divide-y divide-line border-y border-line">
            <Row label="Survey">
              <PaneLink
                to={href('survey', { id: survey.id }, { tab: 'details' })}
                className="font-medium hover:text-accent-ink hover:underline"
              >
                <bdi>{survey.name}</bdi>
              </PaneLink>{' '}
              <span className="font-mono text-meta text-muted">{codeOf('survey', survey.id)}</span>
            </Row>
            <Row label={surveyFields.survey_link.label}>
              {survey.survey_link ? (
                <>
                  <span className="flex items-center gap-2">
                    <WebLink url={survey.survey_link} className="min-w-0 break-all" />
                    <CopyLink text={survey.survey_link} />
                  </span>
                  {activity.url && activity.url !== survey.survey_link && (
                    <span className="block text-meta text-muted">
                      {'The activity has a link of its own: '}
                      <WebLink url={activity.url} className="break-all" />
                    </span>
                  )}
                </>
              ) : (
                <span className="text-faint">–</span>
              )}
            </Row>
            <Row label="Vendor">
              {!survey.survey_vendor && !survey.vendor_survey_id && <span className="text-faint">–</span>}
              <bdi>{survey.survey_vendor}</bdi>
              {survey.survey_vendor && survey.vendor_survey_id && ' · '}
              <bdi>{survey.vendor_survey_id}</bdi>
            </Row>
            <Row label="Questions">
              {byType.every(([many]) => many === undefined)
                ? count(survey.questions_count)
                : byType.map(([many = 0, type]) => `${count(many)} ${type}`).join(', ')}
            </Row>
            <Row label="Last refresh">
              {survey.refreshed_at ? (
                <time dateTime={survey.refreshed_at} title={moment(survey.refreshed_at, 'full')}>
                  {moment(survey.refreshed_at)}
                </time>
              ) : (
                <span className="text-faint">never</span>
              )}
            </Row>
            <Row label="Responses">
              {activity.completes === 1 ? '1 complete' : `${count(activity.completes)} completes`} of {count(activity.responses)}{' '}
              {activity.responses === 1 ? 'entrant' : 'entrants'}
            </Row>
            <Row label="Fraud flags">{count(activity.fraud_flags ?? 0)}</Row>
          </dl>
          <h2 className="px-4 pt-5 text-meta font-medium text-muted">First questions</h2>
          <AnswerState
            answer={questions}
            what="The questions"
            rows={3}
            empty={<EmptyState className="items-start! px-4! py-3! text-left!">No questions yet.</EmptyState>}
          />
          {questions.data && questions.data.count > 0 && (
            <>
              <ol className="px-4 pt-1">
                {questions.data.data.slice(0, FIRST).map((question, at) => (
                  <li key={question.id} className="flex gap-3 py-1">
                    <span className="w-5 shrink-0 text-right text-muted tabular-nums">{at + 1}</span>
                    <bdi className="min-w-0">{question.name}</bdi>
                  </li>
                ))}
              </ol>
              <PaneLink to={all} className="mx-4 mt-1 inline-block rounded-sm text-accent-ink hover:underline">
                All questions
              </PaneLink>
            </>
          )}
        </>
      )}
    </section>
  )
}

const Row = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="grid min-h-9 grid-cols-1 items-baseline gap-x-4 px-4 py-1.5 @md:grid-cols-[160px_minmax(0,1fr)]">
    <dt className="text-meta text-muted @md:text-body">{label}</dt>
    <dd className="min-w-0 break-words">{children}</dd>
  </div>
)

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
