import { pick } from '../../../contract/fieldKinds.ts'
import { count } from '../../../contract/format.ts'
import { brandFields } from '../../../contract/visitationFields.ts'
import type { Api } from '../../data/api.ts'
import { everyClientUser } from '../../data/clientUsers.ts'
import { href } from '../../routing/routes.ts'
import { bulkEditOf } from '../bulkEdit.ts'
import { ask, command } from '../command.ts'
import { answered, asksOf } from '../fieldAsks.ts'
import { restoreOf } from '../restoring.ts'
import { setActive } from '../setActive.ts'
import { type Option, recordOf, type Subject } from '../subject.ts'
import { either, listed, named, noticeOf } from '../words.ts'

const MOST = 4
const nameFields = pick(brandFields, 'name')
const brandInfo = (id: number) => href('brand', { id, filter: 'none' })
const servicesOf = (subject: Subject | undefined) => recordOf(subject, 'brand').children ?? []
const activeServices = (subject: Subject | undefined): number =>
  servicesOf(subject).filter(({ status }) => status === 'active').length
/** Reads client users; only they can be given services. */
export async function clientUsers(api: Api): Promise<Option[]> {
  return (await everyClientUser(api)).map(({ id, name, email }) => ({ value: String(id), label: name || email, detail: email }))
}

/** Brands whose visits are counted (screens-visitation.md, All brands). */
export const brandCommands = {
  'brand.create': command({
    title: 'New brand…',
    on: 'nothing',
    group: 'add',
    keywords: 'add visitation chain',
    icon: 'plus',
    undo: 'restores',
    asks: asksOf(nameFields),
    async run({ api, answers, workspace }) {
      const { data } = await api.write('brand.create', answered(nameFields, answers))
      workspace.open(href('brandEditor', { id: data.id }))
      return { message: noticeOf('brand.create', { name: data.name, noun: 'brand' }) }
    },
  }),
  'brand.edit': command({
    title: 'Edit brand',
    detail: 'its services, categories and users',
    on: 'brand',
    keywords: 'change editor rename dates categories users',
    icon: 'pencil',
    undo: 'needless',
    opens: ([subject]) => (subject ? href('brandEditor', { id: subject.id }) : null),
    run: ({ workspace, subject }) => workspace.open(href('brandEditor', { id: subject.id }), 'here'),
  }),
  'brand.setActive': setActive('brand'),
  'brand.compare': command({
    title: 'Compare brands…',
    detail: '2 to 4 side by side',
    on: 'brand',
    many: true,
    rule: null,
    keywords: 'side by side difference versus benchmark linked columns',
    icon: 'columns',
    undo: 'needless',
    disabledReason: (_workspace, subjects) =>
      subjects.length > MOST ? `at most ${MOST} can be compared, and ${subjects.length} are selected` : null,
    asks: {
      with: ask.entities({
        kind: 'brand',
        label: 'Compare with',
        min: 1,
        max: MOST - 1,
        when: (_answers: unknown, subjects: readonly Subject[]) => subjects.length === 1,
        among: async (api, subjects) =>
          (await api.read('brand.list', { status: '1', per_page: 100, column: 'name' })).data
            .filter(({ id }) => !subjects.some((subject) => subject.id === id))
            .map(({ id, name }) => ({ value: String(id), label: name })),
      }),
    },
    run({ workspace, subjects, answers }) {
      const refs = [...subjects.map(({ id }) => id), ...(subjects.length === 1 ? (answers.with ?? []) : [])].map(brandInfo)
      workspace.compare.open(refs)
      return { note: `${Math.min(MOST, refs.length)} brands side by side, compared with ${named(subjects[0]!)}` }
    },
  }),
  'brand.compactView': command({
    title: 'Columns or list',
    titleNow: (workspace) => (workspace.list()?.compact ? 'Show as list' : 'Show as columns'),
    detail: 'names in columns of 15',
    on: 'nothing',
    group: 'list',
    keywords: 'compact view switch names visitation',
    icon: 'columns',
    disabledReason: (workspace) => (workspace.list()?.toggleCompact ? null : 'there is no list of services or brands here'),
    run: ({ workspace }) => workspace.list()?.toggleCompact?.(),
  }),
  'brand.newService': command({
    title: 'New service',
    detail: 'of this brand',
    on: 'brand',
    rule: 'brand.edit',
    keywords: 'add create venues visitation',
    icon: 'plus',
    undo: 'needless',
    opens: ([subject]) => (subject ? href('newService', { id: subject.id }) : null),
    run: ({ workspace, subject }) => workspace.open(href('newService', { id: subject.id }), 'here'),
  }),
  'brand.giveAll': command({
    title: 'Give users access to all services…',
    on: 'brand',
    rule: 'brand.edit',
    keywords: 'access share add user see',
    icon: 'user',
    undo: 'restores',
    disabledReason: (_workspace, [brand]) => (brand?.record && !servicesOf(brand).length ? 'it has no service yet' : null),
    asks: { users: ask.entities({ kind: 'user', label: 'Users', among: clientUsers }) },
    confirm: ([brand], { users = [] }) => ({
      title: `Give ${count(users.length)} ${users.length === 1 ? 'user' : 'users'} access to all services of ${brand ? named(brand) : 'the brand'}?`,
      body: 'They see them at once.',
      action: 'Give access',
    }),
    async run({ api, subject, answers }) {
      const { message } = await api.write('service.setUsers', {
        user_ids: answers.users,
        add: servicesOf(subject).map(({ id }) => id),
        remove: [],
      })
      return { message }
    },
  }),
  'brand.editField': bulkEditOf('brand', brandFields),
  'brand.remove': command({
    title: 'Delete brand',
    on: 'brand',
    many: true,
    danger: true,
    keywords: 'remove visitation',
    icon: 'trash',
    undo: 'restores',
    excludes: (subject) => {
      const active = activeServices(subject)
      return active ? `${count(active)} ${active === 1 ? 'service is' : 'services are'} active` : null
    },
    confirm: (subjects) => ({
      title: `Delete ${listed(subjects)}?`,
      body: `${either(subjects, 'Its', 'Their')} inactive services go with ${either(subjects, 'it', 'them')}. Visits stay. You can undo this.`,
      action: 'Delete',
    }),
    each: {
      done: 'brand.remove',
      one: ({ api, subject, signal }) => api.write('brand.remove', { id: subject.id }, { signal }),
    },
  }),
  'brand.restore': restoreOf('brand'),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof brandCommands> {}
}
