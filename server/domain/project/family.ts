import { type Expression, type SqlBool, sql } from 'kysely'
import type { Actor } from '../../../contract/actor.ts'
import type { Ctx } from '../../core/context.ts'
import { projectScope } from '../../core/scope.ts'

/**
 * SQL that is true for the parts of a family: the project and those of its children the caller can see.
 * A family's figures are sums over these (decisions.md 13, Families).
 * `parent` is an id or a reference to one.
 */
function partOf(actor: Actor, parent: number | Expression<number>, alias = 'projects'): Expression<SqlBool> {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  const is = typeof parent === 'number' ? sql`${parent}` : parent
  return sql<SqlBool>`((${column('id')} = ${is} or ${column('parent_id')} = ${is}) and ${projectScope(actor, alias)})`
}

/** Ids of a family's parts, including the project itself. */
export async function partIds(ctx: Pick<Ctx, 'db' | 'actor'>, id: number): Promise<number[]> {
  const rows = await ctx.db.selectFrom('projects').select('id').where(partOf(ctx.actor, id)).orderBy('id').execute()
  return rows.map((row) => row.id)
}

/** SQL for a family's sum of a column over the project and the children the caller sees; null if all are null. */
export function familySum(actor: Actor, column: 'ordered' | 'delivered' | 'cost_cents'): Expression<number> {
  const children = sql`(select sum(part.${sql.ref(column)}) from projects part where part.parent_id = projects.id and ${projectScope(actor, 'part')})`
  const own = sql.ref(`projects.${column}`)
  // Children are summed once for each row; a cost, which can be null, needs it twice.
  const sum = sql<number>`${own} + coalesce(${children}, 0)`
  return column === 'cost_cents' ? sql<number>`coalesce(${sum}, ${children})` : sum
}

/** These projects and their children that the caller sees, each with its client's name. */
export const familyRows = (ctx: Pick<Ctx, 'db' | 'actor'>, ids: readonly number[]) =>
  ctx.db
    .selectFrom('projects')
    .where(projectScope(ctx.actor))
    .where((eb) => eb.or([eb('projects.id', 'in', ids), eb('projects.parent_id', 'in', ids)]))
    .innerJoin('clients', 'clients.id', 'projects.client_id')
    .selectAll('projects')
    .select('clients.name as client_name')
    .orderBy('projects.id')
    .execute()
