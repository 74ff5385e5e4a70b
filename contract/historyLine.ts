import { z } from 'zod'
import { listOf } from './call.ts'

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
