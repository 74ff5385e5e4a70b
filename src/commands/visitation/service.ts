import { count } from '../../../contract/format.ts'
import { serviceFields } from '../../../contract/visitationFields.ts'
import type { Api } from '../../data/api.ts'
import { href } from '../../routing/routes.ts'
import { bulkEditOf } from '../bulkEdit.ts'
import { ask, command } from '../command.ts'
import { editAsksOf, saves } from '../fieldAsks.ts'
import { restoreOf } from '../restoring.ts'
import { setActive } from '../setActive.ts'
import { idAbove, type Option, recordOf, type Subject } from '../subject.ts'
import { either, listed } from '../words.ts'
import { clientUsers } from './brand.ts'

const idsOf = (subjects: readonly Subject[]): number[] => subjects.map(({ id }) => id)
const sum = (subjects: readonly Subject[], field: 'users_count' | 'venues_count' | 'completed'): number =>
  subjects.reduce((all, subject) => all + Number(recordOf(subject, 'service')[field] ?? 0), 0)
const several = (number: number, one: string, many: string) => `${count(number)} ${number === 1 ? one : many}`

/** What the palette asks of a service; another command changes its status. */
const { status: _, ...askedFields } = serviceFields
const { category_id, s3_bucket, ordered, ...asks } = editAsksOf(askedFields)

/** Reads the users who have access to one of these services. */
async function usersOf(api: Api, services: readonly Subject[]): Promise<Option[]> {
  const reads = await Promise.all(idsOf(services).map((service_id) => api.read('service.usersOf', { service_id })))
  const users = new Map(reads.flatMap(({ data }) => data).map((user) => [user.id, user]))
  return [...users.values()].map(({ id, name, email }) => ({ value: String(id), label: name || email, detail: email }))
}

/** Services of brands, and who has access to them (screens-visitation.md, Services). */
export const serviceCommands = {
  'service.create': command({
    title: 'New service…',
    detail: 'of a brand',
    on: 'nothing',
    group: 'add',
    keywords: 'add visitation venues',
    icon: 'plus',
    undo: 'needless',
    asks: {
      brand: ask.entity({
        kind: 'brand',
        label: 'Brand',
        prefill: (_subjects, workspace) => {
          const { cursor, focused } = workspace?.subjects() ?? {}
          const shown = [focused, cursor].find((one) => one?.kind === 'brand' || one?.kind === 'service')
          return shown?.kind === 'brand' ? shown.id : idAbove(shown, 'brand')
        },
        among: async (api) =>
          (await api.read('brand.list', { status: '2', per_page: 500, column: 'name' })).data.map(({ id, name }) => ({
            value: String(id),
            label: name,
          })),
      }),
    },
    run: ({ workspace, answers }) => workspace.open(href('newService', { id: answers.brand })),
  }),
  'service.edit': command({
    title: 'Edit service…',
    on: 'service',
    keywords: 'name category bucket dates ordered term',
    icon: 'pencil',
    undo: 'restores',
    asks: {
      name: asks.name,
      category_id: ask.entity({
        ...category_id,
        optional: true,
        among: async (api) =>
          (await api.read('category.list', {})).data.map(({ id, name, sic_code }) => ({
            value: String(id),
            label: name,
            detail: sic_code,
          })),
      }),
      ordered: ask.number({ ...ordered, label: 'Ordered visits, 0 for none' }),
      start_dt: asks.start_dt,
      end_dt: asks.end_dt,
      s3_bucket: ask.text({ ...s3_bucket, usual: true }),
    },
    run: saves('service', askedFields),
  }),
  'service.setActive': setActive('service'),
  'service.users': command({
    title: 'Give access to users…',
    detail: 'client users, who then see it',
    on: 'service',
    many: true,
    keywords: 'access share add user see',
    icon: 'user',
    undo: 'restores',
    asks: { users: ask.entities({ kind: 'user', label: 'Users', among: clientUsers }) },
    confirm: (services, { users = [] }) => ({
      title: `Give ${several(users.length, 'user', 'users')} access to ${listed(services)}?`,
      body: `They see ${either(services, 'it', 'them')} at once.`,
      action: 'Give access',
    }),
    async foresees({ api, subjects, answers, signal }) {
      const { data } = await api.dryRun('service.setUsers', { user_ids: answers.users, add: idsOf(subjects), remove: [] }, signal)
      return data.added ? null : { body: 'They already see all of it.' }
    },
    async run({ api, subjects, answers }) {
      const { message } = await api.write('service.setUsers', { user_ids: answers.users, add: idsOf(subjects), remove: [] })
      return { message }
    },
  }),
  'service.takeUsers': command({
    title: 'Remove access from users…',
    detail: 'who no longer see it',
    on: 'service',
    many: true,
    danger: true,
    keywords: 'access take revoke user',
    icon: 'leave',
    undo: 'restores',
    disabledReason: (_workspace, services) =>
      services.length && services.every(({ record }) => record?.users_count === 0) ? 'no user sees it' : null,
    asks: { users: ask.entities({ kind: 'user', label: 'Users', among: usersOf }) },
    confirm: (services, { users = [] }) => ({
      title: `Remove access to ${listed(services)} from ${several(users.length, 'user', 'users')}?`,
      body: 'They lose it at once: in lists, figures, the map and exports.',
      action: 'Remove access',
    }),
    async foresees({ api, subjects, answers, signal }) {
      const { message } = await api.dryRun(
        'service.setUsers',
        { user_ids: answers.users, add: [], remove: idsOf(subjects) },
        signal,
      )
      return { body: message }
    },
    async run({ api, subjects, answers }) {
      const { message } = await api.write('service.setUsers', { user_ids: answers.users, add: [], remove: idsOf(subjects) })
      return { message }
    },
  }),
  'service.request': command({
    title: 'Ask for access',
    detail: 'emails the administrators, once a day',
    on: 'nothing',
    keywords: 'visitation services request',
    icon: 'mail',
    irreversible: true,
    confirm: () => ({
      title: 'Ask for access to visitation?',
      body: 'Administrators get an email with your name and client.',
      action: 'Ask',
    }),
    async run({ api }) {
      const { message } = await api.write('service.request', {})
      return { message }
    },
  }),
  'service.editField': bulkEditOf('service', serviceFields),
  'service.remove': command({
    title: 'Delete service',
    on: 'service',
    many: true,
    danger: true,
    keywords: 'remove visitation',
    icon: 'trash',
    undo: 'restores',
    confirm: (services) => ({
      title: `Delete ${listed(services)}?`,
      body: `${several(sum(services, 'venues_count'), 'venue', 'venues')}, ${several(sum(services, 'completed'), 'visit', 'visits')}, ${several(sum(services, 'users_count'), 'user loses', 'users lose')} ${either(services, 'it', 'them')}. Figures leave out its visits at once. You can undo this.`,
      action: 'Delete',
    }),
    each: {
      done: 'service.remove',
      one: ({ api, subject, signal }) => api.write('service.remove', { id: subject.id }, { signal }),
    },
  }),
  'service.restore': restoreOf('service'),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof serviceCommands> {}
}
