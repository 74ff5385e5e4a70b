import { type Expression, type SqlBool, sql } from 'kysely'
import { type Actor, seesAll } from '../../../contract/actor.ts'
import { CLIENT_SCREENS } from '../../../contract/screens.ts'
import type { Ctx } from '../../core/context.ts'

/** The condition for which views a caller can see: their own and shared ones, on screens they may open. */
function viewScope(actor: Actor): Expression<SqlBool> {
  const me = actor.id
  if (seesAll(actor)) return sql<SqlBool>`(views.user_id = ${me} or views.shared <> 'own')`
  const screens = sql.join([...CLIENT_SCREENS])
  return sql<SqlBool>`(views.screen in (${screens}) and (views.user_id = ${me} or (owner.role = 'admin' and views.shared = 'everyone')
    or (owner.role = 'client' and views.shared <> 'own' and exists (
      select 1 from user_clients theirs join user_clients mine on mine.client_id = theirs.client_id
      join clients on clients.id = mine.client_id and clients.deleted_at is null
      where theirs.user_id = views.user_id and mine.user_id = ${me}))))`
}

/** The views the caller sees. */
export const viewsOf = (ctx: Ctx) =>
  ctx.db
    .selectFrom('views')
    .innerJoin('users as owner', 'owner.id', 'views.user_id')
    .where('owner.deleted_at', 'is', null)
    .where(viewScope(ctx.actor))
    .select([
      'views.id',
      'views.screen',
      'views.name',
      'views.query',
      'views.shared',
      'views.user_id',
      'views.lock_version',
      'views.updated_at',
      'owner.first_name',
      'owner.last_name',
    ])
