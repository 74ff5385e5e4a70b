import { z } from 'zod'
import { Allowed, call, Effected, EffectSentence, Id, Lock, listOf, one } from './call.ts'
import { StoredStatus } from './enums.ts'
import { createShape, editShape, plainSchema } from './fieldInput.ts'
import { groupFields } from './groupFields.ts'
import { HistoryLines } from './historyLine.ts'
import { listInput, paged } from './listInput.ts'
import { sortsOf } from './lists.ts'
import { Location, locationFilter } from './location.ts'
import { locationFields } from './locationFields.ts'
import { MESSAGES } from './messages.ts'

/** A location group in lists, under both its names (people-area 3). */
export const GroupRow = z.object({
  id: z.number(),
  location_group_id: z.number(),
  name: z.string(),
  location_name: z.string(),
  client_id: z.number(),
  client_name: z.string(),
  locations_count: z.number(),
  /** Locations positioned by ZIP or city. */
  approximate_count: z.number(),
  unplaced_count: z.number(),
  activities_count: z.number(),
  /** The newest file it was imported from; blank and null if it was created by hand. */
  file_name: z.string(),
  file_at: z.string().nullable(),
  import_id: z.number().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  lock_version: z.number(),
  ...Allowed,
})
export type GroupRow = z.infer<typeof GroupRow>

const Market = z.object({ dma_code: z.number(), dma_name: z.string(), locations: z.number() })
/** A location group with its contents and where it is used. */
export const LocationGroup = GroupRow.extend({
  positions: z.object({ exact: z.number(), zip: z.number(), city: z.number(), none: z.number() }),
  /** How many market areas its locations lie in, and the five with the most locations. */
  markets_count: z.number(),
  markets: z.array(Market),
  activities: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      project_id: z.number(),
      project_name: z.string(),
      /** The project's status. */
      status: StoredStatus,
      stored_status: StoredStatus,
      linked_at: z.string().nullable(),
      lock_version: z.number(),
    }),
  ),
  /** The file it was imported from, with its figures; null if it was created by hand. */
  import: z
    .object({
      id: z.number(),
      file: z.string(),
      file_id: z.number(),
      at: z.string(),
      created: z.number(),
      reused: z.number(),
      repeated: z.number(),
      failed: z.number(),
    })
    .nullable(),
})
export type LocationGroup = z.infer<typeof LocationGroup>

/** A group that an activity targets. Client users get only names and counts. */
const LinkedGroup = GroupRow.pick({
  id: true,
  location_group_id: true,
  name: true,
  location_name: true,
  locations_count: true,
}).extend({
  client_id: z.number().optional(),
  approximate_count: z.number().optional(),
  unplaced_count: z.number().optional(),
  markets_count: z.number().optional(),
  linked_at: z.string().nullable().optional(),
  lock_version: z.number().optional(),
})

const { client_id, ...made } = createShape(groupFields)
const renamed = editShape(groupFields)
/** The name of a group, under the specification's other name as well. */
export const groupName = { ...renamed, location_name: renamed.name }
const ids = plainSchema(groupFields.location_ids)
const columns = sortsOf('group')
const ListInput = z.object({
  ...listInput(columns),
  client_id: Id.optional(),
  /** Whether it is linked to an activity. */
  used: z.enum(['', 'yes', 'no']).default(''),
  /** Groups with locations positioned this way; `missing` means without a position. */
  position: z.enum(['', 'exact', 'approximate', 'missing']).default(''),
})
const Written = one(LocationGroup).extend({ message: EffectSentence })
/** A group, by either name of its id. */
const Which = { id: Id.optional(), location_group_id: Id.optional() }
/** A group and one or more locations. */
const Members = z.object({ location_group_id: Id, location_id: Id.optional(), location_ids: ids.optional() })
/** How many were added or already there, the activities that target the group, and its locations afterwards. */
const Changed = z.object({
  changed: z.number(),
  unchanged: z.number(),
  activities: z.number(),
  locations: z.number(),
  /** Names of the group's activities in field. */
  live: z.array(z.string()),
})

/** Location groups: a client's target location lists, and the activities that target them. */
export const locationGroupCalls = {
  'group.list': call({
    method: 'GET',
    path: '/v3/portal/locationgroups',
    about: 'Lists the location groups of all clients by search and filter, 10 a page.',
    input: ListInput,
    output: listOf(GroupRow),
  }),
  'group.get': call({
    method: 'GET',
    path: '/v3/portal/locationgroups/{id}',
    about: 'Returns one location group: what it holds, and which activities use it.',
    input: z.object({ id: Id }),
    output: one(LocationGroup),
  }),
  'group.history': call({
    method: 'GET',
    path: '/v3/portal/locationgroups/{id}/history',
    about: 'Lists the history of a location group, newest first, 10 lines a page.',
    input: z.object({ id: Id, ...paged() }),
    output: HistoryLines,
  }),
  'group.locations': call({
    method: 'GET',
    path: '/v3/portal/locationgroups/{id}/location',
    about: 'Lists the locations of a group, 10 a page.',
    input: z.object({ id: Id, ...listInput(sortsOf('location')), ...locationFilter }),
    output: z.object({ data: z.object({ locations: z.array(Location) }), count: z.number(), page: z.number() }),
  }),
  'group.searchLocations': call({
    method: 'GET',
    path: '/v3/portal/locations/perlocationgroup/search',
    about: 'Lists the locations of a group by search and filter, 10 a page.',
    input: z.object({ location_group_id: Id, ...listInput(sortsOf('location')), ...locationFilter }),
    output: listOf(Location),
  }),
  'group.create': call({
    method: 'POST',
    path: '/v3/portal/locationgroups',
    about: 'Adds a location group to a client, with locations and linked to an activity in one write.',
    wraps: 'location_group',
    undo: true,
    input: z.object({
      client_id,
      ...made,
      ...groupName,
      activity_id: Id.optional(),
    }),
    output: Written,
    refreshes: ['location', 'activity', 'client', 'history'],
  }),
  'group.edit': call({
    method: 'PUT',
    path: '/v3/portal/locationgroups',
    about: 'Renames a location group; it stays with its client.',
    wraps: 'location_group',
    reads: { call: 'group.get', by: { id: 'location_group_id' } },
    undo: true,
    input: z.object({
      ...Which,
      client_id: client_id.optional(),
      ...groupName,
      lock_version: Lock,
    }),
    output: Written,
    refreshes: ['location', 'activity', 'history'],
  }),
  'group.remove': call({
    method: 'DELETE',
    path: '/v3/portal/locations/group',
    about: 'Deletes a location group softly, or several with ids; its locations stay. Returns what activities lose.',
    undo: true,
    input: z.object({ ...Which, ids: ids.optional() }),
    output: Effected.extend({
      data: z.object({ groups: z.number(), activities: z.number(), locations: z.number(), live: z.array(z.string()) }),
    }),
    refreshes: ['location', 'activity', 'client', 'history'],
  }),
  'group.addLocations': call({
    method: 'POST',
    path: '/v3/portal/locationgroups/addlocation',
    about: 'Adds a location to a group, or several with location_ids; what is in it already is counted as unchanged.',
    undo: true,
    input: Members,
    output: Effected.extend({ data: Changed }),
    refreshes: ['location', 'activity', 'history'],
  }),
  'group.removeLocations': call({
    method: 'DELETE',
    path: '/v3/portal/locationgroups/removelocation',
    about: 'Removes a location from a group, or several with location_ids; the locations stay.',
    undo: true,
    input: Members,
    output: Effected.extend({ data: Changed }),
    refreshes: ['location', 'activity', 'history'],
  }),
  'group.moveLocations': call({
    method: 'POST',
    path: '/v3/portal/locationgroups/movelocation',
    about: 'Moves locations from one group to another; those already in the other only leave the first.',
    undo: true,
    input: z.object({
      location_group_id: Id,
      to_id: Id,
      location_ids: plainSchema({ ...groupFields.location_ids, required: MESSAGES.chooseLocation }),
    }),
    output: Effected.extend({ data: Changed }),
    refreshes: ['location', 'activity', 'history'],
  }),
  'group.merge': call({
    method: 'POST',
    path: '/v3/portal/locationgroups/merge',
    about:
      'Merges groups of a client into one: it gets their locations without repeated addresses, and their activities; the others are deleted.',
    undo: true,
    input: z.object({ ids: plainSchema({ ...locationFields.group_ids, required: MESSAGES.chooseGroup }), into_id: Id }),
    output: Written.extend({
      effect: z.object({
        merged: z.number(),
        added: z.number(),
        repeated: z.number(),
        activities: z.number(),
        live: z.array(z.string()),
      }),
    }),
    refreshes: ['location', 'activity', 'client', 'history'],
  }),
  'group.copy': call({
    method: 'POST',
    path: '/v3/portal/locationgroups/copy',
    about: 'Copies a location group with its locations, to its own client or another; not the activities it is linked to.',
    undo: true,
    input: z.object({ ...Which, client_id: client_id.optional(), name: groupName.name }),
    output: Written,
    refreshes: ['location', 'client', 'history'],
  }),
  'activity.groups': call({
    method: 'GET',
    path: '/v3/portal/activities/{id}/locationgroup',
    about: 'Lists the location groups of an activity; client users get the names and counts for activities they see.',
    input: z.object({ id: Id }),
    output: listOf(LinkedGroup).extend({
      /** Distinct locations in all of the groups. */
      locations: z.number(),
      activity: z.object({
        id: z.number(),
        name: z.string(),
        project_id: z.number(),
        project_name: z.string(),
        status: StoredStatus,
        stored_status: StoredStatus,
      }),
    }),
  }),
  'activity.availableGroups': call({
    method: 'GET',
    path: '/v3/portal/activities/{id}/available_locationgroups',
    about: "Lists the groups of the activity's client that aren't linked to it, by search.",
    input: z.object({ id: Id, ...listInput(columns, 500) }),
    output: listOf(GroupRow),
  }),
  'activity.linkGroups': call({
    method: 'POST',
    path: '/v3/portal/activities/location',
    about: 'Links location groups of its client to an activity, or to several; what is linked already is counted as unchanged.',
    undo: true,
    input: z.object({
      activity_id: Id.optional(),
      activity_ids: ids.optional(),
      location_group_id: Id.optional(),
      location_group_ids: ids.optional(),
    }),
    output: Effected.extend({
      data: z.object({
        linked: z.number(),
        unchanged: z.number(),
        /** Distinct locations of the linked groups, their market areas, and how many were targeted before. */
        locations: z.number(),
        markets: z.number(),
        targeted: z.number(),
        live: z.array(z.string()),
      }),
    }),
    refreshes: ['group', 'project', 'history'],
  }),
  'activity.unlinkGroup': call({
    method: 'DELETE',
    path: '/v3/portal/activities/location',
    about: 'Unlinks a location group from an activity, or several; the group stays.',
    undo: true,
    input: z.object({
      activity_id: Id.optional(),
      activity_ids: ids.optional(),
      location_group_id: Id.optional(),
      location_group_ids: ids.optional(),
    }),
    output: Effected.extend({
      data: z.object({
        unlinked: z.number(),
        unchanged: z.number(),
        /** Locations that the activities no longer target, and those they target afterwards. */
        lost: z.number(),
        locations: z.number(),
        live: z.array(z.string()),
      }),
    }),
    refreshes: ['group', 'project', 'history'],
  }),
} as const
