import type { Selectable } from 'kysely'
import { typesOf } from '../../../contract/fieldKinds.ts'
import { count } from '../../../contract/format.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { eventFields, postFields, promoFields } from '../../../contract/occasionFields.ts'
import { type ScheduleRow, scheduleFaults } from '../../../contract/schedules.ts'
import { change, difference, stale } from '../../core/change.ts'
import type { Ctx } from '../../core/context.ts'
import { invalid } from '../../core/errors.ts'
import { onlyColumns } from '../../core/onlyColumns.ts'
import { locked } from '../../db/locked.ts'
import type { OccasionTable } from '../../db/schema.ts'
import { activityOf, type SeenActivity } from '../../domain/content/activity.ts'
import { extensionOf } from '../../files/checkContent.ts'
import type { Stored } from '../../files/receiveUpload.ts'
import { addFiles } from '../file/upload.ts'

export type Kind = OccasionTable['kind']
export type Occasion = Selectable<OccasionTable>
/** The values of an occasion, in any of its kinds. */
export type Values = Pick<
  Occasion,
  | 'name'
  | 'description'
  | 'about'
  | 'information'
  | 'location'
  | 'address'
  | 'content_type'
  | 'url'
  | 'file_id'
  | 'start_date'
  | 'end_date'
  | 'schedules'
>

/** The values that the older API returns before the first save. */
export const prefilled = (activity: SeenActivity): Values => ({
  name: activity.name,
  description: activity.about,
  about: activity.about,
  information: activity.about,
  location: '',
  address: '',
  content_type: activity.activity_type === 'video' ? 'video' : 'photo',
  url: activity.url,
  file_id: null,
  start_date: activity.start_dt ?? activity.project_start,
  end_date: activity.end_dt ?? activity.project_end,
  schedules: '[]',
})

/** The stored occasion of an activity; undefined before its first save. */
export const storedOf = (ctx: Pick<Ctx, 'db'>, activityId: number, kind: Kind): Promise<Occasion | undefined> =>
  ctx.db.selectFrom('occasions').selectAll().where('activity_id', '=', activityId).where('kind', '=', kind).executeTakeFirst()

/** Throws a 422 for a file type the occasion doesn't accept. */
function checkType(kind: Kind, contentType: string, name: string): void {
  const { file_id } = { event: eventFields, promo: promoFields, post: postFields }[kind]
  const types = typesOf(file_id, { content_type: contentType }) ?? []
  if (!types.includes(extensionOf(name))) throw invalid('file', MESSAGES.fileType(types.join(', ')))
}

/** Throws a 422 unless the stored values, with those that were sent, make a valid occasion. */
function check(kind: Kind, next: Values, sentNames: ReadonlySet<string>): void {
  if (!next.name.trim()) throw invalid('name', MESSAGES.occasionName)
  if (kind === 'post') {
    if (!next.url && !next.file_id) throw invalid('file', MESSAGES.assetMissing)
    return
  }
  if (!next.start_date) throw invalid('start_date', MESSAGES.occasionStart)
  if (!next.end_date) throw invalid('end_date', MESSAGES.occasionEnd)
  if (next.start_date > next.end_date)
    throw invalid(sentNames.has('start_date') ? 'start_date' : 'end_date', MESSAGES.startBeforeEnd)
  const [fault] = scheduleFaults(JSON.parse(next.schedules) as ScheduleRow[], next.start_date, next.end_date)
  if (fault) throw invalid('schedules', fault.message)
}

/** Links an upload as the occasion's file; throws 404 for one of another project, or one the caller can't see. */
async function attached(ctx: Ctx, activity: SeenActivity, id: number): Promise<{ id: number; name: string }> {
  const file = await locked(ctx.services.database, ctx.tx.selectFrom('files').selectAll().where('id', '=', id)).executeTakeFirst()
  const own = file?.project_id === activity.project_id
  const loose = file && file.project_id === null && file.uploaded_by === ctx.actor.id && file.kind !== 'export'
  if (!file || !(own || loose)) throw invalid('file_id', `file ${id} is not an upload of yours or of this project`)
  if (loose)
    await ctx.tx
      .updateTable('files')
      .set({ project_id: activity.project_id, activity_id: activity.id, updated_at: ctx.now })
      .where('id', '=', id)
      .execute()
  return { id, name: file.original_name }
}

/**
 * Creates or changes an activity's occasion: only the fields that were sent; a new file replaces the old one.
 * The replaced file stays with the activity. Writing prefilled values back unchanged creates nothing.
 */
export async function saveOccasion(
  ctx: Ctx,
  activityId: number,
  kind: Kind,
  { sent, lock, files }: { sent: Partial<Values>; lock: number | undefined; files: readonly Stored[] },
): Promise<void> {
  const activity = await activityOf(ctx, activityId)
  await locked(ctx.services.database, ctx.tx.selectFrom('activities').select('id').where('id', '=', activityId)).execute()
  const stored = await storedOf({ db: ctx.tx }, activityId, kind)
  const current: Values = stored ?? prefilled(activity)
  const patch: Partial<Values> = { ...sent }
  const contentType = patch.content_type ?? current.content_type
  if (files.length > 1) throw invalid('file', `Send one file, not ${count(files.length)}.`)
  if (files[0]) {
    checkType(kind, contentType, files[0].original_name)
    const place = { project_id: activity.project_id, activity_id: activityId, description: '' }
    const [id] = await addFiles(ctx, [{ ...files[0], ...place, kind: 'asset', asset_type: 'Creative Assets' }])
    patch.file_id = id!
  } else if (patch.file_id) {
    const file = await attached(ctx, activity, patch.file_id)
    checkType(kind, contentType, file.name)
  } else if (patch.content_type && patch.content_type !== current.content_type && current.file_id && patch.file_id !== null) {
    const file = await ctx.tx.selectFrom('files').select('original_name').where('id', '=', current.file_id).executeTakeFirst()
    if (file) checkType(kind, contentType, file.original_name)
  }
  if (!stored && !Object.keys(difference(current, patch).after).length) return
  check(kind, { ...current, ...patch }, new Set(Object.keys(sent)))
  const event = { noun: 'occasion' as const, project_id: activity.project_id }
  if (stored) {
    await change(ctx, 'occasions', {
      subject: 'occasion',
      id: stored.id,
      patch,
      lock,
      line: { project_id: activity.project_id },
      change: event,
    })
    return
  }
  if (lock) throw stale('occasion', { id: 0, lock_version: 0, updated_at: ctx.now, ...current }, patch)
  const { id } = await ctx.tx
    .insertInto('occasions')
    .values(
      onlyColumns('occasions', { activity_id: activityId, kind, ...current, ...patch, created_at: ctx.now, updated_at: ctx.now }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  await ctx.record({ subject: 'occasion', subject_id: id, project_id: activity.project_id, before: {}, after: { ...patch } })
  ctx.emit({ ...event, id })
}
