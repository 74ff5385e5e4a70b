import { isolateBidi } from '../../../contract/bidi.ts'
import { pick } from '../../../contract/fieldKinds.ts'
import { groupFields } from '../../../contract/groupFields.ts'
import type { Api } from '../../data/api.ts'
import { href } from '../../routing/routes.ts'
import { ask, command } from '../command.ts'
import { answered, asksOf, editAsksOf, saves } from '../fieldAsks.ts'
import { idsOf, inField, linkedWords, several } from '../placeWords.ts'
import { restoreOf } from '../restoring.ts'
import { idAbove, type Option, recordOf, type Subject } from '../subject.ts'
import { either, listed, named, noticeOf } from '../words.ts'

/** Columns of the export. Importing the table of lists for them would be too heavy. */
const IN_A_FILE = ['id', 'name', 'address', 'city', 'state', 'zip', 'group', 'position', 'latitude', 'longitude', 'created_at']
const newFields = pick(groupFields, 'client_id', 'name')
const { client_id, name } = asksOf(newFields)
const nameFields = pick(groupFields, 'name')
const quoted = (text: unknown): string => `“${isolateBidi(String(text ?? ''))}”`

/** Returns a group's client; a link or the palette's index knows only the group's name. */
async function clientOf(api: Api, group: Subject): Promise<{ id: number; name: string }> {
  const { client_id, client_name } = recordOf(group, 'group')
  if (typeof client_id === 'number') return { id: client_id, name: String(client_name ?? '') }
  const { data } = await api.read('group.get', { id: group.id })
  return { id: data.client_id, name: data.client_name }
}

/** Reads a client's groups except these. */
async function otherGroups(api: Api, client_id: number, but: readonly number[]): Promise<Option[]> {
  const { data } = await api.read('group.list', { client_id, per_page: 500 })
  return data
    .filter(({ id }) => !but.includes(id))
    .map((group) => ({
      value: String(group.id),
      label: group.name,
      detail: several(group.locations_count, 'location', 'locations'),
    }))
}

/** Returns the group that a row's location is a member of. */
const groupIdOf = (subject: Subject | undefined): number => Number(recordOf(subject, 'groupLocation').group_id)
const groupNameOf = (subject: Subject | undefined): string => {
  const { group_name } = recordOf(subject, 'groupLocation')
  return group_name ? quoted(group_name) : 'the group'
}

/** Describes the result: "2 activities target 36 locations afterwards."; empty if no activity uses the group. */
const afterwards = ({ activities, locations }: { activities: number; locations: number }): string =>
  activities
    ? ` ${several(activities, 'activity targets', 'activities target')} ${several(locations, 'location', 'locations')} afterwards.`
    : ''

/** Location groups (people-area 2 and 5; screens-people-places-rewards, Places). */
export const groupCommands = {
  'group.open': command({
    title: 'Open location group',
    on: 'group',
    rule: null,
    icon: 'panel',
    undo: 'needless',
    run: ({ workspace, subject }) => workspace.open(href('group', { id: subject.id }, { tab: 'details' }), 'tab'),
  }),
  'group.create': command({
    title: 'New location group…',
    detail: 'of a client',
    on: 'nothing',
    group: 'add',
    keywords: 'add target location list',
    icon: 'plus',
    undo: 'restores',
    asks: {
      client_id: ask.entity({
        ...client_id,
        prefill: (_subjects, workspace) => {
          const shown = workspace?.subjects().focused
          return shown?.kind === 'client' ? shown.id : idAbove(shown, 'client')
        },
      }),
      name,
    },
    async run({ api, answers, workspace }) {
      const { data } = await api.write('group.create', answered(newFields, answers))
      workspace.open(href('group', { id: data.id }, { tab: 'locations' }))
      return { message: noticeOf('group.create', { name: data.name, noun: 'group' }) }
    },
  }),
  'group.rename': command({
    title: 'Rename location group…',
    on: 'group',
    rule: 'group.edit',
    keywords: 'edit name target',
    icon: 'pencil',
    undo: 'restores',
    asks: editAsksOf(nameFields),
    run: saves('group', nameFields),
  }),
  'group.addLocations': command({
    title: 'Add locations…',
    detail: 'to the group',
    on: 'group',
    keywords: 'place store',
    icon: 'plus',
    undo: 'restores',
    asks: { locations: ask.entities({ kind: 'location', label: 'Locations' }) },
    confirm: ([group], { locations = [] }) => ({
      title: `Add ${several(locations.length, 'location', 'locations')} to ${group ? named(group) : 'the group'}?`,
      body: 'The activities of the group are fielded there too.',
      action: 'Add',
    }),
    async foresees({ api, subjects: [group], answers, signal }) {
      const input = { location_group_id: group!.id, location_ids: answers.locations }
      const { data, message } = await api.dryRun('group.addLocations', input, signal)
      const there = data.unchanged ? ` ${several(data.unchanged, 'is', 'are')} in it already.` : ''
      return {
        body: `${inField(data.live)}${message}${there}${afterwards(data)}`,
      }
    },
    async run({ api, subject, answers }) {
      const { message } = await api.write('group.addLocations', {
        location_group_id: subject.id,
        location_ids: answers.locations,
      })
      return { message }
    },
  }),
  'group.removeLocations': command({
    title: 'Remove from group',
    on: 'groupLocation',
    rule: null,
    many: true,
    keywords: 'take out leave location',
    icon: 'leave',
    undo: 'restores',
    confirm: (subjects) => ({
      title: `Remove ${listed(subjects)} from ${groupNameOf(subjects[0])}?`,
      body: `${either(subjects, 'The location stays.', 'The locations stay.')}`,
      action: 'Remove',
    }),
    async foresees({ api, subjects, signal }) {
      const input = { location_group_id: groupIdOf(subjects[0]), location_ids: idsOf(subjects) }
      const { data } = await api.dryRun('group.removeLocations', input, signal)
      return {
        body: `${inField(data.live)}${either(subjects, 'The location stays.', 'The locations stay.')}${afterwards(data)}`,
      }
    },
    async run({ api, subjects }) {
      const { message } = await api.write('group.removeLocations', {
        location_group_id: groupIdOf(subjects[0]),
        location_ids: idsOf(subjects),
      })
      return { message }
    },
  }),
  'group.moveLocations': command({
    title: 'Move to another group…',
    on: 'groupLocation',
    rule: null,
    many: true,
    keywords: 'location list',
    icon: 'arrows',
    undo: 'restores',
    asks: {
      to: ask.entity({
        kind: 'group',
        label: 'To group',
        async among(api, [subject]) {
          const from = groupIdOf(subject)
          const { data } = await api.read('group.get', { id: from })
          return otherGroups(api, data.client_id, [from])
        },
      }),
    },
    confirm: (subjects) => ({
      title: `Move ${listed(subjects)} out of ${groupNameOf(subjects[0])}?`,
      body: 'Locations already in the other group only leave this one.',
      action: 'Move',
    }),
    async foresees({ api, subjects, answers, signal }) {
      const input = { location_group_id: groupIdOf(subjects[0]), to_id: answers.to, location_ids: idsOf(subjects) }
      const { data, message } = await api.dryRun('group.moveLocations', input, signal)
      const there = data.unchanged ? ` ${several(data.unchanged, 'is', 'are')} in the other group already.` : ''
      return {
        body: `${inField(data.live)}${message}${there}${afterwards(data)}`,
      }
    },
    async run({ api, subjects, answers }) {
      const { message } = await api.write('group.moveLocations', {
        location_group_id: groupIdOf(subjects[0]),
        to_id: answers.to,
        location_ids: idsOf(subjects),
      })
      return { message }
    },
  }),
  'group.linkActivities': command({
    title: 'Link activities…',
    on: 'group',
    rule: null,
    many: true,
    keywords: 'activity field target',
    icon: 'link',
    undo: 'restores',
    asks: {
      activities: ask.entities({
        kind: 'activity',
        label: 'Activities',
        async among(api, [group]) {
          const client = await clientOf(api, group!)
          const [{ data }, linked] = await Promise.all([
            api.read('activity.list', { search: client.name, per_page: 500 }),
            api.read('group.get', { id: group!.id }),
          ])
          const there = new Set(linked.data.activities.map(({ id }) => id))
          return data
            .filter((one) => one.client_id === client.id && !there.has(one.id))
            .map((one) => ({ value: String(one.id), label: one.name, detail: one.project_name }))
        },
      }),
    },
    confirm: (groups, { activities = [] }) => ({
      title: `Link ${several(activities.length, 'activity', 'activities')} to ${listed(groups)}?`,
      body: 'They’re fielded at its locations.',
      action: 'Link',
    }),
    async foresees({ api, subjects, answers, signal }) {
      const input = { activity_ids: answers.activities, location_group_ids: idsOf(subjects) }
      const { data } = await api.dryRun('activity.linkGroups', input, signal)
      return { body: linkedWords(data) }
    },
    async run({ api, subjects, answers }) {
      const { message } = await api.write('activity.linkGroups', {
        activity_ids: answers.activities,
        location_group_ids: idsOf(subjects),
      })
      return { message }
    },
  }),
  'group.merge': command({
    title: 'Merge into…',
    detail: 'one group of the client, without repeats',
    on: 'group',
    many: true,
    keywords: 'join combine duplicates',
    icon: 'arrows',
    undo: 'restores',
    asks: {
      into: ask.entity({
        kind: 'group',
        label: 'Group that stays',
        async among(api, subjects) {
          const client = await clientOf(api, subjects[0]!)
          return otherGroups(api, client.id, subjects.length > 1 ? [] : idsOf(subjects))
        },
      }),
    },
    confirm: (subjects) => ({
      title: `Merge ${listed(subjects)}?`,
      body: 'The group that stays gets their locations without repeated addresses, and their activities; the others are deleted.',
      action: 'Merge',
    }),
    async foresees({ api, subjects, answers, signal }) {
      const { data, effect } = await api.dryRun('group.merge', mergeOf(subjects, answers.into), signal)
      const repeats = effect.repeated ? ` ${several(effect.repeated, 'repeat is', 'repeats are')} dropped.` : ''
      const activities = effect.activities ? ` ${several(effect.activities, 'activity moves', 'activities move')} to it.` : ''
      return {
        title: `Merge ${several(effect.merged, 'group', 'groups')} into ${quoted(data.name)}?`,
        body: `${inField(effect.live)}It gets ${several(effect.added, 'location', 'locations')}.${repeats}${activities} The other ${effect.merged === 1 ? 'group is' : 'groups are'} deleted.`,
      }
    },
    async run({ api, subjects, answers, workspace }) {
      const { data, message } = await api.write('group.merge', mergeOf(subjects, answers.into))
      const shown = workspace.subjects().focused
      if (shown?.kind === 'group' && shown.id !== data.id) workspace.open(href('group', { id: data.id }, { tab: 'details' }))
      return { message }
    },
  }),
  'group.copy': command({
    title: 'Copy to a client…',
    detail: 'with its locations',
    on: 'group',
    keywords: 'duplicate',
    icon: 'copy',
    undo: 'restores',
    asks: {
      client_id: ask.entity({ ...client_id, prefill: ([group]) => idAbove(group, 'client') }),
      name: ask.text({ ...name, prefill: ([group]) => `${group?.name ?? ''} (copy)` }),
    },
    async run({ api, subject, answers, workspace }) {
      const { data } = await api.write('group.copy', {
        location_group_id: subject.id,
        ...answered(newFields, answers),
      })
      workspace.open(href('group', { id: data.id }, { tab: 'details' }), 'tab')
      const rest = ` with ${several(data.locations_count, 'location', 'locations')}`
      return { message: noticeOf('group.copy', { name: data.name, rest }) }
    },
  }),
  'group.export': command({
    title: 'Export locations',
    detail: 'of the group, as CSV',
    on: 'group',
    rule: null,
    keywords: 'csv download addresses',
    icon: 'download',
    undo: 'needless',
    async run({ api, subject, workspace }) {
      const filter = { group_id: subject.id }
      const { data: job, message } = await api.write('export.start', {
        source: 'locations',
        filter,
        columns: [...IN_A_FILE],
        format: 'csv',
      })
      workspace.follow(job.id, 'Export ready')
      return { message }
    },
  }),
  'group.remove': command({
    title: 'Delete location group',
    on: 'group',
    many: true,
    danger: true,
    keywords: 'remove target list',
    icon: 'trash',
    undo: 'restores',
    confirm: (subjects) => ({
      title: `Delete ${listed(subjects)}?`,
      body: either(subjects, 'Its locations stay.', 'Their locations stay.'),
      action: 'Delete',
    }),
    async foresees({ api, subjects, signal }) {
      const { data } = await api.dryRun('group.remove', { ids: idsOf(subjects) }, signal)
      const lost = data.activities
        ? `${several(data.activities, 'activity loses', 'activities lose')} ${several(data.locations, 'location', 'locations')}. `
        : ''
      return { body: `${inField(data.live)}${lost}The locations stay.` }
    },
    async run({ api, subjects }) {
      const { message } = await api.write('group.remove', { ids: idsOf(subjects) })
      return { message }
    },
  }),
  'group.restore': restoreOf('group'),
} as const

/** When several groups are merged, the one that stays is no source. */
const mergeOf = (subjects: readonly Subject[], into: number) => ({
  ids: idsOf(subjects).filter((id) => id !== into),
  into_id: into,
})

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof groupCommands> {}
}

declare module '../subject.ts' {
  interface AddedToRecords {
    groupLocation: { group_id: number; group_name: string }
  }
}
