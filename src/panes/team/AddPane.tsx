import { type ReactNode, useMemo } from 'react'
import { MESSAGES } from '../../../contract/messages.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { teamFields } from '../../../contract/teamFields.ts'
import { inviteFields } from '../../../contract/userFields.ts'
import { andThen, effectOf, quotedName, sentenceOf } from '../../../contract/writeEffects.ts'
import type { Subject } from '../../commands/subject.ts'
import { effectOfLinks, effectSentence } from '../../commands/teamEffect.ts'
import { api } from '../../data/apiClient.ts'
import { type Answer, useCall } from '../../data/useCall.ts'
import { href } from '../../routing/routes.ts'
import { start } from '../../runner/lazyRunner.ts'
import { Button } from '../../ui/Button.tsx'
import { FormSkeleton } from '../../ui/Skeletons.tsx'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import { usePane, usePaneSubject } from '../../workspace/pane.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { clientSubject } from '../shared/clientSubject.ts'
import { projectSubject, recordHref } from '../shared/projectSubject.ts'
import { RecordError } from '../shared/RecordError.tsx'
import { PickForm } from './PickForm.tsx'
import { clientUserOptions, projectOptions, userOptions } from './teamChoices.tsx'
import { teamSubject } from './teamSubject.ts'
import type { Tried } from './useEffectOf.ts'

const USER = ['user', 'users'] as const
const PROJECT = ['project', 'projects'] as const
const TEAM = ['team', 'teams'] as const
const MOST_TEAMS = 500

/** Adds users to a team, projects to a team, a team to projects, or users to a client (people-area 2). */
export default function AddPane({ params }: PaneProps) {
  const { route } = usePane()
  const id = Number(params.id)
  const project_id = Number(params.project_id)
  if (route === 'addUser') return <AddUsers id={id} project_id={project_id} />
  if (route === 'addClientUser') return <AddClientUsers id={id} project_id={project_id} />
  if (route === 'addProject') return <AddProjects id={id} />
  return <AddToTeams id={id} />
}

/** Loads the record that a form adds to, as the pane's subject; `instead` renders until then, or on an error. */
function useAddedTo<R>(
  answer: Answer<{ data: R }>,
  subjectOf: (record: R) => Subject,
  list: { what: string; home: string; homeTitle: string },
): { record: R | undefined; instead: ReactNode } {
  const record = answer.data?.data
  usePaneSubject(useMemo(() => (record ? subjectOf(record) : null), [record, subjectOf]))
  if (record) return { record, instead: null }
  const { error, retry } = answer
  return { record, instead: error ? <RecordError error={error} retry={retry} {...list} /> : <FormSkeleton /> }
}

/** Loads the team that a form adds to. */
const useTeam = (id: number) =>
  useAddedTo(useCall('team.get', { id }, { fresh: true }), teamSubject, {
    what: `Team ${id}`,
    home: href('teams'),
    homeTitle: 'client teams',
  })
/** Loads the project the user came from; the form works without it. */
const useProject = (id: number) => useCall('project.get', { id }).data?.data

const users = (count: number) => (count === 1 ? '1 user' : `${count} users`)

function AddUsers({ id, project_id }: { id: number; project_id: number }) {
  const { query } = usePane()
  const { record: team, instead } = useTeam(id)
  const project = useProject(project_id)
  const choices = useCall('team.choices', { team_id: id, others: true })
  const found = choices.data?.data
  const options = useMemo(() => found && userOptions(found), [found])
  if (!team) return instead
  const everyone = found?.users.every(({ on_client, on_team }) => on_team || !on_client)
  const invite = () =>
    start('user.invite', {
      subjects: [],
      via: 'button',
      answers: { role_id: 'client', client_id: team.client_id, team_ids: [team.id] },
    })
  return (
    <PickForm
      name="team.addUsers"
      record={id}
      title={`Add users to ${team.name}`}
      about={[
        { to: href('team', { id }), name: team.name },
        { to: href('client', { id: team.client_id }, { tab: 'teams' }), name: team.client_name },
        ...(project ? [{ to: recordHref(project.generation, project.id), name: project.name }] : []),
      ]}
      label={teamFields.user_ids.label}
      words={USER}
      read={choices}
      options={options}
      preselected={query.users}
      emptyError={MESSAGES.chooseUser}
      send="Add users"
      noun="team"
      client={team.client_name}
      none={`Everyone in ${team.client_name} is on this team.`}
      placeholder={
        everyone ? `Everyone in ${team.client_name} is on this team.` : 'Choose users to preview which projects they’ll see.'
      }
      extra={
        <Button data-command="user.invite" onClick={invite}>
          Invite someone new…
        </Button>
      }
      dryRun={async (user_ids, signal): Promise<Tried> => {
        const { effect, data } = await api.dryRun('team.addUsers', { team_id: id, user_ids: [...user_ids] }, signal)
        return { effect, joined: data.joined }
      }}
      save={async (user_ids, attempt) => {
        const { effect, message } = await api.write('team.addUsers', { team_id: id, user_ids: [...user_ids] }, { attempt })
        return {
          title: 'User added',
          name: andThen(message, effectSentence(effect, 'after')),
          leads: href('teamUsers', { id, project_id }),
        }
      }}
    />
  )
}

function AddProjects({ id }: { id: number }) {
  const { query } = usePane()
  const { record: team, instead } = useTeam(id)
  const choices = useCall('team.choices', { team_id: id })
  const found = choices.data?.data
  const options = useMemo(() => found && projectOptions(found), [found])
  if (!team) return instead
  const none = found?.projects.length
    ? `All projects of ${team.client_name} are linked.`
    : `${team.client_name} has no projects yet.`
  const left = found?.projects.some(({ linked }) => !linked)
  return (
    <PickForm
      name="team.addProjects"
      record={id}
      title={`Add projects to ${team.name}`}
      about={[
        { to: href('team', { id }, { tab: 'projects' }), name: team.name },
        { to: href('client', { id: team.client_id }, { tab: 'teams' }), name: team.client_name },
      ]}
      label={teamFields.project_ids.label}
      words={PROJECT}
      read={choices}
      options={options}
      preselected={query.projects}
      emptyError={MESSAGES.chooseTeamProject}
      send="Add projects"
      noun="team"
      client={team.client_name}
      none={none}
      placeholder={found && !left ? none : 'Choose projects to preview who’ll see them.'}
      dryRun={async (project_ids, signal) =>
        api.dryRun('team.addProjects', { team_id: id, project_ids: [...project_ids] }, signal)
      }
      save={async (project_ids, attempt) => {
        const input = { team_id: id, project_ids: [...project_ids] }
        const { effect, message } = await api.write('team.addProjects', input, { attempt })
        return {
          title: 'Project added',
          name: andThen(message, effectSentence(effect, 'after')),
          leads: href('team', { id }, { tab: 'projects' }),
        }
      }}
    />
  )
}

function AddToTeams({ id }: { id: number }) {
  const { query } = usePane()
  const { record: project, instead } = useAddedTo(useCall('project.get', { id }, { fresh: true }), projectSubject, {
    what: `Project ${id}`,
    home: href('allProjects'),
    homeTitle: 'all projects',
  })
  const client_id = project?.client_id
  const read = useCall('team.list', client_id === undefined ? null : { client_id, per_page: MOST_TEAMS })
  const linked = useCall('project.teams', { id, page: 1 }).data?.data
  const teams = read.data?.data
  const options = useMemo(
    () =>
      teams?.map((team) => ({
        id: team.id,
        name: team.name,
        code: codeOf('team', team.id),
        note: `${users(team.users_count)}, ${team.projects_count === 1 ? '1 project' : `${team.projects_count} projects`}`,
        off: linked?.some((one) => one.id === team.id) ? 'already linked' : null,
      })),
    [teams, linked],
  )
  if (!project) return instead
  const effects = async (ids: readonly number[], signal: AbortSignal): Promise<Tried> => {
    const all = await Promise.all(ids.map((team_id) => api.dryRun('team.addProjects', { team_id, project_id: id }, signal)))
    const effect = effectOfLinks(all.map((one) => one.effect))
    return effect && { effect }
  }
  return (
    <PickForm
      name="project.addTeams"
      record={id}
      title={`Add ${project.name} to teams`}
      about={[
        { to: recordHref(project.generation, id, 'specifications'), name: project.name },
        { to: href('client', { id: project.client_id }, { tab: 'teams' }), name: project.client_name },
      ]}
      label={inviteFields.team_ids.label}
      words={TEAM}
      read={read}
      options={options}
      preselected={query.teams}
      emptyError={MESSAGES.chooseTeam}
      send="Add"
      noun="project"
      client={project.client_name}
      none={
        <span className="flex flex-wrap items-center gap-3">
          {project.client_name} has no team yet.
          <PaneLink
            to={href('newClientTeam', { id: project.client_id }, { query: { projects: id } })}
            className="text-accent-ink hover:underline"
          >
            New team
          </PaneLink>
        </span>
      }
      placeholder="Choose teams to preview who’ll see the project."
      dryRun={effects}
      save={async (ids, attempt) => {
        for (const team_id of ids) await api.write('team.addProjects', { team_id, project_id: id }, { attempt })
        const names = ids.map((one) => quotedName(teams?.find((team) => team.id === one)?.name ?? String(one)))
        return {
          title: 'Team added',
          name: sentenceOf(effectOf('team.addProjects'), { name: project.name, rest: ` to ${names.join(', ')}` }, 'after'),
          leads: recordHref(project.generation, id, 'specifications'),
        }
      }}
    />
  )
}

function AddClientUsers({ id, project_id }: { id: number; project_id: number }) {
  const { query } = usePane()
  const { record: client, instead } = useAddedTo(useCall('client.get', { id }, { fresh: true }), clientSubject, {
    what: `Client ${id}`,
    home: href('clients'),
    homeTitle: 'all clients',
  })
  const project = useProject(project_id)
  const choices = useCall('team.choices', { client_id: id, others: true })
  const found = choices.data?.data
  const options = useMemo(() => found && clientUserOptions(found), [found])
  if (!client) return instead
  return (
    <PickForm
      name="client.addUser"
      record={id}
      title={`Add users to ${client.name}`}
      about={[
        { to: href('client', { id }, { tab: 'users' }), name: client.name },
        ...(project ? [{ to: recordHref(project.generation, project.id), name: project.name }] : []),
      ]}
      label={teamFields.user_ids.label}
      words={USER}
      read={choices}
      options={options}
      preselected={query.users}
      emptyError={MESSAGES.chooseUser}
      send="Add users"
      noun="client"
      client={client.name}
      none={`Everyone with an account is on ${client.name}.`}
      placeholder="Choose users to preview which projects they’ll see."
      dryRun={async (user_ids, signal) => api.dryRun('client.addUser', { client_id: id, user_ids: [...user_ids] }, signal)}
      save={async (user_ids, attempt) => {
        const input = { client_id: id, user_ids: [...user_ids] }
        const { effect, message } = await api.write('client.addUser', input, { attempt })
        return {
          title: 'User added',
          name: andThen(message, effectSentence(effect, 'after')),
          leads: href('clientUsers', { id }),
        }
      }}
    />
  )
}
