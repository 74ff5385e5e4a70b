import { keyFields } from '../../../contract/credentialFields.ts'
import { href } from '../../routing/routes.ts'
import { ask, command } from '../command.ts'
import { asksOf } from '../fieldAsks.ts'
import { expiryAsks, lastDayOf, shownOnceText } from './lastDay.ts'

/** The user's own sign-in, sessions, and importers' API keys. */
export const accountCommands = {
  'account.signIn': command({
    title: 'My sign-in…',
    detail: 'your password and your email',
    on: 'nothing',
    group: 'help',
    icon: 'key',
    keywords: 'change own new password email address security',
    undo: 'needless',
    run: ({ workspace }) => workspace.open(href('account', {}, { query: { section: 'password' } }), 'tab'),
  }),
  'account.resendEmail': command({
    title: 'Send the link again',
    detail: 'that confirms your new email',
    on: 'nothing',
    group: 'help',
    icon: 'mail',
    keywords: 'confirm address email letter',
    irreversible: true,
    async run({ api }) {
      const { message } = await api.write('account.resendEmail', {})
      return { message }
    },
  }),
  'account.cancelEmail': command({
    title: 'Cancel the new email',
    detail: 'yours stays as it is',
    on: 'nothing',
    group: 'help',
    icon: 'x',
    keywords: 'confirm address',
    undo: 'restores',
    async run({ api }) {
      const { message } = await api.write('account.cancelEmail', {})
      return { message }
    },
  }),
  'account.endSession': command({
    title: 'Sign out this device',
    on: 'session',
    rule: null,
    icon: 'logout',
    danger: true,
    many: true,
    // Signing in again undoes it.
    undo: 'needless',
    each: {
      done: 'account.endSession',
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
      body: 'All your other devices have to sign in again. Your webhooks are paused until you resume them.',
      action: 'Sign out',
    }),
    async run({ api }) {
      const { message } = await api.write('account.endOtherSessions', {})
      return { message: message }
    },
  }),
  'key.create': command({
    title: 'New API key…',
    on: 'nothing',
    group: 'add',
    icon: 'key',
    keywords: 'importer token create',
    undo: 'restores',
    asks: {
      ...asksOf(keyFields),
      // The narrowest access comes first.
      opens: ask.option({
        label: 'Sends responses to',
        options: [
          { value: 'surveys', label: 'Chosen surveys' },
          { value: 'projects', label: 'Chosen projects', detail: 'with their children' },
          { value: 'all', label: 'All surveys' },
          { value: 'services', label: 'Chosen services', detail: 'sends visits' },
          { value: 'all_services', label: 'All services', detail: 'sends visits' },
        ],
      }),
      surveys: ask.entities({ kind: 'survey', label: 'Surveys', min: 1, when: ({ opens }) => opens === 'surveys' }),
      projects: ask.entities({
        kind: ['project', 'campaign'],
        label: 'Projects',
        min: 1,
        when: ({ opens }) => opens === 'projects',
      }),
      services: ask.entities({ kind: 'service', label: 'Services', min: 1, when: ({ opens }) => opens === 'services' }),
      ...expiryAsks,
      reads: ask.option({
        label: 'Reads questions',
        options: [
          { value: 'yes', label: 'Yes' },
          { value: 'no', label: 'No' },
        ],
      }),
    },
    async run({ api, answers }) {
      const { name, surveys, projects, services, opens, reads } = answers
      const { data } = await api.write('key.create', {
        ...{ name, surveys, projects, services, all_services: opens === 'all_services' },
        ...{ expires_on: lastDayOf(answers), reads: reads === 'yes' },
      })
      return {
        dialog: { title: `API key “${data.name}”`, body: shownOnceText('key', data.reach), copy: data.key },
      }
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof accountCommands> {}
}
