import { useMemo, useState } from 'react'
import { wholeFields } from '../../../contract/activityFields.ts'
import type { Output } from '../../../contract/calls.ts'
import { textsOf } from '../../../contract/fieldKinds.ts'
import { longDate } from '../../../contract/format.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { requestFields } from '../../../contract/requestFields.ts'
import { type Demographic, demographicFields, marketFields } from '../../../contract/targetFields.ts'
import { ETHNICITIES, ethnicitiesOf } from '../../../contract/vocabulary.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { Button } from '../../ui/Button.tsx'
import { FormSkeleton } from '../../ui/Skeletons.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePaneSubject } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { outsideWarnings } from '../shared/activityDates.ts'
import { FieldForm } from '../shared/form/FieldForm.tsx'
import { useFieldForm } from '../shared/form/useFieldForm.ts'
import { projectSubject, recordHref } from '../shared/projectSubject.ts'
import { RecordError } from '../shared/RecordError.tsx'
import { RunningProject } from '../shared/RunningProject.tsx'
import { StatusPill } from '../shared/StatusPill.tsx'
import { useRunningProject } from '../shared/useRunningProject.ts'
import { DmaPicker } from './DmaPicker.tsx'
import { socialWarning } from './socialWarning.ts'

type Project = Output<'project.get'>['data']
type Survey = Output<'survey.ofProject'>['data'][number]

const DEMOGRAPHICS = Object.keys(demographicFields) as Demographic[]
const AUDIENCE = { ...marketFields, ...demographicFields }
const OF_SURVEY = { ...wholeFields, url: { ...wholeFields.url, label: requestFields.url.label } }
/** Nothing selected: everybody, everywhere. */
const EVERYBODY = textsOf(AUDIENCE)

/** Returns the audience of the project's first activity, as a starting point; null without one. */
function firstAudience(project: Project) {
  const first = project.activities.find(({ target }) => target)
  return first?.target ? { from: first.name, values: textsOf(AUDIENCE, first.target) } : null
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
  const [initial] = useState(() => ({
    activity_type: 'survey',
    start_dt: project.start_dt ?? '',
    end_dt: project.end_dt ?? '',
    ...copied?.values,
  }))
  const dmas = useCall('dma.list', {})
  const running = useRunningProject<string>(project.id, () => ['The new activity is open to participants from its start.'])
  const form = useFieldForm('activity', wholeFields, {
    call: 'activity.whole',
    form: 'activity.new',
    of: project.id,
    initial,
    more: { project_id: project.id },
    review: (values) => running.review(values.name),
    another: (values) => ({ ...values, name: '', about: '', url: '', survey_id: '', file_ids: [] }),
    saved: ({ data }) => ({ leads: href('activity', { id: data.id }, { tab: 'details' }) }),
  })
  const { values } = form
  const survey = values.activity_type === 'survey'
  const clear = () => form.fill(EVERYBODY)
  const asCopied = copied && DEMOGRAPHICS.every((name) => JSON.stringify(values[name]) === JSON.stringify(copied.values[name]))
  const dates = { start_dt: values.start_dt || null, end_dt: values.end_dt || null }
  return (
    <FieldForm
      form={form}
      fields={survey ? OF_SURVEY : wholeFields}
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
            ...['name', 'about', 'activity_type', 'action_type', 'social_type', 'social_link', 'social_text'],
            ...[...(survey ? [] : ['url']), 'start_dt', 'end_dt'],
          ],
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
          fields: DEMOGRAPHICS,
        },
        { id: 'market', title: 'Market', fields: ['location_based', 'targeted_locations'] },
        ...(survey
          ? [
              {
                id: 'survey',
                title: 'Survey',
                hint: 'Link an existing survey, enter its URL, or upload a file below.',
                fields: ['survey_id', 'url'],
                paired: true as const,
              },
            ]
          : []),
        { id: 'files', title: 'Files', fields: ['file_ids'] },
      ]}
      controls={{
        targeted_locations: ({ value, onChange }) => <DmaPicker read={dmas} value={value} onChange={onChange} />,
      }}
      options={{
        ethnicity: initial.ethnicity?.includes('other') ? ETHNICITIES : ethnicitiesOf(project.generation),
        survey_id: surveys.map((one) => ({
          value: String(one.id),
          label: `${one.name} · ${codeOf('survey', one.id)}${one.activity_id ? ' · moves here' : ''}`,
        })),
      }}
    >
      <RunningProject running={running} change={form.dirty ? values.name : null} />
    </FieldForm>
  )
}
