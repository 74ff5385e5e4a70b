import { useMemo } from 'react'
import type { Output } from '../../../contract/calls.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import {
  ANSWER_TYPES,
  type AnswerType,
  isChosen,
  QUESTION_TYPES,
  type QuestionType,
  questionFaults,
} from '../../../contract/questionRules.ts'
import { subjectAs } from '../../commands/subject.ts'
import { api } from '../../data/apiClient.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { FormSkeleton } from '../../ui/Skeletons.tsx'
import { ErrorState } from '../../ui/States.tsx'
import { NumberInput, TextArea } from '../../ui/TextInput.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane, usePaneSubject } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { FormField } from '../shared/form/FormField.tsx'
import type { FormRules } from '../shared/form/formRules.ts'
import { RecordForm } from '../shared/form/RecordForm.tsx'
import { useRecordForm } from '../shared/form/useRecordForm.ts'
import { RecordError } from '../shared/RecordError.tsx'

type Survey = Output<'survey.get'>['data']
type Question = Output<'survey.questions'>['data'][number]
interface Values {
  name: string
  answer_type: AnswerType
  /** One answer per line. */
  options: string
  order: string
}
const LABELS = { name: 'Question', answer_type: 'Answer type', options: 'Answers', order: 'Order' } as const
const surveySubject = subjectAs<Survey>('survey')
const typeNamed = (text: string | undefined): QuestionType | null =>
  QUESTION_TYPES.find(({ value }) => value === text)?.value ?? null
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

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
  return <QuestionForm key={`${survey.id} ${type}`} survey={survey} type={type} questions={questions.data.data} />
}

function QuestionForm({ survey, type, questions }: { survey: Survey; type: QuestionType; questions: readonly Question[] }) {
  const { query, go } = usePane()
  const after = questions.find(({ id }) => id === Number(query.after))
  const next = (after?.order ?? questions.reduce((most, { order }) => Math.max(most, order), 0)) + 1
  const ordered = type === 'survey'
  const rules = useMemo<FormRules<Values>>(() => {
    const input = ({ name, answer_type, options, order }: Values) => ({
      survey_id: survey.id,
      name,
      question_type: type,
      answer_type,
      options: isChosen(answer_type) ? linesOf(options) : [],
      ...(ordered && order !== '' ? { order: Number(order) } : {}),
    })
    return {
      schema: async () => (await import('../../../contract/question.ts')).questionCalls['question.create'].input,
      input,
      also: (values) => {
        const { order = null, ...draft } = input(values)
        const { vendor_key: _, ...faults } = questionFaults({ ...draft, order })
        return faults
      },
    }
  }, [survey.id, type, ordered])
  const form = useRecordForm<Values>({
    form: `question.create.${type}`,
    record: survey.id,
    initial: { name: '', answer_type: 'single', options: '', order: ordered ? String(next) : '' },
    labels: LABELS,
    rules,
    noun: 'question',
    another: ({ answer_type, order }) => ({
      name: '',
      answer_type,
      options: '',
      order: ordered ? String(Number(order) + 1) : '',
    }),
    async save({ input, attempt }) {
      const { data } = await api.write('question.create', input as never, { attempt })
      return {
        title: 'Question Created',
        name: data.name,
        leads: href('survey', { id: survey.id }, { tab: 'questions', query: { q: String(data.id) } }),
      }
    },
  })
  const { control, values } = form
  const chosen = isChosen(values.answer_type)
  return (
    <RecordForm
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
      beside={<Preview values={values} />}
      sections={[
        {
          id: 'type',
          title: 'Type',
          fields: [],
          done: true,
          children: (
            <div className="@lg:col-span-2">
              <RadioGroup
                label="Question type"
                value={type}
                onChange={(to) => go(href('newQuestion', { id: survey.id, questionType: to }))}
                options={QUESTION_TYPES}
              />
            </div>
          ),
        },
        {
          id: 'question',
          title: 'Question',
          fields: ['name', 'answer_type', 'options', 'order'],
          children: (
            <>
              <FormField control={control} name="name" label={LABELS.name} required wide>
                {(bound) => <TextArea {...bound} rows={2} maxLength={1000} />}
              </FormField>
              <FormField control={control} name="answer_type" label={LABELS.answer_type} group wide>
                {({ value, onChange }) => <RadioGroup value={value} onChange={onChange} options={ANSWER_TYPES} />}
              </FormField>
              {chosen && (
                <FormField
                  control={control}
                  name="options"
                  label={LABELS.options}
                  required
                  wide
                  hint={
                    <>
                      One per line.<span className="narrow:hidden"> Alt+↑ and Alt+↓ move a line.</span>
                    </>
                  }
                >
                  {(bound) => <Answers {...bound} />}
                </FormField>
              )}
              {ordered && (
                <FormField control={control} name="order" label={LABELS.order} hint="Later questions move down.">
                  {(bound) => <NumberInput {...bound} />}
                </FormField>
              )}
            </>
          ),
        },
      ]}
    />
  )
}

/** A field with one answer per line; Alt and an arrow move the current line. */
function Answers({ value, onChange, onBlur }: { value: string; onChange: (value: string) => void; onBlur: () => void }) {
  return (
    <TextArea
      value={value}
      onChange={onChange}
      onBlur={onBlur}
      rows={6}
      maxLength={60_000}
      onKeyDown={(event) => {
        if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
        event.preventDefault()
        const box = event.currentTarget
        const moved = movedLine(value, box.selectionStart, event.key === 'ArrowUp' ? -1 : 1)
        if (!moved) return
        onChange(moved.text)
        requestAnimationFrame(() => box.setSelectionRange(moved.at, moved.at))
      }}
    />
  )
}

/** Swaps the line at `at` with its neighbour; null at either end. Returns the cursor's place in the moved line. */
function movedLine(text: string, at: number, by: 1 | -1): { text: string; at: number } | null {
  const lines = text.split('\n')
  const line = text.slice(0, at).split('\n').length - 1
  const to = line + by
  if (to < 0 || to >= lines.length) return null
  const within = at - (text.lastIndexOf('\n', at - 1) + 1)
  const moved = lines.toSpliced(line, 1).toSpliced(to, 0, lines[line]!)
  return { text: moved.join('\n'), at: moved.slice(0, to).reduce((sum, one) => sum + one.length + 1, 0) + within }
}

/** Previews the question's chart with one bar per answer. */
function Preview({ values }: { values: Values }) {
  const answers = isChosen(values.answer_type) ? linesOf(values.options) : []
  return (
    <section aria-label="Preview" className="rounded-md border border-line bg-surface px-3 py-2.5">
      <h2 dir="auto" className="break-words font-semibold">
        {values.name.trim() || 'The question'}
      </h2>
      {values.answer_type === 'multiple' && <p className="text-meta text-muted">more than one answer possible</p>}
      {answers.length > 0 ? (
        <ul className="mt-2 flex flex-col gap-1.5">
          {answers.map((answer, at) => (
            <li key={at} className="grid grid-cols-[96px_1fr] items-center gap-2 text-meta">
              <span dir="auto" className="truncate" title={answer}>
                {answer}
              </span>
              <span aria-hidden="true" className="h-2 rounded-sm bg-track" />
            </li>
          ))}
        </ul>
      ) : (
        <p className="mt-1 text-meta text-muted">
          {values.answer_type === 'number'
            ? 'Mean, median and a histogram.'
            : values.answer_type === 'open'
              ? 'A searchable list of what people wrote.'
              : 'One bar per answer.'}
        </p>
      )}
    </section>
  )
}
