import { isolateBidi } from '../../../contract/bidi.ts'
import { locationFields } from '../../../contract/locationFields.ts'
import type { Api } from '../../data/api.ts'
import { ask, command } from '../command.ts'
import { idsOf, inField, linkedWords, several } from '../placeWords.ts'
import { type Option, recordOf, type Subject } from '../subject.ts'
import { listed } from '../words.ts'

/** Reads the groups of an activity's client that aren't linked to it. */
async function groupsFor(api: Api, activity: Subject): Promise<Option[]> {
  const { data } = await api.read('activity.availableGroups', { id: activity.id })
  return data.map(({ id, name, locations_count }) => ({
    value: String(id),
    label: name,
    detail: several(locations_count, 'location', 'locations'),
  }))
}

/** The location groups that an activity is fielded in (screens-people-places-rewards, Places). */
export const activityGroupCommands = {
  'activity.linkGroups': command({
    title: 'Link location groups…',
    on: 'activity',
    rule: null,
    many: true,
    keywords: 'target places stores',
    icon: 'link',
    undo: 'restores',
    asks: {
      groups: ask.entities({
        kind: 'group',
        label: locationFields.group_ids.label,
        among: async (api, [activity]) => groupsFor(api, activity!),
      }),
    },
    confirm: (activities, { groups = [] }) => ({
      title: `Link ${several(groups.length, 'location group', 'location groups')} to ${listed(activities)}?`,
      body: 'It’s fielded at their locations.',
      action: 'Link',
    }),
    async foresees({ api, subjects, answers, signal }) {
      const input = { activity_ids: idsOf(subjects), location_group_ids: answers.groups }
      const { data } = await api.dryRun('activity.linkGroups', input, signal)
      return { body: linkedWords(data) }
    },
    async run({ api, subjects, answers }) {
      const { message } = await api.write('activity.linkGroups', {
        activity_ids: idsOf(subjects),
        location_group_ids: answers.groups,
      })
      return { message }
    },
  }),
  'activity.unlinkGroup': command({
    title: 'Unlink location group',
    on: 'activityGroup',
    rule: null,
    many: true,
    keywords: 'remove disconnect',
    icon: 'x',
    undo: 'restores',
    confirm: (subjects) => ({
      title: `Unlink ${listed(subjects)} from “${isolateBidi(String(subjects[0]?.record?.activity_name ?? 'the activity'))}”?`,
      body: 'The group and its locations stay.',
      action: 'Unlink',
    }),
    async foresees({ api, subjects, signal }) {
      const { data } = await api.dryRun('activity.unlinkGroup', linkOf(subjects), signal)
      const activity = `“${isolateBidi(String(subjects[0]?.record?.activity_name ?? ''))}”`
      const fewer = data.lost
        ? `${activity} targets ${several(data.lost, 'location', 'locations')} fewer`
        : `${activity} targets the same locations by its other groups`
      const left = data.locations ? '.' : ': its market areas decide then.'
      return { body: `${inField(data.live)}${fewer}${left}` }
    },
    async run({ api, subjects }) {
      const { message } = await api.write('activity.unlinkGroup', linkOf(subjects))
      return { message }
    },
  }),
} as const

const linkOf = (subjects: readonly Subject[]) => ({
  activity_id: Number(recordOf(subjects[0], 'activityGroup').activity_id),
  location_group_ids: idsOf(subjects),
})

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof activityGroupCommands> {}
}

declare module '../subject.ts' {
  interface AddedToRecords {
    activityGroup: { activity_id: number; activity_name: string }
  }
}
