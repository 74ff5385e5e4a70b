import type { z } from 'zod'
import type { ActivityEdit } from '../../../contract/activity.ts'
import type { TargetEdit } from '../../../contract/target.ts'
import type { Ctx } from '../../core/context.ts'
import { HttpError, invalid } from '../../core/errors.ts'
import { editActivity, heldActivity } from '../../domain/activity/write.ts'
import { changedLists } from '../../domain/target/targetLists.ts'
import { saveTarget, seenActivity, targetOf } from '../../domain/target/write.ts'

type Activity = z.output<typeof ActivityEdit>
type Target = z.output<typeof TargetEdit>

/**
 * Throws 409 `stale` for an older version of the activity or its target, with the current one under its name.
 * Runs before any part is written, so that the response's record contains nothing of the refused edit.
 */
export async function refuseStaleParts(ctx: Ctx, activity: Activity | undefined, target: Target | undefined): Promise<void> {
  const stale = (part: string, theirs: object) =>
    new HttpError(409, 'stale', `This ${part} was changed by someone else since you opened it.`, { theirs: { [part]: theirs } })
  if (activity) {
    const { id, lock_version, ...sentFields } = activity
    const stored = await heldActivity(ctx, id)
    const differs = Object.entries(sentFields).some(([name, value]) => (stored as Record<string, unknown>)[name] !== value)
    if (lock_version !== undefined && lock_version !== stored.lock_version && differs) throw stale('activity', stored)
  }
  if (target) {
    const { activity_id, version, reason: _, ...sent } = target
    const stored = await targetOf(ctx, activity_id)
    if (stored && version !== undefined && version !== stored.version && Object.keys(changedLists(stored, sent)).length)
      throw stale('target', stored)
  }
}

/** Writes a project's edit to one of its activities and the activity's target; true if anything was sent. */
export async function writeActivityParts(
  ctx: Ctx,
  project_id: number,
  activity: Activity | undefined,
  target: Target | undefined,
): Promise<boolean> {
  if (activity) {
    const { id, lock_version, ...sentFields } = activity
    await assertOfProject(ctx, 'activity.id', id, project_id)
    await naming(ctx, 'activity', () => editActivity(ctx, id, sentFields, lock_version))
  }
  if (target) {
    const { activity_id, version, reason, ...sent } = target
    const place = await assertOfProject(ctx, 'target.activity_id', activity_id, project_id)
    await naming(ctx, 'target', () => saveTarget(ctx, place, { sent, version, reason }))
  }
  return Boolean(activity || target)
}

async function assertOfProject(ctx: Ctx, field: string, id: number, project_id: number) {
  const activity = await seenActivity(ctx, id).catch(() => null)
  if (activity?.project_id !== project_id) throw invalid(field, `${field} is not an activity of this project: ${id}`)
  return activity
}

/** Prefixes the fields of an error, and those that don't apply, with the part they belong to. */
async function naming(ctx: Ctx, part: 'activity' | 'target', work: () => Promise<unknown>): Promise<void> {
  const { length } = ctx.dropped
  try {
    await work()
    ctx.dropped.push(...ctx.dropped.splice(length).map((name) => `${part}.${name}`))
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    const { fields, field_codes, ...more } = error.more
    const named = <T>(each: Record<string, T> | undefined) =>
      each && Object.fromEntries(Object.entries(each).map(([field, value]) => [`${part}.${field}`, value]))
    throw new HttpError(error.status, error.code, error.message, {
      ...more,
      ...(fields ? { fields: named(fields), field_codes: named(field_codes) } : {}),
    })
  }
}
