import { useMemo } from 'react'
import type { Output } from '../../../contract/calls.ts'
import type { ValuesOf } from '../../../contract/fieldKinds.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { surveyFields } from '../../../contract/surveyFields.ts'
import { subjectAs } from '../../commands/subject.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { FormSkeleton } from '../../ui/Skeletons.tsx'
import { NumberInput } from '../../ui/TextInput.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePaneSubject } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { FieldForm } from '../shared/form/FieldForm.tsx'
import { useFieldForm } from '../shared/form/useFieldForm.ts'
import { recordHref } from '../shared/projectSubject.ts'
import { RecordError } from '../shared/RecordError.tsx'
import { RunningProject } from '../shared/RunningProject.tsx'
import { useRunningProject } from '../shared/useRunningProject.ts'

type Survey = Output<'survey.get'>['data']
type Values = ValuesOf<typeof surveyFields>
const { needed: _, ...count } = surveyFields.questions_count
/** The fields of a survey whose questions are counted. */
const COUNTED = { ...surveyFields, questions_count: { ...count, hint: 'Counted from its questions.' } }
const surveySubject = subjectAs<Survey>('survey')

/** Edits all fields of a survey at once (screens-projects, Edit survey). */
export default function EditSurveyPane({ params }: PaneProps) {
  const id = Number(params.id)
  const { data, error, loading, retry } = useCall('survey.get', { id }, { fresh: true })
  const survey = data?.data
  const subject = useMemo(() => (survey ? surveySubject(survey) : null), [survey])
  usePaneSubject(subject)
  if (error && !survey)
    return <RecordError error={error} retry={retry} what={`Survey ${id}`} home={href('surveys')} homeTitle="all surveys" />
  if (loading || !survey) return <FormSkeleton />
  return <SurveyForm key={survey.id} survey={survey} />
}

/** Describes what a survey change does to a running project, one sentence per effect. */
function effectsOf(survey: Survey, change: Partial<Values>): string[] {
  const lines = [
    ...(change.survey_link === undefined ? [] : ['People who start from now on get the new link.']),
    ...(change.activity_id === undefined ? [] : [`${survey.name} counts for another activity from now on.`]),
  ]
  return lines.length ? lines : ['Participants see no change.']
}

function SurveyForm({ survey }: { survey: Survey }) {
  const running = useRunningProject<Partial<Values>>(survey.project_id, (change) => effectsOf(survey, change))
  const activities = (useCall('activity.ofProject', { id: survey.project_id, per_page: 500 }).data?.data ?? [])
    .filter(({ activity_type }) => activity_type === 'survey')
    .map(({ id, name, survey_id }) => ({
      value: String(id),
      label: survey_id !== null && survey_id !== survey.id ? `${name} (has ${codeOf('survey', survey_id)})` : name,
    }))
  const fields = survey.own_questions ? COUNTED : surveyFields
  const form = useFieldForm('survey', fields, {
    record: survey,
    // The option says which survey it replaces.
    sends: (input) => (input.activity_id ? { ...input, replace: true } : input),
    review: (values, changed) => running.review(Object.fromEntries(changed.map((name) => [name, values[name]]))),
    shown: (name, value) => (name === 'activity_id' ? activities.find((one) => one.value === value)?.label : undefined),
    saved: ({ data }) => ({ leads: href('survey', { id: data.id }, { tab: 'details' }) }),
  })
  const change = form.dirty ? Object.fromEntries(form.changed.map((name) => [name, form.values[name]])) : null
  return (
    <FieldForm
      form={form}
      fields={fields}
      title={`Edit ${survey.name}`}
      aside={
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-meta text-muted">
          <span className="font-mono">{codeOf('survey', survey.id)}</span>
          <PaneLink to={recordHref('project', survey.project_id)} className="text-accent-ink hover:underline">
            {survey.project_name}
          </PaneLink>
          <PaneLink to={href('survey', { id: survey.id }, { tab: 'details' })} className="text-accent-ink hover:underline">
            Details
          </PaneLink>
        </p>
      }
      sections={[
        {
          id: 'survey',
          title: 'Survey',
          fields: ['name', 'survey_link', 'source_file_id', 'survey_vendor', 'vendor_survey_id', 'questions_count'],
        },
        { id: 'activity', title: 'Activity', fields: ['activity_id'], paired: true },
      ]}
      options={{ activity_id: activities }}
      controls={survey.own_questions ? { questions_count: (bound) => <NumberInput {...bound} disabled /> } : {}}
    >
      <RunningProject running={running} change={change} />
    </FieldForm>
  )
}
