import { MESSAGES } from '../../contract/messages.ts'
import { href } from '../routes.ts'
import { ask, command } from './command.ts'
import { either, listed, lockOf } from './words.ts'

const name = ask.text({ label: 'Client name', check: (text: string) => (text.trim() ? null : MESSAGES.clientName) })

/** Clients (people-area 2 and 5). */
export const clientCommands = {
  'client.open': command({
    title: 'Open client',
    on: 'client',
    rule: null,
    icon: 'panel',
    undo: 'needless',
    access: 'admin',
    run: ({ desk, subject }) => desk.open(href('client', { id: subject.id }, { tab: 'details' }), 'tab'),
  }),
  'client.create': command({
    title: 'New client…',
    detail: 'by its name alone',
    on: 'nothing',
    access: 'admin',
    group: 'add',
    keywords: 'add customer',
    icon: 'plus',
    undo: 'inverse',
    asks: { name },
    async run({ api, answers, desk }) {
      const { data } = await api.write('client.create', { name: answers.name })
      desk.open(href('client', { id: data.id }, { tab: 'details' }), 'tab')
      return {
        said: `“${data.name}” is a client now`,
        undo: { label: 'Undo', run: (api) => api.write('client.remove', { id: data.id }) },
      }
    },
  }),
  'client.edit': command({
    title: 'Rename client…',
    on: 'client',
    access: 'admin',
    keywords: 'edit name',
    icon: 'pencil',
    undo: 'inverse',
    asks: { name: ask.text({ ...name, prefill: ([subject]) => subject?.record?.name ?? subject?.name }) },
    async run({ api, subject, answers }) {
      const before = String(subject.record?.name ?? subject.name)
      const { data } = await api.write('client.edit', { id: subject.id, name: answers.name, ...lockOf(subject.record) })
      return {
        said: `Renamed to “${answers.name}”`,
        undo: { label: 'Undo', run: (api) => api.write('client.edit', { id: subject.id, name: before, ...lockOf(data) }) },
      }
    },
  }),
  'client.addUser': command({
    title: 'Add a user…',
    detail: 'who has an account already',
    on: 'client',
    access: 'admin',
    keywords: 'member',
    icon: 'user',
    irreversible: true,
    confirm: (subjects) => ({
      title: `Add this user to ${listed(subjects)}?`,
      body: 'They see the client’s projects from then on.',
      action: 'Add',
    }),
    asks: {
      user: ask.entity({
        kind: 'user',
        label: 'User',
        among: async (api) =>
          (await api.read('user.dropdown', { role: 'client' })).data.map((user) => ({
            value: String(user.id),
            label: user.name,
            detail: user.email,
          })),
      }),
    },
    async run({ api, subject, answers }) {
      const { message } = await api.write('client.addUser', { client_id: subject.id, user_id: answers.user })
      return { said: message }
    },
  }),
  'client.remove': command({
    title: 'Delete client',
    on: 'client',
    access: 'admin',
    danger: true,
    many: true,
    icon: 'trash',
    irreversible: true,
    confirm: (subjects) => ({
      title: `Delete ${listed(subjects)}?`,
      body: `${either(subjects, 'It disappears from lists and search; its', 'They disappear from lists and search; their')} projects and their history stay. This can’t be undone.`,
      action: 'Delete',
    }),
    each: {
      done: ['is deleted', 'are deleted'],
      one: ({ api, subject, signal }) => api.write('client.remove', { id: subject.id }, { signal }),
    },
  }),
} as const
