import { useMemo, useState } from 'react'
import { stripBidi } from '../../../contract/bidi.ts'
import type { Output } from '../../../contract/calls.ts'
import { field } from '../../../contract/fieldKinds.ts'
import { count } from '../../../contract/format.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { columnsOf, draftsOf, gridOf, rowsOf } from '../../../contract/questionSheet.ts'
import { surveyFields } from '../../../contract/surveyFields.ts'
import { AnswerError } from '../../data/AnswerError.tsx'
import { AnswerState } from '../../data/AnswerState.tsx'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Field } from '../../ui/Field.tsx'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { FormSkeleton } from '../../ui/Skeletons.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { MainAction } from '../../workspace/MainAction.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane, usePaneForm, usePaneSubject } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { FieldForm } from '../shared/form/FieldForm.tsx'
import { useFieldForm } from '../shared/form/useFieldForm.ts'
import { projectSubject, recordHref } from '../shared/projectSubject.ts'
import { RecordError } from '../shared/RecordError.tsx'

type Project = Output<'project.get'>['data']
type Activity = Output<'activity.ofProject'>['data'][number]
const { activity_id: _, ...own } = surveyFields
/** The form's fields; it reads the questions from a sheet. */
const FIELDS = {
  ...own,
  questions: field.text('Questions from a sheet', { lines: 5, max: 200_000, code: true }),
  replace: field.flag('Current survey', {}),
}
const MOST_FOUND = 8

/** Creates a survey: choose a project, choose an activity, fill in the fields (screens-projects, New survey). */
export default function NewSurveyPane({ params }: PaneProps) {
  const { query } = usePane()
  return params.id ? (
    <OfActivity id={Number(params.id)} />
  ) : (
    <Steps project={Number(query.project)} activity={Number(query.activity)} />
  )
}

/** The form for an activity named in the address. */
function OfActivity({ id }: { id: number }) {
  const { data, error, loading, retry } = useCall('activity.get', { id }, { fresh: true })
  const activity = data?.data
  if (error && !activity)
    return (
      <RecordError error={error} retry={retry} what={`Activity ${id}`} home={href('activities')} homeTitle="all activities" />
    )
  if (loading || !activity) return <FormSkeleton />
  return <Steps project={activity.project_id} activity={activity.id} fixed />
}

/** The steps; earlier choices stay above as pills. */
function Steps({
  project: project_id,
  activity: activity_id,
  fixed = false,
}: {
  project: number
  activity: number
  fixed?: boolean
}) {
  const { setQuery } = usePane()
  const projectRead = useCall('project.get', project_id ? { id: project_id } : null)
  const activitiesRead = useCall('activity.ofProject', project_id ? { id: project_id, per_page: 500 } : null)
  const project = projectRead.data?.data
  const activities = activitiesRead.data?.data
  const activity = activities?.find(({ id }) => id === activity_id)
  // The keys of the project's commands, such as its new activity's, work here.
  const subject = useMemo(() => (project ? projectSubject(project) : null), [project])
  usePaneSubject(subject)
  if (!project_id) return <ChooseProject onChosen={(id) => setQuery({ project: String(id), activity: undefined })} />
  if (projectRead.error && !project) return <AnswerError what="The project" error={projectRead.error} retry={projectRead.retry} />
  if (activitiesRead.error && !activities)
    return <AnswerError what="The activities" error={activitiesRead.error} retry={activitiesRead.retry} />
  if (!project || !activities) return <FormSkeleton />
  if (!activity)
    return (
      <ChooseActivity
        project={project}
        activities={activities}
        onChosen={(id) => setQuery({ project: String(project.id), activity: String(id) })}
        onBack={() => setQuery({ project: undefined, activity: undefined })}
      />
    )
  return (
    <SurveyForm
      key={activity.id}
      project={project}
      activity={activity}
      {...(fixed ? {} : { onBack: () => setQuery({ project: String(project.id), activity: undefined }) })}
    />
  )
}

/** A step before the form; its button and the send shortcut call `onContinue`. */
function Step({
  at,
  title,
  onContinue,
  children,
}: {
  at: number
  title: string
  onContinue: () => void
  children: React.ReactNode
}) {
  usePaneForm({ send: onContinue, discard: () => {} })
  return (
    <form
      className="mx-auto flex max-w-2xl flex-col gap-4 px-4 py-5"
      data-fill-in=""
      noValidate
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={({ key, target, currentTarget }) => {
        const input = target instanceof HTMLInputElement ? target : null
        const isPlain = input && (input.type === 'radio' || input.type === 'text')
        if (isPlain && key === 'Enter') onContinue()
        else if (input?.type === 'text' && key === 'ArrowDown') currentTarget.querySelector<HTMLElement>('[type=radio]')?.focus()
      }}
    >
      <header>
        <p className="text-meta text-muted">Step {at} of 3</p>
        <h1 className="text-head">{title}</h1>
      </header>
      {children}
    </form>
  )
}

function ChooseProject({ onChosen }: { onChosen: (id: number) => void }) {
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState('')
  const [error, setError] = useState<string | null>(null)
  const search = typed.trim().replace(/^P-(?=\d+$)/i, '')
  const found = useCall('project.list', { search, per_page: MOST_FOUND })
  const rows = found.data?.data ?? []
  const go = () => {
    // What is typed chooses its first match.
    const match = search || rows.length === 1 ? rows[0] : undefined
    const id = rows.some((row) => String(row.id) === chosen) ? chosen : match ? String(match.id) : ''
    if (id) return onChosen(Number(id))
    setError(MESSAGES.chooseProject)
  }
  return (
    <Step at={1} title="Which project is the survey for?" onContinue={go}>
      <Field label="Find a project" hint="By name, client or ID.">
        <TextInput
          value={typed}
          onChange={(text) => {
            setTyped(text)
            setError(null)
          }}
          autoComplete="off"
        />
      </Field>
      <Field label="Project" required group error={error}>
        {!found.data ? (
          <AnswerState answer={found} what="The projects" rows={4} />
        ) : rows.length === 0 ? (
          <p className="text-muted">No matching project.</p>
        ) : (
          <RadioGroup
            stacked
            value={chosen}
            onChange={(id) => {
              setChosen(id)
              setError(null)
            }}
            options={rows.map((row) => ({
              value: String(row.id),
              label: row.name,
              hint: `${codeOf('project', row.id)} · ${stripBidi(row.client_name)} · ${row.status_shown}`,
            }))}
          />
        )}
      </Field>
      <MainAction>
        <Button data-view="" className="self-start" variant="primary" onClick={go}>
          Continue
        </Button>
      </MainAction>
    </Step>
  )
}

/** Returns why an activity can't get a survey here, or null. */
const refusal = ({ activity_type, survey_id }: Activity): string | null =>
  activity_type !== 'survey'
    ? `a ${activity_type} activity has no survey`
    : survey_id !== null
      ? `it has ${codeOf('survey', survey_id)}`
      : null

function ChooseActivity({
  project,
  activities,
  onChosen,
  onBack,
}: {
  project: Project
  activities: readonly Activity[]
  onChosen: (id: number) => void
  onBack: () => void
}) {
  const free = activities.filter((activity) => refusal(activity) === null)
  const others = activities.length - free.length
  const [chosen, setChosen] = useState(free.length === 1 ? String(free[0]!.id) : '')
  const [error, setError] = useState<string | null>(null)
  const go = () => (chosen ? onChosen(Number(chosen)) : setError(MESSAGES.chooseActivity))
  return (
    <Step at={2} title="Which activity counts its responses?" onContinue={go}>
      <Chosen label="Project" name={project.name} onChange={onBack} />
      {free.length === 0 ? (
        <EmptyState action={<NewActivity project={project} />}>
          {project.name} has no survey activity without a survey.
        </EmptyState>
      ) : (
        <>
          <Field
            label={surveyFields.activity_id.label}
            required
            group
            error={error}
            hint={others ? `${count(others)} more can’t get one: not of surveys, or with one already.` : undefined}
          >
            <RadioGroup
              stacked
              value={chosen}
              onChange={(id) => {
                setChosen(id)
                setError(null)
              }}
              options={free.map((activity) => ({
                value: String(activity.id),
                label: activity.name,
                hint: codeOf('activity', activity.id),
              }))}
            />
          </Field>
          <div className="flex flex-wrap gap-2">
            <MainAction>
              <Button data-view="" variant="primary" onClick={go}>
                Continue
              </Button>
            </MainAction>
            <NewActivity project={project} />
          </div>
        </>
      )}
    </Step>
  )
}

/** Links to a new activity of the project. */
function NewActivity({ project }: { project: Project }) {
  return (
    <CommandButton id="activity.create" subjects={[{ kind: 'project', id: project.id, name: project.name, record: project }]} />
  )
}

function Chosen({ label, name, onChange }: { label: string; name: string; onChange?: () => void }) {
  return (
    <p className="inline-flex max-w-full items-center gap-2 self-start rounded-md bg-accent-wash px-2 py-1 text-meta">
      <span className="text-muted">{label}</span>
      <b dir="auto" className="truncate font-medium">
        {name}
      </b>
      {onChange && (
        <Button data-view="" variant="ghost" onClick={onChange} aria-label={`Change ${label.toLowerCase()}`}>
          Change
        </Button>
      )}
    </p>
  )
}

/** Parses a pasted sheet into questions and errors by row. */
function pastedQuestions(text: string) {
  const grid = gridOf(text)
  const { columns, headed } = columnsOf(grid)
  const rows = text.trim() ? rowsOf(grid, columns, headed) : []
  return { rows, ...draftsOf(rows) }
}

function SurveyForm({ project, activity, onBack }: { project: Project; activity: Activity; onBack?: () => void }) {
  const has = activity.survey_id
  const initial = useMemo(() => ({ name: `${project.name}, ${activity.name}`.slice(0, 200) }), [project, activity])
  const form = useFieldForm('survey', FIELDS, {
    of: activity.id,
    initial,
    more: { project_id: project.id, activity_id: activity.id },
    sends: ({ questions, ...input }) => ({
      ...input,
      ...(questions.trim() ? { questions: pastedQuestions(questions).rows } : {}),
    }),
    also({ questions, replace }): Record<string, string> {
      const [first] = pastedQuestions(questions).errors
      return {
        ...(first ? { questions: `Row ${first.row}: ${first.message}` } : {}),
        ...(has !== null && replace !== 'yes'
          ? { replace: `${activity.name} already has ${codeOf('survey', has)}. Replace it, or choose another activity.` }
          : {}),
      }
    },
    saved: ({ data }) => ({ leads: href('survey', { id: data.id }, { tab: 'details' }) }),
  })
  const pasted = form.values.questions
  const { drafts, errors } = pastedQuestions(pasted)
  return (
    <FieldForm
      form={form}
      fields={FIELDS}
      title="New survey"
      aside={
        <div className="mt-1 flex flex-wrap items-center gap-2 text-meta text-muted">
          <Chosen label="Project" name={project.name} />
          <Chosen label={surveyFields.activity_id.label} name={activity.name} onChange={onBack} />
          <PaneLink to={recordHref('project', project.id, 'specifications')} className="text-accent-ink hover:underline">
            Specifications
          </PaneLink>
        </div>
      }
      send="Create survey"
      sections={[
        ...(has === null ? [] : [{ id: 'replace', title: 'Current survey', fields: ['replace'] }]),
        { id: 'survey', title: 'Survey', fields: Object.keys(own) },
        { id: 'questions', title: 'Questions', hint: 'You can also add them later.', fields: ['questions'] },
      ]}
      hides={has === null ? ['replace'] : []}
      hints={{
        questions: pasted.trim()
          ? `${count(drafts.length)} questions recognized${errors.length ? `, ${count(errors.length)} with errors` : ''}.`
          : 'Paste rows of text, type and answers, split by | or line.',
      }}
      controls={{
        replace: ({ value, onChange }) => (
          <Checkbox
            checked={value === 'yes'}
            onChange={(on) => onChange(on ? 'yes' : '')}
            hint="The old survey stays with the project and keeps its completes."
          >
            Replace {has !== null && codeOf('survey', has)} in {activity.name}
          </Checkbox>
        ),
      }}
    />
  )
}
