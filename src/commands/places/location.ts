import { pick } from '../../../contract/fieldKinds.ts'
import { locationFields } from '../../../contract/locationFields.ts'
import { andThen } from '../../../contract/writeEffects.ts'
import { href } from '../../routing/routes.ts'
import { bulkEditOf } from '../bulkEdit.ts'
import { ask, command } from '../command.ts'
import { answered, asksOf, editAsksOf, saves } from '../fieldAsks.ts'
import { idsOf, several } from '../placeWords.ts'
import { restoreOf } from '../restoring.ts'
import { either, listed, noticeOf } from '../words.ts'
import type { WorkspaceApi } from '../workspaceApi.ts'

/** Locations in a list, also as members of a group. */
const PLACES = ['location', 'groupLocation'] as const
const rules = (rule: string) => [rule, rule] as const

/** What the palette asks of a new location. */
const newFields = pick(locationFields, 'name', 'address')

/** Returns the group that the active list is filtered by. */
const groupOf = (workspace: WorkspaceApi): number | null => Number(workspace.list()?.exportable?.filter.group_id ?? 0) || null

const groups = ask.entities({ kind: 'group', label: locationFields.group_ids.label })

/** Locations (people-area 2 and 5; screens-people-places-rewards, Places). */
export const locationCommands = {
  'location.showMap': command({
    title: 'Show on a map',
    on: 'nothing',
    group: 'list',
    keywords: 'hide points',
    icon: 'visits',
    undo: 'needless',
    disabledReason: (workspace) => (workspace.list()?.toggleMap ? null : 'this list has no map'),
    run: ({ workspace }) => workspace.list()?.toggleMap?.(),
  }),
  'location.create': command({
    title: 'New location…',
    detail: 'with name and address',
    on: 'nothing',
    group: 'add',
    keywords: 'add place store',
    icon: 'plus',
    undo: 'restores',
    asks: {
      ...asksOf(newFields),
      groups: ask.entities({
        ...groups,
        optional: true,
        prefill: (_subjects, workspace) => {
          const shown = workspace?.subjects().focused
          return shown?.kind === 'group' ? [shown.id] : undefined
        },
      }),
    },
    async run({ api, answers, workspace }) {
      const { data, warnings } = await api.write('location.create', {
        ...answered(newFields, answers),
        ...(answers.groups?.length ? { group_ids: answers.groups } : {}),
      })
      workspace.open(href('locations', {}, { query: { search: data.name } }))
      return { message: andThen(noticeOf('location.create', { name: data.name, noun: 'location' }), warnings) }
    },
  }),
  'location.open': command({
    title: 'Open location',
    on: PLACES,
    rule: null,
    icon: 'panel',
    undo: 'needless',
    run: ({ workspace, subject }) => workspace.open(href('locations', {}, { query: { location: subject.id } }), 'beside'),
  }),
  'location.edit': command({
    title: 'Edit location…',
    on: PLACES,
    rule: rules('location.edit'),
    keywords: 'change name address city state zip coordinates position',
    icon: 'pencil',
    undo: 'restores',
    asks: editAsksOf(locationFields),
    run: saves('location', locationFields),
  }),
  'location.addToGroups': command({
    title: 'Add to groups…',
    on: PLACES,
    rule: rules('location.addToGroups'),
    many: true,
    keywords: 'location group list target',
    icon: 'plus',
    undo: 'restores',
    asks: { groups },
    confirm: (subjects, { groups = [] }) => ({
      title: `Add ${listed(subjects)} to ${several(groups.length, 'group', 'groups')}?`,
      body: 'The activities of these groups are fielded there too.',
      action: 'Add',
    }),
    async foresees({ api, subjects, answers, signal }) {
      const { data, message } = await api.dryRun(
        'location.addToGroups',
        { location_ids: idsOf(subjects), group_ids: answers.groups },
        signal,
      )
      const activities = data.activities ? ` ${several(data.activities, 'activity targets', 'activities target')} more.` : ''
      const there = data.unchanged ? ` ${several(data.unchanged, 'is', 'are')} in the group already.` : ''
      return { body: `${message}${activities}${data.added ? there : ''}` }
    },
    async run({ api, subjects, answers }) {
      const { message } = await api.write('location.addToGroups', {
        location_ids: idsOf(subjects),
        group_ids: answers.groups,
      })
      return { message }
    },
  }),
  'location.removeFromGroup': command({
    title: 'Remove from group',
    detail: 'the one this list is filtered by',
    on: 'location',
    rule: null,
    many: true,
    keywords: 'take out leave',
    icon: 'leave',
    undo: 'restores',
    disabledReason: (workspace) => (groupOf(workspace) ? null : 'filter the list by a group first'),
    confirm: (subjects) => ({
      title: `Remove ${listed(subjects)} from the group?`,
      body: `${either(subjects, 'The location stays', 'The locations stay')} with ${either(subjects, 'its', 'their')} other groups.`,
      action: 'Remove',
    }),
    async run({ api, subjects, workspace }) {
      const { message } = await api.write('group.removeLocations', {
        location_group_id: groupOf(workspace)!,
        location_ids: idsOf(subjects),
      })
      return { message }
    },
  }),
  'location.merge': command({
    title: 'Merge duplicates…',
    detail: 'keeps the oldest at each address',
    on: 'location',
    many: true,
    keywords: 'duplicates same address double',
    icon: 'arrows',
    undo: 'restores',
    confirm: (subjects) => ({
      title: `Merge ${listed(subjects)}?`,
      body: 'At each address the oldest stays, with the groups of all.',
      action: 'Merge',
    }),
    async foresees({ api, subjects, signal }) {
      const { data } = await api.dryRun('location.merge', { ids: idsOf(subjects) }, signal)
      if (!data.merged) return { body: 'No two have the same address.', bad: true }
      const into = `${several(data.merged, 'location', 'locations')} will be merged into ${several(data.kept, 'older one', 'older ones')} of the same address.`
      const kept = ` ${data.kept === 1 ? 'It keeps' : 'They keep'} the groups of all.`
      return {
        body: `${into}${data.groups ? kept : ''}${data.skipped ? ` ${several(data.skipped, 'has an address of its own and stays', 'have addresses of their own and stay')}.` : ''}`,
      }
    },
    async run({ api, subjects }) {
      const { message } = await api.write('location.merge', { ids: idsOf(subjects) })
      return { message }
    },
  }),
  'location.editField': bulkEditOf('location', locationFields, { on: PLACES }),
  'location.remove': command({
    title: 'Delete location',
    on: 'location',
    many: true,
    danger: true,
    keywords: 'remove place',
    icon: 'trash',
    undo: 'restores',
    confirm: (subjects) => ({
      title: `Delete ${listed(subjects)}?`,
      body: `${either(subjects, 'It leaves its', 'They leave their')} groups.`,
      action: 'Delete',
    }),
    async foresees({ api, subjects, signal }) {
      const { data } = await api.dryRun('location.remove', { ids: idsOf(subjects) }, signal)
      const they = either(subjects, 'It leaves', 'They leave')
      const activities = data.activities ? ` and ${several(data.activities, 'activity', 'activities')}` : ''
      return {
        body: data.groups
          ? `${they} ${several(data.groups, 'group', 'groups')}${activities}.`
          : `${either(subjects, 'It is', 'They are')} in no group.`,
      }
    },
    async run({ api, subjects }) {
      const { message } = await api.write('location.remove', { ids: idsOf(subjects) })
      return { message }
    },
  }),
  'location.restore': restoreOf('location'),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof locationCommands> {}
}
