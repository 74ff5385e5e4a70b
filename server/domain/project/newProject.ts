import type { Ctx } from '../../core/context.ts'
import { ownerOf } from './projectOwner.ts'

/** What every new project has besides its fields. */
export const newProject = (ctx: Ctx) => ({
  status: 'requirements' as const,
  cost_cents: null,
  quote_valid_until: null,
  requested_by: ctx.actor.id,
  owner_id: ownerOf(ctx.actor),
  went_live_at: null,
  deleted_at: null,
})
