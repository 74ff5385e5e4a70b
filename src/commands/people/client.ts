import { isolateBidi } from '../../../contract/bidi.ts'
import { clientFields } from '../../../contract/clientFields.ts'
import { count as figure } from '../../../contract/format.ts'
import { andThen } from '../../../contract/writeEffects.ts'
import { href } from '../../routing/routes.ts'
import { ask, command } from '../command.ts'
import { answered, asksOf, editAsksOf, saves } from '../fieldAsks.ts'
import { clientsOf, hasNoClient } from '../memberships.ts'
import { restoreOf } from '../restoring.ts'
import { recordOf, type Subject } from '../subject.ts'
import { effectLines, effectSentence } from '../teamEffect.ts'
import { either, listed, noticeOf } from '../words.ts'

const number = (count: number, one: string, many: string) => `${figure(count)} ${count === 1 ? one : many}`

/** Up to this many users are read one by one, to know their clients. */
const MOST_READ = 10
/** What users lose by leaving a client. */
const LOSE_ACCESS = 'They lose access to its projects, results and exports immediately. Their other clients don’t change.'

const summed = (
  subjects: readonly Subject[],
  field: 'users_count' | 'teams_count' | 'projects_count' | 'campaigns_count',
): number => subjects.reduce((all, subject) => all + Number(recordOf(subject, 'client')[field] ?? 0), 0)
/** A review tries the deletion of up to this many clients; for more, it uses the rows' counts. */
const MOST_TRIED = 20

/** Describes a deletion by the users and teams it removes. */
const leavingWords = (subjects: readonly Subject[], gone: Gone): string =>
  `${whoLeaves(subjects, gone)} ${either(subjects, 'Its projects and their history stay.', 'Their projects and history stay.')}`

interface Gone {
  users: number
  teams: number
}
/** Describes who loses access to what: "3 users lose access to 12 projects … Its 2 teams are deleted." */
function whoLeaves(subjects: readonly Subject[], { users, teams }: Gone): string {
  const sum = (field: Parameters<typeof summed>[1]) => summed(subjects, field)
  const projects = [
    sum('projects_count') && number(sum('projects_count'), 'project', 'projects'),
    sum('campaigns_count') && number(sum('campaigns_count'), 'survey project', 'survey projects'),
  ].filter(Boolean)
  const lost = projects.length ? projects.join(' and ') : either(subjects, 'the client', 'the clients')
  const left = users ? `${number(users, 'user loses', 'users lose')} access to ${lost} immediately.` : 'No user loses access.'
  return teams ? `${left} ${number(teams, 'team is', 'teams are')} deleted too.` : left
}

/** Clients (people-area 2 and 5). */
export const clientCommands = {
  'client.open': command({
    title: 'Open client',
    on: 'client',
    rule: null,
    icon: 'panel',
    undo: 'needless',
    run: ({ workspace, subject }) => workspace.open(href('client', { id: subject.id }, { tab: 'details' }), 'tab'),
  }),
  'client.create': command({
    title: 'New client…',
    detail: 'with just a name',
    on: 'nothing',
    group: 'add',
    keywords: 'add customer',
    icon: 'plus',
    undo: 'restores',
    asks: asksOf(clientFields),
    async run({ api, answers, workspace }) {
      const { data } = await api.write('client.create', answered(clientFields, answers))
      // The form leads to the list too (people-area 2).
      workspace.open(href('clients'))
      return { message: noticeOf('client.create', { name: data.name, noun: 'client' }) }
    },
  }),
  'client.edit': command({
    title: 'Rename client…',
    on: 'client',
    keywords: 'edit name',
    icon: 'pencil',
    undo: 'restores',
    asks: editAsksOf(clientFields),
    run: saves('client', clientFields),
  }),
  'client.addUser': command({
    title: 'Add users…',
    detail: 'who already have an account',
    on: 'client',
    keywords: 'member',
    icon: 'user',
    undo: 'restores',
    confirm: (subjects, { user = [] }) => ({
      title: `Add ${user.length === 1 ? 'a user' : `${figure(user.length)} users`} to ${listed(subjects)}?`,
      body: 'They can then see the client’s projects.',
      action: 'Add',
    }),
    async foresees({ api, subjects: [client], answers, signal }) {
      const { effect } = await api.dryRun('client.addUser', { client_id: client!.id, user_ids: answers.user }, signal)
      return { body: effectSentence(effect, 'before'), lines: effectLines(effect) }
    },
    asks: {
      user: ask.entities({
        kind: 'user',
        label: 'Users',
        among: async (api, [client]) =>
          (await api.read('team.choices', { client_id: client!.id, others: true })).data.users
            .filter(({ on_client }) => !on_client)
            .map(({ id, name, email }) => ({ value: String(id), label: name, detail: email })),
      }),
    },
    async run({ api, subject, answers }) {
      const { message, effect } = await api.write('client.addUser', { client_id: subject.id, user_ids: answers.user })
      return { message: andThen(message, effectSentence(effect, 'after')) }
    },
  }),
  'client.setApprovers': command({
    title: 'Who approves quotes…',
    on: 'client',
    keywords: 'approver approval right decide sign off',
    icon: 'check',
    undo: 'restores',
    asks: {
      users: ask.entities({
        kind: 'user',
        label: 'Approvers',
        optional: true,
        among: async (api, [client]) =>
          (await api.read('client.colleagues', { client_id: client!.id })).data.map(({ id, name, email, approves }) => ({
            value: String(id),
            label: name,
            detail: [email, approves ? 'approves now' : ''].filter(Boolean).join(' · '),
          })),
      }),
    },
    confirm: (subjects, { users = [] }) => ({
      title: `Change who approves the quotes of ${listed(subjects)}?`,
      body: users.length
        ? `Only ${users.length === 1 ? 'this person' : `these ${figure(users.length)} people`} can approve and reject quotes. The other users see them.`
        : 'Every user of the client can approve and reject quotes.',
      action: 'Change',
    }),
    async run({ api, subject, answers }) {
      const { message } = await api.write('client.setApprovers', { id: subject.id, user_ids: answers.users ?? [] })
      return { message }
    },
  }),
  'client.removeUser': command({
    title: 'Remove from a client…',
    detail: 'and from its teams',
    on: 'user',
    many: true,
    rule: 'user.edit',
    keywords: 'take off leave offboard membership access revoke',
    icon: 'leave',
    danger: true,
    undo: 'restores',
    disabledReason: (_desk, users) => (users.length && users.every(hasNoClient) ? 'they belong to no client' : null),
    asks: {
      client: ask.entity({
        kind: 'client',
        label: 'Client',
        prefill: (users, workspace) => {
          const theirs = new Map(users.flatMap(clientsOf).map((client) => [client.id, client]))
          const shown = workspace?.subjects().focused
          const here = shown?.kind === 'client' ? theirs.get(shown.id) : undefined
          return (here ?? (theirs.size === 1 ? [...theirs.values()][0] : undefined))?.id
        },
        among: async (api, users) => {
          // Users that the server selected aren't read one by one, so every client is offered.
          const unread = users.filter((user) => !recordOf(user, 'user').clients)
          if (unread.length > MOST_READ) {
            const { data } = await api.read('client.dropdown', {})
            return data.map(({ id, name }) => ({ value: String(id), label: name }))
          }
          const read = async (user: Subject) =>
            recordOf(user, 'user').clients ? clientsOf(user) : (await api.read('user.get', { id: user.id })).data.clients
          const all = (await Promise.all(users.map(read))).flat()
          const atEach = [...Map.groupBy(all, ({ id }) => id).values()]
          return atEach.map((client) => ({
            value: String(client[0]!.id),
            label: client[0]!.name,
            ...(users.length > 1 ? { detail: `${figure(client.length)} of ${figure(users.length)} users` } : {}),
          }))
        },
      }),
    },
    excludes: (user, { client }) =>
      !user.record?.clients || clientsOf(user).some(({ id }) => id === Number(client)) ? null : 'not a user of this client',
    confirm: (subjects, answers) => {
      const client = subjects.flatMap(clientsOf).find((one) => one.id === Number(answers.client))
      const name = client ? `“${isolateBidi(client.name)}”` : 'this client'
      return {
        title: `Remove ${listed(subjects)} from ${name}?`,
        body: `They also leave its teams. ${LOSE_ACCESS}`,
        action: 'Remove',
      }
    },
    async foresees({ api, subjects, answers, signal }) {
      const input = { client_id: answers.client, user_ids: subjects.map(({ id }) => id) }
      const { data, effect } = await api.dryRun('client.removeUser', input, signal)
      const left = data.team_ids.length
      const teams = left ? ` They leave ${number(left, 'of its teams', 'of its teams')}.` : ''
      return {
        body: `${effectSentence(effect, 'before')}${teams} ${LOSE_ACCESS}`,
        lines: subjects.length > 1 ? effectLines(effect) : [],
      }
    },
    async run({ api, subjects, answers }) {
      const input = { client_id: answers.client, user_ids: subjects.map(({ id }) => id) }
      const { message, effect } = await api.write('client.removeUser', input)
      return { message: andThen(message, effectSentence(effect, 'after')) }
    },
  }),
  'client.remove': command({
    title: 'Delete client',
    on: 'client',
    danger: true,
    many: true,
    icon: 'trash',
    undo: 'restores',
    confirm: (subjects) => ({
      title: `Delete ${listed(subjects)}?`,
      body: leavingWords(subjects, { users: summed(subjects, 'users_count'), teams: summed(subjects, 'teams_count') }),
      action: 'Delete',
    }),
    async foresees({ api, subjects, signal }) {
      if (subjects.length > MOST_TRIED) return null
      const tried = await Promise.all(subjects.map(({ id }) => api.dryRun('client.remove', { id }, signal)))
      const sum = (field: keyof Gone) => tried.reduce((all, { data }) => all + data[field], 0)
      return { body: leavingWords(subjects, { users: sum('users'), teams: sum('teams') }) }
    },
    each: {
      done: 'client.remove',
      one: ({ api, subject, signal }) => api.write('client.remove', { id: subject.id }, { signal }),
    },
  }),
  'client.restore': restoreOf('client'),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof clientCommands> {}
}
