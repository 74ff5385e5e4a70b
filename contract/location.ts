import { z } from 'zod'
import { Allowed, call, Effected, EffectSentence, Flag, Id, Lock, listOf, one } from './call.ts'
import { columnWord } from './enums.ts'
import { createShape, editShape, plainSchema } from './fieldInput.ts'
import { isBlank } from './fieldKinds.ts'
import { groupFields } from './groupFields.ts'
import { listInput, Named } from './listInput.ts'
import { sortsOf } from './lists.ts'
import { locationFields } from './locationFields.ts'
import { MESSAGES } from './messages.ts'
import { type Axis, readDegrees } from './position.ts'

/** How a location's position is known: exactly, by the center of its ZIP or city, or not at all. */
const POSITIONS = ['exact', 'zip', 'city', 'none'] as const
export type Position = (typeof POSITIONS)[number]
const Position = columnWord('location', 'position')

/** A location (people-area 3, Location) in lists and details. */
export const Location = z.object({
  id: z.number(),
  name: z.string(),
  address: z.string(),
  city: z.string(),
  state: z.string(),
  zip: z.string(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  position: Position,
  /** The market area whose main city is closest; null without a position. */
  dma: z.number().nullable(),
  /** The names of its groups, joined with ", ". */
  group: z.string(),
  groups: z.array(z.object({ id: z.number(), name: z.string(), client_id: z.number() })),
  /** How many other locations share its address. */
  repeats: z.number(),
  /** Set if the list is filtered by a group: when the location was added to it, and its line in the file. */
  added_at: z.string().nullable(),
  line: z.number().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  lock_version: z.number(),
  ...Allowed,
})
export type Location = z.infer<typeof Location>

/** A location in the older spelling. */
export const OlderLocation = Location.pick({
  id: true,
  name: true,
  address: true,
  group: true,
  city: true,
  state: true,
  zip: true,
  latitude: true,
  longitude: true,
  lock_version: true,
})
export const olderLocation = ({ id, name, address, group, city, state, zip, latitude, longitude, lock_version }: Location) => ({
  ...{ id, name, address, group, city, state, zip, latitude, longitude, lock_version },
})

/** A coordinate; blank and null remove it. */
export const degrees = (axis: Axis) =>
  z.preprocess((sent, at) => {
    if (isBlank(sent)) return null
    const read = readDegrees(axis, sent)
    if ('value' in read) return read.value
    at.addIssue({ code: 'custom', message: read.fault, params: { code: read.code } })
    return null
  }, z.number().nullable())
const position = { latitude: degrees('latitude').optional(), longitude: degrees('longitude').optional() }
const { group_ids, ...created } = { ...createShape(locationFields), ...position }
const edited = { ...editShape(locationFields), ...position }
/** Its groups: names joined with ", ", an id, or one exact name. Blank removes the location from all groups. */
const group = z
  .union([z.string().max(20_000), z.number()])
  .nullable()
  .optional()
const ids = plainSchema(locationFields.group_ids)
const Written = one(Location).extend({
  message: EffectSentence,
  /** What looks wrong: an unknown state or ZIP, another location at this address, coordinates that weren't taken. */
  warnings: z.array(z.string()),
  /** Up to 10 locations at the same address, oldest first. */
  same: z.array(Named),
})

const columns = sortsOf('location')
/** Filters shared by all lists of locations. */
export const locationFilter = {
  group_id: Id.optional(),
  /** Locations in any group of this client. */
  client_id: Id.optional(),
  /** A two-letter state code. */
  state: z.string().trim().max(60).default(''),
  /** `approximate` matches `zip` and `city`. */
  position: z.enum(['', ...POSITIONS, 'approximate']).default(''),
  /** Only locations whose address occurs more than once. */
  repeated: z.enum(['', 'yes']).default(''),
}
const ListInput = z.object({ ...listInput(columns), ...locationFilter })

/** How many locations leave how many groups, and the activities this affects. */
const Left = z.object({ locations: z.number(), groups: z.number(), activities: z.number() })

/** Locations, in both spellings; locationGroup.ts has their groups. */
export const locationCalls = {
  'location.list': call({
    method: 'GET',
    path: '/v3/portal/locations',
    about: 'Searches locations by name, address, city and ZIP, and by filter, 10 a page.',
    input: ListInput,
    output: listOf(Location),
  }),
  'location.listOlder': call({
    method: 'GET',
    path: '/v1/locations/locations_list',
    about: 'Lists locations, older spelling; `group` is a group’s ID or exact name.',
    input: z.object({ ...listInput(columns), group: z.string().trim().max(200).default('') }),
    output: z.object({ data: z.object({ count: z.number(), locations: z.array(OlderLocation) }) }),
  }),
  'location.dropdown': call({
    method: 'GET',
    path: '/v3/portal/locations/dropdown',
    about: 'Lists locations by ID and name.',
    input: z.object({}),
    output: listOf(Named),
  }),
  'location.points': call({
    method: 'GET',
    path: '/v3/portal/locations/points',
    about:
      "Returns the positions of a filter's locations, for a map: each as [id, latitude, longitude, 1 if exact], or squares of half a degree beyond 20,000. `group_ids` accepts several groups.",
    input: z.object({
      search: listInput(columns).search,
      ...locationFilter,
      /** Comma-separated. */
      group_ids: z.string().max(4000).default(''),
      /** Only these locations, comma-separated. */
      ids: z.string().max(60_000).default(''),
    }),
    output: listOf(z.tuple([z.number(), z.number(), z.number(), z.number()])).extend({
      squares: z.array(z.object({ latitude: z.number(), longitude: z.number(), count: z.number(), exact: z.number() })),
      /** How many of the locations have no position. */
      unplaced: z.number(),
    }),
  }),
  'location.find': call({
    method: 'POST',
    path: '/v3/portal/locations/find',
    about:
      'Looks up pasted lines, each an address or an ID: the location, several candidates, or none with the address split into parts.',
    keepsNothing: true,
    input: z.object({ lines: z.array(z.string().max(500)).min(1).max(1000), group_id: Id.optional() }),
    output: z.object({
      data: z.array(
        z.object({
          line: z.string(),
          found: z.enum(['one', 'several', 'none']),
          locations: z.array(Named.extend({ address: z.string(), in_group: z.boolean() })),
          parts: z.object({ street: z.string(), city: z.string(), state: z.string(), zip: z.string() }),
        }),
      ),
      count: z.number(),
    }),
  }),
  'location.get': call({
    method: 'GET',
    path: '/v3/portal/locations/{id}',
    about: 'Returns one location.',
    input: z.object({ id: Id }),
    output: one(Location),
  }),
  'location.create': call({
    method: 'POST',
    path: '/v3/portal/locations',
    about:
      'Adds a location, to groups with group_ids. An address in one line is split if city, state and ZIP aren’t given; without coordinates the position is looked up.',
    wraps: 'location',
    undo: true,
    input: z.object({ ...created, group_ids, group }),
    output: Written,
    refreshes: ['group', 'history'],
  }),
  'location.edit': call({
    method: 'PUT',
    path: '/v3/portal/locations',
    about:
      'Changes a location: only the fields that are sent. Another address looks up its position again, unless it has coordinates of its own.',
    wraps: 'location',
    reads: 'location.get',
    undo: true,
    input: z.object({ id: Id, ...edited, group, lock_version: Lock }),
    output: Written,
    refreshes: ['group', 'history'],
  }),
  'location.remove': call({
    method: 'DELETE',
    path: '/v3/portal/locations',
    about: 'Soft-deletes a location, or several with ids; they leave their groups. Returns how many groups and activities.',
    undo: true,
    input: z.object({ id: Id.optional(), ids: ids.optional() }),
    output: Effected.extend({ data: Left }),
    refreshes: ['group', 'activity', 'history'],
  }),
  'location.addToGroups': call({
    method: 'POST',
    path: '/v3/portal/locations/groups',
    about: 'Adds locations to groups, each to every one. Locations already in a group are counted as unchanged.',
    undo: true,
    input: z.object({
      location_ids: plainSchema({ ...groupFields.location_ids, required: MESSAGES.chooseLocation }),
      group_ids: plainSchema({ ...locationFields.group_ids, required: MESSAGES.chooseGroup }),
    }),
    output: Effected.extend({ data: z.object({ added: z.number(), unchanged: z.number(), activities: z.number() }) }),
    refreshes: ['group', 'activity', 'history'],
  }),
  'location.merge': call({
    method: 'POST',
    path: '/v3/portal/locations/merge',
    about:
      'Merges duplicates: at each address the oldest stays, with the groups of all. `all=1` merges every duplicate of its filter; `into_id` merges all of them into that one, whatever their addresses.',
    undo: true,
    input: z.object({ ids: ids.optional(), into_id: Id.optional(), all: Flag.optional(), group_id: Id.optional() }),
    output: Effected.extend({
      data: z.object({
        merged: z.number(),
        kept: z.number(),
        groups: z.number(),
        skipped: z.number(),
        kept_ids: z.array(z.number()),
      }),
    }),
    refreshes: ['group', 'activity', 'history'],
  }),
} as const
