import { ask, command } from './command.ts'

/** One's own sessions, and the keys of importers. */
export const accountCommands = {
  'account.endSession': command({
    title: 'Sign this device out',
    on: 'session',
    rule: null,
    icon: 'logout',
    danger: true,
    many: true,
    // Whoever it was signs in again.
    undo: 'needless',
    each: {
      done: ['is signed out', 'are signed out'],
      one: ({ api, subject, signal }) => api.write('account.endSession', { id: subject.id }, { signal }),
    },
  }),
  'account.endOtherSessions': command({
    title: 'Sign out everywhere else',
    on: 'nothing',
    group: 'help',
    icon: 'logout',
    keywords: 'sessions devices security',
    danger: true,
    irreversible: true,
    confirm: () => ({
      title: 'Sign out everywhere else?',
      body: 'Every other device of yours has to sign in again.',
      action: 'Sign them out',
    }),
    async run({ api }) {
      const { message } = await api.write('account.endOtherSessions', {})
      return { said: message }
    },
  }),
  'key.create': command({
    title: 'New API key…',
    on: 'nothing',
    group: 'add',
    access: 'admin',
    icon: 'key',
    keywords: 'importer token create',
    undo: 'inverse',
    asks: {
      name: ask.text({
        label: 'Name',
        placeholder: 'What uses it: “Decipher import”',
        check: (name) => (name.trim() ? null : 'Key Name cannot be blank'),
      }),
    },
    async run({ api, answers }) {
      const { data } = await api.write('key.create', { name: answers.name })
      return {
        dialog: { title: `API key “${data.name}”`, body: `${data.key}\nCopy it now: it is never shown again.` },
        undo: { label: 'Revoke', run: (api) => api.write('key.revoke', { id: data.id }) },
      }
    },
  }),
  'key.revoke': command({
    title: 'Revoke this key',
    on: 'key',
    rule: null,
    access: 'admin',
    icon: 'x',
    danger: true,
    irreversible: true,
    confirm: (subjects) => ({
      title: `Revoke “${subjects[0]!.name}”?`,
      body: 'Whatever uses it is refused from this moment. This can’t be undone.',
      action: 'Revoke',
    }),
    async run({ api, subject }) {
      const { message } = await api.write('key.revoke', { id: subject.id })
      return { said: message }
    },
  }),
} as const
