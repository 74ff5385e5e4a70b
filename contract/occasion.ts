import { z } from 'zod'
import { call, EffectSentence, Id, Lock, one } from './call.ts'
import { PostType, UsDay } from './enums.ts'
import { createShape, editShape, inAnyCase } from './fieldInput.ts'
import { MESSAGES } from './messages.ts'
import { eventFields, postFields, promoFields, scheduleFields } from './occasionFields.ts'
import { scheduleFaults } from './schedules.ts'
import { inOrder, whenObject } from './whenObject.ts'

/** The picture or film of an occasion; its links are valid for 15 minutes. */
const Picture = z.object({
  id: z.number(),
  original_name: z.string(),
  mime: z.string(),
  size: z.number(),
  url: z.string(),
  /** Empty for a film. */
  thumbnail: z.string(),
  /** Clockwise rotation in degrees: 0, 90, 180 or 270. */
  rotation: z.number(),
})

/** A list of schedules, or its JSON in a multipart form. */
const Schedules = z.preprocess(
  (input) => {
    if (typeof input !== 'string') return input
    try {
      return JSON.parse(input || '[]') as unknown
    } catch {
      return input
    }
  },
  z.array(z.object(createShape(scheduleFields))).max(eventFields.schedules.most),
)

/** The ids of an older activity form; the id is the activity's. */
const Face = {
  id: z.number(),
  activity_id: z.number(),
  activity_name: z.string(),
  project_id: z.number(),
  name: z.string(),
  file: Picture.nullable(),
  file_id: z.number().nullable(),
  /** False before the first save, when all values come from the activity. */
  saved: z.boolean(),
  /** 0 before the first save. */
  lock_version: z.number(),
}
const Dated = {
  start_date: UsDay,
  end_date: UsDay,
  start_dt: z.string().nullable(),
  end_dt: z.string().nullable(),
  location: z.string(),
  address: z.string(),
}
export const EventRecord = z.object({
  ...Face,
  ...Dated,
  about: z.string(),
  schedules: z.array(z.object({ name: z.string(), start: z.string(), end: z.string() })),
})
export const PromoRecord = z.object({ ...Face, ...Dated, information: z.string() })
export const PostRecord = z.object({ ...Face, content_type: PostType, description: z.string(), url: z.string() })

const What = { id: Id, lock_version: Lock }
const isInOrder = ({ start_date, end_date }: { start_date?: unknown; end_date?: unknown }) => inOrder(start_date, end_date)
const LATE = { path: ['start_date'], message: MESSAGES.startBeforeEnd, when: whenObject }

export const EventInput = z
  .object({ ...What, ...editShape(eventFields), schedules: Schedules.optional() })
  .refine(isInOrder, LATE)
  .superRefine(({ schedules, start_date, end_date }, context) => {
    const faults = scheduleFaults(schedules ?? [], start_date, end_date)
    if (faults.length) context.addIssue({ code: 'custom', path: ['schedules'], message: faults[0]!.message })
  })
export const PromoInput = z.object({ ...What, ...editShape(promoFields) }).refine(isInOrder, LATE)
export const PostInput = z.object({
  ...What,
  ...editShape(postFields),
  content_type: inAnyCase(postFields.content_type).optional(),
})
const refreshes = ['occasion', 'activity', 'file', 'history'] as const

/** Events, promotions and posts: the older forms of an activity (screens-projects.md). */
export const occasionCalls = {
  'event.get': call({
    method: 'GET',
    path: '/v1/events/{id}',
    about: 'Returns the event of an activity; before its first save, with the activity’s name, dates and description.',
    input: z.object({ id: Id }),
    output: one(EventRecord),
  }),
  'event.edit': call({
    method: 'PUT',
    path: '/v1/events/{id}',
    as: 'multipart',
    files: { name: 'file', optional: true },
    about: 'Makes or changes the event of an activity: only the fields that are sent, with a picture as a file.',
    wraps: 'event',
    reads: 'event.get',
    undo: true,
    input: EventInput,
    output: one(EventRecord).extend({ message: EffectSentence, warnings: z.array(z.string()) }),
    refreshes,
  }),
  'promo.get': call({
    method: 'GET',
    path: '/v1/promos/{id}',
    about: 'Returns the promotion of an activity; before its first save, with the activity’s name, dates and description.',
    input: z.object({ id: Id }),
    output: one(PromoRecord),
  }),
  'promo.edit': call({
    method: 'PUT',
    path: '/v1/promos/{id}',
    as: 'multipart',
    files: { name: 'file', optional: true },
    about: 'Makes or changes the promotion of an activity: only the fields that are sent, with a picture as a file.',
    wraps: 'promo',
    reads: 'promo.get',
    undo: true,
    input: PromoInput,
    output: one(PromoRecord).extend({ message: EffectSentence, warnings: z.array(z.string()) }),
    refreshes,
  }),
  'post.get': call({
    method: 'GET',
    path: '/v1/contents/{id}',
    about:
      'Returns the photo or video post of an activity; before its first save, with the activity’s name, description and address.',
    input: z.object({ id: Id }),
    output: one(PostRecord),
  }),
  'post.edit': call({
    method: 'PUT',
    path: '/v1/contents/{id}',
    as: 'multipart',
    files: { name: 'file', optional: true },
    about: 'Makes or changes the post of an activity: only the fields that are sent, with a picture or film as a file.',
    wraps: 'content',
    reads: 'post.get',
    undo: true,
    input: PostInput,
    output: one(PostRecord).extend({ message: EffectSentence, warnings: z.array(z.string()) }),
    refreshes,
  }),
}
