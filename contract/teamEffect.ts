import { z } from 'zod'
import { Named } from './listInput.ts'

const Side = z.object({ users: z.number(), projects: z.number() })
/** Who gains or loses access through a write, computed in its transaction; names at most 100 people. */
export const Effect = z.object({
  gain: Side,
  lose: Side,
  rows: z.array(
    z.object({ user_id: z.number(), name: z.string(), gains: z.array(Named), loses: z.array(Named), keeps: z.number() }),
  ),
  /** Projects that lose their last team, so that all users of the client see them. */
  opens: z.object({ projects: z.array(Named), users: z.number() }),
  /** Projects that get their first team, which hides them from the client's other users. */
  closes: z.object({ projects: z.array(Named), users: z.number() }),
})
export type TeamEffect = z.output<typeof Effect>
