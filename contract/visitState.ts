import { z } from 'zod'
import { call, EffectSentence, one } from './call.ts'
import { Job } from './job.ts'

/** How visits are stored: what is closed, what waits for roll-ups, and disk usage. */
const VisitState = z.object({
  /** Visits before this day can't be added, because raw visits of that time were deleted; null if none were. */
  closed_before: z.string().nullable(),
  /** A shorter retention that was requested: it applies at `from` and deletes what is before `drops_before`. */
  shortened: z.object({ months: z.number(), from: z.string(), drops_before: z.string().nullable() }).nullable(),
  /** The last visit, and how many service days have roll-ups that are behind. */
  last_visit_at: z.string().nullable(),
  waiting_days: z.number(),
  /** When roll-ups were last written; null before the first time. */
  rolled_at: z.string().nullable(),
  /** All counted visits, including those whose raw rows are gone. */
  visits: z.number(),
  /** Bytes on disk by table; null if measuring would read the whole database. */
  tables: z.array(z.object({ name: z.string(), about: z.string(), bytes: z.number().nullable() })),
})
export type VisitState = z.output<typeof VisitState>

/** The state of visits for the organization's settings (screens-visitation.md, app-settings). */
export const visitStateCalls = {
  'visit.state': call({
    method: 'GET',
    path: '/v3/portal/visitation/state',
    about: 'Returns how visits are stored: what is closed, what waits for its roll-ups, and the disk space they use.',
    input: z.object({}),
    output: one(VisitState),
  }),
  'visit.rebuild': call({
    method: 'POST',
    path: '/v3/portal/visitation/rebuild',
    about: 'Counts all visits again, in a job, from the raw visits that are kept; closed months stay as they were counted.',
    input: z.object({}),
    output: one(Job).extend({ message: EffectSentence }),
    refreshes: ['job'],
  }),
} as const
