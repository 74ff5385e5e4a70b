import { childEndsLater, endsAfterParent } from '../../../contract/lateEnd.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { usDate } from '../../../contract/olderFields.ts'
import type { Ctx } from '../../core/context.ts'
import { HttpError, invalid } from '../../core/errors.ts'
import type { ProjectRecord } from './storedProject.ts'

interface Dates {
  start_dt?: string | null | undefined
  end_dt?: string | null | undefined
  parent_id?: number | null | undefined
}

/**
 * Checks dates (projects-area 5): start not after end, and no child starts before its parent.
 * An end after the parent's is only a warning (`endWarnings`).
 * Unchanged values aren't checked again.
 * `field` is the call's name for the start; in an edit, errors name the end as well.
 */
export async function checkDates(ctx: Ctx, record: ProjectRecord | null, dates: Dates, field = 'start_dt'): Promise<void> {
  const start = dates.start_dt ?? record?.start_dt
  const end = dates.end_dt ?? record?.end_dt
  const parent_id = dates.parent_id === undefined ? record?.parent_id : dates.parent_id
  const moved = !record || start !== record.start_dt || end !== record.end_dt
  if (moved && start && end && start > end)
    throw new HttpError(422, 'invalid', MESSAGES.startBeforeEnd, {
      fields: { [field]: MESSAGES.startBeforeEnd, ...(record ? { [field.replace('start', 'end')]: MESSAGES.checkDates } : {}) },
    })
  const starts = Boolean(start) && (!record || start !== record.start_dt)
  if (record && starts) await checkChildren(ctx, record.id, start!, field)
  if (parent_id && (starts || parent_id !== record?.parent_id)) await checkAgainstParent(ctx, parent_id, start, field)
}

async function checkAgainstParent(ctx: Ctx, parent_id: number, start: string | null | undefined, field: string): Promise<void> {
  const parent = await ctx.db
    .selectFrom('projects')
    .select(['id', 'start_dt', 'parent_id'])
    .where('id', '=', parent_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!parent) throw invalid('parent_id', `parent_id is not a project: ${parent_id}`)
  if (parent.parent_id) throw invalid('parent_id', 'parent_id is a child itself')
  if (start && parent.start_dt && start < parent.start_dt)
    throw invalid(field, MESSAGES.startBeforeParent(usDate(parent.start_dt)))
}

/** Throws if a parent would start after its first child. */
async function checkChildren(ctx: Ctx, id: number, start: string, field: string): Promise<void> {
  const first = await ctx.db
    .selectFrom('projects')
    .select(['name', 'start_dt'])
    .where('parent_id', '=', id)
    .where('deleted_at', 'is', null)
    .where('start_dt', '<', start)
    .orderBy('start_dt')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (first) throw invalid(field, `A parent can't start after its children: "${first.name}" starts on ${usDate(first.start_dt)}.`)
}

/**
 * Warnings for a written project that ends after its parent or before a child.
 * Empty if end and parent are unchanged; `before` is the project before the write, null for a new one.
 */
export async function endWarnings(
  ctx: Ctx,
  before: ProjectRecord | null,
  saved: Pick<ProjectRecord, 'id' | 'end_dt' | 'parent_id'>,
): Promise<{ warnings?: string[] }> {
  const { id, end_dt, parent_id } = saved
  if (!end_dt || (before && before.end_dt === end_dt && before.parent_id === parent_id)) return {}
  const ends = (of: 'id' | 'parent_id', value: number) =>
    ctx.db.selectFrom('projects').select(['name', 'end_dt']).where(of, '=', value)
  const parent = parent_id ? await ends('id', parent_id).executeTakeFirst() : undefined
  const later = ends('parent_id', id).where('deleted_at', 'is', null).where('end_dt', '>', end_dt)
  // A new project has no children.
  const child = before && (await later.orderBy('end_dt', 'desc').orderBy('id').limit(1).executeTakeFirst())
  const warnings = [
    ...(parent?.end_dt && end_dt > parent.end_dt ? [endsAfterParent(usDate(parent.end_dt))] : []),
    ...(child?.end_dt ? [childEndsLater(child.name, usDate(child.end_dt))] : []),
  ]
  return warnings.length ? { warnings } : {}
}
