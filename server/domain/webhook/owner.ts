import { ANONYMOUS } from '../../core/caller.ts'
import type { Caller } from '../../core/context.ts'
import type { Db } from '../../db/connect.ts'

/** A webhook's owner as a caller with their current role and access; null if they can no longer sign in. */
export async function ownerOf(db: Db, id: number): Promise<(Caller & { actor: NonNullable<Caller['actor']> }) | null> {
  const user = await db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  // Calls are refused too until a temporary password is changed.
  if (!user || user.must_change_password) return null
  return { ...ANONYMOUS, user, actor: { id: user.id, role: user.role, admin_id: null } }
}

/** False once the token that made a webhook has ended; a webhook of a person has none (null). */
export async function isTokenValid(db: Db, id: number | null, now: Date): Promise<boolean> {
  if (id === null) return true
  const token = await db.selectFrom('api_keys').select(['revoked_at', 'expires_at']).where('id', '=', id).executeTakeFirst()
  return token !== undefined && token.revoked_at === null && (token.expires_at === null || token.expires_at > now.toISOString())
}
