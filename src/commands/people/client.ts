import { count as figure } from '../../../contract/format.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { href } from '../../routing/routes.ts'
import { ask, command } from '../command.ts'
import type { Subject } from '../subject.ts'
import { effectLines, effectSentence } from '../teamEffect.ts'
import { either, isolateBidi, listed, lockOf } from '../words.ts'

const name = ask.text({ label: 'Client name', check: (text: string) => (text.trim() ? null : MESSAGES.clientName) })

/** A user's clients, as their record lists them. */
const clientsOf = ({ record }: Subject): readonly { id: number; name: string }[] =>
  (record?.clients as { id: number; name: string }[] | undefined) ?? []

const number = (count: number, one: string, many: string) => `${figure(count)} ${count === 1 ? one : many}`

/** Says who loses access to what: "3 users lose access to 12 projects … Its 2 teams are deleted." */
function whoLeaves(subjects: readonly Subject[]): string {
  const sum = (field: string) => subjects.reduce((all, { record }) => all + Number(record?.[field] ?? 0), 0)
  const users = sum('users_count')
  const teams = sum('teams_count')
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
    asks: { name },
    async run({ api, answers, workspace }) {
      const { data } = await api.write('client.create', { name: answers.name })
      // The form leads here too (people-area 2).
      workspace.open(href('clients'))
      return { message: `Client “${data.name}” added` }
    },
  }),
  'client.edit': command({
    title: 'Rename client…',
    on: 'client',
    keywords: 'edit name',
    icon: 'pencil',
    undo: 'restores',
    asks: { name: ask.text({ ...name, prefill: ([subject]) => subject?.record?.name ?? subject?.name }) },
    async run({ api, subject, answers }) {
      await api.write('client.edit', { id: subject.id, name: answers.name, ...lockOf(subject.record) })
      return { message: `Renamed to “${answers.name}”` }
    },
  }),
  'client.addUser': command({
    title: 'Add users…',
    detail: 'who have an account already',
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
      return { message: `${message} ${effectSentence(effect, 'after')}` }
    },
  }),
  'client.removeUser': command({
    title: 'Remove from a client…',
    detail: 'and from its teams',
    on: 'user',
    rule: 'user.edit',
    keywords: 'take off leave offboard membership access revoke',
    icon: 'leave',
    danger: true,
    undo: 'restores',
    disabledReason: (_desk, [user]) => (!user?.record || clientsOf(user).length ? null : 'they belong to no client'),
    asks: {
      client: ask.entity({
        kind: 'client',
        label: 'Client',
        prefill: ([user], workspace) => {
          const theirs = user ? clientsOf(user) : []
          const shown = workspace?.subjects().focused
          const here = theirs.find((client) => shown?.kind === 'client' && client.id === shown.id)
          return (here ?? (theirs.length === 1 ? theirs[0] : undefined))?.id
        },
        among: async (api, [user]) =>
          (await api.read('user.get', { id: user!.id })).data.clients.map((client) => ({
            value: String(client.id),
            label: client.name,
          })),
      }),
    },
    confirm: (subjects, answers) => {
      const [user] = subjects
      const client = user && clientsOf(user).find((one) => one.id === Number(answers.client))
      const name = client ? `“${isolateBidi(client.name)}”` : 'this client'
      return {
        title: `Remove ${listed(subjects)} from ${name}?`,
        body: 'They also leave its teams and lose access to its projects, results and exports immediately. Their other clients don’t change.',
        action: 'Remove',
      }
    },
    async foresees({ api, subjects: [user], answers, signal }) {
      const input = { client_id: answers.client, user_id: user!.id }
      const { data, effect } = await api.dryRun('client.removeUser', input, signal)
      const left = data.team_ids.length
      const teams = left ? ` They leave ${number(left, 'team', 'teams')} of it.` : ''
      return { body: `${effectSentence(effect, 'before')}${teams} Their other clients don’t change.` }
    },
    async run({ api, subject, answers }) {
      const { message } = await api.write('client.removeUser', { client_id: answers.client, user_id: subject.id })
      return { message: message }
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
      body: `${whoLeaves(subjects)} ${either(subjects, 'Its projects and their history stay.', 'Their projects and history stay.')}`,
      action: 'Delete',
    }),
    each: {
      done: ['is deleted', 'are deleted'],
      one: ({ api, subject, signal }) => api.write('client.remove', { id: subject.id }, { signal }),
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof clientCommands> {}
}
