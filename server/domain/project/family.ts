import { type Expression, type SqlBool, sql } from 'kysely'
import type { Actor } from '../../../contract/actor.ts'
import type { Ctx } from '../../core/context.ts'
import { HttpError, invalid } from '../../core/errors.ts'
import { projectScope } from '../../core/scope.ts'
import { locked } from '../../db/locked.ts'
import { OWNER_NAME } from './projectOwner.ts'
import type { ProjectRecord } from './storedProject.ts'

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

/** TABLE  a family's figures, each the sum of a column: lists sort by them (decisions.md 13, Families). */
export const FAMILY_SUMS = { ordered: 'ordered', delivered: 'delivered', completed: 'delivered', cost: 'cost_cents' } as const
type SummedColumn = (typeof FAMILY_SUMS)[keyof typeof FAMILY_SUMS]

/** A family's figure from its parts; null if none has one. */
export const sumOf = <C extends SummedColumn>(parts: readonly Pick<ProjectRecord, C>[], column: C) =>
  (parts.every((part) => part[column] === null)
    ? null
    : parts.reduce<number>((sum, part) => sum + (part[column] ?? 0), 0)) as ProjectRecord[C]

/** SQL for a family's sum of a column over the project and the children the caller sees; null if all are null. */
export function familySum(actor: Actor, column: SummedColumn): Expression<number> {
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
    .select(['clients.name as client_name', sql<string | null>`${OWNER_NAME}`.as('owner_name')])
    .orderBy('projects.id')
    .execute()

/**
 * Keeps families at two levels: a child is not its own parent, and has no children.
 * Locks both, so that two concurrent writes can't make two projects each other's parent.
 */
export async function checkParent(ctx: Ctx, id: number, parent_id: number | null | undefined): Promise<void> {
  if (!parent_id) return
  if (parent_id === id) throw invalid('parent_id', 'parent_id is the project itself')
  const both = ctx.tx.selectFrom('projects').select('id').where('id', 'in', [id, parent_id]).orderBy('id')
  await locked(ctx.services.database, both).execute()
  const child = await ctx.tx
    .selectFrom('projects')
    .select('id')
    .where('parent_id', '=', id)
    .where('deleted_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (child) throw invalid('parent_id', 'parent_id can’t be set: the project has children')
}

/**
 * A project and its children, deleted ones too, locked in the order of their ids.
 * A project whose children are deleted may become a child, so these are below it on a third level.
 */
export async function heldFamily(ctx: Ctx, id: number) {
  const family = sql<number>`(with recursive family(id) as (
    select id from projects where id = ${id} union select child.id from projects child join family on child.parent_id = family.id
  ) select id from family)`
  const query = ctx.tx.selectFrom('projects').select(['id', 'client_id', 'lock_version']).where('id', 'in', family).orderBy('id')
  return await locked(ctx.services.database, query).execute()
}

type Member = { parent_id?: number | null | undefined; client_id?: number | undefined; generation: ProjectRecord['generation'] }

/**
 * Keeps a family at one client and of one generation (decisions.md 14); a write holds the parent first (`heldFamily`).
 * `before` is the project before its edit: what it doesn't change isn't checked again.
 */
export async function checkFamily(ctx: Ctx, member: Member, before?: ProjectRecord): Promise<void> {
  const { parent_id, client_id, generation } = member
  if (!parent_id || (before && before.parent_id === parent_id && before.client_id === client_id)) return
  const parent = await ctx.db
    .selectFrom('projects')
    .select(['client_id', 'generation'])
    .where('id', '=', parent_id)
    .executeTakeFirst()
  // That there is one is checked with its dates.
  if (!parent) return
  if (parent.generation !== generation)
    throw invalid('parent_id', `parent_id must be a ${generation === 'campaign' ? 'survey project' : 'project'} like this one`)
  if (parent.client_id === client_id) return
  if (before?.parent_id === parent_id) throw invalid('client_id', 'client_id is its parent’s: change it there')
  throw invalid('parent_id', 'parent_id must be a project of the same client')
}

/** Throws a 409 if a family is of several clients, generations or three levels, as after an undo. */
export async function assertWhole(ctx: Ctx, id: number): Promise<void> {
  const split = await ctx.tx
    .selectFrom('projects as child')
    .innerJoin('projects as parent', 'parent.id', 'child.parent_id')
    .select(['child.name', 'parent.parent_id as above'])
    .where((eb) => eb.or([eb('child.id', '=', id), eb('parent.id', '=', id)]))
    .where((eb) =>
      eb.or([
        eb('child.client_id', '!=', eb.ref('parent.client_id')),
        eb('child.generation', '!=', eb.ref('parent.generation')),
        eb.and([eb('parent.parent_id', 'is not', null), eb('child.deleted_at', 'is', null)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  if (!split) return
  const sentence = split.above
    ? `The parent of “${split.name}” is a child itself now.`
    : `“${split.name}” and its parent would belong to different clients.`
  throw new HttpError(409, 'not_now', sentence)
}
