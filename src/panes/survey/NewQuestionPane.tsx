import { useMemo } from 'react'
import type { Output } from '../../../contract/calls.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { questionFields } from '../../../contract/questionFields.ts'
import { type AnswerType, answersFault, QUESTION_TYPES, type QuestionType } from '../../../contract/questionRules.ts'
import { subjectAs } from '../../commands/subject.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { FormSkeleton } from '../../ui/Skeletons.tsx'
import { ErrorState } from '../../ui/States.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane, usePaneSubject } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { useFieldForm } from '../shared/form/useFieldForm.ts'
import { RecordError } from '../shared/RecordError.tsx'
import { answersIn, QuestionForm } from './questionForm.tsx'

type Survey = Output<'survey.get'>['data']
type Question = Output<'survey.questions'>['data'][number]
const surveySubject = subjectAs<Survey>('survey')
const typeNamed = (text: string | undefined): QuestionType | null =>
  QUESTION_TYPES.find(({ value }) => value === text)?.value ?? null
/** Adds a question to a survey (screens-projects, New question). */
export default function NewQuestionPane({ params }: PaneProps) {
  const id = Number(params.id)
  const type = typeNamed(params.questionType)
  const { data, error, loading, retry } = useCall('survey.get', { id }, { fresh: true })
  const questions = useCall('survey.questions', type ? { id, type } : null, { fresh: true })
  const survey = data?.data
  const subject = useMemo(() => (survey ? surveySubject(survey) : null), [survey])
  usePaneSubject(subject)
  if (error && !survey)
    return <RecordError error={error} retry={retry} what={`Survey ${id}`} home={href('surveys')} homeTitle="all surveys" />
  if (loading || !survey) return <FormSkeleton />
  if (!type)
    return (
      <ErrorState
        title="There are survey, profile and reward questions."
        action={
          <span className="flex flex-wrap gap-3">
            {QUESTION_TYPES.map(({ value, label }) => (
              <PaneLink key={value} to={href('newQuestion', { id, questionType: value })} className="text-accent-ink underline">
                New {label.toLowerCase()} question
              </PaneLink>
            ))}
          </span>
        }
      >
        “{params.questionType}” isn’t one of them.
      </ErrorState>
    )
  if (!questions.data) return <FormSkeleton />
  return <NewForm key={`${survey.id} ${type}`} survey={survey} type={type} questions={questions.data.data} />
}

function NewForm({ survey, type, questions }: { survey: Survey; type: QuestionType; questions: readonly Question[] }) {
  const { query, go } = usePane()
  const after = questions.find(({ id }) => id === Number(query.after))
  const next = (after?.order ?? questions.reduce((most, { order }) => Math.max(most, order), 0)) + 1
  const ordered = type === 'survey'
  const initial = useMemo(
    () => ({ question_type: type, answer_type: 'single', order: ordered ? String(next) : '' }),
    [type, ordered, next],
  )
  const form = useFieldForm('question', questionFields, {
    form: `question.create.${type}`,
    of: survey.id,
    initial,
    more: { survey_id: survey.id },
    also({ answer_type, options }): Record<string, string> {
      const wrong = answersFault(answer_type as AnswerType, answersIn({ answer_type, options }))
      return wrong ? { options: wrong } : {}
    },
    another: (values) => ({
      ...values,
      ...{ name: '', options: '', vendor_key: '' },
      order: ordered ? String(Number(values.order) + 1) : '',
    }),
    saved: ({ data }) => ({ leads: href('survey', { id: survey.id }, { tab: 'questions', query: { q: data.id } }) }),
  })
  return (
    <QuestionForm
      form={form}
      title={`New question of ${survey.name}`}
      aside={
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-meta text-muted">
          <span className="font-mono">{codeOf('survey', survey.id)}</span>
          {after && <span>after “{after.name}”</span>}
          <PaneLink to={href('survey', { id: survey.id }, { tab: 'questions' })} className="text-accent-ink hover:underline">
            Questions
          </PaneLink>
        </p>
      }
      send="Create question"
      sections={[
        { id: 'type', title: 'Type', fields: ['question_type'], done: true },
        { id: 'question', title: 'Question', fields: ['name', 'answer_type', 'options', 'order'] },
      ]}
      controls={{
        // Each type has a form and a draft of its own.
        question_type: () => (
          <RadioGroup
            value={type}
            onChange={(to) => go(href('newQuestion', { id: survey.id, questionType: to }))}
            options={QUESTION_TYPES}
          />
        ),
      }}
    />
  )
}
