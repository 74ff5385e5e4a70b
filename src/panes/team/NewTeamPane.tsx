import { useMemo } from 'react'
import { inputOf } from '../../../contract/fieldKinds.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { teamFields } from '../../../contract/teamFields.ts'
import { effectSentence } from '../../commands/teamEffect.ts'
import { api } from '../../data/apiClient.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { Select } from '../../ui/Select.tsx'
import { FormSkeleton } from '../../ui/Skeletons.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane, usePaneSubject } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { clientSubject } from '../shared/clientSubject.ts'
import { FieldForm } from '../shared/form/FieldForm.tsx'
import { useFieldForm } from '../shared/form/useFieldForm.ts'
import { RecordError } from '../shared/RecordError.tsx'
import { RecordPicker } from '../shared/RecordPicker.tsx'
import { EffectPanel } from './EffectPanel.tsx'
import { idsIn } from './idsIn.ts'
import { projectOptions, userOptions } from './teamChoices.tsx'
import { useEffectOf } from './useEffectOf.ts'

const USER = ['user', 'users'] as const
const PROJECT = ['project', 'projects'] as const

/** Creates a team: shows some of a client's projects to some of its users (screens-people-places-rewards, New team). */
export default function NewTeamPane({ params }: PaneProps) {
  const { route } = usePane()
  return route === 'newClientTeam' ? <OfClient id={Number(params.id)} /> : <Form key="any" client={null} />
}

function OfClient({ id }: { id: number }) {
  const answer = useCall('client.get', { id }, { fresh: true })
  const client = answer.data?.data
  usePaneSubject(useMemo(() => (client ? clientSubject(client) : null), [client]))
  if (answer.error && !client)
    return (
      <RecordError
        error={answer.error}
        retry={answer.retry}
        what={`Client ${id}`}
        home={href('clients')}
        homeTitle="all clients"
      />
    )
  return client ? <Form key={id} client={client} /> : <FormSkeleton />
}

function Form({ client }: { client: { id: number; name: string } | null }) {
  const { query } = usePane()
  const clients = useCall('client.dropdown', client ? null : {})
  const form = useFieldForm('team', teamFields, {
    of: client?.id,
    initial: useMemo(
      () => ({
        client_id: client ? String(client.id) : '',
        user_ids: idsIn(query.users),
        project_ids: idsIn(query.projects),
      }),
      [client, query.users, query.projects],
    ),
    // Confirms only if a user would lose a project.
    async review(values) {
      const { effect } = await api.dryRun('team.create', inputOf(teamFields, values)).catch(() => ({ effect: null }))
      if (!effect?.lose.users) return null
      return { title: `Create “${values.name.trim()}”?`, lines: [effectSentence(effect, 'before')], confirm: 'Create team' }
    },
    saved: ({ data, effect }) => ({
      name: `“${data.name}”. ${effectSentence(effect, 'after')}`,
      leads: href('teams'),
    }),
  })
  const { values } = form
  const client_id = Number(values.client_id) || null
  const choices = useCall('team.choices', client_id === null ? null : { client_id }, { fresh: true })
  const found = choices.data?.data
  const users = useMemo(() => found && userOptions(found), [found])
  const projects = useMemo(() => found && projectOptions(found), [found])
  const name = found?.client.name ?? client?.name ?? 'the client'
  // The dry run needs a name; any will do until one is typed.
  const tried = inputOf(teamFields, { ...values, name: values.name.trim() || 'New team' })
  const links = tried.user_ids.length + tried.project_ids.length
  const foreseen = useEffectOf(client_id !== null && links ? JSON.stringify({ ...tried, name: '' }) : '', (signal) =>
    api.dryRun('team.create', { ...tried, name: `${tried.name.slice(0, 150)} ${TRIED}` }, signal),
  )
  const picking = { error: choices.error, retry: choices.retry }
  return (
    <FieldForm
      form={form}
      fields={teamFields}
      title="New team"
      aside={
        client && (
          <p className="mt-0.5 text-meta text-muted">
            <PaneLink to={href('client', { id: client.id }, { tab: 'teams' })} className="text-accent-ink hover:underline">
              <bdi>{client.name}</bdi>
            </PaneLink>
          </p>
        )
      }
      send="Create team"
      beside={
        <EffectPanel foreseen={foreseen} client={name}>
          {client_id === null ? 'Choose a client first.' : 'Choose users and projects to preview who’ll see what.'}
        </EffectPanel>
      }
      controls={{
        client_id: ({ value, onChange }) => (
          <Select
            value={value}
            onChange={(next) => {
              onChange(next)
              // Users and projects of another client can't be on this team.
              if (next !== value) form.fill({ user_ids: [], project_ids: [] })
            }}
            placeholder={clients.loading ? 'Loading clients…' : MESSAGES.chooseClient}
            options={(clients.data?.data ?? []).map((one) => ({ value: String(one.id), label: one.name }))}
          />
        ),
        user_ids: (bound) => (
          <RecordPicker
            key={client_id}
            {...picking}
            {...bound}
            options={client_id === null ? [] : users}
            what="The users"
            words={USER}
            none={client_id === null ? 'Choose a client first.' : `Nobody at ${name} has an account yet.`}
          />
        ),
        project_ids: (bound) => (
          <RecordPicker
            key={client_id}
            {...picking}
            {...bound}
            options={client_id === null ? [] : projects}
            what="The projects"
            words={PROJECT}
            none={client_id === null ? 'Choose a client first.' : `${name} has no projects yet.`}
          />
        ),
      }}
      hides={client ? ['client_id'] : []}
      sections={[
        { id: 'team', title: 'Team', fields: ['client_id', 'name'] },
        { id: 'users', title: 'Users', fields: ['user_ids'], hint: 'Without users, only administrators see its projects.' },
        {
          id: 'projects',
          title: 'Projects',
          fields: ['project_ids'],
          hint: 'A project with a team is hidden from the client’s other users.',
        },
      ]}
    />
  )
}

/** Appended to the name in a dry run, so that a name taken halfway through typing isn't rejected. */
const TRIED = 'as it is tried'
