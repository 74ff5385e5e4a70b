import { useEffect, useRef } from 'react'
import { clientFields } from '../../../contract/clientFields.ts'
import { inputOf } from '../../../contract/fieldKinds.ts'
import { count, shortDate } from '../../../contract/format.ts'
import { FigureDifference } from '../../compare/FigureDifference.tsx'
import { AnswerState } from '../../data/AnswerState.tsx'
import { api } from '../../data/apiClient.ts'
import { moment } from '../../data/format.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { toast } from '../../runner/toast.tsx'
import { post } from '../../runner/undo.ts'
import { Button } from '../../ui/Button.tsx'
import { PaceBar } from '../../ui/charts/PaceBar.tsx'
import { Field } from '../../ui/Field.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { useSmallFieldForm } from '../shared/form/useSmallFieldForm.ts'
import { paceTone } from '../shared/projectSubject.ts'
import { StatusPill } from '../shared/StatusPill.tsx'
import type { Client } from './peopleSubjects.ts'

/** Shows a client's name (edited in place), figures and latest projects. */
export function ClientDetails({ client }: { client: Client }) {
  return (
    <div className="space-y-6 px-4 pt-4 pb-8">
      <dl className="flex flex-wrap gap-x-10 gap-y-4">
        <Figure label="Projects" value={client.projects_count} to={href('allProjects', {}, { query: { client: client.id } })} />
        <Figure
          label="Survey projects"
          value={client.campaigns_count}
          to={href('surveyProjects', {}, { query: { client: client.id } })}
        />
        <Figure label="Teams" value={client.teams_count} to={href('client', { id: client.id }, { tab: 'teams' })} />
        <Figure label="Users" value={client.users_count} to={href('client', { id: client.id }, { tab: 'users' })} />
      </dl>
      <Rename client={client} />
      <Latest client={client} />
      <p className="text-meta text-muted">
        Client since{' '}
        <time dateTime={client.created_at} title={moment(client.created_at, 'full')}>
          {shortDate(client.created_at)}
        </time>
        {client.updated_at !== client.created_at && (
          <>
            {' '}
            · last changed{' '}
            <time dateTime={client.updated_at} title={moment(client.updated_at, 'full')}>
              {moment(client.updated_at)}
            </time>
          </>
        )}
      </p>
    </div>
  )
}

function Figure({ label, value, to }: { label: string; value: number; to: string }) {
  return (
    <div className="flex flex-col-reverse">
      <dt className="text-meta text-muted">{label}</dt>
      <dd className="text-figure tabular-nums">
        <PaneLink to={to} className="rounded-sm hover:text-accent-ink hover:underline">
          {count(value)}
        </PaneLink>
        <FigureDifference topic={`client ${label}`} value={value} className="text-meta" />
      </dd>
    </div>
  )
}

function Rename({ client }: { client: Client }) {
  const { bind, errors, busy, serverError, form, reset, dirty } = useSmallFieldForm(clientFields, {
    record: client,
    async send(values) {
      const steps: number[] = []
      const undoable = (id: number) => void steps.push(id)
      const input = { id: client.id, ...inputOf(clientFields, values), lock_version: client.lock_version }
      const { data, message } = await api.write('client.edit', input, { undoable })
      reset({ name: data.name })
      const undo = post({ title: 'Rename client', subjects: [{ kind: 'client', id: client.id, name: client.name }] }, { steps })
      void toast(message, {
        tone: 'good',
        id: undo.toast,
        action: { label: 'Undo', run: undo.undo },
      })
    },
  })
  // After someone else's rename, unsaved typing stays and an untouched field is updated.
  const follow = useRef(reset)
  follow.current = reset
  const typing = useRef(dirty)
  typing.current = dirty
  useEffect(() => {
    if (!typing.current) follow.current({ name: client.name })
  }, [client.name])
  return (
    <form {...form} aria-label="Rename" className="max-w-md">
      <Field label={clientFields.name.short} required error={errors.name ?? serverError?.message ?? null}>
        <span className="flex gap-2">
          <TextInput {...bind('name')} autoComplete="off" />
          {dirty && (
            <Button type="submit" variant="primary" busy={busy} kbd="Enter">
              Rename
            </Button>
          )}
          {dirty && <Button onClick={() => reset({ name: client.name })}>Cancel</Button>}
        </span>
      </Field>
    </form>
  )
}

/** Lists the client's five projects with the latest end dates. */
function Latest({ client }: { client: Client }) {
  const answer = useCall('project.listAll', {
    client: client.id,
    column: 'end_dt',
    order: 'desc',
    page: 1,
    per_page: 5,
    brief: true,
    texts: false,
  })
  return (
    <section aria-labelledby={`latest-${client.id}`}>
      <h2 id={`latest-${client.id}`} className="text-meta font-medium text-muted">
        Latest projects
      </h2>
      <AnswerState
        answer={answer}
        what="The projects"
        rows={3}
        empty={
          <EmptyState className="items-start! px-0! py-4! text-left!" action={<CommandButton id="add.newProject" />}>
            No projects yet.
          </EmptyState>
        }
      />
      <ul className="mt-1 max-w-3xl divide-y divide-line border-y border-line empty:hidden">
        {answer.data?.data.map((project) => (
          <li key={project.id} className="flex min-h-row items-center gap-3 py-1">
            <PaneLink
              to={href('project', { id: project.id }, { tab: 'overview' })}
              className="min-w-0 flex-1 truncate font-medium hover:underline"
            >
              {project.name}
            </PaneLink>
            <span className="w-28 shrink-0 @max-lg:hidden">
              <PaceBar
                value={project.pacing}
                tone={paceTone(project.pacing_color, { state: project.pacing_state, stored: project.stored_status })}
                title="Pacing"
              />
            </span>
            <span className="flex w-36 shrink-0 @max-lg:w-auto">
              <StatusPill stored={project.stored_status} shown={project.status_shown} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
