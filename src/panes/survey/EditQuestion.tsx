import { useRef } from 'react'
import { count } from '../../../contract/format.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import {
  ANSWER_TYPES,
  type AnswerType,
  isChosen,
  optionFaults,
  type QuestionType,
  questionFaults,
} from '../../../contract/questionRules.ts'
import { api } from '../../data/apiClient.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { NumberInput, TextArea, TextInput } from '../../ui/TextInput.tsx'
import { FormField } from '../shared/form/FormField.tsx'
import type { FieldErrors, FormRules } from '../shared/form/formRules.ts'
import { RecordForm } from '../shared/form/RecordForm.tsx'
import { useRecordForm } from '../shared/form/useRecordForm.ts'
import { RecordState } from '../shared/RecordState.tsx'
import type { Question, Survey } from './surveySubject.ts'

interface Values {
  name: string
  answer_type: AnswerType
  /** One answer per line. */
  answers: string
  order: string
  vendor_key: string
  /** Whether given answers take the new label too; empty until chosen. */
  rename: '' | 'yes' | 'no'
  [field: string]: unknown
}
const LABELS = {
  name: 'Question',
  answer_type: 'Answer type',
  answers: 'Answers',
  order: 'Order',
  vendor_key: 'Vendor key',
  rename: 'Existing answers',
} as const

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** Pairs each changed label with the one it replaces, by position, as the server does. */
function renamed(before: readonly string[], after: readonly string[]): { from: string; to: string }[] {
  if (before.length !== after.length) return []
  return before.flatMap((from, at) => {
    const to = after[at]!
    return from === to || after.includes(from) || before.includes(to) ? [] : [{ from, to }]
  })
}

const rulesFor = (question_type: QuestionType): FormRules<Values> => ({
  schema: async () => (await import('../../../contract/question.ts')).QuestionForm,
  input: ({ name, answer_type, answers, order, vendor_key }) => ({
    name,
    question_type,
    answer_type,
    options: isChosen(answer_type) ? linesOf(answers) : [],
    ...(question_type === 'survey' && order.trim() ? { order: Number(order) } : {}),
    vendor_key,
  }),
  fieldOf: (name) => (name === 'options' ? 'answers' : name),
  also({ name, answer_type, answers, order }): FieldErrors<Values> {
    const { options, ...faults } = questionFaults({
      name,
      question_type,
      answer_type,
      options: isChosen(answer_type) ? linesOf(answers) : [],
      order: question_type === 'survey' ? Number(order) : 0,
    })
    return { ...faults, ...(options ? { answers: options } : {}) }
  },
})
const RULES: Readonly<Record<QuestionType, FormRules<Values>>> = {
  survey: rulesFor('survey'),
  profile: rulesFor('profile'),
  reward: rulesFor('reward'),
}

/** Edits one question of a survey. */
export function EditQuestion({ survey, id }: { survey: Survey; id: number }) {
  const answer = useCall('question.get', { id }, { fresh: true })
  const question = answer.data?.data
  if (!question)
    return (
      <RecordState
        answer={answer}
        what={`Question ${id}`}
        home={href('survey', { id: survey.id }, { tab: 'questions' })}
        homeTitle="the survey’s questions"
      />
    )
  return <QuestionForm key={id} survey={survey} question={question} />
}

function QuestionForm({ survey, question }: { survey: Survey; question: Question }) {
  const type = question.question_type
  const initial: Values = {
    name: question.name,
    answer_type: question.answer_type,
    answers: question.options.join('\n'),
    order: question.order ? String(question.order) : '',
    vendor_key: question.vendor_key,
    rename: '',
  }
  const responses = useCall('runtime.userResponses', { surveyId: survey.id }).data?.data
  const answerCounts = new Map(
    responses?.find(({ question_id }) => question_id === question.id)?.rows.map(({ label, value }) => [label, value] as const) ??
      [],
  )
  const renamesWithAnswers = (answers: string) =>
    renamed(question.options, linesOf(answers)).filter(({ from }) => (answerCounts.get(from) ?? 0) > 0)
  const sentence = ({ from }: { from: string }) => {
    const many = answerCounts.get(from) ?? 0
    return `${count(many)} ${many === 1 ? 'answer says' : 'answers say'} "${from}". Rename ${many === 1 ? 'it' : 'them'} too?`
  }
  const form = useRecordForm<Values>({
    form: 'question.edit',
    record: question.id,
    initial,
    lock: question.lock_version,
    labels: LABELS,
    rules: RULES[type],
    also: ({ answers, rename }): Record<string, string> => {
      const [first] = renamesWithAnswers(answers)
      return first && !rename ? { rename: sentence(first) } : {}
    },
    noun: 'question',
    theirs: (record) => ({
      ...initial,
      name: String(record.name),
      answer_type: record.answer_type as AnswerType,
      answers: (record.options as string[]).join('\n'),
      order: String(record.order || ''),
      vendor_key: String(record.vendor_key),
    }),
    async save({ patch, lock, values }) {
      const { data, message } = await api.write('question.edit', {
        id: question.id,
        ...patch,
        ...(values.rename ? { rename_answers: values.rename === 'yes' } : {}),
        ...(lock === undefined ? {} : { lock_version: lock }),
      })
      return {
        title: message,
        name: data.name,
        lock: data.lock_version,
        leads: href('survey', { id: survey.id }, { tab: 'questions' }),
      }
    },
  })
  const { values, control } = form
  const chosen = isChosen(values.answer_type)
  const renames = renamesWithAnswers(values.answers)
  return (
    <RecordForm
      form={form}
      title={`Edit ${codeOf('question', question.id)}`}
      aside={
        <p className="truncate text-meta text-muted">
          <bdi>{survey.name}</bdi> · {codeOf('survey', survey.id)}
        </p>
      }
      send="Save question"
      beside={<Preview values={values} />}
      sections={[
        {
          id: 'question',
          title: 'Question',
          fields: ['name', 'answer_type', 'answers', 'rename', 'order', 'vendor_key'],
          children: (
            <>
              <FormField control={control} name="name" label={LABELS.name} required wide>
                {(bound) => <TextArea {...bound} rows={2} />}
              </FormField>
              <FormField control={control} name="answer_type" label={LABELS.answer_type} group wide>
                {(bound) => <RadioGroup {...bound} options={ANSWER_TYPES} />}
              </FormField>
              {chosen && (
                <FormField
                  control={control}
                  name="answers"
                  label={LABELS.answers}
                  required
                  hint={
                    <>
                      One per line.<span className="narrow:hidden"> Alt+↑ and Alt+↓ move a line.</span>
                    </>
                  }
                  wide
                >
                  {(bound) => <AnswerLines {...bound} />}
                </FormField>
              )}
              {chosen && renames.length > 0 && (
                <FormField
                  control={control}
                  name="rename"
                  label={LABELS.rename}
                  group
                  wide
                  hint={renames.map(sentence).join(' ')}
                >
                  {(bound) => (
                    <RadioGroup
                      {...bound}
                      options={[
                        { value: 'yes', label: 'Rename them too' },
                        { value: 'no', label: 'Keep the old label' },
                      ]}
                    />
                  )}
                </FormField>
              )}
              {type === 'survey' && (
                <FormField
                  control={control}
                  name="order"
                  label={LABELS.order}
                  required
                  hint="Its position among the survey questions. Later questions move down."
                >
                  {(bound) => <NumberInput {...bound} />}
                </FormField>
              )}
              <FormField
                control={control}
                name="vendor_key"
                label={LABELS.vendor_key}
                hint="The vendor’s name for it, which a refresh matches."
              >
                {(bound) => <TextInput {...bound} autoComplete="off" className="font-mono" />}
              </FormField>
            </>
          ),
        },
      ]}
    />
  )
}

/** Answers, one per line, with errors below; Alt and an arrow move the current line. */
function AnswerLines({ value, onChange, onBlur }: { value: string; onChange(value: string): void; onBlur(): void }) {
  const box = useRef<HTMLTextAreaElement>(null)
  const lines = linesOf(value)
  const faults = [...optionFaults(lines)]
  const move = (by: 1 | -1) => {
    const area = box.current
    if (!area) return
    const all = value.split('\n')
    const at = value.slice(0, area.selectionStart).split('\n').length - 1
    const to = at + by
    if (to < 0 || to >= all.length) return
    const [line] = all.splice(at, 1)
    all.splice(to, 0, line!)
    onChange(all.join('\n'))
    const place = all.slice(0, to).join('\n').length + (to ? 1 : 0)
    requestAnimationFrame(() => area.setSelectionRange(place, place))
  }
  return (
    <>
      <TextArea
        ref={box}
        value={value}
        onChange={onChange}
        onBlur={onBlur}
        rows={5}
        placeholder={'Yes\nNo'}
        onKeyDown={(event) => {
          if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
          event.preventDefault()
          event.stopPropagation()
          move(event.key === 'ArrowUp' ? -1 : 1)
        }}
      />
      {faults.length > 0 && (
        <ul className="mt-1 text-meta text-red-ink">
          {faults.map(([at, fault]) => (
            <li key={at}>
              Line {at + 1}: {fault}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** Previews the question's chart with one bar per answer. */
function Preview({ values }: { values: Values }) {
  const options = isChosen(values.answer_type) ? linesOf(values.answers) : []
  const words = { number: 'A number, shown as a distribution.', open: 'Open answers, shown as a searchable list.' }
  return (
    <section aria-label="Preview of the chart" className="rounded-md border border-line px-3 py-2.5">
      <h2 className="text-meta font-medium text-muted">Preview of the chart</h2>
      <p className="mt-1 font-medium">
        <bdi>{values.name.trim() || MESSAGES.surveyQuestionName.replace(/ cannot be blank$/, '')}</bdi>
      </p>
      {!isChosen(values.answer_type) && <p className="text-muted">{words[values.answer_type as 'number' | 'open']}</p>}
      <ul className="mt-1.5 flex flex-col gap-1.5">
        {options.slice(0, 12).map((option, at) => (
          <li key={at}>
            <bdi className="block truncate text-meta">{option}</bdi>
            <span className="block h-2 rounded-sm bg-accent" style={{ width: `${Math.max(8, 100 - at * 14)}%` }} />
          </li>
        ))}
      </ul>
      {options.length > 12 && <p className="mt-1 text-meta text-muted">+ {options.length - 12}</p>}
    </section>
  )
}
