import type { Selectable } from 'kysely'
import { MESSAGES } from '../../../contract/messages.ts'
import { targetFields } from '../../../contract/targetFields.ts'
import { appliedFields } from '../../core/appliedFields.ts'
import { difference } from '../../core/change.ts'
import type { Ctx } from '../../core/context.ts'
import { HttpError, invalid, notFound } from '../../core/errors.ts'
import { onlyColumns } from '../../core/onlyColumns.ts'
import { projectScope } from '../../core/scope.ts'
import { locked } from '../../db/locked.ts'
import type { TargetTable } from '../../db/schema.ts'
import { assertMarkets } from '../project/audience.ts'
import { changedLists, EMPTY, type Lists, VALUES, valuesOf } from './targetLists.ts'

type TargetRow = Selectable<TargetTable>
type TargetInput = Parameters<typeof changedLists>[1]

/** An activity the caller can see, with its project; throws 404. */
export async function seenActivity(ctx: Pick<Ctx, 'db' | 'actor'>, id: number) {
  const activity = await ctx.db
    .selectFrom('activities')
    .innerJoin('projects', 'projects.id', 'activities.project_id')
    .select([
      'activities.id',
      'activities.name',
      'activities.project_id',
      'activities.created_at',
      'projects.status',
      'projects.client_id',
    ])
    .where('activities.id', '=', id)
    .where('activities.deleted_at', 'is', null)
    .where(projectScope(ctx.actor))
    .executeTakeFirst()
  if (!activity) throw notFound(`Activity ${id}`)
  return activity
}

/** An activity's target; null without one. */
export const targetOf = async (ctx: Pick<Ctx, 'db'>, activityId: number): Promise<TargetRow | null> =>
  (await ctx.db.selectFrom('targets').selectAll().where('activity_id', '=', activityId).executeTakeFirst()) ?? null

/** Throws a 422 if a change leaves no market areas, or names unknown ones. */
export async function checkMarkets(ctx: Ctx, current: Lists, patch: Partial<Lists>): Promise<void> {
  const next = { ...current, ...patch }
  const changed = 'targeted_locations' in patch || 'location_based' in patch
  if (changed && next.location_based === 'no' && !next.targeted_locations) throw invalid('targeted_locations', MESSAGES.oneMarket)
  if (patch.targeted_locations) await assertMarkets(ctx, valuesOf(patch.targeted_locations))
}

/** Inserts an activity's first target, with its line in the history; returns its id. */
export async function addTarget(
  ctx: Ctx,
  activity: { id: number; project_id: number },
  lists: Lists,
  reason = '',
): Promise<number> {
  const { id } = await ctx.tx
    .insertInto('targets')
    .values(onlyColumns('targets', { activity_id: activity.id, version: 1, ...lists, updated_at: ctx.now }))
    .returning('id')
    .executeTakeFirstOrThrow()
  const { after } = difference(EMPTY, lists)
  await ctx.record({ subject: 'target', subject_id: id, project_id: activity.project_id, before: {}, after, reason })
  return id
}

/**
 * Writes an activity's target: its first version, or the next one if anything differs; returns the patch.
 * `version` is the one the caller saw; throws 409 `stale` with both versions if it isn't the stored one.
 */
export async function saveTarget(
  ctx: Ctx,
  activity: { id: number; project_id: number },
  { sent, version, reason = '' }: { sent: TargetInput; version?: number | undefined; reason?: string | undefined },
): Promise<Partial<Lists>> {
  // The activity's row is locked, so that two concurrent writes can't both create its first target.
  await locked(ctx.services.database, ctx.tx.selectFrom('activities').select('id').where('id', '=', activity.id)).execute()
  const stored = await ctx.tx.selectFrom('targets').selectAll().where('activity_id', '=', activity.id).executeTakeFirst()
  const current: Lists = stored ?? EMPTY
  const patch = changedLists(current, appliedFields(ctx, targetFields, sent, current))
  if (stored && version !== undefined && version !== stored.version && Object.keys(patch).length)
    throw staleTarget(stored, version, patch)
  if (stored && !Object.keys(patch).length) return patch
  await checkMarkets(ctx, current, patch)
  const { project_id } = activity
  if (!stored) {
    const id = await addTarget(ctx, activity, { ...EMPTY, ...patch }, reason)
    ctx.emit({ noun: 'target', id, project_id })
    return patch
  }
  await ctx.tx
    .updateTable('targets')
    .set(onlyColumns('targets', { ...patch, version: stored.version + 1, updated_at: ctx.now }))
    .where('id', '=', stored.id)
    .execute()
  const before = Object.fromEntries(Object.keys(patch).map((field) => [field, current[field as keyof Lists]]))
  await ctx.record({ subject: 'target', subject_id: stored.id, project_id, before, after: patch, reason })
  ctx.emit({ noun: 'target', id: stored.id, project_id })
  return patch
}

/** The 409 for a target that somebody else changed, with both versions and the differing fields. */
function staleTarget(stored: TargetRow, version: number, mine: Partial<Lists>): HttpError {
  const fields = Object.keys(mine) as (keyof Lists)[]
  return new HttpError(409, 'stale', `This target is now at version ${stored.version}; you opened version ${version}.`, {
    theirs: {
      ...Object.fromEntries(VALUES.map((field) => [field, stored[field]])),
      version: stored.version,
      lock_version: stored.version,
      id: stored.id,
    },
    mine: { ...mine, version },
    clashes: fields,
  })
}
