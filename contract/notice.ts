import { z } from 'zod'
import { Allowed, call, EffectSentence, Flag, idList, listOf, one } from './call.ts'
import { columnWord } from './enums.ts'
import { listInput } from './listInput.ts'
import { sortsOf } from './lists.ts'

/** A notification in one person's inbox; its id is the notification's. */
export const Notice = z.object({
  id: z.number(),
  name: z.string(),
  message: z.string(),
  message_action: columnWord('notice', 'message_action'),
  url: z.string(),
  status: columnWord('notice', 'status'),
  read_at: z.string().nullable(),
  created_at: z.string(),
  ...Allowed,
})
export type Notice = z.output<typeof Notice>

const Ids = idList(10_000)

/** The caller's own inbox; nobody can read or mark someone else's. */
export const noticeCalls = {
  'notice.list': call({
    method: 'GET',
    path: '/v3/portal/notifications/inbox',
    about: 'Lists the notifications that the caller received, unread first, then the newest, 10 a page.',
    input: z.object({ ...listInput(sortsOf('notice')), unread: Flag.default(false) }),
    output: listOf(Notice),
  }),
  'notice.unread': call({
    method: 'GET',
    path: '/v3/portal/notifications/unread',
    about: "Counts the caller's unread notifications.",
    input: z.object({}),
    output: one(z.object({ unread: z.number() })),
  }),
  'notice.mark': call({
    method: 'POST',
    path: '/v3/portal/notifications/read',
    about: "Marks the caller's notifications as read, or as unread with read=false: those of ids, or all.",
    undo: true,
    input: z
      .object({ ids: Ids.optional(), all: Flag.default(false), read: Flag.default(true) })
      .superRefine(({ ids, all }, at) => {
        if (!all && !ids?.length) at.addIssue({ code: 'custom', path: ['ids'], message: 'ids is required, or all' })
      }),
    output: one(z.object({ marked: z.number(), unread: z.number() })).extend({ message: EffectSentence }),
  }),
} as const
