import { z } from 'zod'
import { Allowed, call, EffectSentence, Id, Lock, one } from './call.ts'
import { entryLinkFields } from './entryLinkFields.ts'
import { oneOf } from './enums.ts'
import { createShape, editShape } from './fieldInput.ts'
import { recordShape } from './fieldRecord.ts'
import { ENTRY_PARAMETERS } from './sessionRules.ts'

const Parameters = z
  .partialRecord(
    z.enum(ENTRY_PARAMETERS),
    z
      .string('must be text')
      .trim()
      .regex(/^[\w.-]{1,40}$/, 'must be 1 to 40 letters, digits, _ . or -'),
  )
  .meta({ description: 'What the partner calls each of our parameters: {"pid": "psid"}.' })
const Excluded = z
  .array(Id)
  .max(100, 'needs at most 100 projects')
  .meta({ description: 'Projects whose completes by the same partner aren’t let in.' })

/** A link by which a partner sends people into a survey, without its secrets. */
const EntryLink = z.object({
  id: z.number(),
  project_id: z.number(),
  survey_id: z.number(),
  partner_id: z.number(),
  partner: z.string(),
  state: oneOf(['test', 'active', 'paused'], ['Test', 'Active', 'Paused']),
  ...recordShape(entryLinkFields),
  param_map: z.record(z.string(), z.string()),
  exclude_project_ids: z.array(z.number()),
  url: z.string().meta({ description: 'The address to give to the partner, without the person’s pid.' }),
  secret_before_until: z
    .string()
    .nullable()
    .meta({ description: 'Until when the survey’s former secret counts; null without one.' }),
  created_at: z.string(),
  updated_at: z.string(),
  lock_version: z.number(),
  ...Allowed,
})
export type EntryLink = z.output<typeof EntryLink>

const Secret = z.string().meta({ description: 'Shown once: the survey signs outcomes with it.' })
const PartnerSecret = z.string().meta({ description: 'Shown once: the partner signs entries with it, and checks exits.' })
const Written = one(EntryLink).extend({ message: EffectSentence })
const ById = z.object({ id: Id, lock_version: Lock })
const byId = (verb: string) => `/v3/portal/entry_links/{id}/${verb}`

/** Entry links: how partners send people into surveys. */
export const entryLinkCalls = {
  'entryLink.ofProject': call({
    method: 'GET',
    path: '/v3/portal/projects/{id}/entry_links',
    about: 'Lists the entry links of a project.',
    input: z.object({ id: Id }),
    output: z.object({ data: z.array(EntryLink), count: z.number(), page: z.number() }),
  }),
  'entryLink.get': call({
    method: 'GET',
    path: '/v3/portal/entry_links/{id}',
    about: 'Returns an entry link.',
    input: z.object({ id: Id }),
    output: one(EntryLink),
  }),
  'entryLink.create': call({
    method: 'POST',
    path: '/v3/portal/projects/{id}/entry_links',
    about: 'Creates an entry link in the state test, and shows its secrets once.',
    undo: true,
    secret: true,
    credential: { limits: ['exclude_project_ids'] },
    input: z.object({
      id: Id,
      survey_id: Id.optional(),
      partner_id: Id,
      ...createShape(entryLinkFields),
      param_map: Parameters.default({}),
      exclude_project_ids: Excluded.default([]),
    }),
    output: Written.extend({ secret: Secret, partner_secret: PartnerSecret }),
    refreshes: ['history'],
  }),
  'entryLink.edit': call({
    method: 'PUT',
    path: '/v3/portal/entry_links/{id}',
    about: 'Changes an entry link; people who are in the survey go on.',
    reads: 'entryLink.get',
    undo: true,
    input: z.object({
      id: Id,
      ...editShape(entryLinkFields),
      param_map: Parameters.optional(),
      exclude_project_ids: Excluded.optional(),
      lock_version: Lock,
    }),
    output: Written,
    refreshes: ['history'],
  }),
  'entryLink.remove': call({
    method: 'DELETE',
    path: '/v3/portal/entry_links/{id}',
    about: 'Deletes an entry link: its address lets nobody in any more, and people who are inside finish and count.',
    undo: true,
    input: z.object({ id: Id }),
    output: z.object({ message: EffectSentence }),
    refreshes: ['history'],
  }),
  'entryLink.rotate': call({
    method: 'POST',
    path: byId('rotate'),
    about: 'Replaces a secret of an entry link; the former one counts for 24 hours more.',
    secret: true,
    credential: { limits: ['of'] },
    input: z.object({
      ...ById.shape,
      of: z.enum(['survey', 'partner']).default('survey').meta({ description: 'Whose secret.' }),
    }),
    output: Written.extend({ secret: Secret }),
    refreshes: ['history'],
  }),
  'entryLink.pause': call({
    method: 'POST',
    path: byId('pause'),
    about: 'Pauses an entry link, so that nobody comes in by it; people who are inside finish and count.',
    undo: true,
    input: ById,
    output: Written,
    refreshes: ['history'],
  }),
  'entryLink.resume': call({
    method: 'POST',
    path: byId('resume'),
    about: 'Resumes an entry link that is in test or paused, so that people come in.',
    undo: true,
    input: ById,
    output: Written,
    refreshes: ['history'],
  }),
  'entryLink.test': call({
    method: 'POST',
    path: byId('test'),
    about: 'Returns the four exit addresses that a person with this query would get, and the parameters that are ignored.',
    keepsNothing: true,
    input: z.object({
      id: Id,
      query: z
        .record(z.string().max(100), z.string().max(200))
        .default({})
        .meta({ description: 'The parameters of a partner’s link.' }),
    }),
    output: z.object({
      data: z.object({
        exits: z.object({ complete: z.string(), terminate: z.string(), quota_full: z.string(), security: z.string() }),
        read: z.record(z.string(), z.string()).meta({ description: 'What the query says of the person, in our names.' }),
        ignored: z.array(z.string()),
      }),
    }),
  }),
}
