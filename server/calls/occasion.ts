import type { z } from 'zod'
import {
  EventInput,
  type EventRecord,
  type occasionCalls,
  PostInput,
  type PostRecord,
  PromoInput,
  type PromoRecord,
} from '../../contract/occasion.ts'
import { eventFields, postFields, promoFields } from '../../contract/occasionFields.ts'
import { usDate } from '../../contract/olderFields.ts'
import { overlaps, type ScheduleRow } from '../../contract/schedules.ts'
import { unchangedOf } from '../../contract/writeEffects.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { columnsIn } from '../core/fieldColumns.ts'
import { type HandlersOf, ownTransaction } from '../core/handler.ts'
import { linkTo } from '../core/signedLink.ts'
import { CommitUnknown } from '../db/dbErrors.ts'
import { activityOf } from '../domain/content/activity.ts'
import { discard, receive } from '../files/receiveUpload.ts'
import { type Kind, prefilled, saveOccasion, storedOf, type Values } from './occasion/save.ts'

/** The stored or prefilled values of an occasion, in the shape all kinds share. */
async function faceOf(ctx: Ctx, activityId: number, kind: Kind) {
  const activity = await activityOf(ctx, activityId)
  const stored = await storedOf(ctx, activityId, kind)
  const values: Values = stored ?? prefilled(activity)
  const file = values.file_id
    ? await ctx.db
        .selectFrom('files')
        .select(['id', 'original_name', 'mime', 'size', 'rotation'])
        .where('id', '=', values.file_id)
        .executeTakeFirst()
    : undefined
  const face = {
    id: activity.id,
    activity_id: activity.id,
    activity_name: activity.name,
    project_id: activity.project_id,
    name: values.name,
    file_id: file?.id ?? null,
    file: file
      ? { ...file, url: linkTo(ctx, file).url, thumbnail: file.mime.startsWith('image/') ? linkTo(ctx, file, true).url : '' }
      : null,
    saved: stored !== undefined,
    lock_version: stored?.lock_version ?? 0,
  }
  const dated = {
    start_date: usDate(values.start_date),
    end_date: usDate(values.end_date),
    start_dt: values.start_date,
    end_dt: values.end_date,
    location: values.location,
    address: values.address,
  }
  return { face, dated, values }
}

async function eventOf(ctx: Ctx, id: number): Promise<z.output<typeof EventRecord>> {
  const { face, dated, values } = await faceOf(ctx, id, 'event')
  return { ...face, ...dated, about: values.about, schedules: JSON.parse(values.schedules) as ScheduleRow[] }
}
async function promoOf(ctx: Ctx, id: number): Promise<z.output<typeof PromoRecord>> {
  const { face, dated, values } = await faceOf(ctx, id, 'promo')
  return { ...face, ...dated, information: values.information }
}
async function postOf(ctx: Ctx, id: number): Promise<z.output<typeof PostRecord>> {
  const { face, values } = await faceOf(ctx, id, 'post')
  return { ...face, content_type: values.content_type, description: values.description, url: values.url }
}

type EditInput = { id: number; lock_version?: number | undefined; schedules?: ScheduleRow[] | undefined } & Partial<
  Omit<Values, 'schedules'>
>

/** The columns for a form's fields. */
function valuesOf(kind: Kind, { schedules, ...fields }: EditInput): Partial<Values> {
  const values = {
    event: () => columnsIn('occasions', eventFields, fields),
    promo: () => columnsIn('occasions', promoFields, fields),
    post: () => columnsIn('occasions', postFields, fields),
  }[kind]()
  const inOrder =
    schedules && [...schedules].sort((a, b) => (a.start === b.start ? (a.end < b.end ? -1 : 1) : a.start < b.start ? -1 : 1))
  return { ...values, ...(inOrder ? { schedules: JSON.stringify(inOrder) } : {}) }
}

/** The edit handler of one kind, which accepts a multipart form with a file, or JSON. */
function editOf<Answer>(kind: Kind, schema: z.ZodType<EditInput>, read: (ctx: Ctx, id: number) => Promise<Answer>) {
  return ownTransaction('writeIdempotent', async (ctx: Ctx<EditInput>) => {
    await activityOf(ctx, ctx.input.id)
    const { fields, stored, sums, ignored, allowance } = ctx.request.isMultipart()
      ? await receive<EditInput>(ctx, {
          schema: () => schema,
          ready: async ({ id }) => void (await activityOf(ctx, id)),
          file: 'file',
          optional: true,
          wraps: kind === 'post' ? 'content' : kind,
        })
      : { fields: ctx.input, stored: [], sums: [], ignored: [], allowance: null }
    try {
      const input = [fields, stored.map((file, at) => [file.original_name, sums[at]])]
      const { answer, replayed } = await ctx.writeIdempotent(input, async (writeCtx) => {
        const writing = writeCtx as unknown as Ctx
        await allowance?.settle(writing, stored)
        await saveOccasion(writing, fields.id, kind, { sent: valuesOf(kind, fields), lock: fields.lock_version, files: stored })
        return {
          data: await read(writing, fields.id),
          message: writing.wrote ? describeEffect(writing, `${kind}.edit`, { noun: kind }) : unchangedOf(`${kind}.edit`),
          warnings: overlaps(fields.schedules ?? []),
        }
      })
      // The first attempt stored these already.
      if (replayed) await discard(ctx, stored)
      return { ...answer, ...(ignored.length ? { ignored } : {}) }
    } catch (error) {
      // If the outcome of the commit is unknown, contents without rows do less harm than rows without contents.
      if (!(error instanceof CommitUnknown)) await discard(ctx, stored)
      throw error
    } finally {
      allowance?.end()
    }
  })
}

/** The activity's event, promotion and post of the older API (screens-projects.md). */
export const occasionHandlers: HandlersOf<typeof occasionCalls> = {
  'event.get': async (ctx) => ({ data: await eventOf(ctx as Ctx, ctx.input.id) }),
  'event.edit': editOf('event', EventInput as z.ZodType<EditInput>, eventOf) as never,
  'promo.get': async (ctx) => ({ data: await promoOf(ctx as Ctx, ctx.input.id) }),
  'promo.edit': editOf('promo', PromoInput as z.ZodType<EditInput>, promoOf) as never,
  'post.get': async (ctx) => ({ data: await postOf(ctx as Ctx, ctx.input.id) }),
  'post.edit': editOf('post', PostInput as z.ZodType<EditInput>, postOf) as never,
}
