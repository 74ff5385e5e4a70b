import { z } from 'zod'
import { CivilDate, call, Id, listOf } from './call.ts'
import { listInput } from './listInput.ts'
import { sortsOf } from './lists.ts'
import { type NounId, nouns } from './nouns.ts'

/** A record's history, newest first: the call, its phrase, who made it, and the changed values. */
export const HistoryLines = listOf(
  z.object({
    id: z.number(),
    at: z.string(),
    action: z.string(),
    words: z.string(),
    actor_name: z.string(),
    before: z.record(z.string(), z.unknown()),
    after: z.record(z.string(), z.unknown()),
  }),
)

/** The nouns that lines are filed under. */
const HISTORY_NOUNS = Object.keys(nouns)
  .filter((noun) => !('of' in nouns[noun as NounId]))
  .sort()
const Values = z.record(z.string(), z.unknown())

export const historyCalls = {
  'history.list': call({
    method: 'GET',
    path: '/v3/portal/history',
    about:
      'Lists everything that was done here, newest first: who did what to which record, sign-ins and refused ones included. For administrators.',
    input: z.object({
      ...listInput(sortsOf('history')),
      user_id: z
        .union([Id, z.literal('').transform(() => undefined)])
        .optional()
        .meta({
          description: 'What this person did, what was done to their account, and what an administrator did as them.',
        }),
      noun: z
        .string()
        .trim()
        .default('')
        .refine((noun) => noun === '' || HISTORY_NOUNS.includes(noun), {
          error: `noun must be one of ${HISTORY_NOUNS.join(', ')}`,
        })
        .meta({ description: 'The noun of the records: project, user, session …' }),
      start: z
        .union([CivilDate, z.literal('').transform(() => undefined)])
        .optional()
        .meta({ description: 'The first day.' }),
      end: z
        .union([CivilDate, z.literal('').transform(() => undefined)])
        .optional()
        .meta({ description: 'The last day.' }),
    }),
    output: listOf(
      z.object({
        id: z.number(),
        at: z.string(),
        /** The person, partner or program that did it; Unknown for a refused sign-in. */
        who: z.string(),
        actor_id: z.number().nullable(),
        /** The administrator who acted as that person. */
        acting_admin: z.string().nullable(),
        admin_id: z.number().nullable(),
        /** The token that a program used. */
        token: z.string(),
        action: z.string(),
        words: z.string(),
        subject: z.string(),
        subject_id: z.number(),
        /** The name of the person or project that it is about. */
        record: z.string(),
        project_id: z.number().nullable(),
        reason: z.string(),
        before: Values,
        after: Values,
      }),
    ),
  }),
} as const
