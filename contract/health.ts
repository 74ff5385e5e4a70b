import { z } from 'zod'
import { call, one } from './call.ts'

/** How one thing is that an installation needs. */
export const HealthLine = z.object({
  part: z.string().meta({ description: 'What was looked at.', example: 'database' }),
  state: z
    .enum(['well', 'look', 'wrong'])
    .meta({ description: 'look: somebody should check it; wrong: it has to be put right.', example: 'well' }),
  sentence: z.string().meta({ description: 'How it is.', example: 'None is pending.' }),
})
export type HealthLine = z.output<typeof HealthLine>

export const healthCalls = {
  'organization.health': call({
    method: 'GET',
    path: '/v3/portal/organization/health',
    about:
      'Looks at everything that this installation needs, and says how it is, a line each: database, files, mail, clock, last backup, certificates, tables that grow. Changes nothing.',
    input: z.object({}),
    output: one(
      z.object({
        release: z.string().meta({ description: 'The release that the server runs.', example: '0.1.0' }),
        lines: z.array(HealthLine),
      }),
    ),
    limit: 20,
  }),
} as const
