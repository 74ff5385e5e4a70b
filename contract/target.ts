import { z } from 'zod'
import { Target } from './activityRecord.ts'
import { LocationBased } from './audience.ts'
import { call, EffectSentence, Id, listOf, one, Text, wholeNumber } from './call.ts'
import { createShape, editShape } from './fieldInput.ts'
import { pick } from './fieldKinds.ts'
import { MESSAGES } from './messages.ts'
import { audienceFields, demographicFields, targetFields } from './targetFields.ts'
import { whenObject } from './whenObject.ts'

/** The version the caller saw, which serves as the target's lock (decisions.md 9). */
const Version = wholeNumber(z.number().int().min(0)).optional()
/** The writable fields of a target. −1 is dropped, and a field that isn't sent keeps its value. */
const Fields = { ...editShape(targetFields), location_based: LocationBased.optional() }
const { age, gender } = createShape(audienceFields)
/** A change of a target; fields that aren't sent keep their values. */
export const TargetEdit = z.object({
  activity_id: Id,
  version: Version,
  ...Fields,
  reason: Text.max(200).optional(),
})
const Written = one(Target).extend({ message: EffectSentence })

/** Completes by value of each group; those without a known value are in no row. */
const Groups = z.object({
  age: z.array(z.object({ value: z.string(), completes: z.number() })),
  gender: z.array(z.object({ value: z.string(), completes: z.number() })),
  hhi: z.array(z.object({ value: z.string(), completes: z.number() })),
  ethnicity: z.array(z.object({ value: z.string(), completes: z.number() })),
  marital_status: z.array(z.object({ value: z.string(), completes: z.number() })),
  children: z.array(z.object({ value: z.string(), completes: z.number() })),
})
const Area = z.object({ id: z.number(), name: z.string(), completes: z.number() })

/** A version of a target: its values, and what it added and removed. */
const TargetVersion = Target.omit({ id: true, target_markets: true }).extend({
  at: z.string().nullable(),
  who: z.string(),
  /** Why it was created: a restored version, or a copy. */
  reason: z.string(),
  changes: z.array(z.object({ field: z.string(), added: z.array(z.string()), removed: z.array(z.string()) })),
})

/** The audience and markets of an activity (screens-projects.md, Activities and targets). */
export const targetCalls = {
  'target.create': call({
    method: 'POST',
    path: '/v3/portal/activities/target',
    about: 'Gives an activity its first target, version 1.',
    wraps: 'target',
    undo: true,
    input: z
      .object({ activity_id: Id, ...Fields, age, gender })
      .refine(
        ({ location_based, targeted_locations }) =>
          location_based === 'yes' || (!location_based && !targeted_locations) || targeted_locations?.length,
        { path: ['targeted_locations'], message: MESSAGES.oneMarket, when: whenObject },
      ),
    output: Written,
    refreshes: ['activity', 'project', 'history'],
  }),
  'target.edit': call({
    method: 'PUT',
    path: '/v3/portal/activities/target',
    about: 'Changes a target and raises its version by one; a stale version is a 409 with both versions.',
    wraps: 'target',
    reads: { call: 'activity.target', by: { id: 'activity_id' } },
    undo: true,
    input: TargetEdit,
    output: Written,
    refreshes: ['activity', 'project', 'history'],
  }),
  'target.check': call({
    method: 'POST',
    path: '/v3/portal/activities/target/check',
    about: 'Previews a target change: completes inside and outside, and areas that would be dropped.',
    wraps: 'target',
    keepsNothing: true,
    input: z.object({
      activity_id: Id,
      version: Version,
      ...Fields,
      // Also without any, as a form has them before one is chosen.
      ...editShape(pick(demographicFields, 'age', 'gender')),
    }),
    output: one(
      z.object({
        activity_id: z.number(),
        in_field: z.boolean(),
        /** The stored version, and the one that saving creates; equal if nothing would change. */
        version: z.number(),
        next_version: z.number(),
        completes: z.number(),
        /** Completes that the audience includes, and those it is known to exclude. */
        inside: z.number(),
        outside: z.number(),
        /** Market areas that would be removed, with their completes. */
        areas_left: z.array(Area),
        areas_completes: z.number(),
        /** The effects, one sentence each. */
        effects: z.array(z.string()),
      }),
    ),
  }),
  'target.copy': call({
    method: 'POST',
    path: '/v3/portal/activities/target/copy',
    about: 'Copies the audience of an activity to other activities of its client, all or none; their markets stay.',
    undo: true,
    input: z.object({
      activity_id: Id,
      /** Activities to copy the audience to. */
      to: z.array(Id).min(1, 'Choose at least one activity').max(200),
    }),
    output: one(z.object({ copied: z.number() })).extend({ message: EffectSentence }),
    refreshes: ['activity', 'project', 'history'],
  }),
  'target.versions': call({
    method: 'GET',
    path: '/v3/portal/activities/{id}/target/versions',
    about: 'Lists the versions of an activity’s target, newest first, from the history.',
    input: z.object({ id: Id }),
    output: listOf(TargetVersion),
  }),
  'target.completes': call({
    method: 'GET',
    path: '/v3/portal/activities/{id}/target/completes',
    about: 'Counts completes of an activity by each demographic value and market area, and those outside its audience.',
    input: z.object({ id: Id }),
    output: one(
      z.object({
        completes: z.number(),
        outside: z.number(),
        groups: Groups,
        /** Areas with completes; completes without a known place are in none. */
        areas: z.array(z.object({ id: z.number(), completes: z.number() })),
        /** Completes in areas that aren't targeted; 0 for a location-based activity. */
        outside_areas: z.number(),
      }),
    ),
  }),
}
