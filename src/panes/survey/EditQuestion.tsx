import { field, linesIn } from '../../../contract/fieldKinds.ts'
import { count } from '../../../contract/format.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { questionFields } from '../../../contract/questionFields.ts'
import { type AnswerType, answersFault } from '../../../contract/questionRules.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { useFieldForm } from '../shared/form/useFieldForm.ts'
import { RecordState } from '../shared/RecordState.tsx'
import { answersIn, QuestionForm } from './questionForm.tsx'
import type { Question, Survey } from './surveySubject.ts'

/** The form's fields: also whether answers that were given take a new label. */
const RENAMES = { rename_answers: field.flag('Existing answers', {}) }
const FIELDS = { ...questionFields, ...RENAMES }

/** Pairs each changed label with the one it replaces, by position, as the server does. */
function renamed(before: readonly string[], after: readonly string[]): { from: string; to: string }[] {
  if (before.length !== after.length) return []
  return before.flatMap((from, at) => {
    const to = after[at]!
    return from === to || after.includes(from) || before.includes(to) ? [] : [{ from, to }]
  })
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
  return <EditForm key={id} survey={survey} question={question} />
}

function EditForm({ survey, question }: { survey: Survey; question: Question }) {
  const responses = useCall('runtime.userResponses', { surveyId: survey.id }).data?.data
  const answerCounts = new Map(
    responses?.find(({ question_id }) => question_id === question.id)?.rows.map(({ label, value }) => [label, value] as const) ??
      [],
  )
  const renamesIn = (answers: string) =>
    renamed(question.options, linesIn(answers)).filter(({ from }) => (answerCounts.get(from) ?? 0) > 0)
  const sentence = ({ from }: { from: string }) => {
    const many = answerCounts.get(from) ?? 0
    return `${count(many)} ${many === 1 ? 'answer says' : 'answers say'} "${from}". Rename ${many === 1 ? 'it' : 'them'} too?`
  }
  const form = useFieldForm('question', FIELDS, {
    record: question,
    also({ answer_type, options, rename_answers }): Record<string, string> {
      const wrong = answersFault(answer_type as AnswerType, answersIn({ answer_type, options }))
      const [first] = renamesIn(options)
      return { ...(wrong ? { options: wrong } : {}), ...(first && !rename_answers ? { rename_answers: sentence(first) } : {}) }
    },
    saved: () => ({ leads: href('survey', { id: survey.id }, { tab: 'questions' }) }),
  })
  const renames = answersIn(form.values).length ? renamesIn(form.values.options) : []
  return (
    <QuestionForm
      form={form}
      more={RENAMES}
      title={`Edit ${codeOf('question', question.id)}`}
      aside={
        <p className="truncate text-meta text-muted">
          <bdi>{survey.name}</bdi> · {codeOf('survey', survey.id)}
        </p>
      }
      send="Save question"
      hides={['question_type', ...(renames.length ? [] : ['rename_answers'])]}
      sections={[
        {
          id: 'question',
          title: 'Question',
          fields: ['name', 'answer_type', 'options', 'rename_answers', 'order', 'vendor_key'],
        },
      ]}
      hints={{ rename_answers: renames.map(sentence).join(' ') }}
      controls={{
        rename_answers: ({ value, onChange }) => (
          <RadioGroup
            value={String(value)}
            onChange={onChange}
            options={[
              { value: 'yes', label: 'Rename them too' },
              { value: 'no', label: 'Keep the old label' },
            ]}
          />
        ),
      }}
    />
  )
}
