import { type SqlBool, sql } from 'kysely'
import { isAdmin, seesAll } from '../../contract/actor.ts'
import type { CallId } from '../../contract/calls.ts'
import { deletionsListed } from '../../contract/deletions.ts'
import type { Database, Tx } from '../db/connect.ts'
import { insertMany, transact } from '../db/connect.ts'
import type { Ctx } from './context.ts'
import type { AnyHandler } from './handler.ts'
import type { Change } from './ports.ts'
import { clientScope, projectScope } from './scope.ts'

/** Days that a deletion is listed. */
export const TOMBSTONE_DAYS = 90
const DAY = 86_400_000
/** The most deletions of one answer. */
const MOST = 10_000

/** Notes the records that a transaction deleted, and forgets those that it brought back. */
export async function noteDeletions(tx: Tx, changes: readonly Change[], at: string, isRestored: boolean): Promise<void> {
  const dropped = changes.filter(({ kind, audience }) => kind === 'drop' && audience !== 'user')
  const gone = isRestored ? [...dropped, ...changes.filter(({ kind = 'put' }) => kind === 'put')] : dropped
  for (const [noun, some] of Map.groupBy(gone, (change) => change.noun)) {
    const ids = [...new Set(some.map(({ id }) => id))]
    for (let from = 0; from < ids.length; from += 500)
      await tx
        .deleteFrom('tombstones')
        .where('noun', '=', noun)
        .where('subject_id', 'in', ids.slice(from, from + 500))
        .execute()
  }
  const rows = new Map<string, ReturnType<typeof rowOf>>()
  for (const change of dropped) {
    const earlier = rows.get(`${change.noun} ${change.id}`)
    if (!earlier || earlier.for_admins) rows.set(`${change.noun} ${change.id}`, rowOf(change, at))
  }
  await insertMany(tx, 'tombstones', [...rows.values()])
}

const rowOf = ({ noun, id, project_id, client_id, audience }: Change, deleted_at: string) => ({
  ...{ noun, subject_id: id, deleted_at, project_id: noun === 'project' ? id : (project_id ?? null) },
  ...{ client_id: noun === 'client' ? id : (client_id ?? null), for_admins: audience === 'admin' ? 1 : 0 },
})

/** Adds what was deleted since the moment to the first page of a list of changes. */
export function withDeletions(id: CallId, handler: AnyHandler): AnyHandler {
  const noun = deletionsListed(id)
  if (!noun) return handler
  return Object.assign(async (ctx: Ctx<never>) => {
    const answer = (await handler(ctx)) as object
    const { updated_since, page } = ctx.input as { updated_since?: string; page: number }
    return updated_since && page === 1 && ctx.cursor === null
      ? { ...answer, ...(await deletionsSince(ctx, noun, updated_since)) }
      : answer
  }, handler)
}

/** The records of a noun that were deleted since a moment and that the caller could see, the oldest first. */
async function deletionsSince(ctx: Ctx<never>, noun: string, since: string) {
  const oldest = new Date(Date.parse(ctx.now) - TOMBSTONE_DAYS * DAY).toISOString().slice(0, 10)
  const from = since < oldest ? `${oldest}T00:00:00.000Z` : since
  const rows = await ctx.db
    .selectFrom('tombstones')
    .select(['subject_id as id', 'deleted_at'])
    .where('noun', '=', noun)
    .where('deleted_at', '>=', from)
    .where(sightOf(ctx))
    .orderBy('deleted_at')
    .orderBy('subject_id')
    .limit(MOST + 1)
    .execute()
  const next = rows.length > MOST ? rows[MOST]!.deleted_at : null
  return { deletions: rows.slice(0, MOST), deletions_from: from, deletions_next: next }
}

/** The deletions that a caller may know of: of their clients and of projects that they would see. */
function sightOf({ actor }: Ctx<never>) {
  if (seesAll(actor)) return sql<SqlBool>`1 = 1`
  const audience = isAdmin(actor) ? sql`1 = 1` : sql`tombstones.for_admins = 0`
  const project = sql`exists (select 1 from (select id, parent_id, client_id, requested_by, cast(null as text) as deleted_at
    from projects where projects.id = tombstones.project_id) gone where ${projectScope(actor, 'gone')})`
  const client = sql`tombstones.project_id is null and tombstones.client_id in (select id from clients where ${clientScope(actor)})`
  return sql<SqlBool>`(${audience} and (${project} or (${client})))`
}

/** Deletes what is listed no more. */
export async function sweepTombstones(database: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - (TOMBSTONE_DAYS + 1) * DAY).toISOString()
  const old = await database.db
    .selectFrom('tombstones')
    .select('noun')
    .where('deleted_at', '<', before)
    .limit(1)
    .executeTakeFirst()
  if (old) await transact(database, (tx) => tx.deleteFrom('tombstones').where('deleted_at', '<', before).execute())
}
