import { useMemo } from 'react'
import type { Output } from '../../../contract/calls.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { subjectAs } from '../../commands/subject.ts'
import { api } from '../../data/apiClient.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { Select } from '../../ui/Select.tsx'
import { FormSkeleton } from '../../ui/Skeletons.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePaneSubject } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { FormField } from '../shared/form/FormField.tsx'
import type { FormRules } from '../shared/form/formRules.ts'
import { RecordForm } from '../shared/form/RecordForm.tsx'
import { useRecordForm } from '../shared/form/useRecordForm.ts'
import { recordHref } from '../shared/projectSubject.ts'
import { RecordError } from '../shared/RecordError.tsx'
import { RunningProject } from '../shared/RunningProject.tsx'
import { useRunningProject } from '../shared/useRunningProject.ts'
import { SURVEY_LABELS, type SurveyValues, surveyFaults, surveyField, surveyInput, surveySection } from './surveyForm.tsx'

type Survey = Output<'survey.get'>['data']
interface Values extends SurveyValues {
  activity_id: string
}
const LABELS = { ...SURVEY_LABELS, activity_id: 'Activity' } as Readonly<Record<keyof Values, string>>
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

const valuesOf = (survey: Survey): Values => ({
  name: survey.name,
  survey_link: survey.survey_link,
  survey_vendor: survey.survey_vendor,
  vendor_survey_id: survey.vendor_survey_id,
  questions_count: String(survey.questions_count),
  source: survey.source_file_id === null ? [] : [{ id: survey.source_file_id, name: survey.source_file_name, bytes: 0 }],
  activity_id: survey.activity_id === null ? '' : String(survey.activity_id),
})

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
  const activities = useCall('activity.ofProject', { id: survey.project_id, per_page: 500 }).data?.data ?? []
  const rules = useMemo<FormRules<Values>>(
    () => ({
      schema: async () => (await import('../../../contract/survey.ts')).surveyCalls['survey.edit'].input,
      input: ({ activity_id, ...values }) => ({
        id: survey.id,
        ...surveyInput(values),
        activity_id: activity_id ? Number(activity_id) : null,
      }),
      fieldOf: surveyField,
    }),
    [survey.id],
  )
  const form = useRecordForm<Values>({
    form: 'survey.edit',
    record: survey.id,
    initial: valuesOf(survey),
    lock: survey.lock_version,
    labels: LABELS,
    rules,
    noun: 'survey',
    files: 'source',
    // A survey that already lacks a link or an ID can still be changed in other fields.
    also: (values) => {
      const before = surveyFaults(valuesOf(survey), true)
      const now = Object.entries(surveyFaults(values, survey.own_questions > 0))
      return Object.fromEntries(now.filter(([field]) => !Object.hasOwn(before, field)))
    },
    review: (values, changed) => running.review(Object.fromEntries(changed.map((field) => [field, values[field]]))),
    theirs: (record, base) => ({ ...base, ...valuesOf({ ...survey, ...(record as Partial<Survey>) }) }),
    shown: (field, value) =>
      field === 'activity_id'
        ? (activities.find(({ id }) => String(id) === value)?.name ?? '')
        : field === 'source'
          ? (value as Values['source']).map(({ name }) => name).join(', ')
          : String(value ?? ''),
    async save({ patch, lock }) {
      const moved = patch.activity_id ? { replace: true } : {}
      const { data } = await api.write('survey.edit', { id: survey.id, ...patch, ...moved, lock_version: lock } as never)
      return {
        title: 'Survey Updated',
        name: data.name,
        lock: data.lock_version,
        leads: href('survey', { id: data.id }, { tab: 'details' }),
      }
    },
  })
  const change = form.dirty ? Object.fromEntries(form.changed.map((field) => [field, form.values[field]])) : null
  return (
    <RecordForm
      form={form}
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
        surveySection(form, { counted: survey.own_questions }),
        {
          id: 'activity',
          title: 'Activity',
          fields: ['activity_id'],
          children: (
            <FormField
              control={form.control}
              name="activity_id"
              label={LABELS.activity_id}
              wide
              hint="The activity whose responses it counts. Another survey of that activity is unlinked."
            >
              {(bound) => (
                <Select
                  {...bound}
                  placeholder="None"
                  options={activities
                    .filter(({ activity_type }) => activity_type === 'survey')
                    .map(({ id, name, survey_id }) => ({
                      value: String(id),
                      label:
                        survey_id !== null && survey_id !== survey.id ? `${name} (has ${codeOf('survey', survey_id)})` : name,
                    }))}
                />
              )}
            </FormField>
          ),
        },
      ]}
    >
      <RunningProject running={running} change={change} />
    </RecordForm>
  )
}
