import { z } from 'zod'
import { Allowed, call, Delay, Effected, EffectSentence, Id, Lock, listOf, one, Search } from './call.ts'
import { crudCalls } from './crudCalls.ts'
import { columnWord } from './enums.ts'
import { createShape, editShape } from './fieldInput.ts'
import { paged } from './listInput.ts'
import { valuesOf } from './lists.ts'
import { notificationFields } from './notificationFields.ts'

/** Where a notification leads: the visits map, all projects, or a URL. */
const NOTICE_ACTIONS = valuesOf('notification', 'message_action')
const NOTIFICATION_STATUSES = valuesOf('notification', 'status')

/** A message from administrators to everyone with an account (decisions.md 13, Notifications). */
export const Notification = z.object({
  id: z.number(),
  name: z.string(),
  message: z.string(),
  message_action: columnWord('notification', 'message_action'),
  /** The URL of a web action; empty for others. */
  url: z.string(),
  notification_type: z.literal('all'),
  /** A text for programs; people don't see it. */
  custom: z.string(),
  status: columnWord('notification', 'status'),
  sent_at: z.string().nullable(),
  /** The sender's name; empty for a draft. */
  by: z.string(),
  /** How many people it was sent to, and how many have read it. */
  audience: z.number(),
  read_count: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
  lock_version: z.number(),
  ...Allowed,
})
export type Notification = z.output<typeof Notification>

/** A recipient of a notification. */
const Reader = z.object({
  user_id: z.number(),
  name: z.string(),
  email: z.string(),
  read_at: z.string().nullable(),
})

const notification_type = z.literal('all', { error: 'is all' })
const Written = one(Notification).extend({ message: EffectSentence })

export const notificationCalls = {
  ...crudCalls('notification', {
    at: '/v3/portal/notifications',
    record: Notification,
    filter: {
      status: z.enum(['', ...NOTIFICATION_STATUSES]).default(''),
      action: z.enum(['', ...NOTICE_ACTIONS]).default(''),
    },
    about: {
      list: 'Lists notifications by search and filter, drafts first, then the newest, 10 a page.',
      get: 'Returns one notification.',
    },
  }),
  'notification.readers': call({
    method: 'GET',
    path: '/v3/portal/notifications/{id}/readers',
    about: 'Lists a notification’s readers and when they read it, latest first, 10 a page.',
    input: z.object({ id: Id, ...paged(), search: Search }),
    output: listOf(Reader),
  }),
  'notification.audience': call({
    method: 'GET',
    path: '/v3/portal/notifications/audience',
    about: 'Counts the people a notification would go to now, and those who also get it by email.',
    input: z.object({}),
    output: one(z.object({ audience: z.number(), by_mail: z.number() })),
  }),
  'notification.create': call({
    method: 'POST',
    path: '/v1/notifications',
    about: 'Creates a notification as a draft; a map action drops the url, and a feed action takes none.',
    wraps: 'notification',
    undo: true,
    input: z.object({ ...createShape(notificationFields), notification_type: notification_type.default('all') }),
    output: Written,
    refreshes: ['history'],
  }),
  'notification.edit': call({
    method: 'PUT',
    path: '/v1/notifications/{id}',
    about: 'Changes a draft: only the fields that are sent.',
    wraps: 'notification',
    reads: 'notification.get',
    undo: true,
    input: z.object({
      id: Id,
      ...editShape(notificationFields),
      notification_type: notification_type.optional(),
      lock_version: Lock,
    }),
    output: Written,
    refreshes: ['history'],
  }),
  'notification.remove': call({
    method: 'DELETE',
    path: '/v1/notifications/{id}',
    about: 'Deletes a notification softly; a sent one leaves every inbox.',
    undo: true,
    input: z.object({ id: Id }),
    output: Effected,
    refreshes: ['notice', 'history'],
  }),
  'notification.send': call({
    method: 'POST',
    path: '/v1/notifications/send_all',
    about:
      'Sends a draft to everyone with an account after delay_seconds, during which it can be undone; each draft is sent once. With dry=1 it counts the audience.',
    wraps: 'notification',
    undo: true,
    sends: 'notification',
    input: z.object({ id: Id, delay_seconds: Delay }),
    output: one(
      z.object({ audience: z.number(), by_mail: z.number(), job_id: z.number().nullable(), sends_at: z.string() }),
    ).extend({ message: EffectSentence }),
    refreshes: ['notice', 'job', 'history'],
  }),
} as const
