import { type Expression, type SqlBool, sql } from 'kysely'
import type { Actor } from '../../../contract/who.ts'
import type { Ctx } from '../../core/context.ts'
import { projectScope } from '../../core/scope.ts'

/**
 * Which projects are parts of a family, for a caller: the project itself and those of its children that the caller sees. Every figure of
 * a family is the sum over these, wherever it is shown (decisions.md 13, Families). `parent` is an id, or a reference to one.
 */
export function partOf(actor: Actor, parent: number | Expression<number>, alias = 'projects'): Expression<SqlBool> {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  const is = typeof parent === 'number' ? sql`${parent}` : parent
  return sql<SqlBool>`((${column('id')} = ${is} or ${column('parent_id')} = ${is}) and ${projectScope(actor, alias)})`
}

/** The ids of a family's parts, the project itself among them. */
export async function partIds(ctx: Pick<Ctx, 'db' | 'actor'>, id: number): Promise<number[]> {
  const rows = await ctx.db.selectFrom('projects').select('id').where(partOf(ctx.actor, id)).orderBy('id').execute()
  return rows.map((row) => row.id)
}

/** SQL for a family's sum of a column: the project's own value and those of the children that the caller sees; null where all are. */
export function familySum(actor: Actor, column: 'ordered' | 'delivered' | 'cost_cents'): Expression<number> {
  const children = sql`(select sum(part.${sql.ref(column)}) from projects part where part.parent_id = projects.id and ${projectScope(actor, 'part')})`
  const own = sql.ref(`projects.${column}`)
  // The children are added up once a row; only a cost can be missing, and then twice.
  const sum = sql<number>`${own} + coalesce(${children}, 0)`
  return column === 'cost_cents' ? sql<number>`coalesce(${sum}, ${children})` : sum
}

/** These projects and their children, as far as the caller sees them, each with its client's name. */
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
