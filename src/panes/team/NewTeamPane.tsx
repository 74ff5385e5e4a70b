import { useMemo } from 'react'
import { MESSAGES } from '../../../contract/messages.ts'
import { effectSentence } from '../../commands/teamEffect.ts'
import { api } from '../../data/apiClient.ts'
import { useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { Select } from '../../ui/Select.tsx'
import { FormSkeleton } from '../../ui/Skeletons.tsx'
import { TextInput } from '../../ui/TextInput.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane, usePaneSubject } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { clientSubject } from '../shared/clientSubject.ts'
import { FormField } from '../shared/form/FormField.tsx'
import type { FormRules } from '../shared/form/formRules.ts'
import { RecordForm } from '../shared/form/RecordForm.tsx'
import { useRecordForm } from '../shared/form/useRecordForm.ts'
import { RecordError } from '../shared/RecordError.tsx'
import { RecordPicker } from '../shared/RecordPicker.tsx'
import { EffectPanel } from './EffectPanel.tsx'
import { idsIn } from './idsIn.ts'
import { projectOptions, userOptions } from './teamChoices.tsx'
import { useEffectOf } from './useEffectOf.ts'

interface Values {
  client_id: string
  name: string
  user_ids: number[]
  project_ids: number[]
}
const LABELS = { client_id: 'Client', name: 'Team name', user_ids: 'Users', project_ids: 'Projects' } as const
const RULES: FormRules<Values> = {
  schema: async () => (await import('../../../contract/formSchemas.ts')).AnyValues,
}
const USER = ['user', 'users'] as const
const PROJECT = ['project', 'projects'] as const

const also = ({ client_id, name }: Values): Partial<Record<keyof Values, string>> => ({
  ...(client_id ? {} : { client_id: MESSAGES.chooseClient }),
  ...(!name.trim() ? { name: MESSAGES.teamName } : name.trim().length > 200 ? { name: MESSAGES.teamLength } : {}),
})
const inputOf = ({ client_id, name, user_ids, project_ids }: Values) => ({
  client_id: Number(client_id),
  name: name.trim(),
  user_ids,
  project_ids,
})

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
  const form = useRecordForm<Values>({
    form: 'team.create',
    record: client?.id,
    initial: {
      client_id: client ? String(client.id) : '',
      name: '',
      user_ids: idsIn(query.users),
      project_ids: idsIn(query.projects),
    },
    labels: LABELS,
    rules: RULES,
    also,
    noun: 'team',
    // Confirms only if a user would lose a project.
    async review(values) {
      const { effect } = await api.dryRun('team.create', inputOf(values)).catch(() => ({ effect: null }))
      if (!effect?.lose.users) return null
      return { title: `Create “${values.name.trim()}”?`, lines: [effectSentence(effect, 'before')], confirm: 'Create team' }
    },
    async save({ values, attempt }) {
      const { data, effect, message } = await api.write('team.create', inputOf(values), { attempt })
      return { title: message, name: `“${data.name}”. ${effectSentence(effect, 'after')}`, leads: href('teams') }
    },
  })
  const { values } = form
  const client_id = Number(values.client_id) || null
  const choices = useCall('team.choices', client_id === null ? null : { client_id }, { fresh: true })
  const found = choices.data?.data
  const users = useMemo(() => found && userOptions(found), [found])
  const projects = useMemo(() => found && projectOptions(found), [found])
  const name = found?.client.name ?? client?.name ?? 'the client'
  // The dry run needs a name; any will do until one is typed.
  const tried = inputOf({ ...values, name: values.name.trim() || 'New team' })
  const links = tried.user_ids.length + tried.project_ids.length
  const foreseen = useEffectOf(client_id !== null && links ? JSON.stringify({ ...tried, name: '' }) : '', (signal) =>
    api.dryRun('team.create', { ...tried, name: `${tried.name.slice(0, 150)} ${TRIED}` }, signal),
  )
  return (
    <RecordForm
      form={form}
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
      sections={[
        {
          id: 'team',
          title: 'Team',
          fields: ['client_id', 'name'],
          children: (
            <>
              {!client && (
                <FormField control={form.control} name="client_id" label={LABELS.client_id} required wide>
                  {({ value, onChange }) => (
                    <Select
                      value={value}
                      onChange={(next) => {
                        onChange(next)
                        // Users and projects of another client can't be on this team.
                        if (next !== value) form.fill({ user_ids: [], project_ids: [] })
                      }}
                      placeholder={clients.loading ? 'Loading clients…' : 'Choose a client'}
                      options={(clients.data?.data ?? []).map((one) => ({ value: String(one.id), label: one.name }))}
                    />
                  )}
                </FormField>
              )}
              <FormField control={form.control} name="name" label={LABELS.name} required wide>
                {(bound) => <TextInput {...bound} autoComplete="off" maxLength={200} />}
              </FormField>
            </>
          ),
        },
        {
          id: 'users',
          title: 'Users',
          fields: ['user_ids'],
          hint: 'Without users, only administrators see its projects.',
          children: (
            <FormField control={form.control} name="user_ids" label={LABELS.user_ids} group wide>
              {({ value, onChange }) => (
                <RecordPicker
                  key={client_id}
                  options={client_id === null ? [] : users}
                  error={choices.error}
                  retry={choices.retry}
                  what="The users"
                  words={USER}
                  value={value}
                  onChange={onChange}
                  none={client_id === null ? 'Choose a client first.' : `Nobody at ${name} has an account yet.`}
                />
              )}
            </FormField>
          ),
        },
        {
          id: 'projects',
          title: 'Projects',
          fields: ['project_ids'],
          hint: 'A project with a team is hidden from the client’s other users.',
          children: (
            <FormField control={form.control} name="project_ids" label={LABELS.project_ids} group wide>
              {({ value, onChange }) => (
                <RecordPicker
                  key={client_id}
                  options={client_id === null ? [] : projects}
                  error={choices.error}
                  retry={choices.retry}
                  what="The projects"
                  words={PROJECT}
                  value={value}
                  onChange={onChange}
                  none={client_id === null ? 'Choose a client first.' : `${name} has no projects yet.`}
                />
              )}
            </FormField>
          ),
        },
      ]}
    />
  )
}

/** Appended to the name in a dry run, so that a name taken halfway through typing isn't rejected. */
const TRIED = 'as it is tried'
