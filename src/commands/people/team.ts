import { isolateBidi } from '../../../contract/bidi.ts'
import { count as figure } from '../../../contract/format.ts'
import { teamFields } from '../../../contract/teamFields.ts'
import { andThen } from '../../../contract/writeEffects.ts'
import type { Api } from '../../data/api.ts'
import { href } from '../../routing/routes.ts'
import { ask, command } from '../command.ts'
import { answered, asksOf, editAsksOf, saves } from '../fieldAsks.ts'
import { restoreOf } from '../restoring.ts'
import { type Option, recordOf, type Subject } from '../subject.ts'
import { effectLines, effectSentence } from '../teamEffect.ts'
import { either, listed, named, noticeOf } from '../words.ts'
import type { WorkspaceApi } from '../workspaceApi.ts'

/** Describes users: "Ana Diaz", "3 users". */
/** Whom a notice is about: one by name, or how many. */
const factsOf = ([one, ...more]: readonly Subject[], noun: 'user' | 'project') =>
  one && !more.length ? { name: one.name, kind: noun } : { count: more.length + 1, noun }
const THEY = ['they', 'they'] as const
const people = (subjects: readonly Subject[]): string =>
  subjects.length === 1 ? isolateBidi(subjects[0]!.name) : `${figure(subjects.length)} users`
const projects = (subjects: readonly Subject[]): string =>
  subjects.length === 1 ? `“${isolateBidi(subjects[0]!.name)}”` : `${figure(subjects.length)} projects`
const several = (count: number, one: string, many: string): string => `${figure(count)} ${count === 1 ? one : many}`

const teamIdOf = (subject: Subject | undefined): number => Number(recordOf(subject, 'member', 'teamProject').team_id)
/** Returns the team that rows of its users or projects belong to. */
const teamNameOf = (subject: Subject | undefined): string => {
  const { team_name } = recordOf(subject, 'member', 'teamProject')
  return team_name ? `“${isolateBidi(team_name)}”` : 'the team'
}
const clientOf = (subject: Subject | undefined): string => recordOf(subject, 'team', 'member', 'teamProject').client_name ?? ''
const idsOf = (subjects: readonly Subject[]): number[] => subjects.map(({ id }) => id)

/** Reads users who can be added: those of the client first, with their email and teams. */
async function usersFor(api: Api, where: { team_id?: number; client_id?: number }, signal?: AbortSignal): Promise<Option[]> {
  const { data } = await api.read('team.choices', { ...where, others: where.team_id !== undefined }, signal)
  return data.users
    .filter(({ on_team }) => !on_team)
    .map(({ id, name, email, on_client }) => ({
      value: String(id),
      label: name,
      detail: on_client ? email : `${email} · not on ${data.client.name} yet`,
    }))
}
/** Reads projects that can be linked. Those without a team are open to all users of the client. */
async function projectsFor(api: Api, where: { team_id?: number; client_id?: number }): Promise<Option[]> {
  const { data } = await api.read('team.choices', where)
  return data.projects
    .filter(({ linked }) => !linked)
    .map(({ id, name, parent_name, teams_count }) => ({
      value: String(id),
      label: name,
      detail: [parent_name, teams_count ? '' : parent_name ? 'uses its parent’s team' : 'no team: all users see it now']
        .filter(Boolean)
        .join(' · '),
    }))
}

/** Describes the people who joined the client by being added to its team. */
const joinedSentence = (joined: readonly { name: string }[], client: string): string =>
  !joined.length || !client
    ? ''
    : joined.length === 1
      ? ` ${isolateBidi(joined[0]!.name)} is not on ${isolateBidi(client)} yet and will be added to it.`
      : ` ${figure(joined.length)} of them are not on ${isolateBidi(client)} yet and will be added to it.`

/** Reads the ids of a team's users and linked projects. */
async function linksOf(api: Api, id: number, signal: AbortSignal): Promise<{ user_ids: number[]; project_ids: number[] }> {
  const { data } = await api.read('team.choices', { team_id: id, others: true }, signal)
  return {
    user_ids: data.users.filter(({ on_team }) => on_team).map((user) => user.id),
    project_ids: data.projects.filter(({ linked }) => linked).map((project) => project.id),
  }
}

const made = asksOf(teamFields)
const amongClient =
  (read: typeof projectsFor) =>
  (api: Api, _subjects: unknown, _workspace: unknown, client: unknown): Promise<Option[]> =>
    read(api, { client_id: Number(client) })

/** Teams, their users and their projects (people-area 2 and 5; screens-people-places-rewards, Teams). */
export const teamCommands = {
  'team.open': command({
    title: 'Open team',
    on: 'team',
    rule: null,
    icon: 'panel',
    undo: 'needless',
    run: ({ workspace, subject }) => workspace.open(href('team', { id: subject.id }, { tab: 'details' }), 'tab'),
  }),
  'team.create': command({
    title: 'New team…',
    detail: 'of a client, with users and projects',
    on: 'nothing',
    group: 'add',
    keywords: 'add group access',
    icon: 'plus',
    undo: 'restores',
    asks: {
      client_id: {
        ...made.client_id,
        prefill: (_subjects: unknown, workspace?: WorkspaceApi) => {
          const shown = workspace?.subjects().focused
          return shown?.kind === 'client' ? shown.id : undefined
        },
      },
      name: made.name,
      user_ids: { ...made.user_ids, usual: undefined, amongOf: 'client_id', among: amongClient(usersFor) },
      project_ids: { ...made.project_ids, usual: undefined, amongOf: 'client_id', among: amongClient(projectsFor) },
    },
    confirm: (_subjects, { name }) => ({
      title: `Create “${isolateBidi(name ?? '')}”?`,
      body: 'Its users will see its projects.',
      action: 'Create team',
    }),
    async foresees({ api, answers, signal }) {
      const { effect } = await api.dryRun('team.create', answered(teamFields, answers), signal)
      return { body: effectSentence(effect, 'before'), lines: effectLines(effect) }
    },
    async run({ api, answers, workspace }) {
      const { data, effect } = await api.write('team.create', answered(teamFields, answers))
      workspace.open(href('team', { id: data.id }, { tab: 'details' }))
      return { message: andThen(noticeOf('team.create', { name: data.name, noun: 'team' }), effectSentence(effect, 'after')) }
    },
  }),
  'team.rename': command({
    title: 'Rename team…',
    on: 'team',
    rule: 'team.edit',
    keywords: 'edit name',
    icon: 'pencil',
    undo: 'restores',
    asks: editAsksOf(teamFields),
    run: saves('team', teamFields),
  }),
  'team.addUsers': command({
    title: 'Add users…',
    detail: 'to the team',
    on: 'team',
    keywords: 'member people join',
    icon: 'user',
    undo: 'restores',
    asks: {
      users: ask.entities({
        kind: 'user',
        label: 'Users',
        among: async (api, [team]) => usersFor(api, { team_id: team!.id }),
      }),
    },
    confirm: ([team], { users = [] }) => ({
      title: `Add ${several(users.length, 'user', 'users')} to ${team ? named(team) : 'the team'}?`,
      body: 'They will see its projects.',
      action: 'Add',
    }),
    async foresees({ api, subjects: [team], answers, signal }) {
      const { data, effect } = await api.dryRun('team.addUsers', { team_id: team!.id, user_ids: answers.users }, signal)
      return { body: effectSentence(effect, 'before') + joinedSentence(data.joined, clientOf(team)), lines: effectLines(effect) }
    },
    async run({ api, subject, answers }) {
      const { data, message, effect } = await api.write('team.addUsers', { team_id: subject.id, user_ids: answers.users })
      if (!data.ids.length) return { message: noticeOf('team.unchanged', { words: THEY, rest: ` on ${named(subject)} already` }) }
      return { message: andThen(message, effectSentence(effect, 'after')) }
    },
  }),
  'team.addProjects': command({
    title: 'Add projects…',
    detail: 'to the team',
    on: 'team',
    keywords: 'link open',
    icon: 'project',
    undo: 'restores',
    asks: {
      projects: ask.entities({
        kind: ['project', 'campaign'],
        label: 'Projects',
        among: async (api, [team]) => projectsFor(api, { team_id: team!.id }),
      }),
    },
    confirm: ([team], answers) => ({
      title: `Add ${several(answers.projects?.length ?? 0, 'project', 'projects')} to ${team ? named(team) : 'the team'}?`,
      body: 'The users of the team will see them.',
      action: 'Add',
    }),
    async foresees({ api, subjects: [team], answers, signal }) {
      const { effect } = await api.dryRun('team.addProjects', { team_id: team!.id, project_ids: answers.projects }, signal)
      return { body: effectSentence(effect, 'before', clientOf(team)), lines: effectLines(effect) }
    },
    async run({ api, subject, answers }) {
      const { data, message, effect } = await api.write('team.addProjects', {
        team_id: subject.id,
        project_ids: answers.projects,
      })
      if (!data.ids.length)
        return { message: noticeOf('team.unchanged', { words: THEY, rest: ` linked to ${named(subject)} already` }) }
      return { message: andThen(message, effectSentence(effect, 'after')) }
    },
  }),
  'team.removeUsers': command({
    title: 'Remove from team',
    on: 'member',
    many: true,
    danger: true,
    keywords: 'take off user leave',
    icon: 'leave',
    undo: 'restores',
    confirm: (subjects) => ({
      title: `Remove ${people(subjects)} from ${teamNameOf(subjects[0])}?`,
      body: either(subjects, 'They stay with the client.', 'They stay with the client.'),
      action: 'Remove',
    }),
    async foresees({ api, subjects, signal }) {
      const input = { team_id: teamIdOf(subjects[0]), user_ids: idsOf(subjects) }
      const { effect } = await api.dryRun('team.removeUsers', input, signal)
      return { body: effectSentence(effect, 'before'), lines: subjects.length > 1 ? effectLines(effect) : [] }
    },
    async run({ api, subjects }) {
      const input = { team_id: teamIdOf(subjects[0]), user_ids: idsOf(subjects) }
      const { effect } = await api.write('team.removeUsers', input)
      const rest = ` from ${teamNameOf(subjects[0])}`
      const notice = noticeOf('team.removeUsers', { ...factsOf(subjects, 'user'), rest })
      return { message: andThen(notice, effectSentence(effect, 'after')) }
    },
  }),
  'team.removeProjects': command({
    title: 'Unlink from the team',
    on: 'teamProject',
    many: true,
    danger: true,
    keywords: 'remove project take off',
    icon: 'x',
    undo: 'restores',
    confirm: (subjects) => ({
      title: `Unlink ${projects(subjects)} from ${teamNameOf(subjects[0])}?`,
      body: 'Its users no longer see them through this team.',
      action: 'Unlink',
    }),
    async foresees({ api, subjects, signal }) {
      const input = { team_id: teamIdOf(subjects[0]), project_ids: idsOf(subjects) }
      const { effect } = await api.dryRun('team.removeProjects', input, signal)
      return { body: effectSentence(effect, 'before', clientOf(subjects[0])), lines: effectLines(effect) }
    },
    async run({ api, subjects }) {
      const input = { team_id: teamIdOf(subjects[0]), project_ids: idsOf(subjects) }
      const { effect } = await api.write('team.removeProjects', input)
      const rest = ` from ${teamNameOf(subjects[0])}`
      const notice = noticeOf('team.removeProjects', { ...factsOf(subjects, 'project'), rest })
      return { message: andThen(notice, effectSentence(effect, 'after', clientOf(subjects[0]))) }
    },
  }),
  'team.copy': command({
    title: 'Copy team…',
    detail: 'with its users and projects',
    on: 'team',
    rule: 'team.edit',
    keywords: 'duplicate clone',
    icon: 'copy',
    undo: 'restores',
    asks: {
      name: {
        ...made.name,
        label: 'Name of the copy',
        prefill: ([team]: readonly Subject[]) => team && `${team.name} copy`,
      },
    },
    async run({ api, subject, answers, signal, workspace }) {
      const client_id = Number(subject.record?.client_id ?? (await api.read('team.get', { id: subject.id })).data.client_id)
      const links = await linksOf(api, subject.id, signal)
      const { data } = await api.write('team.create', { client_id, name: answers.name, ...links })
      workspace.open(href('team', { id: data.id }, { tab: 'details' }))
      const [users, projects] = [several(data.users_count, 'user', 'users'), several(data.projects_count, 'project', 'projects')]
      return { message: noticeOf('team.create', { name: data.name, rest: ` with ${users} and ${projects}` }) }
    },
  }),
  'team.remove': command({
    title: 'Delete team',
    on: 'team',
    danger: true,
    many: true,
    icon: 'trash',
    undo: 'restores',
    confirm: (subjects) => ({
      title: `Delete ${listed(subjects)}?`,
      body: either(subjects, 'Its users stay with the client.', 'Their users stay with their clients.'),
      action: 'Delete',
    }),
    async foresees({ api, subjects, signal }) {
      // One dry run for all: a project that two of them share stays closed until the last one is removed.
      const tried = subjects.slice(0, MOST_TRIED)
      const { effect } = await api.dryRun('team.remove', { ids: idsOf(tried) }, signal)
      const clients = new Set(tried.map(clientOf))
      const body = effectSentence(effect, 'before', clients.size === 1 ? clientOf(tried[0]) : '')
      const rest = subjects.length - tried.length
      return { body: rest > 0 ? `Of the first ${MOST_TRIED}: ${body}` : body, lines: effectLines(effect) }
    },
    each: {
      done: 'team.remove',
      one: ({ api, subject, signal }) => api.write('team.remove', { id: subject.id }, { signal }),
      adds: (made) => (isRemoved(made) ? effectSentence(made.effect, 'after') : ''),
    },
  }),
  'team.restore': restoreOf('team'),
} as const

/** The most teams that a review asks the server about. */
const MOST_TRIED = 100

const isRemoved = (made: unknown): made is { effect: Parameters<typeof effectSentence>[0] } =>
  typeof made === 'object' && made !== null && 'effect' in made

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof teamCommands> {}
}

/** The team whose user or project a row is. */
interface OfTeam {
  team_id: number
  team_name: string
  client_name: string
}
declare module '../subject.ts' {
  interface AddedToRecords {
    member: OfTeam
    teamProject: OfTeam
  }
}
