import { z } from 'zod'
import { call, one } from './call.ts'

/** How one thing is that an installation needs. */
export const HealthLine = z.object({
  /** What was looked at: `database`, `files`, `mail` … */
  part: z.string(),
  /** `look`: somebody should look at it; `wrong`: it has to be put right. */
  state: z.enum(['well', 'look', 'wrong']),
  sentence: z.string(),
})
export type HealthLine = z.output<typeof HealthLine>

export const healthCalls = {
  'organization.health': call({
    method: 'GET',
    path: '/v3/portal/organization/health',
    about:
      'Looks at everything that this installation needs, and says how it is, a line each: database, files, mail, clock, last backup, certificates, tables that grow. Changes nothing.',
    input: z.object({}),
    output: one(z.object({ release: z.string(), lines: z.array(HealthLine) })),
    limit: 20,
  }),
} as const
