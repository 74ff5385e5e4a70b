import { type Actor, isAdmin } from '../../../contract/actor.ts'
import type { Ctx } from '../../core/context.ts'
import { invalid } from '../../core/errors.ts'

/** The owner of a project that this caller creates: administrators own what they create. */
export const ownerOf = (actor: Actor): number | null => (isAdmin(actor) ? actor.id : null)

/** The administrator of this id, who is to look after something; throws 422 for anybody else. */
export async function administrator(ctx: Ctx, id: number): Promise<{ first_name: string; last_name: string }> {
  const user = await ctx.db
    .selectFrom('users')
    .select(['first_name', 'last_name'])
    .where('id', '=', id)
    .where('role', '=', 'admin')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!user) throw invalid('owner_id', 'owner_id is not an administrator')
  return user
}
