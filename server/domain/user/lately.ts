import { isAdmin, seesAll } from '../../../contract/actor.ts'
import type { Ctx, UserRow } from '../../core/context.ts'
import { ago, DAY_MS } from '../../core/quotas.ts'

/** How many days a changed account can't vouch for another one, and an administrator's guards outlast the role. */
export const LATELY_DAYS = 7

/** Fields that say who has an account and what it may do. */
const RIGHTS = ['role', 'email', 'status', 'deleted_at', 'invitation_hash'] as const
const PASSWORD = ['password_hash', 'must_change_password'] as const

/** The history of a user's account in the last days; lines about users are never deleted. */
async function linesOf(ctx: Pick<Ctx, 'db' | 'now'>, id: number) {
  const lines = await ctx.db
    .selectFrom('history')
    .select(['actor_id', 'before', 'after'])
    .where('subject', '=', 'user')
    .where('subject_id', '=', id)
    .where('at', '>', ago(ctx, LATELY_DAYS * DAY_MS))
    .execute()
  return lines.map(({ actor_id, before, after }) => ({ actor_id, sides: [JSON.parse(before), JSON.parse(after)] as object[] }))
}

/** Whether an account is an administrator's, or was one lately: nobody gets at it by taking the role away first. */
export async function isOrWasAdmin(ctx: Pick<Ctx, 'db' | 'now'>, user: Pick<UserRow, 'id' | 'role'>): Promise<boolean> {
  if (seesAll(user)) return true
  const lines = await linesOf(ctx, user.id)
  return lines.some(({ sides }) => sides.some((side) => 'role' in side && isAdmin(side as Pick<UserRow, 'role'>)))
}

/** Whether an account was invited or restored lately, got its role or email, or its password from somebody else. */
export async function isNewlyTrusted(ctx: Pick<Ctx, 'db' | 'now'>, id: number): Promise<boolean> {
  const lines = await linesOf(ctx, id)
  return lines.some(({ actor_id, sides }) => {
    const fields: readonly string[] = actor_id === id ? RIGHTS : [...RIGHTS, ...PASSWORD]
    return sides.some((side) => fields.some((field) => field in side))
  })
}
