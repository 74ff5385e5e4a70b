import { useMemo, useState } from 'react'
import type { Output } from '../../../contract/calls.ts'
import { longDate } from '../../../contract/format.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { api } from '../../data/apiClient.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { Button } from '../../ui/Button.tsx'
import { Select } from '../../ui/Select.tsx'
import { FormSkeleton } from '../../ui/Skeletons.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePaneSubject } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { outsideWarnings } from '../shared/activityDates.ts'
import { FormField } from '../shared/form/FormField.tsx'
import type { FormRules } from '../shared/form/formRules.ts'
import { RecordForm } from '../shared/form/RecordForm.tsx'
import { useRecordForm } from '../shared/form/useRecordForm.ts'
import { projectSubject, recordHref } from '../shared/projectSubject.ts'
import { RecordError } from '../shared/RecordError.tsx'
import { RunningProject } from '../shared/RunningProject.tsx'
import { StatusPill } from '../shared/StatusPill.tsx'
import { useRunningProject } from '../shared/useRunningProject.ts'
import {
  ACTIVITY_LABELS,
  ActivityFiles,
  type ActivityValues,
  activityInput,
  asRequest,
  NameFields,
  socialWarning,
  TimeFields,
} from './activityForm.tsx'
import { AUDIENCE, type AudienceValues, audienceOf, MARKET, noAudience } from './audienceValues.ts'
import type { Draft } from './requestDraft.ts'
import { LABELS } from './requestRules.ts'
import { ActivitySection, AudienceSection, MarketSection, UrlField } from './requestSections.tsx'

type Project = Output<'project.get'>['data']
type Survey = Output<'survey.ofProject'>['data'][number]

interface Values extends ActivityValues, AudienceValues {
  project_id: number
  survey_id: string
}
const FIELD_LABELS = {
  ...ACTIVITY_LABELS,
  ...Object.fromEntries([...AUDIENCE, ...MARKET].map((name) => [name, LABELS[name as 'age']])),
  survey_id: 'Existing survey',
} as Readonly<Record<string, string>>

/** Uses the API call's own schema. */
export const WHOLE_RULES: FormRules<Values> = {
  schema: async () => (await import('../../../contract/activityInput.ts')).WholeInput,
  input: (values) => {
    const { location_based, targeted_locations, survey_id, ...rest } = activityInput(values) as unknown as Values
    const survey = values.activity_type === 'survey' && survey_id ? { survey_id: Number(survey_id) } : {}
    return {
      ...rest,
      ...(location_based ? { location_based } : {}),
      targeted_locations: location_based === 'no' ? targeted_locations : [],
      ...survey,
    }
  },
}
/** Returns the audience of the project's first activity, as a starting point; null without one. */
function firstAudience(project: Project) {
  const first = project.activities.find(({ target }) => target)
  return first ? { from: first.name, values: audienceOf(first.target) } : null
}

/** Adds an activity with its audience, market, survey and files to a project. */
export default function NewActivityPane({ params }: PaneProps) {
  const id = Number(params.id)
  const { data, error, retry } = useCall('project.get', { id }, { fresh: true })
  const surveys = useCall('survey.ofProject', { id }, { fresh: true }).data?.data
  const project = data?.data
  const subject = useMemo(() => (project ? projectSubject(project) : null), [project])
  usePaneSubject(subject)
  if (error && !project)
    return <RecordError error={error} retry={retry} what={`Project ${id}`} home={href('allProjects')} homeTitle="all projects" />
  if (!project) return <FormSkeleton />
  const refused = project.refused_actions['activity.create']
  if (refused)
    return (
      <EmptyState
        action={
          <PaneLink to={recordHref(project.generation, project.id)} className="text-accent-ink underline underline-offset-2">
            {project.name}
          </PaneLink>
        }
      >
        No activity can be added: {refused}.
      </EmptyState>
    )
  return <NewActivity key={project.id} project={project} surveys={surveys ?? []} />
}

function NewActivity({ project, surveys }: { project: Project; surveys: readonly Survey[] }) {
  const copied = useMemo(() => firstAudience(project), [project])
  const [initial] = useState<Values>(() => ({
    project_id: project.id,
    name: '',
    about: '',
    activity_type: 'survey',
    action_type: '',
    social_type: '',
    social_text: '',
    social_link: '',
    url: '',
    start_dt: project.start_dt ?? '',
    end_dt: project.end_dt ?? '',
    ...noAudience(),
    ...copied?.values,
    survey_id: '',
    file_ids: [],
  }))
  const dmas = useCall('dma.list', {})
  const running = useRunningProject<string>(project.id, () => ['The new activity is open to participants from its start.'])
  const form = useRecordForm<Values>({
    form: 'activity.new',
    record: project.id,
    initial,
    labels: FIELD_LABELS,
    rules: WHOLE_RULES,
    noun: 'activity',
    files: 'file_ids',
    review: (values) => running.review(values.name),
    another: (values) => ({ ...values, name: '', about: '', url: '', survey_id: '', file_ids: [] }),
    async save({ input, attempt }) {
      const { data } = await api.write('activity.whole', input as never, { attempt })
      return { title: 'Activity Created', name: data.name, leads: href('activity', { id: data.id }, { tab: 'details' }) }
    },
  })
  const { values, control } = form
  const shown = { control: asRequest(control), draft: values as unknown as Draft }
  const survey = values.activity_type === 'survey'
  const clear = () => form.fill(noAudience())
  const asCopied = copied && AUDIENCE.every((name) => JSON.stringify(values[name]) === JSON.stringify(copied.values[name]))
  const dates = { start_dt: values.start_dt || null, end_dt: values.end_dt || null }
  return (
    <RecordForm
      form={form}
      title={`New activity in ${project.name}`}
      aside={
        <p className="mt-0.5 flex flex-wrap items-center gap-x-3 text-meta text-muted">
          <span className="font-mono">{codeOf('project', project.id)}</span>
          <StatusPill stored={project.stored_status} shown={project.status_shown} />
        </p>
      }
      send="Create activity"
      warnings={[...socialWarning(values), ...outsideWarnings(dates, project)]}
      sections={[
        {
          id: 'activity',
          title: 'Activity',
          hint: `The project runs from ${longDate(project.start_dt)} to ${longDate(project.end_dt)}.`,
          fields: [
            ...['name', 'about', 'activity_type', 'action_type', 'social_type', 'social_text', 'social_link'],
            ...['start_dt', 'end_dt', ...(survey ? [] : ['url'])],
          ],
          children: (
            <>
              <NameFields control={control} />
              <ActivitySection {...shown} link={!survey} />
              <TimeFields control={control} />
            </>
          ),
        },
        {
          id: 'audience',
          title: 'Audience',
          hint: asCopied ? (
            <span className="flex flex-wrap items-center gap-2">
              <span>
                Copied from “<bdi>{copied.from}</bdi>”
              </span>
              <Button variant="ghost" data-view="" onClick={clear}>
                Clear
              </Button>
            </span>
          ) : (
            'Leave it empty for everyone.'
          ),
          fields: AUDIENCE,
          children: <AudienceSection control={shown.control} />,
        },
        {
          id: 'market',
          title: 'Market',
          fields: MARKET,
          children: <MarketSection {...shown} dmas={dmas as never} />,
        },
        ...(survey
          ? [
              {
                id: 'survey',
                title: 'Survey',
                hint: 'Link an existing survey, enter its URL, or upload a file below.',
                fields: ['survey_id', 'url'],
                children: (
                  <>
                    <FormField control={control} name="survey_id" label={FIELD_LABELS.survey_id!} wide>
                      {(bound) => (
                        <Select
                          {...bound}
                          value={String(bound.value)}
                          placeholder="None: create a new survey"
                          options={surveys.map((one) => ({
                            value: String(one.id),
                            label: `${one.name} · ${codeOf('survey', one.id)}${one.activity_id ? ' · moves here' : ''}`,
                          }))}
                        />
                      )}
                    </FormField>
                    <UrlField {...shown} />
                  </>
                ),
              },
            ]
          : []),
        {
          id: 'files',
          title: 'Files',
          fields: ['file_ids'],
          children: <ActivityFiles control={control} uploads={form.uploads} required={!survey} />,
        },
      ]}
    >
      <RunningProject running={running} change={form.dirty ? values.name : null} />
    </RecordForm>
  )
}
