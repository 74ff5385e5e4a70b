import { type Expression, type SqlBool, sql } from 'kysely'
import { type Actor, isAdmin } from '../../../contract/actor.ts'
import type { OwnerFilter } from '../../../contract/projectInput.ts'
import type { Ctx } from '../../core/context.ts'
import { invalid } from '../../core/errors.ts'
import { idList, type SmallRead } from '../../db/smallReads.ts'

/** SQL for a project's owner as a row of users; who isn't an administrator any more owns nothing. */
const OWNER = sql`from users owner where owner.id = projects.owner_id and owner.role = 'admin' and owner.deleted_at is null`

/** True in SQL for a project that no administrator looks after. */
export const HAS_NO_OWNER = sql<SqlBool>`not exists (select 1 ${OWNER})`

/** SQL for the name that a project's owner is sorted by; null for nobody's. */
export const OWNER_NAME = sql`(select case when trim(owner.first_name || ' ' || owner.last_name) = '' then owner.email
  else trim(owner.first_name || ' ' || owner.last_name) end ${OWNER})`

/** The owners of some projects as a small read; nothing for client users, who see no owners. */
export const ownersIn = (actor: Actor, ids: readonly number[]): SmallRead | null =>
  isAdmin(actor) && ids.length
    ? sql`projects.id as owner, projects.owner_id as id, 0 as number, ${OWNER_NAME} as name, '' as text
        from projects where projects.id in ${idList(ids)} and exists (select 1 ${OWNER})`
    : null

/** The projects of an owner, of the caller or of nobody, in SQL; throws 422 for client users, who see no owners. */
export function isOwned(actor: Actor, owner: OwnerFilter): Expression<SqlBool> {
  if (!isAdmin(actor)) throw invalid('owner_id', 'owner_id is one that administrators filter by')
  if (owner === 'nobody') return HAS_NO_OWNER
  return sql<SqlBool>`projects.owner_id = ${owner === 'me' ? actor.id : owner}`
}

/** The caller's own projects, in SQL: those an administrator owns, or those a client user requested. */
export const isMine = (actor: Actor): Expression<SqlBool> =>
  isAdmin(actor) ? isOwned(actor, 'me') : sql<SqlBool>`projects.requested_by = ${actor.id}`

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
