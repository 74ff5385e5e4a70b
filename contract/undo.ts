import { z } from 'zod'
import { call, EffectSentence, Id } from './call.ts'
import { DELETED_NOUNS } from './restored.ts'

const About = z.object({
  data: z.object({ id: z.number(), call: z.string(), undone: z.boolean() }),
  message: EffectSentence,
})

/** Undo and redo of the user's own writes of the last day (docs/decisions/undo.md). */
export const undoCalls = {
  'undo.deletion': call({
    method: 'GET',
    path: '/v3/portal/deletions/{noun}/{id}',
    about:
      'Returns who deleted a record and when, with the undo number if you did within the last day. 404 for a record that isn’t deleted.',
    input: z.object({ noun: z.enum(DELETED_NOUNS), id: Id }),
    output: z.object({
      data: z.object({ name: z.string(), at: z.string(), by: z.string(), own: z.boolean(), undo_id: z.number().nullable() }),
    }),
  }),
  'undo.take': call({
    method: 'POST',
    path: '/v3/portal/undo/{id}',
    about:
      'Undoes one of your own writes of the last day, by the number in its response header X-Undo: restores every row. 409 changed_since if someone else has changed one of them since. A token undoes its own writes.',
    passing: true,
    input: z.object({ id: Id }),
    output: About,
  }),
  'undo.redo': call({
    method: 'POST',
    path: '/v3/portal/undo/{id}/redo',
    about: 'Redoes a write that was undone: every row is as the write left it.',
    passing: true,
    input: z.object({ id: Id }),
    output: About,
  }),
} as const
